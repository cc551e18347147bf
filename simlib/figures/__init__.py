"""Pictures: a DataFrame in, a matplotlib Figure out, and from there inline SVG; never through pyplot."""

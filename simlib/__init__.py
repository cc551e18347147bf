"""Monte-Carlo strategy analysis for trick-taking card games."""

__version__ = "0.1.0"

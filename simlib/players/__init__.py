"""Players that all games share: what they have in common, apart from any game's rules."""

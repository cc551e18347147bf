"""Random games of random legal variants, each checked against what must hold in it: ``python -m benchmarks.soak``.

One file a game here, named as the game: `random_settings` draws variants (tests draw theirs from it too), and
`check_games` tells from the deal and the plays alone what must hold. It shares no code with the game's rules.
"""

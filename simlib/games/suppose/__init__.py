"""Suppose: bid on the tricks that your left neighbour wins with the hand you give away."""

from simlib.games import Game

GAME = Game(
    name="suppose",
    title="Suppose",
    summary="May-follow tricks; you bid on your left neighbour, who plays a hand of which it sees three cards.",
    readings={
        "S1": "bid.min_guesses: a bid names at least this many counts (1) and at most two.",
        "S2": "Positions are named as the maker laid the hand out, 1 = leftmost, however the holder turns it.",
        "S3": "The bonus goes to the seat that predicted, not to the one that won the tricks.",
        "S4": "Seat 0 starts the first round; the middle of an even hand is (size + 1) / 2 rounded down.",
    },
)

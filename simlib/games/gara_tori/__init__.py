"""Gara-tori: a card of a pattern that has been played turns the lead colour; gather one colour."""

from simlib.games import Game

GAME = Game(
    name="gara_tori",
    title="Gara-tori",
    summary="Must-follow tricks in which a card of an already played pattern turns the lead; gather one colour.",
    readings={
        "G1": "deck.preset: ranks run to 15 (64 cards, the Japanese sheet) or to 14 (60 cards, the English one).",
        "G2": "lead.void_match_turns: a card of a played pattern turns the lead from a seat void in it too.",
        "G3": "follow.special_counts: a special is a card of its colour for the duty to follow.",
        "G4": "A special played while another colour leads is the lowest of its colour, even if the lead turns to it.",
        "G5": "With more than one special in a colour, the first one that locks the trick wins it.",
    },
)

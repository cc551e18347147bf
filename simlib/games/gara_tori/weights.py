"""What `trained` learns in Gara-tori: weights, in 1/16 unless said otherwise, and the variants that it practises."""

from typing import Any

from simlib.players.weights import Weight

WEIGHTS = (
    Weight("trick", 128, 0, 256, "of what a trick's cards are worth to it, if the card wins"),
    Weight("denied", 0, -64, 128, "of what they are worth to the seat that has the trick now, if the card wins"),
    Weight("gift", 48, -32, 160, "of what the card is worth to the seat that takes the trick, if it doesn't win"),
    Weight("gift_ahead", 0, -32, 64, "more of it for each card that this seat has more than the own best colour"),
    Weight("kept", 112, 0, 256, "of what the card may win if it is led later"),
    Weight("special", 112, 0, 256, "the same for a special card"),
    Weight("feared", 12, 0, 16, "of the unseen cards in hands, how many count as threats to the card"),
    Weight("feared_void", 8, 0, 16, "the same of the cards of a seat that is known to be void in the lead colour"),
    Weight("feared_later", 12, 0, 16, "the same for a card that is kept"),
    Weight("patience", 64, 4, 256, "cards, in quarters and for each trick to come, that halve the worth of a colour"),
    Weight("held", 4, 0, 16, "of a card: what one in the own hand counts as gathered"),
    Weight("follow", 14, 0, 32, "of a card of the lead colour: what each seat to come adds to the trick if it has one"),
    Weight("thrown", 4, -16, 32, "of a card of any colour: what each other seat to come adds to the trick"),
    Weight("lead", 0, -64, 128, "of a card: what winning the trick is worth beyond its cards, for the lead"),
    Weight("turn", 0, -64, 64, "of a card: what turning the lead is worth beyond winning"),
)
PRACTICE: tuple[dict[str, Any], ...] = (
    {"players": 4},
    {"players": 4, "deck.preset": "sixty"},
    {"players": 4, "hand.size": 9},
    {"players": 4, "hand.size": 11},
    {"players": 4, "hand.size": 12},
    {"players": 5},
    {"players": 6},
)

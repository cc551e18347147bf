"""What `trained` learns in Take-Trick: its weights, in 1/64 unless said otherwise, and the variants that it practises.

Where training starts is what `greedy` plays by.
"""

from typing import Any

from simlib.players.weights import Weight

WEIGHTS = (
    Weight("catch", 16, 1, 64, "tricks: how hard it is to catch up one card with the one that has most of a colour"),
    Weight("tie", 16, 0, 64, "tricks, in 1/8: how long equal counts stay equal"),
    Weight("top_tie", 64, -64, 160, "of the promise of equal counts where nobody has more"),
    Weight("near", 0, -128, 128, "of a point: what it promises to be one card behind the one that has most"),
    Weight("held", 0, -160, 160, "of a point: what it promises to hold any card of a colour at all"),
    Weight("others", 64, 0, 192, "of the other seats' promises, against the own one"),
    Weight("rich", 0, -16, 48, "of it more for each point that such a seat is ahead"),
    Weight("keep", 32, 0, 128, "of a card's later use that playing it costs"),
    Weight("keep_lead", 0, -64, 64, "more of it for a card that is led"),
    Weight("keep_trump", 0, -64, 64, "more of it for a trump"),
    Weight("one", 32, 0, 64, "of what capturing a 1 gains: its later use"),
    Weight("spared", 64, -32, 160, "of what it is worth to let the best card so far win"),
    Weight("lead", 0, -128, 128, "of a point: what winning a trick is worth for the lead"),
    Weight("feared", 64, 8, 160, "of the unseen cards that beat a card, how many are feared of each seat to come"),
    Weight("trumps", 64, 8, 192, "of a card: how much a trump counts among the cards that beat another one"),
    Weight("feared_later", 64, 8, 160, "the same for a card that is kept"),
    Weight("likely", 48, 0, 64, "how often a neighbour accepts a gift that is good for it"),
    Weight("unlikely", 16, 0, 64, "how often it accepts one that isn't"),
    Weight("accept", 0, -192, 192, "of a point: what accepting a gift is worth beyond what it is seen to bring"),
)
PRACTICE: tuple[dict[str, Any], ...] = (
    {"players": 4},
    {"players": 3},
    {"players": 5},
    {"players": 6},
    {"players": 4, "deck.preset": "nine"},
)

"""What `trained` learns in Suppose: its weights, and the variants that it practises.

Training starts from what earlier, shorter courses came to.
"""

from typing import Any

from simlib.players.weights import Weight

UNHEEDED = ("rounds",)  # parameters that its decisions don't depend on: others needn't have been practised
WEIGHTS = (
    Weight("first_top", 22, -32, 32, "for each rank of a group's highest card, to stand first"),
    Weight("first_size", 0, -32, 32, "for each card of a group, to stand first"),
    Weight("last_bottom", 13, -32, 32, "for each rank of a group's lowest card, to stand last"),
    Weight("last_size", -20, -32, 32, "for each card of a group, to stand last"),
    Weight("slope", 107, 0, 256, "sixty-fourths of a trick for each unit of a hand's strength, in the bid"),
    Weight("offset", -28, -96, 96, "sixty-fourths of a trick, added to the bid"),
    Weight("drop", -11, -64, 96, "sixty-fourths of a trick off the bid, for each that is expected below a fair share"),
    Weight("rise", -12, -64, 96, "the same, for each trick that is expected above it"),
    Weight("starts", -8, -64, 96, "sixty-fourths of a trick, added to the bid if the left neighbour leads first"),
    Weight("keep", 17, -32, 64, "sixty-fourths of a card's worth as a lead that playing it costs"),
    Weight("lead_keep", 30, -128, 64, "the same for a card that is led"),
    Weight("urge", 4, 0, 256, "sixteenths of a trick, for each trick that the own bid may gain or lose"),
    Weight("likely", 61, 0, 64, "of 64, how often the left neighbour plays the card that it is expected to"),
    Weight("others", 50, 0, 64, "the same for the other seats"),
    Weight("blind", 17, 0, 32, "of 64, how often it wins a trick that a hidden card leads"),
    Weight("lead_holds", 901, 600, 1000, "of 1000, to the power of the other seats: the leads that the neighbour wins"),
    Weight("tilt", 40, 0, 200, "of 1000, what steering adds to the neighbour's chance in a trick"),
    Weight("lead_tilt", 78, 0, 300, "the same in a trick that it leads"),
    Weight("pace", 132, 0, 256, "sixty-fourths, for each unit of strength of its cards left, on its tricks to come"),
)
PRACTICE: tuple[dict[str, Any], ...] = (
    {"players": 4},
    {"players": 3},
    {"players": 4, "hand.size": 10},
    {"players": 3, "hand.size": 12, "bid.single": 4},
    {"players": 4, "hand.size": 9, "bid.single": 6, "bid.double": 3},
)

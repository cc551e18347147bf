"""What `trained` learns in Suppose: its weights, and the variants that it practises."""

from simlib.players.weights import Weight

WEIGHTS = (
    Weight("first_top", 16, -32, 32, "for each rank of a group's highest card, to stand first"),
    Weight("first_size", 0, -32, 32, "for each card of a group, to stand first"),
    Weight("last_bottom", 16, -32, 32, "for each rank of a group's lowest card, to stand last"),
    Weight("last_size", 0, -32, 32, "for each card of a group, to stand last"),
    Weight("slope", 81, 0, 256, "sixty-fourths of a trick for each unit of a hand's strength, in the bid"),
    Weight("offset", -40, -96, 96, "sixty-fourths of a trick, added to the bid"),
    Weight(
        "drop", -8, -64, 96, "sixty-fourths of a trick off the bid, for each that is expected below a fair share"
    ),
    Weight("rise", 8, -64, 96, "the same, for each trick that is expected above it"),
    Weight("starts", -8, -64, 96, "sixty-fourths of a trick, added to the bid if the left neighbour leads first"),
    Weight("keep", 8, -32, 64, "sixty-fourths of a card's worth as a lead that playing it costs"),
    Weight("lead_keep", -32, -128, 64, "the same for a card that is led"),
    Weight("urge", 48, 0, 256, "sixteenths of a trick, for each trick that the own bid may gain or lose"),
    Weight("likely", 60, 0, 64, "of 64, how often the left neighbour plays the card that it is expected to"),
    Weight("others", 60, 0, 64, "the same for the other seats"),
    Weight("blind", 19, 0, 32, "of 64, how often it wins a trick that a hidden card leads"),
    Weight("lead_holds", 930, 600, 1000, "of 1000, to the power of the other seats: the leads that the neighbour wins"),
    Weight("tilt", 25, 0, 200, "of 1000, what steering adds to the neighbour's chance in a trick"),
    Weight("lead_tilt", 30, 0, 300, "the same in a trick that it leads"),
    Weight("pace", 125, 0, 256, "sixty-fourths, for each unit of strength of its cards left, on its tricks to come"),
)
PRACTICE = (
    {"players": 4},
    {"players": 3},
)

"""Take-Trick: keep the card you won with, two colours at most, and never the most of a colour alone."""

from simlib.games import Game

GAME = Game(
    name="take_trick",
    title="Take-Trick",
    summary="May-follow tricks; you keep what you won with, give third colours away, and shun the most of a colour.",
    readings={
        "T1": "deck.preset: six = ranks 1-6, three copies, trump ranks 2-6; nine = ranks 1-9, two copies, 3-7.",
        "T2": "gift.penalty_falls_on: a refused gift costs the trick_winner, as the sheet says, or the giver.",
        "T3": "gift.extra: a trump of a forbidden colour and its extra card are one gift (together), "
        "or no extra card is taken (forfeit).",
        "T4": "Captures and gifts of a trick are settled seat by seat: the winner first, then in the order of play.",
        "T5": "The extra card is the one discarded last, or, while the pile is empty, the earliest played card of "
        "the trick that nobody captures; nobody sees it, and without one there is no extra card.",
        "T6": "Where the stock runs out while first bamboos are laid, shining cards stand in; one that stands in for "
        "a first card has no colour and no rank.",
        "T7": "A winner whose card is also a 1 of the leader's colour captures it once.",
        "T8": "When a gift ends the game, whoever is at score.target wins, and the round is not scored.",
        "T9": "Seat 0 leads the first trick of the first round.",
        "T10": "gift.points is paid once to giver and receiver, however many cards move; a forced refusal costs the "
        "penalty too, and past the target the score nearest to it wins.",
        "T11": "A trump that loses but is a 1 of the leader's colour is captured without an extra card; a 1 whose "
        "gift is refused is never the extra card of its own trick.",
    },
)

"""Suppose's parameters, their classic values and bounds (rule file: suppose, "Parameters").

Points are exact decimals with at most two places, so that kernels count in whole 1/`unit` points.
"""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from simlib.cards import LETTERS as LETTERS
from simlib.cards import MOST_CARDS as MOST_CARDS
from simlib.variants import Parameters, brief, check_hands, copies_table, exact_decimal, shortest_copies, whole

MOST_POINTS = 1000

Points = Annotated[
    Decimal,
    BeforeValidator(exact_decimal),
    Field(
        ge=0,
        le=MOST_POINTS,
        json_schema_extra={"allowed": f"a number from 0 to {MOST_POINTS} with at most two decimals"},
    ),
]


class Deck(Parameters):
    """Which cards there are."""

    colours: int = Field(4, ge=1, le=len(LETTERS), description="number of colours")
    ranks: int = Field(6, ge=1, le=32, description="ranks run from 1 to this")
    copies: Any = Field(
        None,
        description="copies of each card; classic: 2, and with 3 players one of each rank 3 and 4",
        json_schema_extra={
            "allowed": "a whole number from 0 to 256, a list of them by rank, or a table by colour letter or rank"
        },
    )


class Hand(Parameters):
    """How a hand is dealt and shown."""

    size: int = Field(11, ge=1, le=MOST_CARDS, description="cards dealt to each seat, and tricks in a round")
    visible: Any = Field(
        None,
        description="positions, 1 = leftmost, that the holder sees; classic: leftmost, middle, rightmost",
        json_schema_extra={"allowed": "a list of different positions from 1 to hand.size"},
    )


class Bid(Parameters):
    """What a right guess pays."""

    single: Points = Field(Decimal(5), description="points for a right bid with one guess")
    double: Points = Field(Decimal(2), description="points for a right bid with two guesses")
    min_guesses: int = Field(1, ge=0, le=2, description="reading S1: the fewest guesses that a bid must name")


class Score(Parameters):
    """What a trick pays."""

    trick: Points = Field(Decimal(1), description="points for each trick won")


class SupposeParameters(Parameters):
    """All parameters of Suppose; `resolve` fills in what depends on others."""

    players: int = Field(4, ge=3, le=4, description="number of seats")
    deck: Deck = Deck()
    hand: Hand = Hand()
    bid: Bid = Bid()
    score: Score = Score()
    rounds: int | None = Field(
        None,
        ge=1,
        le=100,
        description="rounds in a game; classic: one for each seat",
        json_schema_extra={"allowed": "a whole number from 1 to 100"},
    )

    def resolve(self) -> "SupposeParameters":
        """Return the same parameters with every default filled in.

        Raises
        ------
        ValueError
            A sentence, where values don't fit each other.
        """
        copies = self._copies()
        check_hands(sum(map(sum, copies)), self.players, self.hand.size)
        return self.model_copy(
            update={
                "deck": self.deck.model_copy(update={"copies": copies}),
                "hand": self.hand.model_copy(update={"visible": self._visible()}),
                "rounds": self.rounds or self.players,
            }
        )

    def _copies(self) -> list[list[int]]:
        ranks = range(1, self.deck.ranks + 1)
        classic = [1 if self.players == 3 and rank in (3, 4) else 2 for rank in ranks]
        return copies_table(self.deck.copies, classic, LETTERS[: self.deck.colours])

    def _visible(self) -> list[int]:
        size, given = self.hand.size, self.hand.visible
        if given is None:  # reading S4: the middle of an even hand is (size + 1) / 2 rounded down
            return sorted({1, (size + 1) // 2, size})
        if not isinstance(given, list):
            raise ValueError(
                f"hand.visible = {brief(given)}: it must be a list of different positions from 1 to {size}"
            )
        positions = [whole("hand.visible", position, 1, size) for position in given]
        if len(set(positions)) < len(positions):
            raise ValueError(f"hand.visible = {brief(given)}: a position is given twice")
        return sorted(positions)

    def spelled(self) -> dict[str, Any]:
        """Return the resolved parameters as nested plain values, in their shortest spelling."""
        tree = self.model_dump()
        tree["deck"]["copies"] = shortest_copies(self.deck.copies, LETTERS)
        for table, key in (("bid", "single"), ("bid", "double"), ("score", "trick")):
            points = tree[table][key]
            tree[table][key] = int(points) if points == int(points) else float(points)
        return tree

    @property
    def unit(self) -> int:
        """Kernel points in one point: the smallest of 1, 2, .. 100 that makes all payments whole."""
        pays = (self.bid.single, self.bid.double, self.score.trick)
        return next(unit for unit in range(1, 101) if all(pay * unit == int(pay * unit) for pay in pays))


MODEL = SupposeParameters

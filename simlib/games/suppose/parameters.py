"""Suppose's parameters, their classic values and bounds (rule file: suppose, "Parameters").

Points are exact decimals with at most two places, so that kernels count in whole 1/`unit` points.
"""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from simlib.variants import Parameters, brief, exact_decimal, whole

LETTERS = "RBGYPO" + "WKNCMLTVSA"  # red, blue, green, yellow, purple, orange; more for larger variants
MOST_CARDS = 256
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
            "allowed": "a whole number from 0 to 256, a list of them by rank, or a table of such by colour letter"
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
        cards, wanted = sum(map(sum, copies)), self.players * self.hand.size
        if cards > MOST_CARDS:
            raise ValueError(f"deck.copies makes a deck of {cards} cards: at most {MOST_CARDS} are allowed")
        if wanted > cards:
            raise ValueError(
                f"hand.size = {self.hand.size}: {self.players} hands need {wanted} cards and the deck has {cards}; "
                f"at most {cards // self.players} are allowed"
            )
        return self.model_copy(
            update={
                "deck": self.deck.model_copy(update={"copies": copies}),
                "hand": self.hand.model_copy(update={"visible": self._visible()}),
                "rounds": self.rounds or self.players,
            }
        )

    def _copies(self) -> list[list[int]]:
        ranks, given = self.deck.ranks, self.deck.copies
        classic = [1 if self.players == 3 and rank in (3, 4) else 2 for rank in range(1, ranks + 1)]
        letters = LETTERS[: self.deck.colours]
        if not isinstance(given, dict):
            return [self._by_rank("deck.copies", classic if given is None else given) for _ in letters]
        for letter in given:
            if letter not in letters:
                raise ValueError(f"unknown key {brief(f'deck.copies.{letter}')} (allowed: {', '.join(letters)})")
        return [self._by_rank(f"deck.copies.{letter}", given.get(letter, classic)) for letter in letters]

    def _by_rank(self, key: str, given: Any) -> list[int]:
        ranks = self.deck.ranks
        row = given if isinstance(given, list) else [given] * ranks
        if len(row) != ranks:
            raise ValueError(f"{key} = {brief(given)}: it must have one number for each of the {ranks} ranks")
        return [whole(key, copies, 0, MOST_CARDS) for copies in row]

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
        tree["deck"]["copies"] = _shortest(self.deck.copies)
        for table, key in (("bid", "single"), ("bid", "double"), ("score", "trick")):
            points = tree[table][key]
            tree[table][key] = int(points) if points == int(points) else float(points)
        return tree

    @property
    def unit(self) -> int:
        """Kernel points in one point: the smallest of 1, 2, .. 100 that makes all payments whole."""
        pays = (self.bid.single, self.bid.double, self.score.trick)
        return next(unit for unit in range(1, 101) if all(pay * unit == int(pay * unit) for pay in pays))


def _shortest(copies: list[list[int]]) -> Any:
    if any(row != copies[0] for row in copies):
        return {letter: _shortest([row]) for letter, row in zip(LETTERS, copies, strict=False)}
    return copies[0][0] if len(set(copies[0])) == 1 else copies[0]


MODEL = SupposeParameters

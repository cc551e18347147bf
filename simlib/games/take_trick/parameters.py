"""Take-Trick's parameters, their classic values and bounds (rule file: take_trick, "Parameters")."""

from typing import Any, Literal, NamedTuple

from pydantic import Field

from simlib.cards import MOST_CARDS as MOST_CARDS
from simlib.variants import Parameters, brief, check_hands, copies_table, shortest_copies, whole

LETTERS = "GPSRBY" + "WKNCMLTVAO"  # green, pink, silver, red, blue, yellow; more for larger variants
MOST_RANKS = 32
MOST_POINTS = 1000
HAND_SIZES = {3: 10, 4: 10, 5: 9, 6: 8}


class Preset(NamedTuple):
    """A way to read the sheet's 18 cards a colour and five trump markers (reading T1)."""

    ranks: int
    copies: int
    trumps: tuple[int, ...]


PRESETS = {"six": Preset(6, 3, (2, 3, 4, 5, 6)), "nine": Preset(9, 2, (3, 4, 5, 6, 7))}


class Deck(Parameters):
    """Which cards there are."""

    preset: Literal["six", "nine"] = Field(
        "six",
        description="reading T1: what deck.ranks, deck.copies and trump.ranks are where they aren't given",
        json_schema_extra={"allowed": "'six' or 'nine'"},
    )
    colours: int = Field(3, ge=1, le=len(LETTERS), description="number of colours")
    ranks: int | None = Field(
        None,
        ge=1,
        le=MOST_RANKS,
        description="ranks run from 1 to this; six: 6, nine: 9",
        json_schema_extra={"allowed": f"a whole number from 1 to {MOST_RANKS}"},
    )
    copies: Any = Field(
        None,
        description="copies of each card; six: 3, nine: 2",
        json_schema_extra={
            "allowed": "a whole number from 0 to 256, a list of them by rank, or a table by colour letter or rank"
        },
    )


class Hand(Parameters):
    """How many cards a seat is dealt."""

    size: int | None = Field(
        None,
        ge=1,
        le=MOST_CARDS,
        description="cards dealt to each seat, and tricks in a round; 10, with 5 players 9, with 6 players 8",
        json_schema_extra={"allowed": f"a whole number from 1 to {MOST_CARDS}"},
    )


class Trump(Parameters):
    """The trump markers."""

    ranks: Any = Field(
        None,
        description="ranks of which one is drawn as the game's trump; six: 2 to 6, nine: 3 to 7",
        json_schema_extra={"allowed": "a list of different ranks that are in the deck"},
    )


class Colours(Parameters):
    """What a seat may hold."""

    max: int = Field(2, ge=1, le=len(LETTERS), description="colours that a seat may hold in front of it")


class Gift(Parameters):
    """What happens to a card that its captor may not hold."""

    points: int = Field(1, ge=0, le=MOST_POINTS, description="points to giver and receiver of an accepted gift")
    penalty: int = Field(1, ge=0, le=MOST_POINTS, description="points lost by a refused gift; no score falls below 0")
    penalty_falls_on: Literal["trick_winner", "giver"] = Field(
        "trick_winner",
        description="reading T2: who loses them",
        json_schema_extra={"allowed": "'trick_winner' or 'giver'"},
    )
    extra: Literal["together", "forfeit"] = Field(
        "together",
        description="reading T3: the extra card of a forbidden trump goes with it, or isn't taken",
        json_schema_extra={"allowed": "'together' or 'forfeit'"},
    )


class Score(Parameters):
    """When the game ends."""

    target: int = Field(25, ge=1, le=100_000, description="score at which the game ends")


class Rounds(Parameters):
    """How long the game lasts at most."""

    max: int = Field(3, ge=1, le=100, description="rounds after which the highest score wins")


class TakeTrickParameters(Parameters):
    """All parameters of Take-Trick; `resolve` fills in what depends on others."""

    players: int = Field(4, ge=3, le=6, description="number of seats")
    deck: Deck = Deck()
    hand: Hand = Hand()
    trump: Trump = Trump()
    colours: Colours = Colours()
    gift: Gift = Gift()
    score: Score = Score()
    rounds: Rounds = Rounds()

    def resolve(self) -> "TakeTrickParameters":
        """Return the same parameters with every default filled in.

        Raises
        ------
        ValueError
            A sentence, where values don't fit each other.
        """
        preset = PRESETS[self.deck.preset]
        ranks = self.deck.ranks or preset.ranks
        copies = copies_table(self.deck.copies, [preset.copies] * ranks, LETTERS[: self.deck.colours])
        check_hands(sum(map(sum, copies)), self.players, self.tricks)
        deck = {"preset": _preset_of(copies), "ranks": ranks, "copies": copies}
        return self.model_copy(
            update={
                "deck": self.deck.model_copy(update=deck),
                "hand": Hand(size=self.tricks),
                "trump": Trump(ranks=self._trumps(copies, preset)),
            }
        )

    @property
    def tricks(self) -> int:
        """Cards in a hand, which are the tricks of a round."""
        return self.hand.size or HAND_SIZES[self.players]

    def _trumps(self, copies: list[list[int]], preset: Preset) -> list[int]:
        present = [rank for rank, cards in enumerate(zip(*copies, strict=True), start=1) if any(cards)]
        given = self.trump.ranks
        if given is None:  # the preset's markers that fit the deck
            return [rank for rank in preset.trumps if rank in present] or present
        if not isinstance(given, list) or not given:
            raise ValueError(f"trump.ranks = {brief(given)}: it must be a list of different ranks that are in the deck")
        for rank in given:
            if whole("trump.ranks", rank, 1, len(copies[0])) not in present:
                raise ValueError(f"trump.ranks = {brief(given)}: the deck has no card of rank {rank}")
        if len(set(given)) < len(given):
            raise ValueError(f"trump.ranks = {brief(given)}: a rank is given twice")
        return given

    def spelled(self) -> dict[str, Any]:
        """Return the resolved parameters as nested plain values, in their shortest spelling."""
        tree = self.model_dump()
        tree["deck"]["copies"] = shortest_copies(self.deck.copies, LETTERS)
        return tree


def _preset_of(copies: list[list[int]]) -> str:
    """Return the preset that has this deck, "six" where none has, so that two spellings of a variant are equal."""
    same = [name for name, preset in PRESETS.items() if copies == [[preset.copies] * preset.ranks] * len(copies)]
    return (same or ["six"])[0]


MODEL = TakeTrickParameters

"""Gara-tori's parameters, their classic values and bounds (rule file: gara_tori, "Parameters")."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from simlib.cards import LETTERS, MOST_CARDS
from simlib.variants import Parameters, check_hands, copies_table, shortest_copies

RANKS_OF = {"64": 15, "sixty": 14}  # reading G1


def _preset(value: Any) -> Any:
    """Return a preset's name; a number may stand for it, as typed on the command line."""
    name = str(value) if type(value) is int else value
    return "sixty" if name == "60" else name


Preset = Annotated[
    Literal["64", "sixty"],
    BeforeValidator(_preset),
    Field(json_schema_extra={"allowed": "'64' or 'sixty' ('60' for short)"}),
]


class Deck(Parameters):
    """Which cards there are."""

    preset: Preset = Field("64", description="reading G1: ranks to 15 ('64') or 14 ('sixty') unless deck.ranks says")
    colours: int = Field(4, ge=1, le=len(LETTERS), description="number of colours")
    ranks: int | None = Field(
        None,
        ge=1,
        le=32,
        description="ranks, the patterns, run from 1 to this; classic: 15",
        json_schema_extra={"allowed": "a whole number from 1 to 32"},
    )
    copies: Any = Field(
        None,
        description="copies of each card that isn't special; classic: 1",
        json_schema_extra={
            "allowed": "a whole number from 0 to 256, a list of them by rank, or a table by colour letter or rank"
        },
    )
    specials: int = Field(1, ge=0, le=MOST_CARDS, description="special cards in each colour")


class Hand(Parameters):
    """How a hand is dealt."""

    size: int = Field(10, ge=1, le=MOST_CARDS, description="cards dealt to each seat, and tricks in the game")


class Lead(Parameters):
    """How the lead turns."""

    void_match_turns: bool = Field(
        True,
        description="reading G2: a seat void in the lead colour turns the lead too",
        json_schema_extra={"allowed": "true or false"},
    )


class Follow(Parameters):
    """What obliges a seat to follow."""

    special_counts: bool = Field(
        True,
        description="reading G3: holding a special of the lead colour obliges to follow",
        json_schema_extra={"allowed": "true or false"},
    )


class GaraToriParameters(Parameters):
    """All parameters of Gara-tori; `resolve` fills in what depends on others."""

    players: int = Field(4, ge=4, le=6, description="number of seats")
    deck: Deck = Deck()
    hand: Hand = Hand()
    lead: Lead = Lead()
    follow: Follow = Follow()

    def resolve(self) -> "GaraToriParameters":
        """Return the same parameters with every default filled in.

        A preset only names a number of ranks: the resolved one is the one that the ranks agree with.

        Raises
        ------
        ValueError
            A sentence, where values don't fit each other.
        """
        ranks = self.deck.ranks or RANKS_OF[self.deck.preset]
        letters = LETTERS[: self.deck.colours]
        copies = copies_table(self.deck.copies, [1] * ranks, letters)
        cards = sum(map(sum, copies)) + self.deck.colours * self.deck.specials
        check_hands(cards, self.players, self.hand.size)
        preset = "sixty" if ranks == RANKS_OF["sixty"] else "64"
        resolved = {"preset": preset, "ranks": ranks, "copies": copies}
        return self.model_copy(update={"deck": self.deck.model_copy(update=resolved)})

    def spelled(self) -> dict[str, Any]:
        """Return the resolved parameters as nested plain values, in their shortest spelling."""
        tree = self.model_dump()
        tree["deck"]["copies"] = shortest_copies(self.deck.copies, LETTERS)
        return tree

    @property
    def rounds(self) -> int:
        """Rounds in a game."""
        return 1


MODEL = GaraToriParameters

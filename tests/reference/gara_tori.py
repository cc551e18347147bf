"""Gara-tori, played slowly and plainly: the twin against which the fast program is compared.

Cards are text (``"R4"``, a special is ``"R*"``), hands are lists in rising order (colour by colour, specials before
rank 1), and a game comes out as the `rounds`, `scores` and `winners` of a game record. Parameters are the resolved
ones, as nested dictionaries.

A seat whose player is not ``"random"`` decides by ``choose("play", seat, view)``, which returns a card of its hand.
The view has

- ``hand``: the seat's own cards, rising;
- ``trick``: the plays of this trick so far, each ``[seat, card]``; ``leads``: the lead colour after each of them;
- ``locked``: whether a special has locked this trick;
- ``tricks``: all earlier tricks as records show them;
- ``taken``: by seat, the number of taken cards by colour letter; ``scores``: what each seat has so far, the largest
  of these numbers;
- ``voids``: by seat, the colours that it has shown to have none of, in rising order, by playing a card that was
  neither of the lead colour nor of a played pattern (reading G3 says which cards count).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from reference import dealing, streams

LETTERS = "RBGYPOWKNCMLTVSA"  # the colours in rising order
SPECIAL = "*"

Choose = Callable[[str, int, dict], str]


class Table(NamedTuple):
    """What stays the same from the first card of a game to the last."""

    parameters: dict
    players: list[str]
    choose: Choose | None
    stream: streams.Stream

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.parameters["players"]

    @property
    def size(self) -> int:
        """Cards in a hand, and tricks."""
        return self.parameters["hand"]["size"]

    @property
    def letters(self) -> str:
        """The colours' letters in rising order."""
        return LETTERS[: self.parameters["deck"]["colours"]]


@dataclass
class Trick:
    """A trick, up to now."""

    leader: int
    plays: list[list] = field(default_factory=list)  # [seat, card]
    leads: list[str] = field(default_factory=list)  # the lead colour after each play
    locked_by: int | None = None  # the seat whose special locked it

    @property
    def lead(self) -> str:
        """The present lead colour."""
        return self.leads[-1]

    @property
    def locked(self) -> bool:
        """Whether the lead colour can't turn any more."""
        return self.locked_by is not None

    @property
    def patterns(self) -> set[int]:
        """The ranks played so far."""
        return {rank(card) for _, card in self.plays if not is_special(card)}


class State(NamedTuple):
    """What happened in a game, up to now."""

    hands: list[list[str]]
    tricks: list[dict]
    taken: list[dict[str, int]]
    voids: list[set[str]]


def play_game(
    parameters: dict,
    seed: int,
    game: int,
    players: list[str],
    choose: Choose | None = None,
    *,
    held: tuple[int, int] | None = None,
) -> dict:
    """Play one game and return what a record says of it.

    Parameters
    ----------
    parameters
        Every parameter, resolved, as nested dictionaries.
    seed, game
        The run's seed and the game's number in the run.
    players
        The player at each seat: "random", or any other name for a seat that `choose` decides for.
    choose
        Decides for the seats that aren't random; see the head of this module.
    held
        A seat and a number of completions: that many games in a row deal the seat one and the same hand.

    Returns
    -------
    dict
        `rounds` (one), `scores` and `winners`.
    """
    table = Table(parameters, players, choose, streams.game_stream(seed, game))
    return play_hands(table, dealing.deal(new_deck(parameters), table.seats, table.size, seed, game, 0, held))


def play_hands(table: Table, dealt: list[list[str]], dealer: int = 0) -> dict:
    """Play the hands that are dealt and return the game's record."""
    seats = range(table.seats)
    nothing = [dict.fromkeys(table.letters, 0) for _ in seats]
    state = State([sort_cards(hand) for hand in dealt], [], nothing, [set() for _ in seats])
    leader = dealer
    for number in range(table.size):
        leader = play_trick(table, state, number, leader)
    points = [score(counts) for counts in state.taken]
    played = {
        "dealer": dealer,
        "dealt": [sort_cards(hand) for hand in dealt],
        "tricks": state.tricks,
        "taken": state.taken,
        "points": points,
    }
    winners = [seat for seat in seats if points[seat] == max(points)]
    return {"rounds": [played], "scores": list(points), "winners": winners}


# Cards


def colour(card: str) -> str:
    """Return a card's colour letter."""
    return card[0]


def is_special(card: str) -> bool:
    """Tell whether a card is a special: it has no rank, so no pattern."""
    return card[1:] == SPECIAL


def rank(card: str) -> int:
    """Return a card's rank; 0 for a special, which is the lowest of its colour."""
    return 0 if is_special(card) else int(card[1:])


def sort_cards(cards: list[str]) -> list[str]:
    """Return cards in rising order."""
    return sorted(cards, key=lambda card: (LETTERS.index(colour(card)), rank(card)))


def new_deck(parameters: dict) -> list[str]:
    """Return the deck in rising order: colour by colour, specials first, then rank 1 and on, copies side by side."""
    deck = []
    for letter, row in zip(LETTERS, parameters["deck"]["copies"], strict=False):
        deck += [letter + SPECIAL] * parameters["deck"]["specials"]
        for number, copies in enumerate(row, start=1):
            deck += [f"{letter}{number}"] * copies
    return deck


# Rules


def obliges(parameters: dict, card: str, lead: str) -> bool:
    """Tell whether holding a card makes its seat follow a lead colour (reading G3 for specials)."""
    return colour(card) == lead and (parameters["follow"]["special_counts"] or not is_special(card))


def is_void(parameters: dict, hand: list[str], lead: str) -> bool:
    """Tell whether nothing in a hand obliges its seat to follow."""
    return not any(obliges(parameters, card, lead) for card in hand)


def matches(card: str, trick: Trick) -> bool:
    """Tell whether a card's pattern has been played in a trick."""
    return not is_special(card) and rank(card) in trick.patterns


def legal_cards(parameters: dict, hand: list[str], trick: Trick) -> list[str]:
    """Return the cards of a hand that may be played, in the hand's order and each copy for itself."""
    if not trick.plays or is_void(parameters, hand, trick.lead):
        return list(hand)
    return [card for card in hand if colour(card) == trick.lead or matches(card, trick)]


def add_card(trick: Trick, seat: int, card: str, *, may_turn: bool) -> None:
    """Lay a card to a trick; where it may turn the lead colour, it does if its pattern is there and nothing locked."""
    lead = trick.lead if trick.plays else colour(card)
    if not trick.locked:
        if is_special(card) and colour(card) == lead:
            trick.locked_by = seat
        if matches(card, trick) and may_turn:
            lead = colour(card)
    trick.plays.append([seat, card])
    trick.leads.append(lead)


def trick_winner(trick: Trick) -> int:
    """Return the seat whose special locked a trick, or else that of the highest card of the final lead colour.

    Of equal cards the first one counts. A special without power is the lowest of its colour. It never wins, because
    a lead colour came from a card with a rank or was locked.
    """
    if trick.locked_by is not None:
        return trick.locked_by
    rivals = [(seat, rank(card)) for seat, card in trick.plays if colour(card) == trick.lead]
    best = max(number for _, number in rivals)
    return next(seat for seat, number in rivals if number == best)


def score(counts: dict[str, int]) -> int:
    """Return the points for taken cards: as many as there are of the colour that has the most."""
    return max(counts.values())


def play_trick(table: Table, state: State, number: int, leader: int) -> int:
    """Play trick `number` (0 ..), keep its record and its cards, and return its winner."""
    trick = Trick(leader)
    for place in range(table.seats):
        play_card(table, state, trick, number, (leader + place) % table.seats)
    winner = trick_winner(trick)
    for _, card in trick.plays:
        state.taken[winner][colour(card)] += 1
    state.tricks.append(
        {"leader": leader, "plays": trick.plays, "leads": trick.leads, "locked": trick.locked, "winner": winner}
    )
    return winner


def play_card(table: Table, state: State, trick: Trick, number: int, seat: int) -> None:
    """Let a seat play a card to a trick."""
    hand, parameters = state.hands[seat], table.parameters
    void = bool(trick.plays) and is_void(parameters, hand, trick.lead)
    card = choose_card(table, state, trick, number, seat)
    if void and colour(card) != trick.lead and not matches(card, trick):
        state.voids[seat].add(trick.lead)
    hand.remove(card)
    add_card(trick, seat, card, may_turn=not void or parameters["lead"]["void_match_turns"])


# Decisions: by the random player exactly as the record format defines it, or by `choose`


def choose_card(table: Table, state: State, trick: Trick, number: int, seat: int) -> str:
    """Return the card that a seat plays."""
    legal = legal_cards(table.parameters, state.hands[seat], trick)
    if table.players[seat] == "random":
        return legal[streams.below(streams.decision_word(table.stream, 0, number, seat), len(legal))]
    card = table.choose("play", seat, seen(table, state, trick, seat))
    if card not in legal:
        raise ValueError(f"seat {seat}, play: {card!r} isn't allowed")
    return card


def seen(table: Table, state: State, trick: Trick, seat: int) -> dict:
    """Return the view of a seat that plays a card."""
    return {
        "hand": list(state.hands[seat]),
        "trick": copied(trick.plays),
        "leads": list(trick.leads),
        "locked": trick.locked,
        "tricks": [past | {"plays": copied(past["plays"]), "leads": list(past["leads"])} for past in state.tricks],
        "taken": [dict(counts) for counts in state.taken],
        "scores": [score(counts) for counts in state.taken],
        "voids": [[letter for letter in table.letters if letter in shown] for shown in state.voids],
    }


def copied(plays: list[list]) -> list[list]:
    """Return a copy of plays."""
    return [list(play) for play in plays]


# Measures


def row(record: dict, parameters: dict) -> dict[str, int]:
    """Return a game's measures from its record; `parameters` say which cards were legal.

    Seats (s) and places in a trick (p, that of the lead is 0) are numbered from 0:

    - `score_s`, `win_s`;
    - `leader_plays`, `leader_choices`, `follower_plays`, `follower_choices`: cards played, and cards (each copy for
      itself) that could have been;
    - `won_from_place_p`;
    - `turns` and `turns_at_place_p`: cards at which the lead colour changed. A card of a played pattern and of the
      lead colour turns it to itself, which isn't counted;
    - `won_by_turn_at_place_p`: tricks won by the seat at whose card the lead colour changed;
    - `locks` and `locks_at_place_p`: locked tricks, by the card that locked them;
    - `specials_dealt_s`;
    - `specials_with_power`, `specials_without_power`: played while their own colour led (leading them counts, and so
      does a second one in a trick that is locked already), or another;
    - `void_plays`: cards of followers that had none of the lead colour (as reading G3 counts them).
    """
    seats = range(len(record["scores"]))
    measures = {f"score_{seat}": record["scores"][seat] for seat in seats}
    measures |= {f"win_{seat}": int(seat in record["winners"]) for seat in seats}
    tricks = record["rounds"][0]["tricks"]
    for place in seats:
        measures[f"won_from_place_{place}"] = sum(trick["plays"][place][0] == trick["winner"] for trick in tricks)
        measures[f"turns_at_place_{place}"] = sum(turns_at(trick, place) for trick in tricks)
        won = [trick for trick in tricks if trick["plays"][place][0] == trick["winner"]]
        measures[f"won_by_turn_at_place_{place}"] = sum(turns_at(trick, place) for trick in won)
        measures[f"locks_at_place_{place}"] = sum(trick["locked"] for trick in won)
        measures[f"specials_dealt_{place}"] = sum(map(is_special, record["rounds"][0]["dealt"][place]))
    measures["turns"] = sum(measures[f"turns_at_place_{place}"] for place in seats)
    measures["locks"] = sum(trick["locked"] for trick in tricks)
    return measures | count_specials(tricks) | count_choices(record["rounds"][0], parameters)


def turns_at(trick: dict, place: int) -> bool:
    """Tell whether a trick's lead colour changed with the card at a place."""
    return place > 0 and trick["leads"][place] != trick["leads"][place - 1]


def count_specials(tricks: list[dict]) -> dict[str, int]:
    """Count the specials played while their own colour led, and the others."""
    powers = [
        colour(card) == lead
        for trick in tricks
        for (_, card), lead in zip(trick["plays"], trick["leads"], strict=True)
        if is_special(card)
    ]
    return {"specials_with_power": powers.count(True), "specials_without_power": powers.count(False)}


def count_choices(played: dict, parameters: dict) -> dict[str, int]:
    """Count the cards played by leaders and followers, those they could have played, and the plays of void seats."""
    names = ("leader_plays", "leader_choices", "follower_plays", "follower_choices", "void_plays")
    counts = dict.fromkeys(names, 0)
    hands = [list(hand) for hand in played["dealt"]]
    for trick in played["tricks"]:
        for place, (seat, card) in enumerate(trick["plays"]):
            before = Trick(trick["leader"], trick["plays"][:place], trick["leads"][:place])
            role = "follower" if place else "leader"
            counts[f"{role}_plays"] += 1
            counts[f"{role}_choices"] += len(legal_cards(parameters, hands[seat], before))
            counts["void_plays"] += bool(place) and is_void(parameters, hands[seat], before.lead)
            hands[seat].remove(card)
    return counts

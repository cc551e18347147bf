"""Suppose, played slowly and plainly: the twin against which the fast program is compared.

Cards are text (``"R4"``), hands are lists from left to right, and a game comes out as the `rounds`, `scores` and
`winners` of a game record. Parameters are the resolved ones, as nested dictionaries.

A seat whose player is not ``"random"`` decides by ``choose(kind, seat, view)``:

=========  =========================================================  ===============================
kind       it returns                                                 keys of its view
=========  =========================================================  ===============================
"arrange"  the letters of the colours in hand, in the groups' order   ALWAYS, "dealt"
"bid"      the guesses, rising                                        ALWAYS, "dealt", "layout"
"play"     a position (1 = leftmost) of the seat's own hand           ALWAYS, and the keys of playing
=========  =========================================================  ===============================

ALWAYS stands for what every seat knows at all times:

- ``round``: number of the round, from 0; ``start``: the seat that leads its first trick;
- ``scores``: each seat's total before this round.

While arranging and bidding:

- ``dealt``: the cards dealt to the seat, in the order in which they came;
- ``layout``: (bidding only) the same cards as the seat has just arranged them.

While playing:

- ``made``: the hand that the seat made for its left neighbour, in full;
- ``bid``: the seat's own guesses;
- ``hands``: by holder and by position (list index 0 = leftmost), the card where the seat knows it or it has been
  played, else None; ``hands[seat]`` is the hand that the seat holds;
- ``unplayed``: the positions that the seat may play, rising;
- ``plays``: all plays of the round so far, each ``[seat, position, card]``; ``trick``: those of this trick;
- ``tricks_won``: by seat, in this round.
"""

from collections.abc import Callable
from decimal import Decimal
from math import comb
from typing import Any, NamedTuple

from reference import dealing, streams

LETTERS = "RBGYPOWKNCMLTVSA"  # the colours in rising order
ARRANGE, BID, PLAY = 0, 1, 2  # the steps of a round; trick t is step PLAY + t
MOST_GUESSES = 2

Choose = Callable[[str, int, dict], Any]


class Table(NamedTuple):
    """What stays the same from the first card of a game to the last."""

    parameters: dict
    seed: int
    game: int
    players: list[str]
    choose: Choose | None
    held: tuple[int, int] | None
    stream: streams.Stream

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.parameters["players"]

    @property
    def size(self) -> int:
        """Cards in a hand."""
        return self.parameters["hand"]["size"]


class Round(NamedTuple):
    """What the seats know of a round and what they don't, up to now."""

    number: int
    start: int
    scores: list  # before the round
    layouts: list[list[str]]  # by maker
    bids: list[list[int]]
    unplayed: list[list[int]]  # positions by holder, in the random player's order
    plays: list[list]
    tricks_won: list[int]


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
        `rounds`, `scores` and `winners`.
    """
    table = Table(parameters, seed, game, players, choose, held, streams.game_stream(seed, game))
    totals = [0] * table.seats
    rounds = []
    for number in range(parameters["rounds"]):
        rounds.append(play_round(table, number, totals))
        totals = rounds[-1]["totals"]
    winners = [seat for seat in range(table.seats) if totals[seat] == max(totals)]
    return {"rounds": rounds, "scores": totals, "winners": winners}


def play_round(table: Table, number: int, totals: list) -> dict:
    """Play one round and return its record; `totals` are the scores before it."""
    start = number % table.seats
    public = {"round": number, "start": start, "scores": totals}
    dealt = deal(table, number)
    layouts = [arrange(table, seat, dealt[seat], public) for seat in range(table.seats)]
    bids = [bid(table, seat, dealt[seat], layouts[seat], public) for seat in range(table.seats)]
    unplayed = [list(range(1, table.size + 1)) for _ in range(table.seats)]
    state = Round(number, start, totals, layouts, bids, unplayed, [], [0] * table.seats)

    tricks = []
    leader = start
    for trick in range(table.size):
        tricks.append(play_trick(table, state, trick, leader))
        leader = tricks[-1]["winner"]
        state.tricks_won[leader] += 1

    hands = [
        {"maker": seat, "holder": (seat + 1) % table.seats, "layout": layouts[seat], "bid": bids[seat]}
        for seat in range(table.seats)
    ]
    return {
        "start": start,
        "hands": hands,
        "tricks": tricks,
        "tricks_won": state.tricks_won,
        **score_round(table.parameters, bids, state.tricks_won, totals),
    }


# Cards


def colour(card: str) -> str:
    """Return a card's colour letter."""
    return card[0]


def rank(card: str) -> int:
    """Return a card's rank."""
    return int(card[1:])


def new_deck(parameters: dict) -> list[str]:
    """Return the deck in rising order: colour by colour, rank 1 first, copies side by side."""
    deck = []
    for letter, row in zip(LETTERS, parameters["deck"]["copies"], strict=False):
        for number, copies in enumerate(row, start=1):
            deck += [f"{letter}{number}"] * copies
    return deck


def deal(table: Table, round_number: int) -> list[list[str]]:
    """Return the cards dealt to each seat in a round."""
    deck = new_deck(table.parameters)
    return dealing.deal(deck, table.seats, table.size, table.seed, table.game, round_number, table.held)


# Decisions: by the random player exactly as the record format defines it, or by `choose`


def is_random(table: Table, seat: int) -> bool:
    """Tell whether the random player sits at a seat."""
    return table.players[seat] == "random"


def arrange(table: Table, seat: int, dealt: list[str], public: dict) -> list[str]:
    """Return a seat's cards as it arranges them, from left to right."""
    present = [letter for letter in LETTERS if any(colour(card) == letter for card in dealt)]
    if is_random(table, seat):
        order = random_order(present, streams.decision_word(table.stream, public["round"], ARRANGE, seat))
    else:
        order = list(table.choose("arrange", seat, seen_with_dealt(public, dealt)))
        require(sorted(order) == sorted(present), seat, "arrange", order)
    return layout(dealt, order)


def bid(table: Table, seat: int, dealt: list[str], arranged: list[str], public: dict) -> list[int]:
    """Return a seat's guesses, rising."""
    least = table.parameters["bid"]["min_guesses"]
    if is_random(table, seat):
        return random_bid(table.size, least, streams.decision_word(table.stream, public["round"], BID, seat))
    view = seen_with_dealt(public, dealt) | {"layout": list(arranged)}
    guesses = list(table.choose("bid", seat, view))
    counts = range(table.size + 1)
    rising = guesses == sorted(set(guesses))
    require(least <= len(guesses) <= MOST_GUESSES and rising and set(guesses) <= set(counts), seat, "bid", guesses)
    return guesses


def choose_position(table: Table, state: Round, trick: int, seat: int) -> int:
    """Return the position that a seat plays, and take it out of the seat's unplayed ones."""
    unplayed = state.unplayed[seat]
    if is_random(table, seat):
        index = streams.below(streams.decision_word(table.stream, state.number, PLAY + trick, seat), len(unplayed))
    else:
        position = table.choose("play", seat, seen_while_playing(table, state, seat))
        require(position in unplayed, seat, "play", position)
        index = unplayed.index(position)
    return take(unplayed, index)


def take(positions: list[int], index: int) -> int:
    """Take a position out of a list; the last one fills its place."""
    position = positions[index]
    positions[index] = positions[-1]
    positions.pop()
    return position


def random_order(present: list[str], random_word: int) -> list[str]:
    """Return the colours in one of all orders (Fisher and Yates, from the back)."""
    order = list(present)
    places = list(range(len(order) - 1, 0, -1))
    for place, draw in zip(places, streams.draws(random_word, [place + 1 for place in places]), strict=True):
        order[place], order[draw] = order[draw], order[place]
    return order


def random_bid(size: int, min_guesses: int, random_word: int) -> list[int]:
    """Return one of the legal bids: none, then the single counts, then the pairs."""
    counts = size + 1
    nones = 1 if min_guesses == 0 else 0
    singles = counts if min_guesses <= 1 else 0
    choice, first, second = streams.draws(random_word, [nones + singles + comb(counts, 2), counts, counts - 1])
    if choice < nones:
        return []
    if choice < nones + singles:
        return [choice - nones]
    if second >= first:
        second += 1
    return sorted([first, second])


def require(legal: bool, seat: int, kind: str, answer: object) -> None:
    """Raise ValueError where `choose` answered something that the rules don't allow."""
    if not legal:
        raise ValueError(f"seat {seat}, {kind}: {answer!r} isn't allowed")


# What a seat sees


def seen_with_dealt(public: dict, dealt: list[str]) -> dict:
    """Return the view of a seat that arranges its cards."""
    return public | {"scores": list(public["scores"]), "dealt": list(dealt)}


def seen_while_playing(table: Table, state: Round, seat: int) -> dict:
    """Return the view of a seat that plays a card."""
    begun = len(state.plays) - len(state.plays) % table.seats
    return {
        "round": state.number,
        "start": state.start,
        "scores": list(state.scores),
        "made": list(state.layouts[seat]),
        "bid": list(state.bids[seat]),
        "hands": [seen_hand(table, state, seat, holder) for holder in range(table.seats)],
        "unplayed": sorted(state.unplayed[seat]),
        "plays": [list(play) for play in state.plays],
        "trick": [list(play) for play in state.plays[begun:]],
        "tricks_won": list(state.tricks_won),
    }


def seen_hand(table: Table, state: Round, seat: int, holder: int) -> list[str | None]:
    """Return a holder's cards by position as a seat knows them: None for a card it doesn't know."""
    maker = (holder - 1) % table.seats
    played = [position for player, position, _ in state.plays if player == holder]
    known = []
    for position, card in enumerate(state.layouts[maker], start=1):
        faces_holder = position in table.parameters["hand"]["visible"]
        sees = seat == maker or (faces_holder if seat == holder else not faces_holder)
        known.append(card if sees or position in played else None)
    return known


# Rules


def layout(cards: list[str], order: list[str]) -> list[str]:
    """Return cards grouped by colour in the given order, ranks falling within a group."""
    return [
        card
        for letter in order
        for card in sorted((card for card in cards if colour(card) == letter), key=rank, reverse=True)
    ]


def play_trick(table: Table, state: Round, trick: int, leader: int) -> dict:
    """Play a trick and return its record."""
    for place in range(table.seats):
        seat = (leader + place) % table.seats
        position = choose_position(table, state, trick, seat)
        maker = (seat - 1) % table.seats
        state.plays.append([seat, position, state.layouts[maker][position - 1]])
    plays = state.plays[-table.seats :]
    return {"leader": leader, "plays": plays, "winner": trick_winner(plays)}


def trick_winner(plays: list[list]) -> int:
    """Return the seat with the highest card of the colour led; of equal ones, the earliest."""
    winner, _, best = plays[0]
    for seat, _, card in plays[1:]:
        if colour(card) == colour(best) and rank(card) > rank(best):
            winner, best = seat, card
    return winner


def score_round(parameters: dict, bids: list[list[int]], tricks_won: list[int], totals: list) -> dict:
    """Return each seat's bonus, points and new total."""
    pays = {0: 0, 1: hundredths(parameters["bid"]["single"]), 2: hundredths(parameters["bid"]["double"])}
    trick = hundredths(parameters["score"]["trick"])
    seats = range(len(bids))
    bonus = [pays[len(bids[seat])] if is_hit(bids, tricks_won, seat) else 0 for seat in seats]
    points = [tricks_won[seat] * trick + bonus[seat] for seat in seats]
    return {
        "bonus": [as_points(amount) for amount in bonus],
        "points": [as_points(amount) for amount in points],
        "totals": [as_points(hundredths(totals[seat]) + points[seat]) for seat in seats],
    }


def is_hit(bids: list[list[int]], tricks_won: list[int], seat: int) -> bool:
    """Tell whether a seat guessed how many tricks its left neighbour won."""
    return tricks_won[(seat + 1) % len(bids)] in bids[seat]


def hundredths(points: int | float | Decimal) -> int:
    """Return points, which have at most two decimals, in exact hundredths."""
    return int(Decimal(str(points)) * 100)


def as_points(amount: int) -> int | float:
    """Return hundredths as points: a whole number where they are one."""
    return amount // 100 if amount % 100 == 0 else amount / 100


# Measures


def row(record: dict) -> dict[str, int | float]:
    """Return a game's measures from its record; scores are in points, all else counts.

    Seats (s), rounds (r) and places in a trick (p) are numbered from 0: `score_s`, `win_s`, `leader_plays`,
    `leader_choices`, `follower_plays`, `follower_choices`, `won_from_place_p`, `start_r`, `tricks_r_s`,
    `guesses_r_s`, `low_r_s`, `high_r_s` (-1 for no guess), `hit_r_s`, `ranks_r_s`.
    """
    seats = range(len(record["scores"]))
    measures = {f"score_{seat}": record["scores"][seat] for seat in seats}
    measures |= {f"win_{seat}": int(seat in record["winners"]) for seat in seats}
    measures |= count_choices(record)
    measures |= {f"won_from_place_{place}": tricks_won_from(record, place) for place in seats}
    for number, played in enumerate(record["rounds"]):
        bids = [hand["bid"] for hand in played["hands"]]
        measures[f"start_{number}"] = played["start"]
        for seat in seats:
            measures[f"tricks_{number}_{seat}"] = played["tricks_won"][seat]
            measures[f"guesses_{number}_{seat}"] = len(bids[seat])
            measures[f"low_{number}_{seat}"], measures[f"high_{number}_{seat}"] = [*bids[seat], -1, -1][:2]
            measures[f"hit_{number}_{seat}"] = int(is_hit(bids, played["tricks_won"], seat))
            dealt = played["hands"][seat]["layout"]
            measures[f"ranks_{number}_{seat}"] = sum(int(card[1:]) for card in dealt)
    return measures


def count_choices(record: dict) -> dict[str, int]:
    """Count the cards played by leaders and followers, and the cards that they could have played."""
    counts = {"leader_plays": 0, "leader_choices": 0, "follower_plays": 0, "follower_choices": 0}
    for played in record["rounds"]:
        left = {hand["holder"]: len(hand["layout"]) for hand in played["hands"]}
        for trick in played["tricks"]:
            for seat, _, _ in trick["plays"]:
                role = "leader" if seat == trick["leader"] else "follower"
                counts[f"{role}_plays"] += 1
                counts[f"{role}_choices"] += left[seat]  # any card may be played
                left[seat] -= 1
    return counts


def tricks_won_from(record: dict, place: int) -> int:
    """Count the tricks won by the seat that played to them as number `place`."""
    return sum(trick["plays"][place][0] == trick["winner"] for played in record["rounds"] for trick in played["tricks"])

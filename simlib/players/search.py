"""`search:N`: a decision by N playouts over determinized deals, for any game.

A *determinization* is a full deal that agrees with all that the seat knows. Each one is played to the end of the
round once for every move that is still weighed, by a fast player at all seats: moves are compared on common deals.
The worse half of the moves is dropped after each equal share of the playouts (sequential halving: Karnin, Koren and
Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013). The move that the fast player would make has a
start of FAVOUR over the others.

`clairvoyant:N` is the same with the true deal in place of every determinization: what it wins more than `search:N` is
the price of hidden information. Where the player of its playouts leaves nothing to chance, one playout of each move
tells all.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from simlib.hooks import (
    Option,
    Player,
    Seated,
    called,
    carry_on,
    compiled,
    imagine,
    prepare,
    recall,
    seated,
    sees,
    swing,
    winning_score,
)
from simlib.state import copy_record
from simlib.streams import GOLDEN, I64, U64, mix64

MOVES = 32  # the most moves that a decision weighs
MOST_PLAYOUTS = 1_000_000
WINS, POINTS = 0, 1  # values of the option `aim`
WIN = 1 << 20  # the worth of a game that is won
HINT = 8  # the part of WIN, one in so many, that a lead at the end of the game adds to its worth
FAVOUR = 2 * WIN  # what speaks for the usual move, before any playout: chance alone mustn't overrule it
PLAYOUTS, AIM, ROLLOUT = range(3)  # places of the options
NO_MORE: Mapping[str, Option] = {}


def searching_players(rollouts: list[str], more: Mapping[str, Option] = NO_MORE) -> dict[str, Player]:
    """Return the players that search, of a game whose fast players are `rollouts`; the first plays by default.

    Options that only its game knows, `more`, come after PLAYOUTS, AIM and ROLLOUT.
    """

    def options(playouts: str) -> dict[str, Option]:
        return {
            "playouts": Option({}, playouts, 200, MOST_PLAYOUTS),
            "aim": Option({"wins": WINS, "points": POINTS}, "aim at winning the game, or at points"),
            "rollout": Option({name: number for number, name in enumerate(rollouts)}, "who plays its playouts"),
            **more,
        }

    return {
        "search": Player(
            "plays N determinized games a decision to the end of the round and takes the move that did best",
            searches=True,
            short="playouts",
            options=options("playouts a decision, over deals that agree with what its seat knows"),
        ),
        "clairvoyant": Player(
            "plays as search does, but on the true deal",
            searches=True,
            sees_all=True,
            short="playouts",
            options=options("playouts a decision; one of each move does, but where `rollout` plays by chance"),
        ),
    }


def mind_dtype(table: np.dtype, secret: np.dtype, seated: np.dtype, hands: np.dtype) -> np.dtype:
    """Return the type of what a searching seat thinks with, from a game's types; it holds nothing of the real game."""
    return np.dtype(
        [
            ("hands", hands),
            ("tables", table, (2,)),  # 0: the moment of the decision; 1: the game that is being played
            ("secrets", secret, (2,)),
            ("seats", seated, (2,)),
            ("moves", "i8", (MOVES,)),  # what the game's own part of the search weighs
            ("order", "i8", (MOVES,)),  # places of the moves that are still weighed, the best first
            ("totals", "i8", (MOVES,)),  # worth by move, over the same determinizations
            ("by_chance", "i8"),  # whether any of the imagined players plays by chance
            ("half_tricks", "i8"),  # played in all playouts so far; the trick of a decision counts as half played
        ]
    )


def rollout_of(player: Seated, players: Mapping[str, Player]) -> Seated:
    """Return the player that plays the playouts of a searching one."""
    names = list(player.player.options["rollout"].values)
    return seated(names[player.options[ROLLOUT]], players, "rollout")


def furnish(mind: np.void, models: Sequence[Seated], numbers: Mapping[str, int]) -> None:
    """Seat the players of the playouts in a mind, one a seat; a View tells them by their `numbers`."""
    mind["by_chance"] = any(model.player.by_chance for model in models)
    for views in mind["seats"]["views"]:
        for seat, model in enumerate(models):
            view = views[seat]
            view["seat"], view["looks"], view["player"] = seat, 1, numbers[model.name]
            view["options"] = 0
            view["options"][: len(model.options)] = model.options


@compiled
def own_stream(word):
    """Return the stream of a decision: all determinizations come from the seat's own word."""
    return mix64(word), GOLDEN


@called
def think(rules, table, view, word):
    """Make ready for a decision, and draw a first determinization, in which the own seat knows what it really knows.

    Returns
    -------
    int
        0 where nothing consistent could be drawn: then the seat can't search.
    """
    mind = view.mind
    copy_record(mind.tables[0], table)
    if not sees(view) and not prepare(rules, table, view, mind.hands):
        return 0
    make_deal(rules, table, view, own_stream(word), U64(0))
    return 1


@compiled
def make_deal(rules, table, view, stream, number):
    """Make deal `number` of a decision: one that agrees with what the seat knows, or the true one if it sees all."""
    mind = view.mind
    if sees(view):
        recall(rules, table, view, mind.hands, mind.secrets[0], mind.seats[0], stream, number)
    else:
        imagine(rules, table, view, mind.hands, mind.secrets[0], mind.seats[0], stream, number)


@compiled
def is_certain(view):
    """Tell whether all playouts of a move would be the same."""
    return sees(view) and not view.mind.by_chance


@called
def best_move(rules, table, view, trick, count, word):
    """Return which of the first `count` of ``view.mind.moves`` does best: its place (int64).

    Parameters
    ----------
    trick
        What `open_trick` and `take_turn` return, as the seat finds it.
    word : uint64
        The one that was given to `think`.
    """
    mind, stream = view.mind, own_stream(word)
    alive = min(count, max(view.options[PLAYOUTS], 1))
    for place in range(alive):
        mind.order[U64(place)] = place
        mind.totals[U64(place)] = 0
    mind.totals[0] = 0 if is_certain(view) else FAVOUR
    left, number = view.options[PLAYOUTS], U64(0)
    while alive > 1:
        for _ in range(rounds_of(view, left, alive)):
            make_deal(rules, table, view, stream, number)
            for place in range(alive):
                move = U64(mind.order[U64(place)])
                mind.totals[move] += playout(rules, view, trick, mind.moves[move], (mix64(stream[0] + number), GOLDEN))
            left -= alive
            number += U64(1)
        alive = keep_better_half(mind, alive)
        alive = 1 if is_certain(view) else alive
    return mind.order[0]


@compiled
def rounds_of(view, left, alive):
    """Return on how many determinizations all moves are played before the worse half is dropped."""
    return 1 if is_certain(view) else max(1, left // (alive * halvings(alive)))


@compiled
def halvings(moves):
    """Return how often `moves` moves can be halved until one is left."""
    steps = 0
    while moves > 1:
        moves = (moves + 1) >> 1
        steps += 1
    return steps


@called
def playout(rules, view, trick, move, stream):
    """Return what a move is worth in the determinized game at hand."""
    mind = view.mind
    copy_record(mind.tables[1], mind.tables[0])
    copy_record(mind.secrets[1], mind.secrets[0])
    copy_record(mind.seats[1], mind.seats[0])
    mind.half_tricks += 2 * (rules.tricks - mind.tables[1].trick) - 1
    carry_on(rules, mind.tables[1], mind.secrets[1], mind.seats[1], view.seat, trick, move, stream)
    return worth(rules, mind.tables[1], view.seat, view.options[AIM])


@compiled
def keep_better_half(mind, alive):
    """Put the moves that are weighed in order, equal ones as they were, and return how many stay."""
    for place in range(1, alive):
        move, slot = mind.order[U64(place)], place
        while slot > 0 and mind.totals[U64(mind.order[U64(slot - 1)])] < mind.totals[U64(move)]:
            mind.order[U64(slot)] = mind.order[U64(slot - 1)]
            slot -= 1
        mind.order[U64(slot)] = move
    return (alive + 1) >> 1


@compiled
def worth(rules, table, seat, aim):
    """Return what a scored round is worth to a seat: its share of the win if the game is over, else its lead."""
    if aim == POINTS:
        return points_ahead(rules, table, seat)
    lead = soft_lead(rules, table, seat)
    return win_share(rules, table, seat) + lead // HINT if table.over else lead


@compiled
def points_ahead(rules, table, seat):
    """Return how far a seat is ahead of the other seats on average; a lead of `swing` counts WIN."""
    ahead = I64(0)
    for other in range(rules.players):
        ahead += table.scores[U64(seat)] - table.scores[U64(other)]
    return WIN * ahead // (swing(rules, table) * (rules.players - 1))


@compiled
def soft_lead(rules, table, seat):
    """Return a seat's lead on a scale from -WIN to WIN, against each other seat and on average.

    The more is still to come, the less a point counts: a lead of `swing` is half way to the end of the scale.
    """
    total, half = I64(0), swing(rules, table)
    for other in range(rules.players):
        ahead = table.scores[U64(seat)] - table.scores[U64(other)]
        total += WIN * ahead // (abs(ahead) + half)
    return total // (rules.players - 1)


@compiled
def win_share(rules, table, seat):
    """Return a seat's share of the win, times WIN."""
    best, winners = winning_score(rules, table), 0
    for other in range(rules.players):
        winners += table.scores[U64(other)] == best
    return WIN // winners if table.scores[U64(seat)] == best else I64(0)

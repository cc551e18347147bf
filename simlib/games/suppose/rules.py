"""Suppose for kernels (rule file: suppose; readings S1-S4).

Scores count in whole 1/`unit` points. A seat plays by position: the hand it holds was laid out by
its right neighbour, the *maker*, and its own cards are known to it only where ``hand.visible`` shows them.
"""

from collections.abc import Sequence

import numpy as np

from simlib import cards
from simlib.dealing import copy_all, deal, dealing_plans
from simlib.games.suppose.parameters import LETTERS, MOST_CARDS, SupposeParameters
from simlib.games.suppose.weights import WEIGHTS
from simlib.hooks import OPTIONS, choice, compiled, reveal
from simlib.players.weights import CHALLENGER, CHAMPION, shipped, weights_dtype
from simlib.state import Column, highest_score, whole_game_columns, whole_game_width, write_whole_game
from simlib.streams import (
    I64,
    PLAN,
    STEP_SEATS,
    U64,
    fill_words,
    lowest_bit,
    popcount,
    step_words,
)

SEATS = 4
POSITIONS = MOST_CARDS // 3 + 3  # 85 with three seats, and a round number of bytes
COLOURS = len(LETTERS)
CODES = COLOURS * cards.RANKS
UNKNOWN = cards.NO_CARD
NO_GUESS = -1
BID, PLAY = 1, 2  # steps of a round after the first, arranging; each trick is one more
WORD = 64
COLOUR_SHIFT = 5  # a card's colour is card >> COLOUR_SHIFT, see `cards`
WORTH = 1024  # what `rules.worth` counts in
PACES = 32  # how fast a seat may win tricks: a quarter is a fair share
LEAD_HOLDS = 865  # in 1000: to the power of the other seats, the share of its leads that a greedy seat wins

RULES = np.dtype(
    [
        ("players", "i8"),
        ("rounds", "i8"),
        ("tricks", "i8"),
        ("colours", "i8"),
        ("ranks", "i8"),
        ("deck_size", "i8"),
        ("single", "i8"),
        ("double", "i8"),
        ("trick", "i8"),
        ("min_guesses", "i8"),
        ("held", "i8"),  # seat whose hand is the same for `completions` games in a row, or -1
        ("completions", "i8"),
        ("plans", PLAN, (2,)),  # for shuffling a whole deck, and one around a held hand
        ("cards", "u2", (MOST_CARDS,)),  # by place in the sorted deck
        ("marks", "i8"),  # words that mark places in the sorted deck
        ("colour_marks", "u8", (COLOURS, MOST_CARDS // WORD)),  # the places of each colour
        ("visible", "u1", (POSITIONS,)),
        ("positions", "u1", (POSITIONS,)),  # 0, 1, ..
        ("copies", "u2", (CODES,)),
        ("worth", "i8", (CODES,)),
        ("strength", "i8", (CODES,)),
        ("steered", "i2", (2, POSITIONS, POSITIONS)),  # see `_rate_steering`: chance, times WORTH, of a right bid
        ("weights", weights_dtype(WEIGHTS), (2,)),  # what `trained` decides by: the champion's, and a challenger's
        ("paced", "i2", (2, PACES, 2, POSITIONS, POSITIONS)),  # likewise, see `weigh`
    ]
)
GIVEN = ("players", "marks")  # what a kernel for many games is compiled for, see `simlib.given`
TABLE = np.dtype(
    [
        ("round", "i8"),
        ("start", "i8"),
        ("leader", "i8"),
        ("trick", "i8"),  # number of the present trick in the round
        ("looking", "i8"),  # whether any seat reads what its View knows of cards
        ("over", "i8"),
        ("scores", "i8", (SEATS,)),
        ("tricks_won", "i8", (SEATS,)),
        ("unplayed", "u1", (SEATS, POSITIONS)),  # each seat's positions: the first `tricks - trick` of its row
        ("positions", "u1", (POSITIONS, SEATS)),  # of the cards played, by trick and place
        ("winners", "u1", (POSITIONS,)),
        ("won_from_place", "i8", (SEATS,)),
    ]
)
SECRET = np.dtype(
    [
        ("deck", "u1", (MOST_CARDS,)),  # places in the sorted deck
        ("layouts", "u2", (SEATS, POSITIONS)),  # by holder
        ("guesses", "i8", (SEATS, 2)),  # by maker
        ("rank_sums", "i8", (SEATS,)),  # of the ranks dealt to each seat
        ("held_stream", "u8", (2,)),
        ("marks", "u8", (SEATS, MOST_CARDS // WORD)),  # by maker: places in the sorted deck of its dealt cards
        ("firsts", "u8", (SEATS, COLOURS)),  # by maker: how many of them come before each colour
        ("turn", "u8", (COLOURS,)),  # scratch of `lay_out`
        ("words", "u8", ((PLAY + POSITIONS) * STEP_SEATS,)),  # of this round's decisions, by step and seat
    ]
)
VIEW = np.dtype(
    [
        ("player", "i8"),
        ("options", "i8", (OPTIONS,)),
        ("looks", "i8"),
        ("seat", "i8"),
        ("dealt", "u2", (POSITIONS,)),  # the cards that this seat arranges for its left neighbour, rising
        ("colours", "u8"),  # set of their colours
        ("ends", "i8", (COLOURS,)),  # where each colour's slice of `dealt` ends
        ("order", "u1", (COLOURS,)),  # answer to `arrange`: the groups from left to right
        ("guesses", "i8", (2,)),  # answer to `bid`: rising counts, NO_GUESS where there is none
        ("known", "i2", (SEATS, POSITIONS)),  # every hand as this seat sees it, played cards included
        ("shown", "u8"),  # set of the colours known in the hand that it holds
        ("unseen", "u2", (CODES,)),  # copies of each card that it hasn't seen
        ("unseen_to", "i4", (CODES,)),  # the same, summed over the card and all lower ones of its colour
        ("worth_to", "i4", (CODES,)),  # ... and summed with each card's `rules.worth`
    ]
)
SEATED = np.dtype([("views", VIEW, (SEATS,))])

ROUND_COLUMNS = {  # one for each seat; `write_round` fills them in this order
    "tricks": "tricks won by seat {seat}",
    "guesses": "guesses in seat {seat}'s bid: 0, 1 or 2",
    "low": "the lower guess of seat {seat}'s bid (the only one, where there is one), -1 without any",
    "high": "the higher guess of seat {seat}'s bid, -1 without a second one",
    "hit": "1 if seat {seat}'s bid was right",
    "ranks": "sum of the ranks of the cards dealt to seat {seat}, which its left neighbour plays",
}


@choice
def arrange(rules, table, view, word):
    """Put the colours of ``view.dealt`` into ``view.order``, leftmost group first."""


@choice
def bid(rules, table, view, word):
    """Put one or two counts of tricks, rising, into ``view.guesses``; NO_GUESS fills the rest."""


@choice
def play(rules, table, view, trick, word):
    """Return which of this seat's unplayed positions to play: an index into ``table.unplayed[seat]``."""


def rules_array(parameters: SupposeParameters, held: int = -1, completions: int = 1) -> np.ndarray:
    """Return the variant as kernels read it.

    Parameters
    ----------
    held : int
        Seat that keeps its dealt hand for `completions` games in a row while the other cards are dealt anew;
        -1 where each game is dealt whole.

    Returns
    -------
    (1,) RULES
    """
    array = np.zeros(1, RULES)
    rules = array[0]
    deck = cards.deck(parameters.deck.copies)
    size = parameters.hand.size
    for name in ("players", "rounds"):
        rules[name] = getattr(parameters, name)
    rules["tricks"], rules["deck_size"] = size, len(deck)
    rules["colours"], rules["ranks"] = parameters.deck.colours, parameters.deck.ranks
    for name, points in (
        ("single", parameters.bid.single),
        ("double", parameters.bid.double),
        ("trick", parameters.score.trick),
    ):
        rules[name] = int(points * parameters.unit)
    rules["min_guesses"] = parameters.bid.min_guesses
    rules["held"], rules["completions"] = held, completions
    rules["plans"] = dealing_plans(len(deck), parameters.players * size, size)
    rules["cards"][: len(deck)] = deck
    rules["marks"] = -(-len(deck) // WORD)
    for place, code in enumerate(deck):
        rules["colour_marks"][code >> COLOUR_SHIFT, place // WORD] |= U64(1) << U64(place % WORD)
    rules["positions"] = np.arange(POSITIONS)
    rules["visible"][np.array(parameters.hand.visible, int) - 1] = 1
    for code in deck:
        rules["copies"][code] += 1
    _rate_cards(rules, deck, parameters.players)
    _rate_steering(rules, size, parameters.players)
    for row in (CHAMPION, CHALLENGER):
        weigh(rules, row, shipped("suppose", WEIGHTS))
    return array


def weigh(rules: np.void, row: int, weights: Sequence[int]) -> None:
    """Set what `trained` decides by, as champion or as challenger, and rate its steering.

    As `_rate_steering`, for each pace: number PACES // 4 is a seat that wins a fair share of the tricks.
    """
    rules["weights"][row] = tuple(weights)
    given = rules["weights"][row]
    tricks, players, pace = int(rules["tricks"]), int(rules["players"]), np.arange(PACES)
    lead = WORTH * int(given["lead_holds"]) ** (players - 1) // 1000 ** (players - 1)
    follow = (WORTH - lead) // (players - 1)
    rates = np.minimum(np.array([[follow], [lead]]) * (4 * pace) // PACES, np.array([[WORTH // 2], [WORTH * 31 // 32]]))
    tilts = [int(given[name]) * WORTH // 1000 for name in ("tilt", "lead_tilt")]
    chances = rules["paced"][row]  # by pace, whether the seat leads, tricks to come, tricks needed
    chances[:, :, 0, 0] = WORTH
    for after in range(1, tricks + 1):
        lose, win = np.zeros((2, PACES, after + 1), np.int64)
        lose[:, :-1], win[:, 1:] = chances[:, 0, after - 1, :after], chances[:, 1, after - 1, :after]
        for leads in range(2):
            lean = np.where(win > lose, tilts[leads], -tilts[leads])
            rate = np.clip(rates[leads][:, None] + lean, 0, WORTH)
            chances[:, leads, after, : after + 1] = (win * rate + lose * (WORTH - rate)) // WORTH


def _rate_cards(rules: np.void, deck: list[int], players: int) -> None:
    """Fill in what players may use of a card: its chance to hold a lead against random cards, and its strength.

    The strength is the fourth power of the card's place in its colour (0 lowest, 1 highest), above the deck's mean.
    """
    powers = {}
    for code in set(deck):
        mates = [other for other in deck if other // cards.RANKS == code // cards.RANKS]
        higher = sum(other > code for other in mates)
        middle = 2 * (len(mates) - higher) - sum(other == code for other in mates)
        rules["worth"][code] = WORTH * (len(deck) - higher) ** (players - 1) // len(deck) ** (players - 1)
        powers[code] = WORTH * middle**4 // (2 * len(mates)) ** 4
    mean = sum(powers[code] for code in deck) // len(deck)
    for code, power in powers.items():
        rules["strength"][code] = power - mean


def _rate_steering(rules: np.void, tricks: int, players: int) -> None:
    """Fill in `steered`: a seat wins LEAD_HOLDS of its leads, an even share of other tricks; tilts lean to the need."""
    lead = WORTH * LEAD_HOLDS ** (players - 1) // 1000 ** (players - 1)
    rates = ((WORTH - lead) // (players - 1), WORTH // 25), (lead, 2 * WORTH // 25)
    chances = [[[WORTH]], [[WORTH]]]  # by whether the seat leads, by tricks to come, by tricks needed
    for _ in range(tricks):
        lose, win = [*chances[0][-1], 0], [0, *chances[1][-1]]
        for chance, (rate, tilt) in zip(chances, rates, strict=True):
            leans = [rate + (tilt if up > down else -tilt) for up, down in zip(win, lose, strict=True)]
            chance.append(
                [(up * p + down * (WORTH - p)) // WORTH for up, down, p in zip(win, lose, leans, strict=True)]
            )
    for leads in range(2):
        for to_come, row in enumerate(chances[leads]):
            rules["steered"][leads, to_come, : len(row)] = row


def columns(parameters: SupposeParameters) -> list[Column]:
    """Return the per-game row's columns in order (`write_round` and `close_game` fill them)."""
    by_round = []
    for number in range(parameters.rounds or 0):
        by_round.append(Column(f"start_{number}", f"round {number}: the seat that led the first trick"))
        for name, sentence in ROUND_COLUMNS.items():
            by_round += [
                Column(f"{name}_{number}_{seat}", f"round {number}: {sentence.format(seat=seat)}")
                for seat in range(parameters.players)
            ]
    return whole_game_columns(parameters.players, parameters.unit) + by_round


@compiled
def open_game(rules, table, secret, seats):
    """Set scores and counters to zero."""
    table.round = 0
    table.over = 0
    for seat in range(rules.players):
        table.scores[seat] = 0
        table.won_from_place[seat] = 0


@compiled
def open_round(rules, table, secret, seats, stream):
    """Deal, let all seats arrange and bid, and move the hands (round, steps 1 to 3)."""
    table.start = next_seat(rules, table.start) if table.round else 0
    table.trick = 0
    deal(rules, table, secret, stream)
    arrange_all(rules, table, secret, seats, stream)
    hand_over(rules, table, secret, seats)


@compiled
def arrange_all(rules, table, secret, seats, stream):
    """Let all seats take up what they were dealt and put its colours in order."""
    draw_words(rules, table, secret, stream)
    for seat in range(SEATS):
        copy_all(table.unplayed[seat], rules.positions)
    # step by step for all makers, not maker by maker: their chains of dependent instructions then overlap
    for maker in range(rules.players):
        take_up(rules, secret, seats.views[U64(maker)], U64(maker))
    for maker in range(rules.players):
        reveal(rules, secret, seats, seats.views[U64(maker)])
        arrange(rules, table, seats.views[U64(maker)], secret.words[U64(maker)])


@compiled
def hand_over(rules, table, secret, seats):
    """Lay all hands out before their holders, and let their makers bid and all seats look."""
    for maker in range(rules.players):
        lay_out(rules, secret, seats.views[U64(maker)], U64(maker))
    for maker in range(rules.players):
        view = seats.views[U64(maker)]
        reveal(rules, secret, seats, view)
        bid(rules, table, view, secret.words[U64(BID * STEP_SEATS + maker)])
        secret.guesses[U64(maker), U64(0)] = view.guesses[0]
        secret.guesses[U64(maker), U64(1)] = view.guesses[1]
        table.tricks_won[U64(maker)] = 0
    if table.looking:
        for seat in range(rules.players):
            if seats.views[seat].looks:
                look(rules, secret, seats.views[seat])
    table.leader = table.start


@compiled
def draw_words(rules, table, secret, stream):
    """Draw the words of a round's decisions, all at once: a processor makes several in the time of one."""
    fill_words(secret.words, (PLAY + rules.tricks) * STEP_SEATS, stream, U64(step_words(table.round, 0)))


@compiled
def next_seat(rules, seat):
    """Return the left neighbour of a seat."""
    return seat + 1 if seat + 1 < rules.players else 0


@compiled
def take_up(rules, secret, view, maker):
    """Mark the cards dealt to a maker by their places in the sorted deck, and tell it their colours."""
    marks, start = secret.marks[maker], maker * U64(rules.tricks)
    if rules.marks == 1:  # one word, kept in a register
        mark = U64(0)
        for step in range(rules.tricks):
            mark |= U64(1) << U64(secret.deck[start + U64(step)])
        marks[0] = mark
    else:
        for number in range(rules.marks):
            marks[number] = U64(0)
        for step in range(rules.tricks):
            place = secret.deck[start + U64(step)]
            marks[place // WORD] |= U64(1) << U64(place % WORD)
    count, before = 0, 0
    colours = U64(0)
    for colour in range(rules.colours):
        for number in range(rules.marks):
            count += popcount(marks[U64(number)] & rules.colour_marks[U64(colour), U64(number)])
        secret.firsts[maker, U64(colour)] = before
        view.ends[U64(colour)] = count
        colours |= U64(count > before) << U64(colour)
        before = count
    view.colours = colours
    if view.looks:
        show_dealt(rules, secret.marks[maker], view)


@compiled
def show_dealt(rules, marks, view):
    """Show a maker the cards dealt to it, in rising order of colour and rank."""
    count = U64(0)
    for number in range(rules.marks):
        mark = marks[U64(number)]
        while mark:
            view.dealt[count] = rules.cards[U64(WORD * number) + lowest_bit(mark)]
            mark &= mark - U64(1)
            count += U64(1)


@compiled
def lay_out(rules, secret, view, maker):
    """Lay a maker's cards out for its left neighbour: groups in its order, ranks falling in each (round, step 2a)."""
    # Card number i of the rising cards goes to place (first + last of its group) - i, moved by the groups before it.
    turn, laid = secret.turn, U64(0)
    for number in range(popcount(view.colours)):
        colour = U64(view.order[U64(number)])
        end = U64(view.ends[colour])
        turn[colour] = laid + end - U64(1)
        laid += end - secret.firsts[maker, colour]
    layout, ranks, count = secret.layouts[U64(next_seat(rules, I64(maker)))], rules.tricks, U64(0)
    for number in range(rules.marks):
        mark = secret.marks[maker, U64(number)]
        while mark:
            card = rules.cards[U64(WORD * number) + lowest_bit(mark)]
            mark &= mark - U64(1)
            layout[turn[U64(card >> COLOUR_SHIFT)] - count] = card
            ranks += I64(card) & (cards.RANKS - 1)
            count += U64(1)
    secret.rank_sums[maker] = ranks


@compiled
def look(rules, secret, view):
    """Fill in what a seat knows of cards when the hands have moved (round, step 3)."""
    me = view.seat
    left = next_seat(rules, me)
    view.shown = U64(0)
    copy_all(view.unseen, rules.copies)
    for owner in range(rules.players):
        for position in range(rules.tricks):
            view.known[U64(owner), U64(position)] = UNKNOWN
            if owner == left or (rules.visible[U64(position)] == 1) == (owner == me):
                card = secret.layouts[U64(owner), U64(position)]
                learn(view, owner, position, card)
    sum_unseen(rules, view)


@compiled
def learn(view, owner, position, card):
    """Note a card that a seat sees."""
    view.known[U64(owner), U64(position)] = card
    view.unseen[U64(card)] -= 1
    if owner == view.seat:
        view.shown |= U64(1) << U64(card >> COLOUR_SHIFT)


@compiled
def sum_unseen(rules, view):
    """Sum what a seat hasn't seen by colour, from the lowest rank up."""
    for colour in range(rules.colours):
        copies = worth = 0
        for rank in range(rules.ranks):
            code = U64(cards.RANKS * colour + rank)
            copies += view.unseen[code]
            worth += view.unseen[code] * rules.worth[code]
            view.unseen_to[code] = copies
            view.worth_to[code] = worth


@compiled
def open_trick(rules, table):
    """Return the best card so far, the seat that played it, where its words begin, and each seat's unplayed cards."""
    return 0, 0, (PLAY + table.trick) * STEP_SEATS, rules.tricks - table.trick


@compiled
def take_turn(rules, table, secret, seats, trick, seat, place, stream):
    """Let a seat play any of its cards (round, step 4)."""
    word, view = secret.words[U64(trick[2] + seat)], seats.views[U64(seat)]
    reveal(rules, secret, seats, view)
    pick = play(rules, table, view, trick, word)
    return lay_card(rules, table, secret, seats, trick, seat, place, pick)


@compiled
def lay_card(rules, table, secret, seats, trick, seat, place, pick):
    """Lay the card at a seat's unplayed position number `pick`, and return the trick with it."""
    best, best_seat, words, unplayed = trick
    position = U64(strike_off(table, U64(seat), pick, unplayed))
    card = np.int64(secret.layouts[U64(seat), position])
    table.positions[U64(table.trick), U64(place)] = position
    if table.looking:
        show(rules, seats, seat, position, card)
    wins = (place == 0) | ((best ^ card < cards.RANKS) & (card > best))
    return card if wins else best, seat if wins else best_seat, words, unplayed


@compiled
def strike_off(table, seat, pick, unplayed):
    """Return the picked position of a seat and take it off its list: the last one moves to its place."""
    row, last = table.unplayed[seat], U64(unplayed - 1)
    position = row[U64(pick)]
    row[U64(pick)] = row[last]
    return position


@compiled
def show(rules, seats, owner, position, card):
    """Let every seat that looks see a played card."""
    for seat in range(rules.players):
        view = seats.views[U64(seat)]
        if view.looks and view.known[U64(owner), U64(position)] == UNKNOWN:
            learn(view, owner, position, card)
            end = ((card >> COLOUR_SHIFT) << COLOUR_SHIFT) + rules.ranks
            for code in range(card, end):
                view.unseen_to[U64(code)] -= 1
                view.worth_to[U64(code)] -= rules.worth[U64(card)]


@compiled
def close_trick(rules, table, secret, seats, trick, stream):
    """Let the winner lead the next trick."""
    winner = trick[1]
    place = winner - table.leader
    place += rules.players * (place < 0)  # without a branch, which no processor could foretell
    table.winners[U64(table.trick)] = winner
    table.leader = winner
    table.tricks_won[U64(winner)] += 1
    table.won_from_place[U64(place)] += 1


@compiled
def score_round(rules, table, secret):
    """Score the round (step 5; reading S3)."""
    for seat in range(rules.players):
        bonus = bid_bonus(rules, table, secret, U64(seat))
        table.scores[U64(seat)] += rules.trick * table.tricks_won[U64(seat)] + bonus
    table.round += 1
    table.over = table.round == rules.rounds


@compiled
def bid_bonus(rules, table, secret, seat):
    """Return what a seat's bid pays, 0 if it wasn't right; `seat` is uint64."""
    low, high = secret.guesses[seat, U64(0)], secret.guesses[seat, U64(1)]
    won = table.tricks_won[U64(next_seat(rules, I64(seat)))]
    hit = (won == low) | (won == high)
    return (rules.single if high == NO_GUESS else rules.double) * hit


@compiled
def write_round(rules, table, secret, row):
    """Write the columns of the round that was scored."""
    players = rules.players
    first = whole_game_width(players) + (table.round - 1) * (1 + 6 * players)
    row[U64(first)] = table.start
    for seat in range(players):
        low, high = secret.guesses[U64(seat), U64(0)], secret.guesses[U64(seat), U64(1)]
        won = table.tricks_won[U64(next_seat(rules, seat))]
        column = U64(first + 1 + seat)
        row[column] = table.tricks_won[U64(seat)]
        row[column + U64(players)] = (low != NO_GUESS) + (high != NO_GUESS)
        row[column + U64(2 * players)] = low
        row[column + U64(3 * players)] = high
        row[column + U64(4 * players)] = (won == low) | (won == high)
        row[column + U64(5 * players)] = secret.rank_sums[U64(seat)]


@compiled
def winning_score(rules, table):
    """Return the highest score."""
    return highest_score(rules.players, table)


@compiled
def swing(rules, table):
    """Return by how much two seats part in the rounds to come: by about two tricks and half a bonus in the first."""
    return max((2 * rules.trick + rules.single // 2) * (1 + rules.rounds - table.round) // 2, 1)


@compiled
def close_game(rules, table, row):
    """Fill the shared columns."""
    # any unplayed card may be played: the choices of one seat in a round add up to 1 + 2 + .. + tricks
    plays, choices = rules.rounds * rules.tricks, rules.rounds * (rules.tricks * (rules.tricks + 1) // 2)
    write_whole_game(
        rules.players, table, row, plays, choices, plays * (rules.players - 1), choices * (rules.players - 1)
    )

"""Take-Trick for kernels (rule file: take_trick; readings T1-T11).

Bamboo is counted, not kept card by card: an extra card counts as the colour of the card that it lies under, and
what it was is known to nobody. `secret` remembers it for records alone.
"""

from collections.abc import Sequence

import numpy as np

from simlib import cards
from simlib.dealing import copy_all, deal, dealing_plans
from simlib.games.take_trick.parameters import LETTERS, MOST_CARDS, TakeTrickParameters
from simlib.games.take_trick.weights import WEIGHTS
from simlib.hooks import OPTIONS, called, choice, compiled, reveal
from simlib.players.weights import CHALLENGER, CHAMPION, shipped, weights_dtype
from simlib.state import Column, whole_game_columns, whole_game_width, write_whole_game
from simlib.streams import GAME_WORDS, I64, PLAN, U64, below, decision_word, lowest_bit, popcount, word_at

SEATS = 6
TRICKS = MOST_CARDS // 3 + 1  # 85 with three seats, and an even number
COLOURS = len(LETTERS)
CODES = COLOURS * cards.RANKS
COLOUR_SHIFT = 5  # a card's colour is card >> COLOUR_SHIFT, see `cards`
RANK_MASK = cards.RANKS - 1
NO_CARD = cards.NO_CARD
SHINING = -2  # a shining bamboo card (reading T6)
TRUMPED = cards.RANKS  # strength of a trump in a trick: above that of every rank
LEFT, RIGHT = 0, 1  # whom a card goes to
PASS, PLAY, OFFER, ANSWER = (
    0,
    1,
    2,
    3,
)  # steps of a round, those of a trick anew with each; a gift to the right: ANSWER + 1
TRICK_STEPS = 4
GREEDY = 2  # the row of ``rules.weights`` behind those of `trained`

RULES = np.dtype(
    [
        ("players", "i8"),
        ("rounds", "i8"),
        ("tricks", "i8"),
        ("colours", "i8"),
        ("ranks", "i8"),
        ("deck_size", "i8"),
        ("colours_max", "i8"),
        ("gift_points", "i8"),
        ("gift_penalty", "i8"),
        ("giver_pays", "i8"),  # whether a refused gift costs the giver (reading T2)
        ("forfeits", "i8"),  # whether a trump of a forbidden colour takes no extra card (reading T3)
        ("target", "i8"),
        ("trumps", "i8"),  # number of trump markers
        ("held", "i8"),  # seat whose dealt hand is the same for `completions` games in a row, or -1
        ("completions", "i8"),
        ("plans", PLAN, (2,)),  # for shuffling a whole deck, and one around a held hand
        ("cards", "u2", (MOST_CARDS,)),  # by place in the sorted deck
        ("trump_ranks", "u1", (cards.RANKS,)),  # counted from 0, as in cards
        ("copies", "u2", (CODES,)),
        ("weights", weights_dtype(WEIGHTS), (3,)),  # what players decide by: the champion's, a challenger's, greedy's
    ]
)
GIFT = np.dtype(
    [
        ("trick", "i8"),
        ("giver", "i8"),
        ("receiver", "i8"),
        ("accepted", "i8"),
        ("scores", "i8", (SEATS,)),  # after it
    ]
)
GIVEN = ("players",)  # what a kernel for many games is compiled for, see `simlib.given`
TABLE = np.dtype(
    [
        ("round", "i8"),
        ("trump", "i8"),  # the trump rank, counted from 0
        ("start", "i8"),  # the round's leader
        ("leader", "i8"),
        ("trick", "i8"),  # number of the present trick in the round
        ("step", "i8"),  # PASS, PLAY, or OFFER while a full trick is settled
        ("led", "i8"),  # while a trick is settled: who led it, `leader` being its winner,
        ("ones", "i8"),  # the set of places whose 1s are still to be settled,
        ("kept", "i8"),  # and the set of places whose cards aren't discarded in the end
        ("looking", "i8"),  # whether any seat reads `unseen`
        ("over", "i8"),
        ("ended_by_gift", "i8"),
        ("scores", "i8", (SEATS,)),
        ("points", "i8", (SEATS,)),  # of the round that closed last
        ("first", "i2", (SEATS,)),  # first bamboos, SHINING where the stock ran out
        ("bamboo", "i8", (SEATS, COLOURS)),  # cards that count as a colour, first bamboo included
        ("colours", "u8", (SEATS,)),  # set of the colours held
        ("discards", "i8"),  # cards on the pile
        ("cards", "u2", (TRICKS, SEATS)),  # played, by trick and place
        ("winners", "u1", (TRICKS,)),
        ("gifts", GIFT, (MOST_CARDS,)),  # of this round, in order
        ("gift_count", "i8"),
        ("unseen", "i8", (CODES,)),  # copies of each card that have not been face up in this round
        ("unseen_cards", "i8"),
        ("won_from_place", "i8", (SEATS,)),  # from here on: counts over the whole game, for the row
        ("plays", "i8"),
        ("choices", "i8"),
        ("offered", "i8"),
        ("accepted", "i8"),
        ("forced", "i8"),
        ("declined", "i8"),
        ("loser_ones", "i8"),
        ("trump_wins", "i8"),
        ("extras", "i8"),
        ("extras_missing", "i8"),
        ("extras_forfeited", "i8"),
        ("gift_gains", "i8", (SEATS,)),
        ("gift_losses", "i8", (SEATS,)),
    ]
)
SECRET = np.dtype(
    [
        ("deck", "u1", (MOST_CARDS,)),  # places in the sorted deck
        ("held_stream", "u8", (2,)),
        ("gives", "u1", (SEATS, 2)),  # dealt cards, counted from 0, passed to the left and to the right
        ("first_extra", "i2", (SEATS,)),
        ("extra", "i2", (TRICKS,)),  # each trick's extra card
        ("pile", "u2", (MOST_CARDS + SEATS,)),  # the discards, the last one on top
    ]
)
VIEW = np.dtype(
    [
        ("player", "i8"),
        ("options", "i8", (OPTIONS,)),
        ("looks", "i8"),
        ("seat", "i8"),
        ("gives", "u1", (2,)),  # answer to `pass_cards`: indices into `hand`
        ("hand", "u2", (TRICKS + 1,)),  # the first `tricks - trick` are left
        ("passed", "i2", (2,)),  # cards passed to the left and to the right; NO_CARD before, and where none is passed
        ("gains", "i8", (COLOURS, 2)),  # scratch of players: what capturing one or two cards of a colour is worth
    ]
)
SEATED = np.dtype([("views", VIEW, (SEATS,))])

GAME_COLUMNS = {  # `close_game` fills them in this order
    "trump": "the trump rank",
    "rounds": "rounds played, one that a gift ended included",
    "ended_by_gift": "1 if an accepted gift took a seat to the target and ended the game",
    "gifts_offered": "gifts offered",
    "gifts_accepted": "gifts accepted",
    "gifts_forced": "gifts refused because the receiver might not hold the colour",
    "gifts_refused": "gifts refused by choice",
    "loser_ones": "1s of the leader's colour captured by seats that didn't win the trick, whether kept or given away",
    "trump_wins": "tricks won by a trump",
    "extras_taken": "extra cards taken by winning trumps, those given away included",
    "extras_missing": "extra cards that there were none to take for",
    "extras_forfeited": "extra cards not taken because the trump's colour was forbidden (gift.extra = forfeit)",
}
GAME_SEAT_COLUMNS = {
    "gift_points": "points that seat {seat} got for gifts",
    "penalties": "points that seat {seat} lost for refused gifts",
}


@choice
def pass_cards(rules, table, view, word):
    """Put two indices into ``view.hand`` into ``view.gives``: for the left and for the right neighbour."""


@choice
def play(rules, table, view, trick, word):
    """Return the index into ``view.hand`` of the card to play."""


@choice
def offer(rules, table, view, card, count, word):
    """Return whom to offer a captured card and its extra (`count` cards in all): LEFT or RIGHT."""


@choice
def answer(rules, table, view, giver, card, count, word):
    """Return 1 to accept a gift that may be accepted, 0 to refuse it."""


def rules_array(parameters: TakeTrickParameters, held: int = -1, completions: int = 1) -> np.ndarray:
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
    deck, size, gift = cards.deck(parameters.deck.copies), parameters.tricks, parameters.gift
    rules["players"], rules["rounds"] = parameters.players, parameters.rounds.max
    rules["tricks"], rules["deck_size"] = size, len(deck)
    rules["colours"], rules["ranks"] = parameters.deck.colours, parameters.deck.ranks
    rules["colours_max"] = parameters.colours.max
    rules["gift_points"], rules["gift_penalty"] = gift.points, gift.penalty
    rules["giver_pays"], rules["forfeits"] = gift.penalty_falls_on == "giver", gift.extra == "forfeit"
    rules["target"], rules["trumps"] = parameters.score.target, len(parameters.trump.ranks)
    rules["held"], rules["completions"] = held, completions
    dealt = min(parameters.players * (size + 2), len(deck))  # the hands and at most two first bamboos a seat
    rules["plans"] = dealing_plans(len(deck), dealt, size)
    rules["cards"][: len(deck)] = deck
    rules["trump_ranks"][: len(parameters.trump.ranks)] = np.array(parameters.trump.ranks) - 1
    for code in deck:
        rules["copies"][code] += 1
    for row in (CHAMPION, CHALLENGER):
        weigh(rules, row, shipped("take_trick", WEIGHTS))
    weigh(rules, GREEDY, [weight.start for weight in WEIGHTS])
    return array


def weigh(rules: np.void, row: int, weights: Sequence[int]) -> None:
    """Set what a player decides by: the champion, a challenger or greedy."""
    rules["weights"][row] = tuple(weights)


def columns(parameters: TakeTrickParameters) -> list[Column]:
    """Return the per-game row's columns in order (`write_round` and `close_game` fill them)."""
    seats, letters = range(parameters.players), LETTERS[: parameters.deck.colours]
    listed = whole_game_columns(parameters.players, 1)
    listed += [Column(name, sentence) for name, sentence in GAME_COLUMNS.items()]
    for name, sentence in GAME_SEAT_COLUMNS.items():
        listed += [Column(f"{name}_{seat}", sentence.format(seat=seat)) for seat in seats]
    for number in range(parameters.rounds.max):
        place, unplayed = f"round {number}", "0 if it wasn't played"
        listed.append(Column(f"start_{number}", f"{place}: the seat that led the first trick; {unplayed}"))
        listed += [
            Column(f"round_score_{number}_{s}", f"{place}: score of seat {s} at its end; {unplayed}") for s in seats
        ]
        listed += [
            Column(f"bamboo_{number}_{s}_{letter}", f"{place}: {letter} cards before seat {s} at its end; {unplayed}")
            for s in seats
            for letter in letters
        ]
    return listed


@compiled
def round_width(rules):
    """Return the number of columns of a round."""
    return 1 + rules.players * (1 + rules.colours)


@compiled
def game_width(rules):
    """Return the number of columns before those of the first round."""
    return whole_game_width(rules.players) + 12 + 2 * rules.players


@compiled
def open_game(rules, table, secret, seats):
    """Set scores and counts to zero."""
    table.round = 0
    table.over = 0
    table.ended_by_gift = 0
    table.plays = 0
    table.choices = 0
    table.offered = 0
    table.accepted = 0
    table.forced = 0
    table.declined = 0
    table.loser_ones = 0
    table.trump_wins = 0
    table.extras = 0
    table.extras_missing = 0
    table.extras_forfeited = 0
    for seat in range(rules.players):
        table.scores[U64(seat)] = 0
        table.won_from_place[U64(seat)] = 0
        table.gift_gains[U64(seat)] = 0
        table.gift_losses[U64(seat)] = 0


@compiled
def open_round(rules, table, secret, seats, stream):
    """Draw the trump of a new game, deal, lay the first bamboos and pass (round, steps 1-3)."""
    if table.round == 0:
        marker = below(word_at(stream, GAME_WORDS), U64(rules.trumps))
        table.trump = rules.trump_ranks[marker]
        table.leader = 0  # reading T9
    table.start = table.leader
    table.trick = 0
    table.discards = 0
    table.gift_count = 0
    deal(rules, table, secret, stream)
    for seat in range(rules.players):
        take_up(rules, secret, seats.views[U64(seat)], seat)
    if table.looking:
        copy_all(table.unseen, rules.copies)
        table.unseen_cards = rules.deck_size
    lay_first(rules, table, secret)
    table.step = PASS
    if rules.tricks > 1:
        pass_all(rules, table, secret, seats, stream)
    table.step = PLAY


@compiled
def next_seat(rules, seat):
    """Return the left neighbour of a seat."""
    return seat + 1 if seat + 1 < rules.players else 0


@compiled
def previous_seat(rules, seat):
    """Return the right neighbour of a seat."""
    return seat - 1 if seat > 0 else rules.players - 1


@compiled
def take_up(rules, secret, view, seat):
    """Give a seat the cards dealt to it, in the order of the deal."""
    start = U64(seat * rules.tricks)
    for number in range(rules.tricks):
        view.hand[U64(number)] = rules.cards[U64(secret.deck[start + U64(number)])]
    note_passed(view, NO_CARD, NO_CARD)


@compiled
def note_passed(view, left, right):
    """Let a seat that looks know which cards it passed."""
    if view.looks:
        view.passed[LEFT] = left
        view.passed[RIGHT] = right


@compiled
def lay_first(rules, table, secret):
    """Lay the first bamboos, then a card under each that is a trump (round, step 2; reading T6)."""
    stock = rules.players * rules.tricks
    seat = table.start
    for _ in range(rules.players):
        card = stock_card(rules, secret, stock)
        stock += 1
        table.first[U64(seat)] = card
        table.colours[U64(seat)] = 0
        for colour in range(rules.colours):
            table.bamboo[U64(seat), U64(colour)] = 0
        if card != SHINING:
            add_bamboo(table, seat, card, 1)
            see(table, card)
        seat = next_seat(rules, seat)
    for _ in range(rules.players):
        card = I64(table.first[U64(seat)])
        extra = NO_CARD
        if card != SHINING and card & RANK_MASK == table.trump:
            extra = stock_card(rules, secret, stock)
            stock += 1
            add_bamboo(table, seat, card, 1)
        secret.first_extra[U64(seat)] = extra
        seat = next_seat(rules, seat)


@compiled
def stock_card(rules, secret, place):
    """Return the card at a place of the dealt deck, SHINING behind its end."""
    return I64(rules.cards[U64(secret.deck[U64(place)])]) if place < rules.deck_size else SHINING


@compiled
def add_bamboo(table, seat, card, count):
    """Lay cards that count as this card's colour in front of a seat."""
    colour = U64(card >> COLOUR_SHIFT)
    table.bamboo[U64(seat), colour] += count
    table.colours[U64(seat)] |= U64(1) << colour


@compiled
def see(table, card):
    """Note that a card lies face up."""
    if table.looking:
        table.unseen[U64(card)] -= 1
        table.unseen_cards -= 1


@compiled
def pass_all(rules, table, secret, seats, stream):
    """Let each seat pass a card to both neighbours, all at once (round, step 3); a hand of one card isn't passed."""
    for seat in range(rules.players):
        reveal(rules, secret, seats, seats.views[U64(seat)])
        pass_cards(rules, table, seats.views[U64(seat)], decision_word(stream, table.round, PASS, seat))
    exchange_passes(rules, secret, seats)


@called
def resume_pass(rules, table, secret, seats, chooser, left, right, stream):
    """Play on from a `pass_cards` to the first trick, a seat having chosen two indices into its hand.

    Parameters
    ----------
    table, secret, seats
        As they were when the seat was asked.
    chooser, left, right : int
        The seat that was asked, and its choice.
    """
    for seat in range(rules.players):
        if seat != chooser:
            pass_cards(rules, table, seats.views[U64(seat)], decision_word(stream, table.round, PASS, seat))
    seats.views[U64(chooser)].gives[LEFT] = left
    seats.views[U64(chooser)].gives[RIGHT] = right
    exchange_passes(rules, secret, seats)
    table.step = PLAY


@compiled
def exchange_passes(rules, secret, seats):
    """Move the cards that all seats have chosen to pass."""
    for seat in range(rules.players):
        view = seats.views[U64(seat)]
        secret.gives[U64(seat), U64(LEFT)] = view.gives[LEFT]
        secret.gives[U64(seat), U64(RIGHT)] = view.gives[RIGHT]
        note_passed(view, I64(view.hand[U64(view.gives[LEFT])]), I64(view.hand[U64(view.gives[RIGHT])]))
    right = rules.players - 1
    for left in range(rules.players):  # what goes left comes to where the card that goes right was
        giver, receiver = seats.views[U64(right)], seats.views[U64(left)]
        sent, returned = U64(giver.gives[LEFT]), U64(receiver.gives[RIGHT])
        kept = giver.hand[sent]
        giver.hand[sent] = receiver.hand[returned]
        receiver.hand[returned] = kept
        right = left


@compiled
def open_trick(rules, table):
    """Return (best strength so far, its seat, its place, the 1 of the leader's colour, set of places with such a 1)."""
    return -1, 0, 0, 0, 0


@compiled
def take_turn(rules, table, secret, seats, trick, seat, place, stream):
    """Let a seat play any card of its hand (round, step 4)."""
    view = seats.views[U64(seat)]
    reveal(rules, secret, seats, view)
    word = decision_word(stream, table.round, PLAY + TRICK_STEPS * table.trick, seat)
    return lay_card(rules, table, view, trick, seat, place, U64(play(rules, table, view, trick, word)))


@compiled
def lay_card(rules, table, view, trick, seat, place, index):
    """Lay a card of a seat's hand, given by its index (uint64): the earliest of the strongest leads the trick."""
    best, winner, winner_place, one, ones = trick
    card = take_from_hand(rules, table, view, index)
    table.cards[U64(table.trick), U64(place)] = card
    see(table, card)
    rank = card & RANK_MASK
    one = one if place else card - rank
    ones |= I64(card == one) << place
    strength = strength_of(table, card, one)
    wins = strength > best
    return strength if wins else best, seat if wins else winner, place if wins else winner_place, one, ones


@compiled
def take_from_hand(rules, table, view, index):
    """Take a card out of a hand; the last one fills its place."""
    card = I64(view.hand[index])
    view.hand[index] = view.hand[U64(rules.tricks - 1 - table.trick)]
    return card


@compiled
def strength_of(table, card, one):
    """Return what decides a trick (round, step 5): -1 can't win; the earliest of the highest wins.

    Parameters
    ----------
    one : int
        The 1 of the leader's colour.
    """
    rank = card & RANK_MASK
    follows = card - rank == one
    return TRUMPED if rank == table.trump else (rank if follows else -1)


@compiled
def close_trick(rules, table, secret, seats, trick, stream):
    """Settle a trick: the winner's capture, then the other 1s, then the discards (round, steps 5-8).

    What is going on stands in `table`, so that a copy of the game can go on from any offer or answer.
    """
    best, winner, place, _, ones = trick
    table.step = OFFER
    table.led = table.leader
    table.leader = winner
    table.winners[U64(table.trick)] = winner
    table.won_from_place[U64(place)] += 1
    table.kept = ones | I64(1) << place
    table.ones = ones & ~(I64(1) << place)  # readings T4, T7
    card = I64(table.cards[U64(table.trick), U64(place)])
    extra = take_extra(rules, table, secret, winner, card) if best == TRUMPED else NO_CARD
    secret.extra[U64(table.trick)] = extra
    capture(rules, table, secret, seats, winner, card, 2 if extra != NO_CARD else 1, stream)
    settle(rules, table, secret, seats, stream)


@compiled
def settle(rules, table, secret, seats, stream):
    """Go on with a trick's settlement: what is left of the other 1s, then the discards (round, steps 6-8)."""
    while table.ones and not table.over:
        place = I64(lowest_bit(U64(table.ones)))
        table.ones &= table.ones - 1
        seat = table.led + place if table.led + place < rules.players else table.led + place - rules.players
        table.loser_ones += 1
        capture(rules, table, secret, seats, seat, I64(table.cards[U64(table.trick), U64(place)]), 1, stream)
    discard_rest(rules, table, secret)
    table.step = PLAY


@called
def resume_offer(rules, table, secret, seats, giver, card, count, to, stream):
    """Play on from an `offer` to the end of the trick, the giver having chosen LEFT or RIGHT.

    Parameters
    ----------
    table, secret, seats
        As they were when the giver was asked.
    giver, card, count, to : int
        The seat that was asked, what it was asked about, and its choice.
    """
    make_offer(rules, table, secret, seats, giver, card, count, to, stream)
    settle(rules, table, secret, seats, stream)


@called
def resume_answer(rules, table, secret, seats, giver, receiver, card, count, accepted, stream):
    """Play on from an `answer` to the end of the trick, the receiver having chosen 1 to accept or 0 to refuse.

    Parameters
    ----------
    table, secret, seats
        As they were when the receiver was asked.
    giver, receiver, card, count, accepted : int
        The giver, the seat that was asked, what it was asked about, and its choice.
    """
    close_gift(rules, table, secret, giver, receiver, card, count, accepted)
    settle(rules, table, secret, seats, stream)


@compiled
def take_extra(rules, table, secret, winner, card):
    """Return a winning trump's extra card, or NO_CARD (readings T3, T5)."""
    table.trump_wins += 1
    if rules.forfeits and not may_hold(rules, table, winner, card):
        table.extras_forfeited += 1
        return NO_CARD
    if table.discards:
        table.extras += 1
        table.discards -= 1
        return I64(secret.pile[U64(table.discards)])
    free = ~table.kept & ((I64(1) << rules.players) - 1)
    if not free:
        table.extras_missing += 1
        return NO_CARD
    table.extras += 1
    place = lowest_bit(U64(free))
    table.kept |= I64(1) << I64(place)
    return I64(table.cards[U64(table.trick), place])


@compiled
def may_hold(rules, table, seat, card):
    """Tell whether a card's colour would leave a seat within `colours.max`."""
    colours = table.colours[U64(seat)]
    return (colours >> U64(card >> COLOUR_SHIFT)) & U64(1) == U64(1) or popcount(colours) < rules.colours_max


@compiled
def capture(rules, table, secret, seats, seat, card, count, stream):
    """Lay a captured card, and its extra if `count` is 2, before a seat or let it give them away (steps 6 and 7)."""
    if may_hold(rules, table, seat, card):
        add_bamboo(table, seat, card, count)
    else:
        give(rules, table, secret, seats, seat, card, count, stream)


@called
def give(rules, table, secret, seats, giver, card, count, stream):
    """Let a seat choose whom to offer a captured card and its extra, and settle what comes of it (round, step 7)."""
    word = decision_word(stream, table.round, OFFER + TRICK_STEPS * table.trick, giver)
    reveal(rules, secret, seats, seats.views[U64(giver)])
    to = I64(offer(rules, table, seats.views[U64(giver)], card, count, word))
    make_offer(rules, table, secret, seats, giver, card, count, to, stream)


@compiled
def make_offer(rules, table, secret, seats, giver, card, count, to, stream):
    """Offer a gift to the neighbour on one side, who decides if it may hold the colour."""
    receiver = next_seat(rules, giver) if to == LEFT else previous_seat(rules, giver)
    table.offered += 1
    accepted = I64(0)
    if may_hold(rules, table, receiver, card):
        word = decision_word(stream, table.round, ANSWER + to + TRICK_STEPS * table.trick, receiver)
        reveal(rules, secret, seats, seats.views[U64(receiver)])
        accepted = I64(answer(rules, table, seats.views[U64(receiver)], giver, card, count, word))
    close_gift(rules, table, secret, giver, receiver, card, count, accepted)


@compiled
def close_gift(rules, table, secret, giver, receiver, card, count, accepted):
    """Settle a gift that was accepted, refused, or had to be refused."""
    if accepted:
        accept_gift(rules, table, giver, receiver, card, count)
    else:
        forced = not may_hold(rules, table, receiver, card)
        table.forced += forced
        table.declined += not forced
        refuse_gift(rules, table, secret, giver if rules.giver_pays else table.leader, card, count)
    note_gift(rules, table, giver, receiver, accepted)


@compiled
def accept_gift(rules, table, giver, receiver, card, count):
    """Move a gift and pay both seats; a score at the target ends the game (round, step 7; readings T8, T10)."""
    table.accepted += 1
    add_bamboo(table, receiver, card, count)
    for seat in (giver, receiver):
        table.scores[U64(seat)] += rules.gift_points
        table.gift_gains[U64(seat)] += rules.gift_points
        if table.scores[U64(seat)] >= rules.target:
            table.over = 1
            table.ended_by_gift = 1


@compiled
def refuse_gift(rules, table, secret, payer, card, count):
    """Discard a refused gift, the card and then its extra; the penalty takes no score below 0 (reading T5)."""
    discard(table, secret, card)
    if count == 2:
        discard(table, secret, I64(secret.extra[U64(table.trick)]))
    loss = min(rules.gift_penalty, table.scores[U64(payer)])
    table.scores[U64(payer)] -= loss
    table.gift_losses[U64(payer)] += loss


@compiled
def discard(table, secret, card):
    """Put a card on top of the pile."""
    secret.pile[U64(table.discards)] = card
    table.discards += 1


@compiled
def note_gift(rules, table, giver, receiver, accepted):
    """Write down a gift and the scores after it."""
    gift = table.gifts[U64(table.gift_count)]
    table.gift_count += 1
    gift.trick = table.trick
    gift.giver = giver
    gift.receiver = receiver
    gift.accepted = accepted
    for seat in range(rules.players):
        gift.scores[U64(seat)] = table.scores[U64(seat)]


@compiled
def discard_rest(rules, table, secret):
    """Put a trick's uncaptured cards on the pile in the order in which they were played (round, step 8)."""
    count, kept = U64(table.discards), table.kept
    for place in range(rules.players):
        secret.pile[count] = table.cards[U64(table.trick), U64(place)]
        count += U64((kept >> place) & 1 == 0)
    table.discards = I64(count)


@compiled
def score_round(rules, table, secret):
    """Score and count the round; the last one ends the game."""
    played = table.trick + 1
    table.plays += played
    table.choices += played * rules.tricks - played * (played - 1) // 2
    score_bamboo(rules, table)
    table.round += 1
    if table.round == rules.rounds:
        table.over = 1


@compiled
def write_round(rules, table, secret, row):
    """Write the columns of the round that was scored last."""
    first = game_width(rules) + (table.round - 1) * round_width(rules)
    row[U64(first)] = table.start
    for seat in range(rules.players):
        row[U64(first + 1 + seat)] = table.scores[U64(seat)]
        for colour in range(rules.colours):
            column = first + 1 + rules.players + seat * rules.colours + colour
            row[U64(column)] = table.bamboo[U64(seat), U64(colour)]


@compiled
def score_bamboo(rules, table):
    """Score a round that no gift ended; who has the target ends the game ("Scoring a round")."""
    for seat in range(rules.players):
        table.points[U64(seat)] = 0
    if table.over:  # reading T8
        return
    for colour in range(rules.colours):
        score_colour(rules, table, U64(colour))
    for seat in range(rules.players):
        table.scores[U64(seat)] += table.points[U64(seat)]
        if table.scores[U64(seat)] >= rules.target:
            table.over = 1


@compiled
def score_colour(rules, table, colour):
    """Give each seat its count of a colour times the seats with that count; alone with the most: nothing."""
    most, tally = 0, U64(0)
    for seat in range(rules.players):
        count = table.bamboo[U64(seat), colour]
        most = max(most, count)
        tally += U64(1) << U64(TALLY_BITS * (count & TALLY_MASK))
    for seat in range(rules.players):
        count = table.bamboo[U64(seat), colour]
        same = I64(tally >> U64(TALLY_BITS * (count & TALLY_MASK))) & TALLY_MASK
        if most > TALLY_MASK:
            same = seats_with(rules, table, colour, count)
        if count < most or same > 1:
            table.points[U64(seat)] += count * same


TALLY_BITS = 4  # of a word, for how many seats have a count: enough for SEATS seats and counts below 16
TALLY_MASK = 15


@called
def seats_with(rules, table, colour, count):
    """Return how many seats have exactly this count of a colour."""
    same = 0
    for seat in range(rules.players):
        same += table.bamboo[U64(seat), colour] == count
    return same


@compiled
def winning_score(rules, table):
    """Return the score that wins: at or above the target the nearest to it, else the highest."""
    best = 0
    for seat in range(rules.players):
        score = table.scores[U64(seat)]
        nearer = best < rules.target or score < best
        if score >= rules.target and nearer:
            best = score
        elif best < rules.target:
            best = max(best, score)
    return best


@compiled
def swing(rules, table):
    """Return by how much two seats typically part in the rounds to come."""
    return 4 * (1 + rules.rounds - table.round)


@compiled
def close_game(rules, table, row):
    """Write the columns of the whole game."""
    players = rules.players
    followers = players - 1
    plays, choices = table.plays, table.choices
    write_whole_game(players, table, row, plays, choices, plays * followers, choices * followers)
    winning = winning_score(rules, table)  # where it isn't the highest score
    for seat in range(players):
        row[U64(players + seat)] = table.scores[U64(seat)] == winning
    first = U64(whole_game_width(players))
    row[first] = table.trump + 1
    row[first + U64(1)] = table.round
    row[first + U64(2)] = table.ended_by_gift
    row[first + U64(3)] = table.offered
    row[first + U64(4)] = table.accepted
    row[first + U64(5)] = table.forced
    row[first + U64(6)] = table.declined
    row[first + U64(7)] = table.loser_ones
    row[first + U64(8)] = table.trump_wins
    row[first + U64(9)] = table.extras
    row[first + U64(10)] = table.extras_missing
    row[first + U64(11)] = table.extras_forfeited
    for seat in range(players):
        row[first + U64(12 + seat)] = table.gift_gains[U64(seat)]
        row[first + U64(12 + players + seat)] = table.gift_losses[U64(seat)]
    unplayed = game_width(rules) + table.round * round_width(rules)
    for column in range(unplayed, game_width(rules) + rules.rounds * round_width(rules)):
        row[U64(column)] = 0

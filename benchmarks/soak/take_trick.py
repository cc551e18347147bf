"""Take-Trick for the soak: random variants, and what must hold in a game of any (rule file: take_trick)."""

import random
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from benchmarks.soak.invariants import BEFORE_PLAY, Broken, count_choices, deal_out, shared_columns, take_from_hand
from simlib.cards import NO_CARD, RANKS, deck
from simlib.games.take_trick.parameters import LETTERS as LETTERS
from simlib.games.take_trick.parameters import TakeTrickParameters

SEATS, ROUNDS, COLOURS = 6, 7, len(LETTERS)  # the most of each
DECKS = [(3, 6), (3, 6), (3, 9), (1, 12), (2, 7), (4, 6), (7, 5), (16, 4), (16, 16), (3, 32)]
SHINING = -2
ONE = 0  # the rank of a 1: cards count theirs from 0


def random_copies(source: random.Random, colours: int, ranks: int, least: int) -> list[int] | dict[str, list[int]]:
    """Return copies by rank, or by colour and rank, that make a deck of `least` to 256 cards."""
    letters = LETTERS[:colours]
    most = min(max(1, 256 // (colours * ranks)), 6)
    while True:
        by_colour = {letter: [source.randint(0, most) for _ in range(ranks)] for letter in letters}
        if source.random() < 0.5:
            by_colour = dict.fromkeys(letters, by_colour["G"])
        if least <= sum(map(sum, by_colour.values())) <= 256:
            return (
                by_colour if source.random() < 0.5 or len(set(map(tuple, by_colour.values()))) > 1 else by_colour["G"]
            )


def random_settings(source: random.Random) -> dict[str, Any]:
    """Return settings of a random legal variant, with every reading and with short stocks."""
    players = source.randint(3, 6)
    colours, ranks = source.choice(DECKS)
    copies = random_copies(source, colours, ranks, players)
    by_colour = list(copies.values()) if isinstance(copies, dict) else [copies] * colours
    cards = sum(map(sum, by_colour))
    most = cards // players
    present = [rank for rank, counts in enumerate(zip(*by_colour, strict=True), start=1) if any(counts)]
    size = source.choice([1, most, source.randint(1, most), min(most, 10), min(most, 10)])
    return {
        "players": players,
        "deck.colours": colours,
        "deck.ranks": ranks,
        "deck.copies": copies,
        "hand.size": size,
        "trump.ranks": source.sample(present, source.randint(1, len(present))),
        "colours.max": source.choice([1, 2, 2, 3, 5]),
        "gift.points": source.choice([0, 1, 1, 2, 5]),
        "gift.penalty": source.choice([0, 1, 1, 3]),
        "gift.penalty_falls_on": source.choice(["trick_winner", "giver"]),
        "gift.extra": source.choice(["together", "forfeit"]),
        "score.target": source.choice([1, 3, 8, 25, 60, 400]),
        "rounds.max": source.choice([1, 2, 3, 3, ROUNDS]),
    }


class Rules(NamedTuple):
    """What a variant says."""

    players: int
    rounds: int
    tricks: int
    colours_max: int
    gift_points: int
    gift_penalty: int
    giver_pays: bool
    forfeits: bool
    target: int
    trumps: np.ndarray
    deck: np.ndarray


TALLY = np.dtype(
    [
        *shared_columns(SEATS, ROUNDS),
        ("trump", "i8"),
        ("rounds", "i8"),
        ("ended_by_gift", "i8"),
        ("gifts_offered", "i8"),
        ("gifts_accepted", "i8"),
        ("gifts_forced", "i8"),
        ("gifts_refused", "i8"),
        ("loser_ones", "i8"),
        ("trump_wins", "i8"),
        ("extras_taken", "i8"),
        ("extras_missing", "i8"),
        ("extras_forfeited", "i8"),
        ("gift_points", "i8", (SEATS,)),
        ("penalties", "i8", (SEATS,)),
        ("round_score", "i8", (ROUNDS, SEATS)),
        ("bamboo", "i8", (ROUNDS, SEATS, COLOURS)),
    ]
)
ROUND = np.dtype(
    [
        ("number", "i8"),
        ("trump", "i8"),  # rank, counted from 0
        ("trick", "i8"),
        ("winner", "i8"),  # seat that won the present trick
        ("gifts", "i8"),
        ("in_front", "i8"),  # cards laid in front of seats before the first trick
        ("over", "i8"),  # whether the game is
        ("pile", "i8", (512,)),
        ("discards", "i8"),
        ("cards", "i8", (SEATS,)),  # of the present trick
        ("uncaptured", "i8", (SEATS,)),  # whether each of these goes to the pile
    ]
)


def rules_of(parameters: TakeTrickParameters) -> Rules:
    """Return a variant's rules for the checker."""
    gift = parameters.gift
    return Rules(
        parameters.players,
        parameters.rounds.max,
        parameters.tricks,
        parameters.colours.max,
        gift.points,
        gift.penalty,
        gift.penalty_falls_on == "giver",
        gift.extra == "forfeit",
        parameters.score.target,
        np.array(parameters.trump.ranks) - 1,
        np.array(deck(parameters.deck.copies)),
    )


@njit(nogil=True)
def check_games(rules, tables, secrets, tallies, at):
    """Check games, (games, rounds), and add up their TALLYs; `at` says in which game, round and trick it is."""
    hands = np.zeros((rules.players, rules.deck.max() + 1), np.int64)
    rounds = np.zeros(1, ROUND)
    for game in range(len(tables)):
        at[0], tally, now = game, tallies[game], rounds[0]
        now.winner = now.over = 0
        for number in range(rules.rounds):
            at[1], at[2] = number, BEFORE_PLAY
            table = tables[game, number]
            if (table.round == 0) != (now.over == 1):
                raise Broken("a round is played after the game's end, or one is missing")
            if not now.over:
                now.number = number
                check_round(rules, table, secrets[game, number], hands, now, tally, at)
        find_winners(rules, tally)


@njit(nogil=True)
def check_round(rules, table, secret, hands, now, tally, at):
    """Check a round and add it up."""
    now.trick = now.gifts = now.discards = 0
    if table.start != now.winner:
        raise Broken("the round isn't led by the seat that must lead it")
    tally.start[now.number] = table.start
    tally.rounds += 1
    check_trump(rules, table, now, tally)
    deal_out(rules, secret.deck, hands)
    lay_first(rules, table, secret, now, tally)
    if rules.tricks > 1:
        pass_cards(rules, secret, hands)
    leader = np.int64(table.start)
    for trick in range(rules.tricks):
        at[2] = now.trick = trick
        check_trick(rules, table, secret, hands, leader, now, tally)
        leader = now.winner
        if now.over:
            break
    at[2] = BEFORE_PLAY
    check_pile(rules, table, secret, now)
    score_round(rules, table, now, tally)


@njit(nogil=True)
def check_trump(rules, table, now, tally):
    """Check that the trump is a marker's rank, the same in all rounds."""
    trump = np.int64(table.trump)
    if (now.number > 0 and trump != now.trump) or not (rules.trumps == trump).any():
        raise Broken("the trump is no marker's, or changes between rounds")
    now.trump = trump
    tally.trump = trump + 1


@njit(nogil=True)
def lay_first(rules, table, secret, now, tally):
    """Check the first bamboos from the stock, round from the leader, and then the cards under the trumps among them."""
    drawn = rules.players * rules.tricks
    now.in_front = 0
    for turn in range(rules.players):
        seat = (table.start + turn) % rules.players
        card = stock_card(rules, secret, drawn)
        drawn += 1
        if table.first[seat] != card:
            raise Broken("a first bamboo isn't the stock's top card")
        if card != SHINING:
            lay(now, tally, seat, card, 1)
            now.in_front += 1
    for turn in range(rules.players):
        seat = (table.start + turn) % rules.players
        first, extra = table.first[seat], NO_CARD
        if first != SHINING and first % RANKS == now.trump:
            extra = stock_card(rules, secret, drawn)
            drawn += 1
            lay(now, tally, seat, first, 1)
            now.in_front += 1
        if secret.first_extra[seat] != extra:
            raise Broken("the card under a first bamboo isn't the stock's top card, or lies under no trump")


@njit(nogil=True)
def stock_card(rules, secret, drawn):
    """Return the card at a place of the shuffled deck; shining ones come after its end."""
    return rules.deck[secret.deck[drawn]] if drawn < len(rules.deck) else SHINING


@njit(nogil=True)
def lay(now, tally, seat, card, count):
    """Lay cards that count as a card's colour in front of a seat."""
    tally.bamboo[now.number, seat, card // RANKS] += count


@njit(nogil=True)
def pass_cards(rules, secret, hands):
    """Move two of the cards dealt to each seat to its neighbours."""
    for seat in range(rules.players):
        left, right = secret.gives[seat, 0], secret.gives[seat, 1]
        if left == right or max(left, right) >= rules.tricks:
            raise Broken("a seat doesn't pass two of its cards")
        for number, step in ((left, 1), (right, rules.players - 1)):
            card = rules.deck[secret.deck[seat * rules.tricks + number]]
            hands[seat, card] -= 1
            hands[(seat + step) % rules.players, card] += 1


@njit(nogil=True)
def check_trick(rules, table, secret, hands, leader, now, tally):
    """Check the plays of a trick, its winner, and what is captured, given and discarded."""
    best = 0
    for place in range(rules.players):
        card = np.int64(table.cards[now.trick, place])
        take_from_hand(hands, (leader + place) % rules.players, card)
        now.cards[place] = card
        count_choices(tally, place, rules.tricks - now.trick)
        if beats(now, card, now.cards[best]):
            best = place
    now.winner = (leader + best) % rules.players
    if table.winners[now.trick] != now.winner:
        raise Broken("a trick isn't won by its first trump, or the highest of the lead colour")
    tally.won_from_place[best] += 1
    settle(rules, table, secret, leader, best, now, tally)
    for place in range(rules.players):
        if now.uncaptured[place]:
            discard(now, now.cards[place])


@njit(nogil=True)
def beats(now, card, best):
    """Tell whether a card beats the best one before it; the card led is the first best one."""
    if best % RANKS == now.trump or card % RANKS == now.trump:
        return best % RANKS != now.trump
    return card // RANKS == now.cards[0] // RANKS and card > best


@njit(nogil=True)
def settle(rules, table, secret, leader, best, now, tally):
    """Settle the captures of a trick: the winner's card, then the other 1s of the lead colour in the order of play."""
    one = now.cards[0] // RANKS * RANKS + ONE
    for place in range(rules.players):
        now.uncaptured[place] = place != best and now.cards[place] != one
    extra = take_extra(rules, now.cards[best], now, tally)
    if secret.extra[now.trick] != extra:
        raise Broken("an extra card isn't the one that the winner must take")
    capture(rules, table, now.winner, now.cards[best], extra, now, tally)
    for place in range(rules.players):
        if place != best and now.cards[place] == one and not now.over:
            tally.loser_ones += 1
            capture(rules, table, (leader + place) % rules.players, one, NO_CARD, now, tally)


@njit(nogil=True)
def take_extra(rules, card, now, tally):
    """Return the extra card of a winning card, NO_CARD where it has none, and take it from where it lies."""
    if card % RANKS != now.trump:
        return NO_CARD
    tally.trump_wins += 1
    if rules.forfeits and is_beyond(rules, now, tally, now.winner, card):
        tally.extras_forfeited += 1
        return NO_CARD
    if now.discards:
        now.discards -= 1
        tally.extras_taken += 1
        return now.pile[now.discards]
    for place in range(rules.players):
        if now.uncaptured[place]:
            now.uncaptured[place] = 0
            tally.extras_taken += 1
            return now.cards[place]
    tally.extras_missing += 1
    return NO_CARD


@njit(nogil=True)
def is_beyond(rules, now, tally, seat, card):
    """Tell whether a card would bring a seat a colour beyond `colours.max`."""
    bamboo = tally.bamboo[now.number, seat]
    return bamboo[card // RANKS] == 0 and (bamboo > 0).sum() >= rules.colours_max


@njit(nogil=True)
def capture(rules, table, seat, card, extra, now, tally):
    """Lay a captured card and its extra before a seat, or check the gift that it must make of them."""
    count = 1 if extra == NO_CARD else 2
    if not is_beyond(rules, now, tally, seat, card):
        lay(now, tally, seat, card, count)
        return
    if now.gifts >= table.gift_count:
        raise Broken("a captured card of a colour too many isn't offered")
    gift = table.gifts[now.gifts]
    now.gifts += 1
    check_gift(rules, gift, seat, card, now, tally)
    if gift.accepted:
        lay(now, tally, gift.receiver, card, count)
        pay(rules, seat, now, tally)
        pay(rules, gift.receiver, now, tally)
    else:
        refuse(rules, seat, card, extra, now, tally)
    for other in range(rules.players):
        if gift.scores[other] != tally.score[other]:
            raise Broken("a score after a gift isn't what points and penalties make it")


@njit(nogil=True)
def check_gift(rules, gift, giver, card, now, tally):
    """Check who gives, to whom, and that what the receiver may not hold is refused."""
    if gift.trick != now.trick or gift.giver != giver:
        raise Broken("a gift isn't made by the seat whose turn it is")
    if gift.receiver != (giver + 1) % rules.players and gift.receiver != (giver - 1) % rules.players:
        raise Broken("a gift isn't offered to a neighbour")
    forced = is_beyond(rules, now, tally, gift.receiver, card)
    if gift.accepted and forced:
        raise Broken("a gift is accepted that brings a colour too many")
    tally.gifts_offered += 1
    tally.gifts_accepted += gift.accepted
    tally.gifts_forced += forced
    tally.gifts_refused += not (forced or gift.accepted)


@njit(nogil=True)
def pay(rules, seat, now, tally):
    """Pay a seat for an accepted gift; at the target the game is over."""
    tally.score[seat] += rules.gift_points
    tally.gift_points[seat] += rules.gift_points
    if tally.score[seat] >= rules.target:
        now.over = tally.ended_by_gift = 1


@njit(nogil=True)
def refuse(rules, giver, card, extra, now, tally):
    """Discard a refused gift and take the penalty, which brings no score below 0."""
    discard(now, card)
    if extra != NO_CARD:
        discard(now, extra)
    payer = giver if rules.giver_pays else now.winner
    loss = min(rules.gift_penalty, tally.score[payer])
    tally.score[payer] -= loss
    tally.penalties[payer] += loss


@njit(nogil=True)
def discard(now, card):
    """Put a card on the pile."""
    now.pile[now.discards] = card
    now.discards += 1


@njit(nogil=True)
def check_pile(rules, table, secret, now):
    """Check that the round ended where it must, with all gifts told, and where its cards lie then."""
    if table.trick != now.trick:
        raise Broken("the round ends with another trick than its last")
    if table.gift_count != now.gifts:
        raise Broken("there is a gift that nobody had to make")
    if now.over:  # captures of the last trick may lie unsettled
        return
    if table.bamboo[: rules.players].sum() + table.discards != rules.players * rules.tricks + now.in_front:
        raise Broken("the cards in front of the seats and on the pile aren't those laid and played")
    for place in range(now.discards):
        if secret.pile[place] != now.pile[place]:
            raise Broken("the pile isn't what was discarded")


@njit(nogil=True)
def score_round(rules, table, now, tally):
    """Add up a round, which a gift may have ended, and tell whether the game is over."""
    for seat in range(rules.players):
        points = 0 if now.over else points_of(rules, tally.bamboo[now.number], seat)
        if table.points[seat] != points:
            raise Broken("a round's points aren't what the counts of bamboo score")
        tally.score[seat] += points
        tally.round_score[now.number, seat] = tally.score[seat]
        if table.scores[seat] != tally.score[seat]:
            raise Broken("a score isn't what rounds and gifts add up to")
    reached = tally.score[: rules.players].max() >= rules.target
    now.over = now.over or reached or now.number + 1 == rules.rounds
    if table.over != now.over:
        raise Broken("the game ends too early or too late")


@njit(nogil=True)
def points_of(rules, bamboo, seat):
    """Return what the counts of bamboo, (seats, colours), score for a seat."""
    points = 0
    for colour in range(COLOURS):
        counts = bamboo[: rules.players, colour]
        same = (counts == counts[seat]).sum()
        if counts[seat] < counts.max() or same > 1:
            points += counts[seat] * same
    return points


@njit(nogil=True)
def find_winners(rules, tally):
    """Tell who wins: at or above the target those nearest to it, else those with the most."""
    scores = tally.score[: rules.players]
    best = scores.max()
    for score in scores:
        if rules.target <= score < best:
            best = score
    for seat in range(rules.players):
        tally.win[seat] = scores[seat] == best

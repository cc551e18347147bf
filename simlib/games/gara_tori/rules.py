"""Gara-tori for kernels (rule file: gara_tori; readings G1-G5).

Sets of cards are bits by place in the sorted deck, 64 places a word; a deck of at most 64 cards needs one.
"""

from collections.abc import Sequence

import numpy as np

from simlib.cards import COLOUR_SHIFT, LETTERS, MOST_CARDS, RANK_MASK, SPECIAL, deck_with_specials
from simlib.dealing import deal, dealing_plans
from simlib.games.gara_tori.parameters import GaraToriParameters
from simlib.games.gara_tori.weights import WEIGHTS
from simlib.hooks import OPTIONS, choice, compiled, reveal
from simlib.players.weights import CHALLENGER, CHAMPION, shipped, weights_dtype
from simlib.state import Column, highest_score, whole_game_columns, whole_game_width, write_whole_game
from simlib.streams import I64, PLAN, U64, decision_word, lowest_bit, popcount

SEATS = 6
TRICKS = MOST_CARDS // 4  # in a round of four seats
COLOURS = len(LETTERS)
WORDS = MOST_CARDS // 64
PATTERNS = 33  # ranks 1 .. 32; specials have none
NOTHING_LEADS = COLOURS  # the lead colour before a trick's first card
UNLOCKED = -1
LAST_PLACE = 7  # of the places in a trick that three bits can tell
WORTH = 1024  # what chances, and what players weigh, count in

RULES = np.dtype(
    [
        ("players", "i8"),
        ("rounds", "i8"),
        ("tricks", "i8"),
        ("colours", "i8"),
        ("deck_size", "i8"),
        ("words", "i8"),  # of a set of cards
        ("void_match_turns", "i8"),
        ("held", "i8"),  # seat whose hand is the same for `completions` games in a row, or -1
        ("completions", "i8"),
        ("plans", PLAN, (2,)),  # for shuffling a whole deck, and one around a held hand
        ("cards", "u2", (MOST_CARDS,)),  # by place in the sorted deck
        ("of_colour", "u8", (COLOURS + 1, WORDS)),  # set of each colour's cards
        ("obliging", "u8", (COLOURS + 1, WORDS)),  # those of them that oblige to follow (G3)
        ("of_pattern", "u8", (PATTERNS, WORDS)),  # set of each pattern's cards
        ("specials", "u8", (COLOURS + 1, WORDS)),  # set of each colour's specials
        ("all_specials", "u8", (WORDS,)),
        ("all_cards", "u8", (WORDS,)),
        ("above", "u8", (MOST_CARDS, WORDS)),  # set of the higher cards of its colour, for each card by place
        ("all_safe", "u2", (MOST_CARDS + 1, WORTH + 1)),  # see `_rate_safety`
        ("weights", weights_dtype(WEIGHTS), (2,)),  # what `trained` decides by: the champion's, and a challenger's
    ]
)
GIVEN = ("players", "words")  # what a kernel for many games is compiled for, see `simlib.given`
TABLE = np.dtype(
    [
        ("round", "i8"),
        ("start", "i8"),
        ("leader", "i8"),
        ("trick", "i8"),  # number of the present trick in the round
        ("looking", "i8"),  # whether any seat reads what is known of cards
        ("over", "i8"),
        ("scores", "i8", (SEATS,)),
        ("cards", "u2", (TRICKS, SEATS)),  # played, by trick and place
        ("leads", "u1", (TRICKS, SEATS)),  # lead colour after each of them
        ("winners", "u1", (TRICKS,)),
        ("locked", "u1", (TRICKS,)),
        ("taken", "i8", (SEATS, COLOURS)),  # cards
        ("shown_void", "u8", (SEATS,)),  # set of colours in which a seat had nothing that obliged it; if looking
        ("shown_held", "u8", (SEATS,)),  # ... of which it held a card that obliged it and hasn't played one since
        ("played", "u8", (WORDS,)),  # set of cards; if looking
        ("won_from_place", "i8", (SEATS,)),
        ("turns_at_place", "i8", (SEATS,)),
        ("won_by_turn_at_place", "i8", (SEATS,)),
        ("locks_at_place", "i8", (SEATS,)),
        ("tricks_with_turns", "i8", (SEATS,)),
        ("locks", "i8"),
        ("specials_with_power", "i8"),
        ("specials_without_power", "i8"),
        ("follower_choices", "i8"),  # of the round that closed last
    ]
)
SECRET = np.dtype(
    [
        ("deck", "u1", (MOST_CARDS,)),  # places in the sorted deck
        ("held_stream", "u8", (2,)),
        ("specials_dealt", "i8", (SEATS,)),
        ("void_plays", "i8"),  # these two tell of hands: a card of a played pattern hides whether its seat is void
        ("follower_choices", "i8"),
    ]
)
VIEW = np.dtype(
    [
        ("player", "i8"),
        ("options", "i8", (OPTIONS,)),
        ("looks", "i8"),
        ("seat", "i8"),
        ("hand", "u8", (WORDS,)),  # set of the cards it holds
        ("legal", "u8", (WORDS,)),  # those of them that it may play now
        ("choices", "i8"),  # how many these are
        ("void", "i8"),  # whether nothing obliges it to follow
        ("place", "i8"),  # how many seats have played before it
        ("unseen", "u8", (WORDS,)),  # scratch of players: set of the cards it hasn't seen
        ("unseen_cards", "i8"),
        ("weights", "i8", (SEATS, COLOURS)),  # scratch of players: what a card is worth to a seat
    ]
)
SEATED = np.dtype([("views", VIEW, (SEATS,))])

COUNTS = {  # `write_round` fills them in this order
    "locks": "tricks locked by a special",
    "specials_with_power": "specials played while their colour led",
    "specials_without_power": "specials played while another colour led",
    "void_plays": "cards played by followers whom nothing obliged to follow the lead colour",
    "turns": "cards of a played pattern that changed the lead colour",
}


@choice
def play(rules, table, view, trick, word):
    """Return which card of ``view.legal`` to play: its place in the sorted deck (uint64)."""


def rules_array(parameters: GaraToriParameters, held: int = -1, completions: int = 1) -> np.ndarray:
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
    deck = deck_with_specials(parameters.deck.copies, parameters.deck.specials)
    size = parameters.hand.size
    rules["players"], rules["rounds"], rules["tricks"] = parameters.players, parameters.rounds, size
    rules["colours"] = parameters.deck.colours
    rules["deck_size"], rules["words"] = len(deck), (len(deck) + 63) // 64
    rules["void_match_turns"] = parameters.lead.void_match_turns
    rules["held"], rules["completions"] = held, completions
    rules["plans"] = dealing_plans(len(deck), parameters.players * size, size)
    rules["cards"][: len(deck)] = deck
    for place, card in enumerate(deck):
        colour, rank = card >> COLOUR_SHIFT, card & RANK_MASK
        word, bit = place // 64, U64(1 << place % 64)
        rules["all_cards"][word] |= bit
        rules["of_colour"][colour, word] |= bit
        if rank != SPECIAL:
            rules["of_pattern"][rank, word] |= bit
        else:
            rules["specials"][colour, word] |= bit
            rules["all_specials"][word] |= bit
        for other, code in enumerate(deck):
            if code < card and code >> COLOUR_SHIFT == colour:
                rules["above"][other, word] |= bit
        if rank != SPECIAL or parameters.follow.special_counts:
            rules["obliging"][colour, word] |= bit
    _rate_safety(rules)
    for row in (CHAMPION, CHALLENGER):
        weigh(rules, row, shipped("gara_tori", WEIGHTS))
    return array


def _rate_safety(rules: np.void) -> None:
    """Fill in the chance that so many cards are all safe, by the chance that one is; both times WORTH, rounded down."""
    one = np.arange(WORTH + 1)
    rules["all_safe"][0] = WORTH
    for cards in range(1, int(rules["players"] * rules["tricks"]) + 1):
        rules["all_safe"][cards] = rules["all_safe"][cards - 1] * one // WORTH


def weigh(rules: np.void, row: int, weights: Sequence[int]) -> None:
    """Set what `trained` decides by, as champion or as challenger."""
    rules["weights"][row] = tuple(weights)


def columns(parameters: GaraToriParameters) -> list[Column]:
    """Return the per-game row's columns in order (`write_round` and `close_game` fill them)."""
    players, letters = parameters.players, LETTERS[: parameters.deck.colours]
    followers = range(1, players)
    return [
        *whole_game_columns(players, 1),
        Column("start_0", "round 0: the seat that led the first trick"),
        *(Column(name, sentence) for name, sentence in COUNTS.items()),
        *(
            Column(f"turns_at_place_{place}", f"turns by card number {place} of a trick, 0 = led")
            for place in followers
        ),
        *(
            Column(f"tricks_with_turns_{turns}", f"tricks in which the lead turned {turns} times")
            for turns in range(players)
        ),
        *(
            Column(f"won_by_turn_at_place_{place}", f"tricks won by the seat that turned the lead as number {place}")
            for place in followers
        ),
        *(
            Column(f"locks_at_place_{place}", f"tricks locked, and so won, by card number {place} of a trick, 0 = led")
            for place in range(players)
        ),
        *(Column(f"specials_dealt_{seat}", f"specials dealt to seat {seat}") for seat in range(players)),
        *(
            Column(f"taken_{seat}_{letter}", f"cards of colour {letter} taken by seat {seat}")
            for seat in range(players)
            for letter in letters
        ),
    ]


@compiled
def open_game(rules, table, secret, seats):
    """Set the counters to zero."""
    table.round = 0
    table.over = 0


@compiled
def open_round(rules, table, secret, seats, stream):
    """Deal; the dealer, seat 0, leads (round, steps 1 and 2)."""
    table.start = 0
    table.leader = 0
    table.trick = 0
    clear_counts(rules, table, secret)
    deal(rules, table, secret, stream)
    for seat in range(rules.players):
        view = seats.views[U64(seat)]
        take_up(rules, secret, view, U64(seat * rules.tricks))
        secret.specials_dealt[U64(seat)] = specials_in(rules, view)
    if table.looking:
        table.played[:] = U64(0)
        table.shown_void[:] = U64(0)
        table.shown_held[:] = U64(0)


@compiled
def clear_counts(rules, table, secret):
    """Set the round's counters to zero."""
    table.locks = 0
    table.specials_with_power = 0
    table.specials_without_power = 0
    secret.void_plays = 0
    secret.follower_choices = 0
    for place in range(rules.players):
        table.won_from_place[U64(place)] = 0
        table.turns_at_place[U64(place)] = 0
        table.won_by_turn_at_place[U64(place)] = 0
        table.locks_at_place[U64(place)] = 0
        table.tricks_with_turns[U64(place)] = 0
        for colour in range(rules.colours):
            table.taken[U64(place), U64(colour)] = 0


@compiled
def take_up(rules, secret, view, start):
    """Give a seat the cards dealt to it."""
    if rules.words == 1:  # kept in a register
        hand = U64(0)
        for step in range(rules.tricks):
            hand |= U64(1) << U64(secret.deck[start + U64(step)])
        view.hand[0] = hand
        return
    view.hand[:] = U64(0)
    for step in range(rules.tricks):
        place = secret.deck[start + U64(step)]
        view.hand[place >> 6] |= U64(1) << U64(place & 63)


@compiled
def specials_in(rules, view):
    """Return how many specials a seat holds."""
    count = 0
    for number in range(rules.words):
        count += popcount(view.hand[U64(number)] & rules.all_specials[U64(number)])
    return count


@compiled
def open_trick(rules, table):
    """Return the lead colour, the patterns played, cards of these, the place that locked, and the turns."""
    # lead colour, set of the patterns played, cards of these in the first word, place that locked, turns
    return NOTHING_LEADS, U64(0), U64(0), UNLOCKED, 0


@compiled
def take_turn(rules, table, secret, seats, trick, seat, place, stream):
    """Let a seat play one of its legal cards (round, step 3)."""
    view = seats.views[U64(seat)]
    view.place = place
    find_legal(rules, view, trick)
    if place:
        count_choices(secret, view)
    reveal(rules, secret, seats, view)
    word = decision_word(stream, table.round, table.trick, seat)
    return lay_card(rules, table, view, trick, seat, place, play(rules, table, view, trick, word))


@compiled
def lay_card(rules, table, view, trick, seat, place, chosen):
    """Lay a card of a seat's hand, given by its place in the sorted deck (uint64), and return the trick with it."""
    lead, patterns, matching, locker, turns = trick
    card = I64(rules.cards[chosen])
    new_lead, matches, power = effect(rules, view, trick, place, card)
    view.hand[chosen >> U64(6)] &= ~(U64(1) << (chosen & U64(63)))
    turned = (place != 0) & (new_lead != lead)
    table.cards[U64(table.trick), U64(place)] = card
    table.leads[U64(table.trick), U64(place)] = new_lead
    count_turn(table, place, turned, card & RANK_MASK == SPECIAL, power)
    if table.looking:
        show(rules, table, chosen, seat)
        if place and card >> COLOUR_SHIFT != lead:
            tells = (locker == UNLOCKED) & (not rules.void_match_turns)
            show_duty(table, seat, lead, not matches or (tells and not turned), tells and turned)
    patterns |= (U64(1) << U64(card & RANK_MASK)) & ~U64(1)
    matching |= rules.of_pattern[U64(card & RANK_MASK), U64(0)]
    return new_lead, patterns, matching, place if power & (locker == UNLOCKED) else locker, turns + turned


@compiled
def effect(rules, view, trick, place, card):
    """Return the lead colour after a card, if its pattern had been played, and if it is a special in power."""
    lead, patterns, _, locker, _ = trick
    colour, rank = card >> COLOUR_SHIFT, card & RANK_MASK
    matches = I64(patterns >> U64(rank)) & 1
    turning = matches & (locker == UNLOCKED) & (rules.void_match_turns | (view.void ^ 1))
    new_lead = colour if (place == 0) | turning else lead
    return new_lead, matches, (rank == SPECIAL) & (colour == new_lead)


@compiled
def show(rules, table, chosen, seat):
    """Let every seat see a card."""
    number, bit = chosen >> U64(6), U64(1) << (chosen & U64(63))
    table.played[number] |= bit
    colour = U64(rules.cards[chosen] >> COLOUR_SHIFT)
    if rules.obliging[colour, number] & bit:
        table.shown_held[U64(seat)] &= ~(U64(1) << colour)


@compiled
def show_duty(table, seat, lead, void, held):
    """Let every seat see whether a card of another colour than the lead shows what obliged its owner to follow.

    A card that doesn't follow shows that nothing did; one of a played pattern only where a void seat's card doesn't
    turn the lead (reading G2): by whether it turned.
    """
    bit = U64(1) << U64(lead)
    if void:
        table.shown_void[U64(seat)] |= bit
    elif held:
        table.shown_held[U64(seat)] |= bit


@compiled
def find_legal(rules, view, trick):
    """Find which cards a seat may play, and whether nothing obliges it to follow (round, step 3)."""
    lead, patterns, matching = U64(trick[0]), trick[1], trick[2]
    if rules.words == 1:
        hand = view.hand[0]
        void = hand & rules.obliging[lead, U64(0)] == U64(0)
        legal = hand & (rules.of_colour[lead, U64(0)] | matching | (U64(0) - U64(void)))
        view.legal[0] = legal
        view.choices = popcount(legal)
        view.void = void
    else:
        find_legal_in_words(rules, view, lead, patterns)


@compiled
def find_legal_in_words(rules, view, lead, patterns):
    """Do what `find_legal` does for a deck of more than 64 cards."""
    obliging = U64(0)
    for number in range(rules.words):
        obliging |= view.hand[number] & rules.obliging[lead, number]
    view.void = obliging == U64(0)
    view.choices = 0
    for number in range(rules.words):
        legal = rules.of_colour[lead, number]
        legal |= cards_of_patterns(rules, patterns, number)
        view.legal[number] = view.hand[number] & (~U64(0) if view.void else legal)
        view.choices += popcount(view.legal[number])


@compiled
def cards_of_patterns(rules, patterns, number):
    """Return word `number` of the set of all cards of some patterns."""
    found = U64(0)
    while patterns:
        found |= rules.of_pattern[lowest_bit(patterns), number]
        patterns &= patterns - U64(1)
    return found


@compiled
def count_choices(secret, view):
    """Count a follower's choices for the per-game row: not on the table, as they tell of its hand."""
    secret.void_plays += view.void
    secret.follower_choices += view.choices


@compiled
def count_turn(table, place, turned, special, power):
    """Count a play for the per-game row."""
    table.turns_at_place[U64(place)] += turned
    table.specials_with_power += power
    table.specials_without_power += special & (not power)


@compiled
def close_trick(rules, table, secret, seats, trick, stream):
    """Give the winner the cards and the lead (round, steps 6 and 7)."""
    lead, _, _, locker, turns = trick
    place = locker if locker != UNLOCKED else best_place(table, lead, rules.players)
    winner = table.leader + place
    winner -= rules.players * (winner >= rules.players)
    for number in range(rules.players):
        colour = table.cards[U64(table.trick), U64(number)] >> COLOUR_SHIFT
        table.taken[U64(winner), U64(colour)] += 1
    table.winners[U64(table.trick)] = winner
    table.locked[U64(table.trick)] = locker != UNLOCKED
    table.locks += locker != UNLOCKED
    table.tricks_with_turns[U64(turns)] += 1
    table.won_from_place[U64(place)] += 1
    table.locks_at_place[U64(place)] += locker != UNLOCKED
    before, after = table.leads[U64(table.trick), U64(place - (place > 0))], table.leads[U64(table.trick), U64(place)]
    table.won_by_turn_at_place[U64(place)] += before != after
    table.leader = winner


@compiled
def best_place(table, lead, cards):
    """Return the place of the highest of a colour among a trick's first cards: the first of equals (round, step 6).

    Where there is none, it is LAST_PLACE.
    """
    best = I64(0)
    for place in range(cards):
        card = I64(table.cards[U64(table.trick), U64(place)])
        value = ((card & RANK_MASK) << 3) + LAST_PLACE - place
        best = max(best, value if card >> COLOUR_SHIFT == lead else I64(0))
    return LAST_PLACE - (best & LAST_PLACE)


@compiled
def score_round(rules, table, secret):
    """Score the round: each seat's largest count of one colour."""
    for seat in range(rules.players):
        best = 0
        for colour in range(rules.colours):
            best = max(best, table.taken[U64(seat), U64(colour)])
        table.scores[U64(seat)] = best
    table.follower_choices = secret.follower_choices
    table.round += 1
    table.over = 1


@compiled
def write_round(rules, table, secret, row):
    """Write the round's columns."""
    players = rules.players
    column = whole_game_width(players)
    row[U64(column)] = table.start
    row[U64(column + 1)] = table.locks
    row[U64(column + 2)] = table.specials_with_power
    row[U64(column + 3)] = table.specials_without_power
    row[U64(column + 4)] = secret.void_plays
    turns = 0
    for place in range(1, players):
        turns += table.turns_at_place[U64(place)]
        row[U64(column + 5 + place)] = table.turns_at_place[U64(place)]
    row[U64(column + 5)] = turns
    column += 5 + players
    for number in range(players):
        row[U64(column + number)] = table.tricks_with_turns[U64(number)]
    column += players
    for place in range(1, players):
        row[U64(column + place - 1)] = table.won_by_turn_at_place[U64(place)]
    column += players - 1
    for number in range(players):
        row[U64(column + number)] = table.locks_at_place[U64(number)]
        row[U64(column + players + number)] = secret.specials_dealt[U64(number)]
    column += 2 * players
    for seat in range(players):
        for colour in range(rules.colours):
            row[U64(column)] = table.taken[U64(seat), U64(colour)]
            column += 1


@compiled
def winning_score(rules, table):
    """Return the highest score."""
    return highest_score(rules.players, table)


@compiled
def swing(rules, table):
    """Return 1: there is no round to come."""
    return 1


@compiled
def close_game(rules, table, row):
    """Fill the shared columns."""
    tricks, followers = rules.tricks, rules.players - 1
    leader_choices = tricks * (tricks + 1) // 2  # any card may be led: 1 + 2 + .. + tricks
    write_whole_game(rules.players, table, row, tricks, leader_choices, tricks * followers, table.follower_choices)

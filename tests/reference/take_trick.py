"""Take-Trick, played slowly and plainly: the twin against which the fast program is compared.

Cards are text (``"G4"``), and a game comes out as the `trump`, `rounds`, `scores` and `winners` of a game record.
Parameters are the resolved ones, as nested dictionaries. The discard pile is a list with its top at the end.

A shining bamboo that stands in for an extra card (reading T6) counts as the colour that it lies under. One that stands
in for a first card has neither colour nor rank: it counts for nothing, leaves room for as many colours as before, and
has no extra card.

A seat whose player is not ``"random"`` decides by ``choose(kind, seat, view)``:

========  ==================================================================  ================================
kind      it returns                                                          keys of its view
========  ==================================================================  ================================
"pass"    places in ``hand`` of the cards for the left and the right          ALWAYS
          neighbour
"play"    the place in ``hand`` of a card                                     ALWAYS, the keys of playing
"offer"   ``"left"`` or ``"right"``, to whom the card is offered              ALWAYS, of playing, of settling
"answer"  whether it accepts; asked only where it may                         ALWAYS, of playing, of settling
========  ==================================================================  ================================

ALWAYS stands for what every seat knows at all times:

- ``round``: number of the round, from 0; ``leader``: the seat that led its first trick; ``trump``: the trump rank;
- ``scores``: each seat's points up to now;
- ``first``: by seat, the first bamboo as ``{"card": "G4", "extra": True}``; nobody sees what the extra card is;
- ``bamboo``: by seat, how many cards of each colour lie in front of it;
- ``hand``: the seat's own cards.

While playing:

- ``passed``, ``received``: the seat's own ``{"left": card, "right": card}``; None where nobody passes;
- ``tricks``: the finished tricks of the round as in a record, but ``extra`` says only whether there is one;
- ``trick``: the plays of this trick, each ``[seat, card]``.

While a trick is settled:

- ``winner``: of this trick; ``captures``: those that are settled, as in ``tricks``;
- ``gift``: ``{"from": seat, "card": card, "extra": True}``, what is to be offered or answered.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from reference import streams

LETTERS = "GPSRBYWKNCMLTVAO"  # the colours in rising order
TRUMP_WORD = 2**41
PASS, PLAY, OFFER, ANSWER_RIGHT, ANSWER_LEFT = 0, 1, 2, 3, 4  # steps: of a round, and of its first trick
TRICK_STEPS = 4
SHINING = "shining"

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
    trump: int

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.parameters["players"]

    @property
    def size(self) -> int:
        """Cards in a hand."""
        return self.parameters["hand"]["size"]

    @property
    def letters(self) -> str:
        """Letters of the deck's colours."""
        return LETTERS[: self.parameters["deck"]["colours"]]


class Round(NamedTuple):
    """A round up to now."""

    number: int
    leader: int
    scores: list  # running
    hands: list[list[str]]  # in the random player's order
    first: list[dict]
    passes: list[dict]
    bamboo: list[dict[str, int]]
    pile: list[str]  # its top at the end
    tricks: list[dict]
    plays: list[list]  # of this trick
    captures: list[dict]  # of this trick


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
        `trump`, `rounds`, `scores` and `winners`.
    """
    stream = streams.game_stream(seed, game)
    table = Table(parameters, seed, game, players, choose, held, stream, draw_trump(parameters, stream))
    totals, leader, rounds = [0] * table.seats, 0, []
    while not is_over(parameters, rounds):
        rounds.append(play_round(table, len(rounds), leader, totals))
        totals, leader = rounds[-1]["totals"], rounds[-1]["tricks"][-1]["winner"]
    return {
        "trump": table.trump,
        "rounds": rounds,
        "scores": list(totals),
        "winners": winners(totals, parameters["score"]["target"]),
    }


def play_round(table: Table, number: int, leader: int, totals: list) -> dict:
    """Play one round and return its record; `totals` are the scores before it."""
    deck = shuffled(table, number)
    hands = [deck[seat * table.size : (seat + 1) * table.size] for seat in range(table.seats)]
    dealt = [list(hand) for hand in hands]
    first = lay_first(table, deck[table.seats * table.size :], leader)
    bamboo = [{letter: 0 for letter in table.letters} for _ in first]
    state = Round(number, leader, list(totals), hands, first, [], bamboo, [], [], [], [])
    for seat, bamboos in enumerate(first):
        lay(state, seat, bamboos)
    pass_cards(table, state)

    ended = False
    while len(state.tricks) < table.size and not ended:
        ended = play_trick(table, state)
    points = [0] * table.seats if ended else round_points(state.bamboo)
    return {
        "leader": leader,
        "dealt": dealt,
        "first": first,
        "passes": list(state.passes),
        "tricks": state.tricks,
        "bamboo": state.bamboo,
        "points": points,
        "totals": [total + more for total, more in zip(state.scores, points, strict=True)],
        "ended_by_gift": ended,
    }


def is_over(parameters: dict, rounds: list[dict]) -> bool:
    """Tell whether a game is over after these rounds."""
    if not rounds:
        return False
    reached = max(rounds[-1]["totals"]) >= parameters["score"]["target"]
    return rounds[-1]["ended_by_gift"] or reached or len(rounds) == parameters["rounds"]["max"]


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


def draw_trump(parameters: dict, stream: streams.Stream) -> int:
    """Return the trump rank of a game."""
    ranks = parameters["trump"]["ranks"]
    return ranks[streams.below(streams.word(stream, TRUMP_WORD), len(ranks))]


def shuffled(table: Table, number: int) -> list[str]:
    """Return the deck, shuffled as far as a round can need it: the hands by seat, then the stock."""
    deck = new_deck(table.parameters)
    needed = min(len(deck), table.seats * (table.size + 2))
    words = streams.deal_words(table.stream, number)
    if table.held is None:
        streams.shuffle(deck, needed, words)
        return deck
    seat, completions = table.held
    group = streams.game_stream(table.seed, table.game // completions)
    streams.shuffle(deck, needed, streams.held_deal_words(group, number))
    for i in range(table.size):
        deck[i], deck[seat * table.size + i] = deck[seat * table.size + i], deck[i]
    hand, rest = deck[: table.size], deck[table.size :]
    streams.shuffle(rest, needed - table.size, words)
    return rest[: seat * table.size] + hand + rest[seat * table.size :]


def lay_first(table: Table, stock: list[str], leader: int) -> list[dict]:
    """Return each seat's first bamboo, drawn in seat order from the leader; the stock's top is its first card."""
    stock = list(stock)
    first = [{} for _ in range(table.seats)]
    for seat in clockwise(leader, table.seats):
        first[seat] = {"card": draw(stock), "extra": None}
    for seat in clockwise(leader, table.seats):
        card = first[seat]["card"]
        if card != SHINING and rank(card) == table.trump:
            first[seat]["extra"] = draw(stock)
    return first


def draw(stock: list[str]) -> str:
    """Draw the top card of the stock, or a shining bamboo once it has run out."""
    return stock.pop(0) if stock else SHINING


def clockwise(leader: int, seats: int) -> list[int]:
    """Return all seats in the order of play."""
    return [(leader + place) % seats for place in range(seats)]


# Decisions: by the random player exactly as the record format defines it, or by `choose`


def is_random(table: Table, seat: int) -> bool:
    """Tell whether the random player sits at a seat."""
    return table.players[seat] == "random"


def random_below(table: Table, state: Round, step: int, seat: int, n: int) -> int:
    """Return the random player's choice of 0 .. n - 1 at a step of a trick."""
    return streams.below(
        streams.decision_word(table.stream, state.number, step + TRICK_STEPS * len(state.tricks), seat), n
    )


def pass_cards(table: Table, state: Round) -> None:
    """Let each seat give a card to both neighbours, all at once; a single card stays."""
    if table.size == 1:
        return
    seats = range(table.seats)
    places = [choose_pass(table, state, seat) for seat in seats]
    state.passes.extend(
        {"left": hand[left], "right": hand[right]} for hand, (left, right) in zip(state.hands, places, strict=True)
    )
    for seat, (left, right) in enumerate(places):
        state.hands[seat][left] = state.passes[(seat + 1) % table.seats]["right"]
        state.hands[seat][right] = state.passes[(seat - 1) % table.seats]["left"]


def choose_pass(table: Table, state: Round, seat: int) -> tuple[int, int]:
    """Return the places in a hand of the cards for the left and the right neighbour."""
    if is_random(table, seat):
        return random_pass(table.size, streams.decision_word(table.stream, state.number, PASS, seat))
    left, right = table.choose("pass", seat, seen_always(table, state, seat))
    require(left != right and {left, right} <= set(range(table.size)), seat, "pass", (left, right))
    return left, right


def random_pass(size: int, random_word: int) -> tuple[int, int]:
    """Return two different places in a hand, each ordered pair equally likely."""
    left, right = streams.draws(random_word, [size, size - 1])
    return left, right + 1 if right >= left else right


def choose_card(table: Table, state: Round, seat: int) -> str:
    """Return the card that a seat plays, and take it out of its hand."""
    hand = state.hands[seat]
    if is_random(table, seat):
        index = random_below(table, state, PLAY, seat, len(hand))
    else:
        index = table.choose("play", seat, seen_while_playing(table, state, seat))
        require(index in range(len(hand)), seat, "play", index)
    return take(hand, index)


def take(hand: list[str], index: int) -> str:
    """Take a card out of a hand; the last one fills its place."""
    card = hand[index]
    hand[index] = hand[-1]
    hand.pop()
    return card


def choose_receiver(table: Table, state: Round, capture: dict, winner: int) -> int:
    """Return the neighbour to whom a seat offers the card that it may not keep."""
    seat = capture["seat"]
    if is_random(table, seat):
        side = ["left", "right"][random_below(table, state, OFFER, seat, 2)]
    else:
        side = table.choose("offer", seat, seen_while_settling(table, state, seat, capture, winner))
        require(side in ("left", "right"), seat, "offer", side)
    return (seat + (1 if side == "left" else -1)) % table.seats


def choose_answer(table: Table, state: Round, capture: dict, to: int, winner: int) -> bool:
    """Tell whether a seat accepts a gift that it may accept."""
    if is_random(table, to):
        from_right = capture["seat"] == (to - 1) % table.seats
        return random_below(table, state, ANSWER_RIGHT if from_right else ANSWER_LEFT, to, 2) == 1
    accepted = table.choose("answer", to, seen_while_settling(table, state, to, capture, winner))
    require(accepted is True or accepted is False, to, "answer", accepted)
    return accepted


def require(legal: bool, seat: int, kind: str, answer: object) -> None:
    """Raise ValueError where `choose` answered something that the rules don't allow."""
    if not legal:
        raise ValueError(f"seat {seat}, {kind}: {answer!r} isn't allowed")


# What a seat sees


def seen_always(table: Table, state: Round, seat: int) -> dict:
    """Return what a seat knows at any time of a round."""
    return {
        "round": state.number,
        "leader": state.leader,
        "trump": table.trump,
        "scores": list(state.scores),
        "first": [face_down(bamboo) for bamboo in state.first],
        "bamboo": [dict(counts) for counts in state.bamboo],
        "hand": list(state.hands[seat]),
    }


def seen_while_playing(table: Table, state: Round, seat: int) -> dict:
    """Return the view of a seat that plays a card."""
    passed = received = None
    if state.passes:
        left, right = state.passes[(seat + 1) % table.seats], state.passes[(seat - 1) % table.seats]
        passed, received = dict(state.passes[seat]), {"left": left["right"], "right": right["left"]}
    return seen_always(table, state, seat) | {
        "passed": passed,
        "received": received,
        "tricks": [seen_trick(trick) for trick in state.tricks],
        "trick": [list(play) for play in state.plays],
    }


def seen_while_settling(table: Table, state: Round, seat: int, capture: dict, winner: int) -> dict:
    """Return the view of a seat that offers or answers a gift."""
    gift = {"from": capture["seat"], "card": capture["card"], "extra": capture["extra"] is not None}
    captures = [seen_capture(settled) for settled in state.captures]
    return seen_while_playing(table, state, seat) | {"winner": winner, "captures": captures, "gift": gift}


def seen_trick(trick: dict) -> dict:
    """Return a finished trick as all seats know it."""
    plays, captures = [list(play) for play in trick["plays"]], [seen_capture(each) for each in trick["captures"]]
    return trick | {"plays": plays, "captures": captures, "scores": list(trick["scores"])}


def seen_capture(capture: dict) -> dict:
    """Return a settled capture as all seats know it."""
    return face_down(capture) | {"gift": capture["gift"] and dict(capture["gift"])}


def face_down(bamboo: dict) -> dict:
    """Return a card and its extra, of which only the back is seen."""
    return bamboo | {"extra": bamboo["extra"] is not None}


# Rules


def play_trick(table: Table, state: Round) -> bool:
    """Play and settle a trick; tell whether a gift ended the game."""
    leader = state.tricks[-1]["winner"] if state.tricks else state.leader
    state.plays.clear()
    state.captures.clear()
    for seat in clockwise(leader, table.seats):
        state.plays.append([seat, choose_card(table, state, seat)])
    winner = trick_winner(state.plays, table.trump)
    ended = settle(table, state, winner)
    state.tricks.append(
        {
            "leader": leader,
            "plays": list(state.plays),
            "winner": winner,
            "captures": list(state.captures),
            "scores": list(state.scores),
        }
    )
    return ended


def trick_winner(plays: list[list], trump: int) -> int:
    """Return the seat with the earliest card of the trump rank, or else the highest, earliest one of the colour led."""
    trumps = [seat for seat, card in plays if rank(card) == trump]
    if trumps:
        return trumps[0]
    winner, best = plays[0]
    for seat, card in plays[1:]:
        if colour(card) == colour(best) and rank(card) > rank(best):
            winner, best = seat, card
    return winner


def settle(table: Table, state: Round, winner: int) -> bool:
    """Settle a trick's captures and gifts, then discard the rest; tell whether a gift ended the game."""
    cards = dict(state.plays)
    capturing = capturing_seats(state.plays, winner)
    uncaptured = [card for seat, card in state.plays if seat not in capturing]
    for seat in capturing:
        forbidden = is_beyond(table, state, seat, cards[seat])
        forfeits = forbidden and table.parameters["gift"]["extra"] == "forfeit"
        takes_extra = seat == winner and rank(cards[seat]) == table.trump and not forfeits
        extra = take_extra(state.pile, uncaptured) if takes_extra else None
        capture = {"seat": seat, "card": cards[seat], "extra": extra, "gift": None}
        if forbidden:
            capture["gift"] = give(table, state, capture, winner)
        else:
            lay(state, seat, capture)
        state.captures.append(capture)
        if forbidden and capture["gift"]["accepted"] and max(state.scores) >= table.parameters["score"]["target"]:
            return True
    state.pile.extend(uncaptured)
    return False


def capturing_seats(plays: list[list], winner: int) -> list[int]:
    """Return the winner, then in the order of play all others with a 1 of the colour led."""
    led = colour(plays[0][1])
    return [winner] + [seat for seat, card in plays if seat != winner and colour(card) == led and rank(card) == 1]


def is_beyond(table: Table, state: Round, seat: int, card: str) -> bool:
    """Tell whether a card would bring a seat a colour more than it may hold."""
    present = [letter for letter, count in state.bamboo[seat].items() if count]
    return colour(card) not in present and len(present) >= table.parameters["colours"]["max"]


def take_extra(pile: list[str], uncaptured: list[str]) -> str | None:
    """Take the top of the pile; while it is empty, the earliest card of the trick that nobody captures."""
    if pile:
        return pile.pop()
    return uncaptured.pop(0) if uncaptured else None


def lay(state: Round, seat: int, bamboo: dict) -> None:
    """Lay a card before a seat; its extra counts as the same colour."""
    if bamboo["card"] != SHINING:
        state.bamboo[seat][colour(bamboo["card"])] += 1 if bamboo["extra"] is None else 2


def give(table: Table, state: Round, capture: dict, winner: int) -> dict:
    """Offer a card that its seat may not keep, see to cards and points, and return the gift's record."""
    rules, seat = table.parameters["gift"], capture["seat"]
    to = choose_receiver(table, state, capture, winner)
    allowed = not is_beyond(table, state, to, capture["card"])
    accepted = allowed and choose_answer(table, state, capture, to, winner)
    if accepted:
        lay(state, to, capture)
        state.scores[seat] += rules["points"]
        state.scores[to] += rules["points"]
    else:
        state.pile.extend(card for card in (capture["card"], capture["extra"]) if card is not None)
        payer = winner if rules["penalty_falls_on"] == "trick_winner" else seat
        state.scores[payer] = max(0, state.scores[payer] - rules["penalty"])
    return {"to": to, "accepted": accepted}


def round_points(bamboo: list[dict[str, int]]) -> list[int]:
    """Return what each seat's bamboo scores: all colours but those of which it alone has the most."""
    columns = [[counts[letter] for counts in bamboo] for letter in bamboo[0]]
    return [sum(colour_points(counts, seat) for counts in columns) for seat in each(bamboo)]


def colour_points(counts: list[int], seat: int) -> int:
    """Return what a seat scores for one colour, of which `counts` lie before the seats."""
    same = counts.count(counts[seat])
    alone = same == 1 and counts[seat] == max(counts)
    return 0 if alone else counts[seat] * same


def each(items: list) -> range:
    """Return the seats of a list that has an item for each."""
    return range(len(items))


def winners(totals: list, target: int) -> list[int]:
    """Return who wins: of those at the target the nearest to it, and if there is none, the highest."""
    reached = [total for total in totals if total >= target]
    best = min(reached) if reached else max(totals)
    return [seat for seat in each(totals) if totals[seat] == best]


# Measures


def row(record: dict, parameters: dict) -> dict[str, int]:
    """Return a game's measures from its record and its parameters.

    Seats (s), rounds (r) and places in a trick (p) are numbered from 0; what belongs to a round that wasn't played
    is 0.

    - `score_s`, `win_s`, `trump`, `rounds` (played), `start_r` (the round's leader), `ended_by_gift`;
    - `leader_plays`, `leader_choices`, `follower_plays`, `follower_choices`: cards played, and cards in hand then;
    - `won_from_place_p`, `trump_wins`: tricks won from a place, and with a card of the trump rank;
    - `gifts_offered`: of these `gifts_accepted`, `gifts_forced` (the receiver had to refuse), `gifts_refused` (by
      choice);
    - `gift_points_s`, `penalties_s`: points won by accepted gifts, and really lost by refused ones;
    - `loser_ones`: settled captures by seats that didn't win the trick, whether they kept the card or not;
    - `extras_taken`, `extras_missing`: winning trumps that took an extra card (whether it was kept or not), and that
      found none; a forfeited extra is neither;
    - `round_score_r_s`: a seat's total as the round closed.
    """
    seats = range(parameters["players"])
    measures = {"trump": record["trump"], "rounds": len(record["rounds"])}
    measures |= {f"score_{seat}": record["scores"][seat] for seat in seats}
    measures |= {f"win_{seat}": int(seat in record["winners"]) for seat in seats}
    measures |= count_choices(record)
    measures |= {f"won_from_place_{place}": tricks_won_from(record, place) for place in seats}
    measures |= count_captures(record, parameters)
    measures |= count_gifts(record, parameters)
    for number in range(parameters["rounds"]["max"]):
        played = record["rounds"][number] if number < len(record["rounds"]) else None
        measures[f"start_{number}"] = played["leader"] if played else 0
        for seat in seats:
            measures[f"round_score_{number}_{seat}"] = played["totals"][seat] if played else 0
    return measures | {"ended_by_gift": int(record["rounds"][-1]["ended_by_gift"])}


def tricks_of(record: dict) -> list[dict]:
    """Return the tricks of all rounds."""
    return [trick for played in record["rounds"] for trick in played["tricks"]]


def count_choices(record: dict) -> dict[str, int]:
    """Count the cards played by leaders and followers, and the cards that they could have played."""
    counts = {"leader_plays": 0, "leader_choices": 0, "follower_plays": 0, "follower_choices": 0}
    for played in record["rounds"]:
        left = len(played["dealt"][0])  # any card may be played
        for number, trick in enumerate(played["tricks"]):
            for seat, _ in trick["plays"]:
                role = "leader" if seat == trick["leader"] else "follower"
                counts[f"{role}_plays"] += 1
                counts[f"{role}_choices"] += left - number
    return counts


def tricks_won_from(record: dict, place: int) -> int:
    """Count the tricks won by the seat that played to them as number `place`."""
    return sum(trick["plays"][place][0] == trick["winner"] for trick in tricks_of(record))


def count_captures(record: dict, parameters: dict) -> dict[str, int]:
    """Count trumps that won, their extra cards, and 1s captured by others than the winner."""
    counts = {"trump_wins": 0, "extras_taken": 0, "extras_missing": 0, "loser_ones": 0}
    for trick in tricks_of(record):
        won, *others = trick["captures"]
        counts["loser_ones"] += len(others)
        if rank(won["card"]) != record["trump"]:
            continue
        forfeited = won["gift"] is not None and parameters["gift"]["extra"] == "forfeit"
        counts["trump_wins"] += 1
        counts["extras_taken"] += won["extra"] is not None
        counts["extras_missing"] += won["extra"] is None and not forfeited
    return counts


def count_gifts(record: dict, parameters: dict) -> dict[str, int]:
    """Count gifts by what became of them, and each seat's points won and lost by them."""
    rules, seats = parameters["gift"], range(parameters["players"])
    counts = {f"gifts_{kind}": 0 for kind in ("offered", "accepted", "forced", "refused")}
    counts |= {f"{kind}_{seat}": 0 for kind in ("gift_points", "penalties") for seat in seats}
    scores = [0 for _ in seats]
    for played in record["rounds"]:
        for winner, seat, gift, had_to_refuse in offers(played, parameters):
            counts["gifts_offered"] += 1
            counts[f"gifts_{'accepted' if gift['accepted'] else 'forced' if had_to_refuse else 'refused'}"] += 1
            for one in (seat, gift["to"]) if gift["accepted"] else ():
                counts[f"gift_points_{one}"] += rules["points"]
                scores[one] += rules["points"]
            if not gift["accepted"]:
                payer = winner if rules["penalty_falls_on"] == "trick_winner" else seat
                lost = min(scores[payer], rules["penalty"])
                counts[f"penalties_{payer}"] += lost
                scores[payer] -= lost
        scores = list(played["totals"])
    return counts


def offers(played: dict, parameters: dict) -> list[tuple[int, int, dict, bool]]:
    """Return a round's gifts: the trick's winner, the giver, the gift and whether it had to be refused."""
    fronts = [{colour(bamboo["card"])} - {colour(SHINING)} for bamboo in played["first"]]
    found = []
    for trick in played["tricks"]:
        for capture in trick["captures"]:
            gift, letter = capture["gift"], colour(capture["card"])
            keeper = gift["to"] if gift else capture["seat"]
            if gift:
                had_to_refuse = len(fronts[keeper] | {letter}) > parameters["colours"]["max"]
                found.append((trick["winner"], capture["seat"], gift, had_to_refuse))
            if not gift or gift["accepted"]:
                fronts[keeper].add(letter)
    return found

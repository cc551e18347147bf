"""Plant single rule faults, one at a time, and see that a test notices each: ``python -m benchmarks.planted_faults``.

A word behind the command picks the faults whose file or sentence has it (``... planted_faults take_trick``). Each fault
is planted in a copy of what git tracks, as it lies in the working tree. The tests that are expected to notice it run
there, after they have passed in a copy without a fault. What is printed is a table: the fault, its file, and the first
test that turned red. The exit status is 1 if no test turns red for a fault, 2 if a fault can't be planted.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from simlib.errors import BadInput
from simlib.experiments import ROOT

LONGEST = 600  # seconds for the tests of one fault
# a test is red for what it claims, and not because a fault doesn't compile
CLAIM = re.compile(r"(AssertionError|assert|Failed: DID NOT RAISE|simlib\.errors\.RuleViolation)\b")
RED = re.compile(r"^FAILED (tests/.*?) - (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Fault:
    """One rule fault.

    Attributes
    ----------
    sentence : str
        What is then played or judged, against the rules.
    file : str
        Where it is planted.
    old, new : str
        What stands there exactly once, and what the fault puts in its place.
    tests : str
        The tests that are expected to notice, as pytest's arguments.
    """

    sentence: str
    file: str
    old: str
    new: str
    tests: str


GARA_TORI = "simlib/games/gara_tori/rules.py"
GARA_TORI_TESTS = "tests/games/gara_tori/test_rules.py"
GARA_TORI_GAMES = "tests/test_play_gara_tori.py::test_classic_games_agree[4]"
GARA_TORI_REFEREE = "simlib/games/gara_tori/referee.py"
GARA_TORI_REFEREE_TESTS = "tests/games/gara_tori/test_referee.py"
TAKE_TRICK = "simlib/games/take_trick/rules.py"
TAKE_TRICK_TESTS = "tests/games/take_trick/test_rules.py -m 'not kernel'"
TAKE_TRICK_ENDS = "tests/test_play_take_trick.py::test_no_trick_follows_a_gift_that_ends_the_game"
TAKE_TRICK_REFEREE = "simlib/games/take_trick/referee.py"
TAKE_TRICK_REFEREE_TESTS = "tests/games/take_trick/test_referee.py"
SUPPOSE = "simlib/games/suppose/rules.py"
SUPPOSE_TESTS = "tests/games/suppose/test_rules.py"
SUPPOSE_GAMES = "tests/test_play.py::test_classic_games_agree[4]"
SUPPOSE_REFEREE = "simlib/games/suppose/referee.py"
SUPPOSE_REFEREE_TESTS = "tests/games/suppose/test_referee.py"

FAULTS = [
    # Gara-tori
    Fault(
        "a special without power wins once the lead has turned to its colour (G4)",
        GARA_TORI,
        "value = ((card & RANK_MASK) << 3)",
        "value = (((card - 1) & RANK_MASK) << 3)",
        GARA_TORI_TESTS,
    ),
    Fault(
        "a special locks the trick whatever colour leads",
        GARA_TORI,
        "(rank == SPECIAL) & (colour == new_lead)",
        "rank == SPECIAL",
        GARA_TORI_TESTS,
    ),
    Fault(
        "the lead turns in a locked trick too",
        GARA_TORI,
        "turning = matches & (locker == UNLOCKED) &",
        "turning = matches &",
        GARA_TORI_TESTS,
    ),
    Fault(
        "a void seat never turns the lead (G2)",
        GARA_TORI,
        "(rules.void_match_turns | (view.void ^ 1))",
        "(view.void ^ 1)",
        GARA_TORI_TESTS,
    ),
    Fault(
        "a special never obliges to follow (G3)",
        GARA_TORI,
        "if rank != SPECIAL or parameters.follow.special_counts:",
        "if rank != SPECIAL:",
        GARA_TORI_TESTS,
    ),
    Fault(
        "the last special that locks wins (G5)",
        GARA_TORI,
        "place if power & (locker == UNLOCKED) else locker",
        "place if power else locker",
        GARA_TORI_TESTS,
    ),
    Fault(
        "only the pattern of the card before counts as played",
        GARA_TORI,
        "patterns |= (U64(1)",
        "patterns = (U64(1)",
        GARA_TORI_TESTS,
    ),
    Fault(
        "specials share a pattern",
        GARA_TORI,
        " & ~U64(1)\n",
        "\n",
        GARA_TORI_TESTS,
    ),
    Fault(
        "a seat scores all the cards that it took",
        GARA_TORI,
        "best = max(best, table.taken[U64(seat), U64(colour)])",
        "best += table.taken[U64(seat), U64(colour)]",
        GARA_TORI_GAMES,
    ),
    Fault(
        "the columns of turns are off by one place",
        GARA_TORI,
        "row[U64(column + 5 + place)]",
        "row[U64(column + 4 + place)]",
        GARA_TORI_GAMES,
    ),
    Fault(
        "the dealer's left neighbour leads",
        GARA_TORI,
        "table.start = 0\n    table.leader = 0",
        "table.start = 0\n    table.leader = 1",
        GARA_TORI_GAMES,
    ),
    Fault(
        "the referee lets the last of equal cards win",
        GARA_TORI_REFEREE,
        "return ranks.index(max(ranks))",
        "return len(ranks) - 1 - ranks[::-1].index(max(ranks))",
        f"{GARA_TORI_REFEREE_TESTS}::test_of_equal_cards_the_first_played_wins",
    ),
    Fault(
        "the referee gives a special that is led no power",
        GARA_TORI_REFEREE,
        "if card.rank == SPECIAL and card.colour == self.lead:",
        "if self.cards and card.rank == SPECIAL and card.colour == self.lead:",
        f"{GARA_TORI_REFEREE_TESTS}::test_a_special_that_is_led_locks_the_trick",
    ),
    Fault(
        "the referee lets specials match specials",
        GARA_TORI_REFEREE,
        "return card.rank != SPECIAL and card.rank in",
        "return card.rank in",
        f"{GARA_TORI_REFEREE_TESTS}::test_specials_have_no_pattern",
    ),
    Fault(
        "the referee lets no void seat turn the lead (G2)",
        GARA_TORI_REFEREE,
        "(self.rules.lead.void_match_turns or not is_void)",
        "not is_void",
        f"{GARA_TORI_REFEREE_TESTS}::test_a_void_seat_turns_the_lead_too",
    ),
    # Take-Trick
    Fault(
        "the last of equal cards, and the last trump, wins",
        TAKE_TRICK,
        "wins = strength > best",
        "wins = strength >= best",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "a trump must follow the leader's colour to win",
        TAKE_TRICK,
        "return TRUMPED if rank == table.trump else",
        "return TRUMPED if follows and rank == table.trump else",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "the extra card comes from the bottom of the pile (T5)",
        TAKE_TRICK,
        "return I64(secret.pile[U64(table.discards)])",
        "return I64(secret.pile[U64(0)])",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "a 1 that wins is captured twice (T7)",
        TAKE_TRICK,
        "table.ones = ones & ~(I64(1) << place)",
        "table.ones = ones",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "a seat may hold one colour too many",
        TAKE_TRICK,
        "popcount(colours) < rules.colours_max",
        "popcount(colours) <= rules.colours_max",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "a gift is paid for each card (T10)",
        TAKE_TRICK,
        "table.scores[U64(seat)] += rules.gift_points",
        "table.scores[U64(seat)] += rules.gift_points * count",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "a penalty takes a score below 0",
        TAKE_TRICK,
        "loss = min(rules.gift_penalty, table.scores[U64(payer)])",
        "loss = rules.gift_penalty",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "winner and giver pay the wrong way round (T2)",
        TAKE_TRICK,
        "giver if rules.giver_pays else table.leader",
        "table.leader if rules.giver_pays else giver",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "a seat that alone has the most scores",
        TAKE_TRICK,
        "if count < most or same > 1:",
        "if count:",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "a round that a gift ended is scored (T8)",
        TAKE_TRICK,
        "    if table.over:  # reading T8\n        return\n",
        "",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "of those at the target the farthest wins",
        TAKE_TRICK,
        "nearer = best < rules.target or score < best",
        "nearer = best < rules.target or score > best",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "seat 0 leads every round",
        TAKE_TRICK,
        "        table.leader = 0  # reading T9",
        "    table.leader = 0  # reading T9",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "the last trump marker is never drawn",
        TAKE_TRICK,
        "U64(rules.trumps))",
        "U64(rules.trumps - 1))",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "cards for the left go right and the other way round",
        TAKE_TRICK,
        "U64(giver.gives[LEFT]), U64(receiver.gives[RIGHT])",
        "U64(giver.gives[RIGHT]), U64(receiver.gives[LEFT])",
        TAKE_TRICK_TESTS,
    ),
    Fault(
        "the referee gives nothing to seats that are tied for the most",
        TAKE_TRICK_REFEREE,
        "if count == max(counts) and seats[count] == 1 else",
        "if count == max(counts) else",
        f"{TAKE_TRICK_REFEREE_TESTS}::test_a_seat_with_none_and_the_most_alone_score_nothing",
    ),
    Fault(
        "the referee lets the farthest above the target win",
        TAKE_TRICK_REFEREE,
        "best = min(reached)",
        "best = max(reached)",
        f"{TAKE_TRICK_REFEREE_TESTS}::test_of_those_at_the_target_the_nearest_wins",
    ),
    Fault(
        "the referee captures the 1s of all colours",
        TAKE_TRICK_REFEREE,
        "if card == one and seat != winner",
        "if card.rank == one.rank and seat != winner",
        f"{TAKE_TRICK_REFEREE_TESTS}::test_a_1_of_another_colour_is_not_captured",
    ),
    Fault(
        "the referee lets the extra first cards go round from seat 0 (T6)",
        TAKE_TRICK_REFEREE,
        "for seat in _clockwise(leader, game.seats) if _is_trump",
        "for seat in _clockwise(0, game.seats) if _is_trump",
        f"{TAKE_TRICK_REFEREE_TESTS}::test_t6_the_stock_goes_round_from_the_leader",
    ),
    Fault(
        "the referee puts a refused gift's extra card under its card (T5)",
        TAKE_TRICK_REFEREE,
        "table.pile += moved",
        "table.pile += moved[::-1]",
        f"{TAKE_TRICK_REFEREE_TESTS}::test_t5_the_extra_card_is_the_last_discarded_one_or_the_earliest_that_nobody_captures",
    ),
    # Suppose
    Fault(
        "the last of equal cards wins",
        SUPPOSE,
        "(best ^ card < cards.RANKS) & (card > best)",
        "(best ^ card < cards.RANKS) & (card >= best)",
        SUPPOSE_TESTS,
    ),
    Fault(
        "a higher card of any later colour wins",
        SUPPOSE,
        "((best ^ card < cards.RANKS) & (card > best))",
        "(card > best)",
        SUPPOSE_TESTS,
    ),
    Fault(
        "the start marker stays where it is",
        SUPPOSE,
        "table.start = next_seat(rules, table.start) if",
        "table.start = table.start if",
        SUPPOSE_TESTS,
    ),
    Fault(
        "a bid is compared with the bidder's own tricks",
        SUPPOSE,
        "won = table.tricks_won[U64(next_seat(rules, I64(seat)))]",
        "won = table.tricks_won[seat]",
        SUPPOSE_TESTS,
    ),
    Fault(
        "one guess pays what two should",
        SUPPOSE,
        "(rules.single if high == NO_GUESS else rules.double)",
        "(rules.double if high == NO_GUESS else rules.single)",
        SUPPOSE_TESTS,
    ),
    Fault(
        "hands stay with their makers",
        SUPPOSE,
        "layout, ranks, count = secret.layouts[U64(next_seat(rules, I64(maker)))]",
        "layout, ranks, count = secret.layouts[maker]",
        SUPPOSE_TESTS,
    ),
    Fault(
        "a position can be played twice",
        SUPPOSE,
        "    row[U64(pick)] = row[last]\n",
        "",
        SUPPOSE_TESTS,
    ),
    Fault(
        "the last round is left out",
        SUPPOSE,
        "table.over = table.round == rules.rounds",
        "table.over = table.round + 1 == rules.rounds",
        SUPPOSE_TESTS,
    ),
    Fault(
        "the middle of an even hand is right of its middle (S4)",
        "simlib/games/suppose/parameters.py",
        "return sorted({1, (size + 1) // 2, size})",
        "return sorted({1, size // 2 + 1, size})",
        "tests/test_records.py -k missing_parameters_have",
    ),
    Fault(
        "the referee lets the last of equal cards win",
        SUPPOSE_REFEREE,
        "card.colour == cards[0].colour and card.rank > cards[best].rank",
        "card.colour == cards[0].colour and card.rank >= cards[best].rank",
        f"{SUPPOSE_REFEREE_TESTS}::test_earliest_of_equal_ranks_wins",
    ),
    Fault(
        "the referee compares a bid with the right neighbour's tricks",
        SUPPOSE_REFEREE,
        "neighbours = won[1:] + won[:1]",
        "neighbours = won[-1:] + won[:-1]",
        f"{SUPPOSE_REFEREE_TESTS}::test_the_bonus_is_for_the_seat_that_predicted",
    ),
    Fault(
        "the referee forbids equal ranks side by side",
        SUPPOSE_REFEREE,
        "if before[-1].rank < card.rank:",
        "if before[-1].rank <= card.rank:",
        f"{SUPPOSE_REFEREE_TESTS}::test_equal_ranks_may_stand_side_by_side",
    ),
    Fault(
        "the referee leaves the start marker where it is",
        SUPPOSE_REFEREE,
        "start = (start + 1) % rules.players",
        "start = start % rules.players",
        f"{SUPPOSE_REFEREE_TESTS}::test_the_start_marker_goes_to_the_left_neighbour_each_round",
    ),
    # all games (Suppose and Take-Trick show them)
    Fault(
        "play goes anticlockwise",
        "simlib/tricks.py",
        "        seat += 1\n    close_trick(",
        "        seat += rules.players - 1\n    close_trick(",
        SUPPOSE_GAMES,
    ),
    Fault(
        "tricks go on when a gift has ended the game",
        "simlib/tricks.py",
        "        if table.over:\n            break\n",
        "",
        TAKE_TRICK_ENDS,
    ),
    Fault(
        "each completion has a held hand of its own",
        "simlib/play.py",
        "game // U64(rules.completions)",
        "game % U64(rules.completions)",
        "tests/test_play.py::test_held_hands_agree[2]",
    ),
    Fault(
        "a held hand is shuffled again with the rest",
        "simlib/dealing.py",
        "shuffle(deck, size, rules.deck_size, rules.plans[1]",
        "shuffle(deck, 0, rules.deck_size, rules.plans[1]",
        "tests/test_streams.py -k held_hands",
    ),
    Fault(
        "a shuffle never picks the last card",
        "simlib/streams.py",
        "draw(word, end - place)",
        "draw(word, end - place - U64(1))",
        "tests/test_streams.py -k each_card",
    ),
    Fault(
        "a draw keeps the words of an incomplete last share",
        "simlib/streams.py",
        "unfair = (U64(0) - product) % product",
        "unfair = U64(0)",
        "tests/test_streams.py -k exactly_as_many",
    ),
    Fault(
        "seat 1 can't have the highest score",
        "simlib/state.py",
        "for seat in range(1, players):",
        "for seat in range(2, players):",
        SUPPOSE_GAMES,
    ),
    Fault(
        "the columns of trick winners are off by one place",
        "simlib/state.py",
        "row[U64(2 * players + 4 + seat)]",
        "row[U64(2 * players + 3 + seat)]",
        SUPPOSE_GAMES,
    ),
    Fault(
        "referees let the first of equal scores win alone",
        "simlib/judging.py",
        "wanted = [seat for seat, score in enumerate(scores) if score == max(scores)]",
        "wanted = [scores.index(max(scores))]",
        f"{SUPPOSE_REFEREE_TESTS}::test_equal_highest_totals_share_the_win",
    ),
]


def main(words: list[str]) -> int:
    """Plant the faults that a word picks, or all of them."""
    begun = time.perf_counter()
    chosen = [fault for fault in FAULTS if all(word in f"{fault.file} {fault.sentence}" for word in words)]
    try:
        if not chosen:
            raise BadInput(f"no planted fault has {' and '.join(map(repr, words))} in its file or sentence")
        for fault in chosen:
            planted(fault)
        check_green(chosen)
        unnoticed = sum(not report(fault) for fault in chosen)
    except BadInput as error:
        print(error, file=sys.stderr)
        return 2
    print(f"\n{len(chosen)} faults, {unnoticed} unnoticed, {time.perf_counter() - begun:.0f} s")
    return int(unnoticed > 0)


def planted(fault: Fault) -> str:
    """Return the text of a fault's file with the fault in it."""
    text = (ROOT / fault.file).read_text(encoding="utf-8")
    if text.count(fault.old) != 1:
        raise BadInput(f"{fault.file}: {fault.old!r} stands there {text.count(fault.old)} times, expected once")
    return text.replace(fault.old, fault.new)


def check_green(faults: list[Fault]) -> None:
    """See that the tests which are to notice faults pass without any."""
    with tree() as folder:
        for tests in dict.fromkeys(fault.tests for fault in faults):
            done = run(folder, tests)
            if done.returncode:
                raise BadInput(f"without a fault, {tests} doesn't pass: {done.stdout[-300:]}")


def report(fault: Fault) -> bool:
    """Plant one fault, print its row of the table, and return whether a test noticed it."""
    with tree() as folder:
        (folder / fault.file).write_text(planted(fault), encoding="utf-8")
        done = run(folder, fault.tests)
    red = RED.search(done.stdout)
    noticed = red is not None and CLAIM.match(red[2]) is not None
    told = f"`{red[1]}`" if red and noticed else f"**none** ({red[0] if red else f'status {done.returncode}'})"
    print(f"| {fault.sentence} | `{fault.file}` | {told} |", flush=True)
    return noticed


@contextmanager
def tree() -> Iterator[Path]:
    """Copy what git tracks, as it lies in the working tree, to a temporary folder."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory(prefix="simlib-fault-") as name:
        for path in filter(None, listed.split("\0")):
            (Path(name) / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, Path(name) / path)
        yield Path(name)


def run(folder: Path, tests: str) -> "subprocess.CompletedProcess[str]":
    """Run some tests of a copy up to the first red one, with compiled code of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment |= {"PYTHONPATH": str(folder), "COLUMNS": "400"}
    command = [sys.executable, "-m", "pytest", *shlex.split(tests), "-x", "-q", "--tb=no", "-p", "no:cacheprovider"]
    try:
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, f"no end in {LONGEST} s", "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

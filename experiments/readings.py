"""Which readings of the unclear rules matter, and by how much?

Where a rule sheet is silent or can be read in two ways, a numbered reading says how it is played here. Each that has
another value is played with it on the same deals, or scores the same plays anew. Of those that stand firm, it is
counted how often the place comes up at all: more games than that they can't change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.words import listed, text
from simlib.experiments import Plan, Request
from simlib.figures import charts, small
from simlib.findings import Chart, Finding, Headline, Picture, Table, tile
from simlib.frames import frame_of
from simlib.games import game_named, make_variant
from simlib.heavy import pd
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting, joint_sums
from simlib.results import Results
from simlib.survey import (
    PLAYED,
    WHOLE,
    Cell,
    Figure,
    Kind,
    Survey,
    decent,
    dots,
    headline,
    joined,
    kinds_named,
    main_cell,
    main_cells,
    pictured,
    row_columns,
    scores_in,
    seats_of,
    unit_of,
    variants_by_seats,
    wins_in,
)
from simlib.variants import Variant

GAME = "all"
TITLE = "Which readings of the rules matter?"
GAMES = 12_000
MOST_TOLD = 3  # values of readings that get a tile
THIN = 2
POINTS = Figure("points a seat and game", "points", "seats", unit="points", matters=0.25)
GAP = Figure("first less last, points a game", "gap", "units", unit="points", matters=0.25)
START = Figure("win share of the start seat", "start", scale=1 / WHOLE, percent=True, matters=0.02)
CHOICES = Figure("choices a decision", "choices", "plays", unit="cards", matters=0.05)
FIGURES = (POINTS, GAP, START, CHOICES)
MOVED = Figure("games whose winners change", "moved", percent=True, chance=True)
COUNTS = ("points", "gap", "start", "choices", "plays", "seats", "units", "moved")
OFTEN = 0.9  # share of games from which a reading comes up so often that the figure says nothing more
MATTERS = "matters"
SLIGHT = "changes little on average"
OPEN = "is undecided"
GLOSSARY = [
    ("reading", "a numbered decision on how an unclear place of a rule sheet is played; `simlib rules` prints them"),
    ("matters", "one of the four figures clearly changes by more than what is called small"),
    ("small", "up to 0.25 points a game, 2 points of a per cent of wins, 0.05 choices a decision"),
    ("other deck", "the reading changes the cards, so deals are not the same ones, and who wins isn't compared"),
    ("scored anew", "the same plays with other points: what players would do otherwise is left out"),
    ("winners change", "the set of seats that win or share the win is another one on the same deal"),
    ("first less last", "the highest final score of a game less its lowest"),
    ("choices a decision", "legal cards, over all cards led or followed with"),
    ("comes up", "games in which the reading's place is met; it can't change more of them"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


# ---- the readings --------------------------------------------------------------------------------------------------


class Other(NamedTuple):
    """Other values of a reading: each changes parameters, or scores the same rows anew."""

    key: str = ""
    values: tuple[Any, ...] = ()
    deck: bool = False


PARAMETERS = {
    "S1": Other("bid.min_guesses", (0, 1, 2)),
    "G1": Other("deck.preset", ("64", "sixty"), deck=True),
    "G2": Other("lead.void_match_turns", (True, False)),
    "G3": Other("follow.special_counts", (True, False)),
    "T1": Other("deck.preset", ("six", "nine"), deck=True),
    "T2": Other("gift.penalty_falls_on", ("trick_winner", "giver")),
    "T3": Other("gift.extra", ("together", "forfeit")),
}
ANEW = {"S3": "S3 = bonus to who won the tricks"}
NAMING = {
    "S2": "only says how positions are named",
    "S4": "only says which seat is called 0 (with an even hand it places the middle card, too)",
    "T7": "only rules out that one card is captured twice",
    "T9": "only says which seat is called 0",
}
_WITH_DECK = ("deck.preset", "deck.ranks", "deck.copies", "trump.ranks")  # what a preset of a deck stands for


def arms(variant: Variant) -> dict[str, Variant]:
    """Return the variant, one for each other value of its game's readings, and the variant again to be scored anew."""
    made = {PLAYED: variant}
    for reading in game_named(variant.game).readings:
        if reading in ANEW:
            made[ANEW[reading]] = variant
        for value in PARAMETERS.get(reading, Other()).values:
            made |= _arm(variant, reading, value)
    return made


def _arm(variant: Variant, reading: str, value: Any) -> dict[str, Variant]:
    other, flat = PARAMETERS[reading], variant.flat()
    kept = {key: part for key, part in flat.items() if not (other.deck and key in _WITH_DECK)}
    try:
        same, made = (_variant(variant.game, kept | {other.key: each}) for each in (flat[other.key], value))
    except BadInput:  # such a deck is too small for these hands
        return {}
    if same.fingerprint != variant.fingerprint or made.fingerprint == variant.fingerprint:  # a deck of one's own
        return {}
    return {f"{reading} = {str(value).lower()}": made}


def _variant(game: str, settings: dict[str, Any]) -> Variant:
    return make_variant(game_named(game), settings=settings)


def reading_of(arm: str) -> str:
    """Return an arm's reading.

    Examples
    --------
    >>> reading_of("G2 = false")
    'G2'
    """
    return arm.partition(" = ")[0]


def same_deals(arm: str) -> bool:
    """Tell whether an arm is played with the same cards."""
    return not PARAMETERS.get(reading_of(arm), Other()).deck


def met(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return in which games the place of each reading that stands firm is met, or may be: 0 or 1 by reading."""
    column = row_columns(variant)

    def some(*names: str) -> np.ndarray:
        return np.any([rows[:, column[name]] > 0 for name in names], axis=0)

    if variant.game == "gara_tori":
        several = np.full(len(rows), variant.parameters.deck.specials > 1)
        return {"G4": some("specials_without_power"), "G5": several & some("specials_with_power")}
    if variant.game == "take_trick":
        refused, extras = some("gifts_forced", "gifts_refused"), some("extras_taken", "extras_missing")
        small_trump = np.full(len(rows), 1 in variant.parameters.trump.ranks)
        return {
            "T4": some("loser_ones"),
            "T5": extras,
            "T6": np.full(len(rows), _stock(variant) < 2 * seats_of(variant)),
            "T8": some("ended_by_gift"),
            "T10": some("gifts_accepted", "gifts_forced"),
            "T11": (small_trump | (refused & extras)) & some("loser_ones"),
        }
    return {}


def _stock(variant: Variant) -> int:
    """Return how many cards are left when all hands are dealt."""
    parameters = variant.parameters
    return sum(map(sum, parameters.deck.copies)) - seats_of(variant) * parameters.tricks


# ---- what is counted -----------------------------------------------------------------------------------------------


def names(variant: Variant) -> list[str]:
    """Return the names of the counts of each arm; where a reading is met, by its number."""
    return [*COUNTS, *met(np.zeros((0, len(row_columns(variant))), np.int32), variant)]


def count(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return the counts of an arm but `moved`."""
    return counted(rows, variant, scores_in(rows, variant), wins_in(rows, variant))


def counted(rows: np.ndarray, variant: Variant, scores: np.ndarray, wins: np.ndarray) -> dict[str, np.ndarray]:
    """Return the counts of games with these scores and wins, each (games, seats); `moved` is 0."""
    column, ones = row_columns(variant), np.ones(len(rows), np.int64)
    start = rows[:, [column["start_0"]]]
    return {
        "points": scores.sum(axis=1),
        "gap": scores.max(axis=1) - scores.min(axis=1),
        "start": np.take_along_axis(wins, start, axis=1)[:, 0],
        "choices": rows[:, [column["leader_choices"], column["follower_choices"]]].sum(axis=1),
        "plays": rows[:, [column["leader_plays"], column["follower_plays"]]].sum(axis=1),
        "seats": ones * unit_of(variant) * seats_of(variant),
        "units": ones * unit_of(variant),
        "moved": 0 * ones,
    } | met(rows, variant)


def scored_anew(rows: np.ndarray, variant: Variant) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and wins if a right bid paid the seat that won the tricks, the bidder's left neighbour (S3)."""
    bonus = bonuses(rows, variant)
    scores = scores_in(rows, variant) - bonus + np.roll(bonus, 1, axis=1)
    first = scores == scores.max(axis=1, keepdims=True)
    return scores, WHOLE * first // first.sum(axis=1, keepdims=True)


def bonuses(rows: np.ndarray, variant: Variant) -> np.ndarray:
    """Return what each seat of Suppose got for right bids, (games, seats), in 1/`unit_of` points."""
    column, parameters = row_columns(variant), variant.parameters
    guesses, hits = (rows[:, columns_starting(column, name)].astype(np.int64) for name in ("guesses_", "hit_"))
    pays = np.array([int(pay * parameters.unit) for pay in (0, parameters.bid.single, parameters.bid.double)])
    return (hits * pays[guesses]).reshape(len(rows), -1, seats_of(variant)).sum(axis=1)


@dataclass(frozen=True)
class Readings(Survey):
    """A survey that counts, besides, in which games the winners are others than as played."""

    def sums(self, played: Mapping[str, Any], variant: Variant) -> dict[str, Any]:
        """Return `joint_sums` of all counts of all arms, arm after arm."""
        made, base = [], wins_in(played[PLAYED], variant)
        own = self.arms(variant)
        for arm, rows in played.items():
            if arm in ANEW.values():
                scores, wins = scored_anew(rows, variant)
            else:
                scores, wins = scores_in(rows, own[arm]), wins_in(rows, own[arm])
            counts = counted(rows, own[arm], scores, wins)
            counts["moved"] = (wins != base).any(axis=1)
            made += [np.asarray(counts[name], np.int64) for name in self.names(variant)]
        return joint_sums(np.stack(made, axis=1))


SURVEY = Readings(names, count, arms, thin=THIN, shows=FIGURES[0])
MEASURES = Measured(lambda rows, variant: {})  # it compares variants: what it counts of one, `player_counts` does


def plan(request: Request) -> Plan:
    """Return whole games of each number of seats under every other value of every reading."""
    variants, left_out = variants_by_seats(request, GAME)
    return SURVEY.plan(variants, request.games, left_out)


# ---- estimates -----------------------------------------------------------------------------------------------------


class Effect(NamedTuple):
    """What an arm changes in all figures of a cell, with intervals that hold together for its kind of player."""

    cell: Cell
    arm: str
    changes: tuple[Estimate, ...]

    @property
    def verdict(self) -> str:
        """Whether it matters in any figure."""
        if any(clearly(figure, change) for figure, change in zip(FIGURES, self.changes, strict=True)):
            return MATTERS
        small = all(
            change.known and max(-change.low, change.high) <= figure.matters
            for figure, change in zip(FIGURES, self.changes, strict=True)
        )
        return SLIGHT if small else OPEN

    @property
    def most(self) -> tuple[Figure, Estimate]:
        """The figure that changes most, measured by what is called small."""
        return max(zip(FIGURES, self.changes, strict=True), key=lambda pair: abs(pair[1].value) / pair[0].matters)

    @property
    def size(self) -> Estimate:
        """The change of that figure in multiples of what is called small."""
        figure, change = self.most
        return change.scaled(1 / figure.matters)


def clearly(figure: Figure, change: Estimate) -> bool:
    """Tell whether a change lies wholly beyond what is called small."""
    return change.known and (change.low > figure.matters or change.high < -figure.matters)


def effects(cells: Sequence[Cell]) -> list[Effect]:
    """Return what every arm changes in every cell, paired by game; decks aside, on the same deals."""
    return [each for kind in dict.fromkeys(cell.kind for cell in cells) for each in _of_kind(kind, cells)]


def _of_kind(kind: Kind, cells: Sequence[Cell]) -> list[Effect]:
    """Return the effects with one kind of player, whose intervals hold together."""
    keys = [(cell, arm) for cell in cells for arm in cell.arms if arm != PLAYED and cell.kind == kind]
    made = simultaneous([cell.change(figure, arm) for cell, arm in keys for figure in FIGURES])
    size = len(FIGURES)
    return [Effect(*key, tuple(made[size * at : size * (at + 1)])) for at, key in enumerate(keys)]


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return which readings matter, what each changes in each game, whose winners change, and what stands firm."""
    cells = SURVEY.cells(run)
    found = effects(cells)
    games = list(dict.fromkeys(cell.variant.game for cell in cells))
    return [
        answer(cells, found, run.facts["plan"]["left_out"]),
        *(part for game in games if (part := of_game(game, found))),
        winners(cells),
        firm(cells, games),
    ]


def headline_figure(run: Results) -> Headline:
    """Return what the first reading that leaves deals as they are changes in the first figure: no pick by outcome."""
    pairs = [(cell, arm) for cell in mains_of(SURVEY.cells(run)) for arm in cell.arms if arm != PLAYED]
    cell, arm = next((pair for pair in pairs if same_deals(pair[1])), pairs[0])
    label = say("{figure}, {arm} less as played ({name})", figure=FIGURES[0].label, arm=arm, name=cell.name)
    return headline(label, cell, FIGURES[0], arm)


def mains_of(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cell of each game that headlines speak of."""
    return decent(main_cells(cells))


def answer(cells: Sequence[Cell], found: Sequence[Effect], left_out: Sequence[str]) -> Finding:
    """Say which readings matter, which don't, and which are only names."""
    mains = mains_of(cells)
    own = [each for each in found if each.cell in mains]
    return Finding(
        "answer",
        answer_words(own, mains),
        text=(*(kinds_words(arm, found, mains) for arm in dict.fromkeys(each.arm for each in own)),),
        tiles=tuple(
            tile(
                say("{arm}: {figure}", arm=each.arm, figure=figure.label),
                change,
                each.cell.name,
                percent=figure.percent,
            )
            for each in weightiest(own)[:MOST_TOLD]
            for figure, change in [each.most]
        ),
        charts=(sizes_chart(weightiest(own)),) if own else (),
        tables=(overview(mains, own),),
        assumes=(
            *left_out,
            "A reading matters if one of four figures (points, first less last, the start seat's wins, choices) "
            "clearly changes by more than what is called small. All intervals of changes with one kind of player are "
            "widened so that they hold together.",
            "What changes little on average may still change who wins single games: how often is told below.",
            "Players don't learn a reading anew: trained learned the game as published, the others read the rules.",
        ),
        picture=sizes_picture(weightiest(own)[: small.MOST_ROWS]) if own else None,
    )


def weightiest(own: Sequence[Effect]) -> list[Effect]:
    """Return effects, those first that change most by what is called small."""
    return sorted(own, key=lambda each: -abs(each.size.value))


def sizes_chart(own: Sequence[Effect]) -> Chart:
    """Return what each other value changes most, by what is called small."""
    title = "What each other value changes most"
    names = [say("{arm}: {figure}", arm=each.arm, figure=each.most[0].label) for each in own]
    made = [each.size for each in own]
    frame = frame_of(made, label=names)
    return Chart(
        "sizes",
        title,
        charts.interval_dots(frame, reference=0, reference_label="as played", x_label="times what is called small"),
        say("Dots with intervals: {figures}.", figures=listed(names, made)),
        say("The figure that changes most, in multiples of the change that is called small; beyond \u00b11 it matters "
            "(all seats {players}).", players=own[0].cell.kind.text),
        Table("sizes", title, frame),
    )  # fmt: skip


def sizes_picture(own: Sequence[Effect]) -> Picture:
    """Return the same of a few values as a small picture."""
    return pictured("sizes", [each.arm for each in own], [each.size for each in own], reference=0)


def answer_words(own: Sequence[Effect], mains: Sequence[Cell]) -> str:
    """Return which readings matter most, which don't and which are open, of the main cells."""
    parts = []
    for verdict, (of_one, of_several) in VERDICTS.items():
        some = list(dict.fromkeys(each.arm for each in own if each.verdict == verdict))
        parts += [say(of_several if len(some) > 1 else of_one, arms=joined(some))] if some else []
    told = say(
        "Other values of the readings: {parts} ({players}, {labels}).",
        parts=say("; ").join(parts) or "there are none",
        players=mains[0].kind.text,
        labels=joined([cell.label for cell in mains]),
    )
    clear = [each for each in own if each.verdict == MATTERS]
    if not clear:
        return told
    most = max(clear, key=lambda each: abs(each.most[1].value) / each.most[0].matters)
    figure, estimate = most.most
    change = figure.change_text(estimate)
    more = say("Most changes with {arm}: {figure} by {change}.", arm=most.arm, figure=figure.label, change=change)
    return say(" ").join([told, more])


VERDICTS = {  # of one reading, and of several
    MATTERS: ("{arms} matters", "{arms} matter"),
    SLIGHT: ("{arms} changes little on average", "{arms} change little on average"),
    OPEN: ("{arms} is undecided", "{arms} are undecided"),
}


def kinds_words(arm: str, found: Sequence[Effect], mains: Sequence[Cell]) -> str:
    """Return whether it holds for all kinds of player that an arm matters, in a game's main variant."""
    labels = {cell.label for cell in mains}
    own = [each for each in found if each.arm == arm and each.cell.label in labels]
    groups: dict[str, list[Kind]] = {}
    for each in own:
        groups.setdefault(each.verdict, []).append(each.cell.kind)
    told = say("; ").join(
        say("{what} for {kinds}", what=verdict, kinds=kinds_named(kinds)) for verdict, kinds in groups.items()
    )
    return say("{label}, {arm}: {told}.", label=own[0].cell.label, arm=arm, told=told)


def overview(mains: Sequence[Cell], own: Sequence[Effect]) -> Table:
    """Return all readings of all games with what was found."""
    rows = []
    for cell in mains:
        for reading, words in game_named(cell.variant.game).readings.items():
            some = [each for each in own if each.cell == cell and reading_of(each.arm) == reading]
            kind, result = standing(cell, reading, some)
            rows.append((reading, kind, result, words))
    frame = pd.DataFrame(rows, columns=["reading", "here", "found", "what it says"])
    return Table("readings", say("All readings ({players})", players=mains[0].kind.text), frame)


def standing(cell: Cell, reading: str, some: Sequence[Effect]) -> tuple[str, str]:
    """Return how a reading was tried, and what came of it."""
    if some:
        how = "scored anew" if reading in ANEW else "other deck" if not same_deals(some[0].arm) else "varied"
        values = [each.arm.partition(" = ")[2] for each in some]
        return how, say("; ").join(
            say("{value}: {verdict}", value=value, verdict=each.verdict)
            for value, each in zip(values, some, strict=True)
        )
    if reading in NAMING:
        return "a name", NAMING[reading]
    if reading in PARAMETERS:
        return "can't be varied", "its other value doesn't fit this variant"
    share = cell.figure(up(reading))
    if share.value == 0:
        return "stands firm", "never came up" if reading != "G5" else "can't come up: one special in a colour"
    if share.low > OFTEN:
        return "stands firm", say("comes up in more than {share} % of games", share=f"{100 * OFTEN:.0f}")
    return "stands firm", say("comes up in {share} of games", share=text(share, percent=True))


def up(reading: str) -> Figure:
    """Return the share of games in which a reading's place is met."""
    return Figure(f"games in which {reading} comes up", reading, percent=True, chance=True)


def of_game(game: str, found: Sequence[Effect]) -> Finding | None:
    """Say what each other value changes in one game."""
    own = [each for each in found if each.cell.variant.game == game]
    if not own:
        return None
    mains = mains_of([each.cell for each in own])
    main = [each for each in own if each.cell in mains]
    return Finding(
        game,
        say(
            "{label}: {words} ({players}).",
            label=mains[0].label,
            words=say("; ").join(map(effect_words, main)),
            players=mains[0].kind.text,
        ),
        charts=tuple(effect_chart(game, figure, at, own) for at, figure in enumerate(FIGURES) if at < 2),
        tables=(effects_table(game, own),),
        title=say(game_named(game).title),
    )


def effect_words(effect: Effect) -> str:
    """Return what an arm changes most."""
    figure, estimate = effect.most
    if estimate.known and estimate.low == estimate.high == 0:
        return say("{arm} changes nothing at all", arm=effect.arm)
    return say(
        "{arm} {verdict}: {figure} changes by {change}",
        arm=effect.arm,
        verdict=effect.verdict,
        figure=figure.label,
        change=figure.change_text(estimate),
    )


def effect_chart(game: str, figure: Figure, at: int, own: Sequence[Effect]) -> Any:
    """Return what all arms change in a figure, a line an arm and number of seats, a dot a kind of player."""
    return dots(
        f"{game}_{figure.top}",
        say("{game}: what other readings change, {figure}", game=game_named(game).title, figure=figure.label),
        [each.cell for each in own],
        [each.changes[at] for each in own],
        "Differences from the game as played, paired by game; the intervals of one kind of player hold together.",
        labels=[f"{each.cell.label.rpartition(', ')[2]}, {each.arm}" for each in own],
        percent="points" if figure.percent else False,
        reference=0,
        reference_label="as played",
        x_label=say("change of {figure}", figure=figure.label),
    )


def effects_table(game: str, own: Sequence[Effect]) -> Table:
    """Return all changes of one game."""
    rows = [
        (each.cell.label, each.cell.kind.text, each.arm, figure.label, made.value, made.low, made.high, made.n)
        for each in own
        for figure, made in zip(FIGURES, each.changes, strict=True)
    ]
    heads = ["variant", "players", "reading", "figure", "change", "low", "high", "n"]
    frame = pd.DataFrame(rows, columns=heads)
    title = say("{game}: what other readings change", game=game_named(game).title)
    return Table(f"{game}_changes", title, frame, "Shares as fractions.")


def winners(cells: Sequence[Cell]) -> Finding:
    """Say in how many games other readings make others win."""
    keys = [(cell, arm) for cell in cells for arm in cell.arms if arm != PLAYED and same_deals(arm)]
    made = dict(zip(keys, simultaneous([cell.figure(MOVED, arm) for cell, arm in keys]), strict=True))
    mains = mains_of(cells)
    told = say("; ").join(
        say("{arm}: {share}", arm=arm, share=MOVED.text(made[cell, arm])) for cell, arm in keys if cell in mains
    )
    if not keys:
        return Finding("winners", "No reading has another value that leaves the deals the same.")
    return Finding(
        "winners",
        say(
            "On the same deals other winners come out so often: {told} ({players}).",
            told=told,
            players=mains[0].kind.text,
        ),
        charts=(
            dots(
                "winners",
                "Games whose winners change with a reading",
                [cell for cell, _ in keys],
                list(made.values()),
                "Not for readings that change the deck: their deals aren't the same. All intervals hold together.",
                labels=[f"{cell.label}, {arm}" for cell, arm in keys],
                percent=True,
                x_label="of all games",
            ),
        ),
        assumes=(
            "Winners change by the rule, and by what players do otherwise because of it; over many games both ways may "
            "even out, so that a figure stays the same while single games don't.",
        ),
        title="Other winners",
    )


def firm(cells: Sequence[Cell], games: Sequence[str]) -> Finding:
    """Say how often those readings come up that stand firm, and which are only about names."""
    shares = {each: cell.figure(up(each)) for cell in mains_of(cells) for each in names(cell.variant)[len(COUNTS) :]}
    own = [reading for game in games for reading in game_named(game).readings if reading in NAMING]
    told = [firm_words(shares, main_cell(cells).kind.text)] if shares else []
    told += [say("Only about naming, so that nothing hangs on it: {readings}.", readings=joined(own))] if own else []
    return Finding(
        "firm",
        say(" ").join(told) or "No reading is firm.",
        tables=(firm_table(cells),) if shares else (),
        assumes=("Games are counted in which the place is met, or may be: the reading decides no more of them.",),
        title="What stands firm",
    )


def firm_words(shares: Mapping[str, Estimate], kind: str) -> str:
    """Return how often the places of readings come up that stand firm."""
    often = [reading for reading, share in shares.items() if share.low > OFTEN]
    never = [reading for reading, share in shares.items() if share.value == 0]
    some = {reading: share for reading, share in shares.items() if reading not in often + never}
    parts = [
        *[say("{readings} in more than {share} % of games", readings=joined(often), share=f"{100 * OFTEN:.0f}")]
        * bool(often),
        *(say("{readings} in {share}", readings=each, share=text(share, percent=True)) for each, share in some.items()),
        *[say("{readings} in none", readings=joined(never))] * bool(never),
    ]
    return say("Readings that stand firm come up: {parts} ({players}).", parts=say("; ").join(parts), players=kind)


def firm_table(cells: Sequence[Cell]) -> Table:
    """Return how often readings that stand firm come up, for all cells."""
    rows = []
    for cell in cells:
        for reading in names(cell.variant)[len(COUNTS) :]:
            share = cell.figure(up(reading))
            rows.append((cell.label, cell.kind.text, reading, share.value, share.low, share.high, share.n))
    heads = ["variant", "players", "reading", "comes up", "low", "high", "n"]
    frame = pd.DataFrame(rows, columns=heads)
    return Table("comes_up", "Games in which a reading comes up", frame, "Shares as fractions.")

"""How much do Take-Trick's gifts matter, and whom do they help?

Whole games with all seats alike count how often gifts are offered and what becomes of them, what they bring in points
and wins, how often one ends the game, and what they bring the seats that led or trailed when the round began. The
same games under the other reading of two unclear rules show how much hangs on them.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import pandas as pd

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.joint import Joint
from simlib.estimates.proportions import wilson
from simlib.estimates.words import listed, text
from simlib.experiments import Plan, Request, variants_of
from simlib.figures import charts
from simlib.findings import Chart, Finding, Table, tile
from simlib.frames import frame_of
from simlib.games import game_named, make_variant
from simlib.games.take_trick import measures
from simlib.hooks import seated
from simlib.results import Results
from simlib.variants import Variant

GAME = "take_trick"
TITLE = "Take-Trick: what are gifts worth?"
GAMES = 20_000
SEATS = (3, 4, 5, 6)
PRESETS = {"classic": "six", "nine": "nine"}  # and their decks
PLAYERS = {
    "random": "all seats take each legal choice with the same chance",
    "greedy": "all seats weigh what a card, a gift or a refusal gains against all others",
}
READINGS = {  # the two values of each
    "T2": ("gift.penalty_falls_on", ("trick_winner", "giver")),
    "T3": ("gift.extra", ("together", "forfeit")),
}
PLAYED = "played"  # the arm of the variant as it was asked for
NAMES = [(arm, name) for arm in (PLAYED, *READINGS) for name in measures.COUNTS]
GLOSSARY = [
    ("gift", "a captured card of a colour that its captor may not hold, offered to a neighbour, with its extra card"),
    ("refused by force", "refused as the receiver might not hold the colour either"),
    ("refused by choice", "refused though the receiver might have taken it"),
    ("gift points", "points that giver and receiver got for accepted gifts"),
    ("penalties", "points really lost for refused gifts; no score falls below 0"),
    ("owed to gifts", "a win that its seat would not have had with its own gift points taken off its final score"),
    ("moved", "the winner's, but not if all seats' gift points are taken off their final scores"),
    ("overshot", "didn't win, but would have with its own gift points taken off: they took it too far past the target"),
    ("gift gain", "gift points less penalties"),
    ("leading, trailing", "with the most, or the fewest, points at the end of the round before; level seats share"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("n", "games behind a figure"),
]


class Figure(NamedTuple):
    """One figure: a count over another; a mean a game where there is no other."""

    label: str
    top: str
    bottom: str = ""
    scale: float = 1
    percent: bool = False


OUTCOMES = {
    "offered": "offered",
    "accepted": "accepted",
    "forced": "refused by force",
    "refused": "refused by choice",
}
PER = {"tricks": "a trick", "rounds": "a round", "": "a game"}
RATES = {
    (count, bottom): Figure(f"gifts {word}, {per}", count, bottom)
    for count, word in OUTCOMES.items()
    for bottom, per in PER.items()
}
FATES = [
    Figure(f"{OUTCOMES[count]}, of gifts offered", count, "offered", percent=True)
    for count in ("accepted", "forced", "refused")
]
SHARE = Figure("gift points, of final points", "gift_points", "points", percent=True)
LOST = Figure("penalties, of final points", "penalties", "points", percent=True)
OWED = Figure("wins owed to gifts", "owed", "", 1 / measures.SHARES, True)
OWED_ALL = Figure("wins moved if no gift points count", "owed_all", "", 1 / measures.SHARES, True)
OWED_ENDED = Figure("owed to gifts, of games ended by one", "owed_ended", "ended", percent=True)
SPOILED = Figure("games overshot by gifts", "spoiled", percent=True)
ENDED = Figure("games ended by a gift", "ended", percent=True)
LEADING = Figure("gift gain a round, leading seat", "leading", "later_rounds", 1 / measures.SHARES)
TRAILING = Figure("gift gain a round, trailing seat", "trailing", "later_rounds", 1 / measures.SHARES)
GAP = Figure("gift gain a round, trailing \u2212 leading", "gap", "later_rounds", 1 / measures.SHARES)
SINGLE = [*FATES, SHARE, LOST, OWED, OWED_ALL, ENDED, OWED_ENDED, SPOILED, LEADING, TRAILING, GAP]
FIGURES = [*RATES.values(), *SINGLE]
DRAWN = [*(RATES[count, "rounds"] for count in OUTCOMES), *SINGLE]  # in matrices; the tables hold all


# ---- plan ----------------------------------------------------------------------------------------------------------


def plan(request: Request) -> Plan:
    """Return whole games of each preset, number of seats and kind of player, under each reading."""
    from simlib.batch import Study

    variants, left_out = chosen_variants(request)
    studies = [
        Study(
            f"{label}, {kind}",
            {name: _arm(variant, kind) for name, variant in readings_of(variant).items()},
            request.games,
            partial(measures.gift_sums, parameters=variant.parameters),
        )
        for label, variant in variants.items()
        for kind in PLAYERS
    ]
    played = {"games of each variant, kind of player and reading": request.games}
    return Plan(studies, variants, PLAYERS, played, {"left_out": left_out})


def chosen_variants(request: Request) -> tuple[dict[str, Variant], list[str]]:
    """Return the variants to play by label, and a sentence for each that the request rules out.

    Raises
    ------
    BadInput
        If none can be played.
    """
    presets, left_out = _presets(request)
    found: dict[str, Variant] = {}
    faults: list[BadInput] = []
    for preset in presets:
        for count in [None] if request.fixes("players") else SEATS:
            try:
                variant = request.variant(GAME, base=preset, players=count)
            except BadInput as fault:
                faults.append(fault)
                left_out.append(f"Not played: {preset}{f', {count} players' if count else ''}: {fault}.")
                continue
            name = preset if request.file is None else request.file.stem
            if any(variant.fingerprint == other.fingerprint for other in found.values()):
                left_out.append(f"Not played twice: with these settings {name} is the same game as another preset.")
            else:
                found[f"{name}, {variant.parameters.players} players"] = variant
    if not found:
        raise faults[0]
    return found, list(dict.fromkeys(left_out))


def _presets(request: Request) -> tuple[list[str], list[str]]:
    if request.file is not None:
        return ["classic"], ["Presets are not compared: the variant file says which deck is played."]
    if "deck.preset" in request.settings:
        same = [name for name, deck in PRESETS.items() if deck == request.settings["deck.preset"]]
        return same or ["classic"], ["Presets are not compared: deck.preset is set."]
    return list(PRESETS), []


def readings_of(variant: Variant) -> dict[str, Variant]:
    """Return the variant as it is, and with each reading the other way."""
    game, flat = game_named(GAME), variant.flat()
    changed = {
        name: make_variant(game, settings=flat | {key: other_way(variant, name)}) for name, (key, _) in READINGS.items()
    }
    return {PLAYED: variant} | changed


def other_way(variant: Variant, reading: str) -> str:
    """Return the value of a reading that the variant doesn't have."""
    key, ways = READINGS[reading]
    return ways[1 - ways.index(variant.flat()[key])]


def _arm(variant: Variant, kind: str) -> Any:
    from simlib.batch import Arm
    from simlib.games.take_trick.players import PLAYERS as KNOWN

    return Arm(variant, (seated(kind, KNOWN, "players"),) * variant.parameters.players)


# ---- findings ------------------------------------------------------------------------------------------------------


class Cell:
    """The sums of one kind of player in one variant, as estimates."""

    def __init__(self, summary: dict[str, Any], label: str, variant: Variant, kind: str) -> None:
        self.label, self.kind, self.variant = label, kind, variant
        self.joint = Joint(NAMES, summary["sums"], summary["products"], int(summary["n"]))

    @property
    def name(self) -> str:
        """How the cell is called on the page."""
        return f"{self.kind}, {self.label}"

    @property
    def head(self) -> str:
        """How the cell is called above a narrow column."""
        name = self.label.partition(",")[0]
        return f"{PRESETS.get(name, name)} {self.variant.parameters.players}"

    def figure(self, figure: Figure, arm: str = PLAYED) -> Estimate:
        """Return a figure under the variant's readings, or with one the other way."""
        top, bottom = (arm, figure.top), (arm, figure.bottom)
        if figure is OWED_ENDED:
            return wilson(self.joint.total(top), self.joint.total(bottom))
        if figure.bottom:
            return self.joint.ratio(top, bottom).scaled(figure.scale)
        return self.joint.share(top) if figure in (ENDED, SPOILED) else self.joint.mean(top).scaled(figure.scale)

    def change(self, figure: Figure, reading: str) -> Estimate:
        """Return what a reading changes when it is read the other way, paired by game."""
        top, bottom = figure.top, figure.bottom
        if bottom:
            made = self.joint.difference_of_ratios(
                ((reading, top), (reading, bottom)), ((PLAYED, top), (PLAYED, bottom))
            )
        else:
            made = self.joint.difference((reading, top), (PLAYED, top))
        return made.scaled(figure.scale)


def findings(run: Results) -> list[Finding]:
    """Return the answer first, then what becomes of gifts, wins, leader and laggard, and the readings."""
    cells = [
        Cell(run.summaries[f"{label}, {kind}"], label, variant, kind)
        for label, variant in variants_of(run).items()
        for kind in PLAYERS
    ]
    left_out = tuple(run.facts["plan"]["left_out"])
    return [answer(cells, left_out), how_often(cells), wins(cells), kingmaking(cells), readings(cells)]


def main_cell(cells: Sequence[Cell]) -> Cell:
    """Return the cell that headlines speak of: greedy players of the first preset, four where they were played."""
    greedy = [cell for cell in cells if cell.kind == "greedy"]
    return next((cell for cell in greedy if cell.variant.parameters.players == 4), greedy[0])


def by_kind(cells: Sequence[Cell]) -> list[tuple[str, list[Cell]]]:
    """Return each kind of player with its cells."""
    kinds = dict.fromkeys(cell.kind for cell in cells)
    return [(kind, [cell for cell in cells if cell.kind == kind]) for kind in kinds]


def answer(cells: list[Cell], left_out: tuple[str, ...]) -> Finding:
    """Say what gifts bring in points and wins, and whom they help."""
    main = main_cell(cells)
    shares = [cell.figure(SHARE) for cell in cells]
    return Finding(
        "answer",
        headline(main),
        text=(_range_words(cells, simultaneous(shares)),),
        tiles=(
            tile("gifts offered a trick", main.figure(RATES["offered", "tricks"]), main.name),
            tile("of them accepted", main.figure(FATES[0]), main.name, percent=True),
            tile("final points from gifts", main.figure(SHARE), main.name, percent=True),
            tile("wins owed to gifts", main.figure(OWED), main.name, percent=True),
        ),
        charts=(
            _dots(
                "share",
                "Final points that come from gifts",
                cells,
                shares,
                "Points paid for accepted gifts, of all seats' final points; a ratio of sums over games.",
                x_label="gift points, of final points",
                percent=True,
            ),
        ),
        tables=(_figure_table("points", "Points lost for refusals", cells, [LOST]),),
        assumes=(
            *left_out,
            *(f"{kind}: {sentence}." for kind, sentence in PLAYERS.items()),
            "Penalties are not taken off gift points: both are shares of the final points, which hold them.",
        ),
    )


def headline(main: Cell) -> str:
    """Return the answer as a sentence."""
    share, owed = main.figure(SHARE), main.figure(OWED)
    unknown = next((each for each in (share, owed) if not each.known), None)
    if unknown:
        return f"Undecided: too few games to say what gifts are worth ({unknown.reason}; {main.name})."
    return (
        f"Gifts bring {text(share, percent=True)} of the final points, and {text(owed, percent=True)} of the wins are "
        f"owed to the winner's own gift points; {_gap_words(main.figure(GAP))} ({main.name})."
    )


def _gap_words(gap: Estimate) -> str:
    if gap.sign == 0:
        return f"whether they help the seat that trails or the one that leads is undecided: {text(gap, 'points')}"
    if gap.sign > 0:
        return f"they help the seat that trails: {text(gap, 'points a round')} more than the one that leads gets"
    return f"they help the seat that leads: {text(gap.negated(), 'points a round')} more than the one that trails gets"


def _range_words(cells: list[Cell], shares: list[Estimate]) -> str:
    known = [(share, cell) for share, cell in zip(shares, cells, strict=True) if share.known]
    if not known:
        return "No variant has enough games for an interval."
    (least, lowest), (most, highest) = (end(known, key=lambda pair: pair[0].value) for end in (min, max))
    if least.high >= most.low:
        return (
            f"Whether the share of gift points differs among {len(known)} variants and kinds of player is undecided: "
            f"from {text(least, percent=True)} ({lowest.name}) to {text(most, percent=True)} ({highest.name})."
        )
    return (
        f"Over {len(known)} variants and kinds of player gift points run from {text(least, percent=True)} of the final "
        f"points ({lowest.name}) to {text(most, percent=True)} ({highest.name}); these intervals hold together."
    )


def how_often(cells: list[Cell]) -> Finding:
    """Say how often gifts are offered and what becomes of them."""
    main = main_cell(cells)
    offered = main.figure(RATES["offered", "rounds"])
    return Finding(
        "how_often",
        f"A round brings {text(offered, 'gift offers')}: {_fate_words(main)} ({main.name}).",
        charts=(
            _dots(
                "offers",
                "Gifts offered in a round",
                cells,
                [cell.figure(RATES["offered", "rounds"]) for cell in cells],
                "Offers of captured cards whose colour the captor may not hold.",
                x_label="gifts offered a round",
            ),
            *(_fate_chart(kind, own) for kind, own in by_kind(cells)),
        ),
        tables=tuple(_rate_table(kind, own) for kind, own in by_kind(cells)),
        assumes=("A round that a gift ended counts as a round; its tricks are those played.",),
    )


def _fate_words(main: Cell) -> str:
    words = ("are accepted", "refused by force", "refused by choice")
    fates = [f"{text(main.figure(fate), percent=True)} {word}" for fate, word in zip(FATES, words, strict=True)]
    return ", ".join(fates[:2]) + " and " + fates[2]


def _fate_chart(kind: str, cells: list[Cell]) -> Chart:
    labels = [cell.label for _ in FATES for cell in cells]
    fates = [fate.label.partition(",")[0] for fate in FATES for _ in cells]
    estimates = [cell.figure(fate) for fate in FATES for cell in cells]
    frame = frame_of(estimates, label=labels, fate=fates)
    title = f"What becomes of gifts offered ({kind})"
    return Chart(
        f"fates_{kind}",
        title,
        charts.interval_dots(frame, group="fate", x_label="of gifts offered", percent=True),
        "Dots with intervals: " + listed(frame["label"] + ", " + frame["fate"], estimates, percent=True) + ".",
        "Shares of the gifts offered; ratios of sums over games.",
        Table(f"fates_{kind}", title, frame),
    )


def _rate_table(kind: str, cells: list[Cell]) -> Table:
    labels = [cell.label for cell in cells for _ in OUTCOMES]
    frame = pd.DataFrame({"variant": labels, "gifts": [word for _ in cells for word in OUTCOMES.values()]})
    for bottom, per in PER.items():
        made = frame_of([cell.figure(RATES[count, bottom]) for cell in cells for count in OUTCOMES])
        frame[[per, f"{per}, low", f"{per}, high"]] = made[["value", "low", "high"]]
    frame["n"] = [cell.joint.n for cell in cells for _ in OUTCOMES]
    return Table(f"rates_{kind}", f"Gifts a trick, a round and a game ({kind})", frame, "n: games.")


def wins(cells: list[Cell]) -> Finding:
    """Say how many wins are owed to gifts, and how often a gift ends the game."""
    main = main_cell(cells)
    ended, inside = main.figure(ENDED), main.figure(OWED_ENDED)
    return Finding(
        "wins",
        f"A gift ends {text(ended, percent=True)} of the games; {text(main.figure(OWED_ALL), percent=True)} of the "
        f"wins would be another seat's if no gift points counted ({main.name}).",
        text=(
            f"Of games that a gift ended, {text(inside, percent=True)} were won by seats that all owe it to gifts "
            f"({main.name}). "
            f"In {text(main.figure(SPOILED), percent=True)} of the games a seat didn't win that would have won with "
            "its own gift points taken off: they took it too far past the target.",
        ),
        charts=tuple(
            _dots(key, title, cells, [cell.figure(of) for cell in cells], caption, x_label=x_label, percent=True)
            for key, title, of, caption, x_label in (
                (
                    "owed",
                    "Wins owed to gifts",
                    OWED,
                    "Wins lost if the winner's own gift points are taken off.",
                    "wins",
                ),
                ("ended", "Games that a gift ended", ENDED, "An accepted gift took a seat to the target.", "games"),
            )
        ),
        tables=(_figure_table("wins", "More on wins and gifts", cells, [OWED_ALL, OWED_ENDED, SPOILED]),),
        assumes=(
            "A win is owed to gifts if its seat doesn't win any more once its own gift points are taken off its final "
            "score and all else stays as played: other scores, penalties, and where the game ended.",
            "A shared win counts by the share.",
        ),
    )


def kingmaking(cells: list[Cell]) -> Finding:
    """Say whether gifts help the seat that leads or the one that trails."""
    main = main_cell(cells)
    gaps = simultaneous([cell.figure(GAP) for cell in cells])
    helped = {sign: sum(gap.sign == sign for gap in gaps) for sign in (1, -1, 0)}
    words = _gap_words(gaps[cells.index(main)])
    return Finding(
        "kingmaking",
        f"{_sentence(words)} ({main.name}).",
        text=(
            f"Of {len(cells)} variants and kinds of player, gifts help the trailing seat more in {helped[1]} and the "
            f"leading one in {helped[-1]}; undecided: {helped[0]}. The intervals hold together.",
        ),
        charts=(
            _dots(
                "gap",
                "What gifts bring a trailing seat more than a leading one",
                cells,
                gaps,
                "Gift points less penalties in rounds after the first, of the seats with the fewest points when the "
                "round began minus those with the most; paired by game. Right of zero gifts even the game out, left of "
                "it they make kings.",
                x_label="points a later round",
                reference=0,
                reference_label="no difference",
            ),
        ),
        tables=(
            _figure_table("later_rounds", "Points by gifts in rounds after the first", cells, [LEADING, TRAILING]),
        ),
        assumes=(
            "Points by gifts are what scores changed besides the majority scoring: gift points less penalties really "
            "lost. Seats that are level share; where all are, the difference is 0.",
        ),
    )


def _sentence(words: str) -> str:
    plain = words.replace("they help", "gifts help")
    return plain[0].upper() + plain[1:]


def readings(cells: list[Cell]) -> Finding:
    """Say what the other way to read two rules changes."""
    keys = [(reading, cell, figure) for reading in READINGS for cell in cells for figure in FIGURES]
    changes = dict(
        zip(keys, simultaneous([cell.change(figure, reading) for reading, cell, figure in keys]), strict=True)
    )
    main = main_cell(cells)
    return Finding(
        "readings",
        " ".join(_reading_words(reading, main, changes[reading, main, SHARE]) for reading in READINGS),
        text=(_clear_words(changes),),
        charts=tuple(
            _reading_chart(reading, kind, own, changes) for reading in READINGS for kind, own in by_kind(cells)
        ),
        assumes=(
            "Both readings play the same game numbers on the same random streams and are compared game by game.",
            f"All {len(keys)} intervals of these differences are widened so that they hold together.",
        ),
    )


def _reading_words(reading: str, main: Cell, change: Estimate) -> str:
    way = f"With {READINGS[reading][0]} = {other_way(main.variant, reading)} ({reading})"
    shown = text(change, "points of a per cent", percent=True)
    if change.sign == 0:
        return f"{way} it is undecided whether the share of gift points changes: {shown} ({main.name})."
    return f"{way} the share of gift points is {'higher' if change.sign > 0 else 'lower'}: {shown} ({main.name})."


def _clear_words(changes: dict[tuple[str, Cell, Figure], Estimate]) -> str:
    parts = []
    for reading in READINGS:
        own = [change for (name, *_), change in changes.items() if name == reading]
        parts.append(f"{reading} clearly changes {sum(change.sign != 0 for change in own)} of {len(own)} figures")
    return "; ".join(parts) + "."


def _reading_chart(
    reading: str, kind: str, cells: list[Cell], changes: dict[tuple[str, Cell, Figure], Estimate]
) -> Chart:
    matrix = pd.DataFrame(
        [[_relative(cell, figure, changes[reading, cell, figure]) for cell in cells] for figure in DRAWN],
        index=[figure.label for figure in DRAWN],
        columns=[cell.head for cell in cells],
    )
    title = f"What {reading} read the other way changes ({kind})"
    estimates = [changes[reading, cell, figure] for figure in FIGURES for cell in cells]
    frame = frame_of(
        estimates,
        figure=[figure.label for figure in FIGURES for _ in cells],
        variant=[cell.label for _ in FIGURES for cell in cells],
        as_played=[cell.figure(figure).value for figure in FIGURES for cell in cells],
    ).rename(columns={"as_played": "as played", "value": "change"})
    key, clear = f"reading_{reading}_{kind}", int(matrix.notna().to_numpy().sum())
    return Chart(
        key,
        title,
        charts.heat(matrix, x_label="deck and players", y_label="figure", centre=0, percent=True),
        f"Matrix of {len(DRAWN)} figures by {len(cells)} variants; {clear} cells hold a clear change.",
        f"{READINGS[reading][0]} = {other_way(cells[0].variant, reading)}: change in per cent of the figure as played; "
        "a dash where it is undecided. The table behind it has gifts a trick and a game, too.",
        Table(key, title, frame, "Shares as fractions. Intervals are widened for all differences of this section."),
    )


def _relative(cell: Cell, figure: Figure, change: Estimate) -> float:
    """Return a clear change as a share of the figure's size; nan where it is undecided."""
    size = abs(cell.figure(figure).value)
    return change.value / size if change.sign and size else float("nan")


def _dots(
    key: str, title: str, cells: list[Cell], estimates: list[Estimate], caption: str, *, percent: bool = False,
    **options: Any,
) -> Chart:  # fmt: skip
    """Return a chart of one figure in all cells, one line a variant."""
    frame = frame_of(estimates, label=[cell.label for cell in cells], players=[cell.kind for cell in cells])
    figure = charts.interval_dots(frame, group="players", percent=percent, **options)
    told = listed([cell.name for cell in cells], estimates, percent=percent)
    return Chart(key, title, figure, f"Dots with intervals: {told}.", caption, Table(key, title, frame))


def _figure_table(key: str, title: str, cells: list[Cell], figures: list[Figure]) -> Table:
    parts = [
        frame_of(
            [cell.figure(figure) for cell in cells],
            players=[cell.kind for cell in cells],
            variant=[cell.label for cell in cells],
            figure=figure.label,
        )
        for figure in figures
    ]
    note = "Shares as fractions." if any(figure.percent for figure in figures) else ""
    return Table(f"{key}_table", title, pd.concat(parts, ignore_index=True), note)

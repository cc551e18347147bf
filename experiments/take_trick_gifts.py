"""How much do Take-Trick's gifts matter, and whom do they help?

Whole games with all seats alike count how often gifts are offered and what becomes of them, what they bring in points
and wins, how often one ends the game, and what they bring the seats that led or trailed when the round began. The
same games under the other reading of two unclear rules show how much hangs on them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.words import extremes, text
from simlib.experiments import Plan, Request
from simlib.figures import charts
from simlib.findings import Chart, Finding, Headline, Table, tile
from simlib.frames import frame_of
from simlib.games import game_named, make_variant
from simlib.games.take_trick import measures
from simlib.heavy import pd
from simlib.languages import say
from simlib.measured import Measured
from simlib.results import Results
from simlib.survey import (
    PLAYED,
    Cell,
    Figure,
    Survey,
    across,
    by_label,
    by_words,
    dots,
    headline,
    main_cell,
    pictured,
    sentence,
    tables_abreast,
)
from simlib.variants import Variant

GAME = "take_trick"
TITLE = "Take-Trick: what are gifts worth?"
GAMES = 20_000
SEATS = (3, 4, 5, 6)
PRESETS = {"classic": "six", "nine": "nine"}  # and their decks
READINGS = {  # the two values of each
    "T2": ("gift.penalty_falls_on", ("trick_winner", "giver")),
    "T3": ("gift.extra", ("together", "forfeit")),
}
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


OUTCOMES = {
    "offered": "offered",
    "accepted": "accepted",
    "forced": "refused by force",
    "refused": "refused by choice",
}
PER = {"tricks": "a trick", "rounds": "a round", "": "a game"}
RATES = {
    (outcome, bottom): Figure(f"gifts {word}, {per}", outcome, bottom)
    for outcome, word in OUTCOMES.items()
    for bottom, per in PER.items()
}
FATES = [
    Figure(f"{OUTCOMES[fate]}, of gifts offered", fate, "offered", percent=True)
    for fate in ("accepted", "forced", "refused")
]
SHARE = Figure("gift points, of final points", "gift_points", "points", percent=True, matters=0.002)
LOST = Figure("penalties, of final points", "penalties", "points", percent=True)
OWED = Figure("wins owed to gifts", "owed", scale=1 / measures.SHARES, percent=True)
OWED_ALL = Figure("wins moved if no gift points count", "owed_all", scale=1 / measures.SHARES, percent=True)
OWED_ENDED = Figure("owed to gifts, of games ended by one", "owed_ended", "ended", percent=True)
SPOILED = Figure("games overshot by gifts", "spoiled", percent=True, chance=True)
ENDED = Figure("games ended by a gift", "ended", percent=True, chance=True)
POINT = 1 / measures.SHARES
LEADING = Figure("gift gain a round, leading seat", "leading", "later_rounds", POINT)
TRAILING = Figure("gift gain a round, trailing seat", "trailing", "later_rounds", POINT)
GAP = Figure("gift gain a round, trailing \u2212 leading", "gap", "later_rounds", POINT, unit="points", matters=0.02)
SINGLE = [*FATES, SHARE, LOST, OWED, OWED_ALL, ENDED, OWED_ENDED, SPOILED, LEADING, TRAILING, GAP]
DRAWN = [*(RATES[outcome, "rounds"] for outcome in OUTCOMES), *SINGLE]  # what readings may change


# ---- what is played ------------------------------------------------------------------------------------------------


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


def count(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return the counts of each game, as `measures.game_counts`."""
    return measures.game_counts(rows, variant.parameters)


SURVEY = Survey(lambda variant: measures.COUNTS, count, readings_of, thin=0.5, main_alone=True, shows=OWED)
MEASURES = Measured(
    count,
    {
        "gifts_a_round": RATES["offered", "rounds"],
        "gifts_accepted": FATES[0],
        "gifts_refused_by_force": FATES[1],
        "gifts_refused_by_choice": FATES[2],
        "gift_points_share": SHARE,
        "wins_owed_to_gifts": OWED,
        "ended_by_gift": ENDED,
        "gift_gap": GAP,
    },
    headline="wins_owed_to_gifts",
)


def plan(request: Request) -> Plan:
    """Return whole games of each preset, number of seats and kind of player, under each reading."""
    variants, left_out = chosen_variants(request)
    return SURVEY.plan(variants, request.games, left_out)


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return the answer first, then what becomes of gifts, wins, leader and laggard, and the readings."""
    cells = SURVEY.cells(run)
    left_out = tuple(run.facts["plan"]["left_out"])
    return [answer(cells, left_out), how_often(cells), wins(cells), kingmaking(cells), readings(cells)]


def headline_figure(run: Results) -> Headline:
    """Return how many wins are owed to gifts."""
    main = main_cell(SURVEY.cells(run))
    return headline(say("{figure} ({name})", figure=OWED.label, name=main.name), main, OWED)


def answer(cells: Sequence[Cell], left_out: tuple[str, ...]) -> Finding:
    """Say what gifts bring in points and wins, and whom they help."""
    main = main_cell(cells)
    shares = [cell.figure(SHARE) for cell in cells]
    alike = [cell for cell in cells if (cell.kind, deck_of(cell)) == (main.kind, deck_of(main))]
    return Finding(
        "answer",
        answer_words(cells),
        text=(range_words(cells, simultaneous(shares)), offers_words(main)),
        tiles=(
            tile("final points from gifts", main.figure(SHARE), main.name, percent=True),
            tile("wins owed to gifts", main.figure(OWED), main.name, percent=True),
            tile("points a round, trailing less leading", gaps_of(cells)[main], main.name),
            tile("gifts accepted", main.figure(FATES[0]), main.name, percent=True),
        ),
        charts=(
            dots(
                "share",
                "Final points that come from gifts",
                cells,
                shares,
                "Points paid for accepted gifts, of all seats' final points; a ratio of sums over games.",
                x_label="gift points, of final points",
                percent=True,
            ),
        ),
        tables=tables_abreast(cells, [LOST]),
        assumes=(
            *left_out,
            "All seats are taken by players of one kind.",
            "Penalties are not taken off gift points: both are shares of the final points, which hold them.",
        ),
        picture=pictured(
            "share",
            [say("{count} players", count=cell.variant.parameters.players) for cell in alike],
            [cell.figure(SHARE) for cell in alike],
            percent=True,
        ),
    )


def deck_of(cell: Cell) -> str:
    """Return the part of a cell's label that names its deck."""
    return cell.label.partition(",")[0]


def offers_words(main: Cell) -> str:
    """Return how many gifts are offered in a trick as a sentence."""
    return say(
        "A trick brings {offered} ({name}).",
        offered=text(main.figure(RATES["offered", "tricks"]), "gift offers"),
        name=main.name,
    )


def answer_words(cells: Sequence[Cell]) -> str:
    """Return the answer as a sentence."""
    main = main_cell(cells)
    share, owed = main.figure(SHARE), main.figure(OWED)
    unknown = next((each for each in (share, owed) if not each.known), None)
    if unknown:
        return say(
            "Undecided: too few games to say what gifts are worth ({reason}; {name}).",
            reason=unknown.reason,
            name=main.name,
        )
    return say(
        "Gifts bring {share} of the final points, {owed} of the wins are owed to them, and {helped} ({name}).",
        share=SHARE.text(share),
        owed=OWED.text(owed),
        helped=THEY_HELP[gaps_of(cells)[main].sign],
        name=main.name,
    )


THEY_HELP = {  # by the sign of the gap
    1: "they help the seat that trails",
    -1: "they help the seat that leads",
    0: "whether they help the seat that trails or the one that leads is undecided",
}
GIFTS_HELP = {
    1: "gifts help the seat that trails: {gap} more than the one that leads gets",
    -1: "gifts help the seat that leads: {gap} more than the one that trails gets",
    0: "whether gifts help the seat that trails or the one that leads is undecided: {gap}",
}


def gaps_of(cells: Sequence[Cell]) -> dict[Cell, Estimate]:
    """Return what gifts bring the trailing seat more than the leading one, with intervals that hold together."""
    return dict(zip(cells, simultaneous([cell.figure(GAP) for cell in cells]), strict=True))


def gap_words(gap: Estimate) -> str:
    """Return whom gifts help as a phrase."""
    size = gap.negated() if gap.sign < 0 else gap
    return say(GIFTS_HELP[gap.sign], gap=text(size, "points a round" if gap.sign else "points"))


def range_words(cells: Sequence[Cell], shares: Sequence[Estimate]) -> str:
    """Return where gifts bring least and most as a sentence."""
    known = [(share, cell) for share, cell in zip(shares, cells, strict=True) if share.known]
    if not known:
        return say("No variant has enough games for an interval.")
    (least, lowest), (most, highest) = (end(known, key=lambda pair: pair[0].value) for end in (min, max))
    return say(
        UNDECIDED_RANGE if least.high >= most.low else RANGE,
        count=len(known),
        least=SHARE.text(least),
        lowest=lowest.name,
        most=SHARE.text(most),
        highest=highest.name,
    )


RANGE = (
    "Over {count} variants and kinds of player gift points run from {least} of the final points ({lowest}) to {most} "
    "({highest}); these intervals hold together."
)
UNDECIDED_RANGE = (
    "Whether the share of gift points differs among {count} variants and kinds of player is undecided: from {least} "
    "({lowest}) to {most} ({highest})."
)


def how_often(cells: Sequence[Cell]) -> Finding:
    """Say how often gifts are offered and what becomes of them."""
    main = main_cell(cells)
    offered = main.figure(RATES["offered", "rounds"])
    own = [(cell, fate) for fate in FATES for cell in cells if cell.label == main.label]
    return Finding(
        "how_often",
        say(
            "A round brings {offered}; {accepted} of them are accepted ({name}).",
            offered=text(offered, "gift offers"),
            accepted=FATES[0].text(main.figure(FATES[0])),
            name=main.name,
        ),
        text=(fate_words(main),),
        charts=(
            dots(
                "offers",
                "Gifts offered in a round",
                cells,
                [cell.figure(RATES["offered", "rounds"]) for cell in cells],
                "Offers of captured cards whose colour the captor may not hold.",
                x_label="gifts offered a round",
            ),
            dots(
                "fates",
                say("What becomes of gifts offered ({label})", label=main.label),
                [cell for cell, _ in own],
                [cell.figure(fate) for cell, fate in own],
                "Shares of the gifts offered; ratios of sums over games.",
                labels=[fate.label.partition(",")[0] for _, fate in own],
                x_label="of gifts offered",
                percent=True,
            ),
        ),
        tables=(rate_table([cell for cell in cells if cell.label == main.label]), *tables_abreast(cells, FATES)),
        assumes=("A round that a gift ended counts as a round; its tricks are those played.",),
        title="How often",
    )


def fate_words(main: Cell) -> str:
    """Return why gifts are refused as a sentence."""
    _, forced, refused = (fate.text(main.figure(fate)) for fate in FATES)
    return say(
        "Of the gifts offered {forced} are refused as the receiver might not hold the colour either, and {refused} by "
        "choice ({name}).",
        forced=forced,
        refused=refused,
        name=main.name,
    )


def rate_table(own: Sequence[Cell]) -> Table:
    """Return gifts a trick, a round and a game of one variant."""
    pairs = [(cell, outcome) for cell in own for outcome in OUTCOMES]
    frame = pd.DataFrame(
        {"players": [cell.kind.text for cell, _ in pairs], "gifts": [OUTCOMES[outcome] for _, outcome in pairs]}
    )
    for bottom, per in PER.items():
        made = frame_of([cell.figure(RATES[outcome, bottom]) for cell, outcome in pairs])
        frame[[per, f"{per}, low", f"{per}, high"]] = made[["value", "low", "high"]]
    frame["n"] = [cell.games for cell, _ in pairs]
    return Table("rates", say("Gifts a trick, a round and a game ({label})", label=own[0].label), frame, "n: games.")


def wins(cells: Sequence[Cell]) -> Finding:
    """Say how many wins are owed to gifts, and how often a gift ends the game."""
    main = main_cell(cells)
    return Finding(
        "wins",
        say(
            "A gift ends {ended} of the games; {moved} of the wins would be another seat's if no gift points counted "
            "({name}).",
            ended=ENDED.text(main.figure(ENDED)),
            moved=OWED_ALL.text(main.figure(OWED_ALL)),
            name=main.name,
        ),
        text=(
            say(
                "Of games that a gift ended, {owed} were won by seats that all owe it to gifts ({name}). In {spoiled} "
                "of the games a seat didn't win that would have won with its own gift points taken off: they took it "
                "too far past the target.",
                owed=OWED_ENDED.text(main.figure(OWED_ENDED)),
                name=main.name,
                spoiled=SPOILED.text(main.figure(SPOILED)),
            ),
        ),
        charts=tuple(
            dots(key, title, cells, [cell.figure(of) for cell in cells], caption, x_label=x_label, percent=True)
            for key, title, of, caption, x_label in (
                ("owed", "Wins owed to gifts", OWED, "Lost if the winner's own gift points are taken off.", "wins"),
                ("ended", "Games that a gift ended", ENDED, "An accepted gift took a seat to the target.", "games"),
            )
        ),
        tables=tables_abreast(cells, [OWED_ALL, OWED_ENDED, SPOILED]),
        assumes=(
            "A win is owed to gifts if its seat doesn't win any more once its own gift points are taken off its final "
            "score and all else stays as played: other scores, penalties, and where the game ended.",
            "A shared win counts by the share.",
        ),
        title="Gifts and winning",
    )


GAP_WORDS = {"higher": "gifts help the seat that trails", "lower": "gifts help the seat that leads"}


def kingmaking(cells: Sequence[Cell]) -> Finding:
    """Say whether gifts help the seat that leads or the one that trails."""
    main = main_cell(cells)
    gaps = gaps_of(cells)
    return Finding(
        "kingmaking",
        say("{told} ({name}).", told=sentence(gap_words(gaps[main])), name=main.name),
        text=by_words(
            {
                label: across(own, [gaps[cell] for cell in own], GAP, GAP_WORDS)
                for label, own in by_label(cells).items()
            },
            "In ",
        ),
        charts=(
            dots(
                "gap",
                "What gifts bring a trailing seat more than a leading one",
                cells,
                list(gaps.values()),
                "Gift points less penalties in rounds after the first, of the seats with the fewest points when the "
                "round began minus those with the most; paired by game. Right of zero gifts even the game out, left of "
                "it they make kings. All intervals hold together.",
                x_label="points a later round",
                reference=0,
                reference_label="no difference",
            ),
        ),
        tables=tables_abreast(cells, [LEADING, TRAILING]),
        assumes=(
            "Points by gifts are what scores changed besides the majority scoring: gift points less penalties really "
            "lost. Seats that are level share; where all are, the difference is 0.",
        ),
        title="Who is helped",
    )


Changes = dict[tuple[str, Cell, Figure], Estimate]


def readings(cells: Sequence[Cell]) -> Finding:
    """Say what the other way to read two rules changes."""
    keys = [(reading, cell, figure) for reading in READINGS for cell in cells for figure in DRAWN]
    made = simultaneous([cell.change(figure, reading) for reading, cell, figure in keys])
    changes = dict(zip(keys, made, strict=True))
    main = main_cell(cells)
    return Finding(
        "readings",
        say(" ").join(reading_words(reading, main, changes[reading, main, SHARE]) for reading in READINGS),
        text=(
            clear_words(changes),
            *(line for reading in READINGS for line in share_words(reading, cells, changes)),
        ),
        charts=tuple(reading_chart(reading, cells, changes) for reading in READINGS),
        assumes=(
            "Both readings play the same game numbers on the same random streams and are compared game by game.",
            say("All {count} intervals of these differences are widened so that they hold together.", count=len(keys)),
        ),
        title="Readings of the rules",
    )


def reading_words(reading: str, main: Cell, change: Estimate) -> str:
    """Return what a reading changes in the share of gift points as a sentence."""
    verdict = SHARE.verdict(change)
    return say(
        READING_WORDS.get(verdict, WITHIN),
        key=READINGS[reading][0],
        way=other_way(main.variant, reading),
        reading=reading,
        verdict=verdict,
        change=SHARE.change_text(change),
        name=main.name,
    )


SHOWN = "With {key} = {way} ({reading}) the share of gift points is {verdict}: {change} ({name})."
WITHIN = "With {key} = {way} ({reading}) the share of gift points shows {verdict}: {change} ({name})."
READING_WORDS = dict.fromkeys(("higher", "lower", "exactly the same"), SHOWN) | {
    "undecided": "With {key} = {way} ({reading}) it is {verdict} whether the share of gift points changes: {change} "
    "({name})."
}


def share_words(reading: str, cells: Sequence[Cell], changes: Changes) -> tuple[str, ...]:
    """Return what a reading changes in the share of gift points, for all kinds of player."""
    said = {
        label: across(own, [changes[reading, cell, SHARE] for cell in own], SHARE)
        for label, own in by_label(cells).items()
    }
    return by_words(said, say("{figure}, {reading} the other way, ", figure=sentence(SHARE.label), reading=reading))


def clear_words(changes: Changes) -> str:
    """Return how many figures each reading clearly changes."""
    parts = []
    for reading in READINGS:
        own = [change for (name, *_), change in changes.items() if name == reading]
        clear = sum(change.sign != 0 for change in own)
        parts.append(
            say("{reading} clearly changes {count} of {all} figures", reading=reading, count=clear, all=len(own))
        )
    return say("{told}.", told=say("; ").join(parts))


def reading_chart(reading: str, cells: Sequence[Cell], changes: Changes) -> Chart:
    """Return what a reading changes for decent players in each variant; the table has all kinds of player."""
    main = main_cell(cells)
    own = [cell for cell in cells if cell.kind == main.kind]
    parts = {
        (cell, figure): relative(cell, figure, changes[reading, cell, figure]) for figure in DRAWN for cell in cells
    }
    matrix = pd.DataFrame(
        [[_value(parts[cell, figure]) for cell in own] for figure in DRAWN],
        index=[figure.label for figure in DRAWN],
        columns=[head(cell) for cell in own],
    )
    title = say("What {reading} read the other way changes", reading=reading)
    pairs = [(cell, figure) for figure in DRAWN for cell in cells]
    frame = frame_of(
        [changes[reading, cell, figure] for cell, figure in pairs],
        figure=[figure.label for _, figure in pairs],
        players=[cell.kind.text for cell, _ in pairs],
        variant=[cell.label for cell, _ in pairs],
        as_played=[cell.figure(figure).value for cell, figure in pairs],
        part=[_value(parts[pair]) for pair in pairs],
    ).rename(columns={"as_played": "as played", "part": "change, of that", "value": "change"})
    clear = {pair: part for pair, part in parts.items() if part and pair[0] in own}
    labels = [f"{figure.label}, {head(cell)}" for cell, figure in clear]
    key = f"reading_{reading}"
    return Chart(
        key,
        say("{title} ({players})", title=title, players=main.kind.text),
        charts.heat(matrix, x_label="deck and players", y_label="figure", centre=0, percent=True),
        say(
            "Matrix of {figures} figures by {variants} variants; {clear} cells hold a clear change; {ends}.",
            figures=len(DRAWN),
            variants=len(own),
            clear=len(clear),
            ends=extremes(labels, clear.values(), percent=True),
        ),
        say(
            "{key} = {way}: change in per cent of the figure as played; a dash where it is undecided. The table behind "
            "it has all kinds of player.",
            key=READINGS[reading][0],
            way=other_way(main.variant, reading),
        ),
        Table(key, title, frame, "Shares as fractions. Intervals are widened for all differences of this section."),
    )


def head(cell: Cell) -> str:
    """Return how a cell is called above a narrow column."""
    name = deck_of(cell)
    return f"{PRESETS.get(name, name)} {cell.variant.parameters.players}"


def relative(cell: Cell, figure: Figure, change: Estimate) -> Estimate | None:
    """Return a clear change as a share of the figure's size; nothing where it is undecided."""
    size = abs(cell.figure(figure).value)
    return change.scaled(1 / size) if change.sign and size else None


def _value(part: Estimate | None) -> float:
    return part.value if part else math.nan

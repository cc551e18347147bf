"""Does better play win, and by how much?

One seat is taken by another player than all others, at each seat in turn on the same deals: what it wins beyond a fair
share is what its skill is worth. A ladder of searching players, each with twice the playouts of the one before, shows
how long more thought pays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous, widened
from simlib.estimates.joint import Joint
from simlib.estimates.proportions import wilson
from simlib.estimates.words import number, text
from simlib.experiments import Plan, Request, variants_of
from simlib.figures import charts, small
from simlib.findings import Chart, Finding, Headline, Saving, Table, Tile, tile
from simlib.frames import frame_of
from simlib.games import game_named
from simlib.heavy import pd
from simlib.hooks import Seated, seated
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import joint_sums, numbered, win_shares
from simlib.results import Results
from simlib.survey import WHOLE, Figure, main_labels, pictured, seats_of, unit_of, variants_by_seats, wins_in
from simlib.variants import Variant

GAME = "all"
TITLE = "Does better play win?"
GAMES = 6_000
WEAK = "greedy"
WEAKEST = "random"
STRONG = "search:200"
SEARCHED = 50  # playouts a decision of a searching player that meets all others
LADDER = (25, 50, 100, 200, 400, 800, 1600)
PLAYOUTS = 20  # playouts a decision of one match's seats, for each of GAMES
SLOWER = {"suppose": 4, "take_trick": 10}  # so much less is searched by default, as a playout takes longer
VALUES = ("share", "ahead", "led", "led_choices", "followed", "followed_choices", "squares")  # of a match, a deal
CHOICES = {"leader": ("led_choices", "led"), "follower": ("followed_choices", "followed")}
THUMB = "a rule of thumb"  # what WEAK has over WEAKEST
AHEAD = "thinking ahead"  # what STRONG has over WEAK
LEVELS = {0.5: "{skill} decides", 0.2: "{skill} matters much", 0.05: "{skill} matters"}  # of what could be won
GLOSSARY = [
    ("fair share", "1 / players: what each seat wins when all play alike"),
    ("win share", "1 for the sole winner of a game, 1 / k for each of k tied winners"),
    ("of what could be won", "the win share above a fair share, over all that is above it; nobody can win every game"),
    ("ahead", "points a game, less those of a seat of the field when all seats are taken by it, on the same deals"),
    ("field", "the players of all other seats, all of one kind"),
    ("search:N", "a player that plays N determinized games for each decision"),
    ("determinized", "with the hidden cards drawn at random among all that agree with what the seat knows"),
    ("deal", "one shuffle, played once with the one player at each seat"),
    ("choices", "cards that the rules let a seat play"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("n", "deals behind a figure"),
]


class Match(NamedTuple):
    """One seat of a player against a field of another."""

    label: str
    one: str
    field: str

    @property
    def key(self) -> str:
        """Its name among the studies."""
        return f"{self.label} | {self.one} | {self.field}"


class Step(NamedTuple):
    """A rung of the ladder: two searching players, each alone among the field, on the same deals."""

    label: str
    less: int
    more: int

    @property
    def key(self) -> str:
        """Its name among the studies."""
        return f"{self.label} | from {self.less} | to {self.more}"


GUEST = Figure("wins of one greedy seat among random ones", "wins", "games", percent=True, matters=0.01)


def count_guest(rows: np.ndarray, variant: Variant, seat: int) -> dict[str, np.ndarray]:
    """Return what one seat wins in each game, in games."""
    return {"wins": wins_in(rows, variant)[:, seat], "games": np.full(len(rows), WHOLE)}


MEASURES = Measured(count_guest, {"greedy_among_random": GUEST}, guest=(WEAK, WEAKEST))


# ---- plan ----------------------------------------------------------------------------------------------------------


def plan(request: Request) -> Plan:
    """Return every player against every field for each game, the first step of each ladder, and how it goes on."""
    variants, left_out = variants_by_seats(request, GAME)
    mains = main_labels(variants)
    studies = [match_study(match, variants, request.games) for match in matches_of(variants, mains)]
    first = Plan(
        studies,
        variants,
        dict(entry for label in mains for entry in _sentences(variants[label])),
        _played(studies),
        {"left_out": left_out, "mains": mains},
        timed=True,
    )
    return _with_steps(first, [Step(label, *LADDER[:2]) for label in mains], request.games)


def known_players(game: str) -> dict[str, Any]:
    """Return a game's players by what is typed, weak ones first; none that sees what its seat may not know."""
    players = game_named(game).module("players").PLAYERS
    fair = {name: player for name, player in players.items() if not getattr(player, "sees_all", False)}
    return {f"{name}:{SEARCHED}" if player.searches else name: player for name, player in fair.items()}


def _sentences(variant: Variant) -> Iterable[tuple[str, str]]:
    title = game_named(variant.game).title
    for text_, player in known_players(variant.game).items():
        yield f"{text_.partition(':')[0]} ({title})", player.sentence


def matches_of(variants: dict[str, Variant], mains: Sequence[str]) -> list[Match]:
    """Return all pairs of players for the main variants, and for the others those that the headlines speak of."""
    matches = []
    for label, variant in variants.items():
        names = list(known_players(variant.game))
        pairs = [(one, field) for field in names for one in names if one != field]
        if label in mains:
            pairs.append((STRONG, WEAK))
        else:
            pairs = [(one, field) for one, field in pairs if field == WEAK or (one, field) == (WEAK, WEAKEST)]
        matches += [Match(label, *pair) for pair in pairs]
    return matches


def match_study(match: Match, variants: dict[str, Variant], games: int) -> Any:
    """Return a match's study: its player at each seat in turn, and the field alone, on common deals."""
    from simlib.batch import Study

    variant = variants[match.label]
    arms = _rotated(variant, match.one, match.field) | {"field": _arm(variant, [match.field] * seats_of(variant))}
    deals = _deals(variant, arms, games * (2 if match.one == STRONG else 1))
    return Study(match.key, arms, deals, partial(match_sums, variant=variant))


def step_study(step: Step, variants: dict[str, Variant], games: int) -> Any:
    """Return the study of a step: both players at each seat in turn."""
    from simlib.batch import Study

    variant = variants[step.label]
    arms = {
        f"{budget} {name}": arm
        for budget in (step.less, step.more)
        for name, arm in _rotated(variant, f"search:{budget}", WEAK).items()
    }
    return Study(step.key, arms, _deals(variant, arms, 2 * games), partial(step_sums, variant=variant, step=step))


def _rotated(variant: Variant, one: str, field: str) -> dict[str, Any]:
    seats = range(seats_of(variant))
    return {f"seat {at}": _arm(variant, [one if seat == at else field for seat in seats]) for at in seats}


def _arm(variant: Variant, names: Sequence[str]) -> Any:
    from simlib.batch import Arm

    known = game_named(variant.game).module("players").PLAYERS
    return Arm(variant, tuple(_seated(name, known) for name in names))


def _seated(name: str, known: dict[str, Any]) -> Seated:
    return seated(name, known, "players")


def _deals(variant: Variant, arms: dict[str, Any], games: int) -> int:
    """Return how many deals are played: as asked by fast players, by searching ones what as many playouts allow."""
    playouts = sum(arm.playouts for arm in arms.values())
    if not playouts:
        return games
    return max(2, min(games, games * PLAYOUTS // (SLOWER.get(variant.game, 1) * playouts)))


def _played(studies: Iterable[Any]) -> dict[str, int]:
    """Return the games of all studies by variant and kind."""
    played: dict[str, int] = {}
    for study in studies:
        label, one, _ = study.key.split(" | ")
        kind = "steps of the ladder" if one.partition(" ")[0] == "from" else "one player against a field"
        played[f"{label}, {kind}"] = played.get(f"{label}, {kind}", 0) + study.games * len(study.arms)
    return played


def _with_steps(plan: Plan, steps: Sequence[Step], games: int) -> Plan:
    studies = [*plan.studies, *(step_study(step, plan.variants, games) for step in steps)]
    made = replace(plan, studies=studies, played=_played(studies))
    return replace(made, further=partial(next_steps, plan=made, games=games))


def next_steps(summaries: dict[str, Any], plan: Plan, games: int) -> Plan | None:
    """Return the plan with another step for each ladder whose last one was a clear gain; None where there is none."""
    mains = plan.facts["mains"]
    following = [step_after(ladder(summaries, label, plan.variants[label], len(mains))) for label in mains]
    todo = [step for step in following if step and step.key not in summaries]
    return _with_steps(plan, todo, games) if todo else None


def step_after(rungs: Sequence[Rung]) -> Step | None:
    """Return the step that follows a ladder's last one, if that was a clear gain and there is one."""
    last = rungs[-1]
    above = [budget for budget in LADDER if budget > last.step.more]
    return Step(last.step.label, last.step.more, above[0]) if last.gain.sign > 0 and above else None


# ---- sums ----------------------------------------------------------------------------------------------------------


def match_sums(rows: dict[str, np.ndarray], variant: Variant) -> dict[str, Any]:
    """Sum up a match: VALUES of each deal over all seats, and their products.

    ``share`` counts in 1 / WHOLE wins, ``ahead`` in the row's units of points; cards and choices are the field's own;
    ``squares`` are those of the shares in each of a deal's games.
    """
    own, alone = one_seat(rows, variant), rows["field"].astype(np.int64)
    column = numbered(_columns(variant))
    points = alone[:, [column[f"score_{seat}"] for seat in range(seats_of(variant))]].sum(axis=1)
    names = ("leader_plays", "leader_choices", "follower_plays", "follower_choices")
    counted = [alone[:, column[name]] for name in names]
    return joint_sums(np.stack([own["share"], own["points"] - points, *counted, own["squares"]], axis=1))


def step_sums(rows: dict[str, np.ndarray], variant: Variant, step: Step) -> dict[str, Any]:
    """Sum up a step: win share and points of both players on each deal, and cards played, and their products."""
    values = []
    for budget in (step.less, step.more):
        own = one_seat({f"seat {at}": rows[f"{budget} seat {at}"] for at in range(seats_of(variant))}, variant)
        values += [own["share"], own["points"], own["cards"]]
    return joint_sums(np.stack(values, axis=1))


def one_seat(rows: dict[str, np.ndarray], variant: Variant) -> dict[str, np.ndarray]:
    """Return share of the win, its square, points and cards of the seat that moves round, summed over its places."""
    column, seats = numbered(_columns(variant)), range(seats_of(variant))
    found = {name: np.zeros(len(rows["seat 0"]), np.int64) for name in ("share", "squares", "points", "cards")}
    for at in seats:
        row = rows[f"seat {at}"].astype(np.int64)
        share = win_shares(row[:, [column[f"win_{seat}"] for seat in seats]], WHOLE)[:, at]
        found["share"] += share
        found["squares"] += share * share
        found["points"] += row[:, column[f"score_{at}"]]
        found["cards"] += (row[:, column["leader_plays"]] + row[:, column["follower_plays"]]) // len(seats)
    return found


def _columns(variant: Variant) -> Any:
    return game_named(variant.game).module("rules").columns(variant.parameters)


# ---- estimates -----------------------------------------------------------------------------------------------------


class Cell:
    """The sums of one match, as estimates."""

    def __init__(self, summary: dict[str, Any], match: Match, variant: Variant) -> None:
        self.match, self.variant, self.seats = match, variant, seats_of(variant)
        self.joint = Joint(VALUES, summary["sums"], summary["products"], int(summary["n"]))

    @property
    def name(self) -> str:
        """How the match is called on the page."""
        return say(
            "one {player} among {count} {field}",
            player=self.match.one, count=self.seats - 1, field=self.match.field,
        )  # fmt: skip

    @property
    def share(self) -> Estimate:
        """The win share of the one player, a game; where it won none or all, deals alike say how sure that is."""
        won, deals = self.joint.total("share"), self.joint.n
        if won in (0, WHOLE * self.seats * deals):
            return wilson(deals if won else 0, deals)
        return self.joint.mean("share").scaled(1 / (WHOLE * self.seats)).within(0, 1)

    @property
    def rotation(self) -> Saving:
        """How many games, on deals of their own, one game of a deal is worth that is played from every seat."""
        games = self.joint.n * self.seats
        mean = self.joint.total("share") / games
        apart = self.joint.total("squares") / games - mean * mean
        together = self.joint.spread({"share": 1 / self.seats}) * self.seats
        return Saving("playing each deal from every seat", apart / together if together else float("nan"), games)

    @property
    def ahead(self) -> Estimate:
        """Its points a game, less those of a seat of the field alone, paired by deal."""
        return self.joint.mean("ahead").scaled(1 / (self.seats * unit_of(self.variant)))

    def choices(self, who: str) -> Estimate:
        """Return the choices a decision of leaders or followers, when all seats are the field's."""
        return self.joint.ratio(*CHOICES[who])


class Rung(NamedTuple):
    """A step of a ladder: the players' win shares, the gain from one to the other, in wins and points, and cards."""

    step: Step
    less: Estimate
    more: Estimate
    gain: Estimate
    points: Estimate
    cards: Estimate


def moved(estimate: Estimate, by: float) -> Estimate:
    """Return an estimate with a number added."""
    return replace(estimate, value=estimate.value + by, low=estimate.low + by, high=estimate.high + by)


def clipped(estimate: Estimate, least: float, most: float) -> Estimate:
    """Return an estimate whose interval doesn't reach beyond what can be, as one from few deals would."""
    if not estimate.known:
        return estimate
    return replace(estimate, low=max(estimate.low, least), high=min(estimate.high, most))


def ladder(summaries: dict[str, Any], label: str, variant: Variant, ladders: int) -> list[Rung]:
    """Return the steps that were played of one ladder, in order.

    Gains are tested in order, each only after a clear one: then no step needs more than its ladder's level (a fixed
    sequence: Maurer, Hothorn and Lehmacher, 1995). Their intervals are widened for the number of ladders.
    """
    rungs = []
    for less, more in pairwise(LADDER):
        step = Step(label, less, more)
        if step.key in summaries:
            rungs.append(_rung(step, summaries[step.key], variant, ladders))
    return rungs


def _rung(step: Step, summary: dict[str, Any], variant: Variant, ladders: int) -> Rung:
    names = [(budget, name) for budget in (step.less, step.more) for name in ("share", "points", "cards")]
    joint = Joint(names, summary["sums"], summary["products"], int(summary["n"]))
    seats = seats_of(variant)
    gain = joint.difference((step.more, "share"), (step.less, "share"))
    wins, points = 1 / (WHOLE * seats), 1 / (seats * unit_of(variant))
    return Rung(
        step,
        joint.mean((step.less, "share")).scaled(wins).within(0, 1),
        joint.mean((step.more, "share")).scaled(wins).within(0, 1),
        clipped(widened(gain.scaled(wins), ladders), -1, 1),
        joint.difference((step.more, "points"), (step.less, "points")).scaled(points),
        joint.mean((step.more, "cards")).scaled(1 / seats),
    )


# ---- findings ------------------------------------------------------------------------------------------------------


class Told:
    """All that a page is about: its variants, cells and ladders."""

    def __init__(self, run: Results) -> None:
        facts = run.facts["plan"]
        self.variants, self.mains, self.left_out = variants_of(run), facts["mains"], tuple(facts["left_out"])
        matches = [Match(*key.split(" | ")) for key in run.summaries if " | from " not in key]
        self.cells = [Cell(run.summaries[match.key], match, self.variants[match.label]) for match in matches]
        self.ladders = {
            label: ladder(run.summaries, label, self.variants[label], len(self.mains)) for label in self.mains
        }

    def title(self, label: str) -> str:
        """Return the title of a variant's game."""
        return game_named(self.variants[label].game).title

    def cell(self, label: str, one: str, field: str) -> Cell:
        """Return a match's cell."""
        return next(cell for cell in self.cells if cell.match == Match(label, one, field))

    def of(self, label: str) -> list[Cell]:
        """Return the cells of a variant in which all players meet each other."""
        return [cell for cell in self.cells if cell.match.label == label and cell.match.one != STRONG]


def findings(run: Results) -> list[Finding]:
    """Return how much skill matters in each game, then who beats whom, the ladder, and what there is to choose."""
    told = Told(run)
    found = [answer(told), *(beats(told, label) for label in told.mains), climbing(told), choosing(told)]
    return [*found, seats(told)] if len(told.variants) > len(told.mains) else found


def headline_figure(run: Results) -> Headline:
    """Return what the strong player wins among greedy ones, in the first game."""
    told = Told(run)
    cell = told.cell(told.mains[0], STRONG, WEAK)
    label = say("win share of {who}, {where}", who=cell.name, where=told.mains[0])
    return Headline(label, cell.share, percent=True, savings=(cell.rotation,))


def answer(told: Told) -> Finding:
    """Say how much skill matters in each game."""
    strong = [told.cell(label, STRONG, WEAK) for label in told.mains]
    weak = [told.cell(label, WEAK, WEAKEST) for label in told.mains]
    cells, count = strong + weak, len(strong)
    shares, indices = shares_of(cells), indices_of(cells)
    return Finding(
        "answer",
        say(" ").join(
            say(
                "{game}: {weak}; {strong}: {won}.",
                game=told.title(label), weak=matters(indices[count + at], THUMB), strong=matters(indices[at], AHEAD),
                won=_won_words(strong[at], shares[at]),
            )
            for at, label in enumerate(told.mains)
        ),
        text=tuple(_part_words(told, *each) for each in zip(cells, shares, indices, strict=True)),
        tiles=tuple(_tile(told, cell, index) for cell, index in zip(strong, indices, strict=False)),
        charts=(_index_chart(cells, indices),),
        assumes=(
            *told.left_out,
            say(
                "Skill is told by players that the toolkit has: {thumb} is what {weak} has over {weakest}, {ahead} "
                "what {strong} has over {weak}. A better player than these may win more.",
                thumb=THUMB, weak=WEAK, weakest=WEAKEST, ahead=AHEAD, strong=STRONG,
            ),
            say("All {count} intervals of this section are widened so that they hold together.", count=2 * count),
            "Each deal is played once with the one player at each seat; a field alone wins a fair share on it, so that "
            "what is above it is a paired difference.",
        ),
        picture=pictured(
            "index", [say("{game}, {skill}", game=told.title(cell.match.label), skill=skill) for cell, skill in
                      zip(cells, [AHEAD] * count + [THUMB] * count, strict=True)],
            indices, percent=True, reference=0,
        ) if 2 * count <= small.MOST_ROWS else None,
    )  # fmt: skip


def shares_of(cells: Sequence[Cell]) -> list[Estimate]:
    """Return win shares whose intervals hold together."""
    return [clipped(share, 0, 1) for share in simultaneous([cell.share for cell in cells])]


def above_fair(cells: Sequence[Cell]) -> list[Estimate]:
    """Return, likewise, win shares less the fair share, which the field's own is on the same deals."""
    return [moved(share, -1 / cell.seats) for cell, share in zip(cells, shares_of(cells), strict=True)]


def indices_of(cells: Sequence[Cell]) -> list[Estimate]:
    """Return, likewise, what is won beyond a fair share of all that is beyond it."""
    return [above.scaled(cell.seats / (cell.seats - 1)) for cell, above in zip(cells, above_fair(cells), strict=True)]


def matters(index: Estimate, skill: str = AHEAD) -> str:
    """Return in words how much a skill matters, from what is won of all that could be won beyond a fair share.

    Examples
    --------
    >>> matters(Estimate(0.1, 0.06, 0.14, 900, "Student t"))
    'thinking ahead matters'
    """
    return say(_matters(index), skill=skill)


def _matters(index: Estimate) -> str:
    if index.sign == 0:
        return "whether {skill} wins more is undecided"
    if index.sign < 0:
        return "{skill} wins less"
    for least, words in LEVELS.items():
        if index.low >= least:
            return words
    return "{skill} matters little" if index.high <= min(LEVELS) * 3 else "{skill} matters, how much is undecided"


def _won_words(cell: Cell, share: Estimate) -> str:
    return say(
        "{who} wins {share} where {fair} is fair",
        who=cell.name, share=_share(share), fair=_percent(1 / cell.seats),
    )  # fmt: skip


def _part_words(told: Told, cell: Cell, share: Estimate, index: Estimate) -> str:
    return say(
        "{game}: {won}; that is {part} of what could be won beyond a fair share.",
        game=told.title(cell.match.label), won=_won_words(cell, share), part=_share(index),
    )  # fmt: skip


def _share(share: Estimate) -> str:
    return text(share, percent=True)


def _percent(value: float) -> str:
    return f"{number(100 * value, 1).removesuffix('.0')} %"


def _tile(told: Told, cell: Cell, index: Estimate) -> Tile:
    label = say("{game}: won of what could be won", game=told.title(cell.match.label))
    return tile(label, index, cell.name, percent=True)


def _index_chart(cells: Sequence[Cell], indices: Sequence[Estimate]) -> Chart:
    title = "What better play wins, of what could be won beyond a fair share"
    frame = frame_of(
        indices,
        label=[cell.match.label for cell in cells],
        players=[
            say("one {player} among {field} ones", player=cell.match.one, field=cell.match.field) for cell in cells
        ],
    )
    figure = charts.interval_dots(
        frame,
        group="players",
        reference=0,
        reference_label="a fair share",
        x_label="of what could be won",
        percent=True,
    )
    caption = "0 % is a fair share, 100 % every game. Luck leaves even a perfect player below that."
    return Chart("index", title, figure, _alt(cells, indices), caption, Table("index", title, frame, "As fractions."))


def _alt(cells: Sequence[Cell], estimates: Sequence[Estimate]) -> str:
    labels = [say("{label}, {who}", label=cell.match.label, who=cell.name) for cell in cells]
    return _listed(labels, map(_share, estimates))


def _listed(labels: Iterable[str], figures: Iterable[str]) -> str:
    """Return figures as one sentence, each behind its label."""
    pairs = zip(labels, figures, strict=True)
    told = say("; ").join(say("{label}: {figure}", label=label, figure=figure) for label, figure in pairs)
    return say("{told}.", told=told)


# ---- who beats whom ------------------------------------------------------------------------------------------------


def beats(told: Told, label: str) -> Finding:
    """Say which player wins most against which field, for one game."""
    cells = told.of(label)
    above = above_fair(cells)
    points = simultaneous([cell.ahead for cell in cells])
    return Finding(
        f"beats_{told.variants[label].game}",
        _order_words(label, cells, above),
        text=(_even_words(cells, above, points),),
        charts=(_beats_chart(told, label, cells, above, points),),
        assumes=(
            say(
                "All {count} intervals of wins are widened so that they hold together, and those of points likewise.",
                count=len(cells),
            ),
            "Searching players play fewer deals than fast ones: n says how many.",
        ),
        title=say("{game}: who beats whom", game=told.title(label)),
    )


def _order_words(label: str, cells: Sequence[Cell], above: Sequence[Estimate]) -> str:
    clear = [(cell, each) for cell, each in zip(cells, above, strict=True) if each.sign > 0]
    names = list(dict.fromkeys(cell.match.one for cell in cells))
    beaten = {name: sum(cell.match.one == name for cell, _ in clear) for name in names}
    if not clear:
        return say("{label}: no player clearly wins more than a fair share against any other.", label=label)
    most = [name for name in names if beaten[name] == max(beaten.values())]
    cell, best = max(clear, key=lambda pair: pair[1].value)
    template = (
        "{label}: {players} clearly wins more than a fair share against {count} of {all} fields; most is won by {who}: "
        "{more} more."
        if len(most) == 1
        else "{label}: {players} clearly win more than a fair share against {count} of {all} fields each; most is won "
        "by {who}: {more} more."
    )
    return say(
        template,
        label=label, players=say(" and ").join(most), count=beaten[most[0]], all=len(names) - 1, who=cell.name,
        more=text(best, "points of a per cent", percent=True),
    )  # fmt: skip


def _even_words(cells: Sequence[Cell], above: Sequence[Estimate], points: Sequence[Estimate]) -> str:
    open_ = [cell.name for cell, each in zip(cells, above, strict=True) if each.sign == 0]
    torn = [
        cell.name
        for cell, wins, score in zip(cells, above, points, strict=True)
        if wins.sign * score.sign < 0
    ]  # fmt: skip
    template = (
        "Wins are clear in {clear} of {all} matches; undecided: {names}."
        if open_
        else "Wins are clear in {clear} of {all} matches."
    )
    told = [say(template, clear=len(cells) - len(open_), all=len(cells), names=say(", ").join(open_))]
    if torn:
        told.append(
            say("More wins go with fewer points, or the reverse, for {names}.", names=say(", ").join(torn))
        )  # fmt: skip
    return say(" ").join(told)


def _beats_chart(
    told: Told, label: str, cells: Sequence[Cell], above: Sequence[Estimate], points: Sequence[Estimate]
) -> Chart:
    key = f"beats_{told.variants[label].game}"
    title = say("{label}: win share of one player against a field", label=label)
    names, fair = list(dict.fromkeys(cell.match.one for cell in cells)), 1 / seats_of(told.variants[label])
    shares = {(cell.match.one, cell.match.field): cell.share.value for cell in cells}
    matrix = pd.DataFrame([[shares.get((one, field), fair) for field in names] for one in names], names, names)
    return Chart(
        key,
        title,
        charts.heat(matrix, x_label="field", y_label="one player", centre=fair, percent=True),
        _alt(cells, [cell.share for cell in cells]),
        say(
            "A fair share, {fair}, is uncoloured: what a player wins in its own field. From at least {deals:,} deals "
            "each; the table has the intervals.",
            fair=_percent(fair), deals=min(cell.joint.n for cell in cells),
        ),
        Table(
            key, title, pd.concat([_beats_frame(cells, above, points), _own_fields(names, fair)], ignore_index=True),
            "Wins as fractions. Low and high are widened ends. A player's own field isn't played (n = 0): all seats "
            "are alike, so each wins a fair share.",
        ),
    )  # fmt: skip


def _own_fields(names: Sequence[str], fair: float) -> pd.DataFrame:
    return pd.DataFrame({"player": names, "field": names, "win share": fair, "above fair": 0.0, "n": 0})


def _beats_frame(cells: Sequence[Cell], above: Sequence[Estimate], points: Sequence[Estimate]) -> pd.DataFrame:
    frame = frame_of(
        above,
        player=[cell.match.one for cell in cells],
        field=[cell.match.field for cell in cells],
        share=[cell.share.value for cell in cells],
    ).rename(columns={"share": "win share", "value": "above fair"})
    scored = pd.DataFrame([(each.value, each.low, each.high) for each in points])
    scored.columns = pd.Index(["points ahead", "points low", "points high"])
    return pd.concat([frame, scored], axis=1)[
        ["player", "field", "win share", "above fair", "low", "high", *scored.columns, "n"]
    ]


# ---- the ladder ----------------------------------------------------------------------------------------------------


def climbing(told: Told) -> Finding:
    """Say up to how many playouts more thought clearly pays."""
    return Finding(
        "ladder",
        say(" ").join(climb_words(told.title(label), rungs) for label, rungs in told.ladders.items()),
        charts=(_gain_chart(told),),
        tables=(_cost_table(told),),
        assumes=(
            say(
                "Each step doubles the playouts a decision of one searching player among {weak} ones, on common deals. "
                "The next is played only when the gain was clear, so each step needs no more than its ladder's own "
                "level; intervals of gains are widened for the {ladders}.",
                weak=WEAK, ladders=_ladders(len(told.ladders)),
            ),
            "The more playouts, the fewer deals: a larger GAMES climbs further.",
            "Playouts a game are for its cards, at most: where one card can be played, none is needed; bids and other "
            "decisions come on top.",
            "How long this takes is in speeds.csv beside this page, for the machine that played: games a second of "
            "one thread. It is no part of the result, which is the same wherever it is played.",
        ),
        title="Thinking longer",
    )  # fmt: skip


def _ladders(count: int) -> str:
    return say("{count} ladders", count=count) if count > 1 else say("1 ladder")


def climb_words(title: str, rungs: Sequence[Rung]) -> str:
    """Return up to which step doubling the playouts clearly pays, and what the last one brought."""
    last = rungs[-1]
    gain = text(last.gain, "points of a per cent", percent=True)
    if last.gain.sign > 0:
        return say(
            "{game}: each doubling up to {more} playouts wins more; the last gains {gain}.",
            game=title, more=last.step.more, gain=gain,
        )  # fmt: skip
    paid = "doubling pays up to {less} playouts" if len(rungs) > 1 else "no doubling clearly pays"
    if not last.gain.known:
        template = "{game}: {paid}; too few deals for {less} to {more} ({reason})."
    elif last.gain.sign < 0:
        template = "{game}: {paid}; from {less} to {more} it loses: {gain}."
    else:
        template = "{game}: {paid}; from {less} to {more} the gain is undecided: {gain}."
    return say(
        template,
        game=title, paid=say(paid, less=last.step.less), less=last.step.less, more=last.step.more, gain=gain,
        reason=last.gain.reason,
    )  # fmt: skip


def _gain_chart(told: Told) -> Chart:
    title = "What doubling the playouts gains in win share"
    rungs = [(label, rung) for label, own in told.ladders.items() for rung in own]
    gains = [rung.gain for _, rung in rungs]
    frame = frame_of(
        gains,
        label=[
            say("{game}, {less} to {more}", game=told.title(label), less=rung.step.less, more=rung.step.more)
            for label, rung in rungs
        ],
    )
    figure = charts.interval_dots(frame, reference=0, reference_label="no gain", percent="points")
    alt = _listed(frame["label"], map(_share, gains))
    caption = say(
        "One searching player among {weak} ones; a ladder ends at its first step that isn't a clear gain.", weak=WEAK
    )
    return Chart("gains", title, figure, alt, caption, Table("gains", title, frame, "As fractions."))


def _cost_table(told: Told) -> Table:
    rows = [
        (label, rung.step.more, share, rung.points.value, rung.cards.value)
        for label, own in told.ladders.items()
        for rung in own
        for share in [rung.more]
    ]
    frame = frame_of([share for _, _, share, _, _ in rows], game=[label for label, *_ in rows])
    frame.insert(1, "playouts a decision", [budget for _, budget, *_ in rows])
    frame["gain in points a game"] = [points for *_, points, _ in rows]
    frame["cards a game"] = [cards for *_, cards in rows]
    frame["playouts a game"] = [cards * budget for _, budget, _, _, cards in rows]
    frame = frame.rename(columns={"value": "win share"})
    return Table("costs", "What each level wins and costs", frame, "Intervals of win shares hold one by one.")


# ---- choices, seats ------------------------------------------------------------------------------------------------


def choosing(told: Told) -> Finding:
    """Say how many cards there are to choose from."""
    labels = list(told.variants)
    found = {(label, who): _choices(told, label, who) for label in labels for who in CHOICES}
    words = [
        say(
            "{game}: {leader} cards to choose from for a leader, {follower} for a follower",
            game=told.title(label), leader=text(found[label, "leader"]), follower=text(found[label, "follower"]),
        )
        for label in told.mains
    ]  # fmt: skip
    frame = frame_of(
        list(found.values()),
        label=[label for label, _ in found],
        seat=[who for _, who in found],
    )
    title = "Choices a decision"
    figure = charts.interval_dots(frame, group="seat", x_label="cards that may be played")
    labels = [say("{label}, {who}", label=label, who=who) for label, who in found]
    alt = _listed(labels, map(text, found.values()))
    caption = say("Legal cards a leader or follower has, when all seats are {weak}.", weak=WEAK)
    return Finding(
        "choices",
        say("{told} (all {weak}).", told=say("; ").join(words), weak=WEAK),
        charts=(Chart("choices", title, figure, alt, caption, Table("choices", title, frame)),),
        assumes=(say("Games of {weak} players alone; ratios of sums over games.", weak=WEAK),),
        title="Cards to choose from",
    )


def _choices(told: Told, label: str, who: str) -> Estimate:
    among = [cell for cell in told.cells if cell.match.label == label and cell.match.field == WEAK]
    return max(among, key=lambda cell: cell.joint.n).choices(who)


def seats(told: Told) -> Finding:
    """Say how much skill matters with other numbers of players."""
    strongest = f"search:{SEARCHED}"
    cells = [told.cell(label, strongest, WEAK) for label in told.variants]
    cells += [told.cell(label, WEAK, WEAKEST) for label in told.variants]
    indices = indices_of(cells)
    chart = _index_chart(cells, indices)
    title = "What better play wins, by number of players"
    return Finding(
        "seats",
        say(" ").join(_seat_words(told, game, cells, indices) for game in told.mains),
        charts=(replace(chart, key="seats", title=title, table=replace(chart.table, key="seats", title=title)),),
        assumes=(
            say("All {count} intervals of this section are widened so that they hold together.", count=len(cells)),
            say("The searching player is {player} here, weaker than in the answer above.", player=strongest),
        ),
        title="Numbers of players",
    )


def _seat_words(told: Told, main: str, cells: Sequence[Cell], indices: Sequence[Estimate]) -> str:
    game = told.variants[main].game
    own = [
        (cell, index)
        for cell, index in zip(cells, indices, strict=True)
        if cell.variant.game == game and cell.match.field == WEAK and index.known
    ]
    if len(own) < 2:
        return say("{game}: other numbers of players can't be compared.", game=told.title(main))
    (less, lowest), (more, highest) = (
        end(own, key=lambda pair: pair[1].value) for end in (min, max)
    )  # fmt: skip
    template = (
        "{game}: whether the number of players changes what skill wins is undecided: {lowest} with {less} players, "
        "{highest} with {more}."
        if lowest.high >= highest.low
        else "{game}: what skill wins changes with the number of players: {lowest} with {less} players, {highest} with "
        "{more}."
    )
    return say(
        template,
        game=told.title(main), lowest=_share(lowest), less=less.seats, highest=_share(highest), more=more.seats,
    )  # fmt: skip

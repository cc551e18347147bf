"""A design review: whether one design of a game is broken, whether it is good, and whether it meets its targets.

Each line judges a measure that an experiment takes anyway against a limit: the one by which that experiment tells what
matters, or this review's own. A target of the variant file is judged as everywhere.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from simlib.estimates import Estimate
from simlib.estimates.families import widened
from simlib.estimates.words import level, text
from simlib.experiments import Plan, Request, about, experiment_named, variants_of
from simlib.games import TARGETS, game_named, make_variant
from simlib.hooks import seated
from simlib.landscape import Landscape, Spot, played_alike, studies
from simlib.languages import say
from simlib.measured import Measure, measures_of
from simlib.pages.review import ABSENT, BROKEN, FINE, GOOD, TOLD, WEAKNESS, Line, Section
from simlib.results import Results
from simlib.survey import (
    DECENT,
    STRONG,
    WEAK,
    Cell,
    Figure,
    Survey,
    joined,
    main_labels,
    seats_of,
    variants_by_seats,
)
from simlib.targets import (
    MARKS,
    MET,
    MISSED,
    UNDECIDED,
    Goal,
    goals_of,
    judge,
    judged,
    played_by,
    reason,
)
from simlib.variants import Variant

NAME = "review"
BLOCK, RULES = "review", "rules"  # how keys of its studies begin
MANY, FEW = 50_000, 10_000  # games of its own: where rows of one table are enough, and where each takes longer
LUCK_SHORTER = 3  # times fewer games than LUCK plays by itself
HALF, TENTH = 0.5, 0.1
LADDER, LUCK, DRAMA, DEAD = "skill_ladder", "luck_and_skill", "drama", "dead_rules"
EXAMPLE = """[targets]
start_seat_edge = "<0.01"
winner_known = ">0.6"
meaningful_choices = "30%..50%"
"""


class Limit(NamedTuple):
    """Where a measure should be, and the experiment whose limit that is; this review's own where that is empty."""

    low: float = -math.inf
    high: float = math.inf
    source: str = ""


MOSTLY, SELDOM = Limit(low=HALF), Limit(high=HALF)
PATHOLOGIES = {  # of whatever game has them
    "sole_winners": MOSTLY,
    "uncontested_tricks": SELDOM,
    "contested_tricks": SELDOM,
    "locked_tricks": SELDOM,
    "gifts_refused_by_force": SELDOM,
    "extra_cards_missing": SELDOM,
    "target_reached": MOSTLY,
    "target_overshot": SELDOM,
}


def faults(variant: Variant) -> dict[str, Limit]:
    """Return the limits beyond which a measure of a variant says that something is broken."""
    known = measures_of(variant.game)
    edge = known["start_seat_edge"]
    fair = {edge.name: Limit(high=edge.figure.matters, source=edge.experiment)}
    return fair | {name: limit for name, limit in PATHOLOGIES.items() if name in known}


def merits(variant: Variant) -> dict[str, Limit | None]:
    """Return the limits that tell whether a variant is good; None for a measure that is told without one.

    LADDER and LUCK stand for what these experiments measure of several tables.
    """
    fair = 1 / seats_of(variant)
    least = fair + min(experiment_named(LADDER).LEVELS) * (1 - fair)
    return {
        "greedy_among_random": Limit(low=least, source=LADDER),
        LADDER: Limit(low=least, source=LADDER),
        LUCK: None,
        "winner_known": Limit(low=HALF - experiment_named(DRAMA).NEAR, source=DRAMA),
        "lead_changes": None,
        "last_trick_decides": None,
        "meaningful_choices": Limit(low=TENTH),
        "forced_plays": SELDOM,
    }


# ---- what is played ------------------------------------------------------------------------------------------------


def variant_of(request: Request, game: str) -> tuple[str, Variant]:
    """Return the design that is reviewed, by its label: of several numbers of players that which headlines speak of.

    Raises
    ------
    BadInput
        If none can be played.
    """
    variants, _ = variants_by_seats(request, game)
    label = main_labels(variants)[0]
    return label, variants[label]


def targets_of(request: Request, game: str) -> list[Goal]:
    """Return the targets of a request's variant file.

    Raises
    ------
    BadInput
        If one can't be read.
    """
    return goals_of(request.written.get(TARGETS, {}), game, f"{request.file}: {TARGETS}")


def measures_for(variant: Variant, goals: Sequence[Goal]) -> list[Measure]:
    """Return the measures that are judged or told, each once."""
    known = measures_of(variant.game)
    names = [*faults(variant), *merits(variant), *(goal.name for goal in goals)]
    return [known[name] for name in dict.fromkeys(names) if name in known]


def rules_survey() -> Survey:
    """Return what counts how often each rule comes into play."""
    survey: Survey = experiment_named(DEAD).SURVEY
    return replace(survey, kinds=(WEAK, DECENT), key=RULES)


def plan(request: Request, label: str, variant: Variant, goals: Sequence[Goal]) -> Plan:
    """Return the games of the review's own: as many as `request` asks for, else its own numbers."""
    known = game_named(variant.game).module("players").PLAYERS
    spot = Spot(label, variant, (seated(DECENT.text, known, "players"),) * seats_of(variant))
    own = [
        study
        for alike in played_alike(measures_for(variant, goals)).values()
        for study in studies(BLOCK, [spot], alike, request.games or _own_games(alike[0]))
    ]
    survey, games = rules_survey(), request.games or FEW
    own += survey.studies({label: variant}, games)
    ladder, luck = request.games or about(LADDER).games, request.games or about(LUCK).games // LUCK_SHORTER
    own.append(experiment_named(LADDER).match_study(_match(label), {label: variant}, ladder))
    own.append(_table_study(label, variant, luck))
    those = {each.text: each.sentence for study in own for arm in study.arms.values() for each in arm.players}
    return Plan(own, {label: variant}, those, {})


def _own_games(measure: Measure) -> int:
    return FEW if measure.measured.whole or measure.measured.guest else MANY


# ---- what came of it -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Review:
    """What is known of a design so far.

    Attributes
    ----------
    own : Results
        The review's own games.
    goals : sequence of Goal
        The variant file's targets.
    dead : Results or None
        What the experiment about dead rules found; None as long as it is to be played.
    """

    own: Results
    goals: Sequence[Goal]
    dead: Results | None = None

    @cached_property
    def _named(self) -> tuple[str, Variant]:
        return next(iter(variants_of(self.own).items()))

    @property
    def label(self) -> str:
        """The variant's label."""
        return self._named[0]

    @property
    def variant(self) -> Variant:
        """What is reviewed."""
        return self._named[1]

    @property
    def classic(self) -> Variant:
        """The classic design for as many players."""
        return make_variant(game_named(self.variant.game), settings={"players": seats_of(self.variant)})

    @cached_property
    def landscape(self) -> Landscape:
        """The measures."""
        return Landscape({BLOCK: [self.label]}, measures_for(self.variant, self.goals), self.own.summaries)

    @cached_property
    def sections(self) -> list[Section]:
        """Whether it is broken, whether it is good, whether it meets its targets."""
        return [_is_it_broken(self), _is_it_good(self), _targets_met(self)]

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """For each question, by its title, how many lines have each verdict."""
        return {
            section.title: {verdict: len(lines) for verdict, lines in _by_verdict(section.lines).items()}
            for section in self.sections
        }

    @property
    def verdict(self) -> str:
        """What is broken, if anything is."""
        return self.sections[0].headline

    @property
    def headline(self) -> str:
        """The answers to all three questions."""
        _, good, targets = self.sections
        parts = [self.verdict, good.headline, *([targets.headline] if self.goals else [])]
        return say(" ").join(parts)


def _is_it_broken(review: Review) -> Section:
    limits = faults(review.variant)
    lines = [_rules_line(review), *(_line(review, name, limit, len(limits), FAULTY) for name, limit in limits.items())]
    rules = len(experiment_named(DEAD).clauses(review.variant))
    notes = (
        _family_words(lines[1:], len(limits)),
        say(
            "A rule is dead if it never came into play, here or in dead_rules, and clearly does in fewer than "
            "{share:g} % of games (the limit of dead_rules for a rare one); seen once, it is not. The intervals of all "
            "{count} rules hold together among themselves.",
            share=100 * experiment_named(DEAD).RARE, count=rules,
        ),
        say(
            "What should be the exception is broken where it is the rule, in more than half of all cases: where no "
            "experiment has a limit, this one is the review's own.",
        ),
    )  # fmt: skip
    return Section("broken", "Is it broken?", _broken_words(lines), lines, notes)


FAULTY = {MET: FINE, MISSED: BROKEN, UNDECIDED: UNDECIDED}
WORTHY = {MET: GOOD, MISSED: WEAKNESS, UNDECIDED: UNDECIDED}


def _broken_words(lines: Sequence[Line]) -> str:
    """Return what of a design is broken, or that nothing was found."""
    by = _by_verdict(lines)
    open_ = by.get(UNDECIDED, [])
    left = say("Undecided: {lines}.", lines=joined([line.label for line in open_])) if open_ else ""
    if by.get(BROKEN):
        told = [say("{label}, {figure}", label=line.label, figure=line.figure) for line in by[BROKEN]]
        words = say("Broken: {lines}.", lines=say("; ").join(told))
    elif by.get(FINE):
        words = say("Nothing broken was found in {count} checks.", count=len(by[FINE]))
    else:
        return say("Whether anything is broken is undecided: there are too few games.")
    return say(" ").join(filter(None, (words, left)))


def _is_it_good(review: Review) -> Section:
    limits = merits(review.variant)
    lines = [_merit(review, name, limit, len(limits)) for name, limit in limits.items()]
    by = _by_verdict(lines)
    counted = sum(map(len, (by.get(each, []) for each in WORTHY.values())))
    words = [say("Good in {good} of {all} respects.", good=len(by.get(GOOD, [])), all=counted)]
    for verdict, told in ((WEAKNESS, "Weak: {lines}."), (UNDECIDED, "Undecided: {lines}.")):
        if by.get(verdict):
            words.append(say(told, lines=joined([line.label for line in by[verdict]])))
    notes = (
        _family_words(lines, len(limits)),
        say(
            "Skill counts where it wins at least {share:g} % of what could be won beyond a fair share (skill_ladder: "
            "\u201cmatters\u201d). The winner should not be known clearly in the first half of a game (drama). At "
            "least a tenth of followers' plays should be a meaningful choice, and at most half of them forced: these "
            "two are the review's own. Lines without a limit are told, not judged.",
            share=100 * min(experiment_named(LADDER).LEVELS),
        ),
    )  # fmt: skip
    return Section("good", "Is it good?", say(" ").join(words), lines, notes)


def _targets_met(review: Review) -> Section:
    title = "Does it meet its targets?"
    if not review.goals:
        note = say(
            "A variant file says in its table [targets] what its measures should be; `simlib measures {game}` lists "
            "them all. Such as:",
            game=review.variant.game,
        )  # fmt: skip
        return Section(TARGETS, title, say("No targets are set."), (), (note,), EXAMPLE)
    found = judged(review.goals, review.landscape, [review.label])
    made = [_judged_line(each.goal, each.estimate, each.verdict) for each in found]
    lines = [replace(line, source="the variant file's target") for line in made]
    counts = {verdict: sum(each.verdict == verdict for each in found) for verdict in MARKS}
    words = say("Targets: {met} of {all} met, {missed} missed, {undecided} undecided", all=len(found), **counts)
    return Section(TARGETS, title, say("{told}.", told=words), lines, (_family_words(lines, len(found)),))


def _by_verdict(lines: Iterable[Line]) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for line in lines:
        found.setdefault(line.verdict, []).append(line)
    return found


def _family_words(lines: Sequence[Line], family: int) -> str:
    """Return at what level the intervals of a section hold."""
    alone = next((level(line.estimate) for line in lines if line.estimate.known), "")
    if family == 1 or not alone:
        return say("A verdict is given where the whole interval lies on one side of the limit, else it is undecided.")
    return say(
        "The {count} intervals hold together with 95 %, so each alone with {level}. A verdict is given where the whole "
        "interval lies on one side of the limit, else it is undecided.",
        count=family, level=alone,
    )  # fmt: skip


# ---- lines ---------------------------------------------------------------------------------------------------------


def _line(review: Review, name: str, limit: Limit | None, family: int, words: Mapping[str, str]) -> Line:
    """Return a measure of the review's own games as a line."""
    measure = review.landscape.measures[name]
    return _limited(measure, widened(review.landscape.estimate(name, review.label), family), limit, words)


def _limited(
    measure: Measure, estimate: Estimate, limit: Limit | None, words: Mapping[str, str], players: str = ""
) -> Line:
    """Return an estimate against a limit as a line."""
    goal = Goal(measure, *(limit or Limit())[:2], strict=False, text="")
    made = _judged_line(goal, estimate, words[judge(goal, estimate)], players)
    if math.isnan(estimate.value):
        made = replace(made, verdict=ABSENT)
    if limit is None:
        return replace(made, verdict=TOLD if made.verdict != ABSENT else ABSENT, wished="", more="")
    return replace(made, source=limit.source)


def _judged_line(goal: Goal, estimate: Estimate, verdict: str, players: str = "") -> Line:
    figure = goal.measure.figure
    return Line(
        goal.name, figure.label, verdict, figure.text(estimate), players or played_by(goal, DECENT.text),
        goal.measure.experiment, estimate, goal.band, "", goal.shaded, figure.percent, reason(goal, estimate),
    )  # fmt: skip


def _merit(review: Review, name: str, limit: Limit | None, family: int) -> Line:
    taken = TAKEN.get(name)
    return taken(review, limit, family) if taken else _line(review, name, limit, family, WORTHY)


def _thinking_ahead(review: Review, limit: Limit | None, family: int) -> Line:
    module, match = experiment_named(LADDER), _match(review.label)
    cell = module.Cell(review.own.summaries[match.key], match, review.variant)
    measure = Measure(LADDER, LADDER, Figure("wins of one searching seat among greedy ones", "", percent=True))
    players = say("{one} among {others}", one=match.one, others=match.field)
    return _limited(measure, module.clipped(widened(cell.share, family), 0, 1), limit, WORTHY, players)


def _match(label: str) -> Any:
    return experiment_named(LADDER).Match(label, STRONG.text, DECENT.text)


def _skill_share(review: Review, limit: Limit | None, family: int) -> Line:
    module, study = experiment_named(LUCK), _table_study(review.label, review.variant, 1)
    split = module.Split(review.own.summaries[study.key], review.label, module.WIDEST, review.variant)
    measure = Measure(LUCK, LUCK, Figure("skill's share of the variance of wins; the rest is luck", "", percent=True))
    estimate = split.part("wins", "skill", family)
    players = say(", ").join(module.at_table(module.WIDEST, review.variant))
    return replace(_limited(measure, estimate, limit, WORTHY, players), more=module.half_skill(estimate))


def _table_study(label: str, variant: Variant, games: int) -> Any:
    module = experiment_named(LUCK)
    return module.table_study(label, variant, module.WIDEST, games)


TAKEN = {LADDER: _thinking_ahead, LUCK: _skill_share}  # lines of more than a measure


def _rules_line(review: Review) -> Line:
    """Return whether every rule comes into play: seen once by whoever plays, it does."""
    module = experiment_named(DEAD)
    known = module.clauses(review.variant)
    own = rules_survey().cells(review.own)
    greedy = next(cell for cell in own if cell.kind == DECENT)
    shares = {clause: widened(module.in_games(greedy, clause), len(known)) for clause in known}
    seen = [*own, *_dead_cells(review)]
    unseen = [clause for clause in known if not any(module.in_games(cell, clause).value for cell in seen)]
    rarest = min(known, key=lambda clause: shares[clause].value)
    is_dead = unseen and review.dead and all(shares[clause].high < module.RARE for clause in unseen)
    return Line(
        DEAD,
        "rules that never come into play",
        (BROKEN if is_dead else UNDECIDED) if unseen else FINE,
        say("{count} of {all}", count=len(unseen), all=len(known)),
        joined([say("{games:,} games {players}", games=cell.games, players=cell.kind.text) for cell in own]),
        DEAD,
        shares[rarest],
        "each is seen at least once",
        DEAD,
        percent=True,
        more=_rules_words(unseen, module.quoted(rarest), shares[rarest], review),
    )


def _dead_cells(review: Review) -> list[Cell]:
    """Return what the experiment about dead rules counted of the variant, for every kind of player."""
    if not review.dead:
        return []
    cells: list[Cell] = experiment_named(DEAD).SURVEY.cells(review.dead)
    return [cell for cell in cells if cell.variant.fingerprint == review.variant.fingerprint]


def _rules_words(unseen: Sequence[Any], rarest: str, share: Estimate, review: Review) -> str:
    module = experiment_named(DEAD)
    if not unseen:
        return say("The rarest: {rule}, in {share} of games.", rule=rarest, share=text(share, percent=True))
    rules = joined([module.quoted(clause) for clause in unseen])
    if not review.dead:
        return say("Not seen yet: {rules}; dead_rules is still to be played.", rules=rules)
    return say("Never seen: {rules}, so in at most {most:.2g} % of games each.", rules=rules, most=100 * share.high)

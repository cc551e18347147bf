"""What does turning the lead do in Gara-tori, and what are locks, the last place and specials worth?

Whole games are played by seats of one kind. Each trick tells which places turned or locked the lead and who won it;
each deal, who was dealt specials. The same deals are played again with readings G2 and G3 the other way round.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.means import mean, ratio, smooth
from simlib.estimates.paired import difference, difference_of_sums
from simlib.estimates.words import text
from simlib.experiments import Plan, Request, variants_of
from simlib.figures import charts, ridges, tricks
from simlib.findings import Chart, Finding, Headline, Table, tile
from simlib.frames import frame_of
from simlib.games.gara_tori import measures
from simlib.games.gara_tori.telling import COLOURS
from simlib.heavy import pd
from simlib.hooks import seated
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import paired_sums
from simlib.results import Results
from simlib.survey import (
    DECENT,
    KINDS,
    POINTS_APART,
    STRONG,
    Figure,
    Kind,
    across_kinds,
    by_words,
    pictured,
    seats_of,
    sentence,
)
from simlib.variants import Variant, flatten, read_toml

GAME = "gara_tori"
TITLE = "Gara-tori: what is it worth to turn the lead?"
GAMES = 60_000
THIN = 8  # strong players play all arms, so fewer games than a survey of one
COUNTS = (4, 5, 6)
ACTS = {"turn": "turning the lead", "lock": "locking the trick"}
DECKS = ("64", "sixty")
DECK_KEYS = ("deck.preset", "deck.ranks", "deck.copies")
PLAYERS = {kind.text: kind for kind in KINDS}
READINGS = {"G2": ("lead", "void_match_turns"), "G3": ("follow", "special_counts")}
READING_NAMES = {"G2": "G2 (void seats turn the lead)", "G3": "G3 (a lone special obliges)"}
COMPARED = {
    "turns": "turns a trick",
    "locks": "locks a trick",
    "last": "edge of the last place",
    "void": "share of followers' cards played by void seats",
    "score": "points a seat and game",
}
CARDS = Figure("cards of the trick won", "worth", unit="cards", matters=0.05)
EDGE = Figure("edge of the last place", "edge", percent=True, unit=POINTS_APART, matters=0.005)
SCORE = Figure("points that a special adds", "score", unit="points", matters=0.1)
SHARE = Figure("win share that a special adds", "share", percent=True, unit=POINTS_APART, matters=0.01)
TURNED = Figure("turns a trick", "turns", unit="turns", matters=0.01)
WINS = {"higher": "it wins more cards", "lower": "it wins fewer cards"}
RESULTS = {"score": "points above the game's mean", "share": "win share above the game's mean"}
ORDINALS = ("first (leads)", "second", "third", "fourth", "fifth", "sixth")
GLOSSARY = [
    ("turn", "a card of a pattern already played in the trick that changes the lead colour to its own"),
    ("lock", "a special played while its own colour leads: the lead turns no more and that card wins the trick"),
    ("place", "the order of play in a trick: the first place leads, the last one sees all other cards"),
    ("void", "a seat is void when nothing in its hand obliges it to follow the lead colour"),
    ("only follows", "plays a card that neither turns the lead nor locks the trick"),
    ("worth in cards", "how much likelier the seat wins the trick, times the cards in a trick"),
    ("edge of the last place", "the share of tricks that the last place wins, less an even share"),
    ("even share", "1 / players: what each place or seat would have if none had an edge"),
    ("win share", "1 for the sole winner of a game, 1 / k for each of k tied winners"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "independent units behind a figure: games"),
]


TURNS_A_TRICK = Figure("turns of the lead a trick", "turns", "tricks", unit="turns", matters=0.01)
LOCKED_TRICKS = Figure("tricks locked by a special", "locks", "tricks", percent=True, matters=0.005)
LAST_WINS = Figure("tricks won by the last place", "last", "tricks", percent=True, matters=0.005)
LAST_TURNS = Figure("turns at the last place, of all", "last_turns", "turns", percent=True, matters=0.01)


def count_tricks(rows: np.ndarray, variant: Variant) -> dict[str, np.ndarray]:
    """Return each game's turns of the lead, locks, and what becomes of its last places."""
    counts = measures.counts(measures.columns_by_name(rows, variant.parameters), variant.parameters)
    last = seats_of(variant) - 1
    return {
        "turns": counts["turns"],
        "locks": counts["locks"],
        "last": counts[f"won_{last}"],
        "last_turns": counts[f"turn_{last}"],
        "tricks": np.full(len(rows), variant.parameters.hand.size),
    }


MEASURES = Measured(
    count_tricks,
    {
        "lead_turns": TURNS_A_TRICK,
        "locked_tricks": LOCKED_TRICKS,
        "last_place_wins": LAST_WINS,
        "last_place_turns": LAST_TURNS,
    },
)


# ---- plan ----------------------------------------------------------------------------------------------------------


def plan(request: Request) -> Plan:
    """Return whole games of each kind of player, for each number of seats and deck, with each reading changed once."""
    from simlib.batch import Arm, Study
    from simlib.games.gara_tori.players import PLAYERS as KNOWN

    variants = _variants(request)
    arms = arms_of(variants)
    measure = partial(measure_games, variants=variants)
    seats = {kind.text: seated(kind.text, KNOWN, "players") for kind in KINDS}
    studies = [
        Study(
            kind.text,
            {name: Arm(arm, (seats[kind.text],) * arm.parameters.players) for name, arm in arms.items()},
            games_of(kind, request.games),
            measure,
        )
        for kind in KINDS
    ]
    told = {kind.text: f"{kind.strength}; {seats[kind.text].sentence}" for kind in KINDS}
    played = {f"games, {kind.text}, each variant and reading": games_of(kind, request.games) for kind in KINDS}
    return Plan(studies, variants, told, played)


def games_of(kind: Kind, games: int) -> int:
    """Return how many games of each arm a kind of player plays: fewer if it is strong, for it takes long."""
    from simlib.games.gara_tori.players import SEARCH_COST

    return max(2, min(games, games // (SEARCH_COST * THIN))) if kind.strength == STRONG.strength else games


def _variants(request: Request) -> dict[str, Variant]:
    """Return what is played by label: both decks and all numbers of seats, but for what the request fixes."""
    given = set(request.settings) | (set(flatten(read_toml(request.file))) if request.file else set())
    deck_fixed = any(key == "base" or key.startswith(DECK_KEYS) for key in given)
    decks: list[dict[str, Any]] = [{}] if deck_fixed else [{"deck.preset": deck} for deck in DECKS]
    seats: list[dict[str, Any]] = [{}] if "players" in given else [{"players": count} for count in COUNTS]
    found, faults = {}, []
    for changed in (deck | count for deck in decks for count in seats):
        try:
            (variant,) = replace(request, settings=request.settings | changed).variants(GAME, ())
            found[label_of(variant)] = variant
        except BadInput as fault:  # such as too few cards for six seats
            faults.append(fault)
    if not found:
        raise faults[0]
    return found


def label_of(variant: Variant) -> str:
    """Return how a variant is called on the page."""
    deck = variant.parameters.deck
    return f"{variant.parameters.players} players, {sum(map(sum, deck.copies)) + deck.colours * deck.specials} cards"


def arms_of(variants: dict[str, Variant]) -> dict[str, Variant]:
    """Return each variant, and as ``label | reading`` the same one with a reading the other way round."""
    arms = dict(variants)
    for label, variant in variants.items():
        for reading, (table, key) in READINGS.items():
            part = getattr(variant.parameters, table)
            changed = part.model_copy(update={key: not getattr(part, key)})
            arms[f"{label} | {reading}"] = replace(
                variant, parameters=variant.parameters.model_copy(update={table: changed})
            )
    return arms


def pairs_of(variants: dict[str, Variant]) -> list[tuple[str, str]]:
    """Return the names of the arms that are compared, the one that is subtracted last."""
    labels = list(variants)
    pairs = [(f"{label} | {reading}", label) for label in labels for reading in READINGS]
    return pairs + [
        (more, less)
        for at, less in enumerate(labels)
        for more in labels[at + 1 :]
        if _near(variants[more].parameters, variants[less].parameters)
    ]


def _near(one: Any, other: Any) -> bool:
    """Tell whether only the deck or only the number of seats differs."""
    return (one.players == other.players) != (one.deck == other.deck)


def measure_games(rows: dict[str, np.ndarray], variants: dict[str, Variant]) -> dict[str, np.ndarray]:
    """Sum up the games of all arms and, game by game, the differences between them."""
    arms = arms_of(variants)
    named = {name: measures.columns_by_name(arm, arms[name].parameters) for name, arm in rows.items()}
    figures = {name: measures.compared(row, arms[name].parameters) for name, row in named.items()}
    sums: dict[str, Any] = {}
    for label, variant in variants.items():
        own = measures.game_sums(named[label], variant.parameters)
        own |= measures.special_sums(named[label], variant.parameters)
        sums |= {f"{label}: {name}": array for name, array in own.items()}
    for more, less in pairs_of(variants):
        for name, values in figures[more].items():
            sums |= paired_sums(f"{more} - {less}: {name}", values - figures[less][name])
    return sums


# ---- estimates -----------------------------------------------------------------------------------------------------


class Cell:
    """The sums of one variant with one kind of player, as estimates."""

    def __init__(self, run: Results, label: str, variant: Variant, kind: str) -> None:
        self.label, self.kind, self.parameters = label, kind, variant.parameters
        self.seats, self.tricks = self.parameters.players, self.parameters.hand.size
        self.study = run.summaries[kind]
        self.games = int(self.study[f"{label}: games"])
        self.totals, self.products = self.study[f"{label}: totals"], self.study[f"{label}: products"]
        self.at = {name: place for place, name in enumerate(measures.count_names(self.parameters))}

    @property
    def name(self) -> str:
        """How the cell is called on the page."""
        return say("{players}, {label}", players=self.kind, label=self.label)

    def per_trick(self, name: str) -> Estimate:
        """Return a count's mean for a trick."""
        at = self.at[name]
        return mean(self.totals[at], self.products[at, at], self.games).scaled(1 / self.tricks)

    def turned(self) -> Estimate:
        """Return the share of tricks in which the lead turned."""
        none = self.per_trick("tricks_with_turns_0")
        return replace(none, value=1 - none.value, low=1 - none.high, high=1 - none.low)

    def edge(self, place: int) -> Estimate:
        """Return the share of tricks that a place wins, less an even share."""
        share = self.per_trick(f"won_{place}")
        return replace(share, **{end: getattr(share, end) - 1 / self.seats for end in ("value", "low", "high")})

    def apart(self, one: str, other: str) -> Estimate:
        """Return how much more there is of one count than of another in a trick."""
        a, b = self.at[one], self.at[other]
        squares = self.products
        found = difference_of_sums(
            self.totals[a], self.totals[b], squares[a, a], squares[b, b], squares[a, b], self.games
        )
        return found.scaled(1 / self.tricks)

    def chance(self, act: str, place: int) -> Estimate:
        """Return how often a seat that did this at a place wins the trick."""
        won, did = self.at[f"{act}_won_{place}"], self.at[f"{act}_{place}"]
        squares = self.products
        return ratio(
            self.totals[won], self.totals[did], squares[won, won], squares[did, did], squares[won, did], self.games
        )

    def worth(self, act: str) -> Estimate:
        """Return how many more cards a seat wins by turning or locking than one at the same place that only follows.

        The places count by how often this was done there.
        """
        chosen = [place for place in range(self.seats) if self.totals[self.at[f"{act}_{place}"]]]
        names = [[f"{each}_{place}" for place in chosen] for each in (act, f"{act}_won", "other", "other_won")]
        rows = [np.array([self.at[name] for name in each], dtype=int) for each in names]
        did, won, others, others_won = (self.totals[row].astype(float) for row in rows)
        done = did.sum()
        if not done or not others.all():
            reason = "it was never done" if not done else "nobody only followed there"
            return Estimate(np.nan, np.nan, np.nan, self.games, "none", reason=reason)
        rates = others_won / others
        value = (won.sum() - (did * rates).sum()) / done
        gradient = np.zeros(len(self.totals))
        np.add.at(gradient, rows[0], -(value + rates) / done)
        np.add.at(gradient, rows[1], 1 / done)
        np.add.at(gradient, rows[2], did * rates / others / done)
        np.add.at(gradient, rows[3], -did / others / done)
        carrying = done * done / self.products[np.ix_(rows[0], rows[0])].sum()
        found = smooth(value, gradient, self.totals, self.products, self.games, carrying)
        return found.scaled(self.seats)

    def slope(self, result: str) -> Estimate:
        """Return what one more special adds to a seat's ``score`` or win ``share``, within a game."""
        found = _ratio(self.study[f"{self.label}: {result}_slope"], self.games)
        return found.scaled(1 / (1 if result == "score" else measures.SHARES))

    def ahead(self, result: str, kind: int) -> Estimate:
        """Return how far the seats dealt so many specials are above their game's mean."""
        found = _ratio(self.study[f"{self.label}: {result}_kinds"][kind], self.games)
        return found.scaled(1 / (self.seats * (1 if result == "score" else measures.SHARES)))

    def against(self, more: str, less: str, name: str) -> Estimate:
        """Return a paired difference of two arms."""
        key = f"{more} - {less}: {name}"
        found = difference(int(self.study[key]), int(self.study[f"{key}_squares"]), self.games)
        return found.scaled(1 / (measures.SHARES * (1 if name == "score" else self.tricks)))


def _ratio(sums: np.ndarray, games: int) -> Estimate:
    x, y, xx, yy, xy = (int(part) for part in sums)
    return ratio(x, y, xx, yy, xy, games)


def _estimates(frame: pd.DataFrame) -> list[Estimate]:
    return [Estimate(row.value, row.low, row.high, row.n, "") for row in frame.itertuples()]


def _told(labels: list[str], estimates: list[Estimate], unit: str = "", *, percent: bool = False) -> str:
    return say("; ").join(
        say("{label}: {figure}", label=label, figure=text(each, unit, percent=percent))
        for label, each in zip(labels, estimates, strict=True)
    )


def _dots_alt(labels: list[str], estimates: list[Estimate], unit: str = "", *, percent: bool = False) -> str:
    return say("Dots with intervals: {figures}.", figures=_told(labels, estimates, unit, percent=percent))


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return what turning is worth, then how often it happens, and what places, specials, decks and readings do."""
    variants = variants_of(run)
    cells = [Cell(run, label, variant, kind) for label, variant in variants.items() for kind in PLAYERS]
    return [
        answer(cells),
        turns(cells),
        places(cells),
        specials(cells),
        sizes(cells, variants),
        readings(cells, variants),
    ]


def _main(cells: list[Cell]) -> Cell:
    """Return the cell that headlines speak of: greedy players, the first variant."""
    return next(cell for cell in cells if cell.kind == DECENT.text)


def headline_figure(run: Results) -> Headline:
    """Return what turning the lead is worth in cards."""
    label, variant = next(iter(variants_of(run).items()))
    main = Cell(run, label, variant, DECENT.text)
    label = say("cards that turning the lead wins ({name})", name=main.name)
    return Headline(label, main.worth("turn"), unit=CARDS.unit, difference=True)


def strengths(
    cells: list[Cell], estimates: dict[Cell, Estimate], figure: Figure, words: dict[str, str] | None = None
) -> tuple[str, ...]:
    """Return whether a finding holds for weak, decent and strong players, for each variant."""
    told = {}
    for label in dict.fromkeys(cell.label for cell in cells):
        own = [cell for cell in cells if cell.label == label]
        told[label] = across_kinds(
            [PLAYERS[cell.kind] for cell in own], [estimates[cell] for cell in own], figure, words
        )
    if len(set(told.values())) == 1:
        told = {"everywhere": next(iter(told.values()))}
    return tuple(say("{figure}, {words}", figure=sentence(figure.label), words=words) for words in by_words(told))


def answer(cells: list[Cell]) -> Finding:
    """Say what turning and locking are worth in cards won."""
    main = _main(cells)
    pairs = [(act, cell) for act in ACTS for cell in cells]
    worths = dict(zip(pairs, simultaneous([cell.worth(act) for act, cell in pairs]), strict=True))
    own = [worths[act, main] for act in ACTS]
    return Finding(
        "answer",
        headline(main.name, *own),
        tiles=(
            tile("cards won by turning the lead", own[0], main.name),
            tile("cards won by locking the trick", own[1], main.name),
            tile("tricks in which the lead turns", main.turned(), main.name, percent=True),
            tile("tricks locked by a special", main.per_trick("locks"), main.name, percent=True),
        ),
        charts=(
            _worth_chart("worth", say("Cards that turning and locking win, {label}", label=main.label),
                         {pair: made for pair, made in worths.items() if pair[1].label == main.label}, worths),
            _acts_chart(cells, main),
            _worth_chart("worth_sizes", say("The same with other decks and numbers of players, {players}",
                                            players=main.kind),
                         {pair: made for pair, made in worths.items() if pair[1].kind == main.kind}, worths),
        ),
        text=tuple(
            line
            for act, label in ACTS.items()
            for line in strengths(
                cells, {cell: worths[act, cell] for cell in cells}, replace(CARDS, label=label), WINS
            )
        ),
        picture=pictured("worth", list(ACTS.values()), own, reference=0),
        assumes=(
            "Compared are seats that turned (or locked) with seats at the same place that only followed, places "
            "weighted by how often it happened there. A seat that can turn may hold a better hand besides: that is "
            "counted as well.",
        ),
    )  # fmt: skip


def headline(name: str, turning: Estimate, locking: Estimate) -> str:
    """Return the answer as a sentence, from what turning and locking are worth."""
    if not turning.known:
        return say(
            "Undecided: too little was played to say what turning the lead is worth ({reason}; {name}).",
            reason=turning.reason,
            name=name,
        )
    return say(
        "{turning}; {locking} ({name}).",
        turning=say(TURNING[turning.sign], worth=_signed(turning)),
        locking=say(LOCKING[bool(locking.sign)], worth=_signed(locking)),
        name=name,
    )


TURNING = {  # by the sign of its worth
    1: "Turning the lead wins more cards of the trick than only following from the same place: {worth}",
    -1: "Turning the lead wins fewer cards of the trick than only following from the same place: {worth}",
    0: "Whether turning the lead wins more or fewer cards of the trick than only following from the same place is "
    "undecided: {worth}",
}
LOCKING = {True: "a lock is worth {worth}", False: "what a lock is worth is undecided: {worth}"}


def _signed(estimate: Estimate) -> str:
    shown = text(estimate, "cards")
    return f"+{shown}" if estimate.value > 0 else shown


def _worth_chart(
    key: str, title: str, shown: dict[tuple[str, Cell], Estimate], worths: dict[tuple[str, Cell], Estimate]
) -> Chart:
    """Return what turning and locking win in some cells; the download has all of them."""
    by_size = len({cell.label for _, cell in shown}) > 1 or key == "worth_sizes"
    labels = [_worth_label(act, cell, by_size=by_size) for act, cell in shown]
    drawn = _worth_frame(shown).assign(
        label=[cell.label if by_size else ACTS[act] for act, cell in shown],
        group=[ACTS[act] if by_size else cell.kind for act, cell in shown],
    )
    return Chart(
        key,
        title,
        charts.interval_dots(
            drawn, group="group", reference=0, reference_label="only following", x_label="cards of the trick"
        ),
        _dots_alt(labels, list(shown.values()), "cards"),
        "How much likelier the seat wins the trick, times the cards in it. The intervals hold together.",
        Table(key, title, _worth_frame(worths if key == "worth" else shown), shown=_worth_frame(shown)),
    )


def _worth_label(act: str, cell: Cell, *, by_size: bool) -> str:
    return say("{label}, {act}", label=cell.label if by_size else cell.kind, act=ACTS[act])


def _worth_frame(worths: dict[tuple[str, Cell], Estimate]) -> pd.DataFrame:
    return frame_of(
        list(worths.values()),
        act=[ACTS[act] for act, _ in worths],
        players=[cell.kind for _, cell in worths],
        variant=[cell.label for _, cell in worths],
    )


def _acts_chart(cells: list[Cell], main: Cell) -> Chart:
    frame = pd.concat([_acts(cell, place) for cell in cells for place in range(1, cell.seats)], ignore_index=True)
    shown = frame[(frame["variant"] == main.label) & (frame["players"] == main.kind)]
    estimates = [main.chance(act, place) for place in range(1, main.seats) for act in ("turn", "other")]
    labels = [f"{row.place}, {row.card}" for row in shown.itertuples()]
    return Chart(
        "acts",
        say("Tricks won by seats that turned the lead or only followed, {name}", name=main.name),
        charts.interval_dots(shown, label="place", group="card", x_label="share of tricks won", percent=True),
        _dots_alt(labels, estimates, percent=True),
        "A lock always wins. n counts games, cards the plays that a share is of.",
        Table("acts", "Share of tricks won, by place and what the card did", frame, shown=shown),
    )


def _acts(cell: Cell, place: int) -> pd.DataFrame:
    names = {"turn": "turned the lead", "other": "only followed"}
    frame = frame_of(
        [cell.chance(act, place) for act in names],
        players=cell.kind,
        variant=cell.label,
        place=ORDINALS[place],
        card=list(names.values()),
    )
    return frame.assign(cards=[int(cell.totals[cell.at[f"{act}_{place}"]]) for act in names])


def turns(cells: list[Cell]) -> Finding:
    """Say how often the lead turns, and where."""
    main = _main(cells)
    return Finding(
        "turns",
        turns_headline(main),
        text=tuple(turns_headline(cell) for cell in cells if cell.label == main.label and cell is not main),
        charts=(*_trick_chart(main), _turns_chart(cells, main), _turn_places_chart(cells, main)),
        assumes=("A matching card of the lead colour turns it to itself, which isn't counted.",),
        title="How often the lead turns",
    )


def turns_headline(main: Cell) -> str:
    """Return how often the lead turns and at which place most."""
    share = main.turned()
    if not share.known:
        return say("How often the lead turns is undecided ({reason}; {name}).", reason=share.reason, name=main.name)
    names = sorted((f"turn_{place}" for place in range(1, main.seats)), key=lambda name: -main.totals[main.at[name]])
    first, second = (ORDINALS[int(name.removeprefix("turn_"))] for name in names[:2])
    gap = simultaneous([main.apart(names[0], other) for other in names[1:]])
    told = {"share": text(share, percent=True), "most": text(main.per_trick(names[0]), percent=True), "name": main.name}
    if all(each.sign > 0 for each in gap):
        return say(
            "The lead turns in {share} of tricks, most often at the {place} place: {most} of tricks ({name}).",
            place=first,
            **told,
        )
    return say(
        "The lead turns in {share} of tricks, where most often is undecided (the {first} or the {second} place): "
        "{most} of tricks ({name}).",
        first=first,
        second=second,
        **told,
    )


def _trick_chart(main: Cell) -> list[Chart]:
    """Return a trick in which the lead turns where it does most often, over how often each place turns it."""
    deck, totals = main.parameters.deck, [main.totals[main.at[f"turn_{place}"]] for place in range(1, main.seats)]
    if deck.colours < 2 or (deck.ranks or 0) < int(max(PATTERNS[0])) or not sum(totals):
        return []
    turner = 1 + int(np.argmax(totals))
    shares = simultaneous([main.per_trick(f"turn_{place}") for place in range(1, main.seats)])
    frame = frame_of([NOTHING, *shares]).assign(**_example(main.seats, turner))
    places = [say("{place} place", place=place) for place in frame["seat"][1:]]
    title = say("A trick in which the lead turns, and how often each place turns it ({name})", name=main.name)
    return [
        Chart(
            "trick",
            title,
            tricks.lead_turns(frame),
            say(
                "An example of a trick: {cards}. Tricks in which a place turns the lead: {shares}.",
                cards=say(", ").join(
                    say("{colour} {rank} {act}", colour=row.colour, rank=row.rank, act=tricks.ACTS[row.act])
                    for row in frame.itertuples()
                ),
                shares=_told(places, shares, percent=True),
            ),
            "The cards are an example: one of a pattern already in the trick turns the lead to its own colour, and "
            "wins over higher cards of the old one. The shares are those of all tricks played; their intervals hold "
            "together.",
            Table("trick", say("Share of tricks turned at each place, {name}", name=main.name), frame),
        )
    ]


NOTHING = Estimate(math.nan, math.nan, math.nan, 0, "")  # of the first place, which can't turn, and what isn't drawn


def _example(seats: int, turner: int) -> dict[str, list[Any]]:
    """Return the columns of a trick, in order of play, in which this place turns the lead from blue to yellow."""
    before, after = PATTERNS[0][:turner], PATTERNS[1][: seats - turner]
    leads = [COLOURS["B"]] * len(before) + [COLOURS["Y"]] * len(after)
    return {
        "seat": list(ORDINALS[:seats]),
        "colour": leads,
        "rank": [*before, *after],
        "lead": leads,
        "act": ["leads", *["follows"] * (len(before) - 1), "turns", *["follows"] * (len(after) - 1)],
        "won": [place == turner for place in range(seats)],
    }


PATTERNS = ("587632", "54321")  # of the example's cards before the turn, and from it


def _turns_chart(cells: list[Cell], main: Cell) -> Chart:
    shown = [cell for cell in cells if cell.label == main.label]
    frame = pd.concat(
        [
            frame_of(
                [cell.per_trick(f"tricks_with_turns_{count}") for count in range(cell.seats)],
                players=cell.kind,
                turns=range(cell.seats),
            )
            for cell in shown
        ],
        ignore_index=True,
    )
    told = say("; ").join(
        say(
            "{players}: {turns}, none in {share} of tricks",
            players=cell.kind,
            turns=text(cell.per_trick("turns"), say("{unit} a trick", unit=TURNED.unit)),
            share=text(cell.per_trick("tricks_with_turns_0"), percent=True),
        )
        for cell in shown
    )
    return Chart(
        "turn_counts",
        say("Turns in a trick, {label}", label=main.label),
        ridges.ridges(
            frame,
            group="players",
            k="turns",
            value="value",
            marks=frame_of([cell.per_trick("turns") for cell in shown], players=[cell.kind for cell in shown]),
            x_label="turns in a trick",
        ),
        say("One histogram of the number of turns for each kind of player. {told}.", told=told),
        say("{told}.", told=told),
        _turns_table(cells),
    )


def _turn_places_chart(cells: list[Cell], main: Cell) -> Chart:
    shown = [(cell, place) for cell in cells if cell.label == main.label for place in range(1, cell.seats)]
    estimates = simultaneous([cell.per_trick(f"turn_{place}") for cell, place in shown])
    frame = frame_of(estimates, label=[ORDINALS[place] for _, place in shown], players=[cell.kind for cell, _ in shown])
    return Chart(
        "turn_places",
        say("How often each place turns the lead, {label}", label=main.label),
        charts.interval_dots(frame, group="players", x_label="share of tricks", percent=True),
        _dots_alt([f"{cell.kind}, {ORDINALS[place]}" for cell, place in shown], estimates, percent=True),
        "The first place leads and can't turn. The intervals hold together.",
        Table("turn_places", say("Share of tricks turned at each place, {label}", label=main.label), frame),
    )


def _turns_table(cells: list[Cell]) -> Table:
    rows = []
    for cell in cells:
        names = {"turns a trick": "turns", "locks a trick": "locks"}
        names |= {say("tricks with {count} turns", count=k): f"tricks_with_turns_{k}" for k in range(cell.seats)}
        names |= {
            say("turns at the {place} place, a trick", place=ORDINALS[place]): f"turn_{place}"
            for place in range(1, cell.seats)
        }
        names |= {"specials with power, a trick": "specials_with_power"}
        names |= {"specials without power, a trick": "specials_without_power", "void plays, a trick": "void_plays"}
        rows.append(
            frame_of(
                [cell.per_trick(key) for key in names.values()],
                players=cell.kind,
                variant=cell.label,
                figure=list(names),
            )
        )
    frame, main = pd.concat(rows, ignore_index=True), _main(cells)
    shown = frame[(frame["variant"] == main.label) & (frame["players"] == main.kind)]
    return Table("turn_counts", "Turns, locks, specials and void plays", frame, shown=shown)


def places(cells: list[Cell]) -> Finding:
    """Say what it is worth to play last."""
    main = _main(cells)
    deck = [cell for cell in cells if cell.parameters.deck == main.parameters.deck]
    shown = [(cell, place) for cell in deck for place in range(cell.seats)]
    edges = simultaneous([cell.edge(place) for cell, place in shown])
    beyond = dict(zip(shown, edges, strict=True))
    last = beyond[main, main.seats - 1]
    return Finding(
        "places",
        places_headline(main, last),
        text=strengths(deck, {cell: beyond[cell, cell.seats - 1] for cell in deck}, EDGE),
        charts=(
            _edge_chart("places", say("Tricks won from each place beyond an even share, {label}", label=main.label),
                        "players", [each for each in beyond if each[0].label == main.label], cells, beyond),
            _edge_chart("places_sizes", say("The same with other numbers of players, {players}", players=main.kind),
                        "variant", [each for each in beyond if each[0].kind == main.kind], cells, beyond),
        ),
        assumes=("The winner of a trick leads the next, so strong hands lead more often than weak ones.",),
        title="Places in the trick",
    )  # fmt: skip


def places_headline(main: Cell, last: Estimate) -> str:
    """Return what the last place wins beyond an even share."""
    return say(
        LAST_PLACE[last.sign],
        share=text(main.per_trick(f"won_{main.seats - 1}"), percent=True),
        even=f"{100 / main.seats:.3g}",
        edge=EDGE.change_text(last),
        name=main.name,
    )


LAST_PLACE = {  # by the sign of its edge
    1: "The last place wins {share} of tricks, more than an even share of {even} %: {edge} ({name}).",
    -1: "The last place wins {share} of tricks, less than an even share of {even} %: {edge} ({name}).",
    0: "The last place wins {share} of tricks, whether that differs from an even share of {even} % is undecided: "
    "{edge} ({name}).",
}


def _edge_chart(
    key: str, title: str, group: str, shown: list[tuple[Cell, int]], cells: list[Cell],
    beyond: dict[tuple[Cell, int], Estimate],
) -> Chart:  # fmt: skip
    """Return what places win beyond an even share, a dot for each group; the table has the shares themselves, too."""
    edges = [beyond[pair] for pair in shown]
    frame = frame_of(
        edges,
        label=[ORDINALS[place] for _, place in shown],
        players=[cell.kind for cell, _ in shown],
        variant=[cell.label for cell, _ in shown],
    )
    names = dict(zip(shown, frame[group], strict=True))
    held = _place_shares(cells if key == "places" else [cell for cell, _ in shown], beyond)
    return Chart(
        key,
        title,
        charts.interval_dots(
            frame, group=group, reference=0, reference_label="even share", x_label="share of tricks", percent="points"
        ),
        _dots_alt([f"{names[pair]}, {ORDINALS[pair[1]]}" for pair in shown], edges, EDGE.change_unit, percent=True),
        "An even share is 1 / players. The intervals of what goes beyond it hold together for all kinds of player; "
        "those of the shares themselves, in the table, stand alone.",
        Table(key, title, held, shown=_place_shares([cell for cell, _ in shown], beyond)),
    )


def _place_shares(cells: list[Cell], edges: dict[tuple[Cell, int], Estimate]) -> pd.DataFrame:
    """Return the share of tricks won from each place, and what goes beyond an even share where that is drawn."""
    pairs = [(cell, place) for cell in dict.fromkeys(cells) for place in range(cell.seats)]
    frame = frame_of(
        [cell.per_trick(f"won_{place}") for cell, place in pairs],
        players=[cell.kind for cell, _ in pairs],
        variant=[cell.label for cell, _ in pairs],
        place=[ORDINALS[place] for _, place in pairs],
    ).assign(even=[1 / cell.seats for cell, _ in pairs])
    beyond = [(edge.value, edge.low, edge.high) for edge in (edges.get(pair, NOTHING) for pair in pairs)]
    return frame.join(pd.DataFrame(beyond, columns=["beyond even", "beyond, low", "beyond, high"]))


def specials(cells: list[Cell]) -> Finding:
    """Say what being dealt a special is worth."""
    main = _main(cells)
    both = simultaneous([cell.slope(result) for result in ("score", "share") for cell in cells])
    points, shares = both[: len(cells)], both[len(cells) :]
    at = cells.index(main)
    return Finding(
        "specials",
        specials_headline(main.name, points[at], shares[at]),
        text=(
            *strengths(cells, dict(zip(cells, points, strict=True)), SCORE),
            *strengths(cells, dict(zip(cells, shares, strict=True)), SHARE),
        ),
        charts=(
            _slope_chart("special_points", "Points that each special dealt adds", cells, points, "points"),
            _slope_chart("special_wins", "Win share that each special dealt adds", cells, shares, "share"),
            _kinds_chart(cells, main),
        ),
        assumes=(
            "Specials are dealt by chance, so seats with more of them differ from their table only by luck of the deal "
            "(least squares within each game).",
            "A special takes the room of another card: its worth is over an average card.",
        ),
        title="Specials",
    )


def specials_headline(name: str, points: Estimate, share: Estimate) -> str:
    """Return what each special dealt to a seat adds to its score and its wins."""
    return say(
        "{points}; {wins} ({name}).",
        points=say(SPECIAL_POINTS[points.sign], points=text(points, "points a game")),
        wins=say(SPECIAL_WINS[share.sign], share=text(share, "points of win share", percent=True)),
        name=name,
    )


SPECIAL_POINTS = {
    1: "Each special dealt adds points: {points}",
    -1: "Each special dealt costs points: {points}",
    0: "Each special dealt neither clearly adds nor costs points: {points}",
}
SPECIAL_WINS = {
    1: "it wins more games: {share}",
    -1: "it wins fewer games: {share}",
    0: "whether it wins games is undecided: {share}",
}


def _slope_chart(key: str, title: str, cells: list[Cell], estimates: list[Estimate], unit: str) -> Chart:
    percent = unit == "share"
    frame = frame_of(estimates, label=[cell.label for cell in cells], players=[cell.kind for cell in cells])
    return Chart(
        key,
        title,
        charts.interval_dots(
            frame,
            group="players",
            reference=0,
            reference_label="no worth",
            x_label="win share" if percent else "points a game",
            percent="points" if percent else False,
        ),
        _dots_alt([cell.name for cell in cells], estimates, SHARE.change_unit if percent else unit, percent=percent),
        "Seats compared with their own table. The intervals hold together.",
        Table(key, title, frame),
    )


def _kinds_chart(cells: list[Cell], main: Cell) -> Chart:
    frame = pd.concat([_by_specials(cell, result) for cell in cells for result in RESULTS], ignore_index=True)
    shown = frame[(frame["variant"] == main.label) & (frame["figure"] == RESULTS["score"])]
    told = _told([f"{row.players}, {row.specials}" for row in shown.itertuples()], _estimates(shown), "points")
    return Chart(
        "specials",
        say("Points above the game's mean by number of specials dealt, {label}", label=main.label),
        charts.interval_dots(
            shown,
            label="specials",
            group="players",
            reference=0,
            reference_label="game's mean",
            x_label="points a game",
        ),
        say("Dots with intervals, one line for each number of specials: {figures}.", figures=told),
        "n counts games, seats those that were dealt so many.",
        Table("specials", "Seats by number of specials dealt", frame, shown=shown),
    )


def _by_specials(cell: Cell, result: str) -> pd.DataFrame:
    seats = cell.study[f"{cell.label}: seats_of_kind"]
    kinds = np.flatnonzero(seats)
    return frame_of(
        [cell.ahead(result, int(kind)) for kind in kinds],
        players=cell.kind,
        variant=cell.label,
        specials=[say("{count} or more", count=kind) if kind == measures.KINDS - 1 else str(kind) for kind in kinds],
        figure=RESULTS[result],
    ).assign(seats=seats[kinds])


def sizes(cells: list[Cell], variants: dict[str, Variant]) -> Finding:
    """Compare the decks and the numbers of seats."""
    pairs = [pair for pair in pairs_of(variants) if "|" not in pair[0]]
    if not pairs:
        return Finding("sizes", "Only one deck and number of seats was played: there is nothing to compare.")
    main = _main(cells)
    frame, found = _differences(cells, pairs)
    told = [_pair_words(pair, found[main.kind, pair, "turns"]) for pair in pairs if main.label in pair]
    return Finding(
        "sizes",
        say(" ").join([*told, say("All with {players} players.", players=main.kind)]),
        text=pair_strengths(found, [pair for pair in pairs if main.label in pair]),
        charts=(_difference_chart("sizes_turns", say("Turns a trick, against {label}", label=main.label), frame,
                                  "turns", main.label),
                _difference_chart("sizes_last", say("Edge of the last place, against {label}", label=main.label), frame,
                                  "last", main.label)),
        assumes=("Other decks and numbers of seats deal other cards: games pair by number, which saves little.",),
        title="Decks and numbers of players",
    )  # fmt: skip


_TOGETHER = (
    "The first minus the second, or the changed reading minus the other, paired by game. "
    "The intervals of all figures hold together."
)


def _differences(cells: list[Cell], pairs: list[tuple[str, str]]) -> tuple[pd.DataFrame, dict[Any, Estimate]]:
    """Return all compared figures of pairs of arms, with intervals for the family."""
    keys = [(kind, pair, name) for kind in PLAYERS for pair in pairs for name in COMPARED]
    holders = {cell.kind: cell for cell in cells}
    estimates = simultaneous([holders[kind].against(*pair, name) for kind, pair, name in keys])
    frame = frame_of(
        estimates,
        label=[_pair_label(pair) for _, pair, _ in keys],
        players=[kind for kind, _, _ in keys],
        against=[pair[1] for _, pair, _ in keys],
        short=[_short_label(pair) for _, pair, _ in keys],
        figure=[COMPARED[name] for _, _, name in keys],
    )
    return frame, dict(zip(keys, estimates, strict=True))


def pair_strengths(found: dict[Any, Estimate], pairs: list[tuple[str, str]]) -> tuple[str, ...]:
    """Return whether each pair's difference in turns holds for weak, decent and strong players."""
    told = {
        _pair_label(pair): across_kinds(KINDS, [found[kind.text, pair, "turns"] for kind in KINDS], TURNED)
        for pair in pairs
    }
    return tuple(say("{figure}, {words}", figure=sentence(TURNED.label), words=words) for words in by_words(told))


def _pair_label(pair: tuple[str, str]) -> str:
    more, less = pair
    if "|" in more:
        return say("{label}: {reading} changed", label=less, reading=more.partition(" | ")[2])
    return say("{more} \u2212 {less}", more=more, less=less)


def _short_label(pair: tuple[str, str]) -> str:
    """Return how a pair is called where it is known against what it is."""
    more, _, reading = pair[0].partition(" | ")
    return say("{reading} changed", reading=READING_NAMES[reading]) if reading else more


def _pair_words(pair: tuple[str, str], estimate: Estimate) -> str:
    more, less = pair
    told = {
        "said": TURNS_SAID[replace(TURNED, matters=0).verdict(estimate)],
        "turns": text(estimate, say("{unit} a trick", unit=TURNED.unit)),
    }
    if "|" in more:
        return say("With {reading} changed {said}: {turns}.", reading=READING_NAMES[more.partition(" | ")[2]], **told)
    return say("With {more} instead of {less} {said}: {turns}.", more=more, less=less, **told)


TURNS_SAID = {
    "higher": "the lead turns more often",
    "lower": "the lead turns less often",
    "undecided": "whether the lead turns more or less often is undecided",
    "exactly the same": "the lead turned as often in every single game",
}


def _difference_chart(key: str, title: str, frame: pd.DataFrame, name: str, against: str) -> Chart:
    """Return differences of a figure from one variant; the download has those from all others, too."""
    own = frame.drop(columns=["against", "short"])
    mine = (frame["against"] == against) & (frame["figure"] == COMPARED[name])
    drawn, percent = frame[mine], name in ("last", "void")
    labels = [f"{row.short}, {row.players}" for row in drawn.itertuples()]
    return Chart(
        key,
        title,
        charts.interval_dots(
            drawn, label="short", group="players", reference=0, reference_label="no difference",
            x_label=COMPARED[name], percent="points" if percent else False,
        ),
        _dots_alt(labels, _estimates(drawn), EDGE.change_unit if percent else "", percent=percent),
        _TOGETHER,
        Table(key, title, own if name == "turns" else own[frame["figure"] == COMPARED[name]], shown=own[mine]),
    )  # fmt: skip


def readings(cells: list[Cell], variants: dict[str, Variant]) -> Finding:
    """Say how much the readings G2 and G3 change."""
    main = _main(cells)
    pairs = [pair for pair in pairs_of(variants) if "|" in pair[0]]
    frame, found = _differences(cells, pairs)
    told = [_pair_words(pair, found[main.kind, pair, "turns"]) for pair in pairs if pair[1] == main.label]
    return Finding(
        "readings",
        say(" ").join([*told, say("All with {name}.", name=main.name)]),
        text=pair_strengths(found, pairs),
        charts=(
            _difference_chart("readings_turns", "Turns a trick with a reading changed", frame, "turns", main.label),
            _difference_chart("readings_locks", "Locks a trick with a reading changed", frame, "locks", main.label),
            _difference_chart(
                "readings_last", "Edge of the last place with a reading changed", frame, "last", main.label
            ),
        ),
        assumes=tuple(
            say(
                "{reading} changed: {key} = {value}.",
                reading=reading,
                key=f"{table}.{key}",
                value=str(not getattr(getattr(main.parameters, table), key)).lower(),
            )
            for reading, (table, key) in READINGS.items()
        ),
        title="Readings of the rules",
    )

"""Which rules and cards never come into play, how often do the others, and which change who wins?

Every clause of a game's rules is looked for in whole games. Where a parameter can take one out, the same deals are
played without it: does somebody else win?
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from simlib.clauses import Clause
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous, widened
from simlib.estimates.proportions import wilson
from simlib.estimates.words import extremes, listed, text
from simlib.experiments import Plan, Request
from simlib.figures import cardgrid, charts
from simlib.findings import Chart, Finding, Headline, Table, Tile, tile
from simlib.frames import frame_of
from simlib.games import game_named, make_variant
from simlib.hooks import seated
from simlib.languages import say
from simlib.measured import Measured
from simlib.measures import columns_starting, numbered
from simlib.results import Results
from simlib.survey import (
    DECENT,
    PLAYED,
    STRONG,
    WEAK,
    Cell,
    Figure,
    Kind,
    Survey,
    dots,
    headline,
    joined,
    kinds_named,
    main_cells,
    main_labels,
    pictured,
    plan_of,
    row_columns,
    seated_as,
    seats_of,
    sentence,
    variants_by_seats,
)
from simlib.variants import Variant

GAME = "all"
TITLE = "Dead rules: what never comes into play"
GAMES = 12_000
RARE = 0.01  # a clause in fewer games than that is rare
THIN = 2  # games with a clause taken out are so many fewer for strong players
SHOWN = 3  # rules of each game that the answer shows, the rarest
WITHOUT = (WEAK, DECENT, STRONG)  # who plays without clauses: `trained` learned to play with them
GLOSSARY = [
    ("clause", "one statement of the rules that may or may not come into play"),
    (
        "comes into play",
        "happened at least once: in the share of games that is given, or of tricks, plays, bids and so on",
    ),
    (
        "never seen",
        "in none of the games that were played; the end of its interval says in how many it may still come into play "
        "(Wilson's interval: with none in n games about 3.8/n)",
    ),
    ("rare", f"in fewer than {RARE:.0%} of the games, with all of its interval"),
    ("can't happen", "ruled out by the variant itself, such as ties of equal cards where each card is there once"),
    (
        "changes who wins",
        "the same deal played without the clause has other winners. Random seats play on as before, where they may; "
        "all others also play differently, because the rules are others",
    ),
    ("widened", "an interval so wide that all those of its family hold together with 95 %"),
    ("interval", "a range made so that 95 % of such ranges hold the true figure"),
    ("n", "games behind a figure"),
]


# ---- counts --------------------------------------------------------------------------------------------------------


def clauses(variant: Variant) -> tuple[Clause, ...]:
    """Return the clauses of a variant's game that can come into play in it."""
    known = game_named(variant.game).module("clauses").CLAUSES
    return tuple(clause for clause in known if clause.possible(variant.parameters))


def names(variant: Variant) -> tuple[str, ...]:
    """Return the names of the counts of a game."""
    module = game_named(variant.game).module("clauses")
    keys = [clause.key for clause in clauses(variant)]
    ranks = [f"{what}_{rank}" for rank in module.ranks(variant.parameters) for what in ("played", "won", "turned")]
    return (*module.NOUNS, *keys, *(f"any_{key}" for key in keys), *ranks)


def count(games: Any, variant: Variant) -> dict[str, np.ndarray]:
    """Return how often each clause and rank came into play in each game; `games` is `batch.Played`."""
    game, parameters = game_named(variant.game), variant.parameters
    module = game.module("clauses")
    plays = game.module("plays").plays_of(parameters, games)
    column = numbered(game.module("rules").columns(parameters))
    fired = module.fired(parameters, games, plays, column)
    counts = {name: values.astype(np.int64) for name, values in module.units(parameters, games, plays).items()}
    for clause in clauses(variant):
        counts[clause.key] = fired[clause.key].astype(np.int64)
        counts[f"any_{clause.key}"] = (fired[clause.key] > 0).astype(np.int64)
    won = plays.winners[..., None] == np.arange(plays.cards.shape[3])
    turned = module.turning(parameters, games, plays)
    marks = {"played": np.ones_like(won), "won": won, "turned": won & False if turned is None else turned}
    rank = module.rank_of(plays.cards)
    for code in module.ranks(parameters):
        mine = (rank == code) & plays.played[..., None]
        counts |= {f"{what}_{code}": (mine & mark).sum(axis=(1, 2, 3)) for what, mark in marks.items()}
    return counts


SURVEY = Survey(names, count, whole=True)


# ---- clauses taken out ---------------------------------------------------------------------------------------------


def arms(variant: Variant) -> dict[str, Variant]:
    """Return the variant as it is, and without each clause that a parameter can take out."""
    found = {PLAYED: variant}
    for clause in clauses(variant):
        if clause.without is None:
            continue
        try:
            other = make_variant(
                game_named(variant.game), settings=variant.flat() | clause.without(variant.parameters)
            )  # fmt: skip
        except BadInput:
            continue
        if other.fingerprint != variant.fingerprint:
            found[clause.key] = other
    return found


def matter_studies(variants: Mapping[str, Variant], games: int) -> list[Any]:
    """Return a study of all clauses taken out, for each main variant and kind of player."""
    from simlib.batch import Arm, Study

    studies = []
    for label in main_labels(variants):
        variant, compared = variants[label], arms(variants[label])
        known = game_named(variant.game).module("players").PLAYERS
        for kind in WITHOUT if len(compared) > 1 else ():
            seats = (seated(kind.text, known, "players"),) * seats_of(variant)
            played = {name: Arm(arm, seats) for name, arm in compared.items()}
            wins = {name: wins_columns(arm) for name, arm in compared.items()}
            measure = partial(matter_sums, wins=wins)
            studies.append(
                Study(f"matters | {label} | {kind.text}", played, matter_games(variant, kind, games), measure)
            )
    return studies


def matter_games(variant: Variant, kind: Kind, games: int) -> int:
    """Return how many deals a kind of player plays with and without each clause."""
    return max(2, SURVEY.games(variant, kind, games) // (THIN if kind == STRONG else 1))


def wins_columns(variant: Variant) -> list[int]:
    """Return which columns of a row tell who won."""
    column = row_columns(variant)
    return columns_starting(column, "win_")


def matter_sums(rows: Mapping[str, np.ndarray], wins: Mapping[str, list[int]]) -> dict[str, Any]:
    """Return in how many games other seats win without each clause."""
    base = rows[PLAYED][:, wins[PLAYED]]
    changed = [(rows[name][:, wins[name]] != base).any(axis=1).sum() for name in rows if name != PLAYED]
    return {"n": np.int64(len(base)), "changed": np.array(changed, np.int64)}


SEEN = Figure("rules that come into play in a game, of all", "seen", "rules", percent=True, matters=0.01)


def count_seen(games: Any, variant: Variant) -> dict[str, np.ndarray]:
    """Return how many of the rules come into play in each game, and how many there are."""
    counts, known = count(games, variant), clauses(variant)
    seen = np.sum([counts[f"any_{clause.key}"] for clause in known], axis=0)
    return {"seen": seen, "rules": np.full_like(seen, len(known))}


MEASURES = Measured(count_seen, {"rules_in_play": SEEN}, whole=True)


def plan(request: Request) -> Plan:
    """Return whole games of each game and number of seats, and the same deals with clauses taken out."""
    variants, left_out = variants_by_seats(request, GAME)
    return plan_of([SURVEY], variants, request.games, left_out, matter_studies(variants, request.games))


# ---- findings ------------------------------------------------------------------------------------------------------


def findings(run: Results) -> list[Finding]:
    """Return what never comes into play, then what does how often, what changes who wins, and the cards."""
    cells = SURVEY.cells(run)
    mains = main_cells(cells)
    own = [cell for cell in mains if cell.kind == DECENT]
    left_out = tuple(run.facts["plan"]["left_out"])
    return [
        answer(own, left_out),
        *(one_game(cells, [cell for cell in mains if cell.label == main.label]) for main in own),
        *matters(run, mains),
        cards(mains, own),
    ]


def headline_figure(run: Results) -> Headline:
    """Return how often the first clause of the first game comes into play: no pick by outcome."""
    cell = next(cell for cell in SURVEY.cells(run) if cell.kind == DECENT)
    first = clauses(cell.variant)[0]
    label = say("games in which {rule} ({name})", rule=first.text, name=cell.name)
    return headline(label, cell, figure_of(first))


def figure_of(clause: Clause) -> Figure:
    """Return the share of games in which a clause comes into play, as a figure."""
    return Figure(clause.text, f"any_{clause.key}", percent=True, chance=True)


def quoted(clause: Clause) -> str:
    """Return a clause in quotation marks."""
    return say("\u201c{rule}\u201d", rule=clause.text)


def in_games(cell: Cell, clause: Clause) -> Estimate:
    """Return in which share of games a clause comes into play."""
    return cell.figure(figure_of(clause))


def in_units(cell: Cell, clause: Clause) -> Estimate:
    """Return in which share of tricks, plays and the like a clause comes into play."""
    return cell.figure(Figure(clause.text, clause.key, clause.unit, percent=True))


def answer(own: Sequence[Cell], left_out: tuple[str, ...]) -> Finding:
    """Say how many clauses were never seen, and which are rare."""
    return Finding(
        "answer",
        say(
            "Rules never seen: {told} ({players}).",
            told=say("; ").join(never_words(cell) for cell in own),
            players=seated_as(own),
        ),
        text=tuple(
            line for cell in own for line in (unseen_words(cell), rare_words(cell), impossible_words(cell)) if line
        ),
        tiles=tuple(rarest_tile(cell) for cell in own),
        charts=(rarest_chart(own),),
        assumes=(*left_out, "A rule that players of these kinds never bring into play may serve other ones."),
        picture=pictured(
            "rarest", [cell.title for cell in own], [rarest(cell)[0][1] for cell in own], percent=True
        ),
    )  # fmt: skip


def rarest(cell: Cell) -> list[tuple[Clause, Estimate]]:
    """Return the clauses from the rarest on, with intervals that hold for all of them."""
    known = clauses(cell.variant)
    shares = [(clause, widened(in_games(cell, clause), len(known))) for clause in known]
    return sorted(shares, key=lambda each: each[1].value)


def rarest_tile(cell: Cell) -> Tile:
    """Return the clause that is in the fewest games."""
    clause, share = rarest(cell)[0]
    return tile(say("{game}'s rarest: {rule}", game=cell.title, rule=clause.short), share, cell.name, percent=True)


def rarest_chart(own: Sequence[Cell]) -> Chart:
    """Return the rarest clauses of each game."""
    shown = [(cell, *each) for cell in own for each in rarest(cell)[: SHOWN if len(own) > 1 else 2 * SHOWN]]
    return dots(
        "rarest",
        "Games in which the rarest rules come into play",
        [cell for cell, *_ in shown],
        [share for *_, share in shown],
        say("All seats {players}; the intervals of a game's rules hold together.", players=own[0].kind.text),
        labels=[
            say("{game}, {rule}", game=cell.title, rule=clause.short) if len(own) > 1 else clause.short
            for cell, clause, _ in shown
        ],
        percent=True,
        group=False,
        x_label="share of games",
    )


def unseen(cell: Cell) -> list[Clause]:
    """Return the clauses that were never seen."""
    return [clause for clause in clauses(cell.variant) if not in_games(cell, clause).value]


def never_words(cell: Cell) -> str:
    """Return how many of a game's clauses were never seen, and in how many games they may still come into play."""
    known, dead = clauses(cell.variant), unseen(cell)
    if not dead:
        return say("none of {game}'s {all} (n = {games:,} games)", game=cell.title, all=len(known), games=cell.games)
    return say(
        "{count} of {game}'s {all} (n = {games:,}, so at most {most:.2g} % of games)",
        count=len(dead),
        game=cell.title,
        all=len(known),
        games=cell.games,
        most=100 * rarest(cell)[0][1].high,
    )


def unseen_words(cell: Cell) -> str:
    """Return which clauses were never seen."""
    dead = [quoted(clause) for clause in unseen(cell)]
    return say("{game}, never seen: {rules}.", game=cell.title, rules=joined(dead)) if dead else ""


def rare_words(cell: Cell) -> str:
    """Return which clauses are rare; those that were never seen aren't named again."""
    shares = {clause: in_games(cell, clause) for clause in clauses(cell.variant)}
    rare = {clause: share for clause, share in shares.items() if share.value and share.high < RARE}
    if not rare:
        return say(
            "{game}: no rule that was seen is clearly in fewer than {share:g} % of games.",
            game=cell.title,
            share=100 * RARE,
        )
    return say(
        "{game}, seen in fewer than {share:g} % of games: {rules}.",
        game=cell.title,
        share=100 * RARE,
        rules=listed([clause.text for clause in rare], list(rare.values()), percent=True),
    )


def impossible_words(cell: Cell) -> str:
    """Return which clauses can't come into play in a variant."""
    possible = set(clauses(cell.variant))
    known = game_named(cell.variant.game).module("clauses").CLAUSES
    ruled_out = [quoted(clause) for clause in known if clause not in possible]
    if not ruled_out:
        return ""
    return say("{label}: can't happen in this variant: {rules}.", label=cell.label, rules=say("; ").join(ruled_out))


def clause_table(cells: Sequence[Cell], main: Cell) -> Table:
    """Return the share of games in which each clause of a game comes into play, for all its variants and players."""
    return _table(cells, main, in_games, "in_games", "share of games")


def by_unit_table(cells: Sequence[Cell], main: Cell) -> Table:
    """Return the same by tricks, plays and the like."""
    return _table(cells, main, in_units, "in_units", "share of tricks, plays and the like")


def _table(
    cells: Sequence[Cell], main: Cell, figure: Callable[[Cell, Clause], Estimate], key: str, what: str
) -> Table:  # fmt: skip
    rows = [
        (cell, clause) for cell in cells if cell.variant.game == main.variant.game for clause in clauses(cell.variant)
    ]
    frame = frame_of(
        [figure(cell, clause) for cell, clause in rows],
        rule=[clause.short for _, clause in rows],
        clause=[clause.text for _, clause in rows],
        of=[clause.unit for _, clause in rows],
        players=[cell.kind.text for cell, _ in rows],
        variant=[cell.label for cell, _ in rows],
    )
    title = say("{game}: rules by {what}", game=main.title, what=what)
    own = frame[(frame["variant"] == main.label) & (frame["players"] == main.kind.text)]
    note = say("Shares as fractions. Shown: {name}; the download has all kinds and numbers of players.", name=main.name)
    shown = own.drop(columns=["players", "variant", "clause"])
    return Table(f"{key}_{main.variant.game}", title, frame, note, shown=shown)


def one_game(cells: Sequence[Cell], own: Sequence[Cell]) -> Finding:
    """Say how often each clause of one game comes into play."""
    main = next(cell for cell in own if cell.kind == DECENT)
    known = clauses(main.variant)
    order = [clause for clause, _ in rarest(main)]
    return Finding(
        main.variant.game,
        say(
            "{game}: the rarest of {count} rules is {rule}, in {share} of games ({players}).",
            game=main.title,
            count=len(known),
            rule=say("\u201c{rule}\u201d", rule=order[0].short),
            share=text(rarest(main)[0][1], percent=True),
            players=seated_as([main]),
        ),
        text=(flip_words(own),),
        charts=(
            replace(games_chart(own, order), table=clause_table(cells, main)),
            replace(units_chart(main, order), table=by_unit_table(cells, main)),
        ),
        title=say("{game}: every rule", game=main.title),
    )


def games_chart(own: Sequence[Cell], order: Sequence[Clause]) -> Chart:
    """Return the share of games in which each clause comes into play, a column a kind of player."""
    pairs = [(cell, clause) for clause in order for cell in own]
    shares = [in_games(cell, clause) for cell, clause in pairs]
    rules, players = [clause.short for _, clause in pairs], [cell.kind.text for cell, _ in pairs]
    frame = frame_of(shares, rule=rules, players=players)
    key, title = f"clauses_{own[0].variant.game}", say("{label}: games in which a rule comes into play",
                                                       label=own[0].label)  # fmt: skip
    names = [say("{players}, {rank}", players=kind, rank=rule) for kind, rule in zip(players, rules, strict=True)]
    return Chart(
        key,
        title,
        charts.heat(
            frame.pivot_table("value", "rule", "players", sort=False), x_label="players", places=1, percent=True
        ),
        say("A row a rule, a column a kind of player: {figures}.", figures=listed(names, shares, percent=True)),
        "Share of games in which it comes into play at least once, the rarest first; the table has intervals.",
        Table(key, title, frame),
    )


def units_chart(main: Cell, order: Sequence[Clause]) -> Chart:
    """Return the share of tricks, plays and the like in which each clause comes into play."""
    nouns = game_named(main.variant.game).module("clauses").NOUNS
    return dots(
        f"units_{main.variant.game}",
        say("{label}: how often a rule comes into play", label=main.label),
        [main] * len(order),
        [in_units(main, clause) for clause in order],
        say(
            "Share of tricks, plays of followers, bids and the like in which it does (all seats {players}).",
            players=main.kind.text,
        ),
        labels=[say("{rule} (of {unit})", rule=clause.short, unit=nouns[clause.unit]) for clause in order],
        percent=True,
        group=False,
        x_label="share",
    )


def flip_words(own: Sequence[Cell]) -> str:
    """Return which clauses were seen with some kinds of player alone."""
    groups: dict[str, list[str]] = {}
    for clause in clauses(own[0].variant):
        seen = [cell for cell in own if in_games(cell, clause).value]
        if 0 < len(seen) < len(own):
            players = say("seen only with {kinds}", kinds=kinds_named([cell.kind for cell in seen]))
            groups.setdefault(players, []).append(quoted(clause))
    games = joined([say("{games:,} of {players}", games=cell.games, players=cell.kind.text) for cell in own])
    if not groups:
        return say("Weak, decent and strong players bring the same rules into play (games: {games}).", games=games)
    told = say("; ").join(
        say("{words}: {rules}", words=players, rules=joined(rules)) for players, rules in groups.items()
    )
    return say("It depends on who plays (games: {games}). {told}.", games=games, told=sentence(told))


# ---- clauses that change who wins ----------------------------------------------------------------------------------


def matters(run: Results, mains: Sequence[Cell]) -> list[Finding]:
    """Say which clauses change who wins, where a parameter can take one out."""
    found = []
    for label in dict.fromkeys(cell.label for cell in mains):
        own = [cell for cell in mains if cell.label == label and cell.kind in WITHOUT]
        variant = own[0].variant
        taken_out = [clause for clause in clauses(variant) if clause.key in arms(variant)]
        if taken_out:
            shares = {cell.kind: changed(run.summaries[f"matters | {label} | {cell.kind.text}"]) for cell in own}
            found.append(matter(own, taken_out, shares))
    return found


def changed(sums: Mapping[str, Any]) -> list[Estimate]:
    """Return the share of deals in which each clause changes who wins, with intervals that all hold together."""
    return simultaneous([wilson(int(total), int(sums["n"])) for total in sums["changed"]])


def matter(own: Sequence[Cell], taken_out: Sequence[Clause], shares: Mapping[Kind, Sequence[Estimate]]) -> Finding:
    """Say which clauses of one game change who wins; one cell a kind of player."""
    main, decent = next(cell for cell in own if cell.kind == DECENT), shares[DECENT]
    order = sorted(range(len(decent)), key=lambda place: -decent[place].value)
    pairs = [(place, cell) for place in order for cell in own]
    left = [quoted(clause) for clause in clauses(main.variant) if clause not in taken_out]
    return Finding(
        f"matters_{main.variant.game}",
        say(
            "{game}: {told} ({players}).",
            game=main.title,
            told=matter_words(taken_out, decent, order),
            players=seated_as([main]),
        ),
        text=(
            *(kind_words(taken_out[place], {kind: shares[kind][place] for kind in shares}) for place in order),
            say(
                "No parameter takes these out, so whether they change who wins isn't known: {rules}.",
                rules=joined(left),
            ),
        ),
        assumes=(
            say(
                "Other plays alone may hand a deal to another seat, whatever made seats play otherwise: were its "
                "winner drawn anew, others would win in {drawn:.3g} % of deals. What a rule itself does shows with "
                "random seats.",
                drawn=100 - 100 / seats_of(main.variant),
            ),
        ),
        charts=(
            dots(
                f"matters_{main.variant.game}",
                say("{label}: deals that others win without a rule", label=main.label),
                [cell for _, cell in pairs],
                [shares[cell.kind][place] for place, cell in pairs],
                "Share of deals with other winners once the rule is taken out.",
                labels=[taken_out[place].short for place, _ in pairs],
                percent=True,
                x_label="share of deals",
            ),
        ),
        title=say("{game}: rules taken out", game=main.title),
    )


def matter_words(taken_out: Sequence[Clause], shares: Sequence[Estimate], order: Sequence[int]) -> str:
    """Return which clause changes who wins most often, if that can be told, and how often the least one does."""
    first = order[0]
    if not shares[first].value:
        return say("none of {count} rules that can be taken out changed who wins", count=len(order))
    most = say(
        "{rule} changes who wins in {share} of deals",
        rule=quoted(taken_out[first]),
        share=text(shares[first], percent=True),
    )
    if len(order) == 1:
        return most
    clear = shares[first].low > shares[order[1]].high
    return say(
        "{told}, more than any other of {count} rules that can be taken out"
        if clear
        else "{told}, among the most of {count} rules that can be taken out",
        told=most,
        count=len(order),
    )


def kind_words(clause: Clause, shares: Mapping[Kind, Estimate]) -> str:
    """Return how often a clause changes who wins, for each kind of player, and whether it ever did."""
    told = listed([kind.text for kind in shares], list(shares.values()), percent=True)
    seen = [kind for kind, share in shares.items() if share.value]
    words = say("{rule}. Without it, share of deals that others win: {told}.", rule=sentence(clause.text), told=told)
    if len(seen) in (0, len(shares)):
        return words
    return say("{words} Seen only with {kinds}.", words=words, kinds=kinds_named(seen))


# ---- cards ---------------------------------------------------------------------------------------------------------


def cards(mains: Sequence[Cell], own: Sequence[Cell]) -> Finding:
    """Say which ranks never win a trick, and never turn the lead."""
    return Finding(
        "cards",
        say(
            "{told} ({players}).",
            told=sentence(say("; ").join(card_words(cell) for cell in own)),
            players=seated_as(own),
        ),
        text=tuple(kinds_of_cards([cell for cell in mains if cell.label == main.label]) for main in own),
        charts=tuple(rank_chart([cell for cell in mains if cell.label == main.label], "won") for main in own)
        + tuple(rank_chart([cell for cell in mains if cell.label == main.label], "turned")
                for main in own if turns(main)),
        title="Cards",
    )  # fmt: skip


def turns(cell: Cell) -> bool:
    """Tell whether any card turned the lead."""
    return any(cell.joint.total((PLAYED, f"turned_{code}")) for code in ranks_of(cell))


def ranks_of(cell: Cell) -> dict[int, str]:
    """Return the names of a variant's ranks."""
    found: dict[int, str] = game_named(cell.variant.game).module("clauses").ranks(cell.variant.parameters)
    return found


def never(cell: Cell, what: str) -> list[str]:
    """Return the ranks that were played and never did something."""
    return [
        name
        for code, name in ranks_of(cell).items()
        if cell.joint.total((PLAYED, f"played_{code}")) and not cell.joint.total((PLAYED, f"{what}_{code}"))
    ]


def card_words(cell: Cell) -> str:
    """Return which ranks of a game never win a trick, else which one wins least."""
    dead = never(cell, "won")
    if dead:
        return say(
            "in {games:,} games of {game} rank {ranks} never won a trick",
            games=cell.games,
            game=cell.title,
            ranks=joined(dead),
        )
    shares = {name: rank_share(cell, code, "won") for code, name in ranks_of(cell).items()}
    played = {name: share for name, share in shares.items() if share.n and share.value == share.value}
    least = min(played, key=lambda name: played[name].value)
    return say(
        "every rank of {game} wins tricks, {rank} the fewest, at {won} of its plays",
        game=cell.title,
        rank=least,
        won=text(played[least], percent=True),
    )


def kinds_of_cards(own: Sequence[Cell]) -> str:
    """Return for which kinds of player each rank that never wins or turns doesn't."""
    told = []
    for what, words in NEVER_WORDS.items():
        if what == "turned" and not any(turns(cell) for cell in own):
            continue
        groups: dict[str, list[Kind]] = {}
        for cell in own:
            groups.setdefault(joined(never(cell, what)) or "none", []).append(cell.kind)
        ranks = [say("{what} for {kinds}", what=ranks, kinds=kinds_named(kinds)) for ranks, kinds in groups.items()]
        told.append(say(words, told=say("; ").join(ranks)))
    return say("{label}, {told}.", label=own[0].label, told=say(". ").join(told))


NEVER_WORDS = {"won": "ranks that never won: {told}", "turned": "ranks that never turned the lead: {told}"}


def rank_share(cell: Cell, code: int, what: str) -> Estimate:
    """Return in which share of its plays a rank wins, or turns the lead."""
    return cell.joint.ratio((PLAYED, f"{what}_{code}"), (PLAYED, f"played_{code}"))


def rank_chart(own: Sequence[Cell], what: str) -> Chart:
    """Return how often each rank wins its trick, or turns the lead, when it is played."""
    points = [(cell, code, name) for cell in own for code, name in ranks_of(cell).items()]
    drawn = [kind.text for kind in (WEAK, DECENT)]
    estimates = [rank_share(cell, code, what) for cell, code, _ in points]
    frame = frame_of(
        estimates,
        rank=[code for _, code, _ in points],
        name=[name for _, _, name in points],
        players=[cell.kind.text for cell, _, _ in points],
    )
    main, title = own[0], say(RANK_TITLES[what], label=own[0].label)
    even = 1 / seats_of(main.variant) if what == "won" else None
    named = frame.assign(name=["\u2605" if name == "special" else name for name in frame["name"]])
    figure = cardgrid.card_grid(
        named[named["players"].isin(drawn)], row="players", column="name", centre=even, percent=True
    )
    greedy = [(name, made) for (cell, _, name), made in zip(points, estimates, strict=True) if cell.kind == DECENT]
    said = listed([name for name, _ in greedy], [made for _, made in greedy], percent=True)
    labels = [say("{players}, {rank}", players=cell.kind.text, rank=name) for cell, _, name in points]
    ends = extremes(labels, estimates, percent=True)
    alt = say("Cards in rows, {kinds}; {players}: {told}. Of all: {ends}.",
              kinds=joined(drawn), players=DECENT.text, told=said, ends=ends)  # fmt: skip
    special = "special" in ranks_of(main).values()
    caption = "Share of its plays. A star stands for specials." if special else "Share of its plays."
    key = f"{what}_{main.variant.game}"
    shown = frame[frame["players"].isin(drawn)].drop(columns="rank")
    return Chart(key, title, figure, alt, caption, Table(key, title, frame, "Shares as fractions.", shown=shown))


RANK_TITLES = {
    "won": "{label}: how often a card wins its trick",
    "turned": "{label}: how often a card turns the lead",
}

"""Print the numbers behind Suppose's greedy and chaser: ``python -m benchmarks.fit_players`` (docs/players.md).

How many tricks a hand wins doesn't depend on what its greedy maker bids, so one set of games judges all bids.
"""

import time

import numpy as np

from simlib.batch import Arm, Seating, columns_of
from simlib.games import game_named, make_variant
from simlib.games.suppose import heuristics as suppose
from simlib.games.suppose.rules import WORTH
from simlib.hooks import seated

GAMES, SEED = 20_000, 3
SLOPES, DROPS = range(8, 17), range(0, 9)


def seating(names: list[str]) -> tuple[Arm, Seating]:
    """Return a classic table of named players."""
    variant = make_variant(game_named("suppose"), settings={"players": len(names)})
    arm = Arm(variant, tuple(seated(name, suppose.HEURISTICS, "benchmark") for name in names))
    return arm, Seating(arm)


def hands(names: list[str], makers: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return strength and tricks won of the hands that the first `makers` seats laid out, and a fair share."""
    _, table = seating(names)
    _, tables, secrets = table.play(SEED, 0, GAMES, keep=True)
    players, tricks = len(names), int(table.rules["tricks"][0])
    holders = [(maker + 1) % players for maker in range(makers)]
    strength = table.rules["strength"][0][secrets["layouts"][:, :, holders, :tricks]].sum(axis=-1) / WORTH
    return strength.ravel(), tables["tricks_won"][:, :, holders].ravel(), tricks / players


def hit_rate(strength: np.ndarray, won: np.ndarray, fair: float, slope: int, drop: int, lift: float = 0.0) -> float:
    """Return how often the bid would be right."""
    estimate = fair + lift + strength * slope / 8
    likeliest = estimate - np.maximum(0, fair - estimate) * drop / 8
    return float((np.floor(np.maximum(likeliest, 0) + 0.5) == won).mean())


def fit(name: str, players: int) -> None:
    """Print what the bids of one player among greedy ones should be."""
    names = [name, *["greedy"] * (players - 1)]
    strength, won, fair = hands(names, players if name == "greedy" else 1)
    slope, base = np.polyfit(strength, won, 1)
    print(f"\n{name}, {players} players: tricks = {base:.2f} + {slope:.2f} * strength (fair share {fair:.2f})")
    rest = (won - base - slope * strength).var() / (fair * (1 - 1 / players))
    print(f"  variance around it: {rest:.2f} times a binomial's (SPREAD is twice that)")
    rates = {(hit_rate(strength, won, fair, s, d), s, d) for s in SLOPES for d in DROPS}
    for rate, best_slope, drop in sorted(rates, reverse=True)[:4]:
        print(f"  SLOPE {best_slope}/8, DROP {drop}/8: right {rate:.4f}")
    for part in np.array_split(np.argsort(strength, kind="stable"), 6):
        mean, likeliest = won[part].mean(), np.bincount(won[part]).argmax()
        print(f"  strength {strength[part].mean():5.2f}: tricks {mean:.2f}, most often {likeliest}")


def measure(names: list[str]) -> None:
    """Print how the first player does, at each place of the table in turn."""
    players, shares, hits, points = len(names), [], [], []
    for seat in range(players):
        arm, table = seating(names[-seat:] + names[:-seat] if seat else names)
        row = dict(zip(columns_of(arm.variant), table.play(SEED, 0, GAMES)[0].T, strict=True))
        wins = sum(row[f"win_{other}"] for other in range(players))
        shares.append(row[f"win_{seat}"] / wins)
        hits.append(np.mean([row[f"hit_{number}_{seat}"] for number in range(players)], axis=0))
        points.append(row[f"score_{seat}"])
    texts = [interval(np.mean(values, axis=0)) for values in (shares, hits, points)]
    print(f"{' '.join(names):32} share {texts[0]}  hits {texts[1]}  points {texts[2]}")


def interval(values: np.ndarray) -> str:
    """Return the mean over games, each played with the seats turned, and half the width of its 95 % interval."""
    return f"{values.mean():.3f} ± {1.96 * values.std() / np.sqrt(len(values)):.3f}"


def speeds(names: list[str]) -> None:
    """Print games/s of one thread for tables of one player, played in turn; the best of many short runs."""
    tables, best = {name: seating([name] * 4)[1] for name in names}, dict.fromkeys(names, np.inf)
    for _ in range(40):
        for name, table in tables.items():
            begun = time.thread_time()
            table.play(SEED, 0, 1000)
            best[name] = min(best[name], time.thread_time() - begun)
    print("\nthousand games/s:", {name: round(1 / seconds, 1) for name, seconds in best.items()})


def main() -> None:
    """Fit, measure and time."""
    for players in (4, 3):
        fit("greedy", players)
        fit("chaser", players)
        print()
        for name, other in (("greedy", "random"), ("chaser", "random"), ("greedy", "greedy"), ("chaser", "greedy")):
            measure([name, *[other] * (players - 1)])
        measure(["greedy", *["chaser"] * (players - 1)])
    speeds(["random", "greedy", "chaser"])


if __name__ == "__main__":
    main()

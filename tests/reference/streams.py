"""Random streams in plain integers: every game has its own, and every word of it has a number.

All arithmetic is modulo 2**64. The generator is SplittableRandom (Steele, Lea and Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014) with Stafford's variant 13 as its mixer: Java's class of that
name. A game's stream is one split of the generator that the seed starts. Words are looked up by number and not
drawn in turn, so a decision's word depends on the game, the round, the step and the seat alone.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

WORD = 2**64
MASK = WORD - 1
GOLDEN = 0x9E3779B97F4A7C15

STEPS = 1024  # numbers set aside for the steps of a round
SEATS = 8  # numbers set aside for the seats of a step
DEAL_WORDS = 2**40  # number of the first word that deals
HELD_DEAL_WORDS = 2**42  # number of the first word that deals a held hand
LARGEST_PRODUCT = 2**48  # of the bounds that share one word of a shuffle
FEWEST_CHANGES = 24  # between neighbouring bits of a step


class Stream(NamedTuple):
    """A generator's starting state and its odd step."""

    key: int
    gamma: int


def mix64(z: int) -> int:
    """Return the 64 bits of `z`, scrambled one to one."""
    z &= MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def mix_gamma(z: int) -> int:
    """Return an odd step made of `z`, with at least 24 places where neighbouring bits differ."""
    z &= MASK
    z = (z ^ (z >> 33)) * 0xFF51AFD7ED558CCD & MASK
    z = (z ^ (z >> 33)) * 0xC4CEB9FE1A85EC53 & MASK
    z = (z ^ (z >> 33)) | 1
    changes = (z ^ (z >> 1)).bit_count()
    return z ^ 0xAAAAAAAAAAAAAAAA if changes < FEWEST_CHANGES else z


def root(seed: int) -> int:
    """Return the state that a seed starts with."""
    return mix64(seed + GOLDEN)


def split(state: int, index: int) -> Stream:
    """Return split number `index` (0 ..) of a generator at `state`; each split takes two words."""
    return Stream(
        key=mix64(state + GOLDEN * (2 * index + 1)),
        gamma=mix_gamma(state + GOLDEN * (2 * index + 2)),
    )


def game_stream(seed: int, game: int) -> Stream:
    """Return the stream of game number `game` (0 ..) of a run."""
    return split(root(seed), game)


def word(stream: Stream, number: int) -> int:
    """Return word `number` (0 ..) of a stream."""
    return mix64(stream.key + stream.gamma * (number + 1))


def decision_word(stream: Stream, round_number: int, step: int, seat: int) -> int:
    """Return the word for what a seat decides at one step of a round."""
    return word(stream, (round_number * STEPS + step) * SEATS + seat)


def deal_words(stream: Stream, round_number: int) -> Iterator[int]:
    """Yield the words that deal a round."""
    return (word(stream, DEAL_WORDS + round_number * STEPS + i) for i in count())


def held_deal_words(stream: Stream, round_number: int) -> Iterator[int]:
    """Yield the words that deal the hand which all games of a group hold."""
    return (word(stream, HELD_DEAL_WORDS + round_number * STEPS + i) for i in count())


def accept(random_word: int, n: int) -> int:
    """Return a word that is fair for bounds whose product is `n`: the given one, or else a later one.

    Notes
    -----
    Lemire, "Fast random integer generation in an interval" (2019); for several bounds, Brackett-Rozinsky and
    Lemire, "Batched ranged random integer generation" (2024).
    """
    while random_word * n % WORD < WORD % n:
        random_word = mix64(random_word + GOLDEN)
    return random_word


def below(random_word: int, n: int) -> int:
    """Return one of 0 .. n - 1, each equally likely."""
    return accept(random_word, n) * n >> 64


def draws(random_word: int, bounds: list[int]) -> list[int]:
    """Return one number below each bound, all of them from one word."""
    product = 1
    for bound in bounds:
        product *= bound
    fraction = accept(random_word, product)
    numbers = []
    for bound in bounds:
        numbers.append(fraction * bound >> 64)
        fraction = fraction * bound % WORD
    return numbers


def shuffle(cards: list, dealt: int, words: Iterator[int]) -> None:
    """Bring a random card to each of the first `dealt` places in turn, from the front (Fisher and Yates)."""
    place = 0
    while place < dealt:
        bounds = shared_bounds(len(cards) - place, dealt - place)
        for draw in draws(next(words), bounds):
            cards[place], cards[place + draw] = cards[place + draw], cards[place]
            place += 1


def shared_bounds(largest: int, most: int) -> list[int]:
    """Return the falling bounds, `most` of them or fewer, that one word of a shuffle serves: at least one."""
    bounds = [largest]
    product = largest
    while len(bounds) < most and product * (largest - len(bounds)) <= LARGEST_PRODUCT:
        product *= largest - len(bounds)
        bounds.append(largest - len(bounds))
    return bounds

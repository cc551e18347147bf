"""One random stream per game from (seed, game number), and exact bounded draws from it.

The generator is the SplitMix64 of Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
(OOPSLA 2014), with the output function published by Vigna and the increments ("gammas") of
java.util.SplittableRandom: game g has the g-th split of a generator whose state is ``mix64(seed + GOLDEN)``.
Word number c of a stream is ``mix64(key + gamma * (c + 1))``, so every decision has a word of its own:
deals and a seat's choices don't depend on what other seats draw, on chunks or on workers.
"""

import numpy as np

from simlib.hooks import compiled

I64, U64 = np.int64, np.uint64
GOLDEN = U64(0x9E3779B97F4A7C15)
DEAL_WORDS = U64(1 << 40)  # where the words of deals begin; decisions have those before
GAME_WORDS = U64(1 << 41)  # where the words of a game as a whole begin (a trump for all its rounds)
HELD_WORDS = U64(1 << 42)  # where the words of a held hand's deal begin
STEPS = 1024  # words of a round: one for each seat and step, and as many for its deal
STEP_SEATS = 8  # words of a step
BATCH = 1 << 48  # bounds that share a word have at most this product: one in 65,536 words needs a second look


def multiply_high(a, b):
    """Return the upper 64 bits of the product of two uint64 (one machine instruction; see `play`)."""
    return U64(int(a) * int(b) >> 64)


def popcount(word):
    """Return the number of set bits of a uint64 (one machine instruction; see `play`)."""
    return int(word).bit_count()


def lowest_bit(word):
    """Return the place of the lowest set bit of a uint64 that is not 0 (one machine instruction; see `play`)."""
    word = int(word)
    return U64((word & -word).bit_length() - 1)


def nth_bit(word, number):
    """Return the place of set bit number `number` (uint64, from 0) of a uint64 (two instructions; see `play`)."""
    word = int(word)
    for _ in range(number):
        word &= word - 1
    return lowest_bit(word)


@compiled
def mix64(z):
    """Scramble a uint64 (Stafford's variant 13)."""
    z = (z ^ (z >> U64(30))) * U64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U64(27))) * U64(0x94D049BB133111EB)
    return z ^ (z >> U64(31))


@compiled
def mix_gamma(z):
    """Return an odd increment with enough bit changes (SplittableRandom.mixGamma)."""
    z = (z ^ (z >> U64(33))) * U64(0xFF51AFD7ED558CCD)
    z = (z ^ (z >> U64(33))) * U64(0xC4CEB9FE1A85EC53)
    z = (z ^ (z >> U64(33))) | U64(1)
    if popcount(z ^ (z >> U64(1))) < 24:
        return z ^ U64(0xAAAAAAAAAAAAAAAA)
    return z


@compiled
def game_stream(seed, game):
    """Return the stream (key, gamma) of a game of a run; both arguments are uint64."""
    root = mix64(seed + GOLDEN)
    twice = game + game
    return mix64(root + GOLDEN * (twice + U64(1))), mix_gamma(root + GOLDEN * (twice + U64(2)))


@compiled
def word_at(stream, count):
    """Return word number `count` (uint64, from 0) of a stream."""
    key, gamma = stream
    return mix64(key + gamma * (count + U64(1)))


@compiled
def step_words(round_, step):
    """Return the number of seat 0's word at a step of a round; the other seats' follow it."""
    return (round_ * STEPS + step) * STEP_SEATS


@compiled
def decision_word(stream, round_, step, seat):
    """Return the word of a seat's decision; `step` numbers the decisions of a round."""
    return word_at(stream, U64(step_words(round_, step) + seat))


@compiled
def fill_words(words, count, stream, first):
    """Write the `count` words from number `first` (uint64) on: many at a time, where a processor can."""
    for number in range(count):
        words[U64(number)] = word_at(stream, first + U64(number))


@compiled
def accept(word, product):
    """Return a word from which bounds of this product can be drawn without bias.

    `draw` each bound from it in turn. D. Lemire, "Fast random integer generation in an interval" (2019), and
    N. Brackett-Rozinsky and D. Lemire, "Batched ranged random integer generation" (2025).
    """
    if word * product < product:
        unfair = (U64(0) - product) % product
        while word * product < unfair:
            word = mix64(word + GOLDEN)
    return word


@compiled
def draw(word, bound):
    """Return (a number from 0 to bound - 1, the word for the next draw); all uint64, `word` from `accept`."""
    return multiply_high(word, bound), word * bound


@compiled
def below(word, bound):
    """Return an unbiased number from 0 to bound - 1 (uint64)."""
    return multiply_high(accept(word, bound), bound)


PLAN = np.dtype([("words", "i8"), ("counts", "u1", (256,)), ("products", "u8", (256,))])


def shuffle_plan(size: int, dealt: int) -> np.void:
    """Plan which draws of a shuffle share a word.

    Parameters
    ----------
    size, dealt : int
        Cards in the deck, and how many are needed from its front.

    Returns
    -------
    PLAN record
        For each of its `words` words: the number of draws made from it, and the product of their bounds
        (size, size - 1, ..).
    """
    plan = np.zeros(1, PLAN)[0]
    word, product = -1, BATCH
    for bound in range(size, size - dealt, -1):
        product *= bound
        if product > BATCH:
            word, product = word + 1, bound
        plan["counts"][word] += 1
        plan["products"][word] = product
    plan["words"] = word + 1
    return plan


@compiled
def shuffle(deck, start, size, plan, stream, first):
    """Shuffle the front of ``deck[start:size]`` (Fisher-Yates), as far as the plan goes.

    Parameters
    ----------
    deck : 1-d array, modified
    start, size : int
        The part of the deck that takes part.
    plan : PLAN record
        From `shuffle_plan` for ``size - start`` cards.
    stream, first
        Where the words come from: numbers `first` (uint64) and on.
    """
    place, end = U64(start), U64(size)
    for number in range(plan.words):
        word = accept(word_at(stream, first + U64(number)), plan.products[U64(number)])
        for _ in range(plan.counts[U64(number)]):
            pick, word = draw(word, end - place)
            kept = deck[place]
            deck[place] = deck[place + pick]
            deck[place + pick] = kept
            place += U64(1)

"""Players of one's own, one for each game, such as `simlib simulate suppose --policy examples/mine.py:cautious --json`.

A function plays the card; what its name is continued by says which other decision one takes. The rest is greedy's.
"""

from simlib.streams import I64, U64, lowest_bit


def lowest(rules, table, view, trick, word):
    """Gara-tori: play the first of the legal cards, as they are sorted."""
    for number in range(rules.words):
        if view.legal[number]:
            return U64(64 * number) + lowest_bit(view.legal[number])
    return U64(0)


def cautious(rules, table, view, trick, word):
    """Suppose: play the first card of the row that is still there."""
    return 0


def cautious_bid(rules, table, view, word):
    """Suppose: guess an even share of the tricks, and nothing else."""
    view.guesses[0] = rules.tricks // rules.players
    view.guesses[1] = -1


def proud(rules, table, view, trick, word):
    """Take-Trick: play the highest card of the hand."""
    best = 0
    for index in range(rules.tricks - table.trick):
        if view.hand[index] > view.hand[best]:
            best = index
    return best


def proud_answer(rules, table, view, giver, card, count, word):
    """Take-Trick: accept no gift."""
    return I64(0)

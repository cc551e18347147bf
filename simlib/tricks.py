"""Tricks and rounds of every game, played from any moment on: by the kernel, and by players that search."""

from simlib.hooks import called, close_trick, compiled, open_trick, score_round, take_turn


@compiled
def play_trick(rules, table, secret, seats, stream):
    """Play one trick, from its leader clockwise."""
    finish_trick(rules, table, secret, seats, open_trick(rules, table), 0, stream)


@compiled
def finish_trick(rules, table, secret, seats, trick, first, stream):
    """Play a trick from place `first` on, and close it."""
    seat = table.leader + first
    for place in range(first, rules.players):
        seat = seat if seat < rules.players else seat - rules.players
        trick = take_turn(rules, table, secret, seats, trick, seat, place, stream)
        seat += 1
    close_trick(rules, table, secret, seats, trick, stream)


@compiled
def play_tricks(rules, table, secret, seats, first, stream):
    """Play the tricks of a round from number `first` on, until the last one or the end of the game."""
    for number in range(first, rules.tricks):
        if table.over:
            break
        table.trick = number
        play_trick(rules, table, secret, seats, stream)


@compiled
def play_tricks_abreast(rules, one, other):
    """Play the tricks of a round at two tables at once, card by card.

    A processor has much to wait for in a trick, as each card depends on the one before: meanwhile it goes on with the
    other table.

    Parameters
    ----------
    one, other : tuples (table, secret, seats, stream)
    """
    table, secret, seats, stream = one
    table_, secret_, seats_, stream_ = other
    number = 0
    while number < rules.tricks and not (table.over | table_.over):
        table.trick = number
        table_.trick = number
        trick, trick_ = open_trick(rules, table), open_trick(rules, table_)
        seat, seat_ = table.leader, table_.leader
        for place in range(rules.players):
            seat -= rules.players * (seat >= rules.players)
            seat_ -= rules.players * (seat_ >= rules.players)
            trick = take_turn(rules, table, secret, seats, trick, seat, place, stream)
            trick_ = take_turn(rules, table_, secret_, seats_, trick_, seat_, place, stream_)
            seat += 1
            seat_ += 1
        close_trick(rules, table, secret, seats, trick, stream)
        close_trick(rules, table_, secret_, seats_, trick_, stream_)
        number += 1
    if number < rules.tricks:
        finish_tricks(rules, table, secret, seats, number, stream)
        finish_tricks(rules, table_, secret_, seats_, number, stream_)


@called
def finish_tricks(rules, table, secret, seats, first, stream):
    """Play the tricks of a round from number `first` on at one table."""
    play_tricks(rules, table, secret, seats, first, stream)


@called
def finish_round(rules, table, secret, seats, stream):
    """Play the tricks behind the present one, and score the round."""
    play_tricks(rules, table, secret, seats, table.trick + 1, stream)
    score_round(rules, table, secret)


@compiled
def seats_played(rules, table, seat):
    """Return how many seats play to a trick before this one."""
    place = seat - table.leader
    return place if place >= 0 else place + rules.players

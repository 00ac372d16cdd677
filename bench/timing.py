"""Times calls in turns, so that their ratios hold on a machine whose clock changes."""

import itertools
import statistics
import time

TURN_NS = 1_000_000  # long beside the timer's cost, short beside a change of the CPU's clock


def turn(call, number):
    start = time.perf_counter_ns()
    for _ in itertools.repeat(None, number):
        call()
    return (time.perf_counter_ns() - start) / number


def calls_per_turn(call):
    turn(call, 3)  # first touch of the memory
    return max(1, round(TURN_NS / turn(call, 3)))


def race(calls, rounds):
    """The ns per call of each contestant in each round.

    All of them run in every round, so that whatever slows the machine meets all. The order rotates,
    lest one always find the cache as the same neighbour leaves it. The least of three turns drops
    what interrupts a turn."""
    numbers = {name: calls_per_turn(call) for name, call in calls.items()}
    times = {name: [] for name in calls}
    names = list(calls)
    for _ in range(rounds):
        names.append(names.pop(0))
        for name in names:
            times[name].append(min(turn(calls[name], numbers[name]) for _ in range(3)))
    return times


def ratio(times, reference):
    """The median of the rounds' ratios: within a round both saw the same machine, while a quotient
    of two medians may compare a quick minute with a slow one."""
    return statistics.median(a / b for a, b in zip(times, reference, strict=True))

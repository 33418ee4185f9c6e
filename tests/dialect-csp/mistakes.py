"""What mistakes make of a random network: one that may wait without end, or leave items."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from networks import For, If, Network, Node, Part


def mutants(rng: random.Random, network: Network, count: int) -> Iterator[Network]:
    """What mistakes make of a network: an operation less, one more, two in the other order, a count or a condition that is off by one, less capacity."""
    for _ in range(count if network.processes else 0):
        name = rng.choice(list(network.processes))
        process = network.processes[name]
        mistake = rng.choice([dropped, swapped, off_by_one, off_by_one, doubled])
        changed = replace(process, does=somewhere(rng, process.does, mistake))
        channels = dict(network.channels)
        if rng.random() < 0.1:
            less = rng.choice(list(channels))
            channels[less] = replace(channels[less], capacity=max(0, channels[less].capacity - 1))
        yield Network(channels, {**network.processes, name: changed})


def somewhere(rng: random.Random, part: Part, change: Callable[[random.Random, list[Node]], None]) -> Part:
    """With a change in it, or in a part of it."""
    made = list(part)
    inner = [k for k, node in enumerate(made) if isinstance(node, For | If)]
    if inner and rng.random() < 0.6:
        k = rng.choice(inner)
        match made[k]:
            case For(variable, over, body):
                made[k] = For(variable, over, somewhere(rng, body, change))
            case If(test, then, other):
                made[k] = If(test, somewhere(rng, then, change), other) if not other or rng.random() < 0.5 else If(test, then, somewhere(rng, other, change))
            case _:
                pass
    else:
        change(rng, made)
    return tuple(made)


def dropped(rng: random.Random, part: list[Node]) -> None:
    """One of them is not there."""
    if part:
        del part[rng.randrange(len(part))]


def doubled(rng: random.Random, part: list[Node]) -> None:
    """One of them is there twice."""
    if part:
        k = rng.randrange(len(part))
        part.insert(k, part[k])


def swapped(rng: random.Random, part: list[Node]) -> None:
    """Two are in the other order."""
    if len(part) > 1:
        k = rng.randrange(len(part) - 1)
        part[k], part[k + 1] = part[k + 1], part[k]


def off_by_one(rng: random.Random, part: list[Node]) -> None:
    """A loop ends one later or earlier, or a condition is another one."""
    at = [k for k, node in enumerate(part) if isinstance(node, For | If)]
    if not at:
        return dropped(rng, part)
    k = rng.choice(at)
    match part[k]:
        case For(variable, over, body) if over.startswith("range("):
            part[k] = For(variable, f"{over[:-1]} {rng.choice('+-')} 1)" if over.count(",") < 2 else over.replace(", ", " + 1, ", 1), body)
        case If(test, then, other):
            changes = [test.replace(a, b, 1) for a, b in (("<", "<="), (">", ">="), ("== 0", "== 1"), ("== 1", "== 0"), ("== 2", "== 1"), (" and ", " or "), (" or ", " and ")) if a in test and f"{a}=" not in test]
            part[k] = If(rng.choice(changes or [f"not ({test})"]), then, other)
        case _:
            pass

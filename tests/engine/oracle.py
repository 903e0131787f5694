"""The simplest search there is, and random positions to try the engine on."""

import functools
import random


@functools.cache
def minimax(position, depth):
    """MAX's value of a position looked at so deep: points where the game evaluates, utilities elsewhere."""
    if position.is_terminal():
        return position.utility(0) * position.game.traits.scale
    if depth == 0:
        return position.evaluate(0) if position.game.offers("evaluate") else 0.0
    values = [minimax(position.result(action), depth - 1) for action in position.actions()]
    return max(values) if position.player() == 0 else min(values)


def random_positions(game, count, seed, most=40):
    """Positions of random games, none of them finished."""
    source = random.Random(seed)
    found = []
    while len(found) < count:
        position = game.start()
        for _ in range(source.randrange(most)):
            if position.is_terminal():
                break
            position = position.result(source.choice(position.actions()))
        if not position.is_terminal():
            found.append(position)
    return found


def random_tree(source, depth):
    """Nested lists with whole numbers at the ends, of uneven depth and width."""
    if depth == 0 or source.random() < 0.15:
        return source.randrange(-20, 21)
    return [random_tree(source, depth - 1) for _ in range(source.randrange(1, 4))]

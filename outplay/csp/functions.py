"""Operations that are no sums, as constraints ``z == f(x, y)``: kept by bounds while both are open, value by value later.

A table of a product of two variables with a thousand values each would have a million rows; this needs none. A function of one
variable names it twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from outplay.csp.domains import bit, code_at, first_index, is_fixed, keep_between, last_index, may_be, shrink
from outplay.csp.layout import term_of, variable_of
from outplay.jit import i64, inlined, lowest

PRODUCT, QUOTIENT, REMAINDER, MAGNITUDE, POWER, IS_EQUAL, IS_UNEQUAL, IS_AT_MOST, IS_BELOW, IS_AT_LEAST, IS_ABOVE = range(11)
FUNCTIONS = dict(zip(("*", "//", "%", "abs", "**", "==", "!=", "<=", "<", ">=", ">"), range(11), strict=True))
NOWHERE = 1 << 48  # what a division by zero gives: a number that equals nothing else


def bounds(symbol: str, low: int, high: int, least: int, most: int) -> tuple[int, int]:
    """Between which numbers the result lies, for operands from `low` to `high` and from `least` to `most`."""
    if symbol == "*":
        corners = [one * other for one in (low, high) for other in (least, most)]
    elif symbol == "//":
        size = max(abs(low), abs(high))
        corners = [-size, size]
        if least > 0:
            corners = [one // other for one in (low, high) for other in (least, most)]
    elif symbol == "%":
        corners = [min(least + 1, 0), max(most - 1, 0)]
    elif symbol == "abs":
        corners = [0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high))]
    elif symbol == "**":
        corners = [low**least, high**least, *([0] if low <= 0 <= high else [])]
        corners += [-abs(low) ** least] if low < 0 and least % 2 else []
    else:
        corners = [0, 1]
    return min(corners), max(corners)


@inlined
def apply(operation: Any, x: Any, y: Any) -> Any:
    """The operation on two codes."""
    result = i64(0)
    if operation == PRODUCT:
        result = x * y
    elif operation == QUOTIENT:
        result = i64(NOWHERE)
        if y != 0:
            result = x // y
    elif operation == REMAINDER:
        result = i64(NOWHERE)
        if y != 0:
            result = x % y
    elif operation == MAGNITUDE:
        result = abs(x)
    elif operation == POWER:
        result = i64(1)
        for _ in range(y):
            result *= x
    elif operation == IS_EQUAL:
        result = i64(x == y)
    elif operation == IS_UNEQUAL:
        result = i64(x != y)
    elif operation == IS_AT_MOST:
        result = i64(x <= y)
    elif operation == IS_BELOW:
        result = i64(x < y)
    elif operation == IS_AT_LEAST:
        result = i64(x >= y)
    else:
        result = i64(x > y)
    return result


@inlined
def filter_function(space: Any, record: Any) -> Any:
    """Prune the operands and the result of a function; whether all can still have a value."""
    memory = space.memory
    operation = record.constant
    first = term_of(space, record, 0).variable
    second = term_of(space, record, 1).variable
    result = term_of(space, record, 2).variable
    x = variable_of(space, first)
    y = variable_of(space, second)
    z = variable_of(space, result)
    y_fixed = is_fixed(space, y)
    if first == second or y_fixed or is_fixed(space, x):
        # One operand is open at most: each of its values stays only if the result may be what it gives.
        opened = first
        other = code_at(space, y, first_index(space, y))
        swapped = False
        if first != second and not y_fixed:
            opened = second
            other = code_at(space, x, first_index(space, x))
            swapped = True
        mine = variable_of(space, opened)
        smallest = i64(1) << i64(62)
        largest = -smallest
        for word in range(mine.words):
            address = mine.address + word
            rest = memory[address]
            kept = rest
            while rest != 0:
                place = 64 * word + lowest(rest)
                rest &= rest - 1
                code = code_at(space, mine, place)
                left = code
                right = other
                if first == second:
                    right = code
                elif swapped:
                    left, right = other, code
                value = apply(operation, left, right)
                if may_be(space, z, value):
                    smallest = min(smallest, value)
                    largest = max(largest, value)
                else:
                    kept &= ~bit(place)
            if kept != memory[address] and not shrink(space, opened, address, kept):
                return False
        return smallest <= largest and keep_between(space, result, smallest, largest)
    if operation != PRODUCT:
        return True
    # Both are open: the bounds of a product from its factors, and of each factor from the other two.
    low = code_at(space, x, first_index(space, x))
    high = code_at(space, x, last_index(space, x))
    least = code_at(space, y, first_index(space, y))
    most = code_at(space, y, last_index(space, y))
    smallest = min(min(low * least, low * most), min(high * least, high * most))
    largest = max(max(low * least, low * most), max(high * least, high * most))
    if not keep_between(space, result, smallest, largest):
        return False
    smallest = code_at(space, z, first_index(space, z))
    largest = code_at(space, z, last_index(space, z))
    if least > 0 or most < 0:
        bottom = min(min(-(-smallest // least), -(-smallest // most)), min(-(-largest // least), -(-largest // most)))
        top = max(max(smallest // least, smallest // most), max(largest // least, largest // most))
        if not keep_between(space, first, bottom, top):
            return False
    if low > 0 or high < 0:
        bottom = min(min(-(-smallest // low), -(-smallest // high)), min(-(-largest // low), -(-largest // high)))
        top = max(max(smallest // low, smallest // high), max(largest // low, largest // high))
        if not keep_between(space, second, bottom, top):
            return False
    return True


PYTHON: dict[int, Callable[[int, int], int]] = {
    PRODUCT: lambda x, y: x * y,
    QUOTIENT: lambda x, y: x // y if y else NOWHERE,
    REMAINDER: lambda x, y: x % y if y else NOWHERE,
    MAGNITUDE: lambda x, y: abs(x),
    POWER: lambda x, y: x**y,
    IS_EQUAL: lambda x, y: int(x == y),
    IS_UNEQUAL: lambda x, y: int(x != y),
    IS_AT_MOST: lambda x, y: int(x <= y),
    IS_BELOW: lambda x, y: int(x < y),
    IS_AT_LEAST: lambda x, y: int(x >= y),
    IS_ABOVE: lambda x, y: int(x > y),
}
"""The same outside the kernels."""

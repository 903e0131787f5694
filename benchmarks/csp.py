"""Constraint problems against python-constraint2 and CP-SAT, side by side: model building and search, counted for all alike.

    python benchmarks/csp.py

Each time is the best of a few runs in this one process, after everything is loaded. Peers that are not installed are skipped.
The zebra stands here twice: with houses as values (25 numbers from 1 to 5), and with houses as variables (25 words), which is how
python-constraint's own example states it.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from outplay.csp import Model
from outplay.csp.puzzles import ZEBRA, australia, cryptarithm, queens, sudoku, zebra

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SUDOKUS = Path(__file__).parents[1] / "examples" / "csp" / "sudoku17.list"
HINTS = (  # houses as variables: in the same house
    ("nation", "English", "colour", "red"), ("nation", "Spaniard", "pet", "dog"), ("drink", "coffee", "colour", "green"),
    ("nation", "Ukrainian", "drink", "tea"), ("smoke", "OldGold", "pet", "snails"), ("smoke", "Kools", "colour", "yellow"),
    ("smoke", "LuckyStrike", "drink", "juice"), ("nation", "Japanese", "smoke", "Parliaments"),
)  # fmt: skip
BESIDE = (("smoke", "Chesterfields", "pet", "fox"), ("smoke", "Kools", "pet", "horse"), ("nation", "Norwegian", "colour", "blue"))
KINDS = dict(zip(("nation", "colour", "pet", "drink", "smoke"), (group.split() for group in ZEBRA), strict=True))
HOUSES = range(1, 6)


def best(act: Callable[[], Any], runs: int = 20, most: float = 1.0) -> float:
    """The shortest of a few runs in seconds; a slow one runs once."""
    start = time.perf_counter()
    act()
    shortest = time.perf_counter() - start
    spent = shortest
    for _ in range(runs):
        if spent + shortest > most:
            break
        start = time.perf_counter()
        act()
        took = time.perf_counter() - start
        shortest, spent = min(shortest, took), spent + took
    return shortest


# ---------------------------------------------------------------- the same problems for the peers


def peer_queens() -> Any:
    import constraint

    problem = constraint.Problem()
    problem.addVariables(range(8), range(8))
    problem.addConstraint(constraint.AllDifferentConstraint())
    for row in range(8):
        for above in range(row):
            problem.addConstraint(lambda a, b, apart=row - above: abs(a - b) != apart, (row, above))
    return problem.getSolutions()


def peer_cryptarithm(text: str) -> Any:
    import constraint

    left, right = text.replace(" ", "").split("=")
    words = [*left.split("+"), right]
    letters = list(dict.fromkeys("".join(words)))
    problem = constraint.Problem()
    problem.addVariables(letters, range(10))
    for first in {word[0] for word in words}:
        problem.addConstraint(lambda digit: digit > 0, (first,))
    problem.addConstraint(constraint.AllDifferentConstraint())
    weights = dict.fromkeys(letters, 0)
    for sign, word in zip([1] * (len(words) - 1) + [-1], words, strict=True):
        for place, letter in enumerate(reversed(word)):
            weights[letter] += sign * 10**place
    factors = list(weights.values())
    problem.addConstraint(lambda *digits: sum(f * d for f, d in zip(factors, digits, strict=True)) == 0, letters)
    return problem.getSolutions()


def peer_sudoku() -> Any:
    import constraint

    problem = constraint.Problem()
    for place, cell in enumerate(HARD):
        problem.addVariable(place, range(1, 10) if cell == "." else [int(cell)])
    for i in range(9):
        corner = (i // 3) * 27 + (i % 3) * 3
        for group in (range(9 * i, 9 * i + 9), range(i, 81, 9), [corner + 9 * d + r for d in range(3) for r in range(3)]):
            problem.addConstraint(constraint.AllDifferentConstraint(), list(group))
    return problem.getSolution()


def peer_zebra() -> Any:
    import constraint

    problem = constraint.Problem()
    for group in ZEBRA:
        problem.addVariables(group.split(), HOUSES)
        problem.addConstraint(constraint.AllDifferentConstraint(), group.split())
    for _, left, _, right in HINTS:
        problem.addConstraint(lambda a, b: a == b, (left, right))
    problem.addConstraint(lambda ivory, green: ivory + 1 == green, ("ivory", "green"))
    problem.addConstraint(lambda milk: milk == 3, ("milk",))
    problem.addConstraint(lambda norwegian: norwegian == 1, ("Norwegian",))
    for _, left, _, right in BESIDE:
        problem.addConstraint(lambda a, b: abs(a - b) == 1, (left, right))
    return problem.getSolutions()


def peer_houses() -> Any:
    import constraint

    problem = constraint.Problem()
    for kind, words in KINDS.items():
        names = [f"{kind}{house}" for house in HOUSES]
        problem.addVariables(names, words)
        problem.addConstraint(constraint.AllDifferentConstraint(), names)
    for house in HOUSES:
        for kind, word, other, goes_with in HINTS:
            problem.addConstraint(
                lambda a, b, word=word, goes_with=goes_with: (a == word) == (b == goes_with), (f"{kind}{house}", f"{other}{house}")
            )
        near = [one for one in (house - 1, house + 1) if one in HOUSES]
        for kind, word, other, beside in BESIDE:
            problem.addConstraint(
                lambda a, *others, word=word, beside=beside: a != word or beside in others,
                (f"{kind}{house}", *(f"{other}{one}" for one in near)),
            )
        if house < 5:
            problem.addConstraint(lambda a, b: (a == "ivory") == (b == "green"), (f"colour{house}", f"colour{house + 1}"))
    problem.addConstraint(lambda drink: drink == "milk", ("drink3",))
    problem.addConstraint(lambda nation: nation == "Norwegian", ("nation1",))
    problem.addConstraint(lambda colour: colour != "green", ("colour1",))
    return problem.getSolutions()


def houses() -> Model:
    """The zebra with houses as variables, for our own solver."""
    model = Model("zebra by houses")
    at: dict[str, Any] = {}
    for kind, words in KINDS.items():
        made = model.variables([f"{kind}{house}" for house in HOUSES], words)
        model.all_different(made)
        at |= {one.name: one for one in made}
    together = [(kind, other, same(word, goes_with)) for kind, word, other, goes_with in HINTS]
    beside = [(kind, other, next_to(word, neighbour)) for kind, word, other, neighbour in BESIDE]
    right_of = same("ivory", "green")
    for house in HOUSES:
        for kind, other, relation in together:
            model.constraint((at[f"{kind}{house}"], at[f"{other}{house}"]), relation)
        near = [one for one in (house - 1, house + 1) if one in HOUSES]
        for kind, other, relation in beside:
            model.constraint((at[f"{kind}{house}"], *(at[f"{other}{one}"] for one in near)), relation)
        if house < 5:
            model.constraint((at[f"colour{house}"], at[f"colour{house + 1}"]), right_of)
    model.add(at["drink3"] == "milk", at["nation1"] == "Norwegian", at["colour1"] != "green")
    return model


def same(word: str, goes_with: str) -> Callable[[str, str], bool]:
    """Both or neither; one function for all houses, so that its table is made once."""
    return lambda a, b: (a == word) == (b == goes_with)


def next_to(word: str, neighbour: str) -> Callable[..., bool]:
    """Where the one is, the other is in a house beside it."""
    return lambda a, *others: a != word or neighbour in others


# ---------------------------------------------------------------- the rows


def rows() -> list[dict[str, Any]]:
    """One row a problem: seconds of ours and of each peer (None where it is missing), and the ratios that were aimed at."""
    problems: list[tuple[str, Callable[[str], Any], Callable[[], Any] | None, float | None]] = [
        ("8 queens, all 92", lambda s: list(queens(8).solutions(solver=s)), peer_queens, 10),
        ("TWO + TWO = FOUR, all 7", lambda s: list(cryptarithm("TWO + TWO = FOUR").solutions(solver=s)),
         lambda: peer_cryptarithm("TWO + TWO = FOUR"), None),
        ("SEND + MORE = MONEY, all", lambda s: list(cryptarithm("SEND + MORE = MONEY").solutions(solver=s)),
         lambda: peer_cryptarithm("SEND + MORE = MONEY"), 100),
        ("hard sudoku", lambda s: sudoku(HARD).solve(solver=s), peer_sudoku, 100),
        ("zebra, houses as values", lambda s: list(zebra().solutions(solver=s)), peer_zebra, None),
        ("zebra, houses as variables", lambda s: list(houses().solutions(solver=s)), peer_houses, 100),
        ("12 queens, all 14200", lambda s: queens(12).count() if s == "own" else None, None, None),
    ]  # fmt: skip
    has_peer = importlib.util.find_spec("constraint") is not None
    has_cp_sat = importlib.util.find_spec("ortools") is not None
    list(queens(4).solutions())  # compiling and loading count for nobody
    if has_peer:
        peer_zebra()
    if has_cp_sat:
        list(queens(4).solutions(solver="cp-sat"))
    made = []
    for name, ours, peer, wanted in problems:
        own = best(lambda ours=ours: ours("own"))
        other = best(peer) if peer and has_peer else None
        cp_sat = best(lambda ours=ours: ours("cp-sat")) if peer and has_cp_sat else None
        made.append({"problem": name, "ours": own, "python-constraint2": other, "cp-sat": cp_sat, "wanted": wanted})
    return made


def hardest() -> list[float]:
    """Seconds for each of the hard 17-clue sudokus, model building included."""
    return [best(lambda text=text: sudoku(text).solve(), runs=10) for text in SUDOKUS.read_text().split()]


def main() -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(width=120)
    for package, module in (("python-constraint2", "constraint"), ("ortools", "ortools")):
        if importlib.util.find_spec(module) is None:
            console.print(f"{package} is not installed: its column stays empty")
    table = Table(title="Constraint problems, seconds with model building")
    for column in ("problem", "ours", "python-constraint2", "ratio", "wanted", "CP-SAT", "ratio"):
        table.add_column(column, justify="left" if column == "problem" else "right")
    for row in rows():
        own, peer, cp_sat = row["ours"], row["python-constraint2"], row["cp-sat"]
        table.add_row(
            row["problem"],
            f"{1000 * own:.2f} ms",
            "" if peer is None else f"{1000 * peer:.1f} ms",
            "" if peer is None else f"{peer / own:.0f} x",
            "" if row["wanted"] is None else f"{row['wanted']} x",
            "" if cp_sat is None else f"{1000 * cp_sat:.1f} ms",
            "" if cp_sat is None else f"{cp_sat / own:.0f} x",
        )
    console.print(table)
    times = sorted(hardest())
    quick = sum(seconds < 0.01 for seconds in times)
    console.print(
        f"{len(times)} hard 17-clue sudokus: {quick} under 10 ms each, median {1000 * times[len(times) // 2]:.2f} ms, "
        f"slowest {1000 * times[-1]:.2f} ms"
    )
    five = ("WA", "NT", "Q", "NSW", "V")
    model = australia()
    sizes = []
    for domains in (model.domains, model.propagate({"SA": "blue"}, propagation="forward")):
        size = 1
        for name in five:
            size *= len(domains[name])
        sizes.append(size)
    console.print(f"Australia, SA = blue: {sizes[0]} to {sizes[1]} assignments, {100 - 100 * sizes[1] / sizes[0]:.0f} % fewer")


if __name__ == "__main__":
    main()

"""A* and IDA* at native speed against the textbook's breadth-first and uniform-cost search, and against Korf's table."""

import functools
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.engine import paths
from outplay.engine.paths import a_star, fitting, ida_star, shortest
from outplay.errors import Unavailable, UnknownName, Unsuitable
from outplay.game import Game, Position, load
from outplay.textbook.breadth_first import breadth_first
from outplay.textbook.dfid import cost_of, end_of
from outplay.textbook.ida_star import ida_star as textbook_ida_star
from outplay.textbook.uniform_cost import uniform_cost
from outplay.values import Limits

TABLE = Path(__file__).parents[2] / "benchmarks" / "data" / "korf100.txt"
KORF = [line.split() for line in TABLE.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
EASIEST = sorted(KORF, key=lambda row: int(row[2]))[:8]


def is_solution(position, result):
    end = end_of(position, result.line)
    return end.is_solved() and result.facts["cost"] == cost_of(position, result.line) and result.depth == len(result.line)


@pytest.mark.parametrize("row", EASIEST, ids=lambda row: row[0])
def test_korfs_instances_by_length_and_by_published_node_count(row):
    _, length, nodes, *tiles = row
    position = load("fifteen puzzle", estimate="manhattan").position(" ".join(tiles))
    result = ida_star(position)
    assert is_solution(position, result) and result.depth == int(length)
    assert result.nodes == int(nodes)


def test_linear_conflicts_find_the_same_lengths_with_fewer_nodes():
    for _, length, nodes, *tiles in EASIEST:
        result = shortest(load("fifteen puzzle").position(" ".join(tiles)))
        assert result.depth == int(length) and result.nodes < int(nodes) / 2


def test_pattern_databases_find_the_same_lengths_with_fewer_nodes():
    for seed in range(6):
        start, others = (load("fifteen puzzle", width=3, height=3, slides=80, seed=seed, estimate=estimate).start()
                         for estimate in ("patterns", "manhattan"))  # fmt: skip
        found, expected = ida_star(start), ida_star(others)
        assert found.depth == expected.depth >= start.estimate() >= others.estimate() and found.nodes <= expected.nodes


def test_every_order_of_a_small_puzzle_is_solved_in_the_fewest_slides():
    game = load("fifteen puzzle", width=3, height=2)
    depths = {}
    border = [game.position("0 1 2 3 4 5")]  # a slide can be taken back, so the distances can be counted from the goal
    steps = 0
    while border:
        for position in border:
            depths[position.text()] = steps
        steps += 1
        following = {}
        for position in border:
            record_tiles = [int(tile) for tile in position.text().split()]
            blank = record_tiles.index(0)
            for other in (blank - 3, blank + 3, *([blank - 1] if blank % 3 else []), *([blank + 1] if blank % 3 < 2 else [])):
                if 0 <= other < 6:
                    tiles = list(record_tiles)
                    tiles[blank], tiles[other] = tiles[other], tiles[blank]
                    text = " ".join(map(str, tiles))
                    if text not in depths:
                        following[text] = game.position(text)
        border = list(following.values())
    assert len(depths) == 360 and max(depths.values()) == 21
    for text, depth in list(depths.items())[::3]:
        position = game.position(text)
        assert ida_star(position).depth == a_star(position).depth == depth >= position.estimate()


@settings(max_examples=25)
@given(st.integers(0, 999))
def test_both_agree_on_the_eight_puzzle(seed):
    position = load("fifteen puzzle", width=3, height=3, slides=60, seed=seed).start()
    one, other = ida_star(position), a_star(position)
    assert one.depth == other.depth and is_solution(position, one) and is_solution(position, other)


@pytest.mark.parametrize("text", ["S.#/..#/..G", "S9G/.../...", "S1199/91191/9911G", "S.#G", "GS", "S.....#G/.####.#./........"])
def test_the_cheapest_way_through_a_grid(text):
    start = load("grid", map=text).start()
    expected = uniform_cost(start)
    for search in (a_star, shortest):
        result = search(start)
        assert (result.value, result.facts["cost"]) == (expected.value, expected.facts["cost"])
        assert result.value == (0.0,) or is_solution(start, result)
    if expected.value == (1.0,):
        assert ida_star(start).facts["cost"] == expected.facts["cost"]


@pytest.mark.parametrize("text", ["** a", ".* a", "*. b", ".. a"])
def test_the_vacuum_world(text):
    start = load("vacuum world").position(text)
    assert shortest(start).depth == breadth_first(start).depth == ida_star(start).depth


@pytest.mark.parametrize("board, last", [("triangle", "start"), ("triangle", "anywhere"), ("english", "start")])
def test_peg_solitaire(board, last):
    start = load("peg solitaire", board=board, last=last).start()
    result = shortest(start)
    assert is_solution(start, result) and result.depth == (31 if board == "english" else 13)


def test_peg_solitaire_without_a_solution():
    start = load("peg solitaire", board="triangle").position("o..../oo.../...../...../.....")
    result = shortest(start)
    assert (result.value, result.exact) == ((0.0,), True)
    assert breadth_first(start).value == (0.0,)


def test_the_pocket_cube_needs_as_many_turns_as_breadth_first_search_says():
    from outplay.games.pocket_cube import tables

    order_after, twist_after, *_ = tables()
    distance = np.full(5040 * 729, -1, np.int8)
    distance[0], border, counts = 0, np.array([0]), [1]
    while len(border):
        after = (order_after[border // 729].astype(np.int64) * 729 + twist_after[border % 729]).reshape(-1)
        distance[after[distance[after] < 0]] = len(counts)
        border = np.flatnonzero(distance == len(counts))
        counts.append(len(border))
    # The published numbers of positions at each distance, in turns of a face by any angle.
    assert counts[:-1] == [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644]
    for seed in range(12):
        start = load("pocket cube", seed=seed).start()
        assert ida_star(start).depth == distance[start.game.key(start.state)]
    start = load("pocket cube", seed=3).start()
    assert a_star(start).depth == ida_star(start).depth


# ---------------------------------------------------------------- slices, room, limits


def test_neither_slices_nor_small_rooms_change_what_is_found(monkeypatch):
    position = load("fifteen puzzle", width=3, height=3).position("8 0 6 5 4 7 2 3 1")
    muddy = load("grid", map="S99999999999/999999999999/99999999999G").start()
    whole = ida_star(position), a_star(position), a_star(muddy)
    monkeypatch.setattr(paths, "Pacer", functools.partial(paths.Pacer, first=97, fewest=97, most=97))
    monkeypatch.setattr(paths, "PLIES", 4)
    monkeypatch.setattr(paths, "NODES", 8)
    monkeypatch.setattr(paths, "BUCKETS", 1)
    parts = ida_star(position), a_star(position), a_star(muddy)
    assert [(r.depth, r.facts["cost"]) for r in parts] == [(r.depth, r.facts["cost"]) for r in whole]
    assert parts[0].nodes == whole[0].nodes and parts[0].depth == 31 and parts[2].facts["cost"] == 13 * 9 - 8


def test_uncompiled_kernels_do_the_same(monkeypatch):
    puzzle, field = load("fifteen puzzle", width=3, height=2).position("3 1 2 4 0 5"), load("grid").start()
    compiled = ida_star(puzzle), a_star(puzzle), a_star(field)
    for name in ("_deepen", "_expand", "_enter_all"):
        monkeypatch.setattr(paths, name, getattr(paths, name).python)
    plain = ida_star(puzzle), a_star(puzzle), a_star(field)
    assert [(r.line, r.nodes) for r in plain] == [(r.line, r.nodes) for r in compiled]


def test_limits_end_a_search_with_what_is_known():
    position = load("fifteen puzzle").position(" ".join(KORF[87][3:]))
    for search in (ida_star, a_star, shortest):
        result = search(position, Limits(nodes=10_000))
        assert not result.exact and result.nodes <= 10_010 and result.action in position.actions()
        assert result.facts["bound"] >= position.estimate() and result.facts["cost"] is None
    stop = threading.Event()
    stop.set()
    assert not ida_star(position, stop=stop).exact
    assert not ida_star(position, Limits(seconds=0)).exact
    short = load("grid", map="S....G").start()
    for search in (ida_star, a_star):
        assert not search(short, Limits(depth=4)).exact
        assert search(short, Limits(depth=5)).depth == 5


def test_a_full_memory_is_said_or_left_for_ida_star():
    position = load("grid", map="S........./" + "........../" * 300 + ".........G").start()
    with pytest.raises(Unavailable, match=r"a-star has filled its 0\.01 MB with [0-9,]+ positions: give it more, or use ida-star"):
        a_star(position, memory=0.01)
    triangle = load("peg solitaire", board="triangle").start()
    result = shortest(triangle, memory=0.005)
    assert result.algorithm == "ida-star" and is_solution(triangle, result)


def test_progress_and_the_textbooks_rounds():
    told = []
    position = load("fifteen puzzle", estimate="manhattan").position(" ".join(EASIEST[0][3:]))
    result = ida_star(position, progress=lambda nodes, bound: told.append((nodes, bound)))
    assert told == sorted(told) and told[-1][1] == result.depth
    small = load("fifteen puzzle", width=3, height=2, slides=25, seed=4).start()
    assert ida_star(small).facts["bounds"] == textbook_ida_star(small).facts["bounds"]


def test_what_fits():
    assert fitting(load("fifteen puzzle")) == fitting(load("pocket cube")) == "ida-star"
    assert fitting(load("grid")) == fitting(load("peg solitaire")) == "a-star"


def test_refusals():
    with pytest.raises(Unsuitable, match="ida-star needs a one-player game"):
        ida_star(load("tic-tac-toe").start())
    with pytest.raises(Unsuitable, match="has chance"):
        a_star(load("vacuum world", erratic=True).start())
    with pytest.raises(Unsuitable, match="hides information"):
        shortest(load("vacuum world", sensors="none").start())
    with pytest.raises(UnknownName, match="did you mean 'ida-star'"):
        shortest(load("grid").start(), algorithm="ida")

    class Alone(Game):
        name = "alone"
        players = 1

    with pytest.raises(Unsuitable, match="alone is a plain game: use the textbook's a-star"):
        a_star(Position(Alone(), 0))


def test_no_path_goes_in_cycles():
    """Without `redundant`, IDA* once walked millions of cycles on a small map."""
    start = load("grid").start()
    found = ida_star(start)
    assert found.nodes < 20 * textbook_ida_star(start).nodes and found.facts["cost"] == textbook_ida_star(start).facts["cost"]

"""Looking inside over HTTP: a tree is grown once, and pages ask for what they show of it."""

import json

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from outplay.web import trees
from outplay.web.app import create_app

studio = TestClient(create_app(), base_url="http://localhost")


def grow(**asked):
    with studio.stream("POST", "/api/trees", json=asked) as answer:
        assert answer.status_code == 200, answer.read()
        return [json.loads(line) for line in answer.iter_lines()][-1]


def test_a_typed_tree_is_solved_and_stepped():
    tree = grow(game="tree", parameters={"tree": "[[3,12,8],[2,4,6],[14,5,2]]"}, algorithm="alphabeta")["tree"]
    assert [tree[key] for key in ("value", "action", "nodes", "searched", "pruned", "whole")] == [3.0, "a1", 13, 11, 2, True]
    view = studio.post(f"/api/trees/{tree['address']}/view", json={"tick": 3}).json()
    assert (view["tick"], view["caption"], len(view["frames"])) == (3, "a1 b1 is worth 3: the game is over", tree["ticks"] + 1)
    node = studio.get(f"/api/trees/{tree['address']}/nodes/0").json()
    assert [child["value"] for child in node["children"]] == [3.0, 2.0, 2.0]
    assert studio.get(f"/api/trees/{tree['address']}/file.svg").text.startswith("<svg")
    assert "Stepper" in studio.get(f"/api/trees/{tree['address']}/file.html").text


def test_of_a_large_tree_only_what_is_open_is_sent():
    tree = grow(game="connect four", algorithm="alphabeta", depth=5)["tree"]
    assert not tree["whole"]
    path = f"/api/trees/{tree['address']}/view"
    first = studio.post(path, json={"opened": [0], "tick": 40}).json()
    assert first["visible"] == 8 and "frames" not in first
    followed = studio.post(path, json={"opened": [0], "tick": 40, "follow": True}).json()
    assert followed["visible"] > first["visible"]
    assert f'id="n{followed["focus"]}"' in followed["svg"]


def test_simulations_of_monte_carlo_can_be_found():
    tree = grow(game="tic-tac-toe", algorithm="mcts", simulations=30)["tree"]
    tick = studio.get(f"/api/trees/{tree['address']}/iterations/12").json()["tick"]
    assert studio.post(f"/api/trees/{tree['address']}/view", json={"tick": tick}).json()["iteration"] == 12
    assert studio.get(f"/api/trees/{tree['address']}/iterations/99").status_code == 422


def test_limits_and_misfits():
    assert "needs more than" in grow(game="connect four", algorithm="minimax", nodes=500)["error"]
    assert studio.post("/api/trees", json={"game": "nim", "nodes": 10**9}).status_code == 422
    assert studio.post("/api/trees", json={"game": "nim", "algorithm": "mcts", "simulations": 10**6}).status_code == 422
    assert studio.post("/api/trees/nothing/view", json={}).json() == {"error": "this tree is no longer kept: grow it again"}


def test_old_trees_make_room():
    first = grow(game="tree", algorithm="minimax")["tree"]["address"]
    for _ in range(12):
        last = grow(game="tree", algorithm="minimax")["tree"]["address"]
    assert studio.post(f"/api/trees/{first}/view", json={}).status_code == 404
    assert studio.post(f"/api/trees/{last}/view", json={}).status_code == 200


def test_trees_with_many_nodes_make_room_for_each_other():
    class Sized:
        def __init__(self, nodes):
            self.tree = range(nodes)

    orchard = trees.Orchard()
    small, large = orchard.keep(Sized(10)), orchard.keep(Sized(trees.most.TREE_NODES_KEPT - trees.most.TREE_NODES_KEPT // 12))
    assert orchard.get(small) and orchard.get(large)
    huge = orchard.keep(Sized(3 * trees.most.TREE_NODES_KEPT))  # kept all the same, and alone
    assert orchard.get(huge)
    for address in (small, large):
        with pytest.raises(trees.HTTPException):
            orchard.get(address)

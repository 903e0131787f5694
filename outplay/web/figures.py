"""Small pictures for the index of the course: trees as a search left them, and boards."""

from __future__ import annotations

import functools

from outplay.game import load
from outplay.picture import Graph, Node, Spot
from outplay.players.explaining import explain
from outplay.values import Limits
from outplay.views import svg
from outplay.views import tree as trees
from outplay.views.maps import AUSTRALIA
from outplay.views.trail import trail
from outplay.web import gallery

LECTURE = "[[3,12,8],[2,4,6],[14,5,2]]"
TREES = {
    "minimax": (LECTURE, "minimax"),
    "alphabeta": (LECTURE, "alphabeta"),
    "ordering": ("[[3,12,8],[2,4,6],[2,5,14]]", "alphabeta"),
    "chance": ('{"max": {"a1": 10, "a2": {"chance": [[0.3, 9], [0.7, 100]]}}}', "expectiminimax"),
    "opponents": ('{"max": {"a1": 10, "a2": {"min": [9, 100]}}}', "opponent:skill=0.5"),
    "players": ("[[(3,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "maxn"),
    "sums": ("[[(3,3),(0,5)],[(5,0),(1,1)]]", "maxn"),
    "variants": (LECTURE, "mtdf"),
    "korf": ("[[(3,4,3),(4,3,3)],[(2,8,0),(9,1,0)]]", "maxn:prune=yes,total=10,least=0"),
    "strength": ("[[[3,12],[8,2]],[[4,6],[14,5]]]", "iterative-deepening"),
    "memory": ("[[[3],[12]],[[8],[2]]]", "minimax-heap"),
    "slips": ("[[3,12,8],[2,4,6],[14,5,2]]", "minimax"),
}
BOARDS = {
    "formulation": "tic-tac-toe", "cutoff": "isolation", "lookup": "chess", "hidden": "blind tic-tac-toe",
    "regret": "rock-paper-scissors", "learning": "backgammon", "samuel": "checkers", "plans": "vacuum world", "systems": "go",
    "deep-blue": "chess", "chinook": "checkers", "logistello": "othello", "td-gammon": "backgammon",
    "gib": "bridge", "alphago": "go", "sizes": "go", "features": "chess", "quiescence": "chess", "isolation": "isolation",
    "monopoly": "monopoly", "battleships": "battleships", "scrabble": "scrabble", "online": "grid", "counted": "checkers",
    "rolls": "backgammon", "second": "chess", "hundred": "bridge",
}  # fmt: skip


@functools.cache
def figure(topic: str) -> str:
    """The picture of a topic."""
    if topic in TREES:
        text, algorithm = TREES[topic]
        _, result, tree = explain(load("tree", tree=text).start(), algorithm)
        return trees.draw(tree, line=result.line, title=topic)
    if topic in ("mcts", "sampling"):
        _, result, tree = explain(load("tic-tac-toe").position("x.o/.o./..x x"), "mcts", Limits(simulations=24))
        return trees.draw(tree, line=result.line, title=topic)
    if topic == "paths":
        start = load("grid").start()
        from outplay.textbook.a_star import a_star

        picture = trail(start, a_star(start, trace=True))
        assert picture is not None
        return svg.board(picture, "a way through a grid")
    if topic == "constraints":
        colours = {"WA": 0, "NT": 1, "SA": 2, "Q": 0, "NSW": 1, "V": 0, "T": 0}
        nodes: dict[Spot, Node] = {
            name: Node(sum(x for x, _ in outline) / len(outline) / 6, sum(y for _, y in outline) / len(outline) / 6, name,
                       owner=colours[name], outline=tuple((x / 6, y / 6) for x, y in outline))
            for name, outline in AUSTRALIA.items()
        }  # fmt: skip
        return svg.board(Graph(nodes=nodes, colours=("red", "green", "blue")), "a map in three colours")
    return gallery.picture(BOARDS[topic])

"""What a person gets wrong in Python is answered in one line with the nearest right word, as on the command line."""

import pytest

import outplay
from outplay.errors import OutplayError

GAME = outplay.load("tic-tac-toe")
START = GAME.start()


def half(position, player):
    return 0.5


@pytest.mark.parametrize(("asked", "said"), [
    (lambda: outplay.best(GAME), "needs a position, got the game tic-tac-toe: say game.start()"),
    (lambda: outplay.solve("nim"), "say load('nim').start()"),
    (lambda: outplay.scores(GAME), "say game.start()"),
    (lambda: outplay.explain(None), "needs a position, got None"),
    (lambda: outplay.best(START, depth="3"), "depth must be a whole number, got '3'"),
    (lambda: outplay.best(START, depth=1.5), "depth must be a whole number, got 1.5"),
    (lambda: outplay.best(START, seconds="1"), "seconds must be a number, got '1'"),
    (lambda: outplay.best(START, time=1), "did you mean 'seconds'?"),
    (lambda: outplay.best(START, "alphabeta", evaluate=half, depth=2), "'h-alphabeta'"),
    (lambda: outplay.best(START, "engine", evaluate=half), "'h-alphabeta'"),
    (lambda: outplay.best(START, "alphabeta:deph=2"), "did you mean 'depth'?"),
    (lambda: outplay.best(START, evaluate=lambda position, player: None), "must return a number, got None"),
    (lambda: outplay.explain(START, "minimax", evaluate=half), "'h-alphabeta'"),
    (lambda: outplay.best(outplay.load("isolation:players=3").start(), simulations=9), "makes no simulations"),
    (lambda: START.play(None), "moves are a text"),
    (lambda: START.result("b2"), "use play('b2')"),
    (lambda: GAME.position(None), "read from a text, got None"),
    (lambda: list(outplay.match(GAME, ["random", "random"], games=-1)), "games must be a whole number from 0, got -1"),
    (lambda: list(outplay.match(GAME, ["random", "random"], games="2")), "games must be a whole number from 0, got '2'"),
    (lambda: list(outplay.match("nim", "random")), "players must be a list"),
    (lambda: list(outplay.match("nim", [outplay.Player, "random"])), "say Player()"),
    (lambda: outplay.check("nim"), "say load('nim')"),
    (lambda: outplay.tally(list(outplay.match("nim", ["random", "random:seed=3"], games=1)), "anybody"), "unknown player"),
])  # fmt: skip
def test_a_mistake_gets_one_line(asked, said):
    with pytest.raises(OutplayError) as problem:
        asked()
    assert said in str(problem.value) and "\n" not in str(problem.value)


def test_the_tree_of_an_own_evaluation_is_explained():
    name, result, _ = outplay.explain(START, depth=2, evaluate=half)
    assert (name, result.value) == ("h-alphabeta", 0.5) and result.nodes > 9


def test_players_of_one_name_are_told_apart_in_tallies_and_standings():
    from outplay.arena.tournament import standings, tournament
    from outplay.players import player

    class Mine(outplay.Player):
        name = "mine"

        def choose(self, position, limits=None):
            return position.actions()[0]

    seated = [Mine(), Mine(), player("random:seed=1")]
    records = list(tournament(GAME, seated, games=2))
    rows = standings(records, ["mine", "mine (2)", "random:seed=1"])
    assert sum(row.points for row in rows) == len(records) and {row.games for row in rows} == {4}
    best = list(outplay.match("tic-tac-toe", ["engine:depth=4", "random"], games=4, seed=3))
    assert outplay.tally(best, "engine:depth=4").wins == outplay.tally(best, "random").losses >= 3


def test_a_game_that_never_ends_is_stopped_by_the_referee(tmp_path, monkeypatch):
    import outplay.arena.match as arena

    monkeypatch.setattr(arena, "MOST_PLIES", 30)
    path = tmp_path / "endless.py"
    path.write_text("""
from outplay.jit import i8
from outplay.rules import game

@game("endless")
class Endless:
    turn: i8
    def actions(self, out):
        out[0] = 0
        return 1
    def play(self, action):
        self.turn = 1 - self.turn
    def utility(self, seat):
        return 0
""")
    (record,) = outplay.match(str(path), ["random", "random"], games=1)
    assert record.reason == "stopped after 30 plies" and record.outcome.utilities == (0.0, 0.0)

"""What the contract promises to authors is kept for a file that knows nothing of ours."""

import re
from pathlib import Path

import pytest

from outplay import contract
from outplay.conformance import check_game
from outplay.game import load
from outplay.players import Play

POKER = '''
from outplay.jit import i8
from outplay.rules import CHANCE, game

@game("beginner's poker")
class BeginnersPoker:
    """A card each, of three; bet one chip or not, and the other may call."""
    first: i8
    second: i8
    bet: i8
    over: i8
    turn: i8
    most_actions = 6
    bounds = (-2.0, 2.0)
    stays_hidden = True
    def player(self):
        return CHANCE if self.second == 0 else self.turn + 0
    def is_terminal(self):
        return self.over > 0
    def chances(self, out, probabilities):
        count = 0
        for card in range(1, 4):
            if card != self.first:
                out[count] = card
                count += 1
        for i in range(count):
            probabilities[i] = 1.0 / count
        return count
    def actions(self, out):
        if self.over > 0:
            return 0
        out[0], out[1] = 0, 1
        return 2
    def play(self, action):
        if self.first == 0:
            self.first = action
        elif self.second == 0:
            self.second = action
        elif self.turn == 0:
            self.bet = action
            self.turn = 1
            if action == 0:
                self.over = 2
        else:
            self.over = 1 + action
    def utility(self, seat):
        won = 1 if self.over == 1 or self.first > self.second else -1
        worth = won * (2 if self.bet == 1 and self.over == 2 else 1)
        return worth if seat == 0 else -worth
    def observe(self, seat):
        if self.over != 2:
            if seat == 0:
                self.second = 4 if self.second > 0 else 0
            else:
                self.first = 4 if self.first > 0 else 0
    def deal(self, seat, source):
        if self.first == 4:
            self.first = 1 + (self.second + below(source, 2)) % 3
        if self.second == 4:
            self.second = 1 + (self.first + below(source, 2)) % 3
        return 1.0
    def is_public(self, action):
        return self.second != 0
    def action_text(self, action):
        return "JQK"[action - 1] if self.second == 0 else ("pass", "bet")[action]
'''


@pytest.fixture
def poker(tmp_path):
    path = tmp_path / "beginners.py"
    path.write_text(POKER.replace("import i8", "import below, i8"))
    return str(path)


def test_an_authors_poker_shows_its_bets_and_hides_its_cards(poker):
    play = Play(poker, start=load(poker).start())
    for text in ("K", "J", "bet"):
        play.push(text)
    assert play.seen(1) == [None, None, "bet"]
    assert play.position.game.seat_name(0) == "first player"
    play.push("pass")  # nobody called: the cards stay face down
    assert play.outcome.utilities == (1.0, -1.0)
    assert play.view(1).text() != play.position.text() and play.seen(1) == [None, None, "bet", "pass"]


def test_the_studio_shows_them_too(poker, tmp_path):
    testclient = pytest.importorskip("starlette.testclient")
    from outplay.web import own
    from outplay.web.app import create_app

    own.name_files([poker])
    try:
        with testclient.TestClient(create_app(tmp_path / "studio.sqlite"), base_url="http://localhost") as studio:
            asked = {"game": "beginner's poker", "players": ["random", "human"], "actions": ["K", "J", "bet"]}
            told = studio.post("/api/records", json=asked).json()
            assert told["record"] == ["•", "•", "bet"]
    finally:
        own.name_files([])


def test_the_check_takes_it(poker):
    assert check_game(load(poker), games=20, seconds=1.0).games


LEARNS = '''
from pathlib import Path

from outplay.evaluations import Evaluation
from outplay.evaluations.nnue import Nnue
from outplay.evaluations.patterns import Patterns
from outplay.jit import f32, i8, popcount, u64
from outplay.rules import game

LINES = Patterns("rows of three", 3, 3, {"row": "a1 b1 c1"}, phases=1)
LEARNED = LINES.kept_in(Path(__file__).with_name("patterns") / "weights.npz")
value = LINES.reader(LEARNED)
WON = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)

@game("own noughts")
class OwnNoughts:
    """Three in a line, with everything that can be learned of it."""
    mine: u64
    theirs: u64
    turn: i8
    most_actions = 9
    weights = (10.0, 1.0)
    scale = 1000.0
    stake = 100.0
    plane_shape = (2, 9)
    evaluation = Evaluation(names=("middle", "stones"), patterns=LINES, pattern_weights=LEARNED, nnue=Nnue(18, 9, 1))
    def is_terminal(self):
        for line in WON:
            if self.theirs & u64(line) == u64(line):
                return True
        return popcount(self.mine | self.theirs) == 9
    def actions(self, out):
        count = 0
        if not self.is_terminal():
            for cell in range(9):
                if (self.mine | self.theirs) >> u64(cell) & u64(1) == u64(0):
                    out[count] = cell
                    count += 1
        return count
    def play(self, action):
        self.mine, self.theirs = self.theirs, self.mine | u64(1) << u64(action)
        self.turn = 1 - self.turn
    def utility(self, seat):
        for line in WON:
            if self.theirs & u64(line) == u64(line):
                return -1 if seat == self.turn else 1
        return 0
    def evaluate(self, seat, weights):
        middle = u64(16)
        points = weights[0] * (popcount(self.mine & middle) - popcount(self.theirs & middle))
        points += weights[1] * (popcount(self.mine) - popcount(self.theirs)) + value(self.mine, self.theirs, 0)
        return points if seat == self.turn else -points
    def pattern_state(self):
        return self.mine, self.theirs, 0
    def planes(self, seat, out):
        for cell in range(9):
            own, other = self.mine >> u64(cell) & u64(1), self.theirs >> u64(cell) & u64(1)
            if seat != self.turn:
                own, other = other, own
            out[0, cell], out[1, cell] = f32(own), f32(other)
    def nnue_inputs(self, seat, out):
        count = 0
        for cell in range(9):
            own, other = self.mine >> u64(cell) & u64(1), self.theirs >> u64(cell) & u64(1)
            if own or other:
                out[count] = cell + (0 if (own > u64(0)) == (seat == self.turn) else 9)
                count += 1
        return count
'''


@pytest.fixture(scope="module")
def noughts(tmp_path_factory):
    path = tmp_path_factory.mktemp("learns") / "own_noughts.py"
    path.write_text(LEARNS)
    return path


def plays(name, game):
    """A player by name takes a win that is there."""
    from outplay.players import player

    with_win = load(str(game)).start().play("0 3 1 4")
    made = player(name)
    return made.choose(with_win) == 2


WEIGHED = '''
from outplay.evaluations import Evaluation
from outplay.game import load
from outplay.rules import game

@game("weighed steps")
class Weighed(load(EXAMPLE).rules.definition):
    """Breakthrough with an evaluation of two weights."""
    weights = (100.0, 10.0)
    stake = 100.0
    evaluation = Evaluation(names=("man", "step"))
    def evaluate(self, seat, weights):
        points = 0.0
        for square in range(25):
            if self.board[square] == 1:
                points += weights[0] + weights[1] * (square // 5)
            elif self.board[square] == 2:
                points -= weights[0] + weights[1] * (4 - square // 5)
        return points if seat == self.turn else -points
'''


def test_an_author_tunes_weights_of_an_own_game_and_plays_with_them(tmp_path, capsys):
    from outplay.cli.main import run

    game, found = tmp_path / "weighed.py", tmp_path / "weights.txt"
    game.write_text(WEIGHED.replace("EXAMPLE", repr(str(Path(__file__).parents[1] / "examples" / "breakthrough.py"))))
    assert run(["tune", str(game), "--games", "30", "--nodes", "30", "--steps", "20", "--out", str(found)]) == 0
    assert "# man" in found.read_text() and "# step" in found.read_text()
    tuned = [float(line.split()[0]) for line in found.read_text().splitlines()]
    assert tuned != [100.0, 10.0] and f"engine:weights={found}" in capsys.readouterr().out
    assert run(["evaluate", str(game), "--weights", str(found)]) == 0
    assert "man" in capsys.readouterr().out
    with Play(str(game), [f"engine:depth=1,weights={found}", "random"], most_plies=4) as play:
        assert len(play.finished().actions) == 4


def test_an_author_learns_patterns_of_an_own_game_and_plays_with_them(noughts, tmp_path):
    import subprocess
    import sys

    from outplay.learning.patterns import Plan, learn

    game, folder = load(str(noughts), compiled=True), noughts.with_name("patterns")
    learn(game, Plan(rounds=1, positions=200, depth=2, epochs=2), folder, tell=lambda line: None)
    code = f"import outplay; g = outplay.load({str(noughts)!r}); print(g.start().play('0 4').evaluate(0))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600).stdout
    assert float(told) == game.start().play("0 4").evaluate(0) != -10.0  # what was learned is read again by a new process
    assert plays("engine:depth=2", noughts)


@pytest.mark.parametrize("recipe", ["td", "nnue"])
def test_an_author_learns_a_network_of_an_own_game_and_plays_with_it(noughts, tmp_path, recipe):
    from outplay.learning.recipes import learn

    settings = ["hidden=8"] if recipe == "td" else ["hidden=8", "nodes=8", "random_plies=2", "batch=256"]
    told = learn(str(noughts), str(tmp_path / "run"), recipe=recipe, seconds=1.0, settings=settings, against=(), match_games=0)
    assert plays(f"net:{told['checkpoint']},depth=2", noughts)


def test_the_guide_tells_every_attribute_of_the_contract_and_no_other():
    guide = (Path(__file__).parents[1] / "docs" / "writing-a-game.md").read_text()
    table = guide.partition("| attribute | default | meaning |")[2].partition("\n\n")[0]
    told = [name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1] if row else "")]
    assert sorted(told) == sorted(contract.ATTRIBUTES)

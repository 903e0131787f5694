"""The conformance test of games: it passes a game that keeps every promise, and catches each promise broken once."""

import numpy as np
import pytest

from outplay.conformance import PROMISES, Report, check_game
from outplay.errors import BadValue, RulesError
from outplay.game import CompiledGame
from outplay.jit import UNCOMPILED, below, i8
from outplay.rules import Definition, Derived
from outplay.values import CHANCE, Cell, Picture
from tests.coins import Coins

UNSEEN = 3
SPILLED = np.zeros(1, int)


class Countdown:
    """A coin is tossed, which only the first player sees; then one or two of seven are taken in turn, and the last one wins."""

    most_actions = 2
    bounds = (-2.0, 2.0)
    recall = False  # a view tells what is left, not how it came to that

    left: i8
    turn: i8
    coin: i8

    def start(self):
        self.left = 7

    def player(self):
        return CHANCE if self.coin == 0 else self.turn + 0

    def is_terminal(self):
        return self.left == 0

    def chances(self, out, probabilities):
        out[0], out[1] = 1, 2
        probabilities[0], probabilities[1] = 0.25, 0.75
        return 2

    def actions(self, out):
        count = min(self.left, 2)
        for i in range(count):
            out[i] = i + 1
        return count

    def play(self, action):
        if self.coin == 0:
            self.coin = action
        else:
            self.left -= action
            self.turn = 1 - self.turn

    def utility(self, player):
        return -self.coin if player == self.turn else self.coin + 0

    def evaluate(self, player, weights):
        value = float(self.left) if self.turn == 0 else -float(self.left)
        return value if player == 0 else -value

    def forcing(self, out):
        out[0] = 1
        return 1 if self.left == 1 else 0

    def solving(self, out):
        return self.actions(out), 1 if self.left % 3 else -2, 2 if self.left % 3 else -1

    def choose(self, out, source):
        return -1 if self.left == 0 else 1

    def order(self, action):
        return 2 - action

    def reversible(self):
        return 0

    def canonical(self):
        return 0

    def pass_turn(self):
        if self.left > 2:
            self.turn = 1 - self.turn
            return True
        return False

    def observe(self, player):
        if player == 1 and self.left > 0 and self.coin > 0:
            self.coin = UNSEEN

    def deal(self, player, source):
        if self.coin == UNSEEN:
            self.coin = 1 + below(source, 2)
        return 1.0

    def text(self):
        return f"{self.left}{'?12*'[self.coin]}{'xo'[self.turn]}"

    def parse(self, text):
        if len(text) != 3 or not text[0].isdecimal() or not text.isascii():
            raise ValueError("expected what is left, the coin and the player, such as 71x")
        self.left, self.coin, self.turn = int(text[0]), "?12".index(text[1]), "xo".index(text[2])

    def valid(self):
        if self.left > 7 or (self.coin == 0 and (self.left, self.turn) != (7, 0)):
            return "there are seven at the start"
        return None

    def action_text(self, action):
        return str(action)

    def picture(self):
        return Picture(cells=((Cell(str(self.left)),) * 2,), touches={1: ((0, 0),), 2: ((0, 1),)})


def made(**changes):
    """The game with some of its methods or attributes replaced; None takes one away."""
    body = {**vars(Countdown), **changes}
    cls = type("Countdown", (), {k: v for k, v in body.items() if v is not None and k not in ("__dict__", "__weakref__")})
    return CompiledGame(Definition("countdown", cls, {})())


def test_a_game_that_keeps_every_promise():
    told = []
    report = check_game(made(), games=40, seconds=600, progress=lambda done, of: told.append((done, of)))
    assert isinstance(report, Report) and report.games == 40 and report.positions > 200
    assert report.compiled is not UNCOMPILED
    assert told[-1][0] == told[-1][1]


def raising(self):
    raise ValueError("lost")


def spills(self, action):
    """Changes something outside of the state, which the next call sees."""
    SPILLED[0] += 1
    Countdown.play(self, action)
    if self.left == 4 and SPILLED[0] % 2:
        self.left = 3


def too_many(self, out):
    for i in range(3):
        out[i] = i + 1
    return 3 if self.left == 5 else Countdown.actions(self, out)


def listing(*actions):
    def method(self, out):
        for i, action in enumerate(actions):
            out[i] = action
        return len(actions) if self.left else 0

    return method


def chances(*probabilities):
    def method(self, out, weights):
        for i, probability in enumerate(probabilities):
            out[i], weights[i] = i + 1, probability
        return len(probabilities)

    return method


def changes_when_asked(self, out):
    self.left = max(self.left, 1) if self.left != 3 else 4
    return Countdown.actions(self, out)


def forgets(self, player):
    self.turn = 1 - self.turn


def misreads(self, text):
    Countdown.parse(self, text)
    if self.left == 7:
        self.left = 6


def reads_anything(self, text):
    self.left, self.coin, self.turn = (int(text[0]), "?12".index(text[1]), "xo".index(text[2])) if len(text) == 3 else (0, 1, 0)


def crashes_on_garbage(self, text):
    if len(text) != 3:
        raise AttributeError("surprise")
    Countdown.parse(self, text)


def parse_action_crashes(self, text):
    raise RuntimeError("surprise")


def half_passes(self):
    self.left = 1
    return False


def goes_round(self):
    self.turn = 1 - self.turn
    return 0


def shortens(self):
    self.left = min(self.left, 1)
    return 0


def leaves_out(self, seat, out):
    out[0, 0, 0] = self.left  # and not the other number


def colour_blind(self, symmetry):
    if symmetry == 1:
        self.turn = 1 - self.turn


def remembers_wrong(self, action):
    Countdown.play(self, action)
    self.twice = 2 * self.left if self.left != 3 else 5


def doubles(self):
    self.twice = 2 * self.left


def deals_other_stakes(self, player, source):
    if self.coin == UNSEEN:
        self.coin = 1 + below(source, 2)
        self.left = max(1, self.left - 1)
    return 1.0


def deals_nothing_new(self, player, source):
    return 1.0


def coin_known(self):
    self.left, self.coin = 7, 1


COIN_KNOWN = {"start": coin_known, "player": None, "chances": None, "observe": None, "deal": None, "valid": None}
BROKEN = [
    ("runs", {"order": lambda self, action: [][1]}),
    ("actions", {"actions": too_many, "solving": None}),
    ("actions", {"most_actions": 1}),
    ("actions", {"actions": listing(1, 1)}),
    ("actions", {"actions": listing(-1, 1)}),
    ("end", {"is_terminal": lambda self: self.left <= 1}),
    ("end", {"is_terminal": lambda self: False}),
    ("player", {"player": lambda self: 2 if self.left == 4 else Countdown.player(self)}),
    ("player", {"chances": None}),
    ("chances", {"chances": chances(0.25, 0.7)}),
    ("chances", {"chances": chances(1.0, 0.0)}),
    ("utilities", {"bounds": (-1.0, 1.0)}),
    ("utilities", {"total": 1.0}),
    ("utilities", {"utility": lambda self, player: float("nan")}),
    ("pure", {"play": spills}),
    ("pure", {"actions": changes_when_asked}),
    ("notation", {"parse": misreads}),
    ("notation", {"text": lambda self: "71x"}),
    ("action notation", {"action_text": lambda self, action: "take"}),
    ("action notation", {"action_text": lambda self, action: f"take {action}"}),
    ("garbage", {"parse": crashes_on_garbage}),
    ("garbage", {"parse": reads_anything}),
    ("garbage", {"parse_action": parse_action_crashes}),
    ("key", {"key": lambda self: np.uint64(self.turn)}),
    ("canonical", {"canonical": goes_round}),
    ("canonical", {"canonical": shortens}),
    ("evaluation", {"evaluate": lambda self, player, weights: 20_000.0}),
    ("evaluation", {"evaluate": lambda self, player, weights: 5.0}),
    ("evaluation", {"evaluate": lambda self, player, weights: float("inf")}),
    ("choices", {"forcing": listing(7)}),
    ("choices", {"solving": lambda self, out: (0, -2, 2)}),
    ("choices", {"bulk_counting": True, "actions": lambda self, out: 5 if out is None else Countdown.actions(self, out)}),
    ("choices", {"choose": lambda self, out, source: 5}),
    ("reversible", {"reversible": lambda self: -1}),
    ("reversible", {"reversible": lambda self: 7 - self.left}),
    ("drawn", {"is_drawn": lambda self: self.left == 1, "is_terminal": None}),
    ("symmetries", {"symmetries": 2, "transform": colour_blind}),
    ("symmetries", {"symmetries": 2, "transform": lambda self, symmetry: None, "transform_action": lambda self, s, action: 1}),
    ("canonical", {"symmetries": 2, "transform": lambda self, symmetry: None, "canonical": lambda self: 2}),
    ("prior", {"prior": lambda self, action: (2.0, 1.0)}),
    ("planes", {"planes": leaves_out, "plane_shape": (1, 1, 2)}),
    ("derived", {"__annotations__": {**Countdown.__annotations__, "twice": Derived[i8]}, "refresh": doubles,
                 "play": remembers_wrong}),
    ("order", {"order": lambda self, action: -1, "forcing": listing(1)}),
    ("points", {**COIN_KNOWN, "evaluate": lambda self, seat, weights: 0.25 if seat == self.turn else -0.25}),
    ("utilities", {"players": 4, "sides": ((0, 2), (1, 3)), "total": None, "utility": lambda self, seat: seat % 3}),
    ("draw", {"draw": lambda self, source: 1 + below(source, 2)}),
    ("draw", {"draw": lambda self, source: 7}),
    ("recall", {"recall": True}),
    ("proof", {**COIN_KNOWN, "solving": lambda self, out: (Countdown.actions(self, out), -1, -1)}),
    ("proof", {**COIN_KNOWN, "solving": lambda self, out: (listing(1)(self, out), -2, 2)}),
    ("order", {"order": lambda self, action: float("nan")}),
    ("order", {"order": lambda self, action: 0.5}),
    ("pass", {"pass_turn": lambda self: True}),
    ("pass", {"pass_turn": half_passes}),
    ("view", {"observe": forgets}),
    ("view", {"deal": deals_other_stakes}),
    ("hidden", {"observe": lambda self, player: None, "deal": deals_nothing_new}),
    ("picture", {"picture": lambda self: Picture(cells=((Cell(),),), touches={1: ((0, 0),)})}),
    ("picture", {"picture": lambda self: Picture(cells=((Cell(),),), touches={1: ((0, 0),), 2: ((0, 1),)})}),
]


@pytest.mark.parametrize(("promise", "changes"), BROKEN, ids=[f"{promise}-{i}" for i, (promise, _) in enumerate(BROKEN)])
def test_each_broken_promise_is_caught(promise, changes):
    SPILLED[0] = 0
    with pytest.raises(RulesError) as caught:
        check_game(made(**changes), games=20, seconds=600)
    message = str(caught.value)
    assert PROMISES[promise] in message
    assert "seed" in message and "\n" not in message
    assert message.startswith("countdown: ")


def test_an_exception_is_told_with_file_line_and_method():
    line = r"^countdown: \S*test_check.py:\d+, in raising: `raise ValueError\(.lost.\)`: ValueError: lost$"
    with pytest.raises(RulesError, match=line):
        check_game(made(key=raising), games=20)


def test_the_seed_in_the_message_shows_it_again():
    game = made(player=lambda self: 2 if self.left == 4 else Countdown.player(self), canonical=None, pass_turn=None)
    with pytest.raises(RulesError) as caught:
        check_game(game, games=50, seed=100, seconds=600)
    seed = int(str(caught.value).rpartition("seed ")[2].rstrip(")"))
    with pytest.raises(RulesError) as again:
        check_game(game, games=1, seed=seed)
    assert PROMISES["player"] in str(again.value) and f"seed {seed})" in str(again.value)


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")
def test_compiled_rules_that_do_something_else_are_caught():
    def wraps_around(self, action):  # a field of eight bits overflows in NumPy, and is widened by the compiler
        return self.left * 50

    with pytest.raises(RulesError, match=r"compiled .* order gives 1050\.0 compiled and 282\.0 uncompiled .*'71x', seed 0"):
        check_game(made(order=wraps_around, **COIN_KNOWN), games=3)


def test_a_copy_that_shares_is_caught():
    # Fields of records cannot share, so the state hides outside of the record.
    shared = [0]

    def actions(self, out):
        out[0] = shared[0] % 2 + 1
        return 1 if self.left else 0

    def play(self, action):
        if self.coin:
            shared[0] += 1
        Countdown.play(self, action)

    with pytest.raises(RulesError) as caught:
        check_game(made(actions=actions, play=play), games=5)
    assert PROMISES["copies"] in str(caught.value) or PROMISES["runs"] in str(caught.value)


def test_plain_games_are_checked_too():
    report = check_game(Coins(), games=20, seconds=600)
    assert not report.compiled and str(report).startswith("coins keeps its promises: 20 random games")

    class Wrong(Coins):
        name = "wrong coins"
        total = 1.0

    with pytest.raises(RulesError, match="utilities lie within"):
        check_game(Wrong(), games=2)


def test_the_number_of_games_is_checked():
    with pytest.raises(BadValue, match="games must be 1 or more, got 0"):
        check_game(Coins(), games=0)

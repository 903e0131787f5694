"""Go against a slow board written from the rules alone, and against OpenSpiel where it is installed."""

import numpy as np
import pytest

from outplay.conformance import check_game
from outplay.errors import BadNotation
from outplay.game import load


class SlowBoard:
    """Go on a dictionary of stones: every capture by flood fill, every repetition by comparing whole boards."""

    def __init__(self, size, ko, suicide):
        self.size, self.ko, self.suicide = size, ko, suicide
        self.stones, self.turn = {}, 0
        self.banned = None
        self.seen = {(frozenset(), 0)}

    def near(self, point):
        row, column = point
        steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return [(r, c) for r, c in steps if 0 <= r < self.size and 0 <= c < self.size]

    def chain(self, stones, point):
        chain, fringe, liberties = {point}, [point], set()
        while fringe:
            for near in self.near(fringe.pop()):
                if near not in stones:
                    liberties.add(near)
                elif stones[near] == stones[point] and near not in chain:
                    chain.add(near)
                    fringe.append(near)
        return chain, liberties

    def after(self, point):
        """The stones after a move here, the stones taken, or None where it is suicide and that is forbidden."""
        stones = {**self.stones, point: self.turn}
        taken = set()
        for near in self.near(point):
            if stones.get(near) == 1 - self.turn:
                chain, liberties = self.chain(stones, near)
                if not liberties:
                    taken |= chain
        stones = {p: c for p, c in stones.items() if p not in taken}
        chain, liberties = self.chain(stones, point)
        if not liberties:
            if not self.suicide or len(chain) == 1:
                return None
            stones = {p: c for p, c in stones.items() if p not in chain}
        return stones, taken

    def legal(self):
        for row in range(self.size):
            for column in range(self.size):
                point = (row, column)
                if point in self.stones or (self.ko == "simple" and point == self.banned):
                    continue
                after = self.after(point)
                if after is None:
                    continue
                board = frozenset(after[0].items())
                if self.ko == "positional" and any(board == old for old, _ in self.seen):
                    continue
                if self.ko == "situational" and (board, 1 - self.turn) in self.seen:
                    continue
                yield self.size * row + column
        yield self.size**2

    def play(self, action):
        self.banned, banned = None, None
        if action < self.size**2:
            point = divmod(action, self.size)
            self.stones, taken = self.after(point)
            if len(taken) == 1:
                chain, liberties = self.chain(self.stones, point)
                if len(chain) == 1 and len(liberties) == 1:
                    banned = next(iter(taken))
        self.banned = banned
        self.turn = 1 - self.turn
        self.seen.add((frozenset(self.stones.items()), self.turn))

    def score(self):
        balance = sum(1 if color == 0 else -1 for color in self.stones.values())
        left = {(r, c) for r in range(self.size) for c in range(self.size)} - self.stones.keys()
        while left:
            region, fringe, colors = set(), [left.pop()], set()
            while fringe:
                point = fringe.pop()
                region.add(point)
                for near in self.near(point):
                    if near in self.stones:
                        colors.add(self.stones[near])
                    elif near not in region and near in left:
                        left.discard(near)
                        fringe.append(near)
            if len(colors) == 1:
                balance += len(region) * (1 if colors == {0} else -1)
        return balance


@pytest.mark.parametrize("size", [2, 3, 5])
@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
@pytest.mark.parametrize("suicide", [False, True])
def test_random_games_agree_with_the_slow_board(size, ko, suicide):
    game = load("go", size=size, ko=ko, suicide=suicide, compiled=False if size < 5 else None)
    compare_with_the_slow_board(game, size, ko, suicide)


@pytest.mark.parametrize("size", [2, 3, 7, 8, 9])
def test_bitboards_agree_with_the_slow_board(size):
    """Of sizes 8 and 9, a board takes two words."""
    compare_with_the_slow_board(load("go", size=size, policy="light", compiled=None if size == 9 else False), size, "simple", False)


def compare_with_the_slow_board(game, size, ko, suicide):
    source = np.random.default_rng(size)
    for _ in range(12 if size < 5 else 4):
        position, slow = game.start(), SlowBoard(size, ko, suicide)
        while not position.is_terminal():
            assert list(position.actions()) == list(slow.legal()), position.text()
            board = position.text().split(" ")[0].replace("/", "")
            assert board == "".join(".xo"[slow.stones.get(divmod(p, size), -1) + 1] for p in range(size * size))
            moves = position.actions()
            # Passes are rare, so that boards fill up and captures and kos happen.
            pick = source.integers(len(moves) - 1) if len(moves) > 1 and source.random() < 0.97 else len(moves) - 1
            slow.play(moves[pick])
            position = position.result(moves[pick])
        margin = slow.score() - 7.5
        assert position.utility(0) == (margin > 0) - (margin < 0)


def test_open_spiel_lists_the_same_moves():
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("go(board_size=9,komi=7.5)")
    game = load("go")
    source = np.random.default_rng(0)
    for _ in range(15):
        position, state = game.start(), theirs.new_initial_state()
        for _ in range(150):
            if state.is_terminal() or position.is_terminal():
                break  # OpenSpiel stops a game at its first repeated board
            names = {state.action_to_string(a).split(" ")[1].upper().replace("PASS", "pass"): a for a in state.legal_actions()}
            ours = {position.action_text(a): a for a in position.actions()}
            assert names.keys() == ours.keys(), position.text()
            name = source.choice(sorted(ours.keys() - {"pass"} or {"pass"}))
            state.apply_action(names[name])
            position = position.result(ours[name])


def test_the_classical_ko():
    """
    . x o .      Black takes at C3; White may not take back at once.
    x o . o
    . x o .
    """
    game = load("go:size=4")
    position = game.position(".xo./xo.o/.xo./.... x").play("C3")
    assert position.text().startswith(".xo./x.xo/.xo./....")
    assert "B3" not in [position.action_text(a) for a in position.actions()]
    later = position.play("A1 D1")
    assert "B3" in [later.action_text(a) for a in later.actions()]


def test_suicide_is_forbidden_unless_allowed():
    alone = ".x.x/xxxx/oooo/.... o"  # a single stone may not die by its own move under any rule
    for name in ("go:size=4", "go:size=4,suicide=true"):
        position = load(name).position(alone)
        assert "A4" not in [position.action_text(a) for a in position.actions()]
    text = ".ox.x/xxxxx/ooooo/...../..... o"  # a stone at A5 dies together with B5
    assert load("go:size=5,suicide=true").position(text).play("A5").text().startswith("..x.x/xxxxx/ooooo/")
    forbidden = load("go:size=5").position(text)
    assert "A5" not in [forbidden.action_text(a) for a in forbidden.actions()]


def test_positions_that_cannot_be():
    for text in ("xo/ox x", "xx/xx x", "x./.. z", "x.. x", "x./.. x A2 0 0 -", "x./.. x - 3 0 -", "x./.. x - 0 0 Z9"):
        with pytest.raises(BadNotation):
            load("go:size=2").position(text)


def test_equal_boards_reached_by_different_moves_are_equal():
    start = load("go:size=5").start()
    assert start.play("A1 B2 C3 D4") == start.play("C3 B2 A1 D4")
    assert start.play("A1 B2 C3 D4") != start.play("A1 D4 C3 B2")  # the last move differs


@pytest.mark.parametrize("name", ["go:size=5", "go:size=4,ko=positional,suicide=true", "go:size=8,policy=light"])
def test_the_contract(name):
    check_game(load(name), games=3)


# ---------------------------------------------------------------- playouts and priors


def state_of(game, text):
    return np.frombuffer(game.position(text).state, game.rules.layout).copy()[0]


@pytest.mark.parametrize(
    "name", ["go:size=9", "go:size=13", "go:size=5,ko=positional,suicide=true", "go:size=9,policy=light", "go:size=10,policy=light"]
)
def test_playouts_are_legal_and_end(name):
    """Uncompiled, so that a number too large for its field would be seen."""
    game = load(name, compiled=False)
    size = game.rules.parameters["size"]
    state, source, out = state_of(game, game.start().text()), np.array([7], np.uint64), np.zeros(size * size + 1, np.int32)
    with np.errstate(over="ignore"):  # random numbers wrap around
        for move in range(4 * size * size):
            action = state.choose(out, source)
            if action < 0:
                break
            assert action in out[: state.actions(out)]
            state.play(action)
            if move == size:
                assert all(0 <= won <= games for won, games in map(state.prior, out[: state.actions(out)]))
    assert state.is_terminal()
    assert game.position(state.text()).text() == state.text()


def reply(game, text, seed=1):
    state = state_of(game, text)
    with np.errstate(over="ignore"):
        return state.action_text(state.choose(np.zeros(82, np.int32), np.array([seed], np.uint64)))


def test_playouts_answer_the_last_move():
    """
    . . . . .       . . . . .       o x x o .
    . o o . .       . x x . .       . o . o .
    o x o . .       x o . . .       . . . . .
    . . . . .       . x . . .       . . . . .
    save B3: B2     take B3: C3     save B5 by taking A5
    """
    game = load("go:size=5")
    save = "...../.oo../oxo../...../..... x - 0 6 C3"
    assert {reply(game, save, seed) for seed in range(8)} == {"B2"}
    take = "...../.xx../xo.../.x.../..... x - 0 6 B3"  # White has put itself in atari
    assert {reply(game, take, seed) for seed in range(8)} == {"C3"}
    by_capture = "oxxo./.o.o./...../...../..... x - 0 6 D5"
    assert {reply(game, by_capture, seed) for seed in range(8)} == {"A4"}


def test_a_stone_that_would_stand_in_atari_is_seen():
    game = load("go:size=5")
    state = state_of(game, ".ox../oox../xxx../...../..... x")
    corner, beside = state.cell("A5"), state.cell("D5")
    assert state.prospect(beside) == 1
    assert state.prospect(corner) == 1  # suicide but for the three stones that it takes
    alone = state_of(game, ".o.../o..../...../...../..... x")
    assert alone.prospect(alone.cell("A5")) == 0
    throw_in = state_of(game, ".o.../...../...../...../..... x")
    assert throw_in.prospect(throw_in.cell("A5")) == -1
    two = state_of(game, "x.o../oo.../...../...../..... x")
    assert two.prospect(two.cell("B5")) == 0


def test_patterns_are_seen_from_all_sides():
    """A hane: X between two stones of which one is the other colour, with nothing below."""
    from outplay.games.go.patterns import READING_ORDER, matching, symmetries

    table = matching()
    for rows in symmetries(["xox", "...", "..."]):
        code = sum(".xo".index(rows[r][c]) << 2 * k for k, (r, c) in enumerate(READING_ORDER))
        for color in (0, 1):
            assert int(table[color, code >> 6]) >> (code & 63) & 1
    assert not any(int(table[color, 0]) & 1 for color in (0, 1))


def test_bitboards_see_the_same_eyes_and_play_the_same_games():
    """The playouts of the two boards differ in their random numbers alone: the same moves may be chosen, and the averages agree."""
    chains, bits = load("go:size=9,policy=light,suicide=true", compiled=False), load("go:size=9,policy=light", compiled=False)
    source = np.random.default_rng(3)
    position = bits.start()
    board, sifted = SlowBoard(9, "simple", False), 0
    for _ in range(200):
        state, other = state_of(bits, position.text()), state_of(chains, position.text())
        free = [point for point in range(81) if state.stone_at(point) == 0]
        eyes = listed(state, free, state.eyes(*bits_of(state, free)))
        enemy = 2 - state.turn
        amid = [point for point in free if all(state.stone_at(9 * r + c) == enemy for r, c in board.near(divmod(point, 9)))]
        hopeless = listed(state, amid, state.hopeless(*bits_of(state, amid), *bits_of(state, free)))
        assert not set(hopeless) & set(position.actions()), position.text()  # what is sifted out of a playout is suicide
        sifted += len(hopeless)
        assert eyes == [point for point in free if other.is_eye(other.where[point])], position.text()
        playable = [action for action in position.actions()[:-1] if action not in eyes]
        position = position.result(source.choice(playable) if playable else 81)
        if position.is_terminal():
            break
    assert sifted > 30


def bits_of(state, chosen):
    first, second = (sum(1 << int(state.where[p]) % 64 for p in chosen if state.where[p] // 64 == word) for word in range(2))
    return np.uint64(first), np.uint32(second)


def listed(state, chosen, words):
    return [point for point in chosen if int(words[state.where[point] // 64]) >> int(state.where[point]) % 64 & 1]

"""One conformance test that every game passes: random games, played uncompiled and compiled, against the contract's promises.

>>> from outplay.game import load
>>> print(check_game(load("tic-tac-toe"), games=5))
tic-tac-toe keeps its promises: 5 random games, ... positions, compiled and uncompiled alike

A game that breaks a promise gets one line that names the promise, the position and the seed that shows it; `games=1` with that seed
shows it again. The promises are those of `outplay.rules`, in the words of `PROMISES`. First the rules run in plain Python, where a
wrong index is caught and not a crash; only a game that passes there is compiled and must then do the same, step for step.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay.compiling.problems import Mistake
from outplay.errors import BadValue, IllegalAction, OutplayError, RulesError, shorten
from outplay.game import CompiledGame, Game, Position
from outplay.jit import below, f64, i64, kernel, mix, random_source, u64
from outplay.values import CHANCE

PROMISES = {
    "runs": "no method raises an exception",
    "actions": "actions are different whole numbers from 0, at most `most_actions` of them",
    "end": "there are no actions exactly when the game is over",
    "player": "the player to move is one of the players, or CHANCE where the game has chances",
    "chances": "the probabilities of a chance node are positive and sum to one",
    "utilities": "utilities lie within `bounds` and sum to `total`",
    "pure": "asking a position changes nothing, and the same action always has the same result",
    "copies": "a copy that is played on leaves the original as it was",
    "notation": "a position's text reads back as the same position, with the same key",
    "action notation": "action texts differ, have no spaces or commas, and read back as the same action",
    "garbage": "a text that is no position or action gets a clear error, never a crash or a wrong position",
    "refusal": "an action that is not legal is refused",
    "key": "positions of equal keys have the same player and the same actions",
    "canonical": "symmetric twins have the same player, actions and outcomes, and one representative",
    "evaluation": "an evaluation is a number below `scale` times the greatest utility, and cancels between two zero-sum players",
    "choices": "forcing, solving and choose give legal actions only, and actions(None) counts all of them",
    "proof": "the bounds of solving hold, and the best of its actions is as good as the best of all (as a short search can tell)",
    "order": "order is a number for every action",
    "pass": "pass_turn gives the move to another player, or returns False and changes nothing",
    "view": "observing twice is observing once, and a dealt position looks the same to the player it was dealt for",
    "hidden": "what a player does not see can be dealt differently: something is hidden",
    "picture": "every action of a player has its touches, inside the board",
    "compiled": "compiled rules do what uncompiled rules do, step for step",
}
MOST_STEPS = 2000
"""A random game is left after so many moves: some games can go on for ever."""


@dataclass(frozen=True)
class Report:
    """What was checked of a game that keeps its promises."""

    game: str
    games: int
    positions: int
    compiled: bool
    seconds: float

    def __str__(self) -> str:
        alike = ", compiled and uncompiled alike" if self.compiled else ""
        games = f"{self.games} random game{'s' if self.games > 1 else ''}"
        return f"{self.game} keeps its promises: {games}, {self.positions} positions{alike}"


def check_game(game: Game, games: int = 1000, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Report:
    """Play random games and raise a `RulesError` that tells of every broken promise; `progress` gets (games done, games).

    A game loaded with `compiled=False` is checked in plain Python only.
    """
    if games < 1:
        raise BadValue(f"games must be 1 or more, got {games}")
    started = time.perf_counter()
    rules = getattr(game, "rules", None)
    plain: Game = CompiledGame(rules, compiled=False) if rules else game
    compiles = isinstance(game, CompiledGame) and game._compiled is not False
    checker = Checker(plain)
    played: list[list[Any]] = []
    for number in range(games):
        checker.seed = seed + number
        played.append(checker.random_game())
        if progress:
            progress(number + 1, 2 * games if compiles else games)
    checker.after_all()
    if not checker.broken and compiles:
        for number, moves in enumerate(played):
            checker.seed = seed + number
            checker.compare(moves)
            if checker.broken:
                break
            if progress:
                progress(games + number + 1, 2 * games)
    if checker.broken:
        raise RulesError(f"{game.name}: " + "; ".join(checker.broken.values()))
    return Report(game.name, games, checker.positions, compiles, time.perf_counter() - started)


class Checker:
    """The state of one check: what was broken first, and which keys were met."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules: Any = getattr(game, "rules", None)
        self.broken: dict[str, str] = {}
        self.seed = 0
        self.positions = 0
        self.keys: dict[int, tuple[Any, str]] = {}
        self.hidden = False
        self.games_played = 0
        self.where = "the start"

    # ------------------------------------------------ reporting

    def need(self, promise: str, kept: bool, what: str) -> None:
        """Note a promise that is broken here; the first position that shows it is enough."""
        if not kept and promise not in self.broken:
            self.broken[promise] = f"{PROMISES[promise]}, but {what} ({self.where}, seed {self.seed})"

    @contextmanager
    def guarded(self, what: str) -> Iterator[None]:
        """An exception in the author's code is a broken promise, not a crash."""
        try:
            yield
        except Mistake:
            raise
        except Exception as problem:
            self.need("runs", False, f"{what} raised {type(problem).__name__}: {_one_line(problem)}")

    # ------------------------------------------------ one random game

    def random_game(self) -> list[Any]:
        """Play one random game in plain Python, checking on the way; returns the actions played."""
        source = random_source(self.seed)
        moves: list[Any] = []
        texts: list[str] = []
        last: deque[Position] = deque(maxlen=4)
        self.where = "the start"
        broken_before = len(self.broken)
        most_steps = 100 if self.broken else MOST_STEPS
        with self.guarded("a method"), np.errstate(over="ignore"):
            position = start = self.game.start()
            looked_at = below(source, 20)  # the slow checks look at some of the positions only
            while True:
                self.where = f"position {shorten(position.text(), 300)!r}"
                self.positions += 1
                self.facts(position)
                if len(moves) in (0, looked_at) or position.is_terminal():
                    self.look_closely(position)
                if self.game.offers("observe") and (self.games_played < 20 or len(moves) == looked_at):
                    self.views(position, source)
                if len(self.broken) > broken_before or position.is_terminal() or len(moves) >= most_steps:
                    break
                action = self.draw(position, source)
                texts.append(position.action_text(action))
                position = self.step(position, action)
                moves.append(action)
                last.append(position)
            if len(self.broken) == broken_before:
                replayed = start.play(texts)
                self.need("action notation", replayed == position, f"the start and {shorten(' '.join(texts))!r} lead elsewhere")
                self.games_played += 1
                for late in last:
                    self.where = f"position {shorten(late.text(), 300)!r}"
                    self.proof(late)
        return moves

    def draw(self, position: Position, source: np.ndarray) -> Any:
        """One random action, or one outcome of chance by its probability."""
        if position.is_chance():
            return position.sample_chance(source)
        actions = position.actions()
        return actions[below(source, len(actions))]

    def step(self, position: Position, action: Any) -> Position:
        """The position after an action, made sure of by making it twice."""
        after, again = position.result(action), position.result(action)
        same = position.action_text(action)
        self.need("pure", after == again, f"{same} leads to {after.text()!r} once and to {again.text()!r} the next time")
        return after

    def facts(self, position: Position) -> None:
        """The promises that every single position is held to."""
        game, traits = self.game, self.game.traits
        with self.guarded("the rules"):
            if self.rules and not self.guard_buffer(position):
                return
            player, actions = position.player(), position.actions()
            if position.is_terminal():
                utilities = position.utilities()
                least, greatest = traits.bounds
                inside = all(math.isfinite(u) and least - 1e-9 <= u <= greatest + 1e-9 for u in utilities)
                self.need("utilities", inside, f"they are {utilities} with bounds {traits.bounds}")
                if traits.total is not None:
                    kept = abs(math.fsum(utilities) - traits.total) <= 1e-6
                    self.need("utilities", kept, f"they are {utilities} with total {traits.total:g}")
                return
            self.need("end", len(actions) > 0, "there are none and the game is not over")
            known = 0 <= player < traits.players or (player == CHANCE and traits.chance)
            self.need("player", known, f"it is {player} of {traits.players}{'' if traits.chance else ' without chance'}")
            self.need("actions", len(set(actions)) == len(actions), f"they are {shorten(str(actions))}")
            if self.rules:
                self.need("actions", min(actions, default=0) >= 0, f"one is {min(actions, default=0)}")
            if position.is_chance():
                probabilities = [probability for _, probability in position.chances()]
                kept = abs(math.fsum(probabilities) - 1) <= 1e-9 and min(probabilities) > 0
                self.need("chances", kept, f"they are {shorten(str(probabilities))}")
            if game.offers("evaluate") and not position.is_chance():
                self.evaluation(position)
        self.remember_key(position)

    def guard_buffer(self, position: Position) -> bool:
        """Ask the rules with a longer buffer: do they write more than `most_actions`, does asking change the state?"""
        rules: Any = self.rules
        record = self.game.record(position.state)
        most, extra = rules.most_actions, 1024
        out, probabilities = np.full(most + extra, -7, rules.action_type), np.zeros(most + extra)
        with np.errstate(over="ignore"):
            over, player = bool(record.is_terminal() or record.is_drawn()), int(record.player())
            known = over or 0 <= player < rules.players or (player == CHANCE and rules.traits.chance)
            self.need("player", known, f"it is {player} of {rules.players}")
            if not known:
                return False
            if player == CHANCE and rules.traits.sampled:
                return True
            count = int(record.chances(out, probabilities) if player == CHANCE else record.actions(out))
            kept = count <= most and bool((out[most:] == -7).all())
            self.need("actions", kept, f"most_actions is {most} and there are {count}")
            if "is_terminal" in rules.offered:
                ended = bool(record.is_terminal())
                self.need("end", ended == (count == 0), f"is_terminal() is {ended} with {count} actions")
            record.key(), record.utility(0) if over else None
        self.need("pure", record.tobytes() == position.state, "actions(), is_terminal(), key() or utility() changed it")
        return kept

    def evaluation(self, position: Position) -> None:
        """An evaluation stands beside utilities in one search: it must stay below them, and cancel where they cancel."""
        traits = self.game.traits
        values = [position.evaluate(player) for player in range(traits.players)]
        most = traits.scale * max(abs(bound) for bound in traits.bounds)
        kept = all(math.isfinite(value) and abs(value) < most for value in values)
        self.need("evaluation", kept, f"evaluate gives {values} where a finished game is worth up to {most:g}")
        if traits.players == 2 and traits.sum == "zero" and kept:
            self.need("evaluation", abs(sum(values)) <= 1e-6 * most, f"the two players' evaluations are {values}")

    def remember_key(self, position: Position) -> None:
        """Positions of equal keys must be equal in all that a search asks of them."""
        if not self.rules:
            return
        with self.guarded("key"):
            key = self.game.key(position.state)
            facts = (position.player(), frozenset(position.actions()), position.utilities() if position.is_terminal() else ())
            known, text = self.keys.setdefault(key, (facts, position.text()))
            self.need("key", known == facts, f"{shorten(text, 300)!r} has the same key {key:#x}")

    # ------------------------------------------------ a close look at one position

    def look_closely(self, position: Position) -> None:
        """The promises that take longer to check."""
        checks = [self.notation, self.refusals, self.garbage, self.picture]
        if self.rules:
            checks += [self.copies, self.choices, self.canonical, self.passing]
        for check in checks:
            with self.guarded(check.__name__):
                check(position)

    def notation(self, position: Position) -> None:
        """Texts of the position and of its actions go round."""
        text = position.text()
        try:
            back = self.game.position(text)
        except OutplayError as problem:
            if not self.rules and type(self.game).parse is Game.parse:
                return  # a plain game may do without reading positions
            self.need("notation", False, f"it is refused: {problem}")
            return
        self.need("notation", back == position and back.text() == text, f"it reads back as {back.text()!r}")
        if self.rules:
            keys = [self.game.key(p.state) for p in (position, back)]
            self.need("notation", keys[0] == keys[1], f"its key is {keys[0]:#x} and the read position's {keys[1]:#x}")
        texts = [position.action_text(action) for action in position.actions()]
        self.need("action notation", len(set(texts)) == len(texts), f"they are {' '.join(texts)}")
        for action, written in list(zip(position.actions(), texts, strict=True))[:50]:
            good = bool(written) and not any(letter.isspace() or letter == "," for letter in written)
            self.need("action notation", good and position.parse_action(written) == action, f"one is {written!r}")

    def refusals(self, position: Position) -> None:
        """Actions that are not legal are refused."""
        actions = position.actions()
        for bad in (-1, -(2**40), 2**40, max(actions, default=0) + 1 if self.rules else object(), "nonsense", None):
            if bad in actions:
                continue
            try:
                position.result(bad)
                self.need("refusal", False, f"{bad!r} was played")
            except IllegalAction:
                pass

    def garbage(self, position: Position) -> None:
        """Texts near to a right one are the likeliest to be misread."""
        text = position.text()
        middle = len(text) // 2
        nonsense = ("", " ", "?", "nonsense", "-1", "9" * 50, "\x00", "é/…")
        spoiled = [*nonsense, text[:-1], text[1:], text + text[-1:], text + " x",
                   text[::-1], text[:middle] + text[middle + 1 :], text[:middle] + "?" + text[middle:],
                   text.replace("x", "o"), text.upper()]
        for wrong in spoiled:
            try:
                read = self.game.position(wrong)
                stable = self.game.position(read.text()) == read and (read.is_terminal() or len(read.actions()) > 0)
                stable = stable and (wrong not in nonsense or read.text() == wrong)
                self.need("garbage", stable, f"{wrong!r} was read as {read.text()!r}")
            except OutplayError as problem:
                self.need("garbage", "\n" not in str(problem), f"the error for {wrong!r} has more than one line")
            except Exception as problem:
                self.need("garbage", False, f"{wrong!r} raised {type(problem).__name__}: {_one_line(problem)}")
            try:
                position.parse_action(wrong or "?")
            except OutplayError:
                pass
            except Exception as problem:
                self.need("garbage", False, f"the action {wrong!r} raised {type(problem).__name__}: {_one_line(problem)}")

    def picture(self, position: Position) -> None:
        """The picture is a rectangle, and every action can be clicked."""
        shown = position.picture()
        if shown is None:
            return
        self.need("picture", not shown.problem(), shown.problem())
        if shown.touches and not position.is_chance():
            missing = [action for action in position.actions() if action not in shown.touches]
            self.need("picture", not missing, f"{position.action_text(missing[0]) if missing else ''} has none")

    # ------------------------------------------------ what only records have

    def record(self, position: Position) -> Any:
        """The position's record, free to be changed."""
        return self.game.record(position.state)

    def as_position(self, record: Any) -> Position:
        """A record as a position."""
        return Position(self.game, record.tobytes())

    def copies(self, position: Position) -> None:
        """Playing on a copy leaves the original alone."""
        rules: Any = self.rules
        states = np.zeros(2, rules.layout)
        with np.errstate(over="ignore"):
            for action in position.actions()[:5]:
                states[0] = self.record(position)
                states[1] = states[0]
                states[1].play(rules.action_type(action))
                again = Position(self.game, states[:1].tobytes())
                kept = again.state == position.state and again.actions() == position.actions()
                self.need("copies", kept, f"playing {position.action_text(action)} on a copy changed it to {again.text()!r}")

    def choices(self, position: Position) -> None:
        """What a game offers to choose from is legal."""
        rules: Any = self.rules
        record, actions = self.record(position), set(position.actions())
        out = rules.room(rules.most_actions + 16)
        with np.errstate(over="ignore"):
            if position.is_chance() or position.is_terminal():
                return
            if "forcing" in rules.offered:
                listed = set(out[: record.forcing(out)].tolist())
                self.need("choices", listed <= actions, f"forcing gives {sorted(listed - actions)}")
            if "solving" in rules.offered:
                listed = set(out[: record.solving(out)[0]].tolist())
                self.need("choices", listed <= actions and bool(listed) == bool(actions), f"solving gives {sorted(listed)}")
            if rules.counts:
                count = int(record.actions(None))
                self.need("choices", count == len(position.moves()), f"actions(None) gives {count} of {len(position.moves())}")
            if "choose" in rules.offered:
                chosen = int(record.choose(out, random_source(self.seed)))
                self.need("choices", chosen in actions if actions else chosen == -1, f"choose gives {chosen}")
            if "order" in rules.offered:
                ranks = [float(record.order(rules.action_type(action))) for action in position.actions()]
                self.need("order", all(math.isfinite(rank) for rank in ranks), f"it is {ranks}")
            if "reversible" in rules.offered:
                self.need("choices", int(record.reversible()) >= 0, f"reversible gives {int(record.reversible())}")
        self.need("pure", record.tobytes() == position.state, "asking for forcing, solving, choose or order changed it")

    def proof(self, position: Position) -> None:
        """What a game claims to prove is true, as far as a short search from the end of a game can tell."""
        traits = self.game.traits
        two_sided = traits.players == 2 and traits.sum == "zero" and not traits.chance
        if not self.rules or "solving" not in self.rules.offered or position.is_terminal() or not two_sided:
            return
        values: dict[Any, float] = {}
        budget = [100]
        for action in position.actions():
            value = _value_after(position, action, budget)
            if value is None:
                return
            values[action] = value
        record, best = self.record(position), max(values.values())
        with np.errstate(over="ignore"):
            out = self.rules.room(len(values) + 64)
            count, least, greatest = record.solving(out)
            self.need("proof", least <= best <= greatest, f"solving gives {least} to {greatest} where {best:g} is true")
            kept = [values.get(action) for action in out[:count].tolist()]
            self.need("proof", best in kept, f"its actions are worth {kept}, the best action {best:g}")

    def canonical(self, position: Position) -> None:
        """The representative of the position's twins is worth the same."""
        if "canonical" not in self.rules.offered:
            return
        with np.errstate(over="ignore"):
            record = self.record(position)
            record.canonical()
            twin = self.as_position(record)
            record.canonical()
            again = self.as_position(record)
        self.need("canonical", again == twin, f"the representative {twin.text()!r} of it has another, {again.text()!r}")
        same = twin.player() == position.player() and _ahead(twin) == _ahead(position)
        self.need("canonical", same, f"its representative {twin.text()!r} differs")
        if self.game.offers("evaluate") and not position.is_terminal():
            both = twin.evaluate(0), position.evaluate(0)
            self.need("canonical", abs(both[0] - both[1]) < 1e-6, f"it evaluates to {both[1]}, its representative to {both[0]}")

    def passing(self, position: Position) -> None:
        """A null move gives the move away."""
        if "pass_turn" not in self.rules.offered or position.is_terminal() or position.is_chance():
            return
        with np.errstate(over="ignore"):
            record = self.record(position)
            passed = bool(record.pass_turn())
        after = self.as_position(record)
        if passed:
            self.need("pass", after.player() != position.player(), f"{after.player()} stays to move")
        else:
            self.need("pass", after == position, "it returned False and changed the position")

    def views(self, position: Position, source: np.ndarray) -> None:
        """What each player sees tells nothing of what is hidden from it."""
        for player in range(self.game.traits.players):
            view = position.observe(player)
            self.need("view", view.observe(player) == view, f"player {player} sees {view.state!r} and then less")
            for _ in range(3):
                dealt = position.deal(player, source)
                self.hidden = self.hidden or dealt != position
                self.need("view", dealt.observe(player) == view, f"player {player} can tell {dealt.text()!r} from it")
                self.need("view", dealt.is_terminal() == position.is_terminal() and dealt.player() == position.player(),
                          f"the player to move is another in {dealt.text()!r}, dealt for player {player}")
                if position.player() == player:
                    self.need("view", set(dealt.actions()) == set(position.actions()),
                              f"player {player} has other actions in {dealt.text()!r}")

    def after_all(self) -> None:
        """What only many games together can show."""
        if self.game.offers("observe") and not self.broken and self.games_played >= 20:  # few games may deal the truth by chance
            self.where = "all positions"
            self.need("hidden", self.hidden, "every dealt position was the true one")

    # ------------------------------------------------ compiled against uncompiled

    def compare(self, moves: list[Any]) -> None:
        """Follow one game both ways and compare all that the methods say at each step."""
        game, rules = self.game, self.rules
        assert rules is not None
        played = np.array(moves, rules.action_type)
        seen = []
        for run in (_follow.python, _follow):
            states = rules.states(len(moves) + 2)
            initial: Any = game.initial()
            states[:1].view(np.uint8)[:] = np.frombuffer(initial, np.uint8)
            actions, probabilities = rules.room(rules.most_actions + 16), np.zeros(rules.most_actions + 16)
            words, reals = np.zeros((len(moves) + 1, len(COLUMNS)), np.uint64), np.zeros((len(moves) + 1, 3))
            with np.errstate(over="ignore"), self.guarded("a compiled method" if run is _follow else "a method"):
                run(states, played, actions, probabilities, rules.weights, random_source(self.seed), words, reals, rules.players)
            if self.broken:
                return
            seen.append((states.view(np.uint8).reshape(len(states), -1), words, reals))
        (states, words, reals), (other_states, other_words, other_reals) = seen
        for step in range(len(moves) + 1):
            if (states[step] != other_states[step]).any():
                now = game.text(other_states[step].tobytes())
                self.need("compiled", False, f"compiled play() leads to {shorten(now, 300)!r}")
            self.where = f"position {shorten(game.text(states[step].tobytes()), 300)!r}"
            for column, name in enumerate(COLUMNS):
                both = int(words[step, column]), int(other_words[step, column])
                self.need("compiled", both[0] == both[1], f"{name} gives {both[1]:#x} compiled and {both[0]:#x} uncompiled")
            for column, name in enumerate(("utility", "evaluate", "order")):
                mine, theirs = float(reals[step, column]), float(other_reals[step, column])
                close = math.isclose(mine, theirs, rel_tol=1e-6, abs_tol=1e-6)
                self.need("compiled", close, f"{name} gives {theirs} compiled and {mine} uncompiled")
            if self.broken:
                return


def _one_line(problem: Exception) -> str:
    return shorten(" ".join(str(problem).split()), 200)


def _value_after(position: Position, action: Any, budget: list[int]) -> float | None:
    """What an action is worth to the player to move in a zero-sum game of two, or None when the budget of nodes is spent."""
    budget[0] -= 1
    if budget[0] < 0:
        return None
    after = position.result(action)
    if after.is_terminal():
        return after.utility(position.player())
    best = -math.inf
    for reply in after.actions():
        value = _value_after(after, reply, budget)
        if value is None:
            return None
        best = max(best, value)
    return best if after.player() == position.player() else -best


def _ahead(position: Position) -> Any:
    """What the next two moves can bring, whatever the actions are called."""
    if position.is_terminal():
        return position.utilities()
    children = [position.result(action) for action in position.actions()[:64]]
    outcomes = [(child.player(), len(child.actions()), child.utilities() if child.is_terminal() else ()) for child in children]
    return len(position.actions()), sorted(outcomes)


COLUMNS = ("player", "is_terminal", "actions or chances", "forcing", "solving", "actions(None)", "choose", "reversible",
           "pass_turn", "key", "key after canonical", "key after pass_turn", "key after observe", "key after deal",
           "urgent", "the bounds of solving")


@kernel
def _follow(states: Any, moves: Any, actions: Any, probabilities: Any, weights: Any, source: Any, words: Any, reals: Any,
            players: Any) -> None:
    """Play the given moves and write down what every method says on the way; each is called in one place, to compile fast."""
    spare = len(states) - 1
    for step in range(len(moves) + 1):
        state = states[step]
        player = state.player()
        over = state.is_terminal() or state.is_drawn()
        words[step, 0] = u64(player + 1)
        words[step, 1] = u64(1) if over else u64(0)
        first_count = 0
        for listing in range(3):
            count = 0
            if not over and player == CHANCE and listing == 0:
                count = state.chances(actions, probabilities)
            elif not over and player != CHANCE:
                if listing == 0:
                    count = state.actions(actions)
                    for i in range(min(count, 4)):
                        reals[step, 2] += (i + 1) * f64(state.order(actions[i]))
                elif listing == 1:
                    count = state.forcing(actions)
                elif state.offers_solving():
                    count, least, greatest = state.solving(actions)
                    words[step, 15] = u64(16 * (i64(least) + 4) + i64(greatest) + 4)
            digest = u64(count)
            for i in range(count):
                digest = mix(digest + u64(actions[i]))
                if player == CHANCE:
                    digest = mix(digest + u64(i64(probabilities[i] * 1e12 + 0.5)))
            words[step, 2 + listing] = digest
            if listing == 0:
                first_count = count
        for p in range(players):
            if first_count == 0:
                reals[step, 0] += (p + 1) * state.utility(p)
            elif player != CHANCE:
                reals[step, 1] += (p + 1) * state.evaluate(p, weights)
        is_choice = first_count > 0 and player != CHANCE
        if is_choice:
            words[step, 5] = u64(state.count_actions(actions))
            if state.offers_choose():
                words[step, 6] = u64(state.choose(actions, source) + 1)
            words[step, 7] = u64(state.reversible())
            words[step, 14] = u64(1) if state.urgent() else u64(0)
        for change in range(3 + 2 * players):
            states[spare] = states[step]
            column = 9 + change
            if change == 1:
                states[spare].canonical()
            elif change == 2 and is_choice:
                words[step, 8] = u64(1) if states[spare].pass_turn() else u64(0)
            elif change > 2:
                p = (change - 3) // 2
                column = 12 + (change - 3) % 2
                states[spare].observe(p)
                if column == 13:
                    states[spare].deal(p, source)
            words[step, column] = mix(words[step, column] + states[spare].key())
        if step < len(moves):
            states[step + 1] = states[step]
            states[step + 1].play(moves[step])

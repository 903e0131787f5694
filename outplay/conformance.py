"""One conformance test that every game passes: random games, played uncompiled and compiled, against the contract's promises.

>>> from outplay.game import load
>>> print(check_game(load("tic-tac-toe"), games=5))
tic-tac-toe keeps its promises: 5 random games, ... positions, compiled and uncompiled alike

A game that breaks a promise gets one line that names the promise, the position and the seed that shows it; `games=1` with that seed
shows it again. The promises are those of `outplay.rules`, in the words of `PROMISES`. First the rules run in plain Python, where a
wrong index is caught and not a crash; only a game that passes there is compiled and must then do the same, step for step.
"""

from __future__ import annotations

import heapq
import itertools
import math
import time
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
    "player": "the player to move is one of the players, or CHANCE where the game has chance",
    "chances": "the probabilities of a chance node are positive and sum to one",
    "draw": "draw gives whole numbers from 0 and changes nothing; where outcomes are listed too, each as often as its probability",
    "utilities": "utilities lie within `bounds`, sum to `total` over the sides, and are equal for partners",
    "drawn": "a draw by rule is worth the same to every side",
    "reversible": "reversible grows by one ply at the most, and no equal position lies further back than it says",
    "pure": "asking a position changes nothing, and the same action always has the same result",
    "copies": "a copy that is played on leaves the original as it was",
    "notation": "a position's text reads back as the same position, with the same key",
    "action notation": "action texts differ, have no spaces or commas, and read back as the same action",
    "garbage": "a text that is no position or action gets a clear error, never a crash or a wrong position",
    "refusal": "an action that is not legal is refused",
    "key": "positions of equal keys have the same player and the same actions",
    "symmetries": "a twin has the same player, actions by transform_action, outcomes and evaluation; symmetry 0 changes nothing",
    "canonical": "twins have one representative, which canonical leaves as it is; it returns the symmetry that leads there",
    "evaluation": "an evaluation is a number below `scale` times the greatest utility, equal for partners, and cancels between two "
                  "zero-sum sides",
    "points": "an evaluation counts in points of which one is something: the engine works with whole ones",
    "choices": "forcing, solving and choose give legal actions only, and actions(None) counts all of them",
    "proof": "the bounds of solving and settle hold, and the best action of solving is as good as any (as a short search can tell)",
    "order": "order is a whole number for every action, above 0 for those that forcing lists (unless all must answer a threat)",
    "policy": "policy is a weight from 0 up, above 0 for one action at least; prior wins no more virtual games than it plays",
    "planes": "planes fills numbers of the shape `plane_shape`, and the same ones however the room looked before",
    "targets": "targets are numbers from -1 to 1, and turn with the board as the actions of the same numbers do",
    "outcome": "outcomes are from 0 to 1, `outcome_worth` makes utilities of them, and `outcome_flip` what the other side sees",
    "network": "network names one of the `networks`",
    "path": "cost is a whole number from 1 up; estimate is one from 0 up, 0 at the goal, and never more than a path there costs",
    "redundant": "what a redundant action leads to is also reached without it, and not at a higher cost",
    "derived": "refresh gives the derived fields the very values that play, parse, deal, observe and transform left there",
    "pass": "pass_turn gives the move to another side, or returns False and changes nothing",
    "view": "observing twice is observing once, and a dealt position looks the same to the player it was dealt for",
    "hidden": "what a player does not see can be dealt differently: something is hidden",
    "recall": "a view tells all that its player saw and did when it was to move before (else say `recall = False`)",
    "picture": "every action of a player has its touches, inside the board",
    "compiled": "compiled rules do what uncompiled rules do, step for step",
}
ENOUGH_GAMES, ENOUGH_STEPS = 3, 200
"""So many games are played whatever the time, and so many moves of each."""
MOST_CHILDREN = 500
"""Twins with more actions than this are compared by their number alone."""
SAMPLES = 2000
"""Draws from a chance node whose probabilities are known."""
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


def check_game(game: Game, games: int = 1000, seed: int = 0, progress: Callable[[int, int], None] | None = None,
               seconds: float = 6.0) -> Report:
    """Play random games and raise a `RulesError` that tells of every broken promise; `progress` gets (games done, games).

    Games in plain Python end after about `seconds` (some are played in any case), and the report says how many they were.
    A game loaded with `compiled=False` is checked in plain Python only.
    """
    if games < 1:
        raise BadValue(f"games must be 1 or more, got {games}")
    started = time.perf_counter()
    rules = getattr(game, "rules", None)
    plain: Game = CompiledGame(rules, compiled=False) if rules else game
    compiles = isinstance(game, CompiledGame) and game._compiled is not False
    checker = Checker(plain, started + seconds)
    played: list[list[Any]] = []
    while len(played) < games:
        number = len(played)
        checker.seed = seed + number
        played.append(checker.random_game())
        if progress:
            progress(number + 1, 2 * games if compiles else games)
        if time.perf_counter() - started > seconds and number + 1 >= ENOUGH_GAMES:
            games = number + 1
    checker.after_all()
    if not checker.broken and compiles:
        for number, moves in enumerate(played):
            checker.seed = seed + number
            checker.compare(moves if number == 0 else moves[:ENOUGH_STEPS])
            if checker.broken:
                break
            if progress:
                progress(games + number + 1, 2 * games)
            if time.perf_counter() - started > 1.5 * seconds and number + 1 >= ENOUGH_GAMES:
                break
    if checker.broken:
        raise RulesError(f"{game.name}: " + "; ".join(checker.broken.values()))
    return Report(game.name, games, checker.positions, compiles, time.perf_counter() - started)


class Checker:
    """The state of one check: what was broken first, and which keys were met."""

    def __init__(self, game: Game, until: float = math.inf) -> None:
        self.game = game
        self.until = until  # when to hurry
        self.rules: Any = getattr(game, "rules", None)
        self.broken: dict[str, str] = {}
        self.seed = 0
        self.positions = 0
        self.keys: dict[int, tuple[Any, Position]] = {}
        self.hidden = False
        self.games_played = 0
        self.where: Any = "the start"
        self.most_points = 0.0
        self.plies_of: dict[int, int] = {}  # in this game, by key: when a position came up last
        self.outcomes: set[Any] = set()  # of chance, drawn
        self.recalled: dict[Any, tuple[Any, Position]] = {}

    # ------------------------------------------------ reporting

    def need(self, promise: str, kept: bool, what: str) -> None:
        """Note a promise that is broken here; the first position that shows it is enough."""
        if not kept and promise not in self.broken:
            where = self.where
            if isinstance(where, Position):
                try:
                    where = f"position {shorten(where.text(), 300)!r}"
                except Exception:  # the author's text() is what fails
                    where = f"position {where.state!r}"
            self.broken[promise] = f"{PROMISES[promise]}, but {what} ({where}, seed {self.seed})"

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
        passed: list[Position] = []
        self.where = "the start"
        broken_before = len(self.broken)
        most_steps = 100 if self.broken else MOST_STEPS
        pasts: dict[int, tuple] = dict.fromkeys(range(self.game.traits.players), ())
        with self.guarded("a method"), np.errstate(over="ignore"):
            position = start = self.game.start()
            looked_at = below(source, 20)  # the slow checks look at some of the positions only
            while True:
                self.where = position
                self.positions += 1
                passed.append(position)
                self.facts(position)
                if len(self.broken) > broken_before:
                    break
                self.draws(position, passed)
                if len(moves) in (0, looked_at) or position.is_terminal():
                    self.look_closely(position)
                if self.game.offers("observe"):
                    if self.games_played < 20 or len(moves) == looked_at:
                        self.views(position, source)
                    self.recall(position, pasts)
                late = len(moves) >= ENOUGH_STEPS and time.perf_counter() > self.until
                if len(self.broken) > broken_before or position.is_terminal() or len(moves) >= most_steps or late:
                    break
                action = self.draw(position, source)
                if self.game.offers("observe") and position.player() >= 0:
                    seat = position.player()
                    pasts[seat] = (*pasts[seat], position.observe(seat), action)
                position = self.step(position, action, twice=self.games_played < 50)
                moves.append(action)
            if len(self.broken) == broken_before:
                texts = [each.action_text(action) for each, action in zip(passed, moves, strict=False)]
                replayed = start.play(texts)
                self.need("action notation", replayed == position, f"the start and {shorten(' '.join(texts))!r} lead elsewhere")
                self.games_played += 1
                for last in passed[-4:]:
                    self.where = last
                    self.proof(last)
                self.paths(passed, moves)
        return moves

    def draw(self, position: Position, source: np.ndarray) -> Any:
        """One random action, or one outcome of chance by its probability."""
        if position.is_chance():
            return position.sample_chance(source)
        actions = position.actions()
        return actions[below(source, len(actions))]

    def step(self, position: Position, action: Any, twice: bool) -> Position:
        """The position after an action, made sure of by making it twice."""
        after = position.result(action)
        if not twice:
            return after
        again = position.result(action)
        if after != again:
            name = position.action_text(action)
            self.need("pure", False, f"{name} leads to {after.text()!r} once and to {again.text()!r} the next time")
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
                sides = game.sides or tuple((seat,) for seat in range(traits.players))
                equal = all(len({utilities[seat] for seat in side}) == 1 for side in sides)
                self.need("utilities", equal, f"they are {utilities} with the sides {sides}")
                if traits.total is not None:
                    kept = abs(math.fsum(utilities[side[0]] for side in sides) - traits.total) <= 1e-6
                    self.need("utilities", kept, f"they are {utilities} with total {traits.total:g}")
                if self.rules and "is_drawn" in self.rules.offered and position.is_drawn() and position.moves():
                    self.need("drawn", len(set(utilities)) == 1, f"they are {utilities}")
                self.remember_key(position)
                return
            if position.is_sampled():
                self.drawing(position)
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
        sides = self.game.sides or tuple((seat,) for seat in range(traits.players))
        self.most_points = max(self.most_points, *map(abs, values))
        most = traits.scale * max(abs(bound) for bound in traits.bounds)
        kept = all(math.isfinite(value) and abs(value) < most for value in values)
        self.need("evaluation", kept, f"evaluate gives {values} where a finished game is worth up to {most:g}")
        equal = all(len({values[seat] for seat in side}) == 1 for side in sides)
        self.need("evaluation", equal, f"evaluate gives {values} with the sides {sides}")
        if traits.sides == 2 and traits.sum == "zero" and kept:
            both = values[sides[0][0]], values[sides[1][0]]
            self.need("evaluation", abs(sum(both)) <= 1e-6 * most, f"the two sides' evaluations are {both}")

    def remember_key(self, position: Position) -> None:
        """Positions of equal keys must be equal in all that a search asks of them."""
        if not self.rules:
            return
        with self.guarded("key"):
            key = self.game.key(position.state)
            facts = (position.player(), frozenset(position.actions()), position.utilities() if position.is_terminal() else ())
            known, where = self.keys.setdefault(key, (facts, position))
            if known != facts:
                self.need("key", False, f"{shorten(where.text(), 300)!r} has the same key {key:#x}")

    # ------------------------------------------------ a close look at one position

    def look_closely(self, position: Position) -> None:
        """The promises that take longer to check."""
        checks = [self.notation, self.refusals, self.garbage, self.picture]
        if self.rules:
            checks += [self.copies, self.choices, self.symmetries, self.passing, self.derived, self.weights]
            checks += [self.planes, self.lessons, self.path]
        if position.is_chance() and self.game.offers("draw"):
            checks.append(self.drawing)
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
        if position.is_sampled():
            return
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
                goes_on = read.is_terminal() or len(read.actions()) > 0 or read.is_sampled()
                stable = self.game.position(read.text()) == read and goes_on
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
                quiet = [each for each in listed & actions if "order" in rules.offered and position.order(each) <= 0]
                self.need("order", not quiet or bool(record.urgent()), f"forcing lists {quiet[:1]} and its order is not above 0")
            if "solving" in rules.offered:
                listed = set(out[: record.solving(out)[0]].tolist())
                self.need("choices", listed <= actions and bool(listed) == bool(actions), f"solving gives {sorted(listed)}")
            if rules.bulk_counting:
                count = int(record.actions(None))
                self.need("choices", count == len(position.moves()), f"actions(None) gives {count} of {len(position.moves())}")
            if "choose" in rules.offered:
                chosen = int(record.choose(out, random_source(self.seed)))
                self.need("choices", chosen in actions if actions else chosen == -1, f"choose gives {chosen}")
            if "order" in rules.offered:
                ranks = [float(record.order(rules.action_type(action))) for action in position.actions()]
                whole = all(math.isfinite(rank) and abs(rank) < 2**31 and rank == int(rank) for rank in ranks)
                self.need("order", whole, f"it is {ranks}")
        self.need("pure", record.tobytes() == position.state, "asking for forcing, solving, choose or order changed it")

    def proof(self, position: Position) -> None:
        """What a game claims to prove is true, as far as a short search from the end of a game can tell."""
        traits = self.game.traits
        two_sided = traits.sides == 2 and traits.sum == "zero" and not traits.chance
        if not self.rules or self.rules.offered.isdisjoint({"solving", "settle"}) or position.is_terminal() or not two_sided:
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
            if "settle" in self.rules.offered:
                for low in (round(best) - 1, round(best), round(best) + 1):
                    _, least, greatest = record.settle(low, low + 1)
                    self.need("proof", least <= best <= greatest, f"settle gives {least} to {greatest} where {best:g} is true")
            if "solving" not in self.rules.offered:
                return
            out = self.rules.room(len(values) + 64)
            count, least, greatest = record.solving(out)
            self.need("proof", least <= best <= greatest, f"solving gives {least} to {greatest} where {best:g} is true")
            kept = [values.get(action) for action in out[:count].tolist()]
            self.need("proof", best in kept, f"its actions are worth {kept}, the best action {best:g}")

    def symmetries(self, position: Position) -> None:
        """Twins are worth the same, their actions correspond, and they have one representative."""
        game: Any = self.game
        twins = [position]
        if "transform" in self.rules.offered:
            for symmetry in range(game.symmetries):
                twin = position.transform(symmetry)
                twins.append(twin)
                self.need("symmetries", symmetry > 0 or twin == position, f"symmetry 0 leads to {twin.text()!r}")
                self.same("symmetries", position, twin, f"the twin {twin.text()!r} by symmetry {symmetry}")
                if "transform_action" in self.rules.offered and not position.is_chance() and not position.is_terminal():
                    mapped = {action: position.transform_action(symmetry, action) for action in position.actions()}
                    right = sorted(mapped.values()) == sorted(twin.actions())
                    self.need("symmetries", right, f"transform_action({symmetry}, ...) gives {sorted(mapped.values())}")
                    for action, other in list(mapped.items())[:8] if right else ():
                        alike = position.result(action).transform(symmetry) == twin.result(other)
                        self.need("symmetries", alike, f"{position.action_text(action)} and symmetry {symmetry} do not commute")
        if "canonical" in self.rules.offered:
            chosen = [Position(game, game.canonical(each.state)[0]) for each in twins]
            other = next((each for each in chosen if each != chosen[0]), None)
            self.need("canonical", other is None, f"a twin of it has the representative {other}, it has {chosen[0]}")
            again = Position(game, game.canonical(chosen[0].state)[0])
            self.need("canonical", again == chosen[0], f"its representative {chosen[0].text()!r} has another, {again.text()!r}")
            self.same("canonical", position, chosen[0], f"its representative {chosen[0].text()!r}")
            if "transform" in self.rules.offered:
                symmetry = game.canonical(position.state)[1]
                told = 0 <= symmetry < game.symmetries and position.transform(symmetry) == chosen[0]
                self.need("canonical", told, f"canonical returns {symmetry}, and the representative is {chosen[0].text()!r}")

    def same(self, promise: str, position: Position, twin: Position, what: str) -> None:
        """What a search sees of two positions is the same, whatever the actions are called."""
        self.need(promise, twin.player() == position.player() and _ahead(twin) == _ahead(position), f"{what} differs")
        if self.game.offers("evaluate") and not position.is_terminal():
            both = twin.evaluate(0), position.evaluate(0)
            self.need(promise, abs(both[0] - both[1]) < 1e-6, f"it evaluates to {both[1]}, {what} to {both[0]}")

    def draws(self, position: Position, passed: list[Position]) -> None:
        """The count of reversible plies tells how far back to look for an equal position."""
        if not self.rules or "reversible" not in self.rules.offered:
            return
        back = position.reversible()
        before = passed[-2].reversible() if len(passed) > 1 else back
        self.need("reversible", 0 <= back <= before + 1, f"it is {back} after {before}")
        if len(passed) == 1:
            self.plies_of.clear()
        key = self.game.key(position.state)
        distance = len(passed) - self.plies_of.get(key, len(passed))
        self.need("reversible", distance <= back, f"it is {back}, and the same position lies {distance} plies back")
        self.plies_of[key] = len(passed)

    def drawing(self, position: Position) -> None:
        """Drawn outcomes are outcomes, and come as often as they should."""
        game: Any = self.game
        source = random_source(self.seed)  # words of 64 bits wrap around in it
        number = SAMPLES if not position.is_sampled() and len(self.outcomes) == 0 else 4
        with np.errstate(over="ignore"):
            drawn = [game.draw(position.state, source) for _ in range(number)]
        self.outcomes.update(drawn)
        good = all(game.can_draw(position.state, each) for each in drawn)
        self.need("draw", good, f"it gives {drawn[:4]}")
        if self.rules:
            record = self.record(position)
            record.draw(source)
            self.need("draw", record.tobytes() == position.state, "it changed the position")
        for outcome, probability in position.chances() if number == SAMPLES else ():
            off = abs(drawn.count(outcome) - number * probability)
            kept = off <= 5 * math.sqrt(number * probability * (1 - probability)) + 1
            self.need("draw", kept, f"{outcome} came {drawn.count(outcome)} times of {number}, its probability is {probability:g}")
        if not position.is_sampled():
            strange = set(drawn) - set(position.actions())
            self.need("draw", not strange, f"{sorted(strange)[:3]} are not among the listed outcomes")

    def derived(self, position: Position) -> None:
        """The derived fields follow from the others, whoever changed those."""
        if not self.rules.derived:
            return
        game: Any = self.game
        made = {"play, start or parse": position.state, "parse": game.parse(position.text())}
        for symmetry in range(game.symmetries) if "transform" in self.rules.offered else ():
            made[f"transform({symmetry})"] = game.transform(position.state, symmetry)
        if "canonical" in self.rules.offered:
            made["canonical"] = game.canonical(position.state)[0]
        for seat in range(game.players) if game.offers("observe") else ():
            made[f"observe({seat})"] = game.observe(position.state, seat)
            made[f"deal({seat}, ...)"] = position.deal(seat, self.seed).state
        for action in position.actions()[:16]:
            made[f"play({action})"] = position.result(action).state
        for what, state in made.items():
            record = game.record(state)
            with np.errstate(over="ignore"):
                record.refresh()
            wrong = [field for field in self.rules.derived if (record[field] != game.record(state)[field]).any()]
            self.need("derived", not wrong, f"after {what} {', '.join(wrong)} differs")

    def weights(self, position: Position) -> None:
        """What guides Monte Carlo search are weights."""
        offered = self.rules.offered & {"policy", "prior"}
        if not offered or position.is_terminal() or position.is_chance():
            return
        record = self.record(position)
        with np.errstate(over="ignore"):
            if "policy" in offered:
                given = [float(record.policy(self.rules.action_type(action))) for action in position.actions()]
                kept = all(0.0 <= each < math.inf for each in given) and max(given) > 0
                self.need("policy", kept, f"policy gives {given}")
            if "prior" in offered:
                pairs = [tuple(map(float, record.prior(self.rules.action_type(action)))) for action in position.actions()]
                kept = all(0.0 <= won <= played < math.inf for won, played in pairs)
                self.need("policy", kept, f"prior gives {pairs}")
        self.need("pure", record.tobytes() == position.state, "asking for policy or prior changed it")

    def planes(self, position: Position) -> None:
        """A network's input is a full picture of the position."""
        if "planes" not in self.rules.offered:
            return
        record = self.record(position)
        for seat in range(self.game.players):
            clean = np.zeros(self.rules.plane_shape, np.float32)
            full = np.full(self.rules.plane_shape, 7.0, np.float32)
            with np.errstate(over="ignore"):
                record.planes(seat, clean)
                record.planes(seat, full)
            self.need("planes", bool(np.isfinite(clean).all()), f"seat {seat} gets numbers that are not finite")
            self.need("planes", bool((clean == full).all()), f"seat {seat} gets what was in the room before")
        self.need("pure", record.tobytes() == position.state, "asking for planes changed it")

    def lessons(self, position: Position) -> None:
        """What a finished game teaches a network, and which network judges a position."""
        rules, record = self.rules, self.record(position)
        if "network" in rules.offered:
            number = int(record.network())
            self.need("network", 0 <= number < rules.networks, f"it names {number}, and there are {rules.networks}")
        if not position.is_terminal():
            return
        if "targets" in rules.offered:
            own = np.zeros(rules.target_count)
            record.targets(own)
            self.need("targets", bool((np.abs(own) <= 1).all()), f"they reach from {own.min():g} to {own.max():g}")
            for symmetry in range(1, rules.symmetries):
                twin, turned = self.record(position), np.zeros(rules.target_count)
                with np.errstate(over="ignore"):
                    places = [int(twin.transform_action(symmetry, at)) for at in range(rules.target_count)]
                    twin.transform(symmetry)
                    twin.targets(turned)
                self.need("targets", bool((turned[places] == own).all()), f"symmetry {symmetry} turns them otherwise")
        if "outcome" in rules.offered:
            seen = np.zeros((2, rules.outcomes), np.float32)
            for seat in range(2):
                record.outcome(seat, seen[seat])
                worth = float(np.dot(rules.outcome_worth[:-1], seen[seat]) + rules.outcome_worth[-1])
                inside = bool(((seen[seat] >= 0) & (seen[seat] <= 1)).all())
                self.need("outcome", inside, f"seat {seat} gets {seen[seat].tolist()}")
                won = position.utility(seat)
                self.need("outcome", worth * won > 0 or worth == won, f"seat {seat} got {won:g} and they are worth {worth:g}")
            flipped = [offset + factor * seen[0][int(index)] for index, offset, factor in rules.outcome_flip]
            self.need("outcome", flipped == seen[1].tolist(), f"flipped they are {flipped}, and {seen[1].tolist()} to the other")

    # ------------------------------------------------ problems for one

    def path(self, position: Position) -> None:
        """Costs, estimates and redundant actions, as far as a short search from here can tell."""
        offered = self.rules.offered & {"cost", "estimate", "redundant"}
        if not offered or self.game.players != 1 or self.game.traits.chance:
            return
        for action in position.actions():
            cost = float(self.record(position).cost(self.rules.action_type(action)))
            self.need("path", cost >= 1 and cost == int(cost), f"{position.action_text(action)} costs {cost:g}")
        if "estimate" in offered:
            estimate = float(self.record(position).estimate())
            self.need("path", estimate >= 0 and estimate == int(estimate), f"the estimate is {estimate:g}")
            self.need("path", estimate == 0 or not position.is_solved(), f"the estimate is {estimate:g} at the goal")
            nearest = _cost_to_goal(position, 300)
            if nearest is not None:
                self.need("path", estimate <= nearest, f"the estimate is {estimate:g}, and a path costs {nearest:g}")
        if "redundant" in offered:
            self.detours(position)

    def detours(self, position: Position) -> None:
        """Where two actions in a row are redundant, one, none or two others lead to the same at no higher cost."""
        record = self.record(position)
        reached: dict[Position, float] = {position: 0.0}
        skipped: list[tuple[Position, float, str]] = []
        for first in position.actions():
            middle = position.result(first)
            reached[middle] = min(reached.get(middle, math.inf), position.cost(first))
            for second in middle.actions():
                end, cost = middle.result(second), position.cost(first) + middle.cost(second)
                if record.redundant(self.rules.action_type(first), self.rules.action_type(second)):
                    skipped.append((end, cost, f"{position.action_text(first)} {middle.action_text(second)}"))
                else:
                    reached[end] = min(reached.get(end, math.inf), cost)
        for end, cost, names in skipped:
            self.need("redundant", reached.get(end, math.inf) <= cost, f"{names} leads where no other path does")

    def paths(self, passed: list[Position], moves: list[Any]) -> None:
        """An estimate is never more than what the game that was played cost from there."""
        if not self.rules or "estimate" not in self.rules.offered or not passed[-1].is_solved() or self.game.traits.chance:
            return
        left = 0.0
        for position, action in zip(reversed(passed[:-1]), reversed(moves), strict=True):
            left += position.cost(action)
            self.where = position
            self.need("path", position.estimate() <= left, f"the estimate is {position.estimate():g}, and a path costs {left:g}")

    def passing(self, position: Position) -> None:
        """A null move gives the move away."""
        if "pass_turn" not in self.rules.offered or position.is_terminal() or position.is_chance():
            return
        with np.errstate(over="ignore"):
            record = self.record(position)
            passed = bool(record.pass_turn())
        after = self.as_position(record)
        if passed:
            self.need("pass", after.side() != position.side(), f"{after.player()} is to move")
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

    def recall(self, position: Position, pasts: dict[int, tuple]) -> None:
        """Whoever is to move can tell from its view what it saw and did when it was to move before."""
        seat = position.player()
        if not self.game.traits.recall or seat < 0 or position.is_terminal():
            return
        view = position.observe(seat)
        known, where = self.recalled.setdefault((seat, view), (pasts[seat], position))
        if known != pasts[seat]:
            self.need("recall", False, f"seat {seat} sees the same in {shorten(where.text(), 200)!r}, after another past")

    def after_all(self) -> None:
        """What only many games together can show."""
        if self.game.offers("observe") and not self.broken and self.games_played >= 20:  # few games may deal the truth by chance
            self.where = "all positions"
            self.need("hidden", self.hidden, "every dealt position was the true one")
        traits = self.game.traits
        counted = traits.sides == 2 and not traits.chance and traits.information == "perfect"  # by the alpha-beta kernel
        if self.rules and self.game.offers("evaluate") and counted and 0 < self.most_points < 1:
            self.where = "all positions"
            self.need("points", False, f"no evaluation exceeds {self.most_points:g}: multiply it, such as by 100")
        if self.rules and self.rules.traits.sampled and len(self.outcomes) == 1:
            self.where = "all positions"
            self.need("draw", False, f"it always gives {next(iter(self.outcomes))}")

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
            words, reals = np.zeros((len(moves) + 1, len(COLUMNS)), np.uint64), np.zeros((len(moves) + 1, len(REALS)))
            with np.errstate(over="ignore"), self.guarded("a compiled method" if run is _follow else "a method"):
                run(states, played, actions, probabilities, rules.weights, random_source(self.seed), words, reals, rules.players,
                    rules.symmetries, np.zeros(rules.plane_shape or (1, 1, 1), np.float32))
            if self.broken:
                return
            seen.append((states.view(np.uint8).reshape(len(states), -1), words, reals))
        (states, words, reals), (other_states, other_words, other_reals) = seen
        for step in range(len(moves) + 1):
            if (states[step] != other_states[step]).any():
                now = game.text(other_states[step].tobytes())
                if step:
                    self.where = Position(game, states[step - 1].tobytes())
                then = game.text(states[step].tobytes())
                action = moves[step - 1] if step else ""
                both = f"{shorten(now, 200)!r} compiled and to {shorten(then, 200)!r} uncompiled"
                self.need("compiled", False, f"play({action}) leads to {both}")
            self.where = Position(game, states[step].tobytes())
            for column, name in enumerate(COLUMNS):
                mine, theirs = int(words[step, column]), int(other_words[step, column])
                self.need("compiled", mine == theirs, f"{name} gives {theirs:#x} compiled and {mine:#x} uncompiled")
            for column, name in enumerate(REALS):
                real, other = float(reals[step, column]), float(other_reals[step, column])
                close = math.isclose(real, other, rel_tol=1e-6, abs_tol=1e-6)
                self.need("compiled", close, f"{name} gives {other} compiled and {real} uncompiled")
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


def _cost_to_goal(position: Position, most: int) -> float | None:
    """What the cheapest path to the goal costs, or None where so many positions are not enough to tell (uniform-cost search)."""
    tie = itertools.count()
    waiting: list[tuple[float, int, Position]] = [(0.0, next(tie), position)]
    done: set[Position] = set()
    while waiting and len(done) < most:
        cost, _, here = heapq.heappop(waiting)
        if here in done:
            continue
        done.add(here)
        if here.is_solved():
            return cost
        for action in here.actions():
            heapq.heappush(waiting, (cost + here.cost(action), next(tie), here.result(action)))
    return None


def _ahead(position: Position) -> Any:
    """What the next two moves can bring, whatever the actions are called."""
    if position.is_terminal():
        return position.utilities()
    if len(position.actions()) > MOST_CHILDREN or position.is_sampled():
        return len(position.actions())
    children = [position.result(action) for action in position.actions()]
    outcomes = [(child.player(), len(child.actions()), child.utilities() if child.is_terminal() else ()) for child in children]
    return len(position.actions()), sorted(outcomes)


COLUMNS = ("player", "is_terminal", "actions or chances", "forcing", "solving", "actions(None)", "choose", "reversible",
           "pass_turn", "key", "key after canonical", "key after pass_turn", "key after observe", "key after deal",
           "urgent", "the bounds of solving", "is_drawn", "key after transform", "transform_action", "draw", "cost", "estimate",
           "redundant", "side")
REALS = ("utility", "evaluate", "order", "policy", "prior", "planes", "the weight of deal")


@kernel
def _follow(states: Any, moves: Any, actions: Any, probabilities: Any, weights: Any, source: Any, words: Any, reals: Any,
            players: Any, symmetries: Any, planes: Any) -> None:
    """Play the given moves and write down what every method says on the way; each is called in one place, to compile fast."""
    spare = len(states) - 1
    for step in range(len(moves) + 1):
        state = states[step]
        player = state.player()
        over = state.is_terminal() or state.is_drawn()
        words[step, 0] = u64(player + 1)
        words[step, 1] = u64(1) if state.is_terminal() else u64(0)
        words[step, 16] = u64(1) if state.is_drawn() else u64(0)
        words[step, 23] = u64(state.side(player) + 1)
        first_count = 0
        for listing in range(3):
            count = 0
            if not over and player == CHANCE and listing == 0:
                count = state.chances(actions, probabilities)
            elif not over and player != CHANCE:
                if listing == 0:
                    count = state.actions(actions)
                    for i in range(min(count, 4)):
                        action = actions[i]
                        reals[step, 2] += (i + 1) * f64(state.order(action))
                        if state.offers_policy():
                            reals[step, 3] += (i + 1) * f64(state.policy(action))
                        if state.offers_prior():
                            won, of = state.prior(action)
                            reals[step, 4] += (i + 1) * (f64(won) + 3 * f64(of))
                        if state.offers_transform_action():
                            for symmetry in range(symmetries):
                                words[step, 18] = mix(words[step, 18] + u64(state.transform_action(symmetry, action)))
                        if state.offers_cost():
                            words[step, 20] += u64(state.cost(action))
                        if state.offers_redundant() and step > 0:
                            words[step, 22] = 2 * words[step, 22] + (u64(1) if state.redundant(moves[step - 1], action) else u64(0))
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
        if state.offers_draw() and player == CHANCE and not over:
            words[step, 19] = u64(state.draw(source))
        if state.offers_estimate():
            words[step, 21] = u64(state.estimate())
        if state.offers_planes():
            for p in range(players):
                state.planes(p, planes)
                for plane in range(planes.shape[0]):
                    for row in range(planes.shape[1]):
                        for column in range(planes.shape[2]):
                            reals[step, 5] += planes[plane, row, column] * (1 + plane + 7 * row + 31 * column)
        if state.offers_transform():
            for symmetry in range(1, symmetries):
                states[spare] = states[step]
                states[spare].transform(symmetry)
                words[step, 17] = mix(words[step, 17] + states[spare].key())
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
                    reals[step, 6] += (p + 1) * f64(states[spare].deal(p, source))
            words[step, column] = mix(words[step, column] + states[spare].key())
        if step < len(moves):
            states[step + 1] = states[step]
            states[step + 1].play(moves[step])

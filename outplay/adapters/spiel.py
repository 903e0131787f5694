"""OpenSpiel both ways: our games for its algorithms, its games for ours.

>>> import outplay
>>> from outplay.adapters.spiel import to_spiel
>>> kuhn = to_spiel("kuhn poker")                   # a pyspiel.Game: its CFR, MCTS and exploitability take it
>>> from open_spiel.python.algorithms import exploitability
>>> from open_spiel.python import policy
>>> float(exploitability.nash_conv(kuhn, policy.UniformRandomPolicy(kuhn)).round(4))
0.9167

>>> hex = outplay.load("spiel:hex,board_size=3")    # an Outplay game: textbook, matches, studio
>>> outplay.best(hex.start(), "alphabeta").value
1.0

A game of OpenSpiel is a plain game here: it runs at its own speed, and the engine's compiled searches refuse it in one line.
Its parameters are written as ours are (`spiel:hex,board_size=5`); a position is written as the list of its actions' numbers.
Simultaneous moves become moves in turn, the first hidden. Games whose chance cannot be listed, and mean field games, are refused.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from outplay.adapters.spaces import MOST_PLACES, Actions, View
from outplay.errors import BadNotation, BadValue, Unavailable, UnknownName, Unsuitable, shorten
from outplay.game import Game, Position, load
from outplay.jit import uniform
from outplay.names import NO, YES, number
from outplay.picture import Cell, Picture
from outplay.playing import drawn
from outplay.values import CHANCE
from outplay.views import plain

try:
    import pyspiel
except ImportError:
    raise Unavailable("OpenSpiel is not installed here: install it with `pip install outplay[spiel]`") from None

MOST_LINES = 40
"""Lines of OpenSpiel's text of a state that a picture shows."""
TRIES, MOST_TRIED = 20, 5_000
"""Plays at random, and then states of a walk, in which a state is looked for that a seat cannot tell from the one it is in."""
EXCHANGES = 6
"""Exchanges tried for each outcome of chance."""
LONGEST = 10_000
"""Plies that a game of ours may last, as far as OpenSpiel is told."""

# ---------------------------------------------------------------- games of OpenSpiel here


class Moment:
    """A state of OpenSpiel that never changes; two are equal when the same actions led to them."""

    __slots__ = ("history", "inner")

    def __init__(self, inner: Any) -> None:
        self.inner, self.history = inner, tuple(inner.history())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moment) and type(other) is type(self) and self.history == other.history

    def __hash__(self) -> int:
        return hash(self.history)


class Glimpse(Moment):
    """What one seat knows of a moment: equal to any other that looks the same to it."""

    __slots__ = ("seat", "seen")

    def __init__(self, inner: Any, seat: int) -> None:
        super().__init__(inner)
        self.seat, self.seen = seat, _told(inner, seat)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Glimpse) and (self.seat, self.seen) == (other.seat, other.seen)

    def __hash__(self) -> int:
        return hash((self.seat, self.seen))


def _told(inner: Any, seat: int) -> str:
    kind = inner.get_game().get_type()
    return inner.information_state_string(seat) if kind.provides_information_state_string else inner.observation_string(seat)


class SpielGame(Game):
    """A game of OpenSpiel as a plain game."""

    def __init__(self, name: str, inner: Any) -> None:
        kind = inner.get_type()
        self.name, self.inner = name, inner
        self.__doc__ = f"{kind.long_name}, as OpenSpiel has it."
        self.players = inner.num_players()
        self.bounds = (float(inner.min_utility()), float(inner.max_utility()))
        utility = pyspiel.GameType.Utility
        total = {utility.ZERO_SUM: 0.0, utility.CONSTANT_SUM: inner.utility_sum()}.get(kind.utility)
        self.total = None if total is None else float(total)
        self.policy_size = self.most_actions = inner.num_distinct_actions()

    def initial(self) -> Moment:
        """OpenSpiel's initial state."""
        return Moment(self.inner.new_initial_state())

    def player(self, state: Moment) -> int:
        """Who is to move."""
        inner = state.inner
        return CHANCE if inner.is_chance_node() else max(0, int(inner.current_player()))

    def actions(self, state: Moment) -> Iterable[int]:
        """The legal actions."""
        return state.inner.legal_actions()

    def result(self, state: Moment, action: Any) -> Moment:
        """The state after an action."""
        return Moment(state.inner.child(int(action)))

    def is_terminal(self, state: Moment) -> bool:
        """Whether the game is over."""
        return bool(state.inner.is_terminal())

    def utility(self, state: Moment, player: int) -> float:
        """A player's return."""
        return float(state.inner.returns()[player])

    def text(self, state: Moment) -> str:
        """The actions that led here; of a glimpse, what OpenSpiel tells its seat."""
        if isinstance(state, Glimpse):
            return " ".join(state.seen.split())
        return " ".join(map(str, state.history)) or "start"

    def parse(self, text: str) -> Moment:
        """The state after a list of actions' numbers, chance's included."""
        inner = self.inner.new_initial_state()
        for word in text.replace(",", " ").split():
            if word == "start":
                continue
            legal = inner.legal_actions() if not inner.is_terminal() else []
            if not word.isdecimal() or int(word) not in legal:
                raise BadNotation(f"{self.name}: {shorten(word)!r} is no legal action after {shorten(str(inner.history()))}: "
                                  f"legal are {legal[:12]}")
            inner.apply_action(int(word))
        return Moment(inner)

    def action_text(self, state: Moment, action: Any) -> str:
        """OpenSpiel's text of an action, without blanks and commas."""
        inner = state.inner
        seat = pyspiel.PlayerId.CHANCE if inner.is_chance_node() else inner.current_player()
        return re.sub(r"[\s,]+", "-", inner.action_to_string(seat, int(action)).strip()) or str(action)

    def parse_action(self, state: Moment, text: str) -> int:
        """An action by its number."""
        return int(text)

    def tensor(self, state: Moment, seat: int) -> np.ndarray:
        """What OpenSpiel lets a network see."""
        kind = self.inner.get_type()
        if kind.provides_observation_tensor:
            return np.array(state.inner.observation_tensor(seat), np.float32)
        if kind.provides_information_state_tensor:
            return np.array(state.inner.information_state_tensor(seat), np.float32)
        raise Unsuitable(f"{self.name} gives networks nothing to see: OpenSpiel has no tensor for it")

    def picture(self, state: Moment) -> Picture | None:
        """OpenSpiel's text of the state: a board where it is one, else its lines."""
        shown = state.seen if isinstance(state, Glimpse) else str(state.inner)
        lines = [line for line in shown.splitlines() if line.strip()][:MOST_LINES]
        board = plain.from_text("/".join(re.sub(r"\s+", "", line) for line in lines))
        if board is not None or not lines:
            return board
        return Picture(cells=tuple((Cell(line.rstrip()[:60], "text"),) for line in lines))


class Chancy:
    """What games with listed chance have besides."""

    def chances(self, state: Moment) -> Iterable[tuple[int, float]]:
        """The outcomes of a chance node."""
        return state.inner.chance_outcomes() if state.inner.is_chance_node() else ()


class Hiding:
    """What games with hidden information have besides."""

    name: str
    resamples = True  # until OpenSpiel says that it cannot

    def observe(self, state: Moment, player: int) -> Glimpse:
        """What a player knows."""
        return Glimpse(state.inner, player)

    def deal(self, view: Moment, player: int, source: np.ndarray) -> Moment:
        """A state that looks the same to the player: as OpenSpiel samples it, or, in the many games where it cannot, as we do."""
        if self.resamples:
            try:
                return Moment(view.inner.resample_from_infostate(player, lambda: float(uniform(source))))
            except (pyspiel.SpielError, RuntimeError):
                self.resamples = False
        found = Unseen(view.inner, player, source).deal()
        if found is None:
            raise Unsuitable(f"{self.name}: OpenSpiel cannot deal what a player of this game does not see, and none of the "
                             "states that we tried looks the same to it")
        return Moment(found)


class Unseen:
    """States that look the same to one seat, from the rules alone.

    The game is played again: the seat's own decisions as they were, chance by its probabilities, the others at random. A play that
    shows the seat something else at one of its decisions is given up; those that remain are a fair sample of what the seat cannot
    see. Where TRIES of them fail (a hand of thirteen cards is not dealt twice), each step is chosen among those alone after which
    the seat sees what it saw then, and a dead end is left again. Where a seat is shown its cards only once all are dealt, that
    does not help either, and outcomes of chance are exchanged two by two for as long as the seat notices nothing.
    """

    def __init__(self, inner: Any, seat: int, source: np.ndarray) -> None:
        self.seat, self.source, self.start = seat, source, inner.get_game().new_initial_state()
        self.final, self.mover, self.history = _told(inner, seat), inner.current_player(), inner.history()
        self.past: list[tuple[str, int]] = []
        state = self.start.clone()
        for action in self.history:
            if state.current_player() == seat:
                self.past.append((_told(state, seat), action))
            state.apply_action(action)

    def deal(self) -> Any:
        """Such a state, or None."""
        for _ in range(TRIES):
            state, own = self.start.clone(), 0
            while not self._fits(state, own):
                ways = self._ways(state, own)
                if not ways:
                    break
                own += state.current_player() == self.seat
                state.apply_action(self._take(ways))
            else:
                return state
        return self._follow() or self._exchange()

    def _fits(self, state: Any, own: int) -> bool:
        return own == len(self.past) and state.current_player() == self.mover and _told(state, self.seat) == self.final

    def _ways(self, state: Any, own: int) -> list[tuple[int, float]]:
        """What may be played here, with its probability; nothing where the seat would know that it is elsewhere."""
        if state.is_terminal() or len(state.history()) >= len(self.history):
            return []
        if state.is_chance_node():
            return state.chance_outcomes()
        if state.current_player() != self.seat:
            return [(action, 1.0) for action in state.legal_actions()]
        if own == len(self.past) or _told(state, self.seat) != self.past[own][0]:
            return []
        return [(self.past[own][1], 1.0)]

    def _take(self, ways: list[tuple[int, float]]) -> int:
        """One of the ways by its weight, which is taken out of the list."""
        wanted = float(uniform(self.source)) * sum(weight for _, weight in ways)
        chosen = 0
        for chosen, (_, weight) in enumerate(ways):  # noqa: B007, the place is wanted
            wanted -= weight
            if wanted < 0:
                break
        return ways.pop(chosen)[0]

    def _follow(self) -> Any:
        """A walk in random order, step by step as the seat saw it."""
        shown, state = [], self.start.clone()
        for action in self.history:
            state.apply_action(action)
            shown.append(_told(state, self.seat))
        stack = [(self.start, self._ways(self.start, 0), 0)]
        for _ in range(MOST_TRIED):
            state, ways, own = stack[-1]
            if not ways:
                stack.pop()
                if not stack:
                    break
                continue
            own += state.current_player() == self.seat
            after = state.child(self._take(ways))
            if _told(after, self.seat) != shown[len(stack) - 1]:
                continue
            if len(stack) == len(shown):
                if self._fits(after, own):
                    return after
                continue
            stack.append((after, self._ways(after, own), own))
        return None


    def _exchange(self) -> Any:
        """The same game with chance's outcomes exchanged many times over (a Markov chain that forgets where it began)."""
        history, state, chances = list(self.history), self.start.clone(), []
        for place, action in enumerate(history):
            if state.is_chance_node():
                chances.append(place)
            state.apply_action(action)
        found = None
        for _ in range(EXCHANGES * len(chances)):
            one, two = (chances[int(float(uniform(self.source)) * len(chances))] for _ in range(2))
            if history[one] == history[two]:
                continue
            history[one], history[two] = history[two], history[one]
            state = self._again(history)
            if state is None:
                history[one], history[two] = history[two], history[one]
            else:
                found = state
        return found

    def _again(self, history: list[int]) -> Any:
        """The state after a history, or None where it is not legal or the seat would notice."""
        state, own = self.start.clone(), 0
        for action in history:
            if state.current_player() == self.seat:
                if own == len(self.past) or _told(state, self.seat) != self.past[own][0]:
                    return None
                own += 1
            if action not in state.legal_actions():
                return None
            state.apply_action(action)
        return state if self._fits(state, own) else None


def from_name(name: str, parameters: dict[str, Any]) -> Game:
    """The game that `spiel:NAME,key=value` means."""
    return _loaded(name, tuple(sorted(parameters.items())))


@functools.cache
def _loaded(name: str, parameters: tuple[tuple[str, Any], ...]) -> Game:
    if not name:
        raise BadValue("spiel needs the name of one of OpenSpiel's games, as in spiel:hex")
    base = name.partition("(")[0]
    if base not in pyspiel.registered_names():
        raise UnknownName("game of OpenSpiel", base, pyspiel.registered_names())
    given = {key: _typed(value) for key, value in parameters}
    try:
        inner = pyspiel.load_game(name, given) if given else pyspiel.load_game(name)
    except (pyspiel.SpielError, RuntimeError, IndexError) as problem:  # the last where a parameter is missing
        raise BadValue(f"spiel:{name}: OpenSpiel says {shorten(' '.join(str(problem).split()), 200)!r}") from None
    kind = inner.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        inner = pyspiel.convert_to_turn_based(inner)
        kind = inner.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise Unsuitable(f"spiel:{name} is a mean field game, which has no players who move in turn")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise Unsuitable(f"spiel:{name}: OpenSpiel does not list what chance may bring in this game")
    try:
        inner.new_initial_state().legal_actions()
    except (pyspiel.SpielError, RuntimeError):
        raise Unsuitable(f"spiel:{name} has no list of legal actions in OpenSpiel") from None
    parts: tuple[type, ...] = ()
    if kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC:
        parts += (Chancy,)
    if kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION:
        parts += (Hiding,)
    made: Any = type("SpielGame", (*parts, SpielGame), {})
    return made(f"spiel:{name}" + "".join(f",{key}={value}" for key, value in parameters), inner)


def _typed(value: Any) -> Any:
    """A parameter from a text, in the type that OpenSpiel may want."""
    if not isinstance(value, str):
        return value
    found = number(value)
    if found is not None:
        return found
    return True if value.lower() in YES else False if value.lower() in NO else value


# ---------------------------------------------------------------- our games in OpenSpiel


def to_spiel(game: str | Game, *, longest: int = LONGEST) -> Any:
    """One of our games as a `pyspiel.Game`, registered there under `outplay_NAME`; its states answer to all of its algorithms."""
    return pyspiel.load_game(register(game, longest=longest))


def register(game: str | Game, *, longest: int = LONGEST) -> str:
    """Register a game with OpenSpiel, and say under which name; `longest` is the number of plies that a game may last."""
    game = load(game) if isinstance(game, str) else game
    return _registered(game, longest)


@functools.cache
def _registered(game: Game, longest: int) -> str:
    traits = game.traits
    if traits.sampled:
        raise Unsuitable(f"OpenSpiel needs chance whose outcomes can be listed; {game.name} draws them")
    codes, view = Actions(game), View(game)
    sized: Any = getattr(game, "rules", game)
    name = "outplay_" + re.sub(r"\W+", "_", game.name).strip("_") + (f"_{longest}" if longest != LONGEST else "")
    sorts, utility = pyspiel.GameType, pyspiel.GameType.Utility
    hides = traits.information == "hidden"
    if traits.sides != traits.players and traits.sum != "general":
        total: float | None = None  # the total of the sides is not that of the seats
    else:
        total = traits.total
    kind = pyspiel.GameType(
        short_name=name,
        long_name=game.name,
        dynamics=sorts.Dynamics.SEQUENTIAL,
        chance_mode=sorts.ChanceMode.EXPLICIT_STOCHASTIC if traits.chance else sorts.ChanceMode.DETERMINISTIC,
        information=sorts.Information.IMPERFECT_INFORMATION if hides else sorts.Information.PERFECT_INFORMATION,
        utility=utility.GENERAL_SUM if total is None else utility.ZERO_SUM if total == 0 else utility.CONSTANT_SUM,
        reward_model=sorts.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=codes.size,
        max_chance_outcomes=int(getattr(sized, "most_actions", MOST_PLACES)) if traits.chance else 0,
        num_players=game.players,
        min_utility=traits.bounds[0],
        max_utility=traits.bounds[1],
        utility_sum=total if total is not None else None,
        max_game_length=longest,
    )

    class Ours(pyspiel.Game):
        """The game as OpenSpiel sees it."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> Any:
            return OurState(self, game, codes)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer(game, view, iig_obs_type)

    pyspiel.register_game(kind, Ours)
    return name


class Held:
    """Our position inside of a state of OpenSpiel's, with those before it: copying the state need not copy this."""

    __slots__ = ("before", "position", "reason")

    def __init__(self, position: Position, before: Held | None = None) -> None:
        self.position, self.before = position, before
        self.reason = drawn(position, list(self._earlier())) if position.game.offers("reversible") else ""

    def _earlier(self) -> Iterable[Position]:
        held = self.before
        while held is not None:
            yield held.position
            held = held.before

    def __deepcopy__(self, memo: Any) -> Held:
        return self


class Constant:
    """Something that a copy shares."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __deepcopy__(self, memo: Any) -> Constant:
        return self


class OurState(pyspiel.State):
    """A state of one of our games, as OpenSpiel asks for it."""

    def __init__(self, spiel_game: Any, game: Game, codes: Actions) -> None:
        super().__init__(spiel_game)
        self.held, self.codes = Held(game.start()), Constant(codes)

    @property
    def position(self) -> Position:
        """Our position."""
        return self.held.position

    def current_player(self) -> int:
        """The seat to move, chance or nobody."""
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.position.is_chance() else self.position.player()

    def _legal_actions(self, player: int) -> list[int]:
        position = self.position
        return sorted(self.codes.value.code(position, action) for action in position.actions())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The places of chance's outcomes in our list, with their probabilities."""
        return [(place, probability) for place, (_, probability) in enumerate(self.position.chances())]

    def _apply_action(self, code: int) -> None:
        position = self.position
        action = position.actions()[code] if position.is_chance() else self.codes.value.action(position, code)
        self.held = Held(position.result(action), self.held)

    def _action_to_string(self, player: int, code: int) -> str:
        position = self.position
        if position.is_terminal() or position.is_chance() != (player == pyspiel.PlayerId.CHANCE):
            return str(code)
        action = position.actions()[code] if position.is_chance() else self.codes.value.action(position, code)
        return position.action_text(action)

    def is_terminal(self) -> bool:
        """Whether the rules or the referee have ended the game."""
        return bool(self.held.reason) or self.position.is_terminal()

    def returns(self) -> list[float]:
        """The utilities, once there are any."""
        if self.position.is_terminal():
            return list(self.position.utilities())
        return list(self.position.game.drawn_utilities()) if self.held.reason else [0.0] * self.position.game.players

    def __str__(self) -> str:
        return self.position.text()


class Observer:
    """What a seat sees, in OpenSpiel's form."""

    def __init__(self, game: Game, view: View, kind: Any) -> None:
        self.game, self.view = game, view
        self.recalls = kind is not None and kind.perfect_recall
        self.tensor = np.zeros(int(np.prod(view.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(view.shape)}

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor."""
        self.dict["observation"][...] = self.view.see(state.position, player)

    def string_from(self, state: Any, player: int) -> str:
        """What the seat knows as a text: equal texts, equal knowledge."""
        position = state.position
        if self.game.traits.information != "hidden":
            return " ".join(map(str, state.history())) if self.recalls else position.text()
        view = position.observe(player)
        key = self.game.identity(view.state)
        return f"{player} {view.text()} {key.hex() if isinstance(key, bytes) else key}"

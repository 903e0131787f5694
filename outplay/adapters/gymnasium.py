"""A game of one player, a puzzle or a path to find, as a Gymnasium environment.

>>> import outplay.adapters.gymnasium as gym
>>> env = gym.env("peg solitaire")
>>> seen, info = env.reset(seed=1)
>>> while True:
...     seen, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
...     if terminated or truncated:
...         break
>>> terminated, env.unwrapped.position.text()
(True, '......./..o..../......o/......./o....o./......./..ooo..')

`info["action_mask"]` says which actions are legal (int8), as `Discrete.sample(mask)` takes it. An illegal action changes nothing
and is told by `info["is_illegal"]`. The reward is the utility at the end; with `reward="cost"`, what each action costs, below
zero, as one has it who looks for a short way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.adapters.spaces import Actions, View
from outplay.errors import BadValue, Unavailable, UnknownName, Unsuitable
from outplay.game import Game, Position, load
from outplay.views import plain, text

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise Unavailable("Gymnasium is not installed here: install it with `pip install outplay[adapters]`") from None

RENDER_MODES = ("human", "ansi")
REWARDS = ("utility", "cost")


def env(game: str | Game, **options: Any) -> Puzzle:
    """The environment of a game of one player."""
    return Puzzle(game, **options)


class Puzzle(gymnasium.Env):
    """One player alone with the rules.

    `game` is a game or its name with parameters; `position` the text of a position to start from; `max_cycles` the steps after
    which an unfinished game is truncated; `reward` is "utility" or "cost".
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012  (as Gymnasium wants it)

    def __init__(self, game: str | Game = "peg solitaire", *, render_mode: str | None = None, max_cycles: int | None = None,
                 position: str | None = None, reward: str = "utility", coding: str | None = None) -> None:
        self.game = load(game) if isinstance(game, str) else game
        if self.game.players != 1:
            raise Unsuitable(f"Gymnasium is for one player; {self.game.name} has {self.game.players} players: "
                             "use outplay.adapters.pettingzoo")
        if reward not in REWARDS:
            raise UnknownName("reward", reward, REWARDS)
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UnknownName("render mode", render_mode, RENDER_MODES)
        if max_cycles is not None and max_cycles < 1:
            raise BadValue(f"max_cycles must be 1 or more, got {max_cycles}")
        self.render_mode, self.max_cycles, self.start, self.reward = render_mode, max_cycles, position, reward
        self.codes, self.view = Actions(self.game, coding), View(self.game)
        self.action_space = spaces.Discrete(self.codes.size)
        self.observation_space = spaces.Box(self.view.low, self.view.high, dtype=np.float32)

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Begin anew; `options` may hold the text of a `position`."""
        super().reset(seed=seed)
        start = (options or {}).get("position", self.start)
        self.position = self._settled(self.game.start() if start is None else self.game.position(start))
        self.steps = 0
        return self._seen(), self._info(False)

    def _settled(self, position: Position) -> Position:
        while position.is_chance():
            position = position.result(position.sample_chance(int(self.np_random.integers(1 << 31))))
        return position

    def _seen(self) -> np.ndarray:
        return self.view.see(self.position, 0)

    def _info(self, is_illegal: bool) -> dict:
        return {"action_mask": self.codes.mask(self.position), "is_illegal": is_illegal}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Play a coded action; an illegal one is a step that changes nothing."""
        code = int(action)
        is_legal = 0 <= code < self.codes.size and bool(self.codes.mask(self.position)[code])
        reward = -1.0 if self.reward == "cost" else 0.0
        if is_legal:
            chosen = self.codes.action(self.position, code)
            if self.reward == "cost":
                reward = -float(self.position.cost(chosen))
            self.position = self._settled(self.position.result(chosen))
        self.steps += 1
        terminated = self.position.is_terminal()
        if terminated and is_legal and self.reward == "utility":
            reward = float(self.position.utility(0))
        truncated = not terminated and self.max_cycles is not None and self.steps >= self.max_cycles
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, terminated, truncated, self._info(not is_legal)

    def render(self) -> Any:
        """The board, printed or as text."""
        picture = plain.picture_of(self.position)
        shown = text.board(picture) if picture is not None else self.position.text()
        if self.render_mode == "human":
            print(shown)
            return None
        return shown

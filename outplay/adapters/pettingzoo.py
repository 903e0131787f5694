"""Any game as a PettingZoo environment of the AEC kind (agents in turn).

>>> import outplay.adapters.pettingzoo as zoo
>>> env = zoo.env("connect four")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     mask = observation["action_mask"]
...     env.step(None if termination or truncation else int(mask.argmax()))  # the leftmost column that has room
>>> env.unwrapped.play.outcome.winner
0

An agent is a seat (`player_0`, `player_1`, ...). An observation is a dictionary of `observation`, which holds nothing that the
rules hide from that seat, and `action_mask` of int8 (`outplay.adapters.spaces` says what the numbers mean). Chance moves by
itself, from the seed of `reset`; the referee ends a game by repetition or lack of progress as in a match. Rewards are the
utilities, at the end. `env` wraps as PettingZoo's own games do: an illegal action loses; `raw_env` refuses it. A learner that
takes no mask can ask for `illegal="replace"`: then a random legal action is played in its place, from the seed of `reset`.

`parallel_env` is for learners in which all agents act at once: a step takes one action of each agent, and they are played in turn.

Not every game gives its seats equally many turns: in bridge the dummy has none, in hold'em whoever has folded. With `rounds=True`
all agents step in the order of their seats, again and again, and one that is not to move has a single legal action, to wait (the
last code). The game stays the same, and a cycle is a step of each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.adapters.spaces import Actions, View
from outplay.errors import BadValue, IllegalAction, Unavailable, UnknownName
from outplay.game import Game, load
from outplay.playing import Play
from outplay.views import plain, svg, text

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise Unavailable("PettingZoo is not installed here: install it with `pip install outplay[adapters]`") from None

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
ILLEGAL = ("lose", "replace")
"""What becomes of an illegal action: its agent loses, or a random legal one is played in its place."""


def env(game: str | Game, **options: Any) -> Any:
    """An environment as PettingZoo's own are wrapped: an illegal action loses, and calls out of order are told."""
    made: Any = raw_env(game, **options)
    if made.illegal == "lose":
        made = wrappers.TerminateIllegalWrapper(made, illegal_reward=made.game.traits.bounds[0])
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class raw_env(AECEnv):
    """The environment itself.

    `game` is a game or its name with parameters; `position` the text of a position to start from; `max_cycles` the turns of each
    agent after which an unfinished game is truncated; `coding` how actions are coded (see `outplay.adapters.spaces`); `illegal`
    what becomes of an illegal action, `lose` or `replace`; with `rounds` the agents step in the order of their seats, and one that
    is not to move waits.
    """

    metadata = {"render_modes": list(RENDER_MODES), "name": "outplay", "is_parallelizable": False, "render_fps": 1}  # noqa: RUF012  (as PettingZoo wants it)

    def __init__(self, game: str | Game, *, render_mode: str | None = None, max_cycles: int | None = None,
                 position: str | None = None, coding: str | None = None, illegal: str = "lose",
                 rounds: bool = False) -> None:
        super().__init__()
        if illegal not in ILLEGAL:
            raise UnknownName("way with illegal actions", illegal, ILLEGAL)
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UnknownName("render mode", render_mode, RENDER_MODES)
        if max_cycles is not None and max_cycles < 1:
            raise BadValue(f"max_cycles must be 1 or more, got {max_cycles}")
        self.game = load(game) if isinstance(game, str) else game
        self.render_mode, self.max_cycles, self.position, self.illegal = render_mode, max_cycles, position, illegal
        self.metadata = {**type(self).metadata, "name": self.game.name}
        self.codes, self.view, self.rounds = Actions(self.game, coding), View(self.game), rounds
        size = self.codes.size + rounds
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self.agents: list[str] = []
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self.observation_spaces = {agent: spaces.Dict({
            "observation": spaces.Box(self.view.low, self.view.high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (size,), np.int8),
        }) for agent in self.possible_agents}  # fmt: skip
        self._random, _ = seeding.np_random(0)

    def observation_space(self, agent: str) -> Any:
        """What an agent's observations look like."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The codes of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin a game: from the seed comes what chance will bring; `options` may hold the text of a `position`."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        start = (options or {}).get("position", self.position)
        self.play = Play(self.game, start=start, seed=int(self._random.integers(1 << 31)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict] = {agent: {} for agent in self.agents}
        self.turns = 0
        self.agent_selection = self.agents[0]
        self._let_chance_move()

    def _let_chance_move(self) -> None:
        for _ in self.play.run():  # everybody is a person here, so this only lets chance fall
            pass
        seat = self.play.to_move
        if seat is not None and not self.rounds:
            self.agent_selection = self.possible_agents[seat]

    def mask(self, seat: int) -> np.ndarray:
        """Which codes a seat may play now: none where it is not to move, or to wait."""
        is_to_move = self.play.to_move == seat
        mask = self.codes.mask(self.play.position) if is_to_move else np.zeros(self.codes.size, np.int8)
        return np.append(mask, np.int8(not is_to_move and self.play.outcome is None)) if self.rounds else mask

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees, and which actions it has if it is to move."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.view.see(self.play.position, seat), "action_mask": self.mask(seat)}

    def step(self, action: Any) -> None:
        """Play the coded action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat = self.possible_agents.index(agent)
        if self.illegal == "replace":
            mask = self.mask(seat)
            if not (0 <= int(action) < len(mask) and mask[int(action)]):
                action = int(self._random.choice(np.flatnonzero(mask)))
        following = self.possible_agents[(seat + 1) % len(self.possible_agents)]
        if self.play.to_move == seat:
            self.play.push(self.codes.action(self.play.position, action))
        elif int(action) != self.codes.size:
            raise IllegalAction(f"illegal action {int(action)}: {agent} is not to move, and waits by {self.codes.size}")
        if self.rounds:
            self.agent_selection = following
        self._let_chance_move()
        self.turns += 1
        if self.play.outcome is not None:
            self.rewards = dict(zip(self.agents, map(float, self.play.outcome.utilities), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {each: {"reason": self.play.reason} for each in self.agents}
        elif self.max_cycles is not None and self.turns >= self.max_cycles * len(self.agents):
            self.truncations = dict.fromkeys(self.agents, True)
        if any(self.terminations.values()) or any(self.truncations.values()):
            self.agent_selection = following
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | np.ndarray | None:
        """The board as the agent to move sees it: printed, or as text, SVG or pixels."""
        seat = self.play.to_move
        position = self.play.position if seat is None else self.play.view(seat)
        picture = plain.picture_of(position)
        if self.render_mode == "svg":
            return svg.board(picture, title=self.game.name) if picture is not None else None
        if self.render_mode == "rgb_array":
            from outplay.adapters.pixels import pixels

            return pixels(svg.board(picture, title=self.game.name)) if picture is not None else np.full((1, 1, 3), 255, np.uint8)
        shown = text.board(picture) if picture is not None else position.text()
        if self.render_mode == "human":
            print(shown)
            return None
        return shown

    def close(self) -> None:
        """Nothing stays open."""

    def __str__(self) -> str:
        return self.game.name


class parallel_env(ParallelEnv):
    """The same with all agents acting at once: a step plays one action of each, in turn, and takes any code."""

    def __init__(self, game: str | Game, **options: Any) -> None:
        self.turns = raw_env(game, **{"illegal": "replace", **options})
        self.metadata, self.possible_agents = {**self.turns.metadata, "is_parallelizable": True}, self.turns.possible_agents
        self.render_mode = self.turns.render_mode
        self.observation_spaces, self.action_spaces = self.turns.observation_spaces, self.turns.action_spaces
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        """What an agent's observations look like."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The codes of an agent's actions."""
        return self.action_spaces[agent]

    def _seen(self) -> dict[str, Any]:
        return {agent: self.turns.observe(agent) for agent in self.agents}

    def reset(self, seed: int | None = None, options: dict | None = None) -> tuple[dict[str, Any], dict[str, dict]]:
        """Begin a game."""
        self.turns.reset(seed, options)
        self.agents = self.turns.agents[:]
        return self._seen(), self.turns.infos

    def step(self, actions: dict[str, Any]) -> tuple[dict, dict, dict, dict, dict]:
        """As many turns as there are agents, each with the action of the one whose turn it is."""
        rewards = dict.fromkeys(self.agents, 0.0)
        for _ in self.possible_agents:
            if any(self.turns.terminations.values()) or any(self.turns.truncations.values()):
                break
            self.turns.step(actions.get(self.turns.agent_selection, 0))
            rewards = {agent: rewards[agent] + self.turns.rewards[agent] for agent in rewards}
        seen, over, cut = self._seen(), dict(self.turns.terminations), dict(self.turns.truncations)
        self.agents = [agent for agent in self.agents if not (over[agent] or cut[agent])]
        return seen, rewards, over, cut, dict(self.turns.infos)

    def render(self) -> Any:
        """As `raw_env.render`."""
        return self.turns.render()

    def close(self) -> None:
        """Nothing stays open."""

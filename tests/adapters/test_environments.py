"""Every game as an environment, judged by the tests of PettingZoo and Gymnasium themselves."""

import contextlib
import io
import os
import types
import warnings
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra `adapters` is not installed")
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, render_test, seed_test

import outplay.adapters.gymnasium as gym
import outplay.adapters.pettingzoo as zoo
from outplay.adapters.spaces import Actions, View
from outplay.errors import IllegalAction, UnknownName, Unsuitable
from outplay.game import game_names, load

SLOW = ("scrabble",)
ADAPTERS = Path(__file__).resolve().parents[2] / "docs" / "adapters.md"
ALONE = [name for name in game_names() if load(name).players == 1]


@pytest.fixture(autouse=True)
def quiet():
    """PettingZoo prints, and warns of a space of one action and the like."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", game_names())
def test_every_game_passes_the_tests_of_pettingzoo(name):
    if name in SLOW and not os.environ.get("OUTPLAY_SLOW"):
        pytest.skip("minutes in plain Python: OUTPLAY_SLOW=1 runs it")
    game = load(name, compiled=False)
    api_test(zoo.env(game), num_cycles=12)
    seed_test(lambda: zoo.env(game), num_cycles=12)
    render_test(lambda render_mode: zoo.env(game, render_mode=render_mode), {"svg": lambda shown: shown.startswith("<svg")})


SEEDS = {"blind tic-tac-toe": 1, "hold'em": 2, "leduc poker": 151, "liar's dice": 34}
"""Where random players may finish within four turns each: seeds with which they do not. All others get 0."""
UNEVEN = ("battleships", "bridge", "hold'em", "monopoly")
"""Games in which a seat may be passed over, or move twice: they are played in rounds."""
LONGER = {"tree": "tree:tree=[[[[[[[[1,2]]]]]]]]", "uniform tree": "uniform tree:depth=8"}
"""The usual trees are two or three actions deep."""
TOO_SHORT = {"kuhn poker": 3, "push or fold": 2, "rock-paper-scissors": 2}
"""How many decisions their longest game has, of both seats: four of each never happen."""


def longest(position):
    if position.is_terminal():
        return 0
    following = position.chances() if position.is_chance() else ((action, 1) for action in position.actions())
    return (not position.is_chance()) + max(longest(position.result(action)) for action, _ in following)


@pytest.mark.parametrize("name", [name for name in game_names() if name not in (*TOO_SHORT, *SLOW)])
def test_games_pass_the_test_of_cycles(name):
    """That test samples actions without a mask, for agents at once and in turn, and counts the turns until the cut."""
    game, options = load(LONGER.get(name, name), compiled=False), {"rounds": name in UNEVEN}

    def seeded(env):
        seed, reset = SEEDS.get(name, 0), env.reset
        for number, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(seed + number)
        env.reset = lambda: reset(seed=seed)
        return env

    max_cycles_test(types.SimpleNamespace(
        parallel_env=lambda max_cycles: seeded(zoo.parallel_env(game, max_cycles=max_cycles, **options)),
        env=lambda max_cycles: seeded(zoo.env(game, max_cycles=max_cycles, illegal="replace", **options))))  # fmt: skip


def test_what_the_docs_say_of_the_test_of_cycles():
    """Which games it is that cannot pass, and that they cannot: counted from the rules."""
    for name, decisions in TOO_SHORT.items():
        start = load(name, compiled=False).start()
        if name == "push or fold":  # 1,326 times 1,225 deals, which all go on alike
            while start.is_chance():
                start = start.result(start.sample_chance(1))
        assert longest(start) == decisions < 8
    lines = ADAPTERS.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if " decisions |" in line]
    assert {row[0]: row[1] for row in rows} == {name: f"at most {count} decisions" for name, count in TOO_SHORT.items()}
    told = next(line for line in lines if "`rounds=True`:" in line)
    assert all(name in told for name in UNEVEN)


@pytest.mark.parametrize("name", UNEVEN)
def test_in_rounds_everybody_steps_and_the_game_stays_the_same(name):
    game = load(name, compiled=False)
    api_test(zoo.env(game, rounds=True), num_cycles=8)
    plain, rounds = zoo.raw_env(game), zoo.raw_env(game, rounds=True)
    plain.reset(seed=3)
    rounds.reset(seed=3)
    stepped = []
    for number in range(24):
        agent = rounds.agent_selection
        mask, wait = rounds.observe(agent)["action_mask"], rounds.codes.size
        stepped.append(rounds.possible_agents.index(agent))
        if mask[wait]:
            assert mask.sum() == 1 and agent != plain.agent_selection
            with pytest.raises(IllegalAction, match="is not to move"):
                rounds.step(0)
            rounds.step(wait)
        else:
            assert agent == plain.agent_selection and (mask[:-1] == plain.observe(agent)["action_mask"]).all()
            code = int(np.flatnonzero(mask)[number % mask.sum()])
            plain.step(code)
            rounds.step(code)
        assert rounds.play.position == plain.play.position
        if any(rounds.terminations.values()):
            break
    assert stepped == [number % game.players for number in range(len(stepped))]


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn poker", "backgammon"])
def test_agents_at_once_pass_the_test_of_pettingzoo(name):
    parallel_api_test(zoo.parallel_env(load(name, compiled=False)), num_cycles=20)


def test_an_illegal_code_is_replaced_where_that_is_asked_for():
    env = zoo.env(load("tic-tac-toe", compiled=False), illegal="replace")
    env.reset(seed=1)
    for _ in range(3):
        env.step(4)  # only the first of them is legal
    assert len(env.unwrapped.play.record.actions) == 3 and env.unwrapped.play.outcome is None
    with pytest.raises(UnknownName, match="did you mean 'replace'"):
        zoo.env("nim", illegal="replaced")


def test_pixels_are_those_of_the_drawing():
    pytest.importorskip("resvg_py", reason="the extra `adapters` is not installed")
    env = zoo.env(load("connect four", compiled=False), render_mode="rgb_array")
    env.reset()
    before = env.render()
    env.step(3)
    after = env.render()
    changed = np.argwhere((before != after).any(2))
    assert before.shape == after.shape and before.shape[1:] == (360, 3)
    (top, left), (bottom, right) = changed.min(0), changed.max(0)
    assert bottom - top < 60 and right - left < 60 and top > 250  # one disc on the lowest row
    assert after[(top + bottom) // 2, (left + right) // 2].tolist() == [214, 58, 58]  # the first player's red


@pytest.mark.parametrize("name", ALONE)
def test_games_of_one_player_pass_the_test_of_gymnasium(name):
    check_env(gym.env(load(name, compiled=False)), skip_render_check=True)


def test_an_unfinished_game_is_truncated_after_so_many_turns_of_each():
    env = zoo.env(load("chess", compiled=False), max_cycles=4)
    env.reset(seed=3)
    counts = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        counts[agent] += not (over or cut)
        env.step(None if over or cut else int(np.flatnonzero(seen["action_mask"])[0]))
    assert counts == {"player_0": 4, "player_1": 4}


def test_nothing_hidden_is_seen():
    env = zoo.raw_env(load("kuhn poker", compiled=False))
    seen = {"player_0": set(), "player_1": set()}
    dealt = set()
    for seed in range(60):
        env.reset(seed=seed)
        dealt.add(env.play.position.text())
        for agent in seen:
            seen[agent].add(env.observe(agent)["observation"].tobytes())
    assert len(dealt) == 6  # two of three cards, in order
    assert {agent: len(views) for agent, views in seen.items()} == {"player_0": 3, "player_1": 3}  # one's own card


def test_rewards_are_the_utilities_and_an_illegal_action_loses():
    env = zoo.env("tic-tac-toe")
    env.reset()
    for code in (0, 3, 1, 4, 2):
        env.step(code)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    env.reset()
    env.step(0)
    env.step(0)
    assert env.terminations["player_1"] and env.rewards["player_1"] == -1.0
    raw = zoo.raw_env("tic-tac-toe")
    raw.reset()
    raw.step(0)
    with pytest.raises(IllegalAction, match="illegal action 0"):
        raw.step(0)


def test_large_actions_are_coded_by_place_and_small_ones_by_number():
    codings = {name: Actions(load(name, compiled=False)).coding for name in ("connect four", "othello", "backgammon", "chess")}
    assert codings == {"connect four": "numbers", "othello": "numbers", "backgammon": "places", "chess": "numbers"}
    position = load("backgammon", compiled=False).position(load("backgammon", compiled=False).start().text())
    codes = Actions(position.game)
    while position.is_chance():
        position = position.result(position.sample_chance(1))
    assert codes.mask(position).sum() == len(position.actions())
    assert [codes.action(position, codes.code(position, action)) for action in position.actions()] == list(position.actions())


def test_a_puzzle_pays_by_utility_or_by_cost():
    game = load("vacuum world", compiled=False)
    env = gym.env(game, reward="cost", max_cycles=3)
    env.reset(seed=0)
    rewards = [env.step(0)[1] for _ in range(3)]
    assert rewards == [-1.0, -1.0, -1.0]
    assert env.step(0)[3]  # cut


def test_what_does_not_fit_is_refused_in_one_line():
    with pytest.raises(Unsuitable, match="chess has 2 players"):
        gym.env("chess")
    with pytest.raises(UnknownName, match="did you mean 'ansi'"):
        zoo.env("nim", render_mode="ansy")
    assert View(load("nim")).kind == "fields" and View(load("connect four")).kind == "planes"

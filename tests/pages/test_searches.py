"""Searches in WebAssembly count and find what the native ones do: nodes, leaves, values, lines, visits."""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace

import numpy as np
import pytest

from outplay.books import openings
from outplay.engine.alphabeta.engine import Engine
from outplay.engine.alphabeta.solve import plies_left, solve
from outplay.engine.frames.chance import ChanceSearch
from outplay.engine.frames.many import ManySearch
from outplay.engine.montecarlo import mcts_kernel
from outplay.engine.montecarlo.hidden import InformationSets
from outplay.engine.montecarlo.mcts import MonteCarlo, planes
from outplay.engine.paths import shortest
from outplay.engine.regret.equilibrium import RegretSolver
from outplay.engine.tables import retrograde
from outplay.errors import BadValue, Unsuitable
from outplay.game import CompiledGame, game_names, load
from outplay.pages import inference, pack
from outplay.pages.pack import network_of, searches_of
from outplay.players import levels, networks
from outplay.rules import game as rules_of
from outplay.values import Choice, Limits
from tests.engine.tables.test_retrograde import Heaps
from tests.pages.harness import need_node, packed, run

pytestmark = need_node


def settled(position):
    """The position once chance has had its first outcomes."""
    while position.is_chance():
        position = position.result(position.actions()[0])
    return position


def asked(name, family, search, limits, moves=""):
    made = packed(name, search)
    position = settled(made.game.start())
    if moves:
        position = position.play(moves)
    body = f"answer(FAMILIES[{family!r}](rules).search(new Uint8Array(given), {limits}));"
    told = run(made, body, list(position.state))
    return made.game, position, told


def test_alphabeta_to_a_fixed_depth():
    game, position, told = asked("connect four", "alphabeta", "pvs", "{depth: 9}")
    found = Engine(game, memory=2).best(position, Limits(depth=9))
    assert (told["nodes"], told["leaves"], told["line"]) == (found.nodes, found.leaves, list(found.line))


def test_alphabeta_with_several_lines_and_a_limit_of_nodes():
    game, position, told = asked("connect four", "alphabeta", "pvs", "{nodes: 5000, lines: 3}", "4 4 3")
    *_, found = Engine(game, memory=2).search(position, Limits(nodes=5000), lines=3)
    assert (told["nodes"], told["action"]) == (found.nodes, found.action) and told["nodes"] == 5000
    assert [one["action"] for one in told["choices"]] == [choice.action for choice in found.choices]


def test_threads_that_share_a_table():
    """In one memory: the first finds what it finds alone, node by node; the next finds nearly all in the table, from its own
    stretch. A thread that is begun anew forgets what stood there, and one that is told to stop does."""
    body = """(async () => {
    const share = await sharing(rules, code, 2);
    const thread = (place) => FAMILIES.alphabeta(new Rules(share.code, manifest, null, { ...share, place }));
    const told = [FAMILIES.alphabeta(rules), ...[0, 1, 1].map(thread)].map((each) => each.search(rules.start, { turn: 1 }));
    halt({ ...share, turn: 3 });
    halted = () => new Int32Array(share.memory.buffer, share.halt, 1)[0] >= 3;
    const stopped = thread(0).search(rules.start, { turn: 3 });
    answer([share.memory.buffer instanceof SharedArrayBuffer, told, stopped]); })();"""
    shared, (alone, first, *others), stopped = run(packed("connect four:width=4,height=4", "pvs"), body)
    assert shared and first["exact"] and first["seconds"] > 0
    assert [first[name] for name in ("raw", "nodes", "line")] == [alone[name] for name in ("raw", "nodes", "line")]
    for each in others:
        assert each["raw"] == alone["raw"] and each["exact"] and each["nodes"] < alone["nodes"] / 10
    assert stopped["depth"] == stopped["nodes"] == 0 and stopped["action"] in range(4)


def test_levels_err_as_those_of_the_house():
    """With the measured numbers, and equal draws of chance: among values, among shares, and where nothing is said."""
    made = packed("connect four", "pvs")
    game, word = made.game, "casual"
    measured = levels.level(word).of(game)
    assert made.manifest()["levels"][word] == (measured.nodes, measured.slip) != (levels.level(word).nodes, levels.level(word).slip)
    position = game.start()
    found = Engine(game, memory=2).best(position, Limits(depth=5), lines=4)
    actions = list(position.actions())
    draws = [[0.1 * error for error in errors] for errors in ((0, 0, 0, 0), (-3, 2, 1, 0), (0, 0, 0, 4), (1, -1, 3, -2))]

    class Fixed(random.Random):
        def __init__(self, errors):
            self.errors = iter(errors)

        def gauss(self, mu=0.0, sigma=1.0):
            return sigma * next(self.errors)

    shares = [Choice(action, share=share) for action, share in zip(actions, (0.1, 0.4, 0.2, 0.3), strict=False)]
    mixed = replace(found, choices=tuple(shares))
    here = [[measured.choose(position, each, Fixed(errors)) for errors in draws] for each in (found, mixed)]
    body = """const [choices, mixture, draws, actions, slip, exact] = given, told = [{ choices }, { mixture }];
    const errs = (found, errors) => erring({ action: actions[0], exact, points: false, ...found }, actions, slip, manifest,
      () => 0, () => errors.shift());
    answer([...told.map((found) => draws.map((errors) => errs(found, [...errors]))),
      errs({ action: 3 }, []), errs({ action: 0 }, [])]);"""
    valued = [{"action": one.action, "worth": one.value} for one in found.choices]
    shared = [{"action": one.action, "share": one.share} for one in shares]
    given = [valued, shared, draws, actions, measured.slip, found.exact]
    assert run(made, body, given) == [*here, levels.among(actions, 3)[0], levels.among(actions, 0)[0]]


# Chess calls its rules with a state on the kernel's stack, whose place LLVM once gave to something else.
@pytest.mark.parametrize(("name", "simulations"), [("connect four", 800), ("chess", 200)])
def test_monte_carlo_visits(name, simulations):
    game, position, told = asked(name, "mcts", "mcts", f"{{simulations: {simulations}}}")
    found = MonteCarlo(game, seed=1, memory=2).best(position, Limits(simulations=simulations))
    visits = {arm["action"]: arm["visits"] for arm in told["arms"]}
    assert visits == {choice.action: choice.visits for choice in found.choices}
    assert (told["nodes"], told["action"], told["line"]) == (found.nodes, found.action, list(found.line))


def test_a_network_is_asked():
    """By a kernel that says what NumPy says, and whose answers make the same tree in a page."""
    game = load("connect four")
    net = network_of(game)
    room, halves = inference.room_of(net), inference.weights_of(net).view(np.uint16)
    inference.widen(halves, room.weights.view(np.uint32), room.weights)

    def judged(leaves):
        count, control = len(leaves.states), np.zeros(1, mcts_kernel.CONTROL)
        control["waiting"] = count
        values, priors = np.zeros((count, 2)), np.zeros(leaves.actions.shape)
        inference.judge(room, net.blocks, net.channels, net.actions, 1.0, leaves.states, leaves.actions, leaves.counts, control,
                        values, priors)  # fmt: skip
        logits, value, _ = net.ask_plainly(planes(game, leaves.states))
        shares = np.exp(np.take_along_axis(logits, leaves.actions.astype(np.int64), 1))
        shares[np.arange(shares.shape[1]) >= leaves.counts[:, None]] = 0
        assert values[:, 0] * [1 - 2 * state.player() for state in leaves.states] == pytest.approx(value, abs=1e-4)
        assert priors == pytest.approx(shares / shares.sum(1, keepdims=True), abs=1e-4)
        return values, priors

    game, position, told = asked("connect four", "net_search", "net", "{simulations: 24}", "4 4 3")
    found = MonteCarlo(game, selection="puct", evaluator=judged, seed=1, memory=2, exploration=networks.EXPLORATION,
                       urgency=networks.URGENCY, batch=networks.BATCH).best(position, Limits(simulations=24))  # fmt: skip
    visits = {arm["action"]: arm["visits"] for arm in told["arms"]}
    assert visits == {choice.action: choice.visits for choice in found.choices} and told["action"] == found.action
    assert searches_of(load("go")) == ["net", "mcts"] and searches_of(load("go:size=7")) == ["mcts"]


def test_what_is_hidden():
    game, position, told = asked("kuhn poker", "hidden_search", "ismcts", "{simulations: 700}")
    found = InformationSets(game, seed=1, memory=2).best(position, Limits(simulations=700))
    visits = {arm["action"]: arm["visits"] for arm in told["arms"]}
    assert visits == {choice.action: choice.visits for choice in found.choices} and told["action"] == found.action


def test_an_equilibrium_is_played():
    """In its shares, with no situation missing."""
    made = packed("kuhn poker", "equilibrium")
    body = """const search = FAMILIES.policy(rules); let known = 0, wrong = 0; const told = {}, seen = new Set();
    const go = state => { const facts = rules.describe(state); if (facts.over) return;
      if (facts.player >= 0) { const view = rules.observe(state, facts.player), found = search.search(view);
        seen.add(String(view)); known += found.known; wrong += !facts.actions.includes(found.action);
        told[String(view)] = found.mixture.map(({ share }) => share); }
      for (const action of facts.actions) go(rules.play(state, action)); };
    go(rules.start); answer([seen.size, known, wrong, told]);"""
    sets, known, wrong, told = run(made, body)
    assert (sets, known, wrong) == (12, 24, 0)  # each with two cards of the other
    solver = RegretSolver(made.game, "cfr+")
    solver.advance(1000)
    for _, view, mixture, _ in solver.table():
        assert told[",".join(map(str, view.state))] == pytest.approx([mixture[action] for action in view.actions()], abs=1e-4)


def test_chance():
    game, position, told = asked("isolation:width=3,height=2,sloppy=0.5", "expecting", "star2", "{depth: 3}")
    found = ChanceSearch(game, memory=2).best(position, Limits(depth=3, seconds=1000))
    assert (told["nodes"], told["leaves"], told["action"], told["raw"]) == (found.nodes, found.leaves, found.action, found.value)


def test_many_players():
    game, position, told = asked("isolation:width=3,height=3,players=3", "many", "maxn", "{depth: 4}")
    found = ManySearch(game).best(position, Limits(depth=4, seconds=1000))
    assert (told["nodes"], told["leaves"], told["line"]) == (found.nodes, found.leaves, list(found.line))
    assert tuple(told["vector"]) == found.value


@pytest.mark.parametrize("name", ["grid:map=S..../.##.#/....G", "fifteen puzzle:width=3,height=3,slides=12"])
def test_the_cheapest_way(name):
    search = searches_of(load(name))[0]
    _, position, told = asked(name, "ways", search, "{}")
    found = shortest(position, algorithm=search, memory=2)
    assert (told["line"], told["nodes"]) == (list(found.line), found.nodes)


def test_a_whole_game_move_by_move():
    """The table is kept, and actions of 64 bits stay whole: their bits were lost once, at the 51st ply of a game of checkers."""
    made = packed("checkers", "pvs")
    body = """
    const search = FAMILIES.alphabeta(rules), played = []; let state = rules.start;
    for (let ply = 0; ply < 70; ply++) { const told = rules.describe(state); if (told.over) break;
      const found = search.search(state, {depth: 4});
      played.push([String(found.action), found.nodes]); state = rules.play(state, found.action); }
    answer(played);"""
    told = run(made, body)
    engine, position, played = Engine(made.game, memory=2), made.game.start(), []
    while not position.is_terminal() and len(played) < 70:
        *_, found = engine.search(position, Limits(depth=4))
        played.append([str(found.action), found.nodes])
        position = position.result(found.action)
    assert told == played and made.manifest()["action"] == "i8"
    assert any(int(action) > 2**53 for action, _ in played)


ALL = game_names() if os.environ.get("OUTPLAY_SLOW") else ["checkers", "connect four", "kuhn poker"]


@pytest.mark.parametrize("name", ALL)
def test_rules_count_and_play_alike(name):
    """Every position of two random games: whose turn, which actions, how likely, what it is worth, its key; and all that can be
    reached from the start, as far as some thousands of positions."""
    made = packed(name, *(["pvs"] if name in ("checkers", "connect four") else ["equilibrium"] if name == "kuhn poker" else []))
    game, source, games = made.game, random.Random(11), []
    for _ in range(2):
        position, told = game.start(), []
        for _ in range(200):
            if position.is_terminal():
                told.append([str(game.key(position.state)), position.player(), [], [], list(position.utilities())])
                break
            sampled = position.is_chance() and position.is_sampled()
            actions = () if sampled else position.actions()
            odds = [share for _, share in position.chances()] if position.is_chance() and not sampled else []
            told.append([str(game.key(position.state)), position.player(), [str(a) for a in actions], odds, []])
            action = position.sample_chance(source.getrandbits(32)) if sampled else source.choice(actions)
            told[-1].append(str(action))
            position = position.result(action)
        games.append(told)

    def counted(position, depth):
        if depth == 0 or position.is_terminal() or (position.is_chance() and position.is_sampled()):
            return 1
        return sum(counted(position.result(action), depth - 1) for action in position.actions())

    depth = 1
    while depth < 4 and counted(game.start(), depth) < 60:
        depth += 1
    body = """
    const count = (state, depth) => { const told = rules.describe(state); if (depth === 0 || told.over || told.sampled) return 1;
      return told.actions.reduce((sum, action) => sum + count(rules.play(state, action), depth - 1), 0); };
    const [games, depth] = given;
    answer([count(rules.start, depth), games.map(game => { let state = rules.start;
      return game.map(([,,,,, action]) => { const told = rules.describe(state);
        const seen = [String(told.key), told.player, told.sampled ? [] : told.actions.map(String), told.probabilities ?? [],
                      told.over ? told.utilities : []];
        if (action !== undefined) { state = rules.play(state, rules.action.read(action)); seen.push(action); }
        return seen; }); })]);"""
    count, seen = run(made, body, [games, depth])
    assert count == counted(game.start(), depth)
    assert seen == json.loads(json.dumps(games, default=lambda number: number.item()))


def test_endings_are_proved():
    """With the exact value, and none where the end is far or the time short."""
    made = packed("othello", "pvs")
    position, source, late = made.game.start(), random.Random(5), []
    while not position.is_terminal():
        if 8 <= plies_left(position) <= 12:
            late.append(position)
        position = position.result(source.choice(position.actions()))
    body = """const search = FAMILIES.alphabeta(rules), first = new Uint8Array(given[0][0]);
    answer([search.ending.prove(rules.start, 60, 60), search.ending.prove(first, given[0][1], 0),
      given.map(([each, left]) => search.search(new Uint8Array(each), {left, seconds: 600}))]);"""
    early, short, told = run(made, body, [[list(each.state), plies_left(each)] for each in late])
    assert early is None and short is None and late
    for position, found in zip(late, told, strict=True):
        points = (1 if position.player() == 0 else -1) * made.game.traits.scale
        value = found["worth"] / points
        assert found["exact"] and value == solve(position).value == solve(position.result(found["action"])).value


@rules_of("judged heaps")
class JudgedHeaps(Heaps.maker):
    """The heaps again, for a search that looks ahead by an evaluation, which knows nothing."""

    def evaluate(self, seat, weights):
        return 0


def test_endgame_tables_go_along(tmp_path):
    """A search of one ply sees in them how the game ends, as the engine does with the same tables."""
    game = CompiledGame(JudgedHeaps())
    retrograde.build(game, 3, tmp_path)
    made, tables = pack.packed(game, ["pvs"], 2, tmp_path), pack.tables_of(game, ["pvs"], tmp_path)
    found = Engine(game, memory=2, endgame=tables).best(game.start(), Limits(depth=1))
    told = run(made, "answer(FAMILIES.alphabeta(rules).search(rules.start, {depth: 1}));")
    assert (told["action"], told["distance"]) == (found.action, found.facts["distance"])
    assert told["exact"] and told["won"] and told["distance"] > 3
    with pytest.raises(Unsuitable, match="alpha-beta looks into endgame tables"):
        pack.packed(game, ["mcts"], 2, tmp_path)
    with pytest.raises(BadValue, match="no such folder"):
        pack.packed(game, ["pvs"], 2, tmp_path / "none")


def test_the_opening_book_goes_along():
    made = packed("othello", "pvs")
    book = openings.open_book("own", made.game)
    position, asked = made.game.start(), []
    while moves := book.moves(position):
        asked.append((position, moves))
        position = position.result(moves[0][0])
    given = [[list(position.state), [[str(action), position.action_text(action)] for action in position.actions()]]
             for position, _ in asked]
    body = """answer(given.map(([state, texts]) => { const told = rules.describe(new Uint8Array(state)), spelt = new Map(texts);
      return [0, 0.25, 0.5, 0.75, 0.999].map(chance => booked(manifest, told, action => spelt.get(String(action)), chance)); }));"""
    for (_, moves), told in zip(asked, run(made, body, given), strict=True):
        assert set(told) <= {int(action) for action, _ in moves}
    body = "answer(booked(manifest, rules.describe(new Uint8Array(given)), String));"
    assert run(made, body, list(position.state)) is None and len(asked) > 3  # where the book ends

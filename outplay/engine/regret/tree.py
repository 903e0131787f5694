"""A game with hidden information as its sequence form (Koller, Megiddo and von Stengel 1996), built once from compiled rules.

With perfect recall, all that a player's choices have to do with reaching a node is one number: which of its *sequences* (its last
information set and the action taken there) leads to it. So a tree of any size is kept as, for each player, a list of information
sets with the sequence each hangs on, and a list of ends: one sequence a player, and what chance and the rules say it is worth.
Regret minimization, best responses and linear programs all run over these flat arrays.

>>> from outplay.game import load
>>> tree = build(load("kuhn poker"))
>>> tree.information_sets, tree.sequences, tree.ends
(12, (13, 13), 30)
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from outplay.errors import Unavailable, Unsuitable
from outplay.game import CompiledGame, Game, Position
from outplay.jit import i32, i64, inlined, kernel, mix, u64
from outplay.values import CHANCE

LONGEST = 512  # plies
SLICE = 200_000  # nodes between two looks at what the caller wants
DONE, MORE, FULL, FORGETFUL, ENDLESS = 0, 1, 2, 3, 4
INFO = np.dtype((np.record, [("key", np.uint64), *((name, np.int32) for name in ("player", "parent", "first", "count"))]))
"""What a player knows at some moment: the sequence it hangs on, and its actions, the sequences from `first` on."""
LEVEL = np.dtype((np.record, np.dtype(
    [("reach", np.float64), *((name, np.int64) for name in ("player", "count", "next", "first", "saved"))], align=True)))
CONTROL = np.dtype((np.record, np.dtype(
    [(name, np.int64) for name in ("depth", "infos", "ends", "nodes", "until", "players", "wrong", "recall")], align=True)))


@inlined
def hash_words(words: Any, player: Any) -> Any:
    """A hash of what a player sees: all bytes of its view, so that two histories that look different never meet."""
    key = mix(u64(player + 1) * u64(0x9E3779B97F4A7C15))
    for i in range(len(words)):
        key = mix(key + u64(0x9E3779B97F4A7C15) ^ u64(words[i]))
    return key


class Walk(NamedTuple):
    """Where the walk through the tree is."""

    states: Any  # [depth]
    scratch: Any  # [1]: what a player sees
    words: Any  # its bytes
    levels: Any  # [depth]: LEVEL
    listed: Any  # [depth, action]
    odds: Any  # [depth, outcome]
    path: Any  # [player]: its sequence
    control: Any  # [1]: CONTROL


class Grown(NamedTuple):
    """What was found of the tree so far."""

    infos: Any  # [information set]: INFO
    views: Any  # [information set]: the state as its player sees it
    slots: Any  # [hash]: the number of an information set, or -1
    chosen: Any  # [player, sequence]: the action it ends with
    sizes: Any  # [player]: how many sequences
    ends: Any  # [end, player]: the sequence that leads there
    worth: Any  # [end, player], by how likely chance goes there; the last column is that alone


@kernel
def grow(walk: Any, grown: Any) -> Any:
    """Walk on through the tree from where control says; returns DONE, MORE after a slice, or why it stopped."""
    settings = walk.control[0]
    states, scratch, levels, listed, odds, path = walk.states, walk.scratch, walk.levels, walk.listed, walk.odds, walk.path
    infos, slots, chosen, sizes, ends, worth = grown.infos, grown.slots, grown.chosen, grown.sizes, grown.ends, grown.worth
    players = settings.players
    mask = u64(len(slots) - 1)
    most = listed.shape[1]
    while settings.depth >= 0:
        depth = settings.depth
        level = levels[depth]
        if level.count < 0:  # a node not looked at yet
            if settings.nodes >= settings.until:
                return MORE
            if settings.infos + 1 >= len(infos) or settings.ends + 1 >= len(ends) or depth + 1 >= len(states):
                return ENDLESS if depth + 1 >= len(states) else FULL
            for p in range(players):
                if sizes[p] + most >= chosen.shape[1]:
                    return FULL
            settings.nodes += 1
            state = states[depth]
            player = state.player()
            count = 0
            if not state.is_terminal():
                if player == CHANCE:
                    count = state.chances(listed[depth], odds[depth])
                else:
                    count = state.actions(listed[depth])
            if count == 0:
                at = settings.ends
                settings.ends += 1
                for p in range(players):
                    ends[at, p] = path[p]
                    worth[at, p] = level.reach * state.utility(p)
                worth[at, players] = level.reach
                settings.depth -= 1
                continue
            level.player, level.count, level.next = player, count, 0
            if player != CHANCE:
                scratch[0] = states[depth]
                scratch[0].observe(player)
                key = hash_words(walk.words, player)
                if settings.recall:  # a player that forgets by its view remembers what it did, and so what it saw then
                    key = mix(key ^ u64(path[player]) * u64(0xD1B54A32D192ED03))
                slot = key & mask
                found = -1
                while slots[i64(slot)] >= 0:
                    if infos[slots[i64(slot)]].key == key:
                        found = i64(slots[i64(slot)])
                        break
                    slot = (slot + u64(1)) & mask
                if found < 0:
                    found = settings.infos
                    settings.infos += 1
                    slots[i64(slot)] = i32(found)
                    info = infos[found]
                    info.key, info.player, info.parent = key, i32(player), i32(path[player])
                    info.first, info.count = i32(sizes[player]), i32(count)
                    for k in range(count):
                        chosen[player, sizes[player] + k] = listed[depth, k]
                    sizes[player] += count
                    grown.views[found] = scratch[0]
                elif infos[found].parent != path[player] or infos[found].count != count:
                    settings.wrong = found
                    return FORGETFUL
                level.first = i64(infos[found].first)
                level.saved = path[player]
        if level.next == level.count:  # all children done
            if level.player != CHANCE:
                path[level.player] = level.saved
            settings.depth -= 1
            continue
        k = level.next
        level.next += 1
        states[depth + 1] = states[depth]
        states[depth + 1].play(listed[depth, k])
        below = levels[depth + 1]
        below.count = -1
        below.reach = level.reach
        if level.player == CHANCE:
            below.reach = level.reach * odds[depth, k]
        else:
            path[level.player] = level.first + k
        settings.depth += 1
    return DONE


@dataclass(frozen=True)
class Tree:
    """The sequence form of a game: per player, parallel arrays over its information sets and its sequences."""

    game: Any
    players: int
    nodes: int  # histories of the whole tree, ends and chance included
    parents: tuple[np.ndarray, ...]  # per player, of each information set: the sequence it hangs on
    firsts: tuple[np.ndarray, ...]  # its first action's sequence
    counts: tuple[np.ndarray, ...]  # how many actions it has
    actions: tuple[np.ndarray, ...]  # of each sequence: the action taken (sequence 0 is the empty one)
    keys: tuple[np.ndarray, ...]  # of each information set: the hash of what the player sees
    views: tuple[np.ndarray, ...]  # of each information set: what the player sees, as a record
    last: np.ndarray  # [end, player]: each player's sequence
    worth: np.ndarray  # [end, player]: chance's share times the utility
    share: np.ndarray  # [end]: chance's share

    @property
    def information_sets(self) -> int:
        """How many there are, of all players."""
        return sum(len(each) for each in self.parents)

    @property
    def sequences(self) -> tuple[int, ...]:
        """How many sequences each player has, the empty one included."""
        return tuple(len(each) for each in self.actions)

    @property
    def ends(self) -> int:
        """How many ends are told apart by the players' sequences."""
        return len(self.last)

    def rows(self, player: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The ends by a player's sequence in a game of two: where each row begins, the other's sequence, what it is worth."""
        order = np.lexsort((self.last[:, 1 - player], self.last[:, player]))
        counts = np.bincount(self.last[:, player], minlength=self.sequences[player])
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        return starts, self.last[order, 1 - player].astype(np.int32), np.ascontiguousarray(self.worth[order, player])

    def view(self, player: int, number: int) -> Position:
        """What the player sees in one of its information sets."""
        return Position(self.game, self.views[player][number : number + 1].tobytes())


def build(game: Game, roots: Sequence[tuple[Position, float]] | None = None, *, memory: float = 4096, recall: bool = False,
          stop: threading.Event | None = None, progress: Any = None) -> Tree:
    """The sequence form of a game from its start, or from several positions with the probability of each.

    With `recall`, a player knows all that it saw and did since then even where its view has lost it.
    """
    if not hasattr(game, "rules"):
        raise Unsuitable(f"the engine needs compiled rules; {game.name} is a plain game: use the textbook's cfr")
    if getattr(game.traits, "sampled", False):
        raise Unsuitable(f"a whole tree needs chance outcomes that can be listed; {game.name} draws them: use mccfr")
    rules, players = game.rules, game.traits.players
    starts = [(game.start(), 1.0)] if roots is None else list(roots)
    scratch, control = rules.states(1), np.zeros(1, CONTROL)
    listed = np.zeros((LONGEST, rules.most_actions), np.int64 if getattr(rules, "wide_actions", False) else np.int32)
    odds = np.zeros((LONGEST, rules.most_actions if game.traits.chance else 1))
    walk = Walk(rules.states(LONGEST), scratch, words_of(scratch), np.zeros(LONGEST, LEVEL), listed, odds,
                np.zeros(players, np.int64), control)
    grown = Grown(np.zeros(1024, INFO), rules.states(1024), np.full(4096, -1, np.int32),
                  np.zeros((players, 4096 + rules.most_actions), listed.dtype), np.ones(players, np.int64),
                  np.zeros((4096, players), np.int32), np.zeros((4096, players + 1)))
    control["players"], control["recall"] = players, recall
    for position, probability in starts:
        walk.states[:1].view(np.uint8)[:] = np.frombuffer(position.state, np.uint8)
        walk.levels[0]["reach"], walk.levels[0]["count"] = probability, -1
        walk.path[:] = 0
        control["depth"] = 0
        while True:
            control["until"] = control["nodes"] + SLICE
            status = grow(walk, grown)
            if status == DONE:
                break
            if stop is not None and stop.is_set():
                raise Unavailable("stopped while the tree was being built")
            if progress is not None:
                progress(int(control["nodes"][0]))
            if status == FULL:
                if sum(each.nbytes for each in (grown.infos, grown.views, grown.ends, grown.worth)) > memory * 2**20 / 2:
                    raise Unavailable(f"the tree of {game.name} needs more than {memory:g} MB after {int(control['nodes'][0]):,} "
                                      "nodes: use a sampling algorithm (mccfr), or a later position")
                grown = _larger(rules, grown, control)
            elif status == ENDLESS:
                raise Unsuitable(f"a whole tree needs a game of less than {LONGEST} plies; {game.name} goes on longer")
            elif status == FORGETFUL:
                wrong = int(control["wrong"][0])
                seen = Position(game, grown.views[wrong : wrong + 1].tobytes()).text()
                player = int(grown.infos[wrong]["player"])
                raise Unsuitable(f"regret minimization needs perfect recall; {game.name} shows player {player} {seen!r} "
                                 "after different actions of its own: give it recall")
    return _finished(game, grown, control)


def public_roots(view: Position, deals: int = 300, *, seed: int = 0, until: float = math.inf) -> list[tuple[Position, float]]:
    """Positions that fit what everybody knows, dealt from one player's view, and how likely each is.

    Its own hidden part is dealt anew, too, since nobody else knows it. All views of the player to move weigh alike, whatever was
    done before. The same view and seed deal the same.
    """
    me, others = view.player(), [p for p in range(view.game.traits.players) if p != view.player()]
    view = view.observe(me)
    groups: dict[Any, set[Position]] = {}
    source = random.Random(f"{seed} {view.text()}")
    at = view
    for number in range(deals):
        if time.monotonic() > until and number > 20:
            break
        dealt = view.deal(me, source.getrandbits(60))
        groups.setdefault(view.state, set()).add(dealt)
        at = dealt if number % 8 == 0 else at  # now and then from the own hand again, so that its neighbours come
        for other in others:
            try:
                at = at.observe(other).deal(other, source.getrandbits(60))
            except Unavailable:
                at = dealt
        if not at.is_terminal() and not at.is_chance() and at.player() == me:
            groups.setdefault(at.observe(me).state, set()).add(at)
        at = at.observe(me).deal(me, source.getrandbits(60)) if not at.is_terminal() else dealt
    return [(position, 1 / len(groups) / len(group)) for group in groups.values()
            for position in sorted(group, key=lambda each: each.text())]


def words_of(scratch: np.ndarray) -> np.ndarray:
    """The bytes of one record as whole numbers, as long as fit."""
    size = scratch.dtype.itemsize
    return scratch[:1].view(np.uint64 if size % 8 == 0 else np.uint32 if size % 4 == 0 else np.uint8)


def _larger(rules: Any, grown: Grown, control: Any) -> Grown:
    """The same arrays with twice the room where room was scarce."""
    infos, views, _, chosen, sizes, ends, worth = grown
    known = int(control["infos"][0])
    if known * 2 > len(infos):
        infos = np.concatenate((infos, np.zeros(len(infos), INFO)))
        more = rules.states(len(infos))
        more[: len(views)] = views
        views = more
    if int(control["ends"][0]) * 2 > len(ends):
        ends, worth = np.concatenate((ends, np.zeros_like(ends))), np.concatenate((worth, np.zeros_like(worth)))
    chosen = np.concatenate((chosen, np.zeros_like(chosen)), axis=1)
    slots = np.full(1 << (4 * len(infos) - 1).bit_length(), -1, np.int32)
    fill(slots, infos, known)
    return Grown(infos, views, slots, chosen, sizes, ends, worth)


@kernel
def fill(slots: Any, infos: Any, known: Any) -> None:
    """Enter the known information sets into a larger table."""
    mask = u64(len(slots) - 1)
    for at in range(known):
        slot = infos[at].key & mask
        while slots[i64(slot)] >= 0:
            slot = (slot + u64(1)) & mask
        slots[i64(slot)] = i32(at)


def _picked(views: Any, numbers: np.ndarray) -> Any:
    """Some of the records, to the byte: NumPy would leave the padding between fields unwritten, and views are compared by bytes."""
    rows = views.view(np.uint8).reshape(len(views), -1)[numbers]
    return rows.reshape(-1).view(views.dtype)


def _finished(game: CompiledGame, grown: Grown, control: Any) -> Tree:
    infos, views, _, chosen, sizes, ends, worth = grown
    players, known, found = game.traits.players, int(control["infos"][0]), int(control["ends"][0])
    owner = infos["player"][:known]
    mine = [np.flatnonzero(owner == p) for p in range(players)]
    last, worth = ends[:found], worth[:found]
    keys = last[:, 0].astype(np.int64)
    for p in range(1, players):
        keys = keys * int(sizes[p]) + last[:, p]
    if int(np.prod(sizes.astype(float))) < 2**62:  # ends that no player can tell apart by its own choices are one
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        last = last[first]
        columns = (np.bincount(inverse, weights=column, minlength=len(first)) for column in worth.T)
        worth = np.stack(list(columns), axis=1)
    return Tree(
        game=game,
        players=players,
        nodes=int(control["nodes"][0]),
        parents=tuple(infos["parent"][each].astype(np.int32) for each in mine),
        firsts=tuple(infos["first"][each].astype(np.int32) for each in mine),
        counts=tuple(infos["count"][each].astype(np.int32) for each in mine),
        actions=tuple(chosen[p, : sizes[p]].copy() for p in range(players)),
        keys=tuple(infos["key"][:known][each] for each in mine),
        views=tuple(_picked(views, each) for each in mine),
        last=np.ascontiguousarray(last),
        worth=np.ascontiguousarray(worth[:, :players]),
        share=np.ascontiguousarray(worth[:, players]),
    )

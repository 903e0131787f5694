"""Players: anything that picks an action, named by a short text.

    random                       any action; random:seed=3 for other ones
    thumb                        the rule of thumb that a game plays its simulated games by (Monopoly, Go)
    human                        a person at the keyboard
    alphabeta:depth=6            an algorithm of the textbook, with its limits and options
    mcts:simulations=1000
    engine                       the engine with what fits the game, one second a move
    engine:time=0.5              the same, half a second a move
    engine:pvs,depth=8           one of the engine's algorithms
    engine:level=club            weaker: beginner, casual, club, strong, master, full, or a rating
    engine:book=F,tables=D       with an opening book and endgame tables
    auto                         whatever fits the game, one second a move
    policy:FILE                  a saved policy, drawn from its shares
    resolve:time=2               hidden information: solves the rest of the game anew from what all know, and mixes
    shooter                      battleships: a cell that ends the hunt soon, as a network learned, or the likeliest one
    uci:stockfish,time=0.1       another program, by its protocol
    gnubg:ply=0                  GNU Backgammon
    double-dummy:deals=100       bridge: deals what it does not see, solves each deal with open cards; alias gib
    kitchen                      bridge by the rules of thumb of the kitchen table
    tiles:simulation,time=2      Scrabble, by simulated deals; tiles:static and tiles:greedy are quicker
    net:FILE,time=1              a network that learned the game, with the search around it
    deep-blue, master, ...       named players: `outplay players` lists them (see outplay.players.presets)

>>> player("alphabeta:depth=6").limits
Limits(depth=6)
>>> player("engine:pvs,time=0.5").name
'engine:pvs,time=0.5'
>>> player("randm")
Traceback (most recent call last):
outplay.errors.UnknownName: unknown player 'randm': did you mean 'random'?
"""

from __future__ import annotations

from collections.abc import Callable

from outplay import playing
from outplay.errors import BadValue, UnknownName, shorten
from outplay.game import Position
from outplay.names import Option, find, parse, plain, read_options
from outplay.players.algorithms import AUTO, COMMON, ENGINE, TEXTBOOK, Watch, algorithms, names, read
from outplay.players.base import Player, Resigned
from outplay.players.human import Human
from outplay.players.presets import PRESETS, expand, preset
from outplay.players.random import RandomPlayer
from outplay.players.searcher import Searcher
from outplay.players.thumb import Thumb
from outplay.playing import Play
from outplay.values import Limits

BRIDGE = ("double-dummy", "kitchen")
PROTOCOLS = ("uci", "xboard", "gtp", "nboard", "hub", "gnubg")
SEED = next(option for option in COMMON if option.name == "seed")
TIME = Option("time", "number", 1.0, "seconds a move", least=0.001)
LAY = Option("lay", "text", "learned", "where its ships lie: learned, random, or a file of placements")
AIM = Option("aim", "text", "learned", "how it chooses its shots: learned, likeliest, or a file of `learn battleships`")
POLICY = Option("policy", "text", "", "a file of `equilibrium --out`: the past is weighed by it, and the rest solved safely")
DEPTH = Option("depth", "whole", None, "solve the rest to so many actions, by the policy from there on", least=1)
THREADS = Option("threads", "whole", 1, "threads, with a trained strategy for hold'em", least=1)
MEMORY = Option("memory", "number", 64.0, "megabytes for the tree", least=1)
OWN = (
    Option("lines", "whole", 1, "how many best actions to tell", least=1),
    Option("level", "text", "full", "weaker: beginner, casual, club, strong, master, full, or a rating"),
    Option("book", "text", "", "the file of an opening book, or own: the one that comes with the package"),
    Option("tables", "text", "", "the folder of endgame tables"),
)
"""What a player has beside its search."""
SECONDS = 1.0
"""How long `engine` and `auto` think about a move when they are given no limit."""


def player(
    text: str,
    *,
    seed: int = 0,
    ask: Callable[[Position], str] | None = None,
    tell: Callable[[str], None] = print,
    watch: Watch | None = None,
) -> Player:
    """The player that a text names; `ask` and `tell` are for a person, `watch` for a search, `seed` where the text has none."""
    named = preset(text)
    if named is not None:
        if parse(text, "player").part:
            raise BadValue(f"player {shorten(text)!r}: expected key=value after the name")
        made_of: Player = player(expand(text), seed=seed, ask=ask, tell=tell, watch=watch)
        made_of.name, made_of.plays = text.strip(), named.game
        return made_of
    if text.strip().partition(":")[0] in PROTOCOLS:
        from outplay.players.external import external

        return external(text)
    if text.strip().partition(":")[0] == "policy":
        from outplay.players.mixing import from_text

        return from_text(text, seed)
    if text.strip().partition(":")[0] == "tiles":
        from outplay.players.tiles import from_text as tiles

        return tiles(text, seed)
    if text.strip().partition(":")[0] == "net":
        from outplay.players.networks import network

        return network(text, seed)
    base, options = _parse(text)
    if base in BRIDGE:
        from outplay.players.bridge import bridge_player

        return bridge_player(base, options, seed, text)
    if base == "human":
        _refuse_rest("human", options)
        return Human(ask or (lambda view: input("> ")), tell)
    if base == "shooter":
        from outplay.players.shooter import Shooter

        shooting = read_options("player shooter", options, [SEED, LAY, AIM])
        shooter = Shooter(**{"seed": seed, "lay": LAY.default, "aim": AIM.default, **shooting})
        shooter.name = text.strip()
        return shooter
    if base == "resolve":
        from outplay.players.mixing import is_trained
        from outplay.players.resolving import Resolver
        from outplay.values import Policy

        asked_for = read_options("player resolve", options, [SEED, TIME, MEMORY, POLICY, DEPTH, THREADS])
        if asked_for.get("policy") and is_trained(asked_for["policy"]):
            from outplay.players.resolving_holdem import HoldemResolver

            if asked_for.get("depth"):
                raise BadValue("resolve with a trained strategy for hold'em solves turns and rivers to the end: leave depth out")
            return HoldemResolver(asked_for["policy"], seconds=asked_for.get("time", SECONDS), seed=asked_for.get("seed", seed),
                                  threads=asked_for.get("threads", 1), name=text.strip())
        if asked_for.get("threads", 1) != 1:
            raise BadValue("resolve uses several threads only with a trained strategy for hold'em: policy=FILE,threads=N")
        plan = Policy.load(asked_for["policy"]) if asked_for.get("policy") else None
        resolver = Resolver(seconds=asked_for.get("time", SECONDS), memory=asked_for.get("memory", MEMORY.default),
                            seed=asked_for.get("seed", seed), policy=plan, depth=asked_for.get("depth"))
        resolver.name = text.strip()
        return resolver
    if base in ("random", "thumb"):
        chosen = read_options(f"player {base}", options, [SEED])
        chancer = (RandomPlayer if base == "random" else Thumb)(chosen.get("seed", seed))
        chancer.name = text.strip()
        return chancer
    asked = read(text)
    limits = asked.limits
    if base == AUTO or base.startswith(ENGINE):
        limits = limits or {"seconds": SECONDS}
    own = {key: value for key, value in asked.options.items() if key in {option.name for option in OWN}}
    rest = {key: value for key, value in asked.options.items() if key not in own}
    if base in algorithms():
        rest = read_options(base, rest, algorithms()[base].options)
    else:  # the game will choose the search; what no search has is told now
        known = {option.name: option for each in algorithms().values() for option in each.options}
        known |= {option.also: option for option in known.values() if option.also}
        for key in rest:
            if key not in known:
                raise UnknownName(f"option of player {base}", key, [*known, *(option.name for option in (*COMMON, *OWN))])
    chosen_seed = asked.common.pop("seed", seed)
    options = {**read_options(f"player {base}", own, OWN), **asked.common, **rest}
    made = Searcher(base, Limits(**limits), seed=chosen_seed, watch=watch, **options)
    made.name = text.strip()
    return made


def _parse(text: str) -> tuple[str, dict[str, str]]:
    """The name and the options of a player, where an engine's or textbook's name has a part of its own."""
    asked = parse(text, "player")
    base = asked.base.lower()
    own = "random", "thumb", "human", "policy", "net", "resolve", "shooter", "tiles", *BRIDGE
    known = [*own, *PROTOCOLS, *PRESETS, ENGINE, AUTO, *names()]
    wanted = f"{base}:{asked.part}" if base == ENGINE and asked.part else asked.part if base == TEXTBOOK else base
    try:
        found = find("player", wanted, known)
    except UnknownName:
        found = next((name for name in known if plain(name.removeprefix(ENGINE + ":")) == plain(wanted)), "")
        if not found:
            raise UnknownName("player", asked.base if asked.options or base not in (ENGINE, TEXTBOOK) else text, known) from None
    if asked.part and base not in (ENGINE, TEXTBOOK):
        raise BadValue(f"player {shorten(text)!r}: expected key=value after the name, got {shorten(asked.part)!r}")
    return found, asked.options


def _refuse_rest(name: str, options: dict[str, str]) -> None:
    for key in options:
        raise BadValue(f"player {name!r} takes {'only seed' if name == 'random' else 'nothing'}, got {key!r}")


playing.named[:] = [player]  # a game in progress takes players by name, too

__all__ = ["Human", "Play", "Player", "RandomPlayer", "Resigned", "Searcher", "Thumb", "player"]

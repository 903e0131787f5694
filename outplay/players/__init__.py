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
    program:COMMAND              any program that speaks the lines of docs/bring-your-own.md
    python:FILE.py:NAME          a class or function in a Python file, in a process of its own
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

from outplay import extras, playing
from outplay.errors import BadValue, UnknownName, shorten
from outplay.extras import Extras
from outplay.game import Position
from outplay.names import Option, find, options_of, parse, plain, read_options
from outplay.players.algorithms import AUTO, COMMON, ENGINE, TEXTBOOK, Watch, algorithms, names, read
from outplay.players.base import Player, Resigned
from outplay.players.human import Human
from outplay.players.presets import expand, preset, presets
from outplay.players.random import RandomPlayer
from outplay.players.searcher import Searcher
from outplay.players.thumb import Thumb
from outplay.playing import Play
from outplay.values import Limits

GUESTS = ("program", "python")
PROTOCOLS = ("uci", "xboard", "gtp", "hub")
HEADS = {
    **dict.fromkeys(PROTOCOLS, ".external:external"), **dict.fromkeys(GUESTS, ".guests:guest"), "policy": ".mixing:from_text",
    "net": ".networks:network", "resolve": ".resolving:from_text",
}  # fmt: skip
"""Players that are made from their text by a function of their own, imported when it is wanted."""
HOME = Extras(home=__name__)
SEED = next(option for option in COMMON if option.name == "seed")
OWN = (
    Option("lines", "whole", 1, "how many best actions to tell", least=1),
    Option("level", "text", "full", "weaker: beginner, casual, club, strong, master, full, or a rating"),
    Option("book", "text", "", "the file of an opening book, or own: the one that comes with the package"),
    Option("tables", "text", "", "the folder of endgame tables"),
)
"""What a player has beside its search."""
SECONDS = 1.0
"""How long `engine` and `auto` think about a move when they are given no limit."""


def starts_a_program(text: str) -> bool:
    """Whether a player's text names a program or a file of code, which a person alone may ask for.

    >>> [starts_a_program(text) for text in ("uci:stockfish", "python:mine.py", "gnubg:ply=0", "auto", "gib")]
    [True, True, True, False, False]
    """
    return text.strip().partition(":")[0].lower() in (*PROTOCOLS, *GUESTS, *extras.names("programs"))


def player(
    text: str,
    *,
    seed: int = 0,
    ask: Callable[[Position], str] | None = None,
    tell: Callable[[str], None] = print,
    watch: Watch | None = None,
) -> Player:
    """The player that a text names; `ask` and `tell` are for a person, `watch` for a search, `seed` where the text has none."""
    text = text.strip()
    named = preset(text)
    if named is not None:
        if parse(text, "player").part:
            raise BadValue(f"player {shorten(text)!r}: expected key=value after the name")
        made_of: Player = player(expand(text), seed=seed, ask=ask, tell=tell, watch=watch)
        made_of.name, made_of.plays = text, named.game
        return made_of
    head = text.partition(":")[0]
    if head.lower() in HEADS:
        made: Player = HOME.fetch(HEADS[head.lower()])(text, seed)
        return made
    of_a_game = extras.entry("players", head) or extras.entry("programs", head)
    if of_a_game is not None:
        return _of_a_game(*of_a_game, text, seed)
    base, options = _parse(text)
    if base == "human":
        _refuse_rest("human", options)
        return Human(ask or (lambda view: input("> ")), tell)
    if base in ("random", "thumb"):
        chosen = read_options(f"player {base}", options, [SEED])
        chancer = (RandomPlayer if base == "random" else Thumb)(chosen.get("seed", seed))
        chancer.name = text
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
    searcher = Searcher(base, Limits(**limits), seed=chosen_seed, watch=watch, **options)
    searcher.name = text
    return searcher


def _of_a_game(found: Extras, place: str, text: str, seed: int) -> Player:
    """A player that one game brings: made by a function of its text, or a class whose options are its keyword arguments."""
    making = found.fetch(place)
    if isinstance(making, type):
        asked = parse(text, "player")
        if asked.part:
            raise BadValue(f"player {shorten(text)!r}: expected key=value after the name, got {shorten(asked.part)!r}")
        known = options_of(making)
        given = {**({"seed": seed} if "seed" in {option.name for option in known} else {}),
                 **read_options(f"player {asked.base}", asked.options, known)}
        made = making(**given)
    else:
        made = making(text, seed)
    made.name = text
    made.plays = made.plays or found.game
    return made


def _parse(text: str) -> tuple[str, dict[str, str]]:
    """The name and the options of a player, where an engine's or textbook's name has a part of its own."""
    asked = parse(text, "player")
    base = asked.base.lower()
    own = "random", "thumb", "human"
    known = [*own, *extras.names("players"), *extras.names("programs"), *HEADS, *presets(), ENGINE, AUTO, *names()]
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

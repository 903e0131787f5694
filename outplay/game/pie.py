"""The pie rule, for any game of two players: after the first player's first move the other may take it over, by swapping sides.

Whoever cuts the pie lets the other choose, so the first move had better be fair (as in Hex, Twixt and Go by agreement). Every game
of two players takes `pie=yes`; the rules are compiled as they are, with one action more.

>>> from outplay.game import load
>>> game = load("tic-tac-toe:pie=yes")
>>> position = game.start().play("b2")                    # the middle: too good a move
>>> "swap" in [position.action_text(action) for action in position.actions()]
True
>>> position.play("swap").player()                        # the sides have changed: the first player now answers that move
0
>>> [game.start().play(line).utilities() for line in ("b2 a1 c1 c2 a3", "b2 swap a1 c1 c2 a3")]
[(1.0, -1.0), (-1.0, 1.0)]
"""

from __future__ import annotations

import functools
import inspect
import re
from dataclasses import replace
from typing import Any

from outplay.errors import Unsuitable
from outplay.jit import f64, i8, i64, mix, u64
from outplay.rules import Definition

SWAP = 1 << 30
"""The number of the action that takes the other side."""
WORDS = "Pie: with `pie=yes` the other may answer the first move by `swap`, and takes over the side that made it."
OPTION = "`pie`: Whether the other may answer the first move by taking that side over."
NOT_YET, OPEN, OVER = 0, 1, 2
"""The first player has not moved; the second may swap; the matter is settled."""
GONE = ("planes", "targets", "outcome", "nnue_inputs", "nnue_bucket", "hold", "hand_rank", "canonical", "choose",
        "retractions", "retract", "table_class", "table_index", "table_place", "table_classes", "probe")
"""What knows nothing of the rule: networks and endgame tables were made without it."""


@functools.cache
def with_pie(definition: Definition) -> Definition:
    """A game that takes `pie=yes` beside its own parameters."""

    def maker(pie: bool = False, **parameters: Any) -> type:
        cls: type = definition.maker if inspect.isclass(definition.maker) else definition.maker(**parameters)
        return _with_swap(definition, cls) if pie else cls

    own = [] if inspect.isclass(definition.maker) else list(inspect.signature(definition.maker).parameters.values())
    swap = inspect.Parameter("pie", inspect.Parameter.KEYWORD_ONLY, default=False)
    maker.__signature__ = inspect.Signature([*(each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own), swap])  # type: ignore[attr-defined]
    maker.__doc__ = f"{inspect.cleandoc(definition.__doc__ or '')}\n\n{WORDS}\n\n{OPTION}"
    maker.__module__ = definition.__module__
    return Definition(definition.name, maker, {**definition.ranges, "pie": (False, True)})


def _with_swap(definition: Definition, base: Any) -> type:
    """The author's class with one action more."""
    if getattr(base, "players", 2) != 2 or getattr(base, "sides", ()):
        raise Unsuitable(f"the pie rule is for games of two players; {definition.name} has others")

    own: dict[str, Any] = {}
    for name, function in _COMPILED.items():
        plain_one = getattr(base, name, _turn if name == "player" else None)
        if plain_one is not None:
            own |= {name: function, f"plain_{name}": plain_one}
    own |= _python_only(base)
    own |= {"__annotations__": {"pie_stage": i8, "pie_swapped": i8}, "__doc__": base.__doc__, "__module__": base.__module__,
            "most_actions": getattr(base, "most_actions", 256) + 1, "bulk_counting": False, "policy_size": 0, "plane_shape": (),
            "target_count": 0, "private_hands": 0, "private_cards": ()}
    plain = type(base.__name__, (), {name: value for each in reversed(base.__mro__) if each is not object
                                     for name, value in vars(each).items() if name not in GONE and name not in _NOT_COPIED})
    annotations = {name: value for each in reversed(base.__mro__) if each is not object
                   for name, value in inspect.get_annotations(each).items()}
    plain.__annotations__ = annotations
    return type(base.__name__, (plain,), own)


_NOT_COPIED = {"__dict__", "__weakref__", "__annotations__", "__static_attributes__", "__firstlineno__", "__annotate__",
               "__annotate_func__", "__annotations_cache__"}


# ---------------------------------------------------------------- what is compiled: the author's own methods are called plain_...


def _turn(self: Any) -> Any:
    return i64(self.turn)


def actions(self, out):  # type: ignore[no-untyped-def]
    """The game's own actions, and to swap where that is open."""
    count = self.plain_actions(out)
    if count > 0 and self.pie_stage == OPEN and self.plain_player() == 1:
        out[count] = SWAP
        count += 1
    return count


def play(self, action):  # type: ignore[no-untyped-def]
    """Swap, or what the game does."""
    if action == SWAP:
        self.pie_swapped = 1
        self.pie_stage = OVER
    else:
        mover = self.plain_player()
        self.plain_play(action)
        if mover == 0 and self.pie_stage == NOT_YET:
            self.pie_stage = OPEN
        elif mover == 1:
            self.pie_stage = OVER


def player(self):  # type: ignore[no-untyped-def]
    """Who moves: the other of the two once they have swapped."""
    mover = i64(self.plain_player())
    return mover if mover < 0 else mover ^ i64(self.pie_swapped)


def utility(self, seat):  # type: ignore[no-untyped-def]
    """Of the side that the seat has now."""
    return self.plain_utility(seat ^ i64(self.pie_swapped))


def evaluate(self, seat, weights):  # type: ignore[no-untyped-def]
    """Of the side that the seat has now."""
    return self.plain_evaluate(seat ^ i64(self.pie_swapped), weights)


def observe(self, seat):  # type: ignore[no-untyped-def]
    """What the side that the seat has now does not know."""
    self.plain_observe(seat ^ i64(self.pie_swapped))


def deal(self, seat, source):  # type: ignore[no-untyped-def]
    """What it does not know, at random."""
    return self.plain_deal(seat ^ i64(self.pie_swapped), source)


def order(self, action):  # type: ignore[no-untyped-def]
    """Swapping is no better or worse than quiet moves."""
    return 0 if action == SWAP else self.plain_order(action)


def prior(self, action):  # type: ignore[no-untyped-def]
    """Nothing is known of a swap."""
    wins, games = f64(0.0), f64(0.0)
    if action != SWAP:
        wins, games = self.plain_prior(action)
    return wins, games


def cost(self, action):  # type: ignore[no-untyped-def]
    """A swap costs what the least does."""
    return 1 if action == SWAP else self.plain_cost(action)


def solving_order(self, action):  # type: ignore[no-untyped-def]
    """As `order`."""
    return 0 if action == SWAP else self.plain_solving_order(action)


def transform_action(self, symmetry, action):  # type: ignore[no-untyped-def]
    """A swap is the same on every twin of the board."""
    return action if action == SWAP else self.plain_transform_action(symmetry, action)


def reversible(self):  # type: ignore[no-untyped-def]
    """As in the game; the choice itself cannot come again."""
    return self.plain_reversible() if self.pie_stage == OVER else 0


def pass_turn(self):  # type: ignore[no-untyped-def]
    """Not while the choice is open."""
    return self.plain_pass_turn() if self.pie_stage == OVER else False


def key(self):  # type: ignore[no-untyped-def]
    """The position's, and how the matter stands."""
    return mix(self.plain_key() ^ u64(self.pie_stage * 2 + self.pie_swapped) * u64(0x9E3779B97F4A7C15))


_COMPILED = {each.__name__: each for each in (actions, play, player, utility, evaluate, observe, deal, order, prior, cost,
                                             solving_order, transform_action, reversible, pass_turn, key)}


# ---------------------------------------------------------------- what only Python calls


def _python_only(base: Any) -> dict[str, Any]:
    """Texts and names, with the swap."""

    def own(name: str) -> Any:
        return getattr(base, name, None)

    found: dict[str, Any] = {}
    write, read, name, parse, ends, public = (own(each) for each in ("text", "parse", "action_text", "parse_action", "standing",
                                                                    "is_public"))
    if write is not None:
        def text(self):  # type: ignore[no-untyped-def]
            stage = "swapped" if self.pie_swapped else ("first", "open", "")[int(self.pie_stage)]
            return write(self) + (f" pie={stage}" if stage else "")
        found["text"] = text
    if read is not None:
        def parse_text(self, text):  # type: ignore[no-untyped-def]
            said = re.search(r"\s*\bpie=(first|open|swapped)\s*$", text)
            read(self, text[: said.start()] if said else text)
            word = said[1] if said else ""
            self.pie_stage = {"first": NOT_YET, "open": OPEN}.get(word, OVER)
            self.pie_swapped = word == "swapped"
        found["parse"] = parse_text

    def action_text(self, action):  # type: ignore[no-untyped-def]
        return "swap" if action == SWAP else name(self, action) if name is not None else str(int(action))

    def parse_action(self, text):  # type: ignore[no-untyped-def]
        if text.strip().lower() in ("swap", "pie"):
            return SWAP
        if parse is not None:
            return parse(self, text)
        raise ValueError

    found |= {"action_text": action_text, "parse_action": parse_action}
    if ends is not None:
        found["standing"] = lambda self, seat: ends(self, seat ^ int(self.pie_swapped))
    if own("picture") is not None:
        drawn = own("picture")

        def picture(self):  # type: ignore[no-untyped-def]
            shown = drawn(self)
            return replace(shown, touches={**shown.touches, SWAP: ()}) if shown.touches else shown
        found["picture"] = picture
    if public is not None:
        found["is_public"] = lambda self, action: True if action == SWAP else public(self, action)
    return found


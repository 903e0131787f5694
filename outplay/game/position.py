"""A moment of a game, and the lectures' six questions that every game answers.

>>> from outplay.game import load
>>> position = load("tic-tac-toe").start()
>>> position.player(), len(position.actions()), position.is_terminal()
(0, 9, False)
"""

from __future__ import annotations

import functools
import re
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from outplay import names
from outplay.errors import BadNotation, BadValue, IllegalAction, RulesError, Unavailable, Unsuitable, nearest, shorten
from outplay.jit import random_source, uniform
from outplay.values import CHANCE, Action, Outcome, Picture, Traits

State = Hashable
MANY = 100
"""With more legal actions than these, the game's own reason says more of what is wrong than a list of them would."""
MOST_TRIES = 10_000
MANY_TEXTS = 1000
"""Of a position with more actions a text is read by the rules first, before all of them are written."""
"""How often a deal is tried before it is given up."""


class Game:
    """A plain game: the lectures' six functions on immutable hashable states. Subclass it; the rest is optional.

    >>> class Coin(Game):
    ...     '''Take one or two of five coins; whoever takes the last one wins.'''
    ...     name = "coins"
    ...     def initial(self): return (5, 0)
    ...     def player(self, state): return state[1]
    ...     def actions(self, state): return [n for n in (1, 2) if n <= state[0]]
    ...     def result(self, state, action): return (state[0] - action, 1 - state[1])
    ...     def is_terminal(self, state): return state[0] == 0
    ...     def utility(self, state, player): return -1 if player == state[1] else 1
    >>> Coin().start().play("2").actions()
    (1, 2)
    """

    name = ""
    origin = ""  # what `load` found it by, where that is a file
    players = 2
    sides: tuple[tuple[int, ...], ...] = ()
    seat_names: tuple[str, ...] = ()
    total: float | None = 0.0
    bounds: tuple[float, float] = (-1.0, 1.0)
    pays = ""
    scale = 1.0
    unit = "points"
    stake: float | None = None
    repetitions: int | None = 3
    draw_after: int | None = None
    horizon: int | None = None
    stays_hidden = False
    recall = True
    symmetries = 1

    @property
    def family(self) -> str:
        """The name without parameters: `chess` of `chess:start=518`.

        >>> from outplay.game import load
        >>> load("connect four", width=5).family
        'connect four'
        """
        return names.family(self.name)

    def has_rules_of(self, other: Game) -> bool:
        """Whether the other is this game, under whatever name or face: then equal states are equal positions.

        >>> from outplay.game import load
        >>> load("nim", compiled=False).has_rules_of(load("nim")), load("nim").has_rules_of(load("chess"))
        (True, False)
        """
        return self is other

    # Only compiled games have these (ask `hasattr(game, "rules")`): declared for type checkers, with no value here.
    rules: Any
    record: Any
    key: Any

    # The lectures' six functions.
    def initial(self) -> State:
        """The state in which the game starts."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method initial(self)")

    def player(self, state: Any) -> int:
        """PLAYER: who is to move; CHANCE at a chance node."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method player(self, state)")

    def actions(self, state: Any) -> Iterable[Action]:
        """ACTIONS: what the player to move may do."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method actions(self, state)")

    def result(self, state: Any, action: Any) -> State:
        """RESULT: the state after the action."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method result(self, state, action)")

    def is_terminal(self, state: Any) -> bool:
        """TERMINAL-TEST: whether the game is over."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method is_terminal(self, state)")

    def utility(self, state: Any, player: int) -> float:
        """UTILITY: what a finished game is worth to a player."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method utility(self, state, player)")

    # Optional: each one switches something on.
    def is_drawn(self, state: Any) -> bool:
        """Whether a rule ends the game as a draw although there are actions."""
        return False

    def reversible(self, state: Any) -> int:
        """Plies since the last irreversible one: how far back an equal position can lie."""
        return 0

    def draw(self, state: Any, source: np.ndarray) -> Action:
        """One random outcome of a chance node, for outcomes that cannot be listed."""
        raise RulesError(f"{self.name}: the class lacks the method draw(self, state, source)")

    def can_draw(self, state: Any, outcome: Any) -> bool:
        """Whether `draw` may bring this outcome, as far as one can tell."""
        return isinstance(outcome, int) and outcome >= 0

    def chances(self, state: Any) -> Iterable[tuple[Action, float]]:
        """The outcomes of a chance node with their probabilities."""
        return ()

    def evaluate(self, state: Any, player: int, weights: Any = None) -> float:
        """EVAL: a heuristic value in points, below `scale` times the least utility difference."""
        return 0.0

    def forcing(self, state: Any) -> Iterable[Action]:
        """The actions that quiescence search still looks at."""
        return ()

    def order(self, state: Any, action: Any) -> float:
        """The higher, the earlier an action should be tried."""
        return 0.0

    def cost(self, state: Any, action: Any) -> float:
        """What an action costs one who looks for a way to the goal; positive."""
        return 1

    def estimate(self, state: Any) -> float:
        """What the rest of the way costs at least: an admissible heuristic."""
        return 0

    def observe(self, state: Any, player: int) -> State:
        """What is left of the state when all that the player does not know is erased."""
        return state

    def deal(self, view: Any, player: int, source: np.ndarray) -> State | None:
        """A random full state consistent with a player's view; None where this try has failed."""
        return view

    def weighted_deal(self, view: Any, player: int, source: np.ndarray) -> tuple[State, float]:
        """The same with the weight of this try, 0.0 to 1.0; only compiled games tell one between."""
        state = self.deal(view, player, source)
        return state, 0.0 if state is None else 1.0

    def is_public(self, state: Any, action: Any) -> bool:
        """Whether everybody sees an action of this state, chance's included; left out, all where nothing is hidden, else none."""
        return not self.offers("observe")

    def veiled_text(self, state: Any, action: Any) -> str:
        """What the others see of an action that is not public, such as how many tiles were swapped; nothing where left out."""
        return ""

    def transform(self, state: Any, symmetry: int) -> State:
        """The twin of a state under a symmetry, 0 being the identity."""
        return state

    def transform_action(self, state: Any, symmetry: int, action: Any) -> Action:
        """The action of the twin that an action of this state becomes."""
        return action

    # Notation and picture.
    def text(self, state: Any) -> str:
        """The state as a short text."""
        return repr(state)

    def parse(self, text: str) -> State:
        """The state that a text describes."""
        raise BadNotation(f"{self.name}: positions of this game cannot be read from text; give a list of actions instead")

    def action_text(self, state: Any, action: Any) -> str:
        """An action as a short text."""
        return str(action)

    def parse_action(self, state: Any, text: str) -> Action:
        """The action that a text means here, however the game's own notation spells it; legality is checked by the caller."""
        raise BadNotation(text)

    def task(self, state: Any) -> str:
        """What whoever is to move is to do, as a sentence; nothing where it is just to move."""
        return ""

    def ending_text(self, state: Any) -> str:
        """How the finished game ended, in words; nothing where utilities say it all."""
        return ""

    def standing(self, state: Any, seat: int) -> str:
        """What a seat has so far, in words; nothing where nobody counts."""
        return ""

    def picture(self, state: Any) -> Picture | None:
        """What a board shows, for `views` to draw."""
        return None

    def identity(self, state: Any) -> Hashable:
        """What makes two states the same position."""
        return state

    # What the rest of the house asks.
    def start(self) -> Position:
        """The position in which the game starts."""
        return Position(self, self.initial())

    def position(self, text: str) -> Position:
        """The position that a text describes."""
        if not isinstance(text, str):
            raise BadNotation(f"{self.name}: a position is read from a text, got {shorten(repr(text))}")
        return Position(self, self.parse(text))

    def offers(self, method: str) -> bool:
        """Whether the game has this optional method."""
        return getattr(type(self), method) is not getattr(Game, method)

    def side(self, seat: int) -> int:
        """The side that a seat plays for; CHANCE plays for none."""
        if not self.sides or seat < 0:
            return seat
        return next(number for number, side in enumerate(self.sides) if seat in side)

    def seat_name(self, seat: int) -> str:
        """What a seat is called.

        >>> from outplay.game import load
        >>> load("chess").seat_name(1), load("nim").seat_name(1)
        ('Black', 'second player')
        """
        if seat < 0:
            return "chance"
        if self.seat_names:
            return self.seat_names[seat]
        ordinals = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
        return f"{ordinals[seat]} player" if seat < len(ordinals) else f"player {seat + 1}"

    def drawn_utilities(self) -> tuple[float, ...]:
        """What a draw by the referee (repetition, no progress) is worth to each seat: all sides get the same share."""
        sides = len(self.sides) or self.players
        return ((self.total or 0.0) / sides,) * self.players

    def default_weights(self) -> Any:
        """The weights that `evaluate` takes when none are given."""
        return None

    @functools.cached_property
    def traits(self) -> Traits:
        """What kind of game it is, derived from what the class has."""
        total = None if self.total is None or self.players == 1 else float(self.total)
        return Traits(
            players=self.players,
            sides=len(self.sides) or self.players,
            sampled=self.offers("draw") and not self.offers("chances"),
            recall=self.recall,
            chance=self.offers("chances") or self.offers("draw"),
            information="hidden" if self.offers("observe") else "perfect",
            sum="general" if total is None else "zero" if total == 0 else "constant",
            total=total,
            bounds=(float(self.bounds[0]), float(self.bounds[1])),
            scale=10_000.0 if self.scale == 1.0 and self.offers("evaluate") else float(self.scale),
        )

    def listed(self, state: Any) -> Iterable[Action]:
        """The actions of a state, drawn by a rule or not."""
        return () if self.is_terminal(state) else self.actions(state)

    def facts(self, state: Any) -> tuple[int, tuple[Action, ...], tuple[float, ...], tuple[float, ...]]:
        """Player to move, actions (or chance outcomes), their probabilities, and the utilities once the game is over."""
        player = self.player(state)
        if self.is_terminal(state) or self.is_drawn(state):
            return player, (), (), tuple(float(self.utility(state, p)) for p in range(self.players))
        if player == CHANCE and self.traits.sampled:
            return player, (), (), ()
        if player == CHANCE:
            outcomes = tuple(self.chances(state))
            return player, tuple(a for a, _ in outcomes), tuple(float(p) for _, p in outcomes), ()
        return player, tuple(self.actions(state)), (), ()

    def __repr__(self) -> str:
        return f"<game {self.name}>"


class Position:
    """A moment of a game: immutable, hashable, and the currency of every search."""

    __slots__ = ("_facts", "game", "state")
    _last_spelled: ClassVar[tuple[Position | None, dict[str, Any]]] = (None, {})

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = state
        self._facts: tuple | None = None

    def _known(self) -> tuple:
        if self._facts is None:
            self._facts = self.game.facts(self.state)
        return self._facts

    def player(self) -> int:
        """Who is to move; CHANCE at a chance node."""
        return self._known()[0]

    def side(self) -> int:
        """The side to move: the player's own, unless the game has partnerships; CHANCE at a chance node."""
        return self.game.side(self.player())

    def actions(self) -> tuple[Any, ...]:
        """What the player to move may do, or what chance may bring where it can be listed; empty once the game is over."""
        return self._known()[1]

    def moves(self) -> tuple[Any, ...]:
        """The same, listed even where a rule has ended the game as a draw."""
        return self.actions() or tuple(self.game.listed(self.state))

    def chances(self) -> tuple[tuple[Any, float], ...]:
        """The outcomes of a chance node with their probabilities; refused where they can only be drawn."""
        if self.is_sampled():
            raise Unsuitable(f"chance's outcomes in {self.game.name} can be drawn and not listed: use one that samples, as mcts")
        _, actions, probabilities, _ = self._known()
        return tuple(zip(actions, probabilities, strict=False))

    def is_chance(self) -> bool:
        """Whether chance is to move."""
        return self.player() == CHANCE and not self.is_terminal()

    def is_sampled(self) -> bool:
        """Whether chance is to move and its outcomes can only be drawn, by `sample_chance`."""
        return self.is_chance() and self.game.traits.sampled

    def sample_chance(self, source: np.ndarray | int) -> Any:
        """One outcome of this chance node, drawn by its probability; `source` is a `random_source` or a seed."""
        if not self.is_chance():
            raise IllegalAction(f"{self.game.name}: chance is not to move in {shorten(self.text(), 80)}")
        if isinstance(source, int):
            source = random_source(source)
        with np.errstate(over="ignore"):  # words of 64 bits wrap around
            if self.is_sampled():
                return self.game.draw(self.state, source)
            left = uniform(source)
        _, outcomes, probabilities, _ = self._known()
        for action, probability in zip(outcomes, probabilities, strict=True):
            left -= probability
            if left < 0:
                return action
        return outcomes[-1]

    def is_terminal(self) -> bool:
        """Whether the game is over, by its end or by a draw."""
        return bool(self._known()[3])

    def is_drawn(self) -> bool:
        """Whether a rule has ended the game as a draw."""
        return self.game.is_drawn(self.state)

    def reversible(self) -> int:
        """Plies since the last irreversible one: how far back an equal position can lie."""
        return self.game.reversible(self.state)

    def utility(self, player: int) -> float:
        """What the finished game is worth to a player."""
        return self.utilities()[player]

    def utilities(self) -> tuple[float, ...]:
        """What the finished game is worth to each player."""
        utilities = self._known()[3]
        if not utilities:
            raise IllegalAction(f"{self.game.name}: the game is not over, so it has no utilities yet")
        return utilities

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return Outcome(self.utilities()) if self.is_terminal() else None

    def result(self, action: Action) -> Position:
        """The position after an action, which must be legal here."""
        if isinstance(action, str) and action not in self.actions():
            raise IllegalAction(f"{shorten(action)!r} is the text of an action: use play({shorten(action)!r}), or parse_action")
        if action not in self.actions() and not (self.is_sampled() and self.game.can_draw(self.state, action)):
            raise IllegalAction(self.complaint(str(action)))
        return Position(self.game, self.game.result(self.state, action))

    def play(self, moves: str | Sequence[str]) -> Position:
        """The position after one or more actions in the game's notation, separated by spaces or commas."""
        position = self
        if not isinstance(moves, str | list | tuple):
            raise BadNotation(f"moves are a text such as 'a1 b2', or a list of texts, got {shorten(repr(moves))}")
        for text in re.split(r"[\s,]+", moves.strip()) if isinstance(moves, str) else moves:
            if text:
                position = position.result(position.parse_action(text))
        return position

    def evaluate(self, player: int, weights: Any = None) -> float:
        """EVAL in points, for a player."""
        return self.game.evaluate(self.state, player, self.game.default_weights() if weights is None else weights)

    def forcing(self) -> tuple[Any, ...]:
        """The actions that quiescence search still looks at; none once the game is over."""
        return () if self.is_terminal() else tuple(self.game.forcing(self.state))

    def order(self, action: Action) -> float:
        """The game's own guess at how early to try an action."""
        return self.game.order(self.state, action)

    def cost(self, action: Action) -> float:
        """What an action of this position costs one who looks for a way to the goal."""
        return self.game.cost(self.state, action)

    def estimate(self) -> float:
        """What the rest of the way to the goal costs at least."""
        return self.game.estimate(self.state)

    def is_solved(self) -> bool:
        """Whether the game is over with a gain for the first player: the goal of one who plays alone."""
        return self.is_terminal() and self.utility(0) > 0

    def observe(self, player: int) -> Position:
        """What a player sees: this position with all that it does not know erased."""
        return Position(self.game, self.game.observe(self.state, player))

    def is_public(self, action: Action) -> bool:
        """Whether everybody at the table sees this action.

        >>> from outplay.game import load
        >>> hand = load("kuhn poker").start()
        >>> hand.is_public(0), hand.play("J Q").is_public(1)  # a card is dealt face down, a bet is heard
        (False, True)
        """
        return self.game.is_public(self.state, action)

    def veiled_text(self, action: Action) -> str:
        """What those see of an action who do not see it, such as how many tiles were swapped; mostly nothing."""
        return self.game.veiled_text(self.state, action)

    def task(self) -> str:
        """What whoever is to move is to do, as a sentence; empty where it is just to move.

        >>> from outplay.game import load
        >>> load("isolation").start().task()
        'Place your pawn on any free cell.'
        """
        return "" if self.is_terminal() or self.is_chance() else self.game.task(self.state)

    def ending_text(self) -> str:
        """How the game ended, in words; empty before that, or where utilities say it all.

        >>> from outplay.game import load
        >>> load("chess").start().play("f3 e5 g4 Qh4").ending_text()
        'White is checkmated'
        """
        return self.game.ending_text(self.state) if self.is_terminal() else ""

    def standing(self, seat: int) -> str:
        """What a seat has so far, in words; empty where nobody counts.

        >>> from outplay.game import load
        >>> load("othello").start().play("f5").standing(0)
        '4 discs'
        """
        return self.game.standing(self.state, seat)

    def deal(self, player: int, source: np.ndarray | int) -> Position:
        """A random full position consistent with what a player sees; `source` is a `random_source` or a seed."""
        if isinstance(source, int):
            source = random_source(source)
        for _ in range(MOST_TRIES):  # by rejection: a try of half the weight is taken half as often
            dealt, weight = self.try_deal(player, source)
            with np.errstate(over="ignore"):
                if dealt is not None and (weight >= 1.0 or uniform(source) < weight):
                    return dealt
        raise Unavailable(f"{self.game.name}: {MOST_TRIES} tries dealt nothing that fits the view of seat {player}")

    def try_deal(self, player: int, source: np.ndarray) -> tuple[Position | None, float]:
        """One try to deal what a player does not see, and its weight; None and 0 where it failed.

        Tries taken in proportion to their weights are the player's posterior.
        """
        with np.errstate(over="ignore"):  # words of 64 bits wrap around
            state, weight = self.game.weighted_deal(self.game.observe(self.state, player), player, source)
        return (Position(self.game, state), weight) if weight > 0 else (None, 0.0)

    def transform(self, symmetry: int) -> Position:
        """The twin of this position under one of the game's symmetries, 0 being the identity."""
        if not 0 <= symmetry < self.game.symmetries:
            raise BadValue(f"{self.game.name}: symmetry must be 0 to {self.game.symmetries - 1}, got {symmetry}")
        return Position(self.game, self.game.transform(self.state, symmetry))

    def transform_action(self, symmetry: int, action: Action) -> Any:
        """The action of that twin that an action of this position becomes."""
        return self.game.transform_action(self.state, symmetry, action)

    def text(self) -> str:
        """The position as a short text, which `game.position` reads back."""
        return self.game.text(self.state)

    def action_text(self, action: Action) -> str:
        """An action of this position as a short text."""
        return self.game.action_text(self.state, action)

    def parse_action(self, text: str) -> Any:
        """The legal action that a text means here."""
        wanted = text.strip()
        if len(self.actions()) > MANY_TEXTS and (meant := self._written(wanted)) is not None:
            return meant
        texts = self._spelled()
        if wanted in texts:
            return texts[wanted]
        lowered = {key.lower(): action for key, action in texts.items()}
        if len(lowered) == len(texts) and wanted.lower() in lowered:
            return lowered[wanted.lower()]
        reason = ""
        try:
            action = self.game.parse_action(self.state, wanted)
        except ValueError as problem:
            action, reason = None, str(problem)
        except (BadNotation, IndexError, KeyError):
            action = None
        if action is not None and (action in self.actions() or (self.is_sampled() and self.game.can_draw(self.state, action))):
            return action
        raise IllegalAction(self.complaint(wanted, reason))

    def picture(self) -> Picture | None:
        """What a board shows, for `views` to draw."""
        return self.game.picture(self.state)

    def _repr_svg_(self) -> str | None:
        """The board, as a notebook shows it: the one place where this room asks a higher one."""
        from outplay.views import svg
        from outplay.views.plain import picture_of

        picture = picture_of(self)
        return None if picture is None else svg.board(picture, title=repr(self))

    def _written(self, text: str) -> Any:
        """The legal action that is written just so, by the game's own reading: quicker than to write thousands of them. Or None."""
        try:
            action = self.game.parse_action(self.state, text)
        except (BadNotation, ValueError, IndexError, KeyError):
            return None
        return action if action in self.actions() and self.action_text(action) == text else None

    def _spelled(self) -> dict[str, Any]:
        """The actions by how they are written, in their order.

        Kept for the last position that was asked, which is often asked again: a game's record does not hold thousands of texts.
        """
        position, texts = Position._last_spelled
        if position is not self:
            texts = {self.action_text(action): action for action in self.actions()}
            Position._last_spelled = self, texts
        return texts

    def complaint(self, text: str, reason: str = "") -> str:
        """Why an action is none here, for whoever is to move: of a game that hides something it tells what that player sees."""
        seen: Position | None = self
        if self.game.traits.information == "hidden" and not self.is_terminal():
            seen = self.observe(self.player()) if self.player() >= 0 else None
        where = "" if seen is None else f" in {shorten(seen.text(), 80)}"
        if self.is_terminal():
            return f"illegal action {shorten(text)!r}{where}: the game is over"
        if self.is_sampled():
            why = "chance is to move, and its outcomes are drawn, not listed: the rules' `parse_action` reads them"
            return f"illegal outcome {shorten(text)!r}{where}: {why}"
        legal = list(self._spelled())
        if reason and len(legal) > MANY:
            return f"illegal action {shorten(text)!r}: {reason}"
        near = nearest(text, legal)
        shown = " ".join(legal[:12]) + (" …" if len(legal) > 12 else "")
        return f"illegal action {shorten(text)!r}{where}: legal are {shown}" + (f" (did you mean {near!r}?)" if near else "")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position) or not self.game.has_rules_of(other.game):
            return False
        return self.state == other.state or self.game.identity(self.state) == self.game.identity(other.state)

    def __hash__(self) -> int:
        return hash(self.game.identity(self.state))

    def __repr__(self) -> str:
        return f"load({(self.game.origin or self.game.name)!r}).position({self.text()!r})"

    def __str__(self) -> str:
        return self.text()

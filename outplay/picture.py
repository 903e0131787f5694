"""What a game looks like, in the words of the table: a surface, places on it, pieces on places, marks, hands.

A game's ``picture()`` returns one of these values; ``outplay.views`` draws it, for the studio, notebooks, files and the terminal.
A place is called a *spot*: ``(row, column)`` on a board of cells, a point's number in backgammon, ``("bar", 0)`` and ``("off", 1)``
there, ``("South", 3)`` for the fourth card of the hand named South, a node's name in a graph, a space's number on a track.
``touches`` says where a person touches the picture for an action: one spot to place something, two to move from one to the other,
and so on in pairs for an action of several moves.

>>> board = Picture(cells=((Cell("x", "cross", 0), Cell()), (Cell(), Cell("o", "ring", 1))), rows=("2", "1"), columns=("a", "b"))
>>> board.spot_name((1, 0)), board.problem()
('a1', '')
>>> Picture(cells=((Cell(),),), touches={7: ((0, 4),)}).problem()
'action 7 touches (0, 4), which is not on the board'
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields

Spot = Hashable
"""A place of the picture."""

SURFACES = ("squares", "lines", "holes", "hexes", "hexagon", "plain")
"""Boards of cells: squares; the crossings of lines (Go); holes in a frame that things fall into (connect four); hexes in slanted
rows (Hex), or in rows that are centred (a hexagon); plain has no board at all, only what stands on it."""

MARKS = ("last", "line", "check", "target", "threat", "note", "start", "goal", "path", "open", "closed")
"""The last move, a winning line, a king in check, where one may go, what is threatened, anything else worth a look; and for
problems of one player the way gone, the frontier (open) and what was expanded (closed). "territory 0" belongs to the first
player."""

COLOURS = ("white", "black", "red", "yellow", "blue", "orange", "green", "purple", "teal", "rose", "grey")
"""The colours that pieces may have; each has a fill, an outline and an ink in the light and in the dark."""


def line_of(cells: Sequence[Sequence[Cell]], length: int) -> list[tuple[int, int]]:
    """The places of every straight line of so many pieces of one owner, for marking a win.

    >>> x = Cell("x", "cross", 0)
    >>> line_of(((x, Cell(), Cell()), (Cell(), x, Cell()), (Cell(), Cell(), x)), 3)
    [(0, 0), (1, 1), (2, 2)]
    """
    found = []
    for row, across in enumerate(cells):
        for column, cell in enumerate(across):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                spots = [(row + k * down, column + k * right) for k in range(length)]
                end_row, end_column = spots[-1]
                if cell.owner is None or end_row >= len(cells) or not 0 <= end_column < len(cells[end_row]):
                    continue
                if all(cells[r][c].owner == cell.owner for r, c in spots):
                    found += [spot for spot in spots if spot not in found]
    return found


def tree_places(children: Mapping[Spot, Sequence[Spot]], root: Spot, wide: float = 1.0) -> dict[Spot, tuple[float, float]]:
    """Where the nodes of a tree stand: leaves side by side, every parent over the middle of its children.

    >>> tree_places({"r": ["a", "b"], "a": [], "b": []}, "r")
    {'a': (0.0, 1.0), 'b': (1.0, 1.0), 'r': (0.5, 0.0)}
    """
    places: dict[Spot, tuple[float, float]] = {}
    free = 0.0

    def put(node: Spot, depth: float) -> float:
        nonlocal free
        below = [put(child, depth + 1) for child in children.get(node, ())]
        if below:
            x = (below[0] + below[-1]) / 2
        else:
            x, free = free, free + wide
        places[node] = (x, depth)
        return x

    put(root, 0.0)
    return places


@dataclass(frozen=True)
class Cell:
    """One thing that stands on a place: a symbol for text, and how to draw it. An empty Cell() is an empty place."""

    symbol: str = ""  # what a terminal prints: one or two characters; a card is "A♠" or "As", a tile its letter
    piece: str = ""  # a name out of ``outplay.views.pieces.NAMES``; empty draws the symbol as text
    owner: int | None = None  # whose piece: the colour
    mark: bool | str = False  # True or one of MARKS
    count: int = 1  # how many of them stand here (drawn as a number above 1)
    note: str = ""  # small print: what a tile is worth, else in the corner of its square, such as a number
    ground: str = ""  # what the place itself is: "wall", "off" (no part of the board), "sea", "felt", "grass", "3W 2W 3L 2L star"


@dataclass(frozen=True)
class Hand:
    """Things beside the board or around a table: cards in a hand, letters on a rack, pieces taken, dice thrown."""

    name: str  # "South", "You", "taken": the first part of its spots
    things: tuple[Cell, ...] = ()
    side: str = "below"  # "below", "above", "left", "right", or "middle" of a table; "around" it where there are more of them
    owner: int | None = None  # whose hand it is
    note: str = ""  # a few words beside the name: "12 points", "dealer"
    mark: bool = False  # it is this hand's turn
    stake: int = 0  # chips before it that are not in the pot yet
    is_dealer: bool = False  # it has the dealer's button


@dataclass(frozen=True)
class Picture:
    """A board of cells, top row first; the other surfaces are the classes below."""

    cells: tuple[tuple[Cell, ...], ...] = ()
    rows: tuple[str, ...] = ()  # labels, top first
    columns: tuple[str, ...] = ()  # labels, left first
    touches: Mapping[Hashable, tuple[Spot, ...]] = field(default_factory=dict)
    caption: str = ""
    checkered: bool = False
    surface: str = "squares"  # one of SURFACES
    look: str = ""  # "wood", "felt", "sea", "slate": the board's colour; empty fits the surface
    marks: Mapping[Spot, str] = field(default_factory=dict)  # one of MARKS for a spot
    arrows: tuple[tuple[Spot, Spot], ...] = ()
    hands: tuple[Hand, ...] = ()
    dice: tuple[int, ...] = ()
    colours: tuple[str, ...] = ()  # one of COLOURS a player; empty fits the pieces
    turns: bool = False  # the second player sees the board from the other side
    below: int = 0  # the player who sits at the lower edge while the board is not turned
    offers: Mapping[Hashable, Cell] = field(default_factory=dict)  # what stands for an action where several share their touches

    @property
    def width(self) -> int:
        """Cells in the longest row."""
        return max((len(row) for row in self.cells), default=0)

    def places(self) -> Iterator[Spot]:
        """The spots of the surface itself, without the hands."""
        return ((row, column) for row, cells in enumerate(self.cells) for column in range(len(cells)))

    def spots(self) -> Iterator[Spot]:
        """Every place that may be touched."""
        yield from self.places()
        for hand in self.hands:
            yield hand.name
            yield from ((hand.name, number) for number in range(len(hand.things)))

    def spot_name(self, spot: Spot) -> str:
        """A place as people call it: e4, point 13, the bar."""
        if isinstance(spot, tuple) and len(spot) == 2 and all(isinstance(part, int) for part in spot):
            row, column = spot
            across = self.columns[column] if column < len(self.columns) else ""
            down = self.rows[row] if row < len(self.rows) else ""
            return across + down if across or down else f"row {row + 1} column {column + 1}"
        return " ".join(str(part + 1 if isinstance(part, int) else part) for part in spot) if isinstance(spot, tuple) else str(spot)

    def problem(self) -> str:
        """What is wrong with the picture, in one line; empty when nothing is."""
        widths = {len(row) for row in self.cells}
        if type(self) is Picture and self.surface != "hexagon" and (len(widths) != 1 or 0 in widths):
            return f"the rows have {sorted(widths)} cells"
        if self.surface not in SURFACES:
            return f"unknown surface {self.surface!r}: known are {', '.join(SURFACES)}"
        for colour in self.colours:
            if colour not in COLOURS:
                return f"unknown colour {colour!r}: known are {', '.join(COLOURS)}"
        here = set(self.spots())
        for action, spots in self.touches.items():
            for spot in spots:
                if spot not in here:
                    return f"action {action} touches {spot}, which is not on the board"
        for spot, mark in self.marks.items():
            if spot not in here:
                return f"a mark is at {spot}, which is not on the board"
            if mark.split(" ")[0] not in (*MARKS, "territory"):
                return f"unknown mark {mark!r}: known are {', '.join(MARKS)}, territory 0"
        return ""

    def __repr__(self) -> str:
        given = (
            f"{part.name}={getattr(self, part.name)!r}"
            for part in fields(self)
            if getattr(self, part.name) != (part.default_factory() if callable(part.default_factory) else part.default)
        )
        return f"{type(self).__name__}({', '.join(given)})"


@dataclass(frozen=True, repr=False)
class Points(Picture):
    """Backgammon: 24 points with stacks, a bar, trays, dice and a cube. Spots: 1 to 24, ("bar", player), ("off", player)."""

    points: tuple[tuple[int | None, int], ...] = ((None, 0),) * 24  # (owner, number of checkers) of the points 1 to 24
    bar: tuple[int, ...] = (0, 0)  # checkers of each player that wait to enter
    off: tuple[int, ...] = (0, 0)  # checkers borne off
    cube: int = 0  # 0: no cube on the table
    cube_owner: int | None = None  # None: in the middle
    turns: bool = True

    def places(self) -> Iterator[Spot]:
        """The points, the bar and the trays."""
        yield from range(1, len(self.points) + 1)
        for player in range(2):
            yield from (("bar", player), ("off", player))

    def spot_name(self, spot: Spot) -> str:
        """A point by its number, the bar and the tray by their names."""
        if isinstance(spot, int):
            return f"point {spot}"
        return super().spot_name(spot[0] if isinstance(spot, tuple) and spot[0] in ("bar", "off") else spot)


@dataclass(frozen=True, repr=False)
class Table(Picture):
    """A card table: hands around it, and what lies in the middle (a trick, the common cards) under the name "middle"."""

    middle: tuple[Cell, ...] = ()
    from_sides: tuple[str, ...] = ()  # for a trick: the side each card of the middle came from
    words: tuple[str, ...] = ()  # lines in the middle: the pot, the contract, the score

    def places(self) -> Iterator[Spot]:
        """The cards in the middle."""
        return (("middle", number) for number in range(len(self.middle)))


@dataclass(frozen=True)
class Space:
    """One space of a track."""

    name: str
    group: str = ""  # one of COLOURS: the bar along its edge
    note: str = ""  # a price, a toll
    owner: int | None = None
    houses: int = 0  # 5 is a hotel
    mark: bool | str = False


@dataclass(frozen=True, repr=False)
class Track(Picture):
    """Spaces around a square table, the first at the lower right corner, then clockwise. Spots: 0 to the last space."""

    spaces: tuple[Space, ...] = ()
    tokens: tuple[int | None, ...] = ()  # on which space each player stands; None: out of the game
    words: tuple[str, ...] = ()  # lines in the middle

    def places(self) -> Iterator[Spot]:
        """The spaces."""
        return iter(range(len(self.spaces)))

    def spot_name(self, spot: Spot) -> str:
        """A space by its name."""
        return self.spaces[spot].name if isinstance(spot, int) and spot < len(self.spaces) else super().spot_name(spot)

    def seat_name(self, seat: int) -> str:
        """A player by the name of its hand, else by its number from 1 on."""
        return next((hand.name for hand in self.hands if hand.owner == seat), str(seat + 1))


@dataclass(frozen=True)
class Node:
    """One node of a graph; x goes right and y down, in units of about one node's distance."""

    x: float
    y: float
    label: str = ""
    kind: str = "circle"  # "circle", "max", "min", "chance", "box", "region"
    owner: int | None = None
    mark: bool | str = False
    outline: tuple[tuple[float, float], ...] = ()  # a region's border: a map is drawn instead of a dot


@dataclass(frozen=True, repr=False)
class Graph(Picture):
    """A graph, a tree or a map. Spots are the nodes' names."""

    nodes: Mapping[Spot, Node] = field(default_factory=dict)
    edges: tuple[tuple[Spot, Spot], ...] = ()
    labels: Mapping[tuple[Spot, Spot], str] = field(default_factory=dict)  # words on an edge
    directed: bool = False

    def places(self) -> Iterator[Spot]:
        """The nodes."""
        return iter(self.nodes)

    def spot_name(self, spot: Spot) -> str:
        """A node by its label, else by its name."""
        node = self.nodes.get(spot)
        return str(spot) if node is None else node.label or str(spot)

    def problem(self) -> str:
        """What is wrong with the picture, in one line."""
        for edge in self.edges:
            for end in edge:
                if end not in self.nodes:
                    return f"an edge ends at {end}, which is no node"
        return super().problem()

"""A study on a GPU: the same iterations, all boards of a street at once, as arrays of torch.

A street's betting after all ways to come there is one forest, walked depth by depth: at one depth always the same seat acts, and
nodes with equally many actions are one array [board, node, action, hand]. An end is a product of matrices: the other's reaches
times who beats whom on that board. Nothing is sorted; hands that a board holds are played along at a reach of nothing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from outplay.errors import Unavailable
from outplay.experts.poker.study.betting import DECIDE, Betting
from outplay.experts.poker.study.kernels import BEST, LEARN

if TYPE_CHECKING:
    from outplay.experts.poker.study.solver import Study

NEAR_NOTHING = 1e-30
BOARDS_AT_ONCE = 128
"""Of which hands are compared in one go when a study begins."""


def torch_for(device: str) -> Any:
    """The module torch, where it is there and has such a device."""
    try:
        import torch
    except ImportError:
        raise Unavailable("a study on a GPU needs torch: install it with `pip install outplay[learn]`") from None
    if device == "cuda" and not torch.cuda.is_available():
        raise Unavailable("no GPU that torch can use is here: leave --device out")
    return torch


class Group(NamedTuple):
    """Decisions at one depth with equally many actions."""

    player: int
    count: int
    nodes: Any  # [n]
    first: int  # the number of the first child; n * count follow each other
    row: int  # and of the first action among those of the player
    above: Any  # [n]: in which rows the player's reaches of these nodes stand


class Block(NamedTuple):
    """Numbers that stand together in a study's store."""

    level: int
    forest: int
    begin: int  # boards
    end: int
    at: int


class Street:
    """The betting of a street after all ways to come there: parents before children, all children of a group together."""

    def __init__(self, betting: Betting, forests: Sequence[tuple[int, int]], torch: Any, device: str) -> None:
        def index(numbers: Sequence[int]) -> Any:
            return torch.as_tensor(np.array(numbers, np.int64), device=device)

        level = [(forest, root) for forest, roots in forests for root in range(roots)]
        self.roots = len(level)
        number = {node: k for k, node in enumerate(level)}
        slot = [dict(number), dict(number)]
        self.rows = [0, 0]
        self.row = {forest: [np.zeros(betting.rows[forest][seat], np.int64) for seat in (0, 1)] for forest, _ in forests}
        self.groups: list[Group] = []
        while level:
            alike: dict[tuple[int, int], list[tuple[int, int]]] = {}
            for forest, node in level:
                tree = betting.whole[forest]
                if tree.kind[node] == DECIDE:
                    alike.setdefault((int(tree.player[node]), int(tree.count[node])), []).append((forest, node))
            level = []
            for (player, count), parents in sorted(alike.items()):
                self.groups.append(Group(player, count, index([number[each] for each in parents]), len(number), self.rows[player],
                                         index([slot[player][each] for each in parents])))
                for forest, node in parents:
                    tree = betting.whole[forest]
                    for k in range(count):
                        child = (forest, int(tree.first[node]) + k)
                        number[child] = len(number)
                        self.row[forest][player][tree.row[node] + k] = self.rows[player]
                        slot[player][child] = self.roots + self.rows[player]
                        slot[1 - player][child] = slot[1 - player][forest, node]
                        self.rows[player] += 1
                        level.append(child)
        self.nodes = len(number)

        def ends(name: str) -> list[tuple[int, int]]:
            return [(forest, int(node)) for forest, _ in forests for node in getattr(betting.whole[forest], name)]

        self.deals = ends("deals")
        self.folds, self.showdowns = ends("folds"), ends("showdowns")
        self.at = {name: index([number[each] for each in getattr(self, name)]) for name in ("deals", "folds", "showdowns")}
        self.slot = {name: [index([slot[seat][each] for each in getattr(self, name)]) for seat in (0, 1)] for name in self.at}

        def stakes(signs: Sequence[float], nodes: Sequence[tuple[int, int]]) -> Any:
            amounts = [sign * float(betting.whole[forest].amount[node]) for sign, (forest, node) in zip(signs, nodes, strict=True)]
            return torch.as_tensor(np.array(amounts, np.float32), device=device)[None, :, None]

        folders = [int(betting.whole[forest].player[node]) for forest, node in self.folds]
        self.folded = [stakes([-1.0 if folder == seat else 1.0 for folder in folders], self.folds) for seat in (0, 1)]
        self.shown = [stakes([1.0 - 2.0 * seat] * len(self.showdowns), self.showdowns) for seat in (0, 1)]


class Cards(NamedTuple):
    """The boards of a street: which deal each comes from, and which hands it leaves."""

    count: int
    above: Any  # [board]: the number of the one on the street before
    free: tuple[Any, Any]  # [board, 1, hand]: 1 where the seat can hold it
    copies: list[tuple[int, Any]]  # a swap of suits, and the boards of which it makes another
    part: float  # how likely each card is


class Walker:
    """A study whose regrets and sums lie on a device."""

    def __init__(self, study: Study, device: str) -> None:
        self.torch = torch_for(device)
        with self._room():
            self._begin(study, device)

    @contextlib.contextmanager
    def _room(self) -> Iterator[None]:
        """One line where the GPU's memory ends."""
        try:
            yield
        except self.torch.OutOfMemoryError:
            raise Unavailable("this study takes more memory than the GPU has free: offer fewer sizes, narrow the ranges, or leave "
                              "--device out") from None  # fmt: skip

    def _begin(self, study: Study, device: str) -> None:
        torch = self.torch
        device = "cpu" if device == "torch" else device
        self.study, self.device = study, device
        betting, deals = study.betting, study.deals
        forests: list[list[tuple[int, int]]] = [[(0, 1)]]
        while below := [each for forest, _ in forests[-1] for each in self._below(forest)]:
            forests.append(below)
        self.streets = [Street(betting, each, torch, device) for each in forests]
        self.cards = self._cards()
        self.hands = [len(each) for each in deals.numbers]
        self.weights = [torch.as_tensor(each, device=device) for each in deals.weights]
        self.apart = [torch.as_tensor((1 - deals.shared(1 - seat)).astype(np.float32), device=device) for seat in (0, 1)]
        self.swapped = [torch.as_tensor(each, device=device) for each in deals.swapped]
        self.signs = self._signs()
        shapes = [[(cards.count, street.rows[seat], self.hands[seat]) for seat in (0, 1)]
                  for street, cards in zip(self.streets, self.cards, strict=True)]  # fmt: skip
        self.regrets, self.sums = ([[torch.zeros(shape, device=device) for shape in street] for street in shapes] for _ in range(2))
        if study.iterations:
            self._take()

    def _below(self, forest: int) -> list[tuple[int, int]]:
        """The forests that follow one, each with how many roots it has."""
        roots: dict[int, int] = {}
        for below, _ in self.study.betting.below[forest]:
            roots[below] = roots.get(below, 0) + 1
        return list(roots.items())

    def _cards(self) -> list[Cards]:
        torch, deals = self.torch, self.study.deals

        def index(numbers: Sequence[int]) -> Any:
            return torch.as_tensor(np.array(numbers, np.int64), device=self.device)

        def free(dealt: Sequence[tuple[int, ...]]) -> tuple[Any, Any]:
            found = []
            for seat in (0, 1):
                kept = ~(deals.cards[seat][None, :, :, None] == np.array(dealt)[:, None, None, :]).any(axis=(2, 3))
                found.append(torch.as_tensor(kept.astype(np.float32), device=self.device)[:, None])
            return found[0], found[1]

        def copied(all_copies: Sequence[Sequence[int]]) -> list[tuple[int, Any]]:
            swaps = sorted({swap for copies in all_copies for swap in copies})
            return [(swap, index([k for k, copies in enumerate(all_copies) if swap in copies])) for swap in swaps]

        streets = self.study.streets
        found = [Cards(1, index([0]), free([(-1,)]), [], 1.0)]
        if streets == 3:
            found.append(Cards(len(deals.turns), index([0] * len(deals.turns)), free([(turn.card,) for turn in deals.turns]),
                               copied([turn.copies for turn in deals.turns]), 1 / 45))
        if streets >= 2:
            rivers = [(k, (turn.card, card), copies) for k, turn in enumerate(deals.turns) for card, copies in turn.rivers]
            found.append(Cards(len(rivers), index([k for k, _, _ in rivers]), free([dealt for _, dealt, _ in rivers]),
                               copied([copies for _, _, copies in rivers]), 1 / 44))
        return found

    def _signs(self) -> Any:
        """Who beats whom on each board, among those that share no card: [board, first's hand, last's hand]."""
        torch, deals = self.torch, self.study.deals
        strength = []
        for field in deals.fields:
            by_hand = np.zeros(field.rank.shape, np.int32)
            np.put_along_axis(by_hand, field.order, field.rank.astype(np.int32), axis=1)
            strength.append(torch.as_tensor(by_hand, device=self.device))
        signs = torch.empty((len(deals.boards), *self.hands), device=self.device)
        for begin in range(0, len(signs), BOARDS_AT_ONCE):
            part = slice(begin, begin + BOARDS_AT_ONCE)
            torch.sign((strength[0][part, :, None] - strength[1][part, None, :]).float(), out=signs[part])
            signs[part] *= self.apart[1]
        return signs

    # ---------------------------------------------------------------- walks

    def walk(self, mode: int, me: int, fades: np.ndarray) -> np.ndarray:
        """As `Study.walk`: what each hand of the seat expects, times the weight of the other's hands."""
        with self._room(), self.torch.inference_mode():
            reaches, shares = self._down(mode, me)
            return self._up(mode, me, reaches, shares, [float(each) for each in fades]).cpu().numpy()

    def _mix(self, table: Any, group: Group) -> Any:
        """The strategy of a group's nodes."""
        positive = self._of(table, group.row, group).clamp(min=0)
        total = positive.sum(2, keepdim=True)
        return self.torch.where(total > NEAR_NOTHING, positive / total, 1 / group.count)

    @staticmethod
    def _of(table: Any, first: int, group: Group) -> Any:
        """The rows of a group's actions: [board, node, action, hand]."""
        size = len(group.nodes) * group.count
        return table[:, first : first + size].view(len(table), len(group.nodes), group.count, table.shape[2])

    def _down(self, mode: int, me: int) -> tuple[list[list[Any]], list[dict[int, Any]]]:
        """How likely each seat comes to each node, and the strategies of the seat that learns."""
        torch, tables = self.torch, self.regrets if mode == LEARN else self.sums
        seats = (0, 1) if mode == LEARN else (1 - me,)
        reaches: list[list[Any]] = []
        kept: list[dict[int, Any]] = []
        for level, (street, cards) in enumerate(zip(self.streets, self.cards, strict=True)):
            reach: list[Any] = [None, None]
            for seat in seats:
                reach[seat] = torch.empty((cards.count, street.roots + street.rows[seat], self.hands[seat]), device=self.device)
                if level == 0:
                    reach[seat][:, 0] = self.weights[seat]
                else:
                    before = reaches[-1][seat].index_select(1, self.streets[level - 1].slot["deals"][seat])
                    torch.mul(before.index_select(0, cards.above), cards.free[seat], out=reach[seat][:, : street.roots])
            mine: dict[int, Any] = {}
            for number, group in enumerate(street.groups):
                seat = group.player
                if seat == me and mode == BEST:
                    continue
                mix = self._mix(tables[level][seat], group)
                if seat == me:
                    mine[number] = mix
                if seat in seats:
                    above = reach[seat].index_select(1, group.above)[:, :, None]
                    torch.mul(above, mix, out=self._of(reach[seat], street.roots + group.row, group))
            reaches.append(reach)
            kept.append(mine)
        return reaches, kept

    def _up(self, mode: int, me: int, reaches: list[list[Any]], shares: list[dict[int, Any]], fades: list[float]) -> Any:
        """What each node is worth to each hand; regrets are learned on the way."""
        torch, other, below = self.torch, 1 - me, None
        value: Any = None
        for level in range(len(self.streets) - 1, -1, -1):
            street, cards = self.streets[level], self.cards[level]
            reach = reaches[level]
            value = torch.empty((cards.count, street.nodes, self.hands[me]), device=self.device)
            if street.folds:
                out = reach[other].index_select(1, street.slot["folds"][other])
                value.index_copy_(1, street.at["folds"], (out @ self.apart[me]).mul_(street.folded[me]))
            if street.showdowns:
                out = reach[other].index_select(1, street.slot["showdowns"][other])
                signs = self.signs if me == 1 else self.signs.transpose(1, 2)
                value.index_copy_(1, street.at["showdowns"], torch.bmm(out, signs).mul_(street.shown[me]))
            if below is not None:
                value.index_copy_(1, street.at["deals"], below)
            for number in range(len(street.groups) - 1, -1, -1):
                group = street.groups[number]
                children = self._of(value, group.first, group)
                if group.player == other:
                    found = children.sum(2)
                elif mode == BEST:
                    found = children.amax(2)
                else:
                    mix = shares[level][number]
                    found = (children * mix).sum(2)
                    if mode == LEARN:
                        regrets = self._of(self.regrets[level][me], group.row, group)
                        regrets.mul_(torch.where(regrets > 0, fades[0], fades[1])).add_(children).sub_(found[:, :, None])
                        sums = self._of(self.sums[level][me], group.row, group)
                        sums.mul_(fades[2]).add_(self._of(reach[me], street.roots + group.row, group))
                value.index_copy_(1, group.nodes, found)
            if level:
                roots = value[:, : street.roots] * cards.free[me] * cards.part
                below = torch.zeros((self.cards[level - 1].count, street.roots, self.hands[me]), device=self.device)
                below.index_add_(0, cards.above, roots)
                for swap, boards in cards.copies:
                    moved = roots.index_select(0, boards).index_select(2, self.swapped[me][swap])
                    below.index_add_(0, cards.above.index_select(0, boards), moved)
        return value[0, 0]

    # ---------------------------------------------------------------- from and to the study

    def _blocks(self, seat: int) -> Iterator[Block]:
        """Where the numbers of a seat lie in the study's store."""
        study = self.study
        yield Block(0, 0, 0, 1, study.trunk[seat].at)
        last = len(self.streets) - 1
        for part in study.parts:
            if study.streets == 3:
                yield Block(1, part.forest, part.turn, part.turn + 1, part.place[seat].at)
            for below, _ in study.betting.below[part.forest][:1]:
                begin = study.deals.turns[part.turn].begin
                yield Block(last, below, begin, begin + len(part.places), int(part.places[0, seat]))

    def _ordered(self, level: int, seat: int, begin: int, end: int, rows: int) -> tuple[Any, Any]:
        """In which order a street's hands are stored, and which of them are."""
        torch, field = self.torch, self.study.deals.fields[seat]
        count = self.hands[seat]
        if level < len(self.streets) - 1:
            order, live = np.arange(count)[None], np.full(end - begin, count)
        else:
            order, live = field.order[begin:end], field.live[begin:end]
        shape = (end - begin, rows, count)
        held = torch.as_tensor(np.arange(count)[None] < live[:, None], device=self.device)[:, None]
        return torch.as_tensor(order, device=self.device)[:, None].expand(shape), held.expand(shape)

    def give(self) -> None:
        """Copy what was learned into the study's own store."""
        for seat in (0, 1):
            store = self.study.stores[seat]
            for block in self._blocks(seat):
                rows = self.torch.as_tensor(self.streets[block.level].row[block.forest][seat], device=self.device)
                order, held = self._ordered(block.level, seat, block.begin, block.end, len(rows))
                for tables, target in ((self.regrets, store.regrets), (self.sums, store.sums)):
                    found = tables[block.level][seat][block.begin : block.end].index_select(1, rows)
                    numbers = found.gather(2, order).masked_select(held).cpu().numpy()
                    target[block.at : block.at + len(numbers)] = numbers

    def _take(self) -> None:
        """Go on from the study's own store."""
        torch = self.torch
        for seat in (0, 1):
            store = self.study.stores[seat]
            for block in self._blocks(seat):
                rows = torch.as_tensor(self.streets[block.level].row[block.forest][seat], device=self.device)
                order, held = self._ordered(block.level, seat, block.begin, block.end, len(rows))
                size = int(held.sum())
                for tables, source in ((self.regrets, store.regrets), (self.sums, store.sums)):
                    numbers = torch.as_tensor(source[block.at : block.at + size], device=self.device)
                    found = torch.zeros(held.shape, device=self.device).masked_scatter(held, numbers)
                    table = tables[block.level][seat]
                    table[block.begin : block.end, rows] = torch.zeros_like(found).scatter(2, order, found)

"""Looking around in a solved study: what a seat does in a place with each hand, and what each action is worth.

A line is written as players say it, actions and cards with commas: `check, bet 94, call, 7h, check`.

>>> from outplay.cards import cards
>>> from outplay.experts.poker.study.solver import Study
>>> study = Study(cards("Qs Jh 2h 7c 3d"), pot=100, stack=100, ranges=("AA,TT:0.5", "KK"), sizes="100")
>>> report = study.run(300)
>>> view = look(study, "")
>>> view.actions, [round(share, 1) for share in view.played]
(('check', 'all in'), [0.0, 1.0])
>>> answer = look(study, "all in")
>>> answer.seat, answer.pot, round(answer.hands_of("KK")["fold"] + answer.hands_of("KK")["call"], 6)
(1, 200, 1.0)
>>> look(study, "bet 50")
Traceback (most recent call last):
outplay.errors.IllegalAction: expected check or all in, got 'bet 50'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from outplay.cards import card_text, cards, cards_text
from outplay.errors import BadNotation, IllegalAction, shorten
from outplay.experts.poker.study.betting import DEAL, DECIDE, FOLD, STREETS
from outplay.experts.poker.study.deals import SWAPS, exchange
from outplay.experts.poker.study.kernels import MEAN, Place, Store, play_river
from outplay.games.holdem.ranges import CLASS_OF_HAND, hand_text, hands_of

if TYPE_CHECKING:
    from outplay.experts.poker.study.solver import Study


@dataclass(frozen=True)
class View:
    """One place of a study, seen by the seat that acts."""

    line: tuple[str, ...]
    board: tuple[int, ...]
    street: str
    seat: int
    pot: int
    """Chips in the middle, bets included."""
    actions: tuple[str, ...]
    hands: np.ndarray
    """[hand, 2]: its cards."""
    numbers: np.ndarray
    """[hand]: its number among the 1326."""
    weights: np.ndarray
    """[hand]: how likely the seat comes here with it, and the other can."""
    shares: np.ndarray
    """[action, hand]: how often it is taken."""
    worths: np.ndarray
    """[action, hand]: what the seat expects of the pot from here on, in chips."""

    @property
    def played(self) -> list[float]:
        """How often each action is taken over all hands."""
        total = float(self.weights.sum())
        return [float((row * self.weights).sum() / total) if total else 0.0 for row in self.shares]

    @property
    def worth(self) -> float:
        """What the seat expects here, in chips."""
        total = float(self.weights.sum())
        return float(((self.shares * self.worths).sum(axis=0) * self.weights).sum() / total) if total else 0.0

    def hands_of(self, text: str) -> dict[str, float]:
        """How often each action is taken with the hands of a range."""
        wanted = {low + high * (high - 1) // 2 for high, low in hands_of(text)}
        chosen = np.isin(self.numbers, list(wanted))
        total = float(self.weights[chosen].sum())
        return {action: float((row[chosen] * self.weights[chosen]).sum() / total) if total else 0.0
                for action, row in zip(self.actions, self.shares, strict=True)}

    def chart(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """By class of hands: [action, class] how often, [class] the weight, [class] the worth."""
        classes = CLASS_OF_HAND[self.numbers]
        weight = np.bincount(classes, self.weights, minlength=169)
        safe = np.where(weight > 0, weight, 1.0)
        shares = np.array([np.bincount(classes, row * self.weights, minlength=169) / safe for row in self.shares])
        mean = (self.shares * self.worths).sum(axis=0)
        return shares, weight, np.bincount(classes, mean * self.weights, minlength=169) / safe

    def fields(self, every_hand: bool = True) -> dict[str, Any]:
        """All of it as plain values; hands that never come here are left out."""
        told = [{"action": action, "share": share} for action, share in zip(self.actions, self.played, strict=True)]
        found: dict[str, Any] = {"line": list(self.line), "board": cards_text(self.board), "street": self.street, "seat": self.seat,
                                 "pot": self.pot, "worth": self.worth, "actions": told}
        if every_hand:
            found["hands"] = {
                hand_text((int(pair[0]), int(pair[1]))): {
                    "weight": float(self.weights[k]),
                    **{action: {"share": float(self.shares[a, k]), "worth": float(self.worths[a, k])}
                       for a, action in enumerate(self.actions)}}
                for k, pair in enumerate(self.hands) if self.weights[k] > 0}
        return found


def words_of(line: str) -> list[str]:
    """The steps of a line."""
    return [" ".join(part.split()) for part in line.split(",") if part.strip()]


@dataclass
class Way:
    """How far a line has been followed: everything in the suits in which it was solved."""

    forest: int
    node: int  # within the forest
    reach: list[np.ndarray]  # [seat][hand]
    part: int  # which of the study's parts; -1 before one is chosen
    river: int  # the number of the river among the turn's; -1 before
    swaps: list[int]
    board: list[int]  # as the person named the cards
    root: int
    begun: list[np.ndarray]  # the reaches when the street began


def look(study: Study, line: str) -> View:
    """What is done in one place, by the average strategies."""
    way, steps = follow(study, line)
    betting = study.betting
    forest = betting.whole[way.forest]
    begin = betting.bounds[way.forest][0]
    if forest.kind[way.node] == DEAL:
        street = betting.street[way.forest] + 1
        raise BadNotation(f"the {STREETS[street]} comes next: add a card such as {_free(study, way)}, or look before")
    if forest.kind[way.node] != DECIDE:
        ended = "somebody has folded" if forest.kind[way.node] == FOLD else "the hands are shown"
        raise BadNotation(f"the line is over: {ended}")
    seat = int(forest.player[way.node])
    found = shares(study, way, seat)
    worths, weights = _worths(study, way, seat)
    numbers = study.deals.numbers[seat]
    order = np.argsort(named(study, way, seat))
    put = betting.put[begin + way.node]
    children = betting.children(begin + way.node)
    return View(tuple(steps), tuple(way.board), STREETS[betting.street[way.forest]], seat, study.pot + sum(put),
                tuple(betting.label[child] for child in children), study.deals.cards[seat], numbers, weights[order],
                found[:, order], worths[:, order])


def named(study: Study, way: Way, seat: int) -> np.ndarray:
    """Of each hand in the suits that were solved, the hand as a person names it."""
    back = np.arange(len(study.deals.numbers[seat]))
    for swap in reversed(way.swaps):
        back = study.deals.swapped[seat][swap][back]
    return back


def _free(study: Study, way: Way) -> str:
    return next(card_text(card) for card in range(51, -1, -1) if card not in way.board)


def follow(study: Study, line: str) -> tuple[Way, list[str]]:
    """Go along a line; the steps as they were understood."""
    if not study.stores:
        study.begin()
    deals, betting = study.deals, study.betting
    way = Way(0, 0, [np.array(each) for each in deals.weights], -1 if study.streets == 3 else 0, 0 if study.streets == 1 else -1,
               [], list(deals.board), 0, [np.array(each) for each in deals.weights])
    steps = words_of(line)
    for step in steps:
        forest, begin = betting.whole[way.forest], betting.bounds[way.forest][0]
        if forest.kind[way.node] == DEAL:
            _turn_up(study, way, step)
            continue
        labels = [betting.label[child] for child in betting.children(begin + way.node)]
        if step.lower() not in labels:
            expected = f"{', '.join(labels[:-1])} or {labels[-1]}" if labels else "the end of the line"
            raise IllegalAction(f"expected {expected}, got {shorten(step)!r}")
        chosen, seat = labels.index(step.lower()), int(forest.player[way.node])
        way.reach[seat] = way.reach[seat] * shares(study, way, seat)[chosen]
        way.node = int(forest.first[way.node]) + chosen
    return way, steps


def _turn_up(study: Study, way: Way, step: str) -> None:
    """Deal a card: the solved one that it is, or the one that it becomes when suits are exchanged."""
    deals, betting = study.deals, study.betting
    found = cards(step)
    if len(found) != 1 or found[0] in way.board:
        raise BadNotation(f"expected a card that is not on the table, such as {_free(study, way)}, got {shorten(step)!r}")
    way.board.append(found[0])
    card = found[0]
    for swap in way.swaps:
        card = int(exchange(np.array(card), SWAPS[swap]))
    turning = betting.street[way.forest] == 0
    if turning:
        offered = [(each.card, each.copies) for each in deals.turns]
    else:
        offered = deals.turns[study.parts[way.part].turn].rivers
    number, swapped = next((k, swap) for k, (leader, copies) in enumerate(offered) for swap in (-1, *copies)
                           if card == (leader if swap < 0 else int(exchange(np.array(leader), SWAPS[swap]))))
    if swapped >= 0:
        for seat in (0, 1):
            way.reach[seat] = way.reach[seat][deals.swapped[seat][swapped]]
        way.swaps.append(swapped)
    leader = offered[number][0]
    for seat in (0, 1):
        way.reach[seat] = way.reach[seat] * ~(deals.cards[seat] == leader).any(axis=1)
    leaf = int(np.flatnonzero(betting.whole[way.forest].deals == way.node)[0])
    forest, root = betting.below[way.forest][leaf]
    if turning:
        way.part = leaf * len(deals.turns) + number
    else:
        way.river = number
    way.forest, way.node, way.root, way.begun = forest, root, root, list(way.reach)


def _place(study: Study, way: Way, seat: int) -> tuple[Place, np.ndarray | None]:
    """Where a seat's vectors stand, and in which order its hands."""
    street = study.betting.street[way.forest]
    deals = study.deals
    if street == 2:
        if study.streets == 1:
            board, place = 0, study.trunk[seat]
        else:
            part = study.parts[way.part]
            board = deals.turns[part.turn].begin + way.river
            place = Place(int(part.places[way.river, seat]), int(part.vectors[way.river, seat]))
        return place, deals.fields[seat].order[board][: int(deals.fields[seat].live[board])]
    if street == 1 and study.streets == 3:
        return study.parts[way.part].place[seat], None
    return study.trunk[seat], None


def shares(study: Study, way: Way, seat: int) -> np.ndarray:
    """The average strategy of the seat that acts: [action, hand]."""
    forest = study.betting.whole[way.forest]
    place, order = _place(study, way, seat)
    count, row = int(forest.count[way.node]), int(forest.row[way.node])
    whole = len(study.deals.numbers[seat])
    hands = whole if order is None else len(order)
    sums = _sums(study.stores[seat], place, row, count, hands)
    total = sums.sum(axis=0)
    found = np.where(total > 0, sums / np.where(total > 0, total, 1), 1 / count)
    if order is None:
        return found
    spread = np.full((count, whole), 1 / count)
    spread[:, order] = found
    return spread


def _sums(store: Store, place: Place, row: int, count: int, hands: int) -> np.ndarray:
    at = place.at + row * hands
    if len(store.sums16):
        scales = store.sum_scales[place.row + row : place.row + row + count]
        return store.sums16[at : at + count * hands].reshape(count, hands) * scales[:, None].astype(float)
    return store.sums[at : at + count * hands].reshape(count, hands).astype(float)


def _worths(study: Study, way: Way, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """What each action is worth to each hand, and the weight of each hand: reach times what the other can hold beside it."""
    deals, betting, other = study.deals, study.betting, 1 - seat
    forest = betting.whole[way.forest]
    street, hands = betting.street[way.forest], len(deals.numbers[seat])
    fades = np.zeros(3, np.float32)
    first, count = int(forest.first[way.node]), int(forest.count[way.node])
    values = np.zeros((count, hands))
    roots = way.begun
    if street == 0:
        study.walk(MEAN, seat, fades)
        values[:] = study.flop_room(seat).value[first : first + count, :hands]
    elif street == 1:
        room = study.rooms(seat)
        room[0].own[0, :hands] = roots[seat]
        room[0].other[0, : len(roots[other])] = roots[other]
        study.walk_turn(MEAN, seat, study.parts[way.part], room, fades)
        values[:] = room[0].value[first : first + count, :hands]
    else:
        river = study.rooms(seat)[1]
        board = 0 if study.streets == 1 else deals.turns[study.parts[way.part].turn].begin + way.river
        order, theirs = deals.fields[seat].order[board], deals.fields[other].order[board]
        live, their_live = int(deals.fields[seat].live[board]), int(deals.fields[other].live[board])
        river.other[:] = 0
        river.own[:] = 0
        river.other[way.root, :their_live] = roots[other][theirs[:their_live]]
        mine, yours = _place(study, way, seat)[0], _place(study, way, other)[0]
        play_river(MEAN, seat, forest, study.stores[seat], study.stores[other], mine, yours, deals.fields[seat],
                   deals.fields[other], board, river, fades)
        values[:, order[:live]] = river.value[first : first + count, :live]
    reach = way.reach[other].astype(float)
    beside = (1 - deals.shared(seat)) @ reach
    put = betting.put[betting.bounds[way.forest][0] + way.node][seat]
    safe = np.where(beside > 0, beside, 1)
    return np.where(beside > 0, study.pot / 2 + put + values / safe, 0.0), way.reach[seat] * beside

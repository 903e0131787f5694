"""Hands of hold'em in the Poker Hand History format (PHH, Juho Kim 2024), which is TOML that people can read.

>>> from outplay.game import load
>>> position = load("hold'em:stack=100").start().play("Qs Qd Ah Kh r6 c Kd 7h 2c c r6 f")
>>> text = write(position)
>>> print(text)
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 QsQd", "d dh p2 AhKh", "p2 cbr 6", "p1 cc", "d db Kd7h2c", "p1 cc", "p2 cbr 6", "p1 f"]
>>> read(text).text() == position.text()
True

At a showdown those who did not fold show their cards (`sm`); a hand that was hidden before is known from then on.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from typing import Any

import numpy as np

from outplay.cards import card_text, cards, cards_text
from outplay.errors import BadNotation, shorten
from outplay.game import Position, load

OWN = ("variant", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet", "starting_stacks", "actions", "players")


def write(position: Position, players: Sequence[str] = (), more: Sequence[tuple[str, str]] = ()) -> str:
    """A hand as PHH: the table, the deals and the actions, who shows what at the end, and who plays and what else is known."""
    game = position.game
    parameters = {**game.rules.definition.defaults, **game.rules.parameters}
    n, big, small = parameters["seats"], parameters["big"], parameters["small"]
    limit = parameters["kind"] == "limit"
    blinds = [small, big] + [0] * (n - 2)  # the small one first; of two players the second, who has the button, pays it
    record = game.record(position.state)
    stacks = (record["stacks"] + record["staked"]).tolist()
    actions = []
    for seat in range(n):
        hand = [int(card) for card in record["hands"][seat] if card]
        if len(hand) == 2:
            actions.append(f"d dh p{seat + 1} " + ("????" if 53 in hand else cards_text(card - 1 for card in hand)))
    again = np.zeros(1, type(record).layout)[0]
    again["stacks"] = stacks
    again.post()
    again["hands"][:] = record["hands"]
    shown = 0

    def deal() -> None:
        nonlocal shown
        while again.player() == -1 and not again.is_terminal() and record["board"][shown]:
            size = 3 if shown == 0 else 1
            dealt = [int(card) - 1 for card in record["board"][shown : shown + size] if card]
            for card in dealt:
                again.play(card)
            shown += len(dealt)
            actions.append("d db " + cards_text(dealt))

    for action in (int(each) - 1 for each in record["log"][: int(record["made"])]):
        deal()
        who = f"p{int(again['turn']) + 1}"
        actions.append(f"{who} f" if action == 0 else f"{who} cc" if action == 1 else f"{who} cbr {action - 1}")
        again.play(action)
    deal()
    folded = int(record["folded"])
    if position.is_terminal() and n - folded.bit_count() > 1:  # who reads a history pays the pot to those who show
        shows = [seat for seat in range(n) if not folded >> seat & 1]
        actions.extend(f"p{seat + 1} sm {cards_text(int(card) - 1 for card in record['hands'][seat])}" for seat in shows)
    bets = f"small_bet = {big}\nbig_bet = {2 * big}" if limit else f"min_bet = {big}"
    listed = ", ".join(f'"{action}"' for action in actions)
    told = "".join(f"\n{key} = {value}" for key, value in more)
    if any(players):
        told += f"\nplayers = [{', '.join(json.dumps(name, ensure_ascii=False) for name in players)}]"
    return (f'variant = "{"FT" if limit else "NT"}"\nantes = {[parameters["ante"]] * n}\nblinds_or_straddles = {blinds}\n{bets}\n'
            f"starting_stacks = {stacks}\nactions = [{listed}]{told}")


def told_of(text: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Who plays, and what else a hand in PHH says that is not of the game itself: event, day, place, each as TOML writes it."""
    given = tomllib.loads(text)
    names = given.get("players")
    kept = tuple((key, json.dumps(value, ensure_ascii=False)) for key, value in given.items()
                 if key not in OWN and isinstance(value, str | int | float) and not isinstance(value, bool))  # fmt: skip
    return (tuple(map(str, names)) if isinstance(names, list) else ()), kept


def read(text: str) -> Position:
    """The last position of a hand in PHH; games it can be are hold'em with whole chips and one small and one big blind."""
    try:
        given = tomllib.loads(text)
        variant, antes, blinds = given["variant"], given["antes"], given["blinds_or_straddles"]
        stacks, actions = given["starting_stacks"], given["actions"]
        n = len(stacks)
        small, big = min(blinds[:2]), max(blinds[:2])
        whole = all(isinstance(amount, int) for amount in (*antes, *blinds, *stacks)) and len(antes) > 0
        actions = [str(action) for action in actions]
    except (tomllib.TOMLDecodeError, KeyError, IndexError, TypeError, ValueError) as problem:
        raise BadNotation(f"this is no hand in PHH ({shorten(str(problem))})") from None
    if variant not in ("NT", "FT"):
        raise BadNotation(f"expected hold'em, variant NT or FT, got {variant!r}")
    if not whole or len(set(antes)) > 1 or any(blinds[2:]):
        raise BadNotation("expected whole chips, equal antes, one small and one big blind")
    game = load("hold'em", seats=n, kind="limit" if variant == "FT" else "no-limit", stack="-".join(str(each) for each in stacks),
                small=small, big=big, ante=antes[0], sizes="any" if variant == "NT" and max(stacks) <= 2000 else "0.5-1-all")
    record = game.record(game.initial())
    for line in actions:
        words = line.partition("#")[0].split()
        try:
            _follow(record, words, line)
        except (IndexError, ValueError):
            raise BadNotation(f"cannot read the action {shorten(line)!r}") from None
    return Position(game, record.tobytes())


def _follow(record: Any, words: list[str], line: str) -> None:
    if words[:2] == ["d", "dh"]:
        seat = int(words[2][1:]) - 1
        dealt = [53, 53] if set(words[3]) == {"?"} else [card + 1 for card in cards(words[3])]
        if len(dealt) != 2 or not 0 <= seat < len(record["hands"]):
            raise BadNotation(f"expected two cards for a player, got {shorten(line)!r}")
        record["hands"][seat] = sorted(dealt, reverse=True)
    elif words[:2] == ["d", "db"]:
        for card in cards(words[2]):
            if record.player() != -1 or card + 1 in record["board"] or card + 1 in record["hands"]:
                raise BadNotation(f"the card {card_text(card)} cannot come there")
            record.play(card)
    elif words[1] in ("f", "cc", "cbr"):
        action = {"f": 0, "cc": 1}.get(words[1], int(words[2]) + 1 if len(words) > 2 else -1)
        if int(words[0][1:]) - 1 != record.player() or record.is_terminal() or not record.allows(action):
            raise BadNotation(f"the action {shorten(line)!r} is not possible there")
        record.play(action)
    elif words[1] == "sm":
        seat = int(words[0][1:]) - 1
        held = record["hands"][seat] if 0 <= seat < len(record["hands"]) else []
        if len(words) > 2 and 53 in held:  # now one sees what it was
            shown = sorted((card + 1 for card in cards(words[2])), reverse=True)
            if len(shown) != 2 or any(card in record["board"] or card in record["hands"] for card in shown):
                raise BadNotation(f"the hand in {shorten(line)!r} cannot be shown there")
            record["hands"][seat] = shown
    else:
        raise BadNotation(f"expected dh, db, f, cc, cbr or sm, got {shorten(line)!r}")

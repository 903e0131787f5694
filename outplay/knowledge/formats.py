"""Games as files: read by what they say, written in the game's own format.

Chess PGN, Go SGF, checkers PDN, Othello GGF, bridge PBN, hold'em PHH, Scrabble GCG, backgammon match text, all others JSON.

>>> taken = read('[White "Ann"]\\n\\n1. e4 e5 2. Nf3 *')
>>> taken.game, taken.actions, taken.names
('chess', ('e2e4', 'e7e5', 'g1f3'), ('Ann', '?'))
>>> read("(;GM[1]SZ[9]KM[6.5];B[ee];W[cc])").game
'go:size=9,komi=6.5'
>>> read("1. 11-15 23-19 8-11 *").game
'checkers'
>>> read("(;GM[Othello]TY[8]B[F5]W[D6];)").actions
('f5', 'd6')
>>> read(" 1) 31: 8/5 6/5    52: 13/8 24/22").actions
('x31', '8/5+6/5', '52', '13/8+24/22')
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from outplay.errors import BadNotation, BadValue, OutplayError
from outplay.game import Position, load
from outplay.knowledge import pdn, pgn, sgf
from outplay.values import Outcome, Record


@dataclass(frozen=True)
class Taken:
    """A game out of a file."""

    game: str
    actions: tuple[str, ...]
    start: str | None = None
    players: tuple[str, ...] = ()  # texts of players, where the file has them
    names: tuple[str, ...] = ()  # who played
    lines: tuple[tuple[str, ...], ...] = ()  # other lines of the game, each from the start


def read(text: str) -> Taken:
    """The first game of a file; what it is written in is told by how it begins."""
    text = text.lstrip("\ufeff \t\r\n")
    if not text:
        raise BadNotation("this file is empty")
    if text.startswith("{"):
        return _json(text)
    if text.startswith("("):
        return _ggf(text) if "GM[Othello]" in text else _sgf(text)
    if re.search(r'^\[Deal "', text, re.MULTILINE):
        return _pbn(text)
    if re.search(r"^variant\s*=", text, re.MULTILINE):
        return _phh(text)
    if re.search(r"^#player1 ", text, re.MULTILINE):
        return _gcg(text)
    if re.search(r"^\s*\d+\)\s", text, re.MULTILINE):
        return _match(text)
    if text.startswith("[") or text[:1].isdecimal():
        is_checkers = re.search(r"^\[GameType ", text, re.MULTILINE) or re.search(r"(?m)^1\.\s*[a-h]?\d+[-x:][a-h]?\d+", text)
        for game in pdn.read(text.splitlines()) if is_checkers else pgn.read(text.splitlines(), variations=True):
            if isinstance(game, pgn.Problem):
                raise BadNotation(f"this {'PDN' if is_checkers else 'PGN'} cannot be read: {game.message}")
            record = game.record()
            plain = game.start().game.start().text() == record.start
            lines = tuple(_spelled(game.start(), line) for line in game.lines) if isinstance(game, pgn.Game) else ()
            return Taken(record.game, record.actions, None if plain else record.start, names=record.players, lines=lines)
    raise BadNotation(
        "expected a game as PGN (chess), SGF (Go), PDN (checkers), GGF (Othello), PBN (bridge), PHH (hold'em), GCG (Scrabble), "
        "match text (backgammon) or a file saved here (JSON)")  # fmt: skip


def _spelled(position: Position, line: Sequence[Any]) -> tuple[str, ...]:
    texts = []
    for action in line:
        texts.append(position.action_text(action))
        position = position.result(action)
    return tuple(texts)


def _json(text: str) -> Taken:
    try:
        kept = json.loads(text)
        actions, players = (tuple(map(str, kept.get(key) or ())) for key in ("actions", "players"))
        taken = Taken(str(kept["game"]), actions, kept.get("start"), players, lines=_json_lines(kept))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadNotation("this file is not a game saved here: expected JSON with game and actions") from None
    return taken


def _json_lines(kept: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    if not kept.get("lines"):
        return ()
    begun = load(str(kept["game"]), compiled=False).start()
    if kept.get("start") is not None:
        begun = begun.game.position(str(kept["start"]))
    return tuple(_playable(begun, tuple(map(str, line))) for line in kept["lines"])


def _sgf(text: str) -> Taken:
    if "GM[1]" not in text and "GM[2]" in text:
        raise BadNotation("expected Othello as GGF, (;GM[Othello]...;): its SGF is not read here")
    game = sgf.read(text)
    if game.black or game.white:
        raise BadValue("this SGF sets stones up before the first move, which a game here cannot begin with")
    if game.colors:
        raise BadValue("in this SGF one colour moves twice in a row")
    name = f"go:size={game.size},komi={game.komi:g}"
    begun = load(name, compiled=False).start()
    return Taken(name, game.moves, names=game.players, lines=tuple(_playable(begun, line) for line in game.lines))


def _playable(position: Position, line: Sequence[str]) -> tuple[str, ...]:
    """As much of a line as the rules allow."""
    texts: list[str] = []
    for text in line:
        try:
            action = position.parse_action(text)
        except OutplayError:
            break
        texts.append(position.action_text(action))
        position = position.result(action)
    return tuple(texts)


def _ggf(text: str) -> Taken:
    from outplay.knowledge import othello

    game = othello.read_ggf(text)[0]
    game.positions()  # a move that cannot be played is told with its number
    return Taken("othello", game.moves, None if game.start == othello.START else game.start, names=(game.black, game.white))


def _pbn(text: str) -> Taken:
    from outplay.games.bridge import call_text
    from outplay.games.bridge.files import read_pbn
    from outplay.games.bridge.notation import SEAT_LETTERS, card_text, hands_text
    from outplay.games.bridge.scoring import VULNERABILITIES

    board = read_pbn(text)[0]
    calls = board.calls
    name = f"bridge:dealer={SEAT_LETTERS[board.dealer]},vulnerable={VULNERABILITIES[board.vulnerability]}"
    actions = (*(call_text(call) for call in calls), *(card_text(card) for card in board.play))
    names = tuple(board.tags.get(seat, "?") for seat in ("North", "East", "South", "West"))
    return Taken(name, actions, hands_text(board.hands), names=names)


def _phh(text: str) -> Taken:
    from outplay.cards import card_text
    from outplay.knowledge import phh

    last = phh.read(text)
    record: Any = last.game.record(last.state)
    if any(int(card) in (0, 53) for hand in record["hands"] for card in hand):
        raise BadValue("this hand hides cards of a player: a game here needs to know them all")
    position, actions = last.game.start(), list[str]()
    waiting = [card_text(int(card) - 1) for hand in record["hands"] for card in hand]
    waiting += [card_text(int(card) - 1) for card in record["board"] if card]
    made = [int(action) - 1 for action in record["log"][: int(record["made"])]]
    while not position.is_terminal() and (waiting if position.is_chance() else made):
        action = position.parse_action(waiting.pop(0)) if position.is_chance() else made.pop(0)
        actions.append(position.action_text(action))
        position = position.result(action)
    return Taken(last.game.name, tuple(actions))


def _gcg(text: str) -> Taken:
    from outplay.knowledge import gcg

    game = gcg.read_gcg(text)
    if not game.moments:
        raise BadNotation("this GCG has no turns")
    last = game.moments[-1]  # what was drawn before is not in the file: the game is taken up before its last turn
    return Taken("scrabble", (), last.position.text(), names=tuple(name or short for short, name in game.players))


def _match(text: str) -> Taken:
    from outplay.knowledge.mat import read_game

    length = re.search(r"^\s*(\d+) point match", text, re.MULTILINE)
    name = f"backgammon:cube={'Doubles' in text},match={length[1] if length else 0}" if "Doubles" in text else "backgammon"
    game: Any = load(name, compiled=False)
    position, actions = game.start(), []
    for action in read_game(game.rules, text):
        actions.append(position.action_text(action))
        position = position.result(action)
    return Taken(game.name, tuple(actions))


KINDS = {"chess": "pgn", "go": "sgf", "checkers": "pdn", "othello": "ggf", "bridge": "pbn", "hold'em": "phh", "scrabble": "gcg",
         "backgammon": "mat"}  # fmt: skip


def kind_of(game: str) -> str:
    """The ending of a file for this game."""
    base, _, parameters = game.partition(":")
    unusual = {"othello": r"size=(?!8\b)", "scrabble": r"players=[34]", "bridge": "phase=|ranks=|open=|contract="}
    if base in unusual and re.search(unusual[base], parameters):
        return "json"  # the format knows only the usual game
    return KINDS.get(base, "json")


def write(game: str, begun: Position, actions: Sequence[str], players: Sequence[str], outcome: Outcome | None,
          lines: Sequence[Sequence[str]] = ()) -> tuple[str, str]:  # fmt: skip
    """The text of a finished or unfinished game and the ending of its file; PGN, SGF and JSON hold variations, too."""
    kind = kind_of(game)
    if kind in WRITERS and (text := WRITERS[kind](begun, actions, players)):
        return text.rstrip("\n") + "\n", kind
    kind = kind if kind in ("pgn", "pdn", "sgf") else "json"
    if kind == "pgn":
        record = Record(game, begun.text(), tuple(actions), tuple(players), outcome)
        return pgn.write(pgn.from_record(record, lines, Event="Outplay studio", Site="?")), kind
    if kind == "pdn":
        record = Record(game, begun.text(), tuple(actions), tuple(players), outcome)
        return pdn.write(pdn.from_record(record, Event="Outplay studio")), kind
    if kind == "sgf":
        parameters: Any = importlib.import_module("outplay.game").load(game, compiled=False).rules.parameters
        won = "" if outcome is None else "0" if outcome.winner is None else "BW"[outcome.winner] + "+"
        return sgf.write(sgf.GoGame(int(parameters["size"]), float(parameters["komi"]), tuple(actions),
                                    players=(players[0], players[1]), result=won,
                                    lines=tuple(map(tuple, lines)))) + "\n", kind  # fmt: skip
    start = None if begun.text() == begun.game.start().text() else begun.text()
    kept: dict[str, Any] = {"game": game, "start": start, "actions": list(actions), "players": list(players)}
    return json.dumps({**kept, "lines": [list(line) for line in lines]} if lines else kept) + "\n", kind


def _write_ggf(begun: Position, actions: Sequence[str], players: Sequence[str]) -> str:
    from outplay.knowledge import othello

    game = othello.OthelloGame(tuple(actions), players[0], players[1], start=begun.text())
    return othello.write_ggf(game)


def _write_match(begun: Position, actions: Sequence[str], players: Sequence[str]) -> str:
    from outplay.knowledge.mat import write_game

    if begun.text() != begun.game.start().text():
        return ""  # match text has no way to say where a game begins
    position, made = begun, []
    for text in actions:
        made.append(position.parse_action(text))
        position = position.result(made[-1])
    return write_game(begun.game.rules, made)


def _write_pbn(begun: Position, actions: Sequence[str], players: Sequence[str]) -> str:
    from outplay.games.bridge import PASS
    from outplay.games.bridge.files import Game as Board
    from outplay.games.bridge.files import write_pbn
    from outplay.games.bridge.notation import SEAT_LETTERS
    from outplay.games.bridge.scoring import VULNERABILITIES

    position, calls, play = begun, [], []
    hands: tuple[int, ...] = ()
    for text in actions:
        if not position.is_chance() and not hands:
            hands = tuple(int(hand) for hand in position.game.record(position.state).hands)
        action = position.parse_action(text)
        if not position.is_chance() and action >= PASS:
            calls.append(int(action))
        elif not position.is_chance():
            play.append(16 * (int(action) % 4) + int(action) // 4)
        position = position.result(action)
    if not hands and not position.is_chance():
        hands = tuple(int(hand) for hand in position.game.record(position.state).hands)
    if len(hands) != 4:
        return ""
    parameters = begun.game.rules.parameters
    names = dict(zip(("North", "East", "South", "West"), players, strict=False))
    dealer, exposed = SEAT_LETTERS.index(parameters["dealer"]), VULNERABILITIES.index(parameters["vulnerable"])
    deal = (hands[0], hands[1], hands[2], hands[3])
    return write_pbn([Board(deal, dealer, exposed, tuple(calls), None, tuple(play), tags=names)])


def _write_phh(begun: Position, actions: Sequence[str], players: Sequence[str]) -> str:
    from outplay.knowledge import phh

    position = begun
    for text in actions:
        position = position.result(position.parse_action(text))
    return phh.write(position)


def _write_gcg(begun: Position, actions: Sequence[str], players: Sequence[str]) -> str:
    from outplay.knowledge import gcg

    position, moments = begun, []
    for text in actions:
        action = position.parse_action(text)
        if not position.is_chance() and position.action_text(action).partition(":")[0] not in ("accept", "challenge"):
            moments.append(gcg.Moment(position, action))
        position = position.result(action)
    return gcg.write_gcg(gcg.from_positions(moments)) if moments else ""


WRITERS = {"ggf": _write_ggf, "mat": _write_match, "pbn": _write_pbn, "phh": _write_phh, "gcg": _write_gcg}
"""Formats that other modules know; one that has nothing to write for a game leaves it to JSON."""

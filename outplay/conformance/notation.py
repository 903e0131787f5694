"""Notation and picture: texts that go round, texts that are refused, places to click."""

from __future__ import annotations

from outplay.conformance.checker import Checker, one_line
from outplay.errors import OutplayError
from outplay.game import Game, Position


def notation(check: Checker, position: Position) -> None:
    """Texts of the position and of its actions go round."""
    text = position.text()
    try:
        back = check.game.position(text)
    except OutplayError as problem:
        if not check.rules and type(check.game).parse is Game.parse:
            return  # a plain game may do without reading positions
        check.need("notation", False, f"it is refused: {problem}")
        return
    check.need("notation", back == position and back.text() == text, f"it reads back as {back.text()!r}")
    if check.rules:
        keys = [check.game.key(p.state) for p in (position, back)]
        check.need("notation", keys[0] == keys[1], f"its key is {keys[0]:#x} and the read position's {keys[1]:#x}")
    texts = [position.action_text(action) for action in position.actions()]
    check.need("action notation", len(set(texts)) == len(texts), f"they are {' '.join(texts)}")
    for action, written in list(zip(position.actions(), texts, strict=True))[:50]:
        good = bool(written) and not any(letter.isspace() or letter == "," for letter in written)
        check.need("action notation", good and position.parse_action(written) == action, f"one is {written!r}")


def garbage(check: Checker, position: Position) -> None:
    """Texts near to a right one are the likeliest to be misread."""
    text = position.text()
    middle = len(text) // 2
    nonsense = ("", " ", "?", "nonsense", "-1", "9" * 50, "\x00", "é/…")
    spoiled = [*nonsense, text[:-1], text[1:], text + text[-1:], text + " x",
               text[::-1], text[:middle] + text[middle + 1 :], text[:middle] + "?" + text[middle:],
               text.replace("x", "o"), text.upper()]
    for wrong in spoiled:
        try:
            read = check.game.position(wrong)
            goes_on = read.is_terminal() or len(read.actions()) > 0 or read.is_sampled()
            stable = check.game.position(read.text()) == read and goes_on
            stable = stable and (wrong not in nonsense or read.text() == wrong)
            check.need("garbage", stable, f"{wrong!r} was read as {read.text()!r}")
        except OutplayError as problem:
            check.need("garbage", "\n" not in str(problem), f"the error for {wrong!r} has more than one line")
        except Exception as problem:
            check.need("garbage", False, f"{wrong!r} raised {type(problem).__name__}: {one_line(problem)}")
        try:
            position.parse_action(wrong or "?")
        except OutplayError:
            pass
        except Exception as problem:
            check.need("garbage", False, f"the action {wrong!r} raised {type(problem).__name__}: {one_line(problem)}")


def picture(check: Checker, position: Position) -> None:
    """The picture is a rectangle, and every action can be clicked."""
    shown = position.picture()
    if shown is None:
        return
    check.need("picture", not shown.problem(), shown.problem())
    if shown.touches and not position.is_chance():
        missing = [action for action in position.actions() if action not in shown.touches]
        check.need("picture", not missing, f"{position.action_text(missing[0]) if missing else ''} has none")

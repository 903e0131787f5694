"""What a page draws and says is what Python draws and says, byte for byte."""

from __future__ import annotations

import base64
import json
import random

import numpy as np
import pytest

from outplay.errors import OutplayError
from outplay.game import load
from outplay.pages import export, face
from outplay.pages.build import own, rules_card, translated
from outplay.pages.translate import Script, Untranslatable
from outplay.views import words
from outplay.web.spoken import spelled
from tests.pages.harness import need_node, node, packed, run

COMPARE = """
const back = x => typeof x === "bigint" ? Number(x) : x instanceof $.Word ? Number(x.v) : Array.isArray(x) ? [...x].map(back)
  : x instanceof $.Dict ? Object.fromEntries([...x.pairs()].map(([k, v]) => [k, back(v)])) : x;
answer(given.map(([state, flip, narrow, seat]) => {
  const position = new Position(unpacked(state), host.facts), below = seat === null ? null : BigInt(seat);
  return [back(host.shown(position, host.seats, flip, narrow, null, true, below)),
          position.is_terminal() ? host.ended(host.facts, position.utilities(), host.seats) : "",
          (position.is_terminal() ? [] : [...position.actions()]).map(action =>
            host.spelled(position, action, position.action_text(action), host.speak, host.spell, host.recorded))];
}));
"""


def plain(value):
    return json.loads(json.dumps(value, default=lambda number: number.item()))


@need_node
@pytest.mark.parametrize("name", ["tic-tac-toe", "connect four", "kuhn poker", "examples/breakthrough.py", "tree", "liar's dice"])
def test_pages_show_what_python_shows(name):
    made = packed(name)
    game, source, asked, expected = made.game, random.Random(3), [], []
    seats = words.seats(game)
    for _ in range(2):
        position = game.start()
        for _ in range(12):
            look = (source.random() < 0.3, source.random() < 0.4, source.choice([None, 0]))
            asked.append([base64.b64encode(position.state).decode(), *look])
            end = face.ended(game, position.utilities(), seats) if position.is_terminal() else ""
            shown = plain(face.shown(position, seats, look[0], look[1], None, True, look[2]))
            moves = () if position.is_terminal() else position.actions()
            expected.append([shown, end, [spelled(position, action, position.action_text(action)) for action in moves]])
            if position.is_terminal():
                break
            position = position.result(source.choice(position.actions()))
    assert run(made, COMPARE, asked, words=True) == expected


@need_node
def test_python_in_javascript():
    """Numbers, texts, sequences and formats as Python has them."""
    def sample():
        big, word = 2**70 + 1, np.uint64(2**63)
        a, *rest = range(5)
        found = {(1, "a"): [x * y for x in range(3) for y in (1, -2) if x != 1], "k": -7 // 2, "m": -7 % 3}
        found |= {"s": sorted({"b": 1, "a": 2}.items(), key=lambda pair: -pair[1]), "w": int(word << np.uint64(1))}
        found["f"] = f"{3.14159:.2f}|{1e6:g}|{12345:,}|{'x':>4}|{0.1 + 0.2!r}"
        try:
            int("x1")
        except ValueError as problem:
            found["e"] = str(problem)
        found["t"] = f"{0.5:g} {big:>30}" + "a-b".partition("-")[2]
        found["z"] = [*zip("abc", (1.0, 2, None), strict=True), divmod(-7, 2), rest[::-1], "abcdef"[-4:-1:2], a]
        def count(limit):
            total = 0
            def add():
                nonlocal total
                total += 1
                return total
            while add() < limit:
                if total == 3:
                    break
            else:
                return "whole"
            return total
        found["n"] = [count(2), count(9), max("hello", key=ord), sum(x for x in (0.5, 1)), "a".join(str(n) for n in range(3))]
        return repr(found)

    script = Script()
    name = script.value(sample)
    assert node(own("python.js") + script.text() + f"console.log({name}());").strip() == sample()


def test_what_cannot_be_told_is_refused_with_its_place(tmp_path):
    file = tmp_path / "odd.py"
    rules = (
        "import os\nfrom outplay.jit import i8\nfrom outplay.rules import game\n\n\n@game('odd')\nclass Odd:\n"
        "    '''One move ends it.'''\n    most_actions = 1\n    moves: i8\n    turn: i8\n\n"
        "    def actions(self, out):\n        out[0] = 0\n        return 0 if self.moves else 1\n\n"
        "    def play(self, action):\n        self.moves = 1\n\n    def utility(self, seat):\n        return 0\n\n"
    )
    file.write_text(rules + "    def action_text(self, action):\n        return os.environ['HOME']\n")
    with pytest.raises(Untranslatable, match=r"odd\.py:24: a page cannot have"):
        translated(load(str(file)))
    file = tmp_path / "broken.py"
    file.write_text(rules + "    def picture(self):\n        return 1 / 0\n")
    with pytest.raises(OutplayError, match=r"broken\.py:24, in picture.*division by zero"):  # before anything is compiled
        export(str(file), tmp_path / "odd.html")
    file = tmp_path / "unsure.py"
    file.write_text(rules + "    def observe(self, seat):\n        pass\n\n    def deal(self, seat, source):\n        pass\n")
    with pytest.raises(OutplayError, match="deal returns the weight of the try"):
        export(str(file), tmp_path / "odd.html")


def test_a_plain_game_and_a_folder_are_refused_in_one_line(tmp_path):
    with pytest.raises(OutplayError, match="is a folder"):
        export("tic-tac-toe", tmp_path)
    with pytest.raises(OutplayError, match="memory must be 1 to 512"):
        export("tic-tac-toe", tmp_path / "game.html", memory=0.1)


def test_the_rules_card_has_the_authors_words_and_no_code():
    card = rules_card(load("kuhn poker"))
    assert "three cards" in card and "<dt>Goal</dt>" in card and ">>>" not in card and "&gt;&gt;&gt;" not in card
    assert "<script" not in rules_card(load("chess"))


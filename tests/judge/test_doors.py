"""One judge behind all doors: the command line, Python and the studio say the same of the same file."""

import inspect
import json

import pytest
from fastapi.testclient import TestClient

import outplay
from outplay.cli import review, why
from outplay.cli.main import run
from outplay.formats import games as formats
from outplay.judge.worth import Judge
from outplay.web.app import create_app
from outplay.web.judging import Asked, Looked
from outplay.web.spoken import spelled_words

NODES = 2000
GAMES = {
    "tic-tac-toe": ["a1", "b1", "a2", "c2"],  # all of it proved
    "chess": ["f2f3", "e7e5", "g2g4", "d8h4"],  # estimates, and a mate
    "backgammon": ["x31", "8/5+6/5", "66"],  # dice: luck, and a move
}  # fmt: skip


def asked(capsys, *arguments):
    """What the command line says as JSON."""
    assert run([*map(str, arguments), "--nodes", str(NODES), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def streamed(studio, path, **more):
    """What the studio says, line by line."""
    with studio.stream("POST", path, json={"nodes": NODES, **more}) as answer:
        assert answer.status_code == 200, answer.read()
        return [json.loads(line) for line in answer.iter_lines()]


def plain(told):
    """As JSON has it: tuples are lists."""
    return json.loads(json.dumps(told))


@pytest.mark.parametrize("game", GAMES)
def test_every_door_says_the_same(tmp_path, capsys, game):
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"game": game, "actions": GAMES[game]}))
    typed = asked(capsys, "review", file)
    taken = formats.read(file.read_text())
    start = outplay.load(taken.game).start()
    called = plain(outplay.review(start, taken.actions, nodes=NODES, words=True).fields())
    assert {**called, "seconds": typed["seconds"]} == typed  # byte for byte, but for the time that it took

    with TestClient(create_app(tmp_path / "games.sqlite"), base_url="http://localhost") as studio:
        record = studio.post("/api/files", json={"text": file.read_text()}).json()["address"]
        lines = streamed(studio, f"/api/records/{record}/review")
        seen = sorted((line["move"] for line in lines if "move" in line), key=lambda one: one["ply"])
        assert len(seen) == len(typed["moves"])
        for mine, other in zip(typed["moves"], seen, strict=True):
            here = start.play(GAMES[game][: mine["ply"]])
            assert {name: other[name] for name in mine} == {**mine, "words": spelled_words(here, mine["words"])}
        lucks = [line["luck"] for line in lines if "luck" in line]
        assert sorted(lucks, key=lambda one: one["ply"]) == typed["luck"]
        assert lines[-1]["accuracy"] == list(typed["accuracy"].values())

        for mine in typed["moves"]:
            if not mine["claims"]:
                continue
            here, action = start.play(GAMES[game][: mine["ply"]]), mine["action"]
            said = plain([claim.fields() for claim in outplay.why(here, action, nodes=NODES)])
            assert said[: len(mine["claims"])] == mine["claims"]
            spoken = asked(capsys, "why", game, f"--position={here.text()}", "--action", action)
            assert spoken["claims"] == said
            reasons = streamed(studio, f"/api/records/{record}/reasons", at=mine["ply"], action=action)
            assert reasons[-1]["claims"] == said


def test_every_door_looks_as_long_unless_told_otherwise():
    asked = {inspect.signature(each).parameters["nodes"].default for each in (review.review, why.why, Judge)}
    assert asked == {Looked().nodes, Asked().nodes} and len(asked) == 1

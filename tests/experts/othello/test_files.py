"""Games of Othello in files and by protocols: what is written is read again, bad files get one line, dialogues are kept to."""

import base64
import struct
import sys

import pytest

from outplay.cli.protocols.nboard import NBoard
from outplay.errors import BadNotation, BadValue, UnknownName, Unsuitable
from outplay.experts.othello.files import (
    OthelloGame,
    read,
    read_ggf,
    read_transcripts,
    read_wthor,
    write_ggf,
    write_transcripts,
    write_wthor,
)
from outplay.formats import games
from outplay.game import load
from outplay.players import player as player_of
from outplay.playing import Play
from outplay.values import Limits

# The shortest game there is: black leaves white no disc after nine moves.
SHORTEST = "e6f4e3f6g5d6e7f5c5"


def wthor(games):
    header = struct.pack("<BBBBiHHBBBx", 20, 26, 1, 1, len(games), 0, 2026, 8, 0, 0)
    body = b""
    for moves, score in games:
        cells = bytes(10 * int(move[1]) + "abcdefgh".index(move[0]) + 1 for move in moves)
        body += struct.pack("<HHHBB", 1, 2, 3, score, score) + cells.ljust(60, b"\0")
    return header + body


def test_wthor_is_a_format_of_every_door(tmp_path):
    content = wthor([(["f5", "d6", "c3"], 40), ([SHORTEST[at : at + 2] for at in range(0, 18, 2)], 64), (["f5"], 32)])
    text = games.text_of(content)
    assert [games.read(part).actions[:2] for part in games.parts(text)] == [("f5", "d6"), ("e6", "f4"), ("f5",)]
    assert games.read(text).names == ("player 2", "player 3")
    assert games.text_of(content[: 16 + 2 * 68 + 5], most=2).count("GM[Othello]") == 2  # the first bytes of a large file will do
    with pytest.raises(BadNotation, match="a file of 3 games has 220 bytes"):
        games.text_of(content[:-1])
    with pytest.raises(BadNotation, match="neither text nor WTHOR"):
        games.text_of(b"\0" * 300)
    (tmp_path / "a.wtb").write_bytes(content)
    assert games.opened(tmp_path / "a.wtb", most=1) == text.splitlines()[0]


def test_the_studio_takes_wthor_as_chapters():
    testing = pytest.importorskip("fastapi.testclient")
    from outplay.web.app import create_app

    with testing.TestClient(create_app(), base_url="http://localhost") as studio:
        data = base64.b64encode(wthor([(["f5", "d6", "c3"], 40), (["f5"], 32)])).decode()
        parts = studio.post("/api/files/parts", json={"data": data}).json()["parts"]
        assert [studio.post("/api/files", json={"text": part}).json()["plies"] for part in parts] == [3, 1]
        assert studio.post("/api/files", json={"data": data}).json()["record"] == ["f5", "d6", "c3"]
        finished = base64.b64encode(wthor([([SHORTEST[at : at + 2] for at in range(0, 18, 2)], 64)])).decode()
        whole = studio.post("/api/files", json={"data": finished}).json()
        assert whole["files"] == ["ggf", "wtb"]
        out = studio.get(f"/api/records/{whole['address']}/file?kind=wtb")
        assert (len(out.content), out.headers["content-disposition"]) == (84, 'attachment; filename="outplay-game.wtb"')
        assert studio.post("/api/files", json={"data": base64.b64encode(out.content).decode()}).json()["record"] == whole["record"]
        assert studio.post("/api/files", json={"data": "?"}).json() == {"error": "data must be base64"}


def test_ggf_goes_round():
    game = OthelloGame(("f5", "d6", "c3"), "Ann", "Bob [x]", -4.0)
    again = read_ggf(write_ggf(game))[0]
    assert (again.moves, again.black, again.score) == (game.moves, "Ann", -4.0)
    assert again.positions()[-1] == load("othello", compiled=False).start().play("f5 d6 c3")
    late = OthelloGame(("pass",), start="X" * 27 + "OX------XO-----" + "-" * 22 + " O")
    assert read_ggf(write_ggf(late))[0].start == late.start


def test_wthor_with_passes_put_in():
    moves = [SHORTEST[at : at + 2] for at in range(0, len(SHORTEST), 2)]
    game = read_wthor(wthor([(moves, 64)]))[0]
    assert game.positions()[-1].is_terminal() and game.score == 64
    assert game.positions()[-1].utility(0) == 64
    assert read_transcripts(write_transcripts([game]))[0].moves == tuple(moves)


def test_wthor_comes_out_byte_by_byte_as_it_went_in():
    content = wthor([(["f5", "d6", "c3"], 40), ([SHORTEST[at : at + 2] for at in range(0, 18, 2)], 64), (["f5"], 32)])
    first, *others = read_wthor(content)
    again = write_wthor(others, write_wthor([first]))  # a game more behind those of a file
    assert again[4:] == content[4:]  # before that stands the day on which the file was written
    assert read_wthor(again) == [first, *others]
    through = [games.read(part) for part in games.parts(games.text_of(content))]  # by the doors that the studio takes
    begun = load("othello", compiled=False).start()
    out = b""
    for taken in through:
        text, kind = games.write("othello", begun, taken.actions, taken.names, None, tags=taken.tags, kind="wtb")
        out = games.packed("othello", kind, text, out)
    assert out[4:] == content[4:]


def test_wthor_holds_what_has_a_score_and_says_so(tmp_path):
    game = load("othello", compiled=False)
    with pytest.raises(BadValue, match=r"WTHOR \(Othello\) cannot hold this game"):
        games.write("othello", game.start(), ("f5",), ("Ann", "Bob"), None, kind="wtb")
    with pytest.raises(UnknownName, match="unknown format of othello"):
        games.write("othello", game.start(), ("f5",), ("Ann", "Bob"), None, kind="pgn")
    with pytest.raises(BadNotation, match="even score"):
        write_wthor([OthelloGame(("f5",), score=3.0)])
    out = tmp_path / "match.wtb"
    record = Play(game, [player_of("random", seed=1), player_of("random", seed=2)], seed=3).finished()
    add = games.writer(out, game)
    add(record)
    add(record)
    assert [found.positions()[-1].utility(0) for found in read(out)] == [record.outcome.utilities[0]] * 2
    assert out.stat().st_size == 152


@pytest.mark.parametrize(("content", "why"), [
    (b"short", "a header of 16 bytes"),
    (wthor([(["f5"], 32)])[:-1], "a file of 1 games has 84 bytes"),
    (wthor([(["a1"], 32)]), "illegal move a1"),
])  # fmt: skip
def test_bad_files_of_the_base_get_one_line(content, why):
    with pytest.raises(BadNotation, match=why):
        read_wthor(content)


def test_files_are_told_apart(tmp_path):
    (tmp_path / "a.ggf").write_text(write_ggf(OthelloGame(("f5",))))
    (tmp_path / "b.txt").write_text("f5d6\n\nF5f6 # a comment\n")
    (tmp_path / "c.wtb").write_bytes(wthor([(["f5"], 32)]))
    assert [len(read(tmp_path / name)) for name in ("a.ggf", "b.txt", "c.wtb")] == [1, 2, 1]
    with pytest.raises(BadNotation, match="cannot be played"):
        OthelloGame(("a1",)).positions()


def test_a_dialogue_of_nboard():
    said = []
    session = NBoard(said.append, 0.2)
    game = write_ggf(OthelloGame(("f5", "d6")))

    def lines():
        yield from ["nboard 2", "ping 7", f"set game {game}", "set depth 3", "go", "move a1", "move C3/0.5"]
        session.rest()
        yield from ["quit", "go"]

    assert session.run(lines())
    assert said[:2] == ["set myname Outplay", "pong 7"]
    answer = next(line for line in said if line.startswith("=== "))
    position = load("othello").start().play("f5 d6")
    assert position.parse_action(answer[4:6].lower()) in position.actions() and len(answer.split("/")) == 3
    assert said[-1].startswith("status illegal action 'a1'")
    assert session.play.position == load("othello").start().play("f5 d6 c3")


def test_a_program_that_speaks_nboard_plays(tmp_path):
    script = tmp_path / "first.py"
    script.write_text("""import sys
for line in sys.stdin:
    if line.startswith("ping"):
        print("pong", line.split()[1], flush=True)
    elif line.startswith("go"):
        print("status thinking\\n=== D3/0.5/0.1", flush=True)
""")
    player = player_of(f"nboard:{sys.executable} {script}")
    position = load("othello", compiled=False).start()
    try:
        assert position.action_text(player.pick(position, Limits(seconds=1))) == "d3"
        with pytest.raises(Unsuitable, match="plays othello"):
            player.pick(load("nim").start(), None)
    finally:
        player.close()

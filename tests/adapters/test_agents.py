"""Agents at their tables: by Python, and as strangers by the protocol's own client over standard input and output."""

import json
import os
import random
import subprocess
import sys

import pytest

from outplay.adapters import agents
from outplay.adapters.agents import Tables
from outplay.errors import BadValue, IllegalAction, OutplayError, UnknownName
from outplay.game import game_names, load

mcp = pytest.importorskip("mcp")
anyio = pytest.importorskip("anyio")
GAMES = ("tic-tac-toe", "nim", "connect four:width=4,height=4", "kuhn poker", "rock-paper-scissors", "leduc poker", "liar's dice",
         "goofspiel:cards=3", "isolation:width=3,height=3", "tic-tac-toe")  # fmt: skip


def test_every_game_is_listed_and_explained():
    tables = Tables()
    listed = {each["game"] for each in tables.list_games()}
    assert listed == set(game_names())
    assert "Parameters" in tables.rules("connect four") and "width=7" in tables.rules("connect four")
    assert "each seat sees only its own part" in tables.rules("kuhn poker")


def test_a_deal_that_was_seen_does_not_come_again_by_beginning_anew():
    deals = [Tables().new_game("scrabble", "random")["position"] for _ in range(3)]
    assert len(set(deals)) == 3


@pytest.mark.parametrize("game", ["kuhn poker", "leduc poker", "liar's dice", "goofspiel:cards=3", "battleships"])
def test_what_is_hidden_stays_hidden(game):
    """All that a table says while the game goes on is the same as for any other hidden state that fits the seat's view."""
    for seed in range(3):
        tables = Tables(seed=seed)
        told = tables.new_game(game, "random", seat=seed % 2)
        source = random.Random(seed)
        while not told["over"]:
            table = tables._tables[told["table"]]
            view = table.play.position.observe(table.seat)
            assert told["position"] == view.text() and told["legal_actions"] == [view.action_text(a) for a in view.actions()][:400]
            if len(table.play.plies) > 12:
                break
            for who, ply in zip(tables.look(told["table"])["history"], table.play.plies, strict=True):
                if ply.seat != table.seat:
                    assert who.endswith(": ?") or ply.text in table.play.seen(table.seat)
            told = tables.act(told["table"], source.choice(told["legal_actions"]))


def test_bad_calls_get_one_clear_line():
    tables = Tables()
    table = tables.new_game("tic-tac-toe", "random")["table"]
    for call, kind, said in (
        (lambda: tables.rules("ches"), UnknownName, "did you mean 'chess'"),
        (lambda: tables.rules("/etc/passwd.py"), BadValue, "no such game here"),
        (lambda: tables.new_game("tic-tac-toe", "program:touch /tmp/owned"), BadValue, "cannot be asked for here"),
        (lambda: tables.new_game("tic-tac-toe", "python:/tmp/x.py"), BadValue, "cannot be asked for here"),
        (lambda: tables.new_game("chess", "uci:sh"), BadValue, "cannot be asked for here"),
        (lambda: tables.new_game("chess", "engine:book=x"), UnknownName, "option of an opponent"),
        (lambda: tables.new_game("chess", "engine:time=1e9"), BadValue, "at most 30"),
        (lambda: tables.new_game("chess", "human"), BadValue, "cannot be asked for here"),
        (lambda: tables.new_game("kuhn poker", "random", position="JQ"), BadValue, "begin at the start"),
        (lambda: tables.new_game("nim", "random", seat=2), BadValue, "seat must be 0 to 1"),
        (lambda: tables.act(table, "z9"), IllegalAction, "illegal action 'z9': legal are"),
        (lambda: tables.act("nowhere", "a1"), UnknownName, "unknown table 'nowhere'"),
        (lambda: tables.hint(table, 1e9), BadValue, "at most 30"),
    ):
        with pytest.raises(kind, match=said) as problem:
            call()
        assert "\n" not in str(problem.value) and len(str(problem.value)) < 400
    assert tables.rating()["illegal_calls"] == 1
    tables.resign(table)
    with pytest.raises(IllegalAction, match="is over: you lost"):
        tables.act(table, "a1")
    with pytest.raises(IllegalAction, match="is over"):
        tables.hint(table)
    for _ in range(64):
        tables.new_game("nim", "random")
    with pytest.raises(BadValue, match="64 games are open"):
        tables.new_game("nim", "random")


def test_games_that_are_over_keep_no_search_and_the_oldest_go(monkeypatch):
    """Each kept its opponent's table of 64 MB for as long as the server ran."""
    monkeypatch.setattr(agents, "MOST_KEPT", 3)
    tables = Tables()
    for _ in range(5):
        told = tables.resign(tables.new_game("tic-tac-toe", "minimax")["table"])
        assert told["over"] and told["result"] == "you lost"
    kept = [table for table in tables._tables.values() if table.play.outcome is not None]
    assert len(kept) == 4 and all(type(table.play.players[1]) is agents.Gone for table in kept)  # the last came after the sweep
    assert tables.result("tic-tac-toe-5")["over"] and tables.rating()["games"] == 4


def test_a_game_with_hints_is_not_rated():
    tables = Tables()
    told = tables.new_game("nim:heaps=1-2", "random")
    while not told["over"]:
        told = tables.act(told["table"], tables.hint(told["table"], 0.2)["action"])
    assert told["result"] == "you won"
    assert tables.rating()["with_hints"] == 1 and tables.rating()["against"] == []


def test_ten_games_over_the_protocol():
    from mcp import Client, StdioServerParameters

    # The client runs a server of its own, as a stranger's program does.
    server = StdioServerParameters(command=sys.executable, args=["-m", "outplay", "mcp", "--seed", "5"], env=dict(os.environ))

    async def talk():
        async with Client(server) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == {"list_games", "rules", "new_game", "look", "picture", "legal_actions", "act", "hint", "resign",
                             "result", "rating"}  # fmt: skip

            async def call(name, **arguments):
                answer = await client.call_tool(name, arguments)
                assert not answer.is_error, answer.content
                return json.loads(answer.content[0].text)

            source = random.Random(1)
            open_games = [await call("new_game", game=game, opponents="random", seat=number % 2)
                          for number, game in enumerate(GAMES)]
            while open_games:  # all at once, a move here and a move there
                told = open_games.pop(source.randrange(len(open_games)))
                if told["over"]:
                    result = await call("result", table=told["table"])
                    assert result["over"] and result["actions"]
                    continue
                wrong = await client.call_tool("act", {"table": told["table"], "action": "no such move"})
                assert wrong.is_error and "illegal action" in wrong.content[0].text and "\n" not in wrong.content[0].text
                open_games.append(await call("act", table=told["table"], action=source.choice(told["legal_actions"])))
            rating = await call("rating")
            assert rating["games"] == 10 and rating["open"] == 0
            assert sum(row["games"] for row in rating["against"]) == 10
            for name, arguments in (("act", {}), ("act", {"table": 7, "action": []}), ("nothing", {}),
                                    ("rules", {"game": "x" * 10_000}),
                                    ("new_game", {"game": "nim", "seat": "first"}), ("look", {"table": None})):
                try:
                    answer = await client.call_tool(name, arguments)
                except mcp.MCPError:
                    continue
                assert answer.is_error and len(answer.content[0].text) < 2000
            board = await call("new_game", game="tic-tac-toe", opponents="random")
            picture = (await client.call_tool("picture", {"table": board["table"]})).content[0]
            assert (picture.type == "image" and picture.data) or "<svg" in picture.text

    anyio.run(talk)


def test_garbage_and_a_sudden_end_leave_nothing_hanging():
    for said in (b"", b"garbage\n\n{}\n[]\n\xff\xfe\n" * 20 + b'{"jsonrpc":"2.0","id":1,"method":"tools/call"' + b"\0" * 1000):
        done = subprocess.run([sys.executable, "-m", "outplay", "mcp"], input=said, capture_output=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr[-500:]
        assert b"Traceback" not in done.stderr


def test_the_server_says_what_it_lacks(monkeypatch):
    from outplay.adapters.agents import server

    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(OutplayError, match=r"pip install outplay\[mcp\]"):
        server(Tables())
    assert load("nim")

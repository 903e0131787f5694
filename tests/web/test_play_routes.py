"""Playing over HTTP: games, positions, saved games, replies, and what is hidden."""

import json
import re
import time

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from outplay.game import game_names
from outplay.web.app import create_app


@pytest.fixture
def studio(tmp_path):
    with TestClient(create_app(tmp_path / "games.sqlite"), base_url="http://localhost") as client:
        yield client


def new(studio, game, players, **more):
    answer = studio.post("/api/records", json={"game": game, "players": players, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def move(studio, record, action):
    return studio.post(f"/api/records/{record['address']}/moves", json={"action": action, "plies": record["plies"]})


def reply(studio, record):
    with studio.stream("POST", f"/api/records/{record['address']}/reply", json={"plies": record["plies"]}) as answer:
        assert answer.status_code == 200
        return [json.loads(line) for line in answer.iter_lines()]


def test_every_game_can_be_listed_started_and_seen(studio):
    listed = {game["name"]: game for game in studio.get("/api/games").json()["games"]}
    assert set(listed) == set(game_names())
    for name, game in listed.items():
        record = new(studio, name, ["human"] * game["players"])
        assert record["at"] == record["plies"] or record["chance"] is False
        assert record["board"] is None or record["board"]["svg"].startswith("<svg")
        assert record["terminal"] or record["legal"], name


def test_two_people_play_a_game_to_its_end(studio):
    record = new(studio, "tic-tac-toe", ["human", "human"])
    for action in ["b2", "a1", "a2", "b1", "c2"]:
        record = move(studio, record, action).json()
    assert (record["terminal"], record["result"], record["record"]) == (
        True,
        "Crosses win",
        ["b2", "a1", "a2", "b1", "c2"],
    )
    assert move(studio, record, "c3").status_code == 422


def test_a_search_replies_and_says_its_place_first(studio):
    record = new(studio, "tic-tac-toe", ["human", "alphabeta"], start="xx./oo./... x")
    record = move(studio, record, "a1").json()
    assert record["waiting"]
    messages = reply(studio, record)
    assert messages[0] == {"queued": 0}
    assert messages[-1]["record"]["result"] == "Noughts win"
    assert messages[-1]["record"]["thought"]["value"] == -1.0


def test_a_move_for_a_search_or_from_an_old_page_is_refused(studio):
    record = new(studio, "tic-tac-toe", ["random", "human"])
    assert move(studio, record, "b2").json() == {"error": "it is not a person's turn: random is to move"}
    after = reply(studio, record)[-1]["record"]
    legal = after["legal"][0]["text"]
    assert move(studio, {**after, "plies": 0}, legal).status_code == 409
    assert move(studio, after, legal).status_code == 200
    assert studio.post(f"/api/records/{record['address']}/reply", json={"plies": 1}).status_code == 409


def test_an_illegal_move_names_the_legal_ones(studio):
    record = new(studio, "tic-tac-toe", ["human", "human"])
    answer = move(studio, record, "z9")
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("illegal action 'z9' in .../.../... x: legal are a3 b3")


def test_a_refused_move_tells_nothing_hidden(studio):
    record = new(studio, "battleships:width=3,height=2,fleet=2", ["human", "random"])
    laid = move(studio, record, "a1-b1").json()
    after = reply(studio, laid)[-1]["record"]
    answer = move(studio, after, "z9")
    assert answer.status_code == 422 and answer.json()["error"].startswith("illegal action 'z9' in a1-b1 | ?: legal are")


def test_take_back_goes_to_the_last_decision_of_a_person(studio):
    record = new(studio, "tic-tac-toe", ["human", "random"])
    path = f"/api/records/{record['address']}/back"
    assert studio.post(path, json={"plies": 0}).json() == {"error": "there is nothing to take back"}
    record = reply(studio, move(studio, record, "b2").json())[-1]["record"]
    back = studio.post(path, json={"plies": 2}).json()
    assert (record["plies"], back["plies"], back["person"]) == (2, 0, True)


def test_the_record_can_be_stepped_through_and_flipped(studio):
    record = new(studio, "chess", ["human", "human"], actions=["e2e4", "e7e5", "g1f3"])
    path = f"/api/records/{record['address']}"
    earlier = studio.get(path + "?at=1").json()
    assert (earlier["at"], earlier["plies"], earlier["movable"], record["movable"]) == (1, 3, True, True)
    assert studio.get(path + "?at=9").json() == {"error": "at must be from 0 to 3, got 9"}
    plain, turned = (studio.get(path + query).json() for query in ("", "?flip=true"))
    assert plain["legal"] == turned["legal"]  # spots are the same, only where they lie differs
    here, there = ({place["id"]: (place["x"], place["y"]) for place in seen["board"]["places"]} for seen in (plain, turned))
    assert here["0,0"] == there["7,7"] and here["7,1"] == there["0,6"]
    assert {place["id"]: place["here"] for place in plain["board"]["places"]}["5,5"] == "white knight"


def test_a_saved_game_survives_a_restart_and_a_file(tmp_path):
    file = tmp_path / "deep" / "games.sqlite"
    with TestClient(create_app(file), base_url="http://localhost") as studio:
        record = new(studio, "connect four:width=5", ["human", "engine:depth=2"], actions=["3"])
        content = studio.get(f"/api/records/{record['address']}/file").json()
    with TestClient(create_app(file), base_url="http://localhost") as studio:
        again = studio.get(f"/api/records/{record['address']}").json()
        copy = studio.post("/api/records", json=content).json()
    assert again == record
    assert (copy["game"], copy["record"], copy["players"]) == ("connect four:width=5", ["3"], ["human", "engine:depth=2"])
    assert copy["address"] != record["address"]


def test_what_is_hidden_stays_hidden_until_the_end(studio):
    record = new(studio, "blind tic-tac-toe", ["human", "random"])
    after = reply(studio, move(studio, record, "b2").json())[-1]["record"]
    assert after["record"] == ["b2", "•"]
    assert "o" not in after["position"].split()[0]
    assert studio.get(f"/api/records/{record['address']}/file").status_code == 409
    assert "thought" not in after


def test_chance_answers_at_once(studio):
    tree = '{"chance": [[0.5, [1, 2]], [0.5, [3, 4]]]}'
    record = new(studio, "tree", ["human", "human"], parameters={"tree": tree})
    assert (record["plies"], record["chance"], record["person"]) == (1, False, True)


def test_players_can_be_changed(studio):
    record = new(studio, "nim", ["human", "human"])
    path = f"/api/records/{record['address']}/players"
    assert studio.post(path, json={"players": ["random", "human"]}).json()["waiting"]
    assert studio.post(path, json={"players": ["human"]}).json() == {"error": "nim has 2 players, got 1"}


# ---------------------------------------------------------------- the pages


def test_every_page_is_whole_and_asks_nothing_of_other_machines(studio):
    from outplay.web.pages import STATIC, TOPICS

    paths = ["/play", "/inside", "/compare", "/constraints", "/arena", "/class", "/yours", "/learn", "/api"]
    paths += [f"/learn/{topic}" for topic in TOPICS]
    for path in paths:
        page = studio.get(path).text
        assert "{{" not in page and page.count("<h1") == 1 and 'aria-current="page"' in page, path
        for address in re.findall(r'(?:src|href)="([^"#]*)"', page):
            assert address.startswith("/"), address
            if address not in ("/", "/learn"):
                assert studio.get(address.split("?")[0]).status_code == 200, address
    home = studio.get("/").text
    assert "{{" not in home and "/play?game=chess" in home and studio.get("/pictures/chess.svg").text.startswith("<svg")
    for file in STATIC.rglob("*.*"):
        assert not re.search(r"https?://(?!www\.w3\.org|127\.0\.0\.1)", file.read_text("utf-8")), file
    assert {path.stem for path in (STATIC / "learn").iterdir()} == set(TOPICS)


def test_every_live_example_of_the_lessons_runs(studio):
    """What learn.js asks for each block, asked here."""
    from html import unescape

    from outplay.game import load
    from outplay.players.algorithms import resolve
    from outplay.web.pages import TOPICS

    asked = 0
    for topic in TOPICS:
        for block in re.findall(r'<div class="live"([^>]*)>', studio.get(f"/learn/{topic}").text):
            data = {key: unescape(one or two) for key, one, two in re.findall(r"data-(\w+)=(?:\"([^\"]*)\"|'([^']*)')", block)}
            body = {"game": data.get("game", "tree"), "actions": data.get("actions", "").split()}
            body |= {"parameters": {"tree": data["tree"]}} if "tree" in data else {}
            body |= {"start": data["position"]} if "position" in data else {}
            if data["live"] in ("tree", "walk", "plan"):
                body |= (
                    {"algorithm": data["algorithm"]}
                    | ({"depth": int(data["depth"])} if "depth" in data else {})
                    | ({"simulations": int(data["simulations"])} if "simulations" in data else {})
                )
                answer = studio.post("/api/trees", json=body).text.splitlines()[-1]
                assert "tree" in json.loads(answer), (topic, answer)
            elif data["live"] == "compare":
                named = data["algorithms"].split("|" if "|" in data["algorithms"] else ",")
                assert all(resolve(name, load(body["game"])) for name in named), topic
                answer = studio.post("/api/positions", json={key: body[key] for key in ("game", "actions", "start") if key in body})
                assert answer.status_code == 200
            elif data["live"] in ("think", "cards"):  # there is something to decide
                at = load(body["game"], compiled=False)
                at = at.position(body["start"]) if "start" in body else at.start()
                for text in body["actions"]:
                    at = at.result(at.parse_action(text))
                assert not at.is_chance() and len(at.actions()) > 1, topic
            elif data["live"] == "csp":
                told = studio.post("/api/constraints", json={"text": data["text"]}).text.splitlines()
                lines = map(json.loads, told)
                assert any(line.get("step", {}).get("solved") for line in lines), topic
            asked += 1
    assert asked >= 20


@pytest.mark.parametrize("text", ["queens 6", "map\ncolours: red green\nWA: NT SA\nNT: WA SA Q\nSA: WA NT Q\nQ: NT SA\nT:"])
def test_domains_after_a_decision_that_was_taken_back_are_those_of_the_search(studio, text):
    from outplay.csp.files import read
    from outplay.csp.tracing import trace

    asked = {"text": text, "propagation": "forward", "order": "input"}
    told = map(json.loads, studio.post("/api/constraints", json=asked).text.splitlines())
    shown, known = [], {}
    for step in (line["step"] for line in told if "step" in line):  # as the pages do
        known[step["depth"]] = {**known.get(max(0, step["depth"] - 1), {}), **step["domains"]}
        shown.append(known[step["depth"]])
    expected = [step.domains for step in trace(read(text).model, propagation="forward", order="input")]
    assert shown[1:] == expected and any(len(each) == 0 for domains in shown for each in domains.values())


def test_what_the_lessons_say_of_a_position_is_so(studio):
    """A search and an answer that the text beside it names."""

    def thought(game, algorithm, **more):
        asked = {"game": game, "algorithm": algorithm, **more}
        return json.loads(studio.post("/api/think", json=asked).text.splitlines()[-1])["result"]

    found = thought("checkers", "engine:pvs", start="W:WK18,K22:BK1", depth=21)
    assert found["value"] == -found["scale"] and found["depth"] == 21 and len(found["line"]) == 21  # White's, the second player's
    ending = "--XXXX-XX-OO--X-XOOXOOOOXOXXOOOXXXOOOOO-XXXOOO-OXXXXXO--X--XXXX- X"
    assert thought("othello", "engine:pvs,probcut=0", start=ending, depth=20)["value"] == 44  # counted, nothing believed
    for roll, move in (("x41", "13/9+24/23"), ("x31", "8/5+6/5")):
        assert thought("backgammon", "net:backgammon", actions=[roll], depth=1)["action"] == move


def test_the_api_describes_itself(studio):
    paths = studio.get("/openapi.json").json()["paths"]
    assert {"/api/games", "/api/positions", "/api/records", "/api/think", "/api/compare", "/api/trees"} <= set(paths)


def test_another_move_begins_a_variation_and_variations_have_their_own(studio):
    record = new(studio, "chess", ["human", "human"], actions=["e2e4", "e7e5", "g1f3"])
    path = f"/api/records/{record['address']}"

    def told(state):
        return [(line["parent"], line["from"], " ".join(line["words"])) for line in state["tree"]["lines"]], state["tree"]["now"]

    same = studio.post(path + "/moves", json={"action": "e5", "plies": 3, "at": 1}).json()
    assert (same["at"], same["plies"]) == (2, 3) and "tree" not in same  # what was played there anyway: only a step
    other = studio.post(path + "/moves", json={"action": "c5", "plies": 3, "at": 1}).json()
    assert other["record"] == ["e2e4", "c7c5"] and told(other) == ([(-1, 0, "e4 e5 Nf3"), (0, 1, "c5")], 1)
    studio.post(path + "/moves", json={"action": "Nf3", "plies": 2})
    inner = studio.post(path + "/moves", json={"action": "c3", "plies": 3, "at": 2}).json()
    tree = [(-1, 0, "e4 e5 Nf3"), (0, 1, "c5 Nf3"), (1, 2, "c3")]
    assert told(inner) == (tree, 2)
    again = studio.post(path + "/moves", json={"action": "Nf3", "plies": 3, "at": 2}).json()  # a move that is there is gone over to
    assert told(again) == (tree, 1) and again["plies"] == 3
    back = studio.post(path + "/lines", json={"line": 0, "at": 1, "plies": 3}).json()
    assert told(back) == (tree, 0) and (back["at"], back["record"]) == (1, ["e2e4", "e7e5", "g1f3"])
    assert studio.post(path + "/lines", json={"line": 7, "plies": 3}).status_code == 404

    text = studio.get(path + "/file").text
    assert "1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 *" in text.replace("\n", " ")
    assert told(studio.post("/api/files", json={"text": text}).json()) == (tree, 0)

    first = studio.post(path + "/lines/promote", json={"line": 2, "at": 2, "plies": 3}).json()
    assert told(first) == ([(-1, 0, "e4 e5 Nf3"), (0, 1, "c5 c3"), (1, 2, "Nf3")], 0)
    main = studio.post(path + "/lines/promote", json={"line": 1, "at": 1, "plies": 3}).json()
    assert told(main) == ([(-1, 0, "e4 c5 c3"), (0, 2, "Nf3"), (0, 1, "e5 Nf3")], 2)
    assert studio.get(path + "/file").text.replace("\n", " ").endswith("1. e4 c5 (1... e5 2. Nf3) 2. c3 (2. Nf3) * ")
    less = studio.post(path + "/lines/delete", json={"line": 2, "at": 1, "plies": 3}).json()  # the line that was on the board
    assert told(less) == ([(-1, 0, "e4 c5 c3"), (0, 2, "Nf3")], 0)
    assert "tree" not in studio.post(path + "/lines/delete", json={"line": 1, "at": 2, "plies": 3}).json()
    assert studio.post(path + "/lines/delete", json={"line": 0, "at": 9, "plies": 3}).status_code == 404


def test_variations_go_through_sgf_and_json_and_stand_in_no_game_with_a_clock(studio):
    sgf = "(;GM[1]SZ[5]KM[0.5];B[cc](;W[bb];B[dd])(;W[dd](;B[bb])(;B[db])))"
    record = studio.post("/api/files", json={"text": sgf}).json()
    assert [(line["parent"], line["from"]) for line in record["tree"]["lines"]] == [(-1, 0), (0, 1), (1, 2)]
    assert "(;W[bb];B[dd])(;W[dd](;B[bb])(;B[db]))" in studio.get(f"/api/records/{record['address']}/file").text
    nim = new(studio, "nim", ["human", "human"], actions=["a1", "b1"])
    studio.post(f"/api/records/{nim['address']}/moves", json={"action": "c2", "plies": 2, "at": 1})
    text = studio.get(f"/api/records/{nim['address']}/file").text
    assert len(studio.post("/api/files", json={"text": text}).json()["tree"]["lines"]) == 2
    timed = new(studio, "tic-tac-toe", ["human", "human"], clock="60+2", actions=["a1"])
    path = f"/api/records/{timed['address']}/lines"
    assert studio.post(path + "/delete", json={"line": 0, "at": 0, "plies": 1}).status_code == 409


def test_clocks_run_give_back_and_fall(studio, monkeypatch):
    from outplay.web import tables

    now = [1000.0]
    monkeypatch.setattr(tables, "now", lambda: now[0])
    record = new(studio, "tic-tac-toe", ["human", "human"], clock="60+2")
    path = f"/api/records/{record['address']}"
    now[0] += 500  # nothing runs before the first move
    first = studio.post(path + "/moves", json={"action": "b2", "plies": 0}).json()
    assert first["clock"]["left"] == [60, 60] and first["clock"]["runs"]
    now[0] += 10
    assert studio.get(path).json()["clock"]["left"] == [60, 50]
    second = studio.post(path + "/moves", json={"action": "a1", "plies": 1}).json()
    assert second["clock"]["left"] == [60, 52]
    assert studio.post(path + "/moves", json={"action": "c3", "plies": 2, "at": 1}).status_code == 409  # no way back by the clock
    now[0] += 61
    over = studio.get(path).json()
    assert over["terminal"] and over["reason"] == "Crosses ran out of time" and over["result"] == "Noughts win"
    assert "over" in studio.post(path + "/moves", json={"action": "c3", "plies": 2}).json()["error"]


def test_a_search_plays_by_the_clock_that_it_is_given(studio):
    record = new(studio, "tic-tac-toe", ["human", "engine:time=50"], clock="600+0", actions=["b2"])
    answer = studio.post(f"/api/records/{record['address']}/reply", json={"plies": 1}).text.splitlines()
    after = json.loads(answer[-1])["record"]
    assert after["plies"] == 2 and 0 < after["clock"]["left"][1] < 600  # generous: what is compiled first counts, too


def test_a_person_can_give_up(studio):
    record = new(studio, "chess", ["human", "random"])
    over = studio.post(f"/api/records/{record['address']}/resign", json={"plies": 0}).json()
    assert over["terminal"] and over["utilities"] == [-1, 1] and over["reason"] == "White resigned"
    assert studio.post(f"/api/records/{record['address']}/resign", json={"plies": 0}).status_code == 409


@pytest.mark.parametrize("text, game, plies", [
    ("(;GM[Othello]PC[x]TY[8]B[F5]W[D6];)", "othello", 2),
    (" 1) 31: 8/5 6/5    52: 13/8 24/22", "backgammon", 5),  # and the next throw
    ('[Deal "N:652.J976.QT4.K75 QT.AQ843.A62.T64 A94.T5.KJ98.Q832 KJ873.K2.753.AJ9"]\n[Auction "N"]\n'
     "1NT Pass Pass Pass\n", "bridge", 4),
    ('variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [100, 100]\n'
     'actions = ["d dh p1 Jd5d", "d dh p2 Kh3c", "p2 cc", "p1 cbr 6", "p2 f"]', "hold'em", 7),
])  # fmt: skip
def test_games_come_in_and_go_out_in_their_own_formats(studio, text, game, plies):
    taken = studio.post("/api/files", json={"text": text}).json()
    assert taken["game"].split(":")[0] == game and taken["plies"] == plies
    assert game != "hold'em" or not taken["hidden"]  # who brings the file knows both hands
    if not taken["hidden"]:
        saved = studio.get(f"/api/records/{taken['address']}/file")
        assert taken["file"] in saved.headers["content-disposition"]
        again = studio.post("/api/files", json={"text": saved.text}).json()
        assert again["record"][: plies - 1] == taken["record"][: plies - 1]


def test_an_arena_of_games_for_three(studio):
    wanted = {"game": "isolation:players=3,width=3,height=3", "players": ["random", "random:seed=5", "random:seed=7"], "pairs": 1}
    arena = studio.post("/api/arenas", json=wanted).json()
    assert arena["games"] == 3 and not arena["done"]
    path = f"/api/arenas/{arena['address']}"
    assert studio.post(path + "/run", json={}).json() == {"running": True}
    latest = time.monotonic() + 600
    while not (arena := studio.get(path).json())["done"] and time.monotonic() < latest:
        time.sleep(0.05)
    assert [sorted(result["seats"]) for result in arena["results"]] == [[0, 1, 2]] * 3
    assert sum(row["points"] for row in arena["table"]) == pytest.approx(4.5)  # half of the 3 x 3 pairs that met
    few = studio.post("/api/arenas", json={**wanted, "players": ["random", "random"]})
    assert "needs 3 players" in few.json()["error"]


def test_the_game_on_the_page_for_authors_keeps_every_promise(studio, tmp_path):
    import html

    from outplay.conformance import check_game
    from outplay.game import load

    text = html.unescape(studio.get("/yours").text.partition('<pre id="sample" tabindex="0">')[2].partition("</pre>")[0])
    file = tmp_path / "coins.py"
    file.write_text(text)
    check_game(load(str(file), compiled=False))


@pytest.mark.parametrize(
    ("game", "start", "words", "marks", "arrows"),
    [
        ("tic-tac-toe", "xx./.o./... o", "Crosses threaten c3", 1, 0),
        ("tic-tac-toe", "x../.o./... x", "", 0, 0),
        ("chess", "4k3/8/8/3p4/4N3/8/8/R3K3 w - - 0 1", "Black threatens dxe4", 1, 1),
        ("chess", "4k3/8/8/3q4/4N3/3P4/4K3/8 w - - 0 1", "", 0, 0),  # a queen does not take a knight that a pawn guards
        ("chess", "r5k1/8/8/8/8/8/5PPP/6K1 w - - 0 1", "Black threatens Ra1#", 1, 1),
        ("checkers", "B:W26,22:B18,1", "White threatens 22x15", 1, 1),
        ("go:size=5", ".xo../.o.../...../...../..... x", "White threatens 1 stone, in atari", 1, 0),
        ("isolation", None, "", 0, 0),
    ],
)
def test_threats_are_told_and_marked(studio, game, start, words, marks, arrows):
    record = new(studio, game, ["human", "human"], **({} if start is None else {"start": start}))
    found = studio.get(f"/api/records/{record['address']}/threats").json()
    assert found["words"] == words
    assert (found["board"]["svg"].count('class="mark threat"'), found["board"]["svg"].count('class="arrow"')) == (marks, arrows)


def test_connect_four_counts_no_threat_that_a_move_opens_itself(studio):
    record = new(studio, "connect four", ["human", "human"])
    for column in ["1", "4", "1", "4", "2", "4"]:  # yellow has three in the fourth column: only there is the fourth stopped
        record = move(studio, record, column).json()
    assert studio.get(f"/api/records/{record['address']}/threats").json()["words"] == "Yellow threatens 4"
    hidden = new(studio, "kuhn poker", ["human", "human"])
    refused = studio.get(f"/api/records/{hidden['address']}/threats")
    assert refused.status_code == 422 and "hidden" in refused.json()["error"]


def test_a_go_score_is_estimated(studio):
    record = new(studio, "go:size=5,komi=0.5", ["human", "human"], start=".xo../.xo../.xo../.xo../.xo.. x")
    with studio.stream("POST", f"/api/records/{record['address']}/extra/territory", json={}) as answer:
        last = [json.loads(line) for line in answer.iter_lines()][-1]
    assert last["words"] == "About Black 10, White 15 + komi 0.5: White leads by 5.5"
    assert last["board"]["svg"].count("mark territory") == 15


REVIEWED = {
    "tic-tac-toe": 4, "connect four": 3, "othello": 2, "checkers": 2, "go:size=5": 2, "nim": 2, "isolation": 3,
    "isolation:players=3": 4,
}  # fmt: skip


@pytest.mark.parametrize("game", REVIEWED)
def test_every_game_of_perfect_information_is_reviewed(studio, game):
    players = 3 if "players=3" in game else 2
    record = new(studio, game, ["human"] * players)
    for _ in range(REVIEWED[game]):
        record = move(studio, record, record["legal"][0]["text"]).json()
    assert record["reviewable"]
    with studio.stream("POST", f"/api/records/{record['address']}/review", json={"nodes": 2000}) as answer:
        assert answer.status_code == 200, answer.read()
        told = [json.loads(line) for line in answer.iter_lines()]
    moves = [line["move"] for line in told if "move" in line]
    assert [one["ply"] for one in moves] == list(range(REVIEWED[game]))[::-1]
    assert all(one["best"] and 0 <= one["after"] <= 1 and one["loss"] >= 0 for one in moves)
    assert len(told[-1]["accuracy"]) == players
    assert studio.get(f"/api/records/{record['address']}").json()["reviewed"]  # it lies with the game


def test_an_opponent_is_prepared_while_a_person_thinks(tmp_path):
    app = create_app(tmp_path / "games.sqlite", prepares=True)
    with TestClient(app, base_url="http://localhost") as studio:
        asked = {"game": "tic-tac-toe", "players": ["human", "alphabeta:depth=2"]}
        lines = [json.loads(line) for line in studio.post("/api/prepare", json=asked).text.splitlines()]
        assert lines[0] == {"queued": 0} and lines[-1] == {"ready": True}
        wrong = studio.post("/api/prepare", json={**asked, "players": ["human", "alfabeta"]})
        assert wrong.status_code == 422 and "alphabeta" in wrong.json()["error"]


def test_an_opening_rack_with_two_blanks_is_a_short_answer_and_any_of_its_plays_can_be_judged_and_made(studio):
    racks = "/".join(["15"] * 15) + " ACINR??/DOGRTEN 0/0 0 0"
    record = new(studio, "scrabble", ["human", "human"], start=racks)
    assert record["unlisted"] > 30_000 and len(record["legal"]) == 1000
    assert {"pass", "swap:AC"} <= {entry["text"] for entry in record["legal"]}
    where = f"/api/records/{record['address']}/extra/laid"

    def judged(touches, letters=None, plies=0):
        return studio.post(where, json={"plies": plies, "asked": {"touches": touches, "letters": letters or {}}})

    laid = ["first,1", "7,7", "first,0", "7,8", "first,5", "7,9"]
    any_letter = judged(laid).json()["plays"]
    assert {play["action"] for play in any_letter} > {"8H:CAt", "8H:CAb"} and all(play["points"] == 8 for play in any_letter)
    wanted = judged(laid, {"7,9": "T"}).json()
    assert wanted == {"plays": [{"action": "8H:CAt", "points": 8}], "reason": ""}
    for touches, reason in (
        (["first,1", "7,7", "first,0", "7,9"], "there is a gap between the tiles"),
        (["first,1", "0,7", "first,0", "0,8", "first,5", "0,9"], "the first word must cover the star"),
        (["first,1", "7,7", "first,1", "7,8"], "tiles come from the rack of the player to move, each once"),
        (["first,1", "7,7", "first,0", "bag"], "tiles are either laid or swapped, not both"),
        (["second,1", "7,7", "first,0", "7,8"], "tiles come from the rack of the player to move, each once"),
        (["first,1", "99,7", "first,0", "99,8"], "each tile needs a free square of its own"),
    ):
        assert judged(touches, {"0,9": "T"}).json() == {"plays": [], "reason": reason}
    assert judged(["first,1", "7,7", "first,0"]).status_code == 422
    assert judged(laid, plies=3).status_code == 409
    assert studio.post(where, json={"plies": 0, "asked": {"tuoches": ["x"]}}).status_code == 422
    assert move(studio, record, "8H:CAt").status_code == 200
    chess = new(studio, "chess", ["human", "human"])
    told = studio.post(f"/api/records/{chess['address']}/extra/laid", json={"plies": 0}).json()
    assert told == {"error": "chess has no tools of its own"}


def test_a_folded_hand_stays_hidden_after_the_end(studio):
    dealt = ["Qs", "Qd", "Ah", "Kh"]
    record = new(studio, "hold'em", ["random", "human"], actions=dealt)
    over = move(studio, record, "f").json()
    address = f"/api/records/{record['address']}"
    assert over["terminal"] and over["hidden"] and over["eyes"] == 1
    told = [over, *(studio.get(f"{address}?at={ply}").json() for ply in range(over["plies"] + 1))]
    file = studio.get(f"{address}/file").text
    picture = studio.get(f"{address}/picture.svg").text
    for text in (*map(json.dumps, told), file, picture):
        assert "Qs" not in text and "Qd" not in text and "Q♠" not in text
    assert "AhKh" in over["position"] and "????" in file and "AhKh" in file
    watched = studio.post(f"{address}/share", json={}).json()["watch"]
    seen = studio.get(f"/api/watch/{watched}").text  # who watches sees what everybody saw, and no hand was shown
    assert not any(card in seen for card in ("Qs", "Qd", "Q♠", "AhKh", "A♥"))
    calls = ["c", "c", "2h", "3h", "4h", "c", "c", "7c", "c", "c", "8c", "c"]
    shown = move(studio, new(studio, "hold'em", ["human", "human"], actions=[*dealt, *calls]), "c").json()
    assert shown["terminal"] and not shown["hidden"]  # a showdown shows both
    assert "QsQd" in shown["position"] and "AhKh" in shown["position"]


def test_kuhn_poker_keeps_the_card_of_whom_nobody_called(studio):
    record = new(studio, "kuhn poker", ["human", "human"], actions=["J", "Q", "bet"])
    over = move(studio, record, "pass").json()
    assert over["terminal"] and over["hidden"] and over["eyes"] == 1 and "J" not in "".join(over["record"])
    assert "Q" in over["position"] and "J" not in over["position"]
    refused = studio.get(f"/api/records/{record['address']}/file")
    assert refused.status_code == 409 and "stayed hidden" in refused.json()["error"]


def test_a_swap_is_told_to_the_other_by_its_number_alone(studio):
    racks = "/".join(["15"] * 15) + " ACINRST/DOGRTEN 0/0 0 0"
    record = new(studio, "scrabble", ["human", "human"], start=racks)
    told = move(studio, record, "swap:ACI").json()
    assert told["notation"][0] == "swap:ACI"  # whoever swapped still looks
    other = studio.get(f"/api/records/{record['address']}?eyes=1").json()
    assert (other["record"][0], other["notation"][0]) == ("•", "swap 3")


def test_battleships_says_which_ship_is_to_be_placed(studio):
    record = new(studio, "battleships", ["human", "human"])
    assert record["task"] == "Place a ship of 5 cells: touch its first cell, then its last."
    assert move(studio, record, "a1-e1").json()["task"].startswith("Place a ship of 4 cells")


def test_an_authors_game_brings_its_words_and_tools(studio, monkeypatch):
    from pathlib import Path

    from outplay.web import choices, gallery, own

    monkeypatch.setattr(own, "named", [str(Path(__file__).parents[2] / "examples" / "matches.py")])
    record = new(studio, "my matches", ["human", "human"])
    assert [entry["said"] for entry in record["legal"]] == ["Take 1", "Take 2", "Take 3"]
    after = move(studio, record, record["legal"][1]["text"]).json()
    assert after["notation"] == ["Take 2"] and after["tools"] == ["count"]
    told = studio.post(f"/api/records/{record['address']}/extra/count", json={})
    assert told.json() == {"left": 10, "leave": 2}
    listed = choices.describe(choices.open_game("my matches"))
    assert listed["named"][0] == {"text": "careful", "name": "Full strength", "about": "leaves a multiple of four where it can"}
    assert not listed["levels"]
    game = choices.open_game("my matches")
    assert gallery._middle(game, "my matches") == game.start().play("3 2")


PARIS = """[Event "Paris"]
[Site "Opera"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke Karl"]
[Result "1-0"]
[Annotator "me"]

{Before all} 1. e4 {best [%cal Ge2e4]} 1... e5 2. Nf3 $1 2... d6 $6 (2... Nc6
{safer} 3. Bb5 $1) 3. d4 $14 3... Bg4 1-0
"""
TENGEN = ("(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]PB[Ann]PW[Bob]RE[B+R]EV[Cup]DT[2020-01-01]C[Start\\] here];B[ee]C[good]TR[ee]LB[cc:A]"
          "[dd:B];W[cc](;B[gg]C[main])(;B[cg];W[gc]C[else]))\n")  # fmt: skip


@pytest.mark.parametrize("text", [PARIS, TENGEN], ids=["pgn", "sgf"])
def test_a_file_comes_out_as_it_went_in(studio, text):
    told = studio.post("/api/files", json={"text": text}).json()
    assert studio.get(f"/api/records/{told['address']}/file").text == text
    assert told["names"][0] in text and told["notes"]["0"].startswith(("Before", "Start"))


def test_a_comment_is_written_and_taken_away(studio):
    record = new(studio, "tic-tac-toe", ["human", "human"])
    move(studio, record, "b2")
    path = f"/api/records/{record['address']}/notes"
    told = studio.post(path, json={"at": 1, "plies": 1, "text": " the middle "}).json()
    assert told["notes"] == {"1": "the middle"}
    assert studio.get(f"/api/records/{record['address']}/file").json()["notes"] == [[["b2"], "the middle"]]
    assert studio.post(path, json={"at": 2, "plies": 1, "text": "x"}).status_code == 404
    assert studio.post(path, json={"at": 1, "plies": 0, "text": "x"}).status_code == 409
    assert "notes" not in studio.post(path, json={"at": 1, "plies": 1, "text": ""}).json()
    hand = new(studio, "kuhn poker", ["human", "human"])
    path = f"/api/records/{hand['address']}/notes"
    assert studio.post(path, json={"at": 0, "plies": hand["plies"], "text": "x"}).status_code == 409


def test_games_at_a_glance_and_deleted_for_good(studio):
    first, second = (new(studio, "tic-tac-toe", ["human", "human"])["address"] for _ in range(2))
    studio.post(f"/api/records/{first}/moves", json={"action": "b2", "plies": 0})
    token = studio.post(f"/api/records/{first}/share", json={}).json()["watch"]
    seen = studio.post("/api/glances", json={"addresses": [second, "nowhere", first]}).json()["games"]
    assert [(one["address"], one["plies"], one["to_move"]) for one in seen] == [(second, 0, "Crosses"), (first, 1, "Noughts")]
    assert all(one["svg"].startswith("<svg") for one in seen)
    assert studio.post(f"/api/records/{first}/delete", json={"addresses": [second, "nowhere"]}).json() == {"deleted": 2}
    assert studio.get(f"/api/records/{first}").status_code == 404 == studio.get(f"/api/watch/{token}").status_code
    assert studio.post("/api/glances", json={"addresses": [first, second]}).json() == {"games": []}
    hidden = new(studio, "kuhn poker", ["human", "human"])
    told = studio.post("/api/glances", json={"addresses": [hidden["address"]]}).json()["games"][0]
    assert told["hidden"] and "start" not in told and "position" not in told

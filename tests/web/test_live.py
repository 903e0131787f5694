"""Live in class: who may join, what they see and when, what they never reach, and that nothing stays."""

import csv
import io
import json
import threading

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")
pytest.importorskip("uvicorn")

from fastapi.testclient import TestClient

from outplay.errors import BadValue, Unavailable
from outplay.game import load
from outplay.players.explaining import explain
from outplay.values import Limits
from outplay.web import live, pages, room, teaching, trees
from outplay.web.app import create_app
from outplay.web.live import Lesson, Option, Question, Stranger

TREE = "[[3,12,8],[2,4,6],[14,5,2]]"
COLOURS = Question("vote", "Which?", (Option("a", "red"), Option("b", "=green"), Option("c", "blue")), about="colours")


@pytest.fixture
def lesson():
    return Lesson("KRTMB")


@pytest.fixture
def students(lesson):
    with TestClient(room.create_room(lesson), base_url="http://localhost") as client:
        yield client


@pytest.fixture
def studio(monkeypatch):
    monkeypatch.setattr(room, "PORT", 0)  # any free one, so that classes of other tests are in nobody's way
    with TestClient(create_app(), base_url="http://localhost") as client:
        yield client


def grown(algorithm="alphabeta", tree=TREE):
    position = load("tree", tree=tree).start()
    _, result, found = explain(position, algorithm, Limits())
    return trees.Grown(found, result, algorithm, position, threading.Lock())


def join(students, code="krtmb"):
    return students.post("/api/join", json={"code": code}).json()["token"]


def test_a_class_from_the_first_to_the_last(lesson, students):
    me, you = join(students), join(students, " KRTMB ")
    assert students.post("/api/follow", json={"token": me, "turn": 0}).json() == {"turn": 1, "phase": "waiting", "number": 0}
    lesson.ask(COLOURS)
    seen = students.post("/api/follow", json={"token": me, "turn": 1}).json()
    assert (seen["phase"], seen["number"], seen["question"]["text"]) == ("asking", 1, "Which?")
    assert [each["words"] for each in seen["question"]["options"]] == ["red", "=green", "blue"]
    for token, key in ((me, "a"), (me, "b"), (you, "b")):  # the last answer counts
        assert students.post("/api/answer", json={"token": token, "round": 1, "key": key}).json() == {"answer": key}
    assert lesson.status()["answered"] == 2
    lesson.tell(("b",), "b it is")
    seen = students.post("/api/follow", json={"token": you, "turn": seen["turn"]}).json()
    assert (seen["counts"], seen["right"], seen["said"]) == ({"a": 0, "b": 2, "c": 0}, ["b"], "b it is")
    assert "closed" in students.post("/api/answer", json={"token": me, "round": 1, "key": "a"}).json()["error"]
    lesson.close()
    assert students.post("/api/follow", json={"token": me, "turn": seen["turn"]}).json()["phase"] == "over"


def test_how_answers_are_spread_is_told_to_nobody_before_the_results(lesson, students):
    me = join(students)
    lesson.ask(Question("cut", "?", (Option("cut", "cut"), Option("on", "on")), ("cut",)))
    lesson.answer(me, 1, "on")
    told = students.post("/api/follow", json={"token": me, "turn": 0}).json()
    for each in (told, lesson.status()):
        assert not {"counts", "right", "said"} & set(each) and "right" not in each["question"] and "after" not in each["question"]


def test_who_waits_hears_of_the_question_at_once(lesson, students):
    me, heard = join(students), []
    waiting = threading.Thread(
        target=lambda: heard.append(students.post("/api/follow", json={"token": me, "turn": 1}).json()), daemon=True
    )
    waiting.start()
    lesson.ask(COLOURS)  # before or after the request has come: it is answered with the question
    waiting.join(600)
    assert heard[0]["phase"] == "asking"


def test_who_waits_long_is_told_that_nothing_is_new(lesson, students, monkeypatch):
    monkeypatch.setattr(room, "WAIT_SECONDS", 0.01)
    assert students.post("/api/follow", json={"token": join(students), "turn": 1}).json() == {"turn": 1, "same": True}


def test_only_who_knows_the_code_takes_part(lesson, students, monkeypatch):
    monkeypatch.setattr(room, "MOST_WRONG", 3)
    assert [students.post("/api/join", json={"code": code}).status_code for code in ("", "PLAY", "KRTM")] == [403] * 3
    assert students.post("/api/join", json={"code": "KRTMB"}).status_code == 429  # too many from there
    for path, body in (("follow", {"turn": 0}), ("answer", {"round": 1, "key": "a"})):
        assert students.post(f"/api/{path}", json={"token": "made up", **body}).status_code == 403
    assert not lesson.students


def test_odd_requests_are_refused_in_one_line(lesson, students):
    me = join(students)
    lesson.ask(COLOURS)
    for body in ({}, [], {"token": me}, {"token": me, "round": True, "key": "a"}, {"token": me, "round": 1, "key": ["a"]},
                 {"token": me, "round": 1, "key": "z"}, {"token": me, "round": 2, "key": "a"},
                 {"token": me, "round": 1, "key": "a", "more": 1}):  # fmt: skip
        answer = students.post("/api/answer", json=body)
        assert answer.status_code == 422 and "\n" not in answer.json()["error"]
    deep = students.post("/api/answer", content="[" * 10**5, headers={"content-type": "application/json"})
    assert deep.json() == {"error": "expected JSON"}
    half = students.post("/api/join", content='{"code": "\\ud800"}', headers={"content-type": "application/json"})
    assert half.status_code == 403 and "another" in half.json()["error"]  # it was an internal error: no such text can be sent
    assert lesson.rounds[0].answers == {}


def test_students_reach_nothing_of_the_studio(lesson, students):
    join(students)
    paths = set(create_app().openapi()["paths"]) | {route.path for route in pages.router.routes}
    paths |= {"/static/play.js", "/static/class.js", "/static/../guard.py", "/static/%2e%2e/app.py", "/openapi.json",
              "/learn/minimax", "/play/1", "/class", "/api/class/notes.csv"}  # fmt: skip
    served = {"/", *(f"/static/{name}" for name in (*room.FILES, "scene.css"))}
    assert len(paths) > 60
    for path in sorted(paths - served):
        for method in ("GET", "POST"):
            answer = students.request(method, path.replace("{", "").replace("}", ""), **({"json": {}} if method == "POST" else {}))
            assert answer.status_code in (404, 405), (method, path)


def test_the_page_loads_nothing_that_is_not_served(students):
    import re

    known, waiting = set(), ["/KRTMB"]
    while waiting:
        path = waiting.pop()
        if path in known:
            continue
        known.add(path)
        answer = students.get(path)
        assert answer.status_code == 200, path
        waiting += re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text) if path == "/KRTMB" else []
        if path.endswith(".js"):
            imported = re.findall(r'(?:^import .*?|import\()"\./([^"]+)"', answer.text, re.MULTILINE)
            spoken = re.findall(r'\b(\w\w): "', "".join(re.findall("OFFERED = {(.*)}", answer.text)))
            waiting += [f"/static/{name}" for name in (*imported, *(f"{each}.json" for each in spoken if each != "en"))]
    assert known == {"/KRTMB", "/static/scene.css", *(f"/static/{name}" for name in room.FILES)}


def test_the_students_door_checks_hosts_and_origins(students):
    assert students.get("/", headers={"host": "evil.example"}).status_code == 421
    assert students.get("/", headers={"host": "192.168.1.7:8322"}).status_code == 200  # no name can stand for a number
    assert students.get("/", headers={"host": "[fe80::1]:8322"}).status_code == 200
    body = {"code": "KRTMB"}
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "http://localhost:99"}):
        assert students.post("/api/join", json=body, headers=headers).status_code == 403
    assert students.post("/api/join", content=json.dumps(body), headers={"content-type": "text/plain"}).status_code == 415
    assert "default-src 'none'" in students.get("/").headers["content-security-policy"]


def test_the_studio_stays_as_closed_as_it_was_while_a_class_is_open(studio):
    opened = studio.post("/api/class", json={}).json()
    assert opened["open"] and opened["address"].startswith("http://127.0.0.1:")
    for host in ("evil.example", "192.168.1.7", "10.0.0.1:8321"):
        assert studio.get("/api/class", headers={"host": host}).status_code == 421
    assert studio.post("/api/class/tell", json={}, headers={"origin": opened["address"].rstrip("/")}).status_code == 403
    assert "already" in studio.post("/api/class", json={}).json()["error"]


def test_a_class_is_on_this_computer_alone_unless_the_network_is_asked_for(studio, monkeypatch):
    asked, listen = [], room.listen
    monkeypatch.setattr(room, "listen", lambda host: asked.append(host) or listen("127.0.0.1"))
    for body in ({}, {"network": False}, {"network": True}):
        studio.post("/api/class", json=body)
        studio.post("/api/class/close", json={})
    assert asked == ["127.0.0.1", "127.0.0.1", "0.0.0.0"]


def test_nothing_is_kept_but_what_was_saved(studio, tmp_path):
    opened = studio.post("/api/class", json={}).json()
    door = studio.app.state.room
    lesson = door.lesson
    me = lesson.join(opened["code"])
    lesson.ask(COLOURS)
    lesson.answer(me.token, 1, "b")
    studio.post("/api/class/tell", json={"right": ["b"]})
    saved = studio.get("/api/class/notes.json")
    assert saved.headers["content-disposition"].startswith("attachment")
    assert saved.json()["rounds"][0]["answers"] == {me.name: "=green"} and me.token not in saved.text
    table = list(csv.DictReader(io.StringIO(studio.get("/api/class/notes.csv").text)))
    rows = [(row["answer"], row["given"], row["right"]) for row in table]
    assert rows == [("red", "0", ""), ("'=green", "1", "yes"), ("blue", "0", "")]
    assert studio.get("/api/class/notes.xml").status_code == 404
    assert studio.post("/api/class/close", json={}).json() == {"open": False}
    assert lesson.rounds == [] and studio.get("/api/class/notes.json").status_code == 404
    door._thread.join(120)
    assert not door._thread.is_alive()  # nobody listens there any more
    with pytest.raises(BadValue, match="over"):
        lesson.join("KRTMB")


@pytest.mark.parametrize("algorithm", ["alphabeta", "minimax"])
def test_what_a_search_does_next_is_what_its_trace_says(algorithm):
    one = grown(algorithm)
    told = {"cut": [], "node": []}
    for tick in range(one.tree.ticks + 1):
        for about in told:
            try:
                question = teaching.foreseen(one, tick, about)
            except BadValue:
                continue
            told[about].append(question.right[0])
            assert question.picture != question.after and len(set(question.options)) == len(question.options) > 1
    if algorithm == "alphabeta":  # in the lectures' tree a2 is cut after its first leaf, and a3 never
        assert told["cut"].count("cut") == 1 and len(told["cut"]) == 5  # not after a3's last leaf: no action is left
    else:
        assert told["cut"] == []
    looked_at = [one.tree.name(int(node)) for node in told["node"]]
    assert "a1 b1" in looked_at and ("a2 b2" in looked_at) == (algorithm == "minimax")


def test_a_vote_is_on_what_the_player_sees(studio):
    studio.post("/api/class", json={})
    for asked in ({"game": "tic-tac-toe"}, {"game": "connect four:width=5", "actions": ["3"]}):
        told = studio.post("/api/class/vote", json=asked).json()
        legal = studio.post("/api/positions", json=asked).json()["legal"]
        assert {each["key"] for each in told["question"]["options"]} == {each["text"] for each in legal}
        assert studio.post("/api/class/tell", json={"right": ["z9"]}).status_code == 422
        studio.post("/api/class/tell", json={"right": [legal[0]["text"]]})
    hidden = load("kuhn poker").start()
    while hidden.is_chance():
        hidden = hidden.result(hidden.actions()[0])
    studio.post("/api/class/vote", json={"game": "kuhn poker", "start": hidden.text()})
    told = json.loads(studio.app.state.room.lesson.spoken()[0])
    assert told["question"]["board"]["position"] == hidden.observe(hidden.player()).text() != hidden.text()
    for asked in ({"game": "kuhn poker"}, {"game": "tic-tac-toe", "start": "xxx/oo./... o"}):
        assert studio.post("/api/class/vote", json=asked).status_code == 422


def test_a_question_at_a_time(lesson):
    lesson.ask(COLOURS)
    with pytest.raises(BadValue, match="show its results first"):
        lesson.ask(COLOURS)
    lesson.rest()  # nobody had answered: it never was
    assert lesson.rounds == [] and lesson.phase == "waiting"
    with pytest.raises(BadValue, match="no question"):
        lesson.tell()
    with pytest.raises(BadValue, match="two answers"):
        lesson.ask(Question("vote", "?", (Option("a", "a"),)))


def test_names_are_drawn_and_each_is_another(monkeypatch):
    monkeypatch.setattr(live, "MOST_STUDENTS", 50)
    lesson = Lesson()
    assert room.is_code(lesson.code)
    assert len({lesson.join(lesson.code).name for _ in range(50)}) == 50
    with pytest.raises(Unavailable, match="50 have joined"):
        lesson.join(lesson.code)
    with pytest.raises(Stranger):
        Lesson("KRTMB").join("KRTMBB")
    assert len(live.COLOURS) * len(live.ANIMALS) >= live.MOST_STUDENTS


def test_a_class_in_two_browsers(address, browser, page, monkeypatch):
    """The teacher asks what alpha-beta does next and which move is best; two students answer, one of them by keyboard."""
    monkeypatch.setattr(room, "PORT", 0)
    page.goto(f"{address}/class")
    page.click("#opening button")
    page.wait_for_selector("#go:not([disabled])")
    join = f"http://{page.inner_text('#address')}/{page.inner_text('#code')}"
    students = [browser.new_context(viewport={"width": 390, "height": 800}, reduced_motion="reduce").new_page() for _ in range(2)]
    for student in students:
        student.goto(join)
        student.wait_for_selector("#waiting:not([hidden])")
    page.click("#go:text-is('On to the next question')")
    page.click("#go:text-is('Ask the class')")
    students[0].click("#options button[data-key=on]")
    students[1].wait_for_selector("#options button")
    students[1].focus("#options button[data-key=cut]")
    students[1].keyboard.press("Enter")
    page.wait_for_selector("#answered:text-is('2')")
    assert not page.is_visible("#results li")
    page.click("#go:text-is('Show the results')")
    page.wait_for_selector("#results li.is-right:has-text('50 %')")
    assert students[0].wait_for_selector("#state:has-text('Right.')")
    assert students[1].wait_for_selector("#tally:has-text('0 of 1')")
    page.select_option("#about", "node")
    page.wait_for_selector("#go:text-is('Ask the class')")
    page.click("#go")
    students[0].wait_for_selector(".to-tap")
    students[0].focus("#tree .to-tap >> nth=0")
    students[0].keyboard.press(" ")
    students[0].wait_for_selector(".tapped")
    page.wait_for_selector("#answered:text-is('1')")
    page.click("#go:text-is('Show the results')")
    page.wait_for_selector("#results li.is-right")
    page.click("#tab-vote")
    page.wait_for_selector("#board svg")
    page.click("#go:text-is('Ask the class')")
    students[1].click("#board .places button >> nth=3")  # on the board itself: the disc falls into that column
    students[1].wait_for_selector("#options .chosen")
    page.wait_for_selector("#answered:text-is('1')")
    page.click("#go:text-is('Show the results')")
    assert students[1].wait_for_selector("#results li:has-text('100 %')")
    students[1].reload()  # a browser that comes back goes on where it was
    students[1].wait_for_selector("#results li:has-text('yours')")
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#close")
    for student in students:
        student.wait_for_selector("#word:has-text('over')")
        student.context.close()
    page.wait_for_selector("#closed:not([hidden])")

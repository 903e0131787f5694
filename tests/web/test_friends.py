"""A friend at another device: a seat by its code, what it sees and what it never reaches."""

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")
pytest.importorskip("uvicorn")

from fastapi.testclient import TestClient

from outplay.web import friends, room
from outplay.web.app import create_app


@pytest.fixture
def studio(monkeypatch):
    monkeypatch.setattr(room, "PORT", 0)
    with TestClient(create_app(), base_url="http://localhost") as client:
        yield client


def kept(studio, game, seat=1):
    record = studio.post("/api/records", json={"game": game, "players": ["human", "human"]}).json()
    return record, studio.post("/api/friends", json={"address": record["address"], "seat": seat}).json()


def door_of(studio):
    door = studio.app.state.friends
    return TestClient(friends.create_door(studio.app.state.store, door.seats), base_url="http://localhost")


def test_the_door_is_shut_until_a_seat_is_offered_and_then_on_this_computer_alone(studio):
    assert studio.get("/api/friends").json() == {"open": False}
    _, offered = kept(studio, "tic-tac-toe")
    told = studio.get("/api/friends").json()
    assert told["open"] and not told["network"] and offered["link"].startswith("http://127.0.0.1:")
    names = door_of(studio)
    assert names.post("/api/see", json={"code": offered["code"], "plies": -1, "narrow": False},
                      headers={"host": "elsewhere.example"}).status_code == 421  # fmt: skip
    assert names.post("/api/see", json={"code": offered["code"], "plies": -1, "narrow": False},
                      headers={"origin": "http://elsewhere.example"}).status_code == 403  # fmt: skip
    assert studio.post("/api/friends/close", json={}).json() == {"open": False}


def test_two_people_play_from_two_devices(studio):
    record, offered = kept(studio, "tic-tac-toe")
    door, who = door_of(studio), {"code": offered["code"], "narrow": False}
    here = studio.get(f"/api/records/{record['address']}").json()
    assert here["person"] and not door.post("/api/see", json={**who, "plies": -1}).json()["movable"]
    assert door.post("/api/move", json={**who, "plies": 0, "action": "a1"}).status_code == 409  # the other's turn
    here = studio.post(f"/api/records/{record['address']}/moves", json={"action": "b2", "plies": 0}).json()
    assert (here["away"], here["waiting"], here["movable"]) == (True, False, False)
    seen = door.post("/api/see", json={**who, "plies": 0}).json()
    assert (seen["record"], seen["movable"], seen["seat"]) == (["b2"], True, 1) and "address" not in seen
    assert door.post("/api/move", json={**who, "plies": 1, "action": "a1"}).json()["record"] == ["b2", "a1"]
    assert studio.get(f"/api/records/{record['address']}").json()["record"] == ["b2", "a1"]
    again = studio.post("/api/friends", json={"address": record["address"], "seat": 1}).json()
    assert again["code"] == offered["code"]  # the seat is kept by its code


def test_a_friend_sees_the_own_hand_alone(studio):
    record, offered = kept(studio, "kuhn poker")
    start = studio.app.state.store.get(record["address"])
    mine, theirs = start.actions[0], start.actions[1]
    seen = door_of(studio).post("/api/see", json={"code": offered["code"], "plies": -1, "narrow": False}).text
    here = studio.get(f"/api/records/{record['address']}").json()
    assert here["eyes"] == 0 and not here["curtain"]
    assert f'"{theirs}' not in here["position"] and here["position"] != seen
    assert here["position"].startswith(mine[:1]) and '"position":"?' in seen
    taken = studio.post(f"/api/records/{record['address']}/players", json={"players": ["human", "human"]})
    assert taken.json() == {"error": "in a game with hidden information a friend keeps the seat until it is over"}
    studio.post(f"/api/records/{record['address']}/resign", json={"plies": here["plies"]})
    assert studio.post(f"/api/records/{record['address']}/players", json={"players": ["human", "human"]}).status_code == 200


def test_a_wrong_code_opens_nothing_and_many_have_to_wait(studio):
    kept(studio, "tic-tac-toe")
    door = door_of(studio)
    wrong = {"code": "B" * friends.CODE, "plies": -1, "narrow": False}
    assert door.post("/api/see", json=wrong).status_code == 403
    for _ in range(room.MOST_WRONG):
        last = door.post("/api/see", json=wrong)
    assert last.status_code == 429
    for path in ("/api/records", "/play", "/api/games", "/static/play.js"):
        assert door.get(path).status_code in (404, 405)

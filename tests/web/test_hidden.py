"""What is hidden or drawn cannot be had by any order of requests: random orders of all endpoints, compared with `observe`."""

import random

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from outplay.game import game_names, load
from outplay.jit import random_source
from outplay.web.app import create_app
from outplay.web.boards import standing
from outplay.web.choices import open_game
from outplay.web.seeing import common

HIDDEN = [name for name in game_names() if load(name, compiled=False).traits.information == "hidden"]
SMALL = {"battleships": "battleships:width=3,height=2,fleet=2", "bridge": "bridge:phase=play,contract=1NT,declarer=S"}
STEPS = 40
REQUESTS = ["see", "at", "eyes", "back", "players", "lines", "branch", "promote", "delete", "resign", "share", "file", "picture",
            "why", "threats", "open-cards"]  # fmt: skip


@pytest.fixture(scope="module")
def studio():
    with TestClient(create_app(), base_url="http://localhost") as client:
        yield client


def positions_of(saved):
    position = open_game(saved.game).start() if saved.start is None else open_game(saved.game).position(saved.start)
    found = [position]
    for text in saved.actions:
        found.append(found[-1].result(found[-1].parse_action(text)))
    return found


def judge(told, saved, person):
    """Whether a view shows no more than `observe` does, up to the moment that it shows."""
    positions = positions_of(saved)
    latest, shown = positions[-1], positions[told["at"]]
    seen = latest.observe(person)
    if saved.extra.open or (latest.is_terminal() and (not latest.game.stays_hidden or seen.state == latest.state)):
        return  # all is over, and all has been seen
    assert told["position"] == shown.observe(person).text()
    assert told["start"] is None
    for ply, text in enumerate(told["record"]):
        before = positions[ply]
        if not before.is_public(before.parse_action(saved.actions[ply])) and before.player() != person:
            assert text == "•" or text.startswith("swap ")
    assert told["standing"] == standing(shown.observe(person))
    for key in ("tree", "thought", "opening"):
        assert key not in told


def judge_watched(told, saved):
    """Whether who watches sees no more than everybody at the table did a round ago."""
    positions = positions_of(saved)
    game, over = positions[0].game, positions[-1].is_terminal() or saved.extra.lost is not None
    assert told["plies"] == len(saved.actions) - (0 if over else min(len(saved.actions), game.players))
    assert told["at"] <= told["plies"] == len(told["record"]) == len(told["movers"]) and told["legal"] == []
    seen = common(positions[told["at"]])
    assert told["position"] == (seen.text() if seen is not None else "what lies there is shown when the game is over")
    assert seen is not None or told["board"] is None
    for ply, text in enumerate(told["record"]):
        assert text == (saved.actions[ply] if positions[ply].is_public(positions[ply].parse_action(saved.actions[ply])) else "•")
    assert told["start"] is None and not {"tree", "notes", "thought", "opening", "names", "tags"} & set(told)


@pytest.mark.parametrize("name", HIDDEN)
def test_what_everybody_knows_is_the_same_whatever_a_seat_does_not_know(name):
    game, source, known = load(SMALL.get(name, name), compiled=False), random.Random(name), 0
    for seed in range(4):
        position, luck = game.start(), random_source(seed)
        for _ in range(24):
            if (seen := common(position)) is not None:
                known += 1
                for seat in range(game.players):
                    assert common(position.deal(seat, luck)).state == seen.state
            if position.is_terminal():
                break
            position = position.result(position.sample_chance(luck) if position.is_chance() else source.choice(position.actions()))
    assert (known > 0) == (name not in ("liar's dice", "blind tic-tac-toe"))  # whose views do not go together


def test_who_watches_is_told_the_same_whatever_is_hidden(studio):
    for game, one, other in (
        ("kuhn poker", ["J", "Q", "check", "bet"], ["K", "J", "check", "bet"]),
        ("rock-paper-scissors", ["rock"], ["paper"]),
        ("hold'em", ["As", "Ad", "Kh", "Kd", "c", "c", "2h", "3h", "4h"], ["7s", "2d", "9h", "9d", "c", "c", "2h", "3h", "4h"]),
    ):
        told = []
        for actions in (one, other):
            made = studio.post("/api/records", json={"game": game, "players": ["human", "human"], "actions": actions}).json()
            path = f"/api/records/{made['address']}"
            answer = studio.get(f"/api/watch/{studio.post(f'{path}/share', json={}).json()['watch']}").json()
            told.append({key: value for key, value in answer.items() if key != "watching"})
        assert told[0] == told[1] and told[0]["behind"] == min(2, len(one))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", HIDDEN)
def test_no_order_of_requests_shows_what_is_hidden_or_lets_anybody_choose_again(studio, name, seed):
    source = random.Random(f"{name} {seed}")
    game = SMALL.get(name, name)
    seats = load(game, compiled=False).players
    players = ["human", *["random"] * (seats - 1)] if not game.startswith("bridge") else ["random", "random", "human", "random"]
    person = players.index("human")
    told = studio.post("/api/records", json={"game": game, "players": players}).json()
    path, store = f"/api/records/{told['address']}", studio.app.state.store
    before = store.get(told["address"])
    for _ in range(STEPS):
        saved = store.get(told["address"])
        was_open = saved.extra.open or positions_of(saved)[-1].is_terminal()
        if not was_open:  # moves that were made stand
            assert saved.actions[: len(before.actions)] == before.actions and saved.players.index("human") == person
        before = saved
        plies = len(saved.actions)
        what = source.choice(["move"] * 4 + ["reply"] * 4 + REQUESTS)
        if what == "move":
            now = studio.get(path).json()
            if not now["legal"] or not now["person"]:
                continue
            answer = studio.post(f"{path}/moves", json={"action": source.choice(now["legal"])["text"], "plies": plies})
        elif what == "reply":
            answer = studio.post(f"{path}/reply", json={"plies": plies})
            continue
        elif what in ("see", "at", "eyes"):
            more = {"see": {}, "at": {"at": source.randint(0, plies)}, "eyes": {"eyes": source.randrange(seats)}}[what]
            answer = studio.get(path, params=more)
        elif what == "back":
            answer = studio.post(f"{path}/back", json={"plies": plies})
        elif what == "players":
            others = source.choice([["human"] * seats, ["random"] * seats, players[::-1]])
            answer = studio.post(f"{path}/players", json={"players": others})
        elif what == "lines":
            answer = studio.post(f"{path}/lines", json={"line": 0, "at": source.randint(0, plies), "plies": plies})
        elif what == "branch":
            at = source.randint(0, plies)
            legal = studio.get(path, params={"at": at}).json()["legal"] or [{"text": "pass"}]
            answer = studio.post(f"{path}/moves", json={"action": source.choice(legal)["text"], "at": at, "plies": plies})
        elif what in ("promote", "delete"):
            answer = studio.post(f"{path}/lines/{what}", json={"line": 0, "at": source.randint(0, plies), "plies": plies})
        elif what == "resign":
            if source.random() < 0.8:
                continue
            answer = studio.post(f"{path}/resign", json={"plies": plies})
        elif what == "share":
            answer = studio.get(
                f"/api/watch/{studio.post(f'{path}/share', json={}).json()['watch']}", params={"at": source.randint(0, plies)}
            )
            assert answer.status_code == 200
            if "behind" in answer.json():
                judge_watched(answer.json(), saved)
                continue
        elif what == "why":
            assert studio.post(f"{path}/why", json={"target": "0,0"}).json()["reason"] or was_open
            continue
        elif what == "open-cards":
            answer = studio.post(f"{path}/extra/open-cards", json={"at": source.randint(0, plies)})
            assert was_open or answer.status_code in (409, 422)
            continue
        else:
            answer = studio.get(f"{path}/{'picture.svg' if what == 'picture' else what}", params={"at": source.randint(0, plies)})
            assert was_open or what == "picture" or answer.status_code in (404, 409, 422)
            continue
        assert answer.status_code < 500
        if answer.status_code == 200:
            judge(answer.json(), store.get(told["address"]), person)


def test_taking_back_says_why_it_cannot_and_analysis_comes_after_the_end(studio):
    told = studio.post("/api/records", json={"game": "battleships:width=3,height=2,fleet=2", "players": ["human", "random"]}).json()
    path = f"/api/records/{told['address']}"
    told = studio.post(f"{path}/moves", json={"action": "a1-b1", "plies": 0}).json()
    assert told["stands"] == "moves already made stand in a game with hidden things until it is over"
    assert studio.post(f"{path}/back", json={"plies": 1}).json() == {"error": told["stands"]}
    while not told["terminal"]:
        if told["person"]:
            told = studio.post(f"{path}/moves", json={"action": told["legal"][0]["text"], "plies": told["plies"]}).json()
        else:
            studio.post(f"{path}/reply", json={"plies": told["plies"]})
            told = studio.get(path).json()
    assert told["stands"] == ""
    back = studio.post(f"{path}/back", json={"plies": told["plies"]}).json()
    assert back["plies"] < told["plies"] and not back["hidden"]  # an analysis, in which all is seen
    seats = studio.post(f"{path}/players", json={"players": ["human", "human"]})
    assert seats.json() == {"error": "in a game with hidden information people keep their seats"}


def test_dice_are_not_thrown_again_in_a_game_against_somebody(studio):
    told = studio.post("/api/records", json={"game": "backgammon", "players": ["human", "random"], "actions": ["x31"]}).json()
    path = f"/api/records/{told['address']}"
    told = studio.post(f"{path}/moves", json={"action": told["legal"][0]["text"], "plies": 1}).json()
    said = "moves already made stand until the end in a game with chance against others"
    assert studio.post(f"{path}/back", json={"plies": told["plies"]}).json() == {"error": said}
    alone = studio.post("/api/records", json={"game": "backgammon", "players": ["human", "human"], "actions": ["x31"]}).json()
    assert alone["stands"] == ""

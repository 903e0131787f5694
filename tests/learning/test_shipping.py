"""Every network that ships says how it was made and holds the floor that it was shipped with."""

import json

import pytest

from outplay.errors import BadValue
from outplay.learning import shipping
from outplay.players.networks import shipped


def test_every_network_has_a_floor_and_says_how_it_was_made():
    assert set(shipping.floors()) == set(shipped())
    for file in shipped().values():
        trained = shipping.header(file)["trained"]
        assert trained["recipe"] and trained["seconds"] > 0 and trained["games"] > 0


@pytest.mark.parametrize("name", shipped())
def test_every_network_holds_its_floor(name):
    assert shipping.check(name) >= shipping.floors()[name]["points"] > 0


def test_a_network_below_its_floor_does_not_ship(tmp_path, monkeypatch):
    (tmp_path / "run").mkdir()
    (tmp_path / "room" / "shipped").mkdir(parents=True)
    (tmp_path / "room" / "floors.json").write_text("{}")
    monkeypatch.setattr(shipping, "ROOM", tmp_path / "room")
    monkeypatch.setattr(shipping, "FLOORS", tmp_path / "room" / "floors.json")
    floor = {"limits": "", "against": "random", "games": 2, "points": 3}
    with pytest.raises(BadValue, match="no run with a network"):
        shipping.ship(tmp_path / "run", "second", floor)
    (tmp_path / "run" / "network.td").write_bytes(shipped()["backgammon"].read_bytes())
    with pytest.raises(BadValue, match="wins 2 points of 2 games, and its floor is 3"):
        shipping.ship(tmp_path / "run", "second", floor)
    made = shipping.ship(tmp_path / "run", "second", {**floor, "points": 2})
    assert made.name == "second.td" and made.read_bytes() == shipped()["backgammon"].read_bytes()
    assert json.loads((tmp_path / "room" / "floors.json").read_text())["second"]["game"] == "backgammon"

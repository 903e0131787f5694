"""The learned shooter: what its sea tells, and that it learns."""

from pathlib import Path

import numpy as np
import pytest

from outplay.errors import BadValue, Unsuitable
from outplay.experts.battleships.fleet_planes import planes_of
from outplay.experts.battleships.fleets import Board, Knowledge, count_fleets
from outplay.experts.battleships.shooter import Aim
from outplay.game import load
from outplay.learning.recipes import learn
from outplay.networks.nets import Net, random_net
from outplay.players import player
from outplay.players.networks import shipped

torch = pytest.importorskip("torch")

from outplay.experts.battleships.learning import Run, Sea, Settings  # noqa: E402  (needs torch)


@pytest.fixture(autouse=True)
def one_thread():
    """Small matrices on many threads wait for each other more than they work."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def sea_of(width, height, fleet, games, seed=1):
    return Sea(Board(width, height, fleet), games, "cpu", torch.Generator("cpu").manual_seed(seed))


def test_all_fleets_are_drawn_alike():
    drawn = sea_of(4, 3, (3, 2), 8).draw(20_000)
    _, counts = np.unique(drawn.numpy(), axis=0, return_counts=True)
    fleets = count_fleets(4, 3, (3, 2))
    assert len(counts) == fleets
    wanted = 20_000 / fleets
    assert ((counts - wanted) ** 2 / wanted).sum() < fleets + 6 * (2 * fleets) ** 0.5  # chi-square, six deviations


def test_what_is_seen_depends_on_nothing_hidden():
    """Two games whose shots told the same look the same, wherever the ships not found lie."""
    sea = sea_of(5, 5, (3, 2), 400)
    told = torch.zeros(400, 0, dtype=torch.int64)
    for cell in (12, 7, 17, 11):
        hit, _ = sea.shoot(torch.full((400,), cell), again=False)
        told = torch.cat([told, hit[:, None].long(), (sea.left == 0).long()], 1)
    planes = sea.planes().flatten(1).numpy()
    seen = {}
    for game, what in enumerate(told.tolist()):
        seen.setdefault(tuple(what), []).append(game)
    several = [games for games in seen.values() if len(games) > 1]
    assert len(several) > 4 and any(len({tuple(sea.owner[game].tolist()) for game in games}) > 5 for games in several)
    for games in several:
        for game in games[1:]:
            assert np.array_equal(planes[games[0]], planes[game])


def test_where_a_sunk_ship_lies_is_among_what_is_kept():
    sea = sea_of(6, 6, (3, 3, 2), 200, seed=2)
    places = [where for length in sea.board.fleet for where in sea.board.placements(length)]
    for _ in range(20):
        likely = sea.planes()[:, 5:11].sum(1).flatten(1).masked_fill(sea.shot, -1)
        sea.shoot(likely.argmax(1), again=False)
    sunk = 0
    for game, ship in torch.nonzero(sea.left == 0).tolist():
        lies = tuple(torch.nonzero(sea.owner[game] == ship).flatten().tolist())
        kept = [places[k] for k in torch.nonzero(sea.tight[game] & (sea.places.ship == ship)).flatten().tolist()]
        assert lies in kept
        sunk += 1
    assert sunk > 100


def test_it_learns_to_shoot(tmp_path):
    settings = Settings("battleships:width=3,height=3,fleet=3", blocks=1, channels=16, games=64, steps=9, batch=192, rate=4e-3,
                        warm=0.0)
    run = Run(tmp_path, settings)
    for number in range(16):
        run.learn(run.play(number < 12), number < 12, 0.0)
    assert run.shots_of(200).mean() < 5.8  # random shooting needs 3 * 10 / 4 = 7.5, and what knows the placements about 4.8


def test_a_run_goes_on_where_it_stopped_and_its_file_says_the_same(tmp_path):
    settings = Settings("battleships:width=4,height=4,fleet=3-2", blocks=1, channels=8, games=32, steps=4, batch=64)
    run = Run(tmp_path, settings)
    run.measured = 64
    run.work(0)
    again = Run(tmp_path, settings, changes={"seed": 2})
    assert all(torch.equal(a, b) for a, b in zip(run.net.parameters(), again.net.parameters(), strict=True))
    planes = run.sea.planes()
    logits, value, targets = Net.load(tmp_path / "shooter.outplay").ask(planes.numpy())
    mine = run.ask(planes)
    assert np.allclose(5 * logits, mine[0].numpy(), atol=0.05) and np.allclose((value + 1) * 8, mine[1].numpy(), atol=0.05)
    assert np.allclose((targets + 1) / 2, torch.sigmoid(mine[2]).numpy(), atol=0.01)
    (tmp_path / "learner.pt").write_bytes(b"nonsense")
    with pytest.raises(BadValue, match=r"learner\.pt is damaged"):
        Run(tmp_path, settings)


def test_the_recipe_is_for_battleships_where_a_sinking_is_told(tmp_path):
    with pytest.raises(Unsuitable, match=r"a sinking is told; this is battleships:.*sunk=False"):
        learn("battleships:width=3,height=3,fleet=2,sunk=no", str(tmp_path / "run"), seconds=0)
    with pytest.raises(Unsuitable, match="this is tic-tac-toe"):
        learn("tic-tac-toe", str(tmp_path / "run"), recipe="shooting", seconds=0)
    small = ["blocks=1", "channels=8", "games=32", "steps=9", "batch=64"]
    report = learn("battleships:width=3,height=3,fleet=2", str(tmp_path / "run"), seconds=0, settings=small)
    assert report["games"] > 0 and Path(report["checkpoint"]).name == "shooter.outplay" and Path(report["checkpoint"]).exists()


def test_the_player_shoots_as_the_network_says_and_never_by_what_it_cannot_see(tmp_path):
    name = "battleships:width=4,height=4,fleet=3-2"
    run = Run(tmp_path, Settings(name, blocks=1, channels=8, games=32, steps=4, batch=64))
    run.save()
    file = tmp_path / "shooter.outplay"
    told = []
    for fleet in ("b2-d2 a3-a4", "b2-b4 d3-d4"):
        position = load(name).start().play(["a1-c1", "a3-b3", *fleet.split(), "b2"]).play(["d4"])
        shooter = player(f"shooter:aim={file}", seed=5)
        told.append((shooter.choose(position), shooter.last.choices))
    assert told[0] == told[1]
    known = Knowledge(4, 4, (3, 2))
    known.shoot(5, hit=True)
    shares, exact = known.probabilities()
    net, planes = Net.load(file), planes_of([known])
    turned = [(planes, 0), (planes.transpose(0, 1, 3, 2), 1), (planes[:, :, ::-1, ::-1], 2)]
    turned.append((planes.transpose(0, 1, 3, 2)[:, :, ::-1, ::-1], 3))
    logits = np.zeros(16)
    for seen, way in turned:
        found = net.ask(np.ascontiguousarray(seen))[0][0].reshape(4, 4)
        found = found[::-1, ::-1] if way & 2 else found
        logits += (found.T if way & 1 else found).ravel()
    can_be = [cell for cell in range(16) if shares[cell] > 0 and cell != 5]
    assert exact and told[0][0] == max(can_be, key=lambda cell: logits[cell])
    with pytest.raises(Unsuitable, match="shoots at the board and fleet of battleships:width=4"):
        other = load("battleships:width=4,height=4,fleet=3").start().play(["a1-c1", "b2-d2"])
        player(f"shooter:aim={file}").choose(other)
    with pytest.raises(BadValue, match="no network that shoots"):
        player(f"shooter:aim={shipped()['connect-four']}")


def test_sure_cells_come_first():
    """A ship of two hit in a corner of a strip lies beside the hit: whatever a network says, that is the shot."""
    net = random_net("battleships:width=4,height=1,fleet=2", (8, 1, 4), 4, 1, 8, seed=1, targets=4)
    known = Knowledge(4, 1, (2,))
    known.shoot(0, hit=True)
    shares, exact = known.probabilities()
    assert exact and int(np.argmax(Aim(net).scores([known], [shares])[0])) == 1


def test_torch_and_numpy_see_the_same():
    sea = sea_of(6, 6, (3, 3, 2), 12, seed=3)
    known = [Knowledge(6, 6, (3, 3, 2)) for _ in range(12)]
    for _ in range(25):
        seen = sea.planes()
        assert np.allclose(seen.numpy(), planes_of(known), atol=1e-5)
        cell = seen[:, 5:11].sum(1).flatten(1).masked_fill(sea.shot, -1).argmax(1)
        before = sea.left.clone()
        hit, _ = sea.shoot(cell, again=False)
        for game in range(12):
            sank = torch.nonzero((before[game] > 0) & (sea.left[game] == 0)).flatten().tolist()
            known[game].shoot(int(cell[game]), hit=bool(hit[game]), sank=sank[0] if sank else None)
    assert (sea.left == 0).any()


def test_the_network_that_comes_along_hunts_on_beside_a_hit_and_sees_no_ship():
    told = []
    for fleet in ("e5-i5 a1-d1 a3-c3 g8-i8 j1-j2", "e5-e9 a1-d1 a3-c3 g8-i8 h1-i1"):
        game = load("battleships")
        position = game.start().play(["a1-e1", "a2-d2", "a3-c3", "a4-c4", "a5-b5", *fleet.split(), "e5"]).play(["j10"])
        shooter = player("shooter", seed=5)
        told.append((shooter.choose(position), shooter.last.choices))
    assert told[0] == told[1] and position.action_text(told[0][0]) in ("d5", "f5", "e4", "e6")
    assert player("shooter:aim=likeliest", seed=5).choose(position) in position.actions()

"""Where ships are laid in battleships: places mean the actions of the rules, and what is learned lives longer."""

from pathlib import Path

import numpy as np
import pytest

from outplay.errors import BadValue, Unsuitable
from outplay.experts.battleships.fleets import Board, hunt_fleets
from outplay.experts.battleships.placing import images, learn_placing, save_placing
from outplay.experts.battleships.shooter import read_placements
from outplay.game import load
from outplay.players import player


def test_mirror_images_are_one_place() -> None:
    across = images(Board(4, 4, (4, 1)))
    assert len(set(across[0])) == 2  # on an edge or not
    assert np.bincount(across[1]).tolist() == [4, 8, 4]  # corners, edges, the middle
    assert len(set(images(Board(4, 3, (2,)))[0])) == 6  # a board that is no square has no turns by a quarter


def test_fleets_are_laid_as_often_as_told() -> None:
    board = Board(5, 1, (2,))
    laying = np.ones((1, 400))
    laying[0, :4] = 1.0, 0.5, 0.25, 0.0
    _, laid = hunt_fleets(board, 7000, laying=laying, seed=4)
    shares = np.bincount(laid[:, 0], minlength=4) / 7000
    assert shares == pytest.approx(np.array([4, 2, 1, 0]) / 7, abs=4 * np.sqrt(0.25 / 7000))


def test_what_is_learned_lives_longer() -> None:
    board = Board(8, 1, (2,))
    laying, report = learn_placing(board, 8000, rounds=40, seed=2)
    learned, random = (hunt_fleets(board, 3000, laying=each, seed=5)[0] for each in (laying, None))
    assert learned.mean() > random.mean() + 0.3 and report["learned"] > report["random"]
    assert laying[0, :7].max() == 1.0 and laying[0, :7].min() >= 0.029
    assert laying[0, :7] == pytest.approx(laying[0, :7][::-1])


@pytest.mark.parametrize(("width", "height", "fleet"), [(5, 4, (3, 2, 1)), (3, 5, (5, 2)), (10, 10, (5, 4, 3, 3, 2))])
def test_placements_are_the_actions_of_the_rules(tmp_path: Path, width: int, height: int, fleet: tuple[int, ...]) -> None:
    board = Board(width, height, fleet)
    laying = np.zeros((len(fleet), 400))
    for ship in range(len(fleet)):
        laying[ship, : board.counts[ship]] = np.arange(1, board.counts[ship] + 1)
    save_placing(tmp_path / "places.npz", board, laying)
    found = read_placements(tmp_path / "places.npz")
    game = load(f"battleships:width={width},height={height},fleet={'-'.join(map(str, fleet))}")
    assert sorted(found["shares"][0]) == sorted(game.start().actions())
    across = game.start().actions()[0]
    assert found["shares"][0][across] in range(1, board.counts[0] + 1)
    shooter = player(f"shooter:lay={tmp_path / 'places.npz'}", seed=3)
    position = game.start()
    for ship in range(len(fleet)):
        chosen = shooter.choose(position)
        assert chosen in position.actions() and found["shares"][ship][chosen] > 0
        position = position.result(chosen)


def test_wrong_files_and_boards_are_told(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", width=4)
    with pytest.raises(BadValue, match="is no file of placements"):
        player(f"shooter:lay={tmp_path / 'other.npz'}")
    with pytest.raises(BadValue, match="cannot read"):
        player("shooter:lay=missing.npz")
    board = Board(4, 4, (2,))
    save_placing(tmp_path / "small.npz", board, np.ones((1, 400)))
    with pytest.raises(Unsuitable, match="are for a board and fleet other than"):
        player(f"shooter:lay={tmp_path / 'small.npz'}").choose(load("battleships").start())

"""Syzygy's files: our decoder says what the package chess says of files with random values in them, and a search believes them.

Where `SYZYGY_PATH` names a folder of real files of three and four pieces, these too: every material, our own tables beside them,
and whether their moves lead to mate.
"""

import importlib.util
import os
import random
import threading
from pathlib import Path

import numpy as np
import pytest

from outplay.cli.protocols.uci import Uci
from outplay.engine import Engine
from outplay.engine.tables import retrograde
from outplay.engine.tables.endgame import EndgameTables
from outplay.engine.tables.endings import open_tables
from outplay.errors import BadValue
from outplay.experts.chess import syzygy
from outplay.game import load
from outplay.games.chess import syzygy as packed
from outplay.players import Searcher
from outplay.players.networks import usual
from outplay.values import Limits

specification = importlib.util.spec_from_file_location("syzygy_files", Path(__file__).parents[3] / "benchmarks" / "syzygy_files.py")
writer = importlib.util.module_from_spec(specification)
specification.loader.exec_module(writer)

CHESS = load("chess", compiled=False)


def in_part(seed, kinds, board):
    """Random values on one board of the leading pawn, a draw on the others: files stay small."""
    values = writer.random_values(seed, kinds)
    return lambda which, side, size: values(which, side, size) if which == board else 2


def one_value(mine, theirs):
    """All positions alike, by the side to move."""
    return lambda board, side, size: (mine, theirs)[side]


def scattered(chess, pieces, source):
    """A random legal position of these pieces, such as "KRk": upper case for White."""
    while True:
        board = chess.Board(None)
        for square, piece in zip(source.sample(range(64), len(pieces)), pieces, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn = source.random() < 0.5
        if board.is_valid():
            return board


def of_name(name, source):
    """The pieces of a file's name, with either colour as its first side."""
    first, second = source.sample(name.split("v"), 2)
    return first + second.lower()


# ---------------------------------------------------------------- the format


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Files of every shape: three unlike pieces or two kings in front, pawns of one side and of both, groups of like pieces."""
    folder = tmp_path_factory.mktemp("written")
    writer.write(folder / "KQvK.rtbw", writer.random_values(1, 5))
    writer.write(folder / "KNNvK.rtbw", writer.random_values(2, 5), orders=(1, 0))
    writer.write(folder / "KPvK.rtbw", writer.random_values(3, 5), orders=(0, 2))
    writer.write(folder / "KPPvK.rtbw", in_part(4, 5, 1), orders=(1, 0))
    writer.write(folder / "KPvKP.rtbw", in_part(5, 5, 3), orders=(1, 0))
    writer.write(folder / "KRvKR.rtbw", one_value(3, 0))
    lists = [list(range(20, 40)), list(range(50, 60)), [1] * 9, list(range(9))]
    writer.write(folder / "KQvK.rtbz", writer.random_values(6, 9), flags=1 | 2 | 4, maps=lists)
    lists[0] = [300 + each for each in lists[0]]
    writer.write(folder / "KPvK.rtbz", writer.random_values(7, 9), flags=2 | 8 | 16, maps=lists)
    writer.write(folder / "KNNvK.rtbz", writer.random_values(8, 30), flags=4 | 8)
    return folder


@pytest.mark.parametrize("name", ["KQvK", "KNNvK", "KPvK", "KPPvK", "KPvKP", "KRvKR"])
def test_a_file_says_what_the_package_chess_reads_in_it(written, name):
    chess = pytest.importorskip("chess")
    oracle, ours = pytest.importorskip("chess.syzygy").open_tablebase(str(written)), syzygy.Tables(str(written))
    source, seen = random.Random(name), set()
    with np.errstate(over="ignore"):
        for _ in range(150):
            board = scattered(chess, of_name(name, source), source)
            states = CHESS.rules.states(1)
            states[:1].view(np.uint8)[:] = np.frombuffer(CHESS.position(board.fen()).state, np.uint8)
            found = packed.in_the_file(states[0], ours.outcomes)
            assert found == oracle.probe_wdl_table(board), board.fen()
            seen.add(int(found))
            for outcome in (2, -2, 1, -1) if (written / f"{name}.rtbz").exists() else ():
                distance, told = oracle.probe_dtz_table(board, outcome)
                expected = distance if told >= 0 else syzygy.OTHER_SIDE
                assert syzygy._distance.python(ours.distances, states, outcome) == expected, board.fen()
    assert len(seen) == (5 if name != "KRvKR" else 1)


@pytest.mark.parametrize("name", ["KQRvKR", "KBBvKN", "KRPvKP", "KPPPvK", "KNNNvKR", "KRPPvKR", "KPPvKPP", "KBBNNvKQ", "KRPPvKRP",
                                  "KPPPPvKP", "KQRBNvKQ"])  # fmt: skip
def test_up_to_seven_men_are_numbered_as_in_the_package_chess(tmp_path, monkeypatch, name):
    """No file of so many men is needed for that: the numbers are asked for where all values are one."""
    chess = pytest.importorskip("chess")
    pytest.importorskip("chess.syzygy")
    monkeypatch.setattr(chess.syzygy.Table, "decompress_pairs", lambda self, data, number: asked.append(number) or 2)
    source, asked = random.Random(name), []
    for orders in ((0, 1), (1, 0)):
        writer.write(tmp_path / f"{name}.rtbw", one_value(4, 0), orders=orders)
        oracle, ours = chess.syzygy.open_tablebase(str(tmp_path)), syzygy.Tables(str(tmp_path)).outcomes
        with np.errstate(over="ignore"):
            for _ in range(40):
                board = scattered(chess, of_name(name, source), source)
                state = CHESS.record(CHESS.position(board.fen()).state)
                at, number = packed.find(state, ours, packed.place_of(ours, packed.material_of(state)))
                oracle.probe_wdl_table(board)
                assert number == asked[-1] < ours.parts[at]["numbers"], board.fen()
        oracle.close()


def test_captures_and_en_passant_count_as_in_the_package_chess(written):
    """Whatever the files say, true or not; where one is missing that a capture leads to, nothing is said."""
    chess = pytest.importorskip("chess")
    oracle, ours = pytest.importorskip("chess.syzygy").open_tablebase(str(written)), syzygy.Tables(str(written))
    source, passing, captures = random.Random(4), 0, 0
    for name in ("KPvKP", "KNNvK", "KPPvK"):
        for _ in range(120):
            board = scattered(chess, of_name(name, source), source)
            if name == "KPvKP" and source.random() < 0.5:  # two pawns beside each other, one of which has just come two squares
                board.clear_board()
                file = source.randrange(7)
                for square, piece in zip((24 + file, 25 + file), "Pp", strict=True):
                    board.set_piece_at(square, chess.Piece.from_symbol(piece))
                free = [square for square in range(64) if square not in (24 + file, 25 + file)]
                for square, piece in zip(source.sample(free, 2), "Kk", strict=True):
                    board.set_piece_at(square, chess.Piece.from_symbol(piece))
                board.turn, board.ep_square = chess.BLACK, 16 + file
                board = board.mirror() if source.random() < 0.5 else board
                if not board.is_valid() or not board.has_legal_en_passant():
                    continue
                passing += 1
            captures += any(board.is_capture(move) for move in board.legal_moves)
            assert ours.outcome(CHESS.position(board.fen())) == oracle.get_wdl(board), board.fen()
    assert passing > 10 and captures > 30


# ---------------------------------------------------------------- what is no table


def test_a_missing_folder_is_told_in_one_line(tmp_path):
    with pytest.raises(BadValue, match="no such folder"):
        syzygy.Tables(str(tmp_path / "none"))


def test_an_empty_folder_knows_nothing(tmp_path):
    tables = syzygy.Tables(str(tmp_path))
    assert tables.best(CHESS.position("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")) is None
    assert tables.best(CHESS.start()) is None


def test_a_part_of_a_file_and_a_changed_beginning_are_refused(tmp_path):
    path = tmp_path / "KQvK.rtbw"
    writer.write(path, writer.random_values(1, 5))
    sound = path.read_bytes()
    for size in [*range(0, 400, 7), *range(400, len(sound), 64), *range(len(sound) % 64, len(sound), 64 * 20)]:
        path.write_bytes(sound[:size])
        with pytest.raises(BadValue, match=r"^KQvK.rtbw is damaged: [^\n]*$"):
            syzygy.Tables(str(tmp_path))
    for place, what in ((0, "no Syzygy table"), (4, "another material"), (7, "other pieces"), (14, "promises")):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 0x15]) + sound[place + 1 :])
        with pytest.raises(BadValue, match=f"KQvK.rtbw is damaged: .*({what})"):
            syzygy.Tables(str(tmp_path))
    path.write_bytes(sound)
    assert syzygy.Tables(str(tmp_path)).outcomes.most == 3


def test_a_table_that_names_other_pieces_is_not_searched_for_them(tmp_path):
    """The fuzzer's: a rook on neither side, for which the package chess looked without end."""
    (tmp_path / "KQvK.rtbw").write_bytes(b"\x71\xe8\x23\x5d\1\0\4\1" + bytes(56) + random.Random(1).randbytes(400))
    with pytest.raises(BadValue, match=r"KQvK.rtbw is damaged"):
        syzygy.Tables(str(tmp_path))


# ---------------------------------------------------------------- players


@pytest.fixture(scope="module")
def lies(tmp_path_factory):
    """Two knights win against the bare king, says this file: what nobody finds but in it."""
    folder = tmp_path_factory.mktemp("lies")
    writer.write(folder / "KNNvK.rtbw", one_value(4, 0))
    return folder


def test_a_shallow_search_finds_a_win_that_only_the_tables_can_see(lies):
    game = load("chess")
    tables = EndgameTables(*open_tables(str(lies), game).in_memory())
    position = game.position("8/8/8/3k4/8/1N1p4/8/K1N5 w - - 7 60")  # c1d3 takes the last pawn
    blind, seeing = Engine(game, memory=4), Engine(game, memory=4, endgame=tables)
    assert abs(blind.best(position, Limits(depth=4)).value) < 1000
    found = seeing.best(position, Limits(depth=4))
    assert position.action_text(found.action) in ("c1d3", "b3d4")  # at once, or after the king has gone
    assert found.value == 9999 and not found.exact and "distance" not in found.facts
    lost = position.play("b3d2 d5d4")  # the same seen by the other side: the pawn cannot get away
    assert seeing.best(lost, Limits(depth=5)).value == 9999
    other = game.position("8/8/8/3k4/8/1N1p4/8/K1N5 b - - 7 60")
    assert seeing.best(other, Limits(depth=4)).value >= blind.best(other, Limits(depth=4)).value


def test_a_player_takes_what_the_tables_win(lies):
    player = Searcher("engine:pvs", Limits(depth=4), tables=str(lies))
    position = load("chess").position("8/8/8/3k4/8/1N1p4/8/K1N5 w - - 7 60")
    player.get_ready(position)
    player.choose(position)
    assert player.last.value == 9999 and player.prepared.in_search(load("chess")).files is not None


def test_the_command_probe_reads_them_beside_our_own(lies, tmp_path):
    (tmp_path / "KNNvK.rtbw").write_bytes((lies / "KNNvK.rtbw").read_bytes())
    position = CHESS.position("8/8/8/3k4/8/1N1N4/8/K7 w - - 0 1")
    assert open_tables(tmp_path, CHESS).probe(position) == ("win", None)
    assert open_tables(tmp_path, CHESS).probe(CHESS.start()) is None
    own = retrograde.build(CHESS, ["KQK"])
    own.save_slice(tmp_path, next(each for each in own.slices if each.name == "KQK"))
    both = open_tables(tmp_path, CHESS)
    assert both.probe(position) == ("win", None)
    mate = CHESS.position("7k/8/5K2/8/8/8/8/Q7 w - - 0 1")
    assert both.probe(mate)[0] == "win" and both.probe(mate)[1] > 0 and both.best(mate) is not None


def test_uci_looks_into_them(lies):
    game = load("chess")
    judged, tables = usual(game), EndgameTables(*open_tables(lies, game).in_memory())
    start = judged.start()
    for more in ({}, {"endgame": tables}):  # what the loop searches with: compiled before anybody waits
        Engine(judged, memory=1, **more).best(start, Limits(depth=2), earlier=[start.result(start.actions()[0])])
    lines, done = [], threading.Event()

    def hear(line):
        lines.append(line)
        if line.startswith("bestmove"):
            done.set()

    loop = Uci(hear)
    position = "position fen 8/8/8/3k4/8/1N1p4/8/K1N5 w - - 7 60"
    for line in ("uci", f"setoption name SyzygyPath value {lies}", position, "go depth 4"):
        loop.answer(line)
    assert done.wait(600)
    loop.halt()
    assert any("score cp 9999" in line for line in lines) and not any("mate" in line for line in lines), lines


class Told(syzygy.Tables):
    """Stands in for the files: a pawn that is queened wins in 20 half-moves, a rook in 30, minor pieces draw, waiting wins too."""

    def __init__(self):
        pass

    def outcome(self, position):
        text = position.text().split()[0].lower()
        mine = position.player() == (0 if any(piece in position.text().split()[0] for piece in "PQRNB") else 1)
        return 0 if "n" in text or "b" in text else 2 if mine else -2

    def distance(self, position, outcome):
        text = position.text().split()[0].lower()
        return 0 if outcome == 0 else 20 if "q" in text else 30 if "r" in text else 2


@pytest.mark.parametrize(("fen", "expected"), [
    ("8/3KP3/8/8/8/8/8/k7 w - - 0 1", "e7e8q"),  # waiting has the smaller number, and would wait for ever
    ("8/3K4/8/8/8/8/4p3/k7 b - - 99 80", "e2e1q"),
])
def test_the_move_that_makes_progress_is_chosen(fen, expected):
    position = CHESS.position(fen)
    assert position.action_text(Told().best(position)) == expected


def test_a_loser_holds_out_and_a_late_win_is_only_claimed_a_draw():
    assert syzygy.worth(-2, 40, False, 0) > syzygy.worth(-2, 4, False, 0) > syzygy.worth(-2, 4, True, 0)
    assert syzygy.worth(0, 0, False, 0) > syzygy.worth(-1, 50, False, 0)
    assert syzygy.worth(1, 90, False, 0) > syzygy.worth(0, 0, True, 0)
    assert syzygy.worth(2, 30, False, 60) > syzygy.worth(2, 45, False, 60)
    assert syzygy.worth(2, 45, False, 60)[0] == 1


# ---------------------------------------------------------------- with real files

FILES = os.environ.get("SYZYGY_PATH", "")
real = pytest.mark.skipif(not FILES, reason="SYZYGY_PATH names no folder of Syzygy files")


@real
def test_all_real_files_say_what_the_package_chess_reads_in_them():
    chess, oracle = pytest.importorskip("chess"), pytest.importorskip("chess.syzygy").open_tablebase(FILES)
    ours, source = syzygy.Tables(FILES), random.Random(1)
    for path in sorted(Path(FILES).glob("K*.rtbw")):
        for number in range(600):
            board = scattered(chess, of_name(path.stem, source), source)
            position = CHESS.position(board.fen())
            outcome = ours.outcome(position)
            assert outcome == oracle.probe_wdl(board), board.fen()
            if number % 20 == 0 and not board.is_checkmate():
                assert ours.distance(position, outcome) == abs(oracle.probe_dtz(board)), board.fen()


@real
@pytest.mark.parametrize("pieces", ["KQk", "KRk", "KPk", "KBk", "KNk", "KBNk", "KQkr", "kqKP"])
def test_our_own_tables_say_what_the_files_say(pieces):
    chess = pytest.importorskip("chess")
    files, source = syzygy.Tables(FILES), random.Random(pieces)
    white, black = "".join(filter(str.isupper, pieces)), "".join(filter(str.islower, pieces)).upper()
    own = retrograde.build(load("chess"), [white + black])
    for _ in range(300):
        position = load("chess").position(scattered(chess, pieces, source).fen())
        outcome = own.probe(position)
        assert outcome is not None, position.text()
        assert {"win": 2, "draw": 0, "loss": -2}[outcome[0]] == files.outcome(position), position.text()


@real
@pytest.mark.parametrize("pieces", ["KQk", "KRk", "KPk", "KBNk", "KQkr", "KBBk", "KRkn"])
def test_the_winner_mates_within_the_fifty_moves(pieces):
    chess = pytest.importorskip("chess")
    files, source, played = syzygy.Tables(FILES), random.Random(pieces), 0
    while played < 5:
        board = scattered(chess, pieces, source)
        position = load("chess").position(board.fen())
        outcome = files.outcome(position)
        if abs(outcome) != 2 or board.is_checkmate():
            continue
        winner = board.turn if outcome > 0 else not board.turn
        while not board.is_game_over(claim_draw=True):
            action = files.best(position)
            assert action is not None, board.fen()
            board.push_uci(position.action_text(action))
            position = position.result(action)
        assert board.is_checkmate() and board.turn != winner, board.fen()
        played += 1

"""What the fuzzers of benchmarks/ found in files, each told in one line now."""

import gzip
import json
import os
import threading

import numpy as np
import pytest

from outplay import files
from outplay.arena import match
from outplay.engine.registry import weights_of
from outplay.engine.regret.equilibrium import checkpoint, solver_for
from outplay.errors import BadNotation, BadValue, Unavailable
from outplay.experts.bridge.files import read_pbn, write_pbn
from outplay.experts.chess import book
from outplay.experts.go import sgf
from outplay.experts.othello.files import read_ggf
from outplay.experts.poker import phh
from outplay.files import read_arrays, read_checked, write_checked
from outplay.formats import games
from outplay.game import load
from outplay.games.scrabble.lexicon import lexicon
from outplay.values import Policy

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
HAND = 'variant = "NT"\nantes = {antes}\nblinds_or_straddles = {blinds}\nmin_bet = 2\nstarting_stacks = [200, 200]\nactions = []'


@pytest.mark.parametrize("read", [lambda: sgf.read("(;GM[2\n3])"), lambda: read_ggf("(;GM[Oth\nello]TY[8];)")])
def test_a_message_is_one_line_whatever_it_quotes(read):
    with pytest.raises(BadNotation) as told:
        read()
    assert "\n" not in str(told.value)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no file without an end here")
@pytest.mark.parametrize("read", [games.opened, book.load, read_arrays, match.read])
def test_a_link_to_what_never_ends_is_no_file(monkeypatch, tmp_path, read):
    """A link in a folder of somebody's games had all memory filled with zeros."""
    monkeypatch.setattr(files, "MOST_STREAMED", 1 << 16)
    (tmp_path / "games.pgn").symlink_to("/dev/zero")
    with pytest.raises(BadValue, match="does not end"):
        read(tmp_path / "games.pgn")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_is_read_to_its_end(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    thread = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b"1. e4",))
    thread.start()
    assert files.read_bytes(tmp_path / "pipe") == b"1. e4"
    thread.join()


def test_arrays_that_are_none(tmp_path):
    file = tmp_path / "weights.npy"
    np.save(file, np.arange(4.0))
    assert list(read_arrays(file)[""]) == [0, 1, 2, 3]
    sound = file.read_bytes()
    for spoiled in (b"", b"PK\3\4torn", sound[:20], sound.replace(b"descr", b"de\0cr"), sound.replace(b"(4,)", b"(4(,")):
        file.write_bytes(spoiled)
        with pytest.raises(BadValue):
            read_arrays(file)
        with pytest.raises(BadValue):
            weights_of(load("isolation", compiled=False), str(file))
        with pytest.raises(BadValue, match="is no checkpoint"):
            checkpoint(file, load("kuhn poker", compiled=False), "cfr")


def test_what_is_kept_is_believed_only_as_it_was_written(tmp_path):
    file = tmp_path / "kept.npz"
    write_checked(file, made=np.arange(1000, dtype=np.uint8))
    assert list(read_checked(file)["made"][:3]) == [0, 1, 2]
    data = bytearray(file.read_bytes())
    data[600] ^= 2
    file.write_bytes(bytes(data))
    assert read_checked(file) is None and read_checked(tmp_path / "none") is None


def test_a_checkpoint_that_cannot_be_written_leaves_the_old_one(tmp_path, monkeypatch):
    solver = solver_for(load("kuhn poker"), "cfr")
    file = tmp_path / "kuhn.npz"
    solver.save(file)
    before = file.read_bytes()

    def full(out, **arrays):
        out.write(b"torn")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("outplay.engine.regret.equilibrium.np.savez", full)
    with pytest.raises(BadValue, match="cannot write"):
        solver.save(file)
    assert file.read_bytes() == before and [path.name for path in tmp_path.iterdir()] == ["kuhn.npz"]


def test_a_board_whose_table_lacks_rows_goes_round():
    text = f'[Deal "{DEAL}"]\n[Dealer "N"]\n[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT 5\nE  S 6\n'
    assert read_pbn(write_pbn(read_pbn(text)))[0].table == {"North": {"NT": 5}, "East": {"S": 6}}
    with pytest.raises(BadNotation):
        read_pbn(text.replace("S 6", "S 6²"))


@pytest.mark.parametrize(("antes", "blinds"), [("[]", "[1, 2]"), ("[0, 0]", "[]"), ("3", "[1, 2]")])
def test_a_hand_without_blinds_or_antes(antes, blinds):
    with pytest.raises(BadNotation):
        phh.read(HAND.format(antes=antes, blinds=blinds))


def test_a_policy_with_a_share_beyond_all_numbers(tmp_path):
    file = tmp_path / "policy"
    kept = {"policy": 1, "game": "kuhn poker", "fingerprint": "x", "answers": {"K": {"bet": 10**400}}}
    file.write_text(json.dumps(kept))
    with pytest.raises(BadValue, match="is not a policy"):
        Policy.load(file)


def test_a_packed_word_list_that_is_torn(tmp_path):
    file = tmp_path / "words.gz"
    packed = bytearray(gzip.compress(b"cat\ncot\ncoat\n" * 50))
    packed[12] ^= 255
    file.write_bytes(bytes(packed))
    with pytest.raises(BadValue, match="lexicon must be"):
        lexicon(str(file))


def test_a_damaged_file_of_saved_games(tmp_path):
    pytest.importorskip("fastapi")
    from outplay.web.store import Store

    file = tmp_path / "studio.sqlite"
    store = Store(file)
    address = store.add("nim", None, ["human", "random"], [])
    store._base.execute("UPDATE records SET actions = 'torn'")
    with pytest.raises(Unavailable, match="damaged"):
        store.get(address)
    store._reader.close()
    with pytest.raises(Unavailable, match="cannot read the saved games"):
        store.get(address)
    store._base.execute("DROP TABLE records")  # stands in for a page that is gone
    with pytest.raises(Unavailable, match="cannot save the game"):
        store.add("nim", None, [], [])


def test_saved_games_whose_damage_is_no_text(tmp_path):
    """SQLite quotes what it cannot parse, and Python cannot decode the quotation."""
    pytest.importorskip("fastapi")
    from outplay.web.store import Store

    path = tmp_path / "games.sqlite"
    store = Store(path)
    store.add("nim", None, ["human", "random"], [])
    store._base.close(), store._reader.close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE", b"CR\xff\xfeTE TABLE"))
    with pytest.raises(Unavailable, match="the file is damaged"):
        Store(path)

"""Attacks on files: every format that the package reads, damaged. Each is read as it is or refused in one line; nothing else.

A format is a maker of sound files, written by the package itself where it can, and a reader that goes as far as a user's command
would: what is found in the file is looked at, too.
"""

from __future__ import annotations

import functools
import io
import json
import random
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz_inputs import attack, folder, mutated, mutated_bytes, refused, shaken

Samples = Callable[[], list[Any]]


def sound(samples: Samples, read_one: Callable[[Any], object]) -> Samples:
    """The samples, each of which must be read without a complaint: else nothing would be tried. What compiles does so now."""

    @functools.cache
    def checked() -> list[Any]:
        made = samples()
        for sample in made:
            read_one(sample)
        return made

    return checked


def put(name: str, data: bytes, file: str = "fuzzed") -> Path:
    """The data as a file, in a folder of its format."""
    place = Path(folder()) / name.replace(" ", "-")
    place.mkdir(exist_ok=True)
    (place / file).write_bytes(data)
    return place / file


def of_text(name: str, samples: Samples, reader: Callable[[str], object]) -> None:
    """Enter an attack on a format of text."""
    made = sound(samples, reader)

    @attack(name)
    def spoil(source: random.Random) -> str | None:
        text = source.choice(made())
        for _ in range(source.randint(1, 3)):
            text = mutated(text, source)
        return refused(f"{name} {text!r}"[:3000], lambda: reader(text))


def of_bytes(name: str, samples: Samples, reader: Callable[[Path], object], file: str = "fuzzed") -> None:
    """Enter an attack on a format of bytes, or of text in a file; the reader gets the file's path."""
    made = sound(lambda: [one if isinstance(one, bytes) else one.encode() for one in samples()],
                 lambda data: reader(put(name, data, file)))  # fmt: skip

    @attack(name)
    def spoil(source: random.Random) -> str | None:
        data = mutated_bytes(source.choice(made()), source)
        path = put(name, data, file)
        return refused(f"{name} ({len(data)} bytes)", lambda: reader(path))


def of_json(name: str, samples: Samples, reader: Callable[[Path], object]) -> None:
    """Enter an attack on a file of JSON: its values are changed, then now and then its text, too."""
    made = sound(samples, lambda value: reader(put(name, json.dumps(value).encode())))

    @attack(name)
    def spoil(source: random.Random) -> str | None:
        text = json.dumps(shaken(source.choice(made()), source))
        text = mutated(text, source) if source.random() < 0.3 else text
        path = put(name, text.encode("utf-8", "replace"))
        return refused(f"{name} {text[:2000]!r}", lambda: reader(path))


# ---------------------------------------------------------------- games as people write them


def chess_games() -> list[str]:
    """PGN with everything in it: comments, variations, numbers, a position to begin with."""
    return [
        '[White "Ann"]\n[Black "Ben"]\n[Result "1-0"]\n\n'
        '1. e4 {best by test} e5 2. Nf3 (2. f4 exf4 (2... d5) 3. Nf3) 2... Nc6 $1 3. Bb5 a6 1-0\n',
        '[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n[SetUp "1"]\n\n'
        '1. a8=Q+ Kd7 2. Qb7+ *\n\n[Event "second"]\n\n1. d4 d5 2. c4 1/2-1/2\n',
        '[Variant "Chess960"]\n'
        '[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w EGeg - 0 1"]\n\n1. e4 ; to the end\n1... e5 0-1\n',
    ]


def _read_pgn(text: str) -> None:
    from outplay.experts.chess import pgn

    for game in pgn.read(text.split("\n")):
        if isinstance(game, pgn.Game):
            pgn.write(pgn.from_record(game.record()))


def _read_pdn(text: str) -> None:
    from outplay.experts.checkers import pdn
    from outplay.experts.chess import pgn

    for game in pdn.read(text.split("\n")):
        if not isinstance(game, pgn.Problem):
            game.record()


def _read_sgf(text: str) -> None:
    from outplay.experts.go import sgf

    sgf.write(sgf.read(text))


def _take(text: str) -> None:
    """As `outplay review` and the studio's upload read a game."""
    from outplay.formats import games as formats
    from outplay.game import load

    taken = formats.read(text)
    game = load(taken.game, compiled=False)
    position = game.start() if taken.start is None else game.position(taken.start)
    for action in taken.actions[:60]:
        position = position.result(position.parse_action(action))


SGF = ["(;GM[1]FF[4]SZ[9]KM[6.5]PB[Ann]PW[Ben]RE[B+2.5];B[ee];W[cc](;B[gg];W[])(;B[cg]C[a \\] bracket]))",
       "(;SZ[5]AB[aa][bb:cc]AW[dd]PL[W];W[ab];B[tt])", "(;GM[1]SZ[19]KM[0.5]HA[2]AB[dd][pp];W[qc];B[dp])"]
PDN = ['[Event "x"]\n[GameType "21"]\n\n1. 11-15 23-19 2. 8-11 22-17 *\n', "1. 11-15 23-19 8-11 22-17 11-16 24-20 1-0\n",
       '[GameType "20"]\n[FEN "W:W31-50:B1-20"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n',
       '[GameType "25"]\n\n1. c3-d4 b6-a5 2. d4-c5 *\n']
SAVED = ['{"game": "tic-tac-toe", "start": null, "actions": ["b2", "a1"], "players": ["human", "random"]}',
         '{"game": "connect four:width=5", "start": null, "actions": ["3", "3"]}',
         '{"game": "isolation", "actions": ["c3", "a1"]}']
START = "-" * 27 + "O*------*O" + "-" * 27
GGF = [f"(;GM[Othello]PC[NBoard]DT[2026]PB[a]PW[b]RE[+2]TI[5:00]TY[8]BO[8 {START} *]"
       "B[F5/1.2/3]W[D6]B[C3]W[D3];)", f"2 (;GM[Othello]TY[8]BO[8 {START} *]B[D3];)(;GM[Othello]B[D3];)"]
of_text("pgn", chess_games, _read_pgn)
of_text("sgf", lambda: SGF, _read_sgf)
of_text("pdn", lambda: PDN, _read_pdn)


def match_texts() -> list[str]:
    """The beginning of a game of backgammon at random, as its match text."""
    from outplay.experts.backgammon.mat import write_game
    from outplay.game import load

    game, source = load("backgammon", compiled=False), random.Random(5)
    position, actions = game.start(), []
    for _ in range(12):
        actions.append(source.choice(position.actions()))
        position = position.result(actions[-1])
    return [write_game(game.rules, actions)]


of_text("mat", match_texts, _take)
of_text("saved game", lambda: [*chess_games()[:2], SGF[0], PDN[0], PDN[1], *SAVED], _take)


def _othello_text(text: str) -> None:
    from outplay.experts.othello.files import read_ggf, read_transcripts

    for game in (read_ggf if text.lstrip("0123456789 ").startswith("(") else read_transcripts)(text):
        game.positions()


def _obf(text: str) -> None:
    from outplay.game import load

    load("othello", compiled=False).position(text).text()


of_text("ggf", lambda: GGF, _othello_text)
of_text("transcripts", lambda: ["f5d6c3d3c4f4\n\nF5f6 # a comment\n", "e6f4e3f6g5d6e7f5c5\n"], _othello_text)
of_text("obf", lambda: ["-" * 27 + "OX------XO" + "-" * 27 + " X;",
                        "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"], _obf)


def wthor() -> list[bytes]:
    """The shortest game of Othello in the base's own bytes, twice."""
    moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]
    cells = bytes(10 * int(move[1]) + "abcdefgh".index(move[0]) + 1 for move in moves)
    row = struct.pack("<HHHBB", 1, 2, 3, 64, 64) + cells.ljust(60, b"\0")
    return [struct.pack("<BBBBiHHBBBx", 20, 26, 1, 1, count, 0, 2026, 8, 0, 0) + row * count for count in (1, 2)]


def _othello_file(path: Path) -> None:
    from outplay.experts.othello.files import read

    for game in read(path):
        game.positions()


of_bytes("wthor", wthor, _othello_file, "fuzzed.wtb")

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"


def pbn() -> list[str]:
    """A board with its auction and play, written by the package, and one as others write them."""
    from outplay.experts.bridge.files import Game, write_pbn
    from outplay.games.bridge import FIRST_BID, PASS
    from outplay.games.bridge.notation import card, parse_hands

    board = Game(parse_hands(DEAL), dealer=3, calls=(FIRST_BID + 3, PASS, PASS, PASS), declarer=3,
                 play=(card("CT"), card("C4"), card("CA"), card("C3")))  # fmt: skip
    return [write_pbn([board]), f'% PBN 2.1\n[Event ""]\n[Board "1"]\n[Dealer "N"]\n[Vulnerable "All"]\n'
            f'[Deal "{DEAL}"]\n[Declarer "S"]\n'
            '[Contract "3NTX"]\n[Auction "N"]\nPass 1NT X XX =1=\n3NT AP\n[Play "W"]\nSA S3 S5 S6\n*\n'
            '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT 5\nN S 6\n']  # fmt: skip


def _read_pbn(text: str) -> None:
    from outplay.experts.bridge.files import read_pbn, write_pbn

    write_pbn(read_pbn(text))


def _read_lin(text: str) -> None:
    from outplay.experts.bridge.files import read_lin, write_pbn

    write_pbn(read_lin(text))


LIN = ["pn|a,b,c,d|st||md|1SQJ6HK652DJ85CT98,S873HJ97DAT764CQ4,SK5HT83DKQ9CA7652|sv|o|"
       "mb|p|mb|1S|mb|p|mb|p|mb|p|pg||pc|D3|pc|D5|pg||",
       "qx|o1|md|3SQJ6HK652DJ85CT98,S873HJ97DAT764CQ4,SK5HT83DKQ9CA7652,|sv|b|mb|7N!|an|strong|mb|d|mb|r|mb|p|mb|p|mb|p|mc|13|"]
of_text("pbn", pbn, _read_pbn)
of_text("lin", lambda: LIN, _read_lin)


def _read_hands(text: str) -> None:
    from outplay.games.bridge.notation import parse_hands

    parse_hands(text)


of_text("deal", lambda: [DEAL, DEAL.replace("N:", "W:")], _read_hands)

GCG = ["#player1 ann Ann\n#player2 ben Ben\n>ann: AEINRST 8D NASTIER +66 66\n>ben: CDOOQVV -CV +0 0\n"
       ">ann: EEIIAUA -AI +0 66\n>ben: X - +0 0\n",
       "#player1 a A\n#player2 b B\n>a: ?EINRST 8D NaSTIER +64 64\n>a: ?EINRST -- -64 0\n>b: DOG 8F DOG +10 10\n#rack1 ABC\n"]


def _read_gcg(text: str) -> None:
    from outplay.experts.scrabble.gcg import read_gcg, write_gcg

    write_gcg(read_gcg(text))


of_text("gcg", lambda: GCG, _read_gcg)


def phh() -> list[str]:
    """Hands of hold'em played at random."""
    from outplay.experts.poker import phh as written
    from outplay.game import load

    texts = []
    for seed in range(4):
        source, position = random.Random(seed), load("holdem", compiled=False).start()
        for _ in range(source.randint(4, 40)):
            if position.is_terminal():
                break
            action = position.sample_chance(source.getrandbits(40)) if position.is_chance() else source.choice(position.actions())
            position = position.result(action)
        if not position.is_chance():
            texts.append(written.write(position))
    return texts


def _read_phh(text: str) -> None:
    from outplay.experts.poker import phh as written

    written.write(written.read(text))


of_text("phh", phh, _read_phh)


# ---------------------------------------------------------------- what the package writes for itself


def records() -> list[bytes]:
    """A match of two games as JSON lines."""
    row = {"game": "nim", "start": "3-5-7 x", "actions": ["1-1"], "players": ["a", "b"], "outcome": {"utilities": [1.0, -1.0]},
           "reason": "", "comments": []}  # fmt: skip
    line = json.dumps(row)
    return [f"{line}\n{line}\n".encode(), f"{line}\n{line[:40]}".encode()]


def _records(path: Path) -> None:
    from outplay.arena.match import points_a_game, read, tally

    found = read(path)
    tally(found, "a")
    points_a_game(found)


of_bytes("records", records, _records)


def polyglot() -> list[bytes]:
    """A book of chess in Polyglot's own bytes."""
    from outplay.experts.chess import book, pgn

    path = Path(folder()) / "sound.bin"
    book.save(book.build(pgn.read(chess_games()[0].split("\n"))), path)
    return [path.read_bytes()]


def _polyglot(path: Path) -> None:
    from outplay.experts.chess import book
    from outplay.game import load

    made = book.load(path)
    book.choose(made, load("chess", compiled=False).start(), random.Random(1))
    book.save(book.merge([made, made]), Path(folder()) / "merged.bin")


of_bytes("polyglot", polyglot, _polyglot, "fuzzed.bin")


def position_book() -> list[bytes]:
    """A book of another game than chess."""
    from outplay.books import openings
    from outplay.game import load

    start = load("tic-tac-toe", compiled=False).start()
    key = openings.key_of(start)
    made = openings.PositionBook("tic-tac-toe", {key: {"b2": 3, "a1": 0}}, {(key, "b2"): (1, 1, 0)})
    return [made.text().encode()]


def _position_book(path: Path) -> None:
    from outplay.books import openings
    from outplay.game import load

    game = load("tic-tac-toe", compiled=False)
    made = openings.open_book(path, game)
    openings.choose(made, game.start(), random.Random(1))
    made.results(game.start())


of_bytes("book", position_book, _position_book)


def table() -> list[bytes]:
    """A slice of endgame tables, made up."""
    import numpy as np

    from outplay.engine.tables import files as table_files

    values = np.array([0, 1, 2, 5, 40, 65535] * 100, np.uint16)
    path = table_files.save(folder(), "fuzzed", "2", [(0, 400), (1, 200)], values, {"positions": 600})
    return [path.read_bytes()]


def _table(path: Path) -> None:
    from outplay.engine.tables.files import TableFile

    found = TableFile(path)
    found.values()
    found.code(0, 5)


of_bytes("table", table, _table)


def syzygy() -> list[bytes]:
    """Sound files of random outcomes: packed, of one value, and the beginning of one with nothing sound behind it."""
    from syzygy_files import random_values, write

    made = [b"\x71\xe8\x23\x5d" + bytes(60) + random.Random(1).randbytes(400)]
    with tempfile.TemporaryDirectory() as place:
        for values in (random_values(1, 5), lambda board, side, size: 4 - 4 * side):
            write(Path(place) / "KQvK.rtbw", values)
            made.append((Path(place) / "KQvK.rtbw").read_bytes())
    return made


def _syzygy(path: Path) -> None:
    from outplay.game import load
    from outplay.players.prepared import Prepared

    distances = path.with_suffix(".rtbz")
    distances.write_bytes(b"\xd7\x66\x0c\xa5" + path.read_bytes()[4:])
    for others in (True, False):  # and with the outcomes alone
        if not others:
            distances.unlink()
        said: list[str] = []
        for fen in ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "8/8/4q3/3k4/8/8/8/K7 w - - 0 1"):
            position = load("chess", compiled=False).position(fen)
            found = Prepared("", str(path.parent), said.append).action(position, random.Random(1))
            assert found is None or found in position.actions()
        assert all("\n" not in line for line in said)


of_bytes("syzygy", syzygy, _syzygy, "KQvK.rtbw")


def policies() -> list[Any]:
    """A policy for kuhn poker that always passes."""
    from outplay.game import load
    from outplay.values import Policy

    game = load("kuhn poker", compiled=False)
    path = Path(folder()) / "sound.policy"
    Policy.of(game, {"K": {"pass": 0.5, "bet": 0.5}, "J": {"pass": 1.0}}).save(path)
    return [json.loads(path.read_text(encoding="utf-8"))]


def _policy(path: Path) -> None:
    from outplay.players import player
    from outplay.values import Policy

    str(Policy.load(path))
    player(f"policy:{path}")


of_json("policy", policies, _policy)


def saved_play() -> list[Any]:
    """A game as `save` writes it in `outplay play`."""
    return [{"game": "tic-tac-toe", "start": ".../.../... x", "actions": ["b2", "a1"], "players": ["human", "random"]}]


def _saved_play(path: Path) -> None:
    import contextlib

    from rich.console import Console

    from outplay.cli.play import Table

    table = _a_table(Table, Console(file=io.StringIO()))
    with contextlib.redirect_stdout(io.StringIO()):
        table.load(str(path))


def _a_table(kind: Any, screen: Any) -> Any:
    from outplay.game import load
    from outplay.players import Play, player

    table = object.__new__(kind)
    table.rules, table.seats = load("tic-tac-toe", compiled=False), [player("random"), player("random")]
    table.game, table.screen = Play(table.rules, table.seats), screen
    return table


of_json("played game", saved_play, _saved_play)


def networks() -> list[bytes]:
    """The three kinds of networks, small."""
    from outplay.evaluations.nnue import random_network
    from outplay.networks import nets, td_nets

    first, second, third = Path(folder()) / "sound.td", Path(folder()) / "sound.net", Path(folder()) / "sound.nnue"
    td_nets.save(first, "backgammon", td_nets.Weights.random(1, 4, 3, 2, 1), {})
    nets.random_net("tic-tac-toe", (2, 3, 3), 9, blocks=1, channels=4, seed=1).save(second)
    random_network("chess", inputs=20, hidden=2, buckets=2, seed=1).save(third)
    return [first.read_bytes(), second.read_bytes(), third.read_bytes()]


def _network(path: Path) -> None:
    from outplay.players import player

    player(f"net:{path}")


of_bytes("network", networks, _network)


def checkpoints() -> list[bytes]:
    """The frame of a regret solver's checkpoint."""
    import numpy as np

    from outplay.engine.regret.equilibrium import rules_stamp
    from outplay.game import load

    out = io.BytesIO()
    stamp = rules_stamp(load("kuhn poker", compiled=False))
    np.savez_compressed(out, game="kuhn poker", rules=stamp, algorithm="cfr", regrets=np.zeros(12))
    return [out.getvalue()]


def _checkpoint(path: Path) -> None:
    from outplay.engine.regret.equilibrium import checkpoint
    from outplay.game import load

    checkpoint(path, load("kuhn poker", compiled=False), "cfr")


of_bytes("checkpoint", checkpoints, _checkpoint, "fuzzed.npz")


def _weights(path: Path) -> None:
    from outplay.engine.registry import weights_of
    from outplay.game import load

    weights_of(load("isolation", compiled=False), str(path))


def weights() -> list[bytes]:
    """The weights of an evaluation in NumPy's file."""
    import numpy as np

    from outplay.game import load

    out = io.BytesIO()
    np.save(out, np.asarray(load("isolation", compiled=False).rules.weights, np.float64))
    return [out.getvalue()]


def weights_as_text() -> list[str]:
    """The same as numbers."""
    import numpy as np

    return [", ".join(map(str, np.load(io.BytesIO(weights()[0])))) + "\n"]


of_bytes("weights", weights, _weights, "fuzzed.npy")
of_bytes("weights as text", weights_as_text, _weights, "fuzzed.txt")


def words() -> list[bytes]:
    """A word list, plain and packed."""
    import gzip

    text = b"cat\ncot\ncoat\ndog\n"
    return [text, gzip.compress(text)]


def _words(path: Path) -> None:
    from outplay.games.scrabble.lexicon import lexicon

    lexicon.cache_clear()
    lexicon(str(path)).anagrams("taco")


of_bytes("word list", words, _words)


def _names(path: Path) -> None:
    from outplay.cli.match import read_names
    from outplay.names import parse

    for name in read_names([f"@{path}"]):
        parse(name, "player")


of_bytes("list of players", lambda: ["engine:depth=2 # strong\nrandom\nuci:/bin/true,Skill Level=3\n\nmcts:c=1.0\n"], _names)


@attack("studio file")
def studio_file(source: random.Random) -> str | None:
    """The studio's file of saved games, damaged: it opens and answers, or it is refused in one line."""
    from outplay.errors import OutplayError
    from outplay.web.store import Store

    path = Path(folder()) / "studio.sqlite"
    for old in path.parent.glob("studio.sqlite*"):
        old.unlink(missing_ok=True)  # the last store, closed only now, may take its side files along
    path.write_bytes(mutated_bytes(_studio_file(), source))

    def use() -> None:
        import contextlib
        import sqlite3

        store = Store(path)
        try:
            with contextlib.suppress(OutplayError):
                store.add("nim", None, ["human", "random"], [])
            with contextlib.suppress(OutplayError):
                store.get(_kept_address())
        finally:
            with contextlib.suppress(sqlite3.Error, AttributeError):
                store._base.close()
                store._reader.close()

    return refused("studio file", use)


@functools.cache
def _studio() -> tuple[bytes, str]:
    from outplay.web.store import Store

    path = Path(folder()) / "sound.sqlite"
    store = Store(path)
    address = store.add("tic-tac-toe", None, ["human", "random"], ["b2"])
    for _ in range(50):
        store.add("nim", None, ["human", "random"], ["1-1"] * 20)
    store._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes(), address


def _studio_file() -> bytes:
    return _studio()[0]


def _kept_address() -> str:
    return _studio()[1]

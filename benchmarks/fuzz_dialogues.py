"""Attacks on dialogues: UCI, GTP, NBoard and Hub hear garbage between sound lines, in any order, and go on answering rightly.

A dialogue is right when nothing is an internal error, every request has its one answer, moves are legal by the package `chess` or
by plain rules, and a sound request at the end is answered as if nothing had happened.
"""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Iterator
from typing import Any

from fuzz_inputs import attack, folder, mutated

LONGEST = 20.0  # seconds of the processor for one answer after a stop


def spoiled(lines: tuple[str, ...], source: random.Random) -> list[str]:
    """Some of the lines in some order, a third of them mutated."""
    chosen = [source.choice(lines) for _ in range(source.randint(1, 10))]
    return [mutated(line, source).replace("\n", " ") if source.random() < 0.35 else line for line in chosen]


def patient(session: Any, lines: list[str]) -> Iterator[str]:
    """Lines, and their end only when all of them are answered."""
    yield from lines
    session.rest()


# ---------------------------------------------------------------- UCI

UCI = (
    "uci", "isready", "ucinewgame", "position startpos", "position startpos moves e2e4 e7e5 g1f3",
    "position fen 3k1b1r/3b2p1/1r1qpn2/ppPpPp1p/3p1P1P/2NQRB1N/nP1BK1P1/3R4 b - - 4 23",
    "position fen 8/8/8/8/8/5k2/7q/7K w - - 0 1", "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
    "position fen 8/P7/8/8/8/8/k6K/8 w - - 99 120", "go depth 1", "go depth 0", "go nodes 0", "go nodes 500", "go movetime 5",
    "go wtime 1 btime 1", "go wtime 300 btime 300 winc 0", "go infinite", "go ponder wtime 500 btime 500", "ponderhit",
    "stop", "stop", "go mate 1", "go perft 2", "go perft 7", "go searchmoves e2e4 d2d4 depth 2", "go",
    "setoption name MultiPV value 3", "setoption name MultiPV value 1", "setoption name Hash value 1",
    "setoption name Hash value 300000", "setoption name Threads value 2", "setoption name Threads value 1",
    "setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 800", "setoption name Clear Hash",
    "setoption name SyzygyPath value {folder}", "setoption name SyzygyPath value /nonexistent",
    "setoption name SyzygyPath value", "setoption name OwnBook value true", "setoption name BookFile value {folder}/book.bin",
    "setoption name BookFile value {folder}", "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false", "d", "eval", "debug on", "help", "register x",
)  # fmt: skip


@functools.cache
def uci() -> tuple[Any, list[str]]:
    """One engine for all dialogues, as a board keeps one; its kernels are ready."""
    from pathlib import Path

    from outplay.cli.protocols.uci import Uci

    for name, content in (("book.bin", b"no book"), ("KQvK.rtbw", b"\x71\xe8\x23\x5d" + bytes(200)), ("KQvK.rtbz", b"torn")):
        (Path(folder()) / name).write_bytes(content)
    said: list[str] = []
    loop = Uci(said.append)
    loop.answer("uci")
    loop.thinker().wait_ready(loop.game())
    return loop, said


@attack("uci")
def uci_dialogue(source: random.Random) -> str | None:
    """Lines out of order and mutated; each `go` that is understood has one answer, and it is a legal move."""
    import chess

    from outplay.jit import watch_compiling
    from outplay.protocols.uci import parse_command, parse_go

    loop, said = uci()
    lines = [line.replace("{folder}", folder()) for line in spoiled(UCI, source)]
    del said[:]
    for line in (*lines, "stop", "ucinewgame", "position startpos moves e2e4", "go depth 1"):
        before = sum(one.startswith("bestmove") for one in said)
        if loop.quits(line):
            continue  # the dialogue would be over here
        loop.answer(line)
        if loop._search is not None:  # this line has begun it: those before were waited for
            position = loop._play.position
            if source.random() < 0.5:
                time.sleep(source.random() * 0.02)
            begun, worked = time.perf_counter(), time.process_time()
            is_count = parse_go(parse_command(line)[1]).perft is not None
            compiled: list[str] = []
            with watch_compiling(compiled.append):
                loop.halt()
            took = min(time.perf_counter() - begun, time.process_time() - worked)
            if took > LONGEST and not compiled:
                return f"{lines}: {line!r} was stopped after {took:.1f} s only"
            told = [one for one in said if one.startswith("bestmove")][before:]
            if not is_count and len(told) != 1:
                return f"{lines}: {line!r} was answered by {told}"
            if told and not _is_legal(chess, position.text(), told[-1].split()[1], loop.options["UCI_Chess960"]):
                return f"{lines}: {line!r}: {told[-1]} in {position.text()}"
    if wrong := next((one for one in said if "internal error" in one or "\n" in one.strip()), None):
        return f"{lines}: {wrong}"
    return None


def _is_legal(chess: Any, fen: str, move: str, is_960: bool) -> bool:
    board = chess.Board(fen, chess960=is_960)
    if move == "0000":
        return not any(board.legal_moves)
    try:
        return chess.Move.from_uci(move) in board.legal_moves or board.parse_uci(move) in board.legal_moves
    except ValueError:
        return False


# ---------------------------------------------------------------- GTP

GTP = (
    "name", "1 version", "protocol_version", "list_commands", "known_command play", "boardsize 5", "boardsize 9",
    "clear_board", "komi 6.5", "komi 500", "komi nan", "play b c3", "play white pass", "play b resign", "play b a1",
    "play w a1", "genmove b", "2 genmove w", "reg_genmove b", "undo", "showboard", "fixed_handicap 2",
    "set_free_handicap B2 C3", "place_free_handicap 3", "time_settings 0 1 1", "time_settings 10 0 0", "time_left b 1 0",
    "time_left w 0 1", "final_score", "final_status_list dead", "final_status_list x", "kgs-genmove_cleanup b",
    "lz-analyze 5", "# remark", "", "7", "genmove", "play b", "boardsize 26",
)  # fmt: skip
GTP_GAMES = ("go:size=5", "nim", "tic-tac-toe", "chess", "backgammon", "kuhn poker", "go:size=9,komi=5.5")


@attack("gtp")
def gtp_dialogue(source: random.Random) -> str | None:
    """Every line is answered by one block that begins with = or ?, with the number of the command, and no internal error."""
    from outplay.cli.protocols.gtp import Gtp
    from outplay.protocols import gtp as protocol

    game = source.choice(GTP_GAMES)
    session = Gtp(lambda line: None, game, "auto" if game.startswith("go") else "mcts", simulations=3, seconds=0.02)
    session.stopped.set()  # an analysis has its first look
    lines = spoiled(GTP, source)
    for line in (*lines, "name"):
        command = protocol.parse(line)
        if command is None:
            continue
        said = session.reply(command)
        if not said.startswith(("=", "?")) or not said.endswith("\n\n") or "internal error" in said:
            return f"gtp {game}, {lines}: {line!r} was answered by {said!r}"
        if "\n\n" in said[:-2] and not said.startswith("="):
            return f"gtp {game}, {lines}: {line!r} was answered by more than one block: {said!r}"
    return None


# ---------------------------------------------------------------- NBoard

NBOARD = (
    "nboard 2", "set depth 1", "set depth 2", "set contempt 0", "set depth x", "ping 3", "ping", "go", "hint 1", "learn",
    "move F5/1.2/3", "move F5", "move pa", "move d3", "move", "analyze", "unknown",
    ("set game (;GM[Othello]PC[NBoard]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O----------"
     "----------------- *]B[F5]W[D6];)"),
    "set game (;GM[Othello]BO[8 **************************************************************** *];)", "set game", "set",
    "set depth 0",
)  # fmt: skip


@attack("nboard")
def nboard_dialogue(source: random.Random) -> str | None:
    """Pings come back, moves are legal, and nothing ends the dialogue."""
    from outplay.cli.protocols.nboard import NBoard

    said: list[str] = []
    session = NBoard(said.append, 0.02)
    lines = spoiled(NBOARD, source)
    session.run(patient(session, [*lines, "set depth 1", "ping 77"]))
    if said[-1:] != ["pong 77"]:
        return f"nboard, {lines}: ping was answered by {said[-3:]}"
    return next((f"nboard, {lines}: {one!r}" for one in said if "internal error" in one or "\n" in one), None)


# ---------------------------------------------------------------- Hub

HUB = (
    "hub", "init", "ping", "set-param name=variant value=english", "set-param name=variant value=normal",
    "set-param name=threads value=2", "set-param name=threads value=0", "set-param name=x value=1", "new-game", "pos",
    'pos moves="32-28 19-23"', "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
    "pos pos=Weeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
    "pos pos=Bwwwebbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "level depth=2", "level nodes=100", "level move-time=0.01",
    "level time=1 moves=10 inc=0", "level infinite", "level time=x", "go think", "go analyze", "go", "stop", "ponder-hit",
    'pos start=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww moves="31-27"', "go ponder",
)  # fmt: skip


@attack("hub")
def hub_dialogue(source: random.Random) -> str | None:
    """Each `go` has one `done` or one `error`, a `stop` that has come already ends a search at once, and `ping` is answered."""
    from outplay.cli.protocols.hub import Hub
    from outplay.protocols import hub as protocol

    def is_go(line: str) -> bool:  # as the protocol reads it: `go=` is one, too
        parsed = protocol.parse(line)
        return parsed is not None and parsed.name == "go"

    said: list[str] = []
    session = Hub(said.append)
    lines = []
    for line in spoiled(HUB, source):
        lines += [line, "stop"] if is_go(line) else [line]
    session.run(patient(session, [*lines, "ping"]))
    if "pong" not in said:
        return f"hub, {lines}: ping was answered by {said[-3:]}"
    if wrong := next((one for one in said if "internal error" in one or "\n" in one), None):
        return f"hub, {lines}: {wrong!r}"
    asked, done = sum(map(is_go, lines)), sum(one.split()[0] in ("done", "error") for one in said)
    return f"hub, {lines}: {asked} searches, answers {said}" if done < asked else None

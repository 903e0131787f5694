"""Every command of the README, the documents, the lessons and the help texts, run as it stands there, or shortened.

    python benchmarks/commands.py                        all of them: some twenty minutes, less on a warm cache
    python benchmarks/commands.py equilibrium            those of one command
    python benchmarks/commands.py docs/history.md        those of one document
    python benchmarks/commands.py --keep FOLDER          in a folder that stays: a second call runs what has not ended right there

A command is a line `outplay ...` of a block, or `outplay ...` between backquotes. The rule: numbers behind MOST's options are
made smaller, words in capitals are filled in (EXAMPLES), programs that wait for input hear `quit`, Ctrl-C ends the studio.
What is not run says why (LEFT_OUT): it is parsed all the same. `tests/test_readme.py` parses all of them by the real parser.
"""

from __future__ import annotations

import argparse
import contextlib
import html
import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 240.0  # for one command; a kernel may have to be compiled first

MOST = {"--time": 0.3, "--games": 2, "--boards": 1, "--iterations": 50, "--samples": 20_000, "--men": 3, "--positions": 200,
        "--rounds": 1, "--threads": 2, "--plies": 20}  # fmt: skip
"""What an option's number becomes at most."""

TUNED = {"--games": "3", "--positions": "3", "--depth": "4", "--rounds": "1", "--steps": "10", "--nodes": "100"}
"""What `tune` is given where it is given nothing: hours of games else."""

EXAMPLES = {
    "FILE.py": "mine.py", "FILE": "game.pgn", "PLAYER": "random", "RUN": "run",
    "NAME": "alphabeta", "FOLDER": "folder", "A": "kitchen", "B": "kitchen", "THEIRS": "random", "YOURS": "random",
    "DEAL": "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3",
}  # fmt: skip
"""What a word in capitals stands for."""

LEFT_OUT = {
    r"^(?!games|algorithms|players|doctor|serve|uci|gtp|hub|nboard|warm|bench)\w+( build| --out)?$":
    "names the command, without what it takes",
    r"^bench": "takes as long as its tables do: `make bench`",
    r"^warm$": "compiles every game, which takes minutes by design",
    r"^tune (FILE.py|checkers)$": "tunes the weights of a game that names some; tests/learning runs it",
    r"--device cuda": "needs a GPU",
    r"--cluster": "needs a cluster",
    r"limit.npz": "needs what ten minutes make",
    r"--open .*\.study": "needs a study that was kept",
    r"^tune .*--(spsa|race)|^arena queue": "plays many games; tests/workshop runs it",
}  # fmt: skip
"""Why some are parsed and not run."""

WRONG = ("show conect-four", "best tic-tac-toe --dept 3", "best tic-tac-toe --algorithm alfabeta",
         "best tic-tac-toe --algorithm beam:widht=2", "match tic-tac-toe deals:number=5 random")
"""Commands that show how a mistake is told."""

GAME = '''from outplay.jit import i8
from outplay.rules import game


@game("race to ten")
class Race:
    said: i8
    turn: i8

    def actions(self, out):
        count = 0
        for step in range(1, 3):
            if self.said + step <= 10:
                out[count] = step
                count += 1
        return count

    def play(self, action):
        self.said += action
        self.turn = 1 - self.turn

    def utility(self, player):
        return 1.0 if player != self.turn else -1.0
'''
"""A game of one's own, as docs/first-minutes.md writes it."""


def commands() -> Iterator[tuple[str, str]]:
    """Where each command stands, and its words behind `outplay`; each once."""
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", *sorted(
        f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))}  # fmt: skip
    texts |= {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "outplay" / "cli").glob("*.py"))}
    lessons = sorted((ROOT / "outplay" / "web" / "static" / "learn").glob("*.html"))
    texts |= {path.name: html.unescape(re.sub("</?code>", "`", path.read_text(encoding="utf-8"))) for path in lessons}
    seen = set()
    for name, text in texts.items():
        found = re.findall(r"`outplay ([a-z]+(?: [^`\n]*)?)`", text)
        if name.endswith(".md"):
            found += re.findall(r"^(?:    )?(?:\$ )?outplay ([a-z].*)$", text, re.M)
        else:
            found += re.findall(r"^  outplay ([a-z]\S*(?: \S+)*)", text, re.M)
        for line in found:
            line = re.sub(r"\s+#.*$|(?<![\"'])\s{2,}[a-z].*$", "", line).strip()
            try:
                words = shlex.split(line)
            except ValueError:  # a piece of a sentence
                continue
            if words and (key := tuple(words)) not in seen and "…" not in line and "..." not in line:
                seen.add(key)
                yield name, line


def words_of(line: str) -> list[str]:
    """A command's words by the rule: filled in, and shortened."""
    words = shlex.split(line.replace("learn GAME --out RUN", "learn GAME --out own-run").replace("net:RUN/", "net:run/"))
    games = {"exploit": "kuhn-poker", "equilibrium": "kuhn-poker", "tables": "checkers", "learn": "connect-four", "tune": "othello"}
    words = [games.get(words[0], "nim") if word == "GAME" else EXAMPLES.get(word, word) for word in words]
    words = [re.sub(r"(?<=[,:]time=)[\d.]+", "0.1", re.sub(r"(?<=[,:]simulations=)\d+", "20", word)) for word in words]
    for at, word in enumerate(words[:-1]):
        if word.startswith("--") and words[at + 1] in ("N", "M"):
            words[at + 1] = "2"
        if word in MOST and re.fullmatch(r"[\d.]+m?", words[at + 1]):
            words[at + 1] = f"{min(float(words[at + 1].rstrip('m')), MOST[word]):g}"
        if word == "--time" and words[0] == "learn":
            words[at + 1] = "1s"
        if word == "--out" and words[at + 1] == EXAMPLES["FILE"]:
            words[at + 1] = "out.npz"
        if word == "--clock":
            words[at + 1] = "0.5+0.01"
        if word == "--depth" and words[0] in ("perft", "compare", "tune"):
            words[at + 1] = f"{min(int(words[at + 1]), 4)}"
    if words[0] == "match" and "--games" not in words and "--boards" not in words:
        words += ["--games", "2"]
    if words[0] == "learn":
        words += ["--games", "0", *([] if "--time" in words else ["--time", "1s"])]
    if words[0] == "tune":
        words += [word for option, least in TUNED.items() if option not in words for word in (option, least)]
        if words[1].startswith("battleships"):  # at least a game for each of its rounds
            words[words.index("--games") + 1] = "60"
    return words


def left_out(line: str) -> str | None:
    """Why a command is not run, or None."""
    if "spiel:" in line and importlib.util.find_spec("pyspiel") is None:
        return "needs OpenSpiel"
    if line.startswith("learn") and importlib.util.find_spec("torch") is None and "--recipe td" not in line:
        return "needs PyTorch"
    for pattern, reason in LEFT_OUT.items():
        if re.search(pattern, line):
            return reason
    for program in re.findall(r"(?:uci|xboard|gtp|gnubg|hub|nboard):([\w-]*)", line):
        wanted = program or "gnubg"
        if program not in ("ply",) and wanted != "outplay" and not (shutil.which(wanted) or Path("/usr/games", wanted).exists()):
            return f"needs {wanted}"
    return None


def run(line: str, folder: str) -> tuple[int, str, float]:
    """Status, what went to standard error, and seconds."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as behind `&` in a script: the studio would ignore it, too
        signal.signal(signal.SIGINT, signal.default_int_handler)
    words = words_of(line)
    begun = time.monotonic()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])  # some name outplay itself
    environment = {**os.environ, "OUTPLAY_DATA": folder, "COLUMNS": "120", "PATH": path}
    process = subprocess.Popen([sys.executable, "-m", "outplay", *words], cwd=folder, text=True, stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**environment, "PYTHONPATH": str(ROOT)})
    try:
        if words[0] == "serve":
            assert process.stderr is not None
            process.stderr.readline()
            process.send_signal(signal.SIGINT)
        _, err = process.communicate("quit\n", timeout=SECONDS)
        return process.returncode, err, time.monotonic() - begun
    except subprocess.TimeoutExpired:
        return 124, f"took more than {SECONDS:g} s", SECONDS
    finally:
        process.kill()
        process.wait()


def main(wanted: str = "", keep: str | None = None) -> None:
    """Run them in one folder, and tell what failed."""
    failures = ran = skipped = before = 0
    with tempfile.TemporaryDirectory() if keep is None else contextlib.nullcontext(keep) as folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        diary = Path(folder) / "ended-right.txt"
        done = set(diary.read_text().splitlines()) if diary.exists() else set()
        for name in ("mine.py", "my_game.py", "matches.py"):
            (Path(folder) / name).write_text(GAME)
        for name in ("game.pgn", "games.pgn"):
            (Path(folder) / name).write_text("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n")
        with contextlib.suppress(FileExistsError):
            (Path(folder) / "examples").symlink_to(ROOT / "examples")
        for place, line in commands():
            if wanted and wanted not in (line.split()[0], place):
                continue
            if reason := left_out(line):
                skipped += 1
                print(f"left out: outplay {line} ({place}): {reason}", flush=True)
                continue
            if line in done:
                before += 1
                continue
            status, said, seconds = run(line, folder)
            ran += 1
            right = status in ((2,) if line in WRONG else (0, 130) if line.startswith("serve") else (0,))
            failures += not right
            if right:
                with diary.open("a") as file:
                    file.write(f"{line}\n")
            print(f"{'' if right else 'FAILED, '}{seconds:.1f} s: outplay {' '.join(words_of(line))} ({place})"
                  + ("" if right else f": status {status}: {said.strip()[-300:]}"), flush=True)  # fmt: skip
    print(f"{ran} commands run, {failures} failed, {skipped} left out with a reason"
          + (f", {before} had ended right before" if before else ""))  # fmt: skip
    if failures:
        raise SystemExit(1)


if __name__ == "__main__":
    given = argparse.ArgumentParser()
    given.add_argument("wanted", nargs="?", default="")
    given.add_argument("--keep", metavar="FOLDER")
    main(**vars(given.parse_args()))

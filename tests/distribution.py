"""Try out what `make dist` has built: `python tests/distribution.py dist`.

Wheel and source are looked through, each is installed into an empty environment without extras, and there a few commands must
answer: those that need nothing more, and those that need an extra in one clear line that names it.
"""

import json
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ANSWERS = (  # command, exit status, what it must say
    (["best", "tic-tac-toe", "--position", "xx./oo./... x", "--json"], 0, '"action": *"c3"'),
    (["games"], 0, "connect four"),
    (["--version"], 0, r"outplay \d+\.\d+\.\d+"),
    (["players"], 0, "grandmaster"),
    (["serve"], 2, r"pip install '?outplay\[studio\]"),
    (["playouts", "nim", "--device", "cuda"], 2, "no (GPU|CUDA)"),
    (["best", "spiel:hex"], 2, r"pip install outplay\[spiel\]"),
)


def contents(file: Path) -> set[str]:
    """The names of the files in a wheel or a source archive, from the package's folder on."""
    if file.suffix == ".whl":
        return set(zipfile.ZipFile(file).namelist())
    return {name.partition("/")[2] for name in tarfile.open(file).getnames()}


def try_out(file: Path) -> list[str]:
    """What goes wrong with a built file."""
    wrong = []
    tracked = subprocess.run(["git", "ls-files", "outplay"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    inside = contents(file)
    wrong += [f"{file.name} lacks {name}" for name in tracked if name not in inside and (ROOT / name).exists()]
    wrong += [f"{file.name} holds {name}" for name in inside if re.search(r"__pycache__|\.pyc$", name)]
    if file.suffix == ".whl":
        wrong += [f"{file.name} holds {name}" for name in inside if not re.match(r"outplay(-[\w.]+\.dist-info)?/", name)]
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        there = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        subprocess.run([there / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", file], check=True)
        for command, status, words in ANSWERS:
            print(f"{file.name}: outplay {' '.join(command)}", flush=True)
            done = subprocess.run([there / "outplay", *command], capture_output=True, text=True, cwd=folder, timeout=600,
                                  env={"PATH": str(there), "HOME": folder, "OUTPLAY_CACHE": f"{folder}/cache"})
            said = done.stdout + done.stderr
            if done.returncode != status or not re.search(words, said):
                wrong.append(f"{file.name}: outplay {' '.join(command)}: status {done.returncode}, said {said.strip()[-300:]!r}")
            if status == 2 and len(done.stderr.strip().splitlines()) != 1:
                wrong.append(f"{file.name}: outplay {' '.join(command)} is not refused in one line")
    return wrong


def main() -> int:
    """Try each file out; 1 where something is wrong."""
    files = sorted(Path(sys.argv[1]).glob("outplay-*"))
    problems = [problem for file in files for problem in try_out(file)]
    if [file.suffix for file in files] != [".whl", ".gz"]:
        problems.append(f"expected a wheel and a source archive, got {len(files)} files")
    print(json.dumps({"files": [file.name for file in files], "problems": problems}, indent=1))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

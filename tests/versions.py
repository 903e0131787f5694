"""Run the tests that rest on Numba's insides under the lowest and the highest Numba that we take, with every Python that is here.

    python tests/versions.py            # all of them
    python tests/versions.py 3.12       # one Python
"""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
TESTS = ("tests/compiling", "tests/engine/test_playouts.py", "tests/test_rules.py", "tests/games/test_nim.py")


def interpreter(version: str) -> str | None:
    """A Python of that version on this machine: on the path, or kept by pyenv."""
    found = shutil.which(f"python{version}")
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for candidate in (*([found] if found else []), *map(str, kept)):
        if subprocess.run([candidate, "-c", "import venv, ensurepip"], capture_output=True).returncode == 0:
            return candidate
    return None


def numbas() -> tuple[str, str]:
    """The lowest and the highest Numba of pyproject.toml, as pip wants them."""
    wanted = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]["dependencies"]
    (numba,) = (each for each in wanted if re.match(r"numba\b", each))
    lowest = re.search(r">=([\d.]+)", numba).group(1)
    return f"numba=={lowest}.*", numba


def main() -> int:
    failed = []
    for version in sys.argv[1:] or PYTHONS:
        python = interpreter(version)
        if python is None:
            print(f"Python {version}: not on this machine")
            continue
        for which, numba in zip(("lowest", "highest"), numbas(), strict=True):
            place = HERE / ".venv" / "versions" / f"{version}-{which}"
            print(f"Python {version}, {numba}", flush=True)
            subprocess.run([python, "-m", "venv", place], check=True)
            pip = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, "-e", HERE, numba, "pytest>=8", "hypothesis>=6.100"], check=True)
            tested = subprocess.run([place / "bin" / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS], cwd=HERE)
            if tested.returncode:
                failed.append(f"Python {version}, {numba}")
    print("failed: " + "; ".join(failed) if failed else "all passed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())

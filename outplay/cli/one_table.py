"""One table of `outplay bench`, in a process of its own: `python -m outplay.cli.one_table FILE ANSWER LIFELINE`.

The benchmark's `main()` runs as `python FILE` would run it, with its folder first on the path; what it returns, or why it could
not, is written to ANSWER as JSON. LIFELINE is the reading end of a pipe whose other end only the one who asked holds: when it
closes, whatever the reason, everything that was started here ends.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from outplay.cli.main import INTERRUPTED, stop


def _end_with(lifeline: int) -> None:
    os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)


def _module(path: Path) -> Any:
    sys.path[:0] = [str(path.parent), str(path.parent.parent)]  # its neighbours by name, and `benchmarks.x` from other processes
    sys.argv = [str(path)]
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}.{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _is_missing(problem: ImportError, folder: Path) -> bool:
    """Whether somebody else's package is not there: one of ours that cannot be imported is a fault."""
    name = (problem.name or "").partition(".")[0]
    return name != "outplay" and not (folder / f"{name}.py").exists()


def answer(path: Path) -> dict[str, Any]:
    """What a benchmark's main() returned, under `table`; or why it is `unavailable` here, or how it `failed`."""
    from outplay.errors import Unavailable
    from outplay.views.words import clean

    try:
        main = _module(path).main
        needed = [one for one in inspect.signature(main).parameters.values() if one.default is one.empty]
        table = main(*([] for _ in needed))  # what it must be given is the list of words on its command line
        if isinstance(table, int):  # a status
            return {"table": None} if not table else {"unavailable": "not here"} if table == 2 else {"failed": f"status {table}"}
        return {"table": clean(table)}
    except Unavailable as problem:
        return {"unavailable": str(problem)}
    except ImportError as problem:
        if not _is_missing(problem, path.parent):
            return {"failed": f"{type(problem).__name__}: {problem}"}
        return {"unavailable": f"needs {problem.name}, which is not installed" if problem.name else str(problem)}
    except SystemExit as leaving:
        if leaving.code == 2:  # as argparse leaves
            return {"unavailable": f"wants words of its own: python {path} --help"}
        return {"failed": f"status {leaving.code}"} if leaving.code else {"table": None}
    except Exception as problem:
        return {"failed": f"{type(problem).__name__}: {' '.join(str(problem).split())}"}


def main() -> None:
    """Run the table that was asked for."""
    path, out, lifeline = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    try:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, stop)
        said = answer(path)
        sys.stdout.flush()
        out.write_text(json.dumps(said), encoding="utf-8")
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()

"""Studies as files: the settings and the average strategies, in numbers of 16 bits.

>>> import tempfile
>>> from outplay.cards import cards
>>> from outplay.experts.poker.study.look import look
>>> study = Study(cards("Qs Jh 2h 7c 3d"), pot=100, stack=100, ranges=("AA,TT:0.5", "KK"), sizes="100")
>>> report = study.run(100)
>>> with tempfile.TemporaryDirectory() as folder:
...     save(study, Path(folder) / "aces.study")
...     again = load(Path(folder) / "aces.study")
>>> again.iterations, abs(look(again, "").worth - look(study, "").worth) < 0.01
(100, True)
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any

import numpy as np

from outplay.errors import BadValue, OutplayError, shorten
from outplay.experts.poker.study.kernels import Store, narrow
from outplay.experts.poker.study.solver import Study
from outplay.files import refuse_bomb, write_whole

KIND = "outplay study 1"


def save(study: Study, path: str | Path, *, whole: bool = False) -> None:
    """Write a study; `whole` keeps regrets too, in the numbers it was solved with, so that learning can go on."""
    if not study.stores:
        study.begin()
    told = {"kind": KIND, "board": study.deals.board, "pot": study.pot, "stack": study.stack, "sizes": study.sizes.text,
            "bits": study.bits if whole else 16, "iterations": study.iterations, "seconds": study.seconds, "whole": whole,
            "ranges": study.ranges}
    arrays: dict[str, Any] = {"told": np.frombuffer(json.dumps(told).encode(), np.uint8)}
    for seat in (0, 1):
        store = study.stores[seat]
        arrays[f"weights{seat}"] = study.whole_weights(seat)
        if whole:
            arrays |= {f"{name}{seat}": part for name, part in store._asdict().items()}
            continue
        sums, scales = store.sums16, store.sum_scales
        if study.bits == 32:
            lengths = study.lengths(seat)
            sums, scales = np.zeros(len(store.sums), np.int16), np.zeros(len(lengths), np.float32)
            narrow(store.sums, lengths, sums, scales)
        arrays |= {f"sums16{seat}": sums, f"sum_scales{seat}": scales}

    def write(file: IO[bytes]) -> None:
        np.savez(file, **arrays)

    write_whole(path, write)


def load(path: str | Path, threads: int = 1) -> Study:
    """Open a study that was saved."""
    name = shorten(str(path), 200)
    try:
        refuse_bomb(path, Path(path).stat().st_size)
        with np.load(path, allow_pickle=False) as found:
            told = json.loads(bytes(found["told"]))
            if told["kind"] != KIND:
                raise ValueError
            study = Study(told["board"], pot=told["pot"], stack=told["stack"], ranges=(found["weights0"], found["weights1"]),
                          sizes=told["sizes"], bits=told["bits"], threads=threads)
            study.begin()
            study.stores = [_store(study.stores[seat], found, seat, told["whole"]) for seat in (0, 1)]
            study.iterations, study.seconds = int(told["iterations"]), float(told["seconds"])
            study.ranges = (str(told["ranges"][0]), str(told["ranges"][1]))
    except OSError as problem:
        raise BadValue(f"cannot read {name!r}: {problem.strerror or problem}") from None
    except Exception as problem:  # NumPy, zipfile, JSON and our own checks raise whatever they like
        if isinstance(problem, OutplayError):
            raise BadValue(f"{name!r} is damaged: {problem}") from None
        raise BadValue(f"{name!r} is damaged, or no study") from None
    study.can_learn = bool(told["whole"])
    return study


def _store(empty: Store, found: Any, seat: int, whole: bool) -> Store:
    names = Store._fields if whole else ("sums16", "sum_scales")
    arrays = {name: np.ascontiguousarray(found[f"{name}{seat}"]) for name in names}
    for name, array in arrays.items():
        if array.shape != getattr(empty, name).shape or array.dtype != getattr(empty, name).dtype:
            raise ValueError(name)
    return empty._replace(**arrays)

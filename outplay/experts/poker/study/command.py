"""A study at the command line: `outplay equilibrium "hold'em" --flop "Qs Jh 2h" ...` solves it, keeps it and shows places of it."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outplay.cards import cards, cards_text
from outplay.cli.commands import Exit
from outplay.cli.common import console, in_words_of_count, print_json, seconds_in_words, tell
from outplay.cli.main import INTERRUPTED
from outplay.errors import BadValue
from outplay.experts.poker.charts import NAMES, NUMBERS
from outplay.experts.poker.study.betting import Sizes
from outplay.experts.poker.study.files import load, save
from outplay.experts.poker.study.look import View, follow, look
from outplay.experts.poker.study.solver import Report, Study

if TYPE_CHECKING:
    from outplay.cli.progress import Progress

TARGET = 0.5
"""Percent of the pot at which a study stops by itself."""
ON_DEVICE = 4
"""Times the memory of a study that a GPU takes for it: reaches and values of all boards stand there beside what is learned."""
SEATS = ("first", "last")


def study(*, board: str | None, pot: int | None, stack: int | None, ranges: str | None, sizes: str | None, bits: int | None,
          line: str, opened: Path | None, iterations: int | None, seconds: float | None, target: float | None, out: Path | None,
          checkpoint: Path | None, memory: int, threads: int | None, device: str, as_json: bool) -> None:
    """Solve what is asked, or open what was kept, and show a place of it."""
    from outplay.cli.progress import working

    count = threads or os.cpu_count() or 1
    kept = checkpoint if checkpoint is not None and checkpoint.exists() else None
    if opened is not None or kept is not None:
        solved = load(opened or kept or "", threads=count)
        if opened is None:
            solved.move_to(device)
    else:
        solved = _made(board, pot, stack, ranges, sizes, bits, memory, count, device)
    report: Report | None = None
    if opened is None:
        tell(_in_words(solved))
        follow(solved, line)  # a line that is not there is refused before the work, not after it
        wanted = target if target is not None else None if iterations is not None or seconds is not None else TARGET
        with working("studying", "hold'em", "Ctrl-C stops and keeps what is learned", keeps=True, patient=True) as progress:
            assert progress.interrupts is not None
            report = _learn(solved, iterations, seconds, wanted, progress.interrupts.event, progress)
        if checkpoint is not None:
            save(solved, checkpoint, whole=True)
        if out is not None:
            save(solved, out)
        stopped = progress.interrupts.event.is_set()
    else:
        stopped = False
    view = look(solved, line)
    if as_json:
        equity = solved.equity()
        found = {"game": "hold'em", "study": _settings(solved), "memory": solved.memory, "boards": solved.need.boards,
                 "decisions": solved.need.nodes, "iterations": solved.iterations, "seconds": solved.seconds,
                 "equity": list(equity), "out": None if out is None else str(out), "place": view.fields()}
        if report is not None:
            found |= {"exploitability": report.exploitability, "values": list(report.values)}
        print_json(found)
    else:
        _show(solved, report, view)
        if out is not None:
            tell(f"kept in {out}: outplay equilibrium \"hold'em\" --open {out} --line \"...\" looks around in it")
    if stopped:
        raise Exit(INTERRUPTED)


def _made(board: str | None, pot: int | None, stack: int | None, ranges: str | None, sizes: str | None, bits: int | None,
          memory: int, threads: int, device: str) -> Study:
    for option, given in (("--pot", pot), ("--stack", stack), ("--ranges", ranges)):
        if given is None:
            raise BadValue(f"a study needs --flop, --pot, --stack and --ranges; {option} is missing")
    assert pot is not None and stack is not None and ranges is not None
    parts = ranges.split("/")
    if len(parts) != 2:
        raise BadValue("--ranges expects two ranges with a slash between, the first to act before it: 88+,AJo+ / 22+,A2s+:0.5")
    made = Study(cards(board or ""), pot=pot, stack=stack, ranges=(parts[0].strip(), parts[1].strip()),
                 sizes=Sizes.parse(sizes or "50:50"), bits=bits or 32, threads=threads)
    made.move_to(device)
    most = min(memory << 20, free_memory())
    if bits is None and device == "cpu" and made.need.wide > most >= made.need.narrow:
        made.bits = 16
    if made.memory > most:
        raise BadValue(f"this study takes {made.need.wide / 1e6:,.0f} MB, {made.need.narrow / 1e6:,.0f} MB with --bits 16, and "
                       f"{most / 1e6:,.0f} MB may be used: offer fewer sizes, narrow the ranges, or raise --memory")
    return made


def free_memory() -> int:
    """Bytes that this machine can still give; where it does not say, as many as one likes."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            told = dict(line.split(":", 1) for line in file)
        return int(told["MemAvailable"].split()[0]) << 10
    except (OSError, KeyError, ValueError):
        return 1 << 62


def _learn(solved: Study, iterations: int | None, seconds: float | None, target: float | None, stop: threading.Event,
           progress: Progress) -> Report:
    """Learn with a line of progress."""
    known = ""

    def told(done: int) -> None:
        progress.note = f"{done} iterations{known}"

    report: Report | None = None
    for report in solved.search(iterations, seconds=seconds, target=target, stop=stop, progress=told):
        known = f", exploitability {report.exploitability:.3f} % of the pot"
        told(report.iterations)
    assert report is not None
    return report


def _settings(solved: Study) -> dict[str, Any]:
    return {"board": cards_text(solved.deals.board), "pot": solved.pot, "stack": solved.stack, "sizes": solved.sizes.text,
            "ranges": list(solved.ranges), "bits": solved.bits}


def _in_words(solved: Study) -> str:
    hands = " against ".join(str(len(each)) for each in solved.deals.numbers)
    on_device = "" if solved.device == "cpu" else f", and about {ON_DEVICE * solved.need.wide / 1e6:,.0f} MB of the GPU's memory"
    return (f"{hands} hands, {in_words_of_count(solved.need.boards)} boards that differ, {in_words_of_count(solved.need.nodes)} "
            f"decisions: {solved.memory / 1e6:,.0f} MB in numbers of {solved.bits} bits{on_device}")


def _show(solved: Study, report: Report | None, view: View) -> None:
    screen = console()
    if report is not None:
        equity = solved.equity()
        screen.print(f"exploitability {report.exploitability:.3f} % of the pot after {report.iterations} iterations in "
                     f"{seconds_in_words(report.seconds)}", markup=False)
        for seat in (0, 1):
            screen.print(f"{SEATS[seat]:<5} to act    {report.values[seat]:.2f} of the pot of {solved.pot}, "
                         f"equity {equity[seat]:.2%}", markup=False)
    show_view(view, screen)


def show_view(view: View, screen: Any) -> None:
    """A place in words, and a chart of 13 x 13 for each action but the first."""
    from rich.text import Text

    where = " ".join((cards_text(view.board, between=" "), *((f"after {', '.join(view.line)}",) if view.line else ())))
    screen.print(f"\n{view.street} {where}: the {SEATS[view.seat]} to act, pot {view.pot}, expects {view.worth:.2f}", markup=False)
    for action, share in zip(view.actions, view.played, strict=True):
        screen.print(f"  {action:<12} {share:7.2%}", markup=False)
    shares, weight, _ = view.chart()
    for number, action in enumerate(view.actions):
        if number == 0 and len(view.actions) > 1:
            continue
        screen.print(f"\n{action}: a digit for tenths, the hand's name where always, . never, - a hand that does not come here",
                     markup=False)
        for names, numbers in zip(NAMES, NUMBERS, strict=True):
            row = Text()
            for name, each in zip(names, numbers, strict=True):
                share = float(shares[number, each])
                said, style = ("-", "bright_black") if weight[each] <= 0 else (name, "black on green") if share > 0.995 else (
                    (".", "bright_black") if share < 0.005 else (str(int(10 * share)), "black on yellow"))
                row.append(f"{said:<4}", style)
                row.append(" ")
            row.rstrip()
            screen.print(row)

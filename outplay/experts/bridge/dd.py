"""The command `dd`: bridge with open cards."""

from __future__ import annotations

import time
from typing import Annotated, Any

from outplay.cli.commands import Argument, Exit, Option
from outplay.cli.common import AsJson, Cluster, console, print_json, print_table, seconds_in_words, tell
from outplay.cli.main import INTERRUPTED
from outplay.errors import BadValue, Unavailable

Deal = Annotated[str, Argument(metavar="DEAL", help="Four hands as PBN writes them: \"N:QJ6.K652.J85.T98 873... ... ...\"; "
                                     "@FILE: one deal a line.")]
Strain = Annotated[str | None, Option("--strain", metavar="S", help="Only this strain: C, D, H, S or NT.")]
Leader = Annotated[str | None, Option("--leader", metavar="W", help="Who leads (N, E, S, W): every card's tricks are told.")]
Played = Annotated[str, Option("--trick", metavar="SQ,S3", help="Cards on the table that are in nobody's hand any more.")]
Vulnerable = Annotated[str, Option("--vulnerable", metavar="none|NS|EW|both", help="For par.")]


def dd(deal: Deal, strain: Strain = None, leader: Leader = None, trick: Played = "", vulnerable: Vulnerable = "none",
       cluster: Cluster = None, as_json: AsJson = False) -> None:
    """Find the tricks that every declarer takes in every strain with open cards, par, or what each card to a trick is worth."""
    from outplay.cli.interrupts import Interrupts
    from outplay.cli.progress import working
    from outplay.experts.bridge.double_dummy import DoubleDummy, table, table_of
    from outplay.games.bridge import notation, scoring
    from outplay.names import find

    if deal.startswith("@"):
        if strain or leader or trick:
            raise BadValue("a file of deals gets its tables: leave --strain, --leader and --trick out")
        return _many(deal[1:], cluster, as_json)
    if cluster is not None:
        raise BadValue("--cluster is for many deals: dd @FILE, one deal a line")
    hands = notation.parse_hands(deal)
    on_table = [notation.card(word) for word in trick.replace(",", " ").split()]
    chosen = None if strain is None else notation.strain(strain)
    first = None if leader is None else notation.seat(leader)
    side = scoring.VULNERABILITIES.index(find("vulnerability", vulnerable, scoring.VULNERABILITIES))
    answer: dict[str, Any] = {"deal": notation.hands_text(hands), "table": None, "tricks": None, "par": None}
    begun = time.perf_counter()
    with Interrupts() as interrupted, working("dd", "bridge", "Ctrl-C stops") as progress:
        solver = DoubleDummy(hands, stop=interrupted.event, progress=progress.nodes)
        if first is not None or on_table:
            trump, leads = (notation.NOTRUMP if chosen is None else chosen), first or 0
            found = solver.cards(trump, leads, on_table)
            mover = (leads + len(on_table)) % 4
            total = int(hands[mover]).bit_count()
            answer["tricks"] = {notation.card_text(card): north_south if mover % 2 == 0 else total - north_south
                                for card, north_south in found.items()}
            answer["strain"], answer["to_play"] = notation.STRAINS[trump], notation.SEATS[mover]
        elif chosen is not None:
            answer["table"] = table_of(solver, (chosen,))
        else:
            answer["table"] = table(hands, stop=interrupted.event, progress=progress.nodes)
            if all(int(hand).bit_count() == 13 for hand in hands):
                best = scoring.par(answer["table"], side)
                answer["par"] = {"score": best.score, "contracts": list(best.contracts)}
    answer["seconds"] = time.perf_counter() - begun
    if as_json:
        print_json(answer)
        return
    if answer["tricks"] is not None:
        words = f"{answer['to_play']} to play, {answer['strain']}: tricks of that side"
        by_tricks: dict[int, list[str]] = {}
        for card, tricks in answer["tricks"].items():
            by_tricks.setdefault(tricks, []).append(card)
        print_table(("tricks", "cards"), [(str(n), " ".join(by_tricks[n])) for n in sorted(by_tricks, reverse=True)],
                    right=("tricks",))
        console().print(f"{words}, in {seconds_in_words(answer['seconds'])}", markup=False)
        return
    shown = list(next(iter(answer["table"].values())))
    print_table(("declarer", *shown), [(name, *(str(row[each]) for each in shown)) for name, row in answer["table"].items()],
                right=tuple(shown))
    told = f"par {answer['par']['score']:+d} for North and South: {', '.join(answer['par']['contracts']) or 'passed out'}; " \
        if answer["par"] else ""
    console().print(f"{told}solved in {seconds_in_words(answer['seconds'])}", markup=False)


def _many(file: str, cluster: str | None, as_json: bool) -> None:
    """The tables of all deals of a file, in its order."""
    from pathlib import Path

    from outplay.cli.progress import working
    from outplay.experts.bridge.double_dummy import many_tables
    from outplay.games.bridge import notation

    try:
        deals = [line.strip() for line in Path(file).read_text(encoding="utf-8").splitlines() if line.strip()]
    except OSError as problem:
        raise BadValue(f"cannot read {file}: {problem.strerror}") from None
    for deal in deals:
        notation.parse_hands(deal)  # a slip of the pen is told before anything is solved
    begun, tables = time.perf_counter(), []
    with working(f"dd of {len(deals)} deals", "bridge", "Ctrl-C stops and tells what is solved", keeps=True) as progress:
        assert progress.interrupts is not None
        stop = progress.interrupts.event
        try:
            for found in many_tables(deals, address=cluster, stop=stop):
                tables.append(found)
                progress.note = f"{len(tables)} of {len(deals)} deals"
        except (KeyboardInterrupt, Unavailable):  # the solver says the latter where it was stopped
            if not stop.is_set():
                raise
    seconds = time.perf_counter() - begun
    if as_json:
        solved = [{"deal": deal, "table": table} for deal, table in zip(deals, tables, strict=False)]
        print_json({"deals": solved, "seconds": seconds})
    else:
        for deal, table in zip(deals, tables, strict=False):
            print(deal, " ".join(f"{seat}:" + "/".join(str(tricks) for tricks in row.values()) for seat, row in table.items()))
        console().print(f"{len(tables)} of {len(deals)} deals in {seconds_in_words(seconds)}", markup=False)
    if stop.is_set():
        tell(f"stopped after {len(tables)} of {len(deals)} deals")
        raise Exit(INTERRUPTED)

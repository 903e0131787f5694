"""The command `equity`: what hold'em hands and ranges win against each other."""

from __future__ import annotations

from typing import Annotated

from outplay.cli.commands import Argument, Option
from outplay.cli.common import AsJson, Seed, Threads, console, in_words_of_count, print_json, print_table, seconds_in_words

Hands = Annotated[list[str], Argument(metavar="HAND HAND…", help="Hands or ranges: AhKh, QQ+, ATs+, 76s-54s, 15%, random.")]
Board = Annotated[str, Option("--board", metavar="B", help="Cards on the table, such as Kh7h2c.")]
Samples = Annotated[int | None, Option("--samples", metavar="N", help="Deal this many times at random instead of counting.")]
Exact = Annotated[bool, Option("--exact", help="Count every board, however long it takes.")]
Device = Annotated[str, Option("--device", metavar="cpu|cuda", help="Work here; a GPU samples.")]


def equity(
    hands: Hands,
    board: Board = "",
    samples: Samples = None,
    exact: Exact = False,
    device: Device = "cpu",
    threads: Threads = 1,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Find what each of several hold'em hands or ranges wins of the pot, exactly by all boards or by random deals."""
    from outplay.cli.interrupts import Interrupts
    from outplay.cli.progress import working
    from outplay.experts.poker.equity import equity as find

    with Interrupts() as interrupted, working("equity", "hold'em", "Ctrl-C stops") as progress:

        def told(share: float) -> None:
            progress.note = f"{share:.0%}"

        found = find(hands, board, exact=exact or None, samples=samples, threads=threads, seed=seed, device=device,
                     stop=interrupted.event, progress=told)
    if as_json:
        print_json({"hands": list(found.hands), "board": found.board, "equities": list(found.equities), "wins": list(found.wins),
                    "ties": list(found.ties), "errors": list(found.errors), "exact": found.exact, "deals": found.deals,
                    "seconds": found.seconds, "device": found.device})
        return
    rows = []
    for hand, share, win, tie, error in zip(found.hands, found.equities, found.wins, found.ties, found.errors, strict=True):
        exactly = "" if found.exact else f" ± {196 * error:.2f}"
        rows.append((hand, f"{100 * share:.2f} %{exactly}", f"{100 * win:.2f} %", f"{100 * tie:.2f} %"))
    print_table(("hand", "equity", "wins", "ties"), rows, right=("equity", "wins", "ties"))
    how = "every deal counted" if found.exact else "random deals, 95 % bounds"
    board_text = f" on {found.board}" if found.board else ""
    console().print(f"{in_words_of_count(found.deals)} deals{board_text} in {seconds_in_words(found.seconds)}: {how}", markup=False)

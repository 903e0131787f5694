"""`outplay match bridge A B --boards N`: a team match, each board at two tables, in IMPs."""

from __future__ import annotations

import math

from outplay.cli.commands import Exit
from outplay.cli.common import console, print_json, print_table, tell
from outplay.cli.main import INTERRUPTED
from outplay.errors import BadValue
from outplay.names import plain


def teams(game: str, names: list[str], boards: int, seed: int, as_json: bool) -> None:
    """Play the match and tell the IMPs a board with their interval."""
    from outplay.cli.progress import working
    from outplay.experts.bridge.teams import Board, imps_a_board, team_match
    from outplay.players import player

    if plain(game) != "bridge":
        raise BadValue(f"--boards is for bridge, got {game}")
    if len(names) != 2:
        raise BadValue(f"a team match is between two players, got {len(names)}")
    played: list[Board] = []
    with working(" against ".join(names), "bridge", "Ctrl-C stops and keeps the boards", keeps=True) as progress:
        assert progress.interrupts is not None
        stop = progress.interrupts.event
        first, second = (player(name, seed=seed) for name in names)
        first.stop = second.stop = stop
        try:
            for board in team_match(first, second, boards=boards, seed=seed, stop=stop):
                played.append(board)
                progress.note = f"{len(played)} of {boards} boards, {sum(each.imps for each in played):+d} IMPs"
        except KeyboardInterrupt:
            pass
        interrupted = stop.is_set()
    mean, reach = imps_a_board(played)
    if as_json:
        print_json({"game": "bridge", "players": names, "boards": [
            {"number": each.number, "deal": each.deal, "scores": list(each.scores), "imps": each.imps} for each in played],
            "imps": sum(each.imps for each in played), "imps_a_board": mean, "error": reach if math.isfinite(reach) else None})
    else:
        rows = [(str(each.number), f"{each.scores[0]:+d}", f"{each.scores[1]:+d}", f"{each.imps:+d}") for each in played]
        print_table(("board", "open room", "closed room", "IMPs"), rows, right=("board", "open room", "closed room", "IMPs"))
        total = sum(each.imps for each in played)
        sure = f" ± {reach:.2f} a board ({len(played)} boards, 95 %)" if math.isfinite(reach) else " a board (no interval)"
        console().print(f"{names[0]} {total:+d} IMPs against {names[1]}: {mean:+.2f}{sure}", markup=False)
    if interrupted:
        tell(f"stopped after {len(played)} of {boards} boards")
        raise Exit(INTERRUPTED)

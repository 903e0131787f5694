"""`evaluate`: what a position is worth at a glance, feature by feature."""

from __future__ import annotations

from typing import Annotated

from outplay import evaluations
from outplay.cli.answers import number
from outplay.cli.commands import Option
from outplay.cli.common import ActionsText, AsJson, GameName, PositionText, position_of, print_json, print_table
from outplay.players.judging import judge

Weights = Annotated[
    str | None, Option("--weights", metavar="W", help="A set that the game names, such as material for chess, or a file.")
]
All = Annotated[bool, Option("--all", help="Show features that add nothing here, too.")]


def evaluate(
    game: GameName,
    position: PositionText = None,
    actions: ActionsText = None,
    weights: Weights = None,
    everything: All = False,
    as_json: AsJson = False,
) -> None:
    """Show EVAL of a position, feature by feature, for the first player."""
    asked = position_of(game, position, actions)
    judged = judge(asked, weights)
    sets = list(evaluations.of(asked.game).sets)
    if as_json:
        print_json({
            "game": asked.game.name, "position": asked.text(), "value": judged.value, "unit": judged.unit,
            "features": {share.name: share.points for share in judged.shares}, "rest": judged.rest, "weights": weights or "default",
            "weight_sets": sets,
        })  # fmt: skip
        return
    shown = [share for share in judged.shares if everything or share.points]
    rows = [(share.name, number(round(share.points, 2))) for share in shown]
    if judged.rest:
        rows.append(("the rest", number(round(judged.rest, 2))))
    rows.append(("EVAL", number(round(judged.value, 2))))
    print_table(("feature", judged.unit), rows, right=(judged.unit,))
    if sets:
        print("other weights by name: " + ", ".join(f"--weights {name!r}" if " " in name else f"--weights {name}" for name in sets))

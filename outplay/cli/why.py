"""`outplay why GAME`: the reasons for an action, or against one, each proved before it is said."""

from __future__ import annotations

from typing import Annotated

from outplay.cli.commands import Option
from outplay.cli.common import ActionsText, AsJson, GameName, PositionText, console, position_of, print_json

Nodes = Annotated[int, Option("--nodes", metavar="N", min=1, help="Nodes for each position; what is said is proved by more.")]
Wanted = Annotated[str | None, Option("--action", metavar="A", help="The action to speak for or against; default: the best.")]


def why(
    game: GameName,
    position: PositionText = None,
    actions: ActionsText = None,
    action: Wanted = None,
    nodes: Nodes = 200_000,
    as_json: AsJson = False,
) -> None:
    """Say why an action is best, or what is wrong with one: only what a second, deeper search has proved."""
    from outplay.cli.progress import working
    from outplay.judge.claims import why as reasons
    from outplay.judge.worth import Judge

    asked = position_of(game, position, actions)
    with working("looking for reasons", asked.game.name, "Ctrl-C stops") as progress:
        assert progress.interrupts is not None
        judge = Judge(asked.game, nodes, stop=progress.interrupts.event)
        claims = reasons(asked, action, judge=judge)
        progress.hear()
    if as_json:
        print_json(
            {"game": asked.game.name, "position": asked.text(), "action": action, "claims": [claim.fields() for claim in claims]}
        )
        return
    for claim in claims:
        console().print(claim.text + (f"  (proved by {claim.proved_by})" if claim.proved_by else ""), markup=False)
    if not claims:
        console().print(
            f"nothing that {nodes:,} nodes can prove speaks for or against it: several actions are about as good", markup=False
        )

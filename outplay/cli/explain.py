"""`explain`: the search tree of an algorithm on a position, as one file that shows every step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from outplay.cli import answers
from outplay.cli.commands import Option
from outplay.cli.common import (
    ActionsText,
    AsJson,
    Depth,
    GameName,
    Nodes,
    PositionText,
    Seed,
    Simulations,
    complete_algorithm,
    position_of,
    print_json,
    tell,
    whole_options,
)
from outplay.cli.progress import working
from outplay.errors import BadValue
from outplay.files import write_whole
from outplay.players.explaining import explain as traced
from outplay.values import Limits
from outplay.views import tree as pictures

MOST_NODES = 1_000_000

OutFile = Annotated[Path, Option("--out", metavar="FILE", help="A file in .html, which steps through the search, or .svg.")]
AlgorithmName = Annotated[
    str, Option("--algorithm", metavar="A", help="A textbook name with its options.", autocompletion=complete_algorithm)
]


def explain(
    game: GameName,
    out: OutFile,
    position: PositionText = None,
    actions: ActionsText = None,
    algorithm: AlgorithmName = "auto",
    depth: Depth = None,
    nodes: Nodes = None,
    simulations: Simulations = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Draw the search tree of an algorithm, with every window, value and cut, as a standalone HTML or SVG file."""
    asked = position_of(game, position, actions)
    whole_options(seed=seed)
    kind = out.suffix.lower()
    if kind not in (".html", ".svg"):
        raise BadValue(f"--out expects a name that ends in .html or .svg, got {str(out)!r}")

    limits = Limits(depth=depth, nodes=MOST_NODES if nodes is None else nodes, simulations=simulations)
    with working("explaining", asked.game.name, "Ctrl-C stops") as progress:
        name, found, grown = traced(asked, algorithm, limits, seed=seed, watch=progress.count)
        worth = answers.value_in_words(found, asked)
        title = f"{name} on {asked.game.name}"
        facts = f"{worth}. {found.nodes:,} nodes, {found.leaves:,} leaves, {grown.pruned:,} actions skipped."
        if kind == ".html":
            text = pictures.page(grown, title=title, facts=facts, line=found.line)
        else:
            text = pictures.draw(grown, line=found.line, title=f"{title}: {worth}")
    write_whole(out, text)
    if as_json:
        answer = answers.fields(found, asked, name)
        print_json({"out": str(out), "pruned": grown.pruned, "steps": grown.ticks, **answer})
        return
    tell(facts)
    print(out)

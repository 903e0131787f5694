"""`export`: a game as one HTML file that plays by itself, or all games as a folder of pages for any static host."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from outplay.cli.commands import Argument, Option
from outplay.cli.common import AsJson, print_json
from outplay.cli.progress import working
from outplay.errors import BadValue

Game = Annotated[
    str | None, Argument(help="A game such as 'connect four:width=5', or a file of your own.", metavar="[GAME|FILE.py]")
]
Out = Annotated[Path | None, Option("--out", metavar="FILE", help="The page to write, such as game.html.")]
Site = Annotated[
    Path | None, Option("--site", metavar="FOLDER", help="Write a gallery and a page for every game into a folder.")
]
Searches = Annotated[
    list[str] | None,
    Option(
        "--search", metavar="NAME", help="A search that goes into the page, several times for several; left out, what suits."
    ),
]
Tables = Annotated[
    Path | None, Option("--tables", metavar="FOLDER", help="Endgame tables that go into the page (outplay tables build).")
]
Memory = Annotated[float | None, Option("--memory", metavar="MB", help="What each search may use in the page.")]


def export(
    game: Game = None,
    out: Out = None,
    site: Site = None,
    search: Searches = None,
    memory: Memory = None,
    tables: Tables = None,
    as_json: AsJson = False,
) -> None:
    """Write a game, with rules, search and board, as one HTML file that opens without Outplay."""
    from outplay.pages import export as export_page

    if (game is None) == (site is None):
        raise BadValue("give a game and --out FILE for one page, or --site FOLDER for a page of every game")
    if site is not None:
        if out is not None or search or tables:
            raise BadValue("--site chooses names and searches itself: leave --out, --search and --tables out")
        from outplay.web.site import export_site

        with working("a site", "the games", "Ctrl-C stops") as progress:
            told = export_site(site, memory=memory, tell=progress.line)
        if as_json:
            print_json(told)
        else:
            print(f"{told['out']}: {told['pages']} pages, {told['bytes'] / 1e6:.1f} MB; open {told['out']}/index.html")
            for name, why in told["refused"].items():
                print(f"{name} stays out: {why}")
        return
    if out is None:
        raise BadValue("--out is missing: the file to write, such as --out game.html")
    with working("a page", str(game), "Ctrl-C stops") as progress:
        made = export_page(str(game), out, searches=search, memory=memory, tables=tables, tell=progress.line)
    if as_json:
        print_json(made)
    else:
        print(
            f"{made['out']}: {made['bytes'] / 1000:.0f} KB, with {' and '.join(made['searches'])}; opens in any browser, offline"
        )

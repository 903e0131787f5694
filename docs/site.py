"""Gather the pages of the site under build/docs, for `mkdocs build`: the documents that are there, and lists made from registries.

    python docs/site.py

Generated are the list of games with a picture of each, of algorithms with every option, of commands with their help, and of the
names of the public face. mkdocs.yml names the pages in their order, and the build tells of those that it does not name.
"""

from __future__ import annotations

import html
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import figures

import notebooks
import outplay
from outplay.cli.app import COMMANDS
from outplay.game import game_names, load
from outplay.players.algorithms import COMMON, algorithms
from outplay.rules import describe_range
from outplay.views import plain, svg

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "build" / "docs"
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
OPENINGS = {"connect four": "4 4 4 4 3 5 5 5 2 1 3 3 6", "tic-tac-toe": "b2 a1 c1", "chess": "e4 e5 Nf3 Nc6 Bb5",
            "go": "E5 C3 G3 C7 G7 E3 C5 G5 D4 F3 G4 F4 F5 H4", "isolation": "b2 d4 c3 d3 b3 d2 a3",
            "othello": "d3 c5 d6 e3 f4 c6", "checkers": "9-13 22-18 11-15 18x11 8x15"}  # fmt: skip
"""Some moves that make a livelier picture than the start."""


def main() -> None:
    """All pages anew."""
    shutil.rmtree(TARGET, ignore_errors=True)
    (TARGET / "generated" / "pictures").mkdir(parents=True)
    shutil.copytree(ROOT / "docs" / "pictures", TARGET / "pictures")
    for page in sorted((ROOT / "docs").glob("*.md")):
        write(page.name, page.read_text(encoding="utf-8"))
    shutil.copy(ROOT / "docs" / "site.css", TARGET)
    shutil.copy(ROOT / "outplay" / "web" / "static" / "icon.svg", TARGET / "pictures")
    write("index.md", home_page())
    write("CHANGELOG.md", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        write(f"generated/{path.stem}.md", notebooks.as_markdown(json.loads(path.read_text(encoding="utf-8"))))
    playable = playable_games()
    write("generated/games.md", games_page(playable))
    write("generated/gallery.md", gallery_page(bool(playable)))
    write("generated/benchmarks.md", benchmarks_page())
    write("generated/algorithms.md", algorithms_page())
    write("generated/commands.md", commands_page())
    write("generated/api.md", api_page())
    write("generated/live.md", live_page())


def playable_games() -> set[str]:
    """Every game as a page that plays in the reader's browser; the names of these, none where the linker for them is missing."""
    from outplay.compiling import wasm
    from outplay.errors import OutplayError
    from outplay.web.site import export_site

    try:
        wasm.linker()
    except OutplayError as problem:
        print(f"docs: the games cannot be played in the site: {problem}", file=sys.stderr)
        return set()
    made = export_site(TARGET / "generated" / "play")
    for name, why in made["refused"].items():
        print(f"docs: {name} cannot be played in the site: {why}", file=sys.stderr)
    return set(made["games"])


PYODIDE = "pyodide@314.0.7"
"""Python for browsers, as npm has it (Mozilla Public License 2.0): fetched when the site is built, and no part of the package."""


def live_page() -> str:
    """Examples that run in the reader's browser, with all that they need beside them."""
    folder = TARGET / "generated" / "live"
    folder.mkdir()
    shutil.copy(ROOT / "docs" / "live" / "live.js", folder)
    with zipfile.ZipFile(folder / "outplay.zip", "w", zipfile.ZIP_DEFLATED) as files:
        for path in sorted((ROOT / "outplay").rglob("*")):
            if path.suffix in (".py", ".svg", ".css", ".js") and "web" not in path.parts:
                files.write(path, path.relative_to(ROOT))
        files.write(ROOT / "docs" / "live" / "numpy.py", "numpy.py")
    parts = ["# Try it here\n", "The textbook is plain Python, and so it runs in this page (by Pyodide): change an example and run "
             "it, nothing is installed and nothing leaves this computer. The first run loads Python, 13 MB. Games are plain "
             "classes here; those with typed fields, the compiled engine and the studio want an "
             "[installation](../first-minutes.md).\n"]
    if not fetch_pyodide(folder / "pyodide"):
        print("docs: Pyodide is not at hand (npm), so that the page Try it here only shows its examples", file=sys.stderr)
        parts.append("**This copy of the site was built without Pyodide: its examples can be read, and not run.**\n")
    for path in sorted((ROOT / "docs" / "live").glob("[0-9]*.py")):
        code = path.read_text(encoding="utf-8")
        shown = html.escape(code).replace("\n", "&#10;")  # Markdown must not see its lines
        parts.append(f"## {path.stem[2].upper() + path.stem[3:].replace('-', ' ')}\n\n"
                     f'<div class="live" id="{path.stem}">\n<textarea spellcheck="false" aria-label="{path.stem[2:]}" '
                     f'rows="{code.count(chr(10)) + 1}" style="width:100%;font:0.75rem/1.5 monospace">{shown}</textarea>\n'
                     '<p><button class="md-button" type="button">Run (Ctrl-Enter)</button></p>\n'
                     '<pre style="min-height:1.5em;white-space:pre-wrap"></pre><div class="drawn"></div>\n</div>\n')  # fmt: skip
    parts.append('<script type="module" src="live/live.js"></script>\n\nBrowsers run such pages from a server only, if it be one '
                 "of your own: `python -m http.server --directory site`.\n")  # fmt: skip
    return "\n".join(parts)


def fetch_pyodide(folder: Path) -> bool:
    """Put Pyodide into a folder, from the copy of the last build or by npm; False where there is neither."""
    kept = ROOT / "build" / "pyodide"
    if not (kept / "pyodide.mjs").exists():
        with tempfile.TemporaryDirectory() as there:
            asked = ["npm", "pack", "--silent", PYODIDE]
            try:
                subprocess.run(asked, cwd=there, check=True, capture_output=True, timeout=300)
            except (OSError, subprocess.SubprocessError):
                return False
            with tarfile.open(next(Path(there).glob("*.tgz"))) as archive:
                archive.extractall(there, filter="data")
            kept.mkdir(parents=True, exist_ok=True)
            for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"):
                shutil.copy(Path(there) / "package" / name, kept)
    shutil.copytree(kept, folder)
    return True


def write(name: str, text: str) -> None:
    """One page: links as the site has them, examples with their prompts marked as such, code files named instead of linked."""
    text = re.sub(r"\]\(docs/", "](", text)
    text = re.sub(r"\[([^\]]*)\]\(\.\./([^)]*\.py)\)", r"`\2`", text)
    text = re.sub(r"\[([^\]]*)\]\(((?:\.\./)?(?:examples|benchmarks|tests|outplay|LICENSE|CONTRIBUTING)[^)]*)\)", r"`\2`", text)
    text = re.sub(r"\]\((?:\.\./)?notebooks/([^)]*)\.ipynb\)", r"](generated/\1.md)", text)
    text = re.sub(r"\]\((?:\.\./)?notebooks\)", "](generated/1-first-search.md)", text)
    text = text.replace("```python\n>>>", "```pycon\n>>>")
    (TARGET / name).write_text(text, encoding="utf-8")


def cell(text: Any) -> str:
    """A text that may stand in a table."""
    return str(text).replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def games_page(playable: Collection[str] = ()) -> str:
    """Every game: picture, rules in a sentence, traits, parameters; and where it can be played at once."""
    from outplay.web.site import file_name

    parts = ["# All games\n", f"{len(game_names())} games come with Outplay. `outplay show GAME` prints one, `outplay play GAME` "
             "plays it.\n"]
    for name in game_names():
        game = load(name, compiled=False)
        parts.append(f"## {name}\n")
        position = game.start().play(OPENINGS.get(name, ""))
        for seed in range(12):
            if not position.is_chance():
                break
            position = position.result(position.sample_chance(seed))
        picture = plain.picture_of(position)
        if picture is None:
            sys.exit(f"the game {name} has no picture: give it one (docs/pictures.md)")
        file = re.sub(r"\W+", "-", name) + ".svg"
        (TARGET / "generated" / "pictures" / file).write_text(svg.board(picture, title=name), encoding="utf-8")
        parts.append(f'![{name}](pictures/{file}){{ width="280" }}\n')
        if name in playable:
            parts.append(f"[Play it here](play/games/{file_name(name)}.html): rules, search and board run in the page.\n")
        parts.append(((game.__doc__ or "").strip().split("\n\n")[0]) + "\n")
        traits = game.traits
        facts = [f"{traits.players} player{'s' * (traits.players > 1)}", "chance" if traits.chance else "no chance",
                 f"{traits.information} information", f"{traits.sum}-sum" if traits.players > 1 else "a problem for one"]
        parts.append(", ".join(facts) + ".\n")
        definition = getattr(getattr(game, "rules", None), "definition", None)
        if definition is not None and definition.defaults:
            parts.append("| parameter | what it may be | default |\n|---|---|---|")
            parts += [f"| `{key}` | {cell(describe_range(definition.ranges[key]))} | `{cell(value)}` |"
                      for key, value in definition.defaults.items()]
            parts.append("")
        fitting = [each.name for each in algorithms().values() if each.why_not(game) is None]
        parts.append("Searches: " + ", ".join(f"`{each}`" for each in fitting) + "\n")
    return "\n".join(parts)


def options_table(options: Any) -> list[str]:
    """A table of options."""
    rows = ["| option | what it may be | default | what it does |", "|---|---|---|---|"]
    for option in options:
        name = f"`{option.name}`" + (f" (`{option.also}`)" if option.also else "")
        rows.append(f"| {name} | {cell(option.range_in_words())} | {cell(option.default)} | {cell(option.help)} |")
    return [*rows, ""]


def algorithms_page() -> str:
    """Every algorithm with every option."""
    parts = ["# All algorithms\n", "A name alone is the textbook's, whose steps can be followed (`outplay explain`); `engine:NAME` "
             "is the same idea compiled to native code.\n", "Every search also takes:\n", *options_table(COMMON)]
    for one in algorithms().values():
        parts.append(f"## {one.name}\n")
        parts.append(one.description[:1].upper() + one.description[1:] + ".\n")
        parts.append(figure(one.name))
        if one.options:
            parts += options_table(one.options)
    return "\n".join(parts)


def figure(name: str) -> str:
    """The drawing of an algorithm at work, as Markdown."""
    idea = figures.ALSO.get(name, name.removeprefix("engine:"))
    picture = figures.at_work(idea)
    if picture is None:
        sys.exit(f"the algorithm {name} has no figure: give it an example in docs/figures.py")
    file = re.sub(r"\W+", "-", idea) + "-at-work.svg"
    (TARGET / "generated" / "pictures" / file).write_text(picture, encoding="utf-8")
    same = "The same idea, as the textbook walks it." if name.startswith("engine:") else f"{idea} at work on a small example."
    return f'<figure markdown="span">\n  ![{idea} at work](pictures/{file})\n  <figcaption>{same}</figcaption>\n</figure>\n'


READERS = (
    ("for-students", "Students", "follow a search step by step, change it, check your homework"),
    ("for-teachers", "Teachers", "lessons, exercises with answers, pictures for slides"),
    ("for-game-authors", "Game authors", "write the rules once, and everything here plays them"),
    ("for-engine-authors", "Engine authors", "kernels, tables, matches with SPRT, UCI and GTP"),
    ("for-researchers", "Learning researchers", "environments, batches on a GPU, recipes that resume"),
)


def home_page() -> str:
    """The README, and before its first section a door for each kind of reader."""
    doors = "".join(f'<a href="{page}.html"><b>{title}</b><span>{what}</span></a>' for page, title, what in READERS)
    begun, title, rest = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")
    return f'---\nhide: [navigation]\n---\n{begun}\n<div class="cards">{doors}</div>\n{title}{rest}'


def gallery_page(is_playable: bool = False) -> str:
    """The pictures of all games, and of the studio."""
    parts = ["# Gallery\n", "Everything here is drawn from the rules; the pieces are our own. A picture leads to its game.\n"]
    if is_playable:
        parts.append("**[Play them here, in the browser](play/index.html)**: rules, search and board run in the page.\n")
    cards = []
    for name in game_names():
        file = re.sub(r"\W+", "-", name) + ".svg"
        anchor = re.sub(r"[^\w-]+", "", name.lower().replace(" ", "-"))
        said = html.escape((load(name, compiled=False).__doc__ or "").strip().split("\n")[0].split(":")[0].rstrip("."))
        cards.append(f'<a href="games.html#{anchor}"><img src="pictures/{file}" alt="{html.escape(name)}" loading="lazy">'
                     f"<b>{html.escape(name[0].upper() + name[1:])}</b><span>{said}</span></a>")  # fmt: skip
    parts += [f'<div class="cards">{"".join(cards)}</div>\n', "\n## The studio\n"]
    for path in sorted((TARGET / "pictures").glob("studio-*.png")):
        words = path.stem.removeprefix("studio-")
        parts.append(f"**{words[0].upper() + words[1:]}**\n\n![the studio, {words}](../pictures/{path.name})\n")
    return "\n".join(parts)


def benchmarks_page() -> str:
    """Every benchmark: what it measures, the command that makes it, and its figures from the documents, each with its date."""
    parts = ["# Benchmarks\n", "One file a subject, one command each, and below it what it has shown, from the chapter that tells "
             "of it: the date is the one that the chapter names, else the day on which the figures were written there. Run the "
             "command for the figures of your own machine.\n"]
    told = measured()
    for path in sorted((ROOT / "benchmarks").glob("*.py")):
        said = re.match(r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.S)
        if said is None:
            continue  # a part of another
        parts.append(f"## {path.stem}\n\n{said[1].strip().split(chr(10) * 2)[0].replace(chr(10), ' ').rstrip('.')}.\n\n"
                     f"    python benchmarks/{path.name}\n")  # fmt: skip
        for page, title, text, dated, commands in told.get(path.stem, []):
            anchor = re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-")
            made = " and ".join(f"`{command}`" for command in commands)
            parts.append(f"**{dated}**, {made}, from [{title}](../{page}#{anchor}):\n\n{text}\n")
    return "\n".join(parts)


def measured() -> dict[str, list[tuple[str, str, str, str, list[str]]]]:
    """For each benchmark the figures of the documents: page, section, tables (or the paragraph that names it), date, commands."""
    found: dict[str, list[tuple[str, str, str, str, list[str]]]] = {}
    for page in sorted((ROOT / "docs").glob("*.md")):
        lines = page.read_text(encoding="utf-8").splitlines()
        days = line_days(page)
        heads = [number for number, line in enumerate(lines) if re.match(r"#{1,4} ", line)] + [len(lines)]
        for first, last in itertools.pairwise(heads):
            section = "\n".join(lines[first:last])
            names = sorted(set(re.findall(r"benchmarks/(\w+)\.py", section)))
            blocks = [(block.start(), block[0]) for block in re.finditer(r"(?m)(?:^\|.*(?:\n|\Z))+", section)]
            blocks = blocks or [(block.start(), block[0]) for block in re.finditer(r"(?s)(?:(?!\n\n).)+", section)
                                if "benchmarks/" in block[0] and "```" not in block[0]]  # fmt: skip
            blocks = [block for block in blocks if re.search(r"\d", block[1])]
            if not names or not blocks:
                continue
            within = [days.get(first + section[:start].count("\n") + row, "")
                      for start, text in blocks for row in range(text.count("\n") + 1)]  # fmt: skip
            stated = re.search(rf"(?:\d+ )?(?:{MONTHS}) 20\d\d", section)
            dated = stated[0] if stated else max(within, default="") or "undated"
            text = "\n\n".join(block.strip("\n") for _, block in blocks)
            text = re.sub(r"\]\((?!http|#|\.\.)([^)]*)\)", r"](../\1)", text)
            for name in names:
                said = re.findall(rf"benchmarks/{name}\.py(?: [^`\n]*)?", section)
                commands = [f"python {command.strip()}" for command in dict.fromkeys(said)]
                found.setdefault(name, []).append((page.name, lines[first].lstrip("# "), text, dated, commands))
    return found


def line_days(page: Path) -> dict[int, str]:
    """The day on which each line of a page was last written, as git knows it; nothing outside of a repository."""
    asked = ["git", "blame", "--porcelain", str(page)]
    said = subprocess.run(asked, capture_output=True, text=True, cwd=ROOT, check=False).stdout
    days: dict[int, str] = {}
    when: dict[str, str] = {}
    commit, line = "", 0
    for row in said.splitlines():
        if head := re.match(r"([0-9a-f]{40}) \d+ (\d+)", row):
            commit, line = head[1], int(head[2]) - 1
        elif row.startswith("author-time "):
            when[commit] = time.strftime("%Y-%m-%d", time.gmtime(int(row.split()[1])))
        elif row.startswith("\t"):
            days[line] = when[commit]
    return days


def commands_page() -> str:
    """Every command with its help."""
    parts = ["# Commands\n", "What `outplay COMMAND --help` says. The chapter [Command line](../command-line.md) teaches them.\n"]
    for name in COMMANDS:
        said = subprocess.run([sys.executable, "-m", "outplay", name, "--help"], capture_output=True, text=True, check=True,
                              env={**os.environ, "COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}).stdout
        parts.append(f"## {name}\n\n```text\n{said.strip()}\n```\n")
    return "\n".join(parts)


def api_page() -> str:
    """The names of the public face, from their docstrings."""
    parts = ["# The public face\n", "What `import outplay` offers; [versions](../versions.md) says what may change and when.\n"]
    for name in sorted(outplay.__all__, key=lambda each: (each[0].isupper(), each.lower())):
        thing = getattr(outplay, name)
        if getattr(thing, "__module__", None) is None or not hasattr(thing, "__qualname__"):
            continue  # modules and constants
        parts.append(f"::: {thing.__module__}.{thing.__qualname__}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    main()

"""Run the notebooks under notebooks/ without Jupyter: for the tests, for the site, and to store their output.

    python docs/notebooks.py                    # runs all of them anew and stores what they print and draw

A cell is Python; the value of its last expression is shown, as a picture where it has one. That is what Jupyter does, too, and the
notebooks use nothing else of it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
import time
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
DATA = (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_"), ("text/plain", "__repr__"))


def outputs_of(source: str, names: dict[str, Any], label: str) -> list[dict[str, Any]]:
    """Run one cell among the names of those before it; what it printed and what its last line is worth, as a notebook stores it."""
    tree = ast.parse(source, label)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    shown: list[dict[str, Any]] = []
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, label, "exec"), names)
        if isinstance(last, ast.Expr) and not source.rstrip().endswith(";"):
            value = eval(compile(ast.Expression(last.value), label, "eval"), names)
    if printed.getvalue():
        shown.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
    for kind, method in DATA if value is not None else ():
        text = getattr(value, method, lambda: None)()
        if text is not None:
            shown.append({"output_type": "execute_result", "metadata": {}, "execution_count": None, "data": {kind: text}})
            break
    return shown


def run(path: Path) -> dict[str, Any]:
    """The notebook with the outputs of all its cells, each run in turn."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(each for each in notebook["cells"] if each["cell_type"] == "code"):
        cell["execution_count"] = number + 1
        cell["outputs"] = outputs_of("".join(cell["source"]), names, f"{path.name}, cell {number + 1}")
    return notebook


def as_markdown(notebook: dict[str, Any]) -> str:
    """A page of the site."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"]).strip()
        if cell["cell_type"] == "markdown":
            parts.append(source + "\n")
            continue
        parts.append(f"```python\n{source}\n```\n")
        for shown in cell["outputs"]:
            if shown["output_type"] == "stream":
                parts.append(f"```text\n{''.join(shown['text']).rstrip()}\n```\n")
                continue
            for kind, text in shown["data"].items():
                text = "".join(text)
                parts.append(f"```text\n{text}\n```\n" if kind == "text/plain" else f'<div markdown="0">\n{text}\n</div>\n')
    return "\n".join(parts)


def main(names: list[str]) -> None:
    """Run those that are named, or all, and store their output."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        if names and path.stem not in names:
            continue
        begun = time.perf_counter()
        path.write_text(json.dumps(run(path), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{path.stem}: {time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])

"""For the site: examples in docstrings, which begin with `>>>`, shown as code."""

from typing import Any

import griffe


def fenced(text: str) -> str:
    """A docstring with a fence around each block of examples.

    >>> print(fenced("Adds.\\n\\n>>> 1 + 1\\n2").replace("`", "'"))
    Adds.
    <BLANKLINE>
    '''pycon
    >>> 1 + 1
    2
    '''
    """
    lines: list[str] = []
    is_inside = False
    for line in [*text.splitlines(), ""]:
        if not is_inside and line.lstrip().startswith(">>>"):
            lines.append("```pycon")
            is_inside = True
        elif is_inside and not line.strip():
            lines.append("```")
            is_inside = False
        lines.append(line)
    return "\n".join(lines).rstrip("\n")


class Doctests(griffe.Extension):
    """Fences the examples of every docstring."""

    def on_object(self, *, obj: griffe.Object, **more: Any) -> None:
        """Called for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)

"""How well the shipped fits hold, drawn: `python benchmarks/calibration_curves.py docs/pictures/calibration.svg`.

A panel a game: across, the share of winning that was foretold, upwards, what happened; a dot a tenth of the scale, as large as it
has positions, and the line on which both agree, with three points either side.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

from outplay.files import write_whole
from outplay.judge.shares import Fit, shipped

SIDE, EDGE, ROW = 170, 34, 3  # of a panel in pixels, its margin, and how many stand beside each other
BAND = 0.03


def panel(name: str, fit: Fit, left: float, top: float) -> str:
    """One game's curve."""
    size = SIDE - EDGE

    def at(foretold: float, happened: float) -> str:
        return f"{left + EDGE + size * foretold:.1f},{top + EDGE + size * (1 - happened):.1f}"

    most = max((count for _, _, count in fit.curve), default=1)
    dots = "".join(
        f'<circle transform="translate({at(a, b)})" r="{1.5 + 3.5 * math.sqrt(count / most):.1f}">'
        f"<title>{100 * a:.0f} % foretold, {100 * b:.0f} % happened, {count} positions</title></circle>"
        for a, b, count in fit.curve
    )
    band = " ".join((at(0, 0), at(0, BAND), at(1 - BAND, 1), at(1, 1), at(1, 1 - BAND), at(BAND, 0)))
    line = " ".join(at(a, b) for a, b, _ in fit.curve)
    return (
        f'<text x="{left + EDGE}" y="{top + EDGE - 8}">{name}, worst {100 * fit.error:.1f}</text>'
        f'<rect x="{left + EDGE}" y="{top + EDGE}" width="{size}" height="{size}" fill="#fff" stroke="#9aa3b2"/>'
        f'<polygon points="{band}" fill="#dbe7fb"/><polyline points="{at(0, 0)} {at(1, 1)}" stroke="#9aa3b2"/>'
        f'<polyline points="{line}" fill="none" stroke="#1a5fd6"/><g fill="#1a5fd6">{dots}</g>'
        f'<text x="{left + EDGE - 4}" y="{top + EDGE + 9}" text-anchor="end">100</text>'
        f'<text x="{left + EDGE - 4}" y="{top + SIDE}" text-anchor="end">0</text>'
    )


def draw(fits: dict[str, Fit]) -> str:
    """All games in one picture."""
    rows = -(-len(fits) // ROW)
    wide, tall = ROW * SIDE + 20, rows * (SIDE + 8) + 42
    parts = [panel(name, fit, SIDE * (k % ROW), (SIDE + 8) * (k // ROW)) for k, (name, fit) in enumerate(sorted(fits.items()))]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" '
        'font-family="sans-serif" font-size="11" fill="#1c2330" role="img" aria-label="Shares of winning, foretold and happened">'
        f'<rect width="{wide}" height="{tall}" fill="#f6f7f9"/>{"".join(parts)}'
        f'<text x="{EDGE}" y="{tall - 26}">Across: foretold, upwards: happened, in per cent of won games.</text>'
        f'<text x="{EDGE}" y="{tall - 10}">The band is three points wide on either side.</text></svg>\n'
    )


if __name__ == "__main__":
    write_whole(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures/calibration.svg"), draw(shipped()))

"""Go: who owns a point, manners at the end, SGF."""

from outplay.extras import Extras

extras = Extras(
    "go",
    player="net:go-9",
    otherwise=("net:go-13",),
    sample="E5 C7 G3 G7 C3 E7 D3 F4 F3 G4 H4 E4 D5 H5 H3 D4 C4 F5 F6 E6 D6",
    studio=".studio:PANEL",
    judge=".words:reasons",
    formats={"sgf": ".format:FORMAT"},
    presets={"alphago": ("net:go-9,time=5", "Monte Carlo tree search led by a network, on 9 x 9 (DeepMind, 2016)")},
)

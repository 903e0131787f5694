"""Bridge: double dummy, single dummy, the player, the table, team matches and its commands."""

from outplay.extras import Extras

extras = Extras(
    "bridge",
    player="double-dummy",
    named=(("double-dummy:deals=40,time=1", "GIB's way, 1 s a card", "deals what it does not see and solves each deal"),
           ("double-dummy:deals=200,time=5", "GIB's way, 5 s a card", "the same with more deals"),
           ("kitchen", "Kitchen table", "the rules of thumb that every beginner learns")),
    levels=False,
    studio=".studio:PANEL",
    formats={"pbn": ".format:FORMAT", "lin": ".format:LIN"},
    players={"double-dummy": ".player:double_dummy_player", "kitchen": ".player:Kitchen"},
    presets={"gib": ("double-dummy:deals=100,time=1", "a hundred deals that fit, each solved with open cards (Ginsberg, 1998)")},
    teams=".match:teams",
    table=".play:BridgeTable",
    commands={"dd": ".dd:dd"},
    weigh=".weighing:weigh",
)

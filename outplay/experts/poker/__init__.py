"""Hold'em: equities, charts, strategies of the limit game, and hands as files."""

from outplay.extras import Extras

extras = (Extras(
    "hold'em",
    player="blueprint",
    deals=50,
    studio=".studio:HOLDEM",
    formats={"phh": ".format:FORMAT"},
    players={"blueprint": ".blueprint:Blueprint", "ranges": ".ranges:Ranges"},
    strategies=".trained:open_strategy",
    equilibria={"buckets": ".limit:HoldemSolver"},
    study=".study.command:study",
    pages=".study.pages:router",
    session=".session:command",
    table=".play:HoldemTable",
    commands={"equity": ".commands:equity"},
    judge=".words:reasons",
    weigh=".weighing:weigh",
), Extras("push or fold", deals=10, chart=".charts:show", pages=".pages:router", studio=".studio:PUSH", puzzle=".charts:puzzle"),
    Extras("kuhn poker", deals=10, studio=".studio:PLAIN"),
    Extras("leduc poker", deals=10, studio=".studio:PLAIN"),
    Extras("liar's dice", studio=".studio:DICE"))

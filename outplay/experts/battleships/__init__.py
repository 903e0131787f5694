"""Battleships: all fleets that fit what was seen, the shooter, and what it learned."""

from outplay.extras import Extras

extras = Extras("battleships", studio=".studio:PANEL", player="shooter", players={"shooter": ".shooter:Shooter"},
                named=(("shooter", "Full strength", "learned where to shoot"),), levels=False,
                tuner=".tune:tune", recipes={"shooting": ".learning:Run"})

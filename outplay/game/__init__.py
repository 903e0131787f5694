"""The Python face of every game: `load` a game, get a `Position`, ask it the lectures' six questions.

>>> position = load("tic-tac-toe").start()
>>> position.player(), len(position.actions()), position.is_terminal()
(0, 9, False)
>>> position = position.play("b2 a1 c1")
>>> position.text()
'.../.x./o.x o'

There are two kinds of game, and everything above this module takes both. A *plain* game is a subclass of `Game` that gives the
lectures' functions (initial state, PLAYER, ACTIONS, RESULT, TERMINAL-TEST, UTILITY) on immutable hashable states. A *compiled*
game is a class made by the decorator of `outplay.rules`; here it is wrapped in a `CompiledGame`, whose states are the bytes of
a record.
"""

from outplay.game.compiled import COMPILE_AFTER, CompiledGame
from outplay.game.loading import game_names, known_game, load, need
from outplay.game.position import Game, Position, State

__all__ = ["COMPILE_AFTER", "CompiledGame", "Game", "Position", "State", "game_names", "known_game", "load", "need"]

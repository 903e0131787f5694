"""Connect four: the network that learned it by itself."""

from outplay.extras import Extras

LEARNED = "net:connect-four,time=1", "A network that learned by itself", "after AlphaZero, 1 s a move"
extras = Extras("connect four", named=(LEARNED,), sample="4 4 4 3 5 3 3 2 5 5 6 2 4")

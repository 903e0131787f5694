"""Poker study: heads-up no-limit hold'em from the flop, turn or river on, solved for two ranges and given sizes of bets."""

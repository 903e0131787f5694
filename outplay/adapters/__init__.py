"""Doors to other libraries: PettingZoo, Gymnasium, OpenSpiel, and batches of games as arrays.

| module | what it gives | extra |
|---|---|---|
| `adapters.pettingzoo` | any game as an AEC environment: `env("chess")` | `adapters` |
| `adapters.gymnasium` | a game of one player as an environment: `env("fifteen puzzle")` | `adapters` |
| `adapters.spiel` | our games in OpenSpiel: `to_spiel("kuhn poker")`; its games here: `load("spiel:hex")` | `spiel` |
| `adapters.batch` | thousands of games at once as arrays: `outplay.batch("connect four", n=4096)` | none |

All of them number actions and see positions by `adapters.spaces`.
"""

"""Numba's home: what is compiled, how compiled code finds the rules of a game, and when a compiled thing is stale.

Authors import from `outplay.jit`. In the order in which the modules build on each other:

* `marks`: number types and the decorators that say what is compiled;
* `intrinsics`, `randomness`: words of 64 bits, bare memory, random numbers;
* `tables`: arrays of data that compiled code reads through a symbol, so that they are no part of the code;
* `fingerprints`: a hash of all that a function reaches;
* `passes`: how Numba compiles a kernel, less what kernels have no use for;
* `dispatch`: how compiled code finds ``state.play(action)`` by the type of the state;
* `cache`: compiled kernels on disk;
* `kernels`: functions that are entered from Python.

Numba itself is imported when the first kernel runs: listing or showing a game does not pay for it.
"""

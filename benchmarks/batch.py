"""Steps a second of batches of games, beside pgx where it is installed: `python benchmarks/batch.py [--device cuda] [--share]`.

A step is one random legal action in one game, with the new legal mask; games that are over begin anew. pgx (JAX) does the
same by `jax.vmap(step)` with `auto_reset`, sixteen steps in one compiled loop, compiled beforehand; it runs on the device that JAX
takes (JAX_PLATFORMS=cpu for the processor). `--share` shows that torch and JAX take our arrays without a copy.
"""

import argparse
import json
import time

import outplay

GAMES = {"tic-tac-toe": "tic_tac_toe", "connect four": "connect_four", "othello": "othello", "go:size=9": "go_9x9",
         "chess": "chess", "backgammon": "backgammon", "leduc poker": "leduc_holdem"}  # fmt: skip
SECONDS = 1.0


def ours(name, n, device, threads):
    more = {} if device == "cuda" else {"threads": threads}
    games = outplay.batch(name, n=n, device=device, auto_reset=True, **more)
    games.step(games.sample())  # compiles
    steps, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        games.step(games.sample())
        steps += n
    if device == "cuda":
        games.check()
    return steps / (time.perf_counter() - begun)


def theirs(name, n):
    try:
        import jax
        import pgx
        from pgx.experimental import auto_reset
    except ImportError:
        return None
    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    def turn(state, key):
        one, two = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        return step(state, jax.random.categorical(one, logits), two)

    def sixteen(state, key):
        keys = jax.random.split(key, 16)
        return jax.lax.fori_loop(0, 16, lambda at, now: jax.vmap(turn)(now, jax.random.split(keys[at], n)), state)

    turns = jax.jit(sixteen)
    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, n))
    state = jax.block_until_ready(turns(state, key))
    steps, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        key, now = jax.random.split(key)
        state = jax.block_until_ready(turns(state, now))
        steps += 16 * n
    return steps / (time.perf_counter() - begun)


def shared(device):
    """Which libraries see our memory itself: the address that they have, and a change that they see."""
    games = outplay.batch("connect four", n=1024, device=device, seed=1)
    found = {}

    def address(array):
        return array.ctypes.data if device == "cpu" else array.__cuda_array_interface__["data"][0]

    try:
        import torch

        for name in ("legal", "players", "rewards", "ended", "cut", "plies"):
            taken = torch.from_dlpack(getattr(games, name))
            found[f"torch {name}"] = taken.data_ptr() == address(getattr(games, name)) and taken.device.type == device
        taken = torch.from_dlpack(games.observe())
        mine = torch.from_dlpack(games.plies)
        before = mine.clone()
        for _ in range(6):
            games.step(torch.from_dlpack(games.sample()))
        found["torch sees a step"] = bool((mine != before).any())
        found["torch observation"] = f"{tuple(taken.shape)} on {taken.device}"
    except ImportError:
        found["torch"] = "is not installed"
    try:
        import jax

        for name in ("legal", "players", "rewards", "ended", "cut"):
            taken = jax.dlpack.from_dlpack(getattr(games, name))
            found[f"jax {name}"] = taken.unsafe_buffer_pointer() == address(getattr(games, name))
        found["jax device"] = str(taken.device)
    except ImportError:
        found["jax"] = "is not installed"
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    options.add_argument("--n", type=int, default=4096)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("games", nargs="*", default=list(GAMES))
    options.add_argument("--share", action="store_true", help="whether torch and JAX take the arrays without a copy")
    asked = options.parse_args()
    if asked.share:
        print(json.dumps(shared(asked.device), indent=1))
        return
    print(f"{'game':16} {'outplay steps/s':>16} {'pgx steps/s':>14}")
    for name in asked.games:
        other = theirs(GAMES[name], asked.n) if name in GAMES else None
        beside = "-" if other is None else f"{other:,.0f}"
        print(f"{name:16} {ours(name, asked.n, asked.device, asked.threads):16,.0f} {beside:>14}", flush=True)


if __name__ == "__main__":
    main()

"""Steps a second of batches of games, beside pgx where it is installed: `python benchmarks/batch.py [--device cuda]`.

A step is one random legal action in one game, with the new legal mask; games that are over begin anew. pgx (JAX) does the
same by `jax.jit(jax.vmap(step))` with `auto_reset`, compiled beforehand.
"""

import argparse
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

    turns = jax.jit(jax.vmap(turn))
    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, n))
    state = jax.block_until_ready(turns(state, jax.random.split(key, n)))
    steps, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        key, now = jax.random.split(key)
        state = jax.block_until_ready(turns(state, jax.random.split(now, n)))
        steps += n
    return steps / (time.perf_counter() - begun)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    options.add_argument("--n", type=int, default=4096)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("games", nargs="*", default=list(GAMES))
    asked = options.parse_args()
    print(f"{'game':16} {'outplay steps/s':>16} {'pgx steps/s':>14}")
    for name in asked.games:
        other = theirs(GAMES[name], asked.n) if name in GAMES else None
        beside = "-" if other is None else f"{other:,.0f}"
        print(f"{name:16} {ours(name, asked.n, asked.device, asked.threads):16,.0f} {beside:>14}", flush=True)


if __name__ == "__main__":
    main()

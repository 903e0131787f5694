"""What the tests of games share: following another program's game step for step, golden playthroughs, and garbage."""

import hashlib
import random
from pathlib import Path

from hypothesis import strategies as st

from outplay.errors import OutplayError

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


def follow(other_game, ours, games, number_of=lambda position, action: action, seed=1):
    """Play random games in OpenSpiel's rules and in ours side by side; returns how many positions were compared."""
    draw = random.Random(seed)
    positions = 0
    for _ in range(games):
        state, position = other_game.new_initial_state(), ours.start()
        while not state.is_terminal():
            assert not position.is_terminal() and state.current_player() == position.player()
            mine = {number_of(position, action): action for action in position.actions()}
            assert set(state.legal_actions()) == set(mine), f"{state}\n{position.text()}"
            choice = draw.choice(sorted(mine))
            state.apply_action(choice)
            position = position.result(mine[choice])
            positions += 1
        assert position.is_terminal() and tuple(state.returns()) == position.utilities()
    return positions


def playthrough(game, seed=7):
    """One random game as text: each position with its player, its actions and what was played."""
    draw = random.Random(seed)
    position = game.start()
    lines = [f"{game.name}: {game.traits}"]
    while not position.is_terminal():
        actions = [position.action_text(action) for action in position.actions()]
        if position.is_chance():
            actions = [f"{text}:{chance:.6g}" for text, (_, chance) in zip(actions, position.chances(), strict=True)]
        chosen = draw.choice(position.actions())
        lines.append(f"{position.text()}   player {position.player()}: {' '.join(actions)} -> {position.action_text(chosen)}")
        position = position.result(chosen)
    lines.append(f"{position.text()}   utilities {' '.join(f'{utility:g}' for utility in position.utilities())}")
    return "\n".join(lines) + "\n"


def opening(game, plies=24, seed=7):
    """How a random game begins, as text: long lists of actions by their number, their first ones and a digest of all."""
    draw = random.Random(seed)
    position = game.start()
    lines = [f"{game.name}: {game.traits}", f"seats: {', '.join(game.seat_name(seat) for seat in range(game.players))}"]
    for ply in range(plies):
        if position.is_terminal():
            break
        if position.is_sampled():
            chosen, told = position.sample_chance(seed + ply), "drawn"
        else:
            texts = [position.action_text(action) for action in position.actions()]
            chosen = draw.choice(position.actions())
            digest = hashlib.sha256(" ".join(texts).encode()).hexdigest()[:8]
            told = " ".join(texts) if len(texts) < 12 else f"{len(texts)} actions {' '.join(texts[:4])} ... {digest}"
        shown = position.action_text(chosen) if position.is_public(chosen) else f"({position.action_text(chosen)})"
        lines.append(f"{position.text()}   player {position.player()}: {told} -> {shown}")
        position = position.result(chosen)
    worth = f"   utilities {' '.join(f'{each:g}' for each in position.utilities())}" if position.is_terminal() else ""
    return "\n".join([*lines, position.text() + worth]) + "\n"


def assert_playthrough(game, name, written=playthrough):
    """The playthrough is the one kept under that name; delete the file to write it anew after a change that is meant."""
    path = PLAYTHROUGHS / f"{name}.txt"
    if not path.exists():
        path.write_text(written(game), encoding="utf-8")
        raise AssertionError(f"{path.name} was missing and has been written: read it, then run again")
    assert written(game) == path.read_text(encoding="utf-8")


def garbage(letters):
    """Texts made of the letters that a notation uses, and of any other."""
    mixed = st.one_of(st.sampled_from(letters), st.characters())
    return st.text(alphabet=mixed, max_size=40) | st.text(alphabet=letters, max_size=40)


def assert_only_clear_errors(game, text):
    """A text is read as a position that goes round, or refused in one line; the same for actions."""
    for read in (game.position, game.start().play):
        try:
            position = read(text)
        except OutplayError as problem:
            assert "\n" not in str(problem)
        else:
            assert game.position(position.text()) == position
            assert position.is_terminal() or position.actions()

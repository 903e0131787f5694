"""What `outplay tune` does by playing games: --spsa moves numbers of a player, --race finds the best of several players."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outplay.cli.commands import Exit
from outplay.cli.common import print_json, print_table, sprt_of, tell
from outplay.cli.main import INTERRUPTED
from outplay.errors import BadValue

if TYPE_CHECKING:
    from outplay.cli.progress import Progress

PLAYER = "engine"


def spsa(game: str, asked: list[str], player: str, games: int, seconds: float | None, verify: int, bounds: str, folder: Path | None,
         out: Path | None, seed: int, threads: int | None, cluster: str | None, as_json: bool) -> None:
    """Tune numbers of a player, show their way, and prove what came of it."""
    from outplay.arena.elo import elo
    from outplay.cli.progress import working
    from outplay.files import write_whole
    from outplay.game import load
    from outplay.workshop import spsa as workshop

    loaded = load(game, compiled=True) if asked == ["weights"] else load(game)
    is_weights = asked == ["weights"]
    knobs = workshop.weight_knobs(loaded) if is_weights else tuple(workshop.parse_knob(each) for each in asked)
    task = workshop.Task(game, player, knobs, is_weights, seconds, seed)
    _try(task, loaded)
    test = sprt_of(bounds)
    pairs = max(1, games // 2)
    state = workshop.State.read(folder, task, pairs) if folder is not None else workshop.State(
        workshop.Tuner(knobs, pairs, seed), [], task.stamp())
    workers = threads or os.cpu_count() or 1
    with working("tuning", loaded.name, "Ctrl-C stops" + (" and keeps what is played" if folder else ""), keeps=True) as progress:
        assert progress.interrupts is not None
        stop = progress.interrupts.event
        shared: dict[str, Any] = {"workers": workers, "address": cluster, "stop": stop, "folder": folder}
        for now in workshop.tune(task, state, **shared):
            values = now.tuner.values()
            said = ", ".join(f"{knob.name}={knob.text(values[knob.name])}" for knob in knobs[:3])
            progress.note = f"{2 * now.tuner.done:,} of {2 * pairs:,} games, {said}"
        if not stop.is_set() and verify >= 2:
            for tally in workshop.verify(task, state, verify // 2, test, **shared):
                progress.note = f"checking: {tally.games:,} games, {elo(tally)} Elo"
    values = state.tuner.values()
    tally = workshop.tally_of(state.checked)
    verdict = (test.verdict(tally) or "open") if tally.games else None
    player_text = player if is_weights else task.variant(values).text
    if out is not None and state.tuner.done:
        lines = "".join(f"{values[knob.name]:.6g}  # {knob.name}\n" for knob in knobs) if is_weights else player_text + "\n"
        write_whole(out, lines)
    if as_json:
        print_json({"game": game, "player": player_text, "values": values, "games": 2 * state.tuner.done,
                    "start": {knob.name: knob.start for knob in knobs},
                    "course": [state.tuner.numbers(each) for each in state.tuner.course],
                    "check": None if verdict is None else {"verdict": verdict, "games": tally.games, "elo": elo(tally).difference,
                                                           "bounds": [test.low, test.high]},
                    "out": None if out is None else str(out)})
    else:
        rows = [(knob.name, knob.text(knob.start), knob.text(values[knob.name])) for knob in knobs]
        print_table(("number", "before", "tuned"), rows, right=("before", "tuned"))
        if state.tuner.course:
            print(workshop.curve(state))
        print(f"{2 * state.tuner.done:,} games" + ("" if is_weights else f"; the player is {player_text}"))
        if verdict is not None:
            print(f"against the one before: {elo(tally)} Elo in {tally.games:,} games; {test.told(tally)}")
    _leave(progress, folder)


def _try(task: Any, loaded: Any) -> None:
    """Refuse an option that the player lacks before a game is played."""
    from outplay.arena.match import check
    from outplay.workshop.pairs import seat

    check(loaded, [seat(task.start())] * loaded.players)


def race(game: str, players: list[str], games: int, seconds: float | None, care: float, seed: int, threads: int | None,
         cluster: str | None, as_json: bool) -> None:
    """Find the strongest of several players, dropping losers early."""
    from outplay.cli.progress import working
    from outplay.game import load
    from outplay.workshop.pairs import Job, Variant, play, seat
    from outplay.workshop.race import Race

    loaded = load(game)
    if len(players) < 2:
        raise BadValue("--race needs two players or more: --race engine:mcts --race engine:pvs")
    from outplay.arena.match import check

    for each in players:
        check(loaded, [seat(Variant(each))] * loaded.players)
    race = Race(len(players), care)
    workers = threads or os.cpu_count() or 1
    with working(f"a race of {len(players)}", loaded.name, "Ctrl-C stops and tells what is known", keeps=True) as progress:
        assert progress.interrupts is not None
        stop = progress.interrupts.event
        number = 0

        def jobs() -> Iterator[Job]:
            nonlocal number
            while not race.is_over and 2 * number < games:
                first, second = race.next_pair()
                meeting.append((first, second))
                yield Job(game, Variant(players[first]), Variant(players[second]), number, seed, seconds)
                number += 1

        meeting: list[tuple[int, int]] = []
        for done, (_, points) in enumerate(play(jobs(), workers=workers, address=cluster, stop=stop)):
            race.learn(*meeting[done], points)
            progress.note = f"{2 * race.pairs:,} games, {len(race.left)} of {len(players)} left, first {players[race.leader]}"
    mean, spread = race.places()
    order = sorted(range(len(players)), key=lambda each: (each not in race.left, -mean[each]))
    leader = race.leader
    found = [{"player": players[each], "elo": float(mean[each] - mean[leader]),
              "error": 1.96 * float(max(spread[each, each] + spread[leader, leader] - 2 * spread[each, leader], 0) ** 0.5),
              "games": 2 * int(race.played[each]), "left": each in race.left} for each in order]
    decided = race.is_over and race.pairs > 0
    if as_json:
        print_json({"game": game, "winner": players[leader] if decided else None, "games": 2 * race.pairs, "players": found})
    else:
        rows = [(str(each["player"]), f"{each['elo']:+.0f} ± {each['error']:.0f}", f"{each['games']:,}",
                 "" if each["left"] else "dropped") for each in found]
        print_table(("player", "Elo to the first", "games", ""), rows, right=("games",))
        print(f"{2 * race.pairs:,} games: " + (f"{players[leader]} is first; nobody is likely to be {care:g} Elo better" if decided
                                              else "not decided yet: more --games tell it"))
    _leave(progress, None)


def _leave(progress: Progress, folder: Path | None) -> None:
    if progress.interrupts is not None and progress.interrupts.event.is_set():
        if folder is not None:
            tell(f"stopped; the same command goes on from {folder}")
        raise Exit(INTERRUPTED)

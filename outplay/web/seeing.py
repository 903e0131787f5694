"""A saved game as a page shows it, with what the rules hide from the person at the board left out."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Sequence
from typing import Any

from fastapi import HTTPException

from outplay.errors import BadValue
from outplay.formats import games as formats
from outplay.formats import variations
from outplay.game import Game, Position
from outplay.jit import random_source
from outplay.judge.review import can_review
from outplay.picture import Picture
from outplay.playing import LOST, Play
from outplay.views.panel import panel_of
from outplay.web import boards, explorer
from outplay.web.boards import PLAIN, Look
from outplay.web.spoken import spelled
from outplay.web.tables import Table, is_away

HIDDEN = "•"
NOBODY = -2
"""The eyes of who sits nowhere."""


def view(table: Table, at: int | None = None, look: Look = PLAIN, eyes: int | None = None) -> dict[str, Any]:
    """The game after `at` plies, or as it stands; `eyes` is the seat of the person who looks."""
    saved, play, plies, latest = table.saved, table.play, table.plies, table.latest
    if at is not None and not 0 <= at <= plies:
        raise BadValue(f"at must be from 0 to {plies}, got {at}")
    shown = plies if at is None else at
    position = play.after(shown)
    secret, people = table.is_secret, play.people
    if eyes is not None and eyes not in people:
        raise HTTPException(409, "no person sits there")
    looking = eyes_of(table, position if at is None else latest) if eyes is None else eyes
    seen = position.observe(looking) if secret else position
    below = people[0] if len(people) == 1 else looking if secret else None
    marks = last_move(play, shown) if not secret else seen_of_last(play, shown)
    told = boards.shown(seen, look, marks, table.is_person(position), below)
    over = play.outcome is not None and shown == plies
    if over and not latest.is_terminal():
        assert play.outcome is not None
        told.update(terminal=True, utilities=list(play.outcome.utilities), legal=[], result="a draw" if play.outcome.winner is None
                    else boards.winner_in_words(table.game, play.outcome.winner))  # fmt: skip
    person = table.is_person(position) and not over
    mover = position.player() if not position.is_terminal() and not position.is_chance() else -1
    away = mover >= 0 and not person and (table.seat is not None or is_away(saved.players[mover]))
    curtain = secret and person and position.player() != looking
    words = words_of(play)
    known = _known(play, looking) if secret else []
    told.update(
        address=saved.address,
        start=None if secret else saved.start,  # it tells what everybody was dealt
        players=list(saved.players),
        plies=plies,
        at=shown,
        record=[text for text, _ in known] if secret else list(saved.actions),
        notation=[word for _, word in known] if secret else words,
        movers=[ply.seat for ply in play.plies],
        reason=reason_of(table) if over else "",
        ending=play.ending if over else None,
        person=person,
        waiting=not person and not position.is_terminal() and not over and not away,
        away=away,
        hidden=secret,
        eyes=looking if secret else None,
        curtain=curtain,
        stands=table.stands,
        reviewable=not can_review(latest) and not secret,
        reviewed=reviewed(table) is not None,
        threatens=_threatens(table.game),
        file=formats.kind_of(saved.game),
        files=formats.kinds_of(saved.game) if over else [],
        booked=bool(explorer.books_of(table.game)),
        tools=sorted(panel_of(table.game).tools),
    )
    free = not table.stands and saved.extra.clock is None  # then another move may be tried where one was made already
    told["movable"] = person and (shown == plies or free) and not curtain
    if (clock := saved.extra.clock) is not None:
        told["clock"] = {"seconds": clock[0], "increment": clock[1], "left": clocks_of(table),
                         "runs": play.outcome is None and saved.extra.since is not None}  # fmt: skip
    if not secret and saved.extra.names:
        told["names"] = list(saved.extra.names)
    if not secret and saved.extra.notes:
        told["notes"] = {len(way): text for way, text in saved.extra.notes if saved.actions[: len(way)] == way}
    if not secret and saved.extra.tags:
        told["tags"] = dict(saved.extra.tags)
    if free and saved.extra.lines:
        told["tree"] = tree_in_words(table)
    told["faces"] = boards.faces(seen)
    panel = panel_of(table.game)
    told["standing"] = boards.standing(seen, () if secret or saved.start is not None else words[:shown])
    if panel.happened is not None and (said := panel.happened(seen, looking)):
        told["happened"] = said
    if panel.heading is not None:
        told["headings"] = [panel.heading(play.after(number)) for number in range(plies)]
    if panel.whose is not None:
        told["whose"] = [-1 if ply.seat < 0 else panel.whose(play.after(number)) for number, ply in enumerate(play.plies)]
    if panel.opening is not None and saved.start is None:
        told["opening"] = panel.opening(words[:shown])
    if panel.beside is not None:
        told.update(panel.beside(seen))
    if told["movable"] and panel.touch is not None and (places := panel.touch(seen)):
        told["laying"] = places
    if curtain:
        told["legal"] = []
    return boards.clean(told)


def common(position: Position) -> Position | None:
    """What everybody at the table knows: all erased that somebody does not know; None where the game's views do not go together.

    >>> from outplay.game import load
    >>> common(load("kuhn poker").start().play("J Q bet")).text(), common(load("liar's dice").start().play("1 2"))
    ('?? b', None)
    """
    return _erased(position, range(position.game.players)) if _go_together(position.game) else None


def _erased(position: Position, seats: Iterable[int]) -> Position:
    for seat in seats:
        position = position.observe(seat)
    return position


@functools.lru_cache(maxsize=256)
def _go_together(game: Game) -> bool:
    """Whether views erased one after the other come to one, in whichever order: tried on games played at random.

    It holds for all of a game or for nothing of it: a board that is left out in some positions would tell which ones they are.
    """
    seats, luck, source = range(game.players), random_source(1), random.Random(1)
    for _ in range(4):
        position = game.start()
        for _ in range(24):
            one = _erased(position, seats).state
            if any(_erased(position, order).state != one for order in (reversed(seats), (*seats, *seats))):
                return False
            if position.is_terminal():
                break
            actions = () if position.is_chance() else position.actions()
            position = position.result(source.choice(actions) if actions else position.sample_chance(luck))
    return True


def watched(table: Table, at: int | None = None, look: Look = PLAIN) -> dict[str, Any]:
    """A game with hidden things for those who only watch: what everybody at the table knows, and a round behind until it is over.

    So nobody at the table hears anything from them that would not have been known there long before.
    """
    play, game = table.play, table.game
    over = play.outcome is not None
    behind = 0 if over else min(table.plies, game.players)
    plies = table.plies - behind
    shown = plies if at is None else max(0, min(at, plies))
    position = play.after(shown)
    seen = common(position)
    known = _known(play, NOBODY)[:plies]
    told = boards.shown(game.start() if seen is None else seen, look, seen_of_last(play, shown), person=False)
    if seen is None:
        told.update(board=None, position="what lies there is shown when the game is over", caption="", ended="")
    ended = over and shown == plies
    if ended:
        assert play.outcome is not None
        told.update(utilities=list(play.outcome.utilities), result="a draw" if play.outcome.winner is None
                    else boards.winner_in_words(game, play.outcome.winner))  # fmt: skip
    told.update(
        address="", start=None, players=list(table.saved.players), plies=plies, at=shown, behind=behind, task="",
        legal=[], unlisted=0, record=[text for text, _ in known], notation=[word for _, word in known],
        movers=[ply.seat for ply in play.plies[:plies]],
        player=position.player(), to_move=boards.to_move(position), chance=position.is_chance(), terminal=ended,
        reason=reason_of(table) if ended and play.loser is not None else "", ending=play.ending if ended else None,
        person=False, waiting=False, away=False, movable=False, hidden=True, eyes=None, curtain=False, stands="", reviewable=False,
        reviewed=False, threatens=False, file=None, booked=False, tools=[],
        faces=[] if seen is None else boards.faces(seen), standing=[] if seen is None else boards.standing(seen),
    )  # fmt: skip
    return boards.clean(told)


def reason_of(table: Table) -> str:
    """Why the game is over, where its rules do not say so."""
    play = table.play
    if play.loser is None or play.ending is None:
        return play.reason or play.position.ending_text()
    return f"{boards.seat_names(table.game)[play.loser]} {LOST[play.ending]}"


def clocks_of(table: Table) -> list[float]:
    """Seconds on each clock now."""
    play = table.play
    left = list(play.clocks or table.saved.extra.left)
    if play.clocks and play.outcome is None and play.is_waiting:
        left[table.latest.player()] -= table.spent
    elif play.loser is not None and str(play.ending) == "time":
        left[play.loser] = 0.0
    return [max(0.0, each) for each in left]


def reviewed(table: Table) -> list[dict[str, Any]] | None:
    """The review that lies with a game, where it is of the game as it stands."""
    found = table.saved.extra.review
    return found["lines"] if found and found["actions"] == list(table.saved.actions) else None


def _threatens(game: Game) -> bool:
    """Whether one may ask what the other side threatens."""
    return game.traits.information == "perfect" and not game.traits.chance and game.players > 1 and game.family != "tree"


def tree_of(table: Table) -> list[tuple[str, ...]]:
    """All lines of a game in order, the main line first; the one that is played is among them."""
    lines = list(table.saved.extra.lines)
    lines.insert(min(table.saved.extra.place, len(lines)), table.saved.actions)
    return list(dict.fromkeys(lines))


def tree_in_words(table: Table) -> dict[str, Any]:
    """The lines of a game in order: each with the earlier one it leaves, after how many plies, and how it goes on from there."""
    lines = tree_of(table)
    told = []
    for line, (parent, ply) in zip(lines, variations.forks(lines), strict=True):
        play = table.line(line)
        movers = [each.seat for each in play.plies[ply:]]
        told.append({"parent": parent, "from": ply, "words": words_of(play)[ply:], "movers": movers})
    return {"lines": told, "now": lines.index(table.saved.actions)}


def words_of(play: Play) -> list[str]:
    """The moves as people of the game write them, each found out once."""
    for number, ply in enumerate(play.plies):
        if not ply.words:
            ply.words = spelled(play.after(number), ply.action, ply.text)
    return [ply.words for ply in play.plies]


def _known(play: Play, eyes: int) -> list[tuple[str, str]]:
    """The moves as one player knows them, also in words: those of others where all see them, and nothing of what chance dealt."""
    shown = []
    for number, ply in enumerate(play.plies):
        before = play.after(number)
        if ply.seat == eyes or before.is_public(ply.action):
            shown.append((ply.text, spelled(before, ply.action, ply.text)))
        else:
            shown.append((HIDDEN, before.veiled_text(ply.action) or HIDDEN))
    return shown


def last_move(play: Play, plies: int) -> dict[Any, str]:
    """Where the last move of a player before this ply began and ended, as marks."""
    for number in range(plies - 1, max(-1, plies - 4), -1):
        before = play.after(number)
        if not before.is_chance():
            picture = before.picture()
            return dict.fromkeys(() if picture is None else picture.touches.get(play.plies[number].action, ()), "last")
    return {}


def seen_of_last(play: Play, plies: int) -> dict[Any, str]:
    """The same where something is hidden: of an action that everybody saw, and its places on the board, not in a hand."""
    for number in range(plies - 1, max(-1, plies - 4), -1):
        before = play.after(number)
        if before.is_chance():
            continue
        picture = before.picture()
        if picture is None or type(picture) is not Picture or not before.is_public(play.plies[number].action):
            return {}
        here = set(picture.places())
        return {spot: "last" for spot in picture.touches.get(play.plies[number].action, ()) if spot in here}
    return {}


def eyes_of(table: Table, position: Position) -> int:
    """Whose eyes the page looks through: the person to move, when all is over who moved last, else the first person or player."""
    if table.is_person(position):
        return position.player()
    people = table.play.people
    movers: Sequence[int] = [ply.seat for ply in table.play.plies] if position.is_terminal() else ()
    return next((seat for seat in reversed(movers) if seat in people), people[0] if people else 0)

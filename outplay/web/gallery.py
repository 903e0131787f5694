"""The gallery of the front page: every game with a picture from the middle of a game and a word on what kind it is."""

from __future__ import annotations

import functools
import logging
import random
from dataclasses import replace
from html import escape
from urllib.parse import quote

from outplay import extras
from outplay.errors import OutplayError
from outplay.game import Game, Position, game_names
from outplay.views import svg
from outplay.views.plain import picture_of
from outplay.web import own, spoken
from outplay.web.choices import describe, open_game

logger = logging.getLogger("outplay.web")

SIZES = {"fifteen puzzle": 0, "pocket cube": 4, "peg solitaire": 5, "nim": 1, "grid": 4, "vacuum world": 0, "backgammon": 8,
         "pac-man": 3, "tree": 1}  # fmt: skip
PARAMETERS = {"go": "go:size=9"}


def kind_of(game: dict) -> str:
    """Under which heading a game stands."""
    if game.get("own"):
        return "Your games"
    if game["players"] == 1:
        return "Problems for one"
    if game["chance"] or game["information"] == "hidden":
        return "Dice, cards and hidden things"
    return "Trees to study" if "tree" in game["name"] else "Board games"


KINDS = ("Your games", "Board games", "Dice, cards and hidden things", "Problems for one", "Trees to study")


def listed() -> tuple[dict, ...]:
    """Every game that can be opened, described: the author's own first."""
    mine = []
    for name in own.games():
        try:
            mine.append({**describe(open_game(name)), "own": True})
        except Exception:
            logger.exception("%s cannot be listed", name)
    return (*mine, *_shipped())


def is_ready() -> bool:
    """Whether the games are read already."""
    return _shipped.cache_info().currsize > 0


@functools.cache
def _shipped() -> tuple[dict, ...]:
    found = []
    for name in sorted(game_names(), key=lambda name: (spoken.ORDER.index(name) if name in spoken.ORDER else 99, name)):
        try:
            found.append(describe(open_game(name)))
        except Exception:  # a game whose rules are broken must not hide the others
            logger.exception("%s cannot be listed", name)
    return tuple(found)


def picture(name: str) -> str:
    """A picture from the middle of a game."""
    return _drawn(name, own.stamp(own.games().get(name, "")))


@functools.lru_cache(maxsize=128)
def _drawn(name: str, stamp: str) -> str:
    game = open_game(PARAMETERS.get(name, name))
    try:
        position = _middle(game, name)
        seen = position.observe(0) if game.traits.information == "hidden" else position
        drawn = picture_of(seen)
    except OutplayError:
        drawn = None
    if drawn is None:
        drawn = picture_of(game.start())
    if drawn is None:
        return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"/>'
    return svg.draw(replace(drawn, caption=""), name, narrow=True).svg  # a card is as narrow as a phone


def _middle(game: Game, name: str) -> Position:
    position, sample = game.start(), extras.of(game).sample
    if sample:
        try:
            return game.position(sample)
        except OutplayError:  # moves
            return position.play(sample)
    source = random.Random(7)
    for _ in range(SIZES.get(name, 6)):
        while position.is_chance():
            if game.traits.sampled:
                from outplay.jit import random_source

                position = position.result(position.sample_chance(random_source(7)))
                continue
            outcomes = position.chances()
            position = position.result(source.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0])
        after = position.result(source.choice(position.actions())) if not position.is_terminal() else position
        if after.is_terminal():
            break
        position = after
    return position


def searched_by(game: dict) -> str:
    """The strongest opponent there is, in words."""
    if not game["levels"]:
        return game["named"][0]["about"]
    best = game["algorithms"][0]
    name = best.partition(":")[2] or best
    words = {
        "pvs": "alpha-beta search", "mcts": "Monte Carlo tree search", "star2": "expectiminimax with pruning", "maxn": "max^n",
        "ismcts": "search over information sets", "a-star": "A*", "ida-star": "IDA*", "expectimax": "expectimax",
        "and-or": "AND-OR search",
    }  # fmt: skip
    return words.get(name, name)


def cards() -> str:
    """The gallery as HTML."""
    parts = []
    for title in KINDS:
        own = [game for game in listed() if kind_of(game) == title]
        if not own:
            continue
        items = []
        for game in own:
            tags = [f"{game['players']} player{'s' if game['players'] > 1 else ''}"]
            tags += ["chance"] * bool(game["chance"]) + ["hidden"] * (game["information"] == "hidden")
            summary = game["summary"].rstrip(".")
            items.append(
                f'<li><a class="game-card" href="/play?game={quote(game["name"])}">'
                f'<span class="thumb"><img loading="lazy" alt="" src="/pictures/{quote(game["name"])}.svg"></span>'
                f"<strong>{escape(spoken.titled(game['name']))}</strong><span>{escape(summary)}.</span>"
                f'<span class="tags">{"".join(f"<b>{escape(tag)}</b>" for tag in tags)}'
                f"<i>{escape(searched_by(game))}</i></span></a></li>"
            )
        parts.append(f'<h2>{title}</h2><ul class="gallery">{"".join(items)}</ul>')
    return "".join(parts)

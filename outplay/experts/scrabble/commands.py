"""The command `words`: anagrams, hooks and patterns from a list of words."""

from __future__ import annotations

import re
from typing import Annotated, Any

from outplay.cli.commands import Argument, Option
from outplay.cli.common import AsJson, console, print_json
from outplay.errors import BadValue, shorten

Rack = Annotated[str, Argument(metavar="RACK", help="Letters, ? a blank; or a pattern: . one letter, * any number.")]
Using = Annotated[str, Option("--from", metavar="RACK", help="The letters that a pattern's free places are filled from.")]
Every = Annotated[bool, Option("--all", help="Only words that use every letter.")]
Hooks = Annotated[bool, Option("--hooks", help="Which letters make another word before and behind each word.")]
Lexicon = Annotated[str, Option("--lexicon", metavar="FILE", help="A word list of your own; left out, ENABLE.")]


def words(
    rack: Rack,
    using: Using = "",
    every: Every = False,
    hooks: Hooks = False,
    lexicon: Lexicon = "enable",
    as_json: AsJson = False,
) -> None:
    """Find the words that letters make, that fit a pattern, or that grow out of a word by one letter."""
    from outplay.games.scrabble.lexicon import lexicon as open_lexicon

    is_pattern = bool(re.search(r"[._*]", rack))
    if not re.fullmatch(r"[A-Za-z?]+" if not is_pattern else r"[A-Za-z._*]+", rack):
        raise BadValue(f"a rack is letters and ? for a blank, such as QI?TE; a pattern has . and *, as C.T; got {shorten(rack)!r}")
    if not re.fullmatch(r"[A-Za-z?]*", using):
        raise BadValue(f"--from takes letters and ? for a blank, got {shorten(using)!r}")
    if using and not is_pattern:
        raise BadValue("--from goes with a pattern, such as C*T")
    known = open_lexicon(lexicon)
    found: list[str]
    if is_pattern:
        found = known.pattern(rack, using)
    elif hooks and "?" not in rack:
        found = [rack.upper()] if known.is_word(rack) else []
    else:
        found = known.anagrams(rack, every=every)
    if as_json:
        answer: dict[str, Any] = {"words": found, "lexicon": known.name}
        if hooks:
            answer["hooks"] = {word: dict(zip(("front", "back"), known.hooks(word), strict=True)) for word in found}
        print_json(answer)
        return
    if not found:
        print(f"no word of {known.name} {'fits' if is_pattern else 'is made of'} {rack}" if not hooks else f"{rack} is no word")
        return
    if hooks:
        for word in found:
            front, back = known.hooks(word)
            print(f"{front.lower() or '-':>12} {word} {back.lower() or '-'}")
        return
    for length in sorted({len(word) for word in found}, reverse=True):
        some = [word for word in found if len(word) == length]
        console().print(f"{length:2}  {' '.join(some)}", markup=False, highlight=False)

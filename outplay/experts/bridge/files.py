"""Bridge files: PBN 2.1 both ways (deals, auctions, play, `OptimumResultTable`), LIN read.

>>> deal = parse_hands("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
>>> text = write_pbn([Game(deal, dealer=3,
...     calls=(FIRST_BID + 3, PASS, PASS, PASS), declarer=3, play=(card("CT"), card("C4"), card("CA"), card("C3")))])
>>> print(text.splitlines()[4], text.splitlines()[7])
[Dealer "W"] [Contract "1S"]
>>> read_pbn(text)[0].calls == (FIRST_BID + 3, PASS, PASS, PASS)
True
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from outplay.errors import BadNotation, shorten
from outplay.games.bridge import DOUBLE, FIRST_BID, PASS, REDOUBLE, call_text, parse_call
from outplay.games.bridge.notation import (
    SEAT_LETTERS,
    SEATS,
    STRAINS,
    card,
    card_text,
    hands_text,
    parse_hand,
    parse_hands,
    seat,
)
from outplay.games.bridge.scoring import VULNERABILITIES

PBN_VULNERABLE = {"none": 0, "love": 0, "-": 0, "ns": 1, "ew": 2, "all": 3, "both": 3}


@dataclass(frozen=True)
class Game:
    """One board of a file: cards in the solver's numbers, in the order in which they were played."""

    hands: tuple[int, int, int, int]
    dealer: int = 0
    vulnerability: int = 0
    calls: tuple[int, ...] = ()
    declarer: int | None = None
    play: tuple[int, ...] = ()
    table: Mapping[str, Mapping[str, int]] | None = None
    tags: Mapping[str, str] = field(default_factory=dict)


def contract_of(calls: Sequence[int], dealer: int) -> tuple[int, int, int] | None:
    """Bid, how often doubled, and declarer of an auction; None where all passed."""
    bid, doubled, last = -1, 0, 0
    for number, call in enumerate(calls):
        if call >= FIRST_BID:
            bid, doubled, last = call - FIRST_BID, 0, (dealer + number) % 4
        elif call != PASS:
            doubled = 1 if call == DOUBLE else 2
    if bid < 0:
        return None
    for number, call in enumerate(calls):
        who = (dealer + number) % 4
        if call >= FIRST_BID and (call - FIRST_BID) % 5 == bid % 5 and who % 2 == last % 2:
            return bid, doubled, who
    return None


def winner(trick: Sequence[int], leader: int, strain: int) -> int:
    """Who wins a trick."""
    best, found = trick[0], leader
    for k, each in enumerate(trick):
        if (each >> 4 == best >> 4 and each > best) or (each >> 4 != best >> 4 and each >> 4 == strain):
            best, found = each, (leader + k) % 4
    return found


def write_pbn(games: Sequence[Game]) -> str:
    """The boards as PBN text."""
    lines = ["% PBN 2.1", "% EXPORT", ""]
    for number, each in enumerate(games, 1):
        found = contract_of(each.calls, each.dealer)
        tags = {"Board": str(number), "Dealer": SEAT_LETTERS[each.dealer],
                "Vulnerable": ("None", "NS", "EW", "All")[each.vulnerability], "Deal": hands_text(each.hands, each.dealer)}
        if each.calls:
            tags["Contract"] = "Pass" if found is None else call_text(FIRST_BID + found[0]) + "X" * found[1]
            tags["Declarer"] = "" if found is None else SEAT_LETTERS[found[2]]
        tags |= {name: value for name, value in each.tags.items() if name not in tags}
        lines += [f'[{name} "{value}"]' for name, value in tags.items()]
        if each.calls:
            lines.append(f'[Auction "{SEAT_LETTERS[each.dealer]}"]')
            words = [call_text(call).replace("pass", "Pass") for call in each.calls]
            lines += [" ".join(words[k : k + 4]) for k in range(0, len(words), 4)]
        if each.play and found is not None:
            first = (found[2] + 1) % 4
            lines.append(f'[Play "{SEAT_LETTERS[first]}"]')
            leader = first
            for k in range(0, len(each.play), 4):
                trick = each.play[k : k + 4]
                row = ["-"] * 4
                for place, one in enumerate(trick):
                    row[(leader + place - first) % 4] = card_text(one)
                lines.append(" ".join(row))
                leader = winner(trick, leader, found[0] % 5)
            if len(each.play) < 52:
                lines.append("*")
        if each.table is not None:
            lines.append('[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]')
            lines += [f"{name[0]} {strain:>2} {each.table[name][strain]:>2}" for name in SEATS for strain in reversed(STRAINS)
                      if strain in each.table.get(name, {})]  # others leave rows out
        lines.append("")
    return "\n".join(lines)


def read_pbn(text: str) -> list[Game]:
    """The boards of a PBN text; those without a deal are left out."""
    text = re.sub(r"^%.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\{[^}]*\}", " ", text)
    text = re.sub(r"(?m);(?=[^\"]*$).*$", "", text)
    found = []
    for block in re.split(r"\n[ \t]*\r?\n", text.replace("\r\n", "\n")):
        tags: dict[str, str] = {}
        sections: dict[str, str] = {}
        for part in re.finditer(r'\[\s*(\w+)\s+"([^"]*)"\s*\]([^\[]*)', block):
            tags[part[1]], sections[part[1]] = part[2], part[3]
        if "Deal" in tags:
            found.append(_board(tags, sections))
    return found


def _board(tags: dict[str, str], sections: dict[str, str]) -> Game:
    hands = parse_hands(tags["Deal"])
    dealer = seat(tags["Dealer"]) if tags.get("Dealer") else 0
    vulnerable = PBN_VULNERABLE.get(tags.get("Vulnerable", "None").lower())
    if vulnerable is None:
        raise BadNotation(f"expected Vulnerable None, NS, EW or All, got {shorten(tags['Vulnerable'])!r}")
    calls: list[int] = []
    for word in sections.get("Auction", "").split():
        if re.fullmatch(r"=\d+=|\$\d+|[!?]{1,2}|\*|\+|-|\^\w+", word):
            continue
        if word.upper() == "AP":
            calls += [PASS] * (3 if any(call >= FIRST_BID for call in calls) else 4 - len(calls))
            continue
        try:
            calls.append(parse_call(word))
        except ValueError as problem:
            raise BadNotation(str(problem)) from None
    contract = contract_of(calls, dealer)
    declarer = contract[2] if contract else None
    play = _play(tags, sections, contract[0] % 5) if contract and "Play" in tags else []
    table: dict[str, dict[str, int]] | None = None
    if "OptimumResultTable" in tags:
        rows = [line.split() for line in sections["OptimumResultTable"].splitlines() if len(line.split()) == 3]
        table = {SEATS[seat(who)]: {} for who, _, _ in rows}
        for who, strain, tricks in rows:
            if strain.upper() not in STRAINS or not (tricks.isdecimal() and len(tricks) < 3):
                raise BadNotation(f"expected a declarer, a strain and tricks, got {shorten(' '.join((who, strain, tricks)))!r}")
            table[SEATS[seat(who)]][strain.upper()] = int(tricks)
    known = ("Deal", "Dealer", "Vulnerable", "Auction", "Play", "OptimumResultTable", "Contract", "Declarer", "Board")
    return Game(hands, dealer, vulnerable, tuple(calls), declarer, tuple(play), table,
                {key: value for key, value in tags.items() if key not in known})


def _play(tags: dict[str, str], sections: dict[str, str], strain: int) -> list[int]:
    """PBN lists each trick from the same seat on; the cards are put in the order in which they were played."""
    first = seat(tags["Play"])
    words = [word for word in sections["Play"].split() if not re.fullmatch(r"=\d+=|\$\d+|[!?]{1,2}|\^\w+|\+", word)]
    if "*" in words:
        words = words[: words.index("*")]
    leader, play = first, []
    for k in range(0, len(words), 4):
        row = words[k : k + 4] + ["-"] * (4 - len(words[k : k + 4]))
        trick = []
        for place in range(4):
            word = row[(leader + place - first) % 4]
            if word == "-":
                break
            trick.append(card(word))
        play += trick
        if len(trick) < 4:
            break
        leader = winner(trick, leader, strain)
    return play


def read_lin(text: str) -> list[Game]:
    """The boards of a LIN text (Bridge Base Online).

    >>> game = read_lin("md|3SK5HT83DKQ9CA7652,SAT942HAQ4D32CKJ3,SQJ6HK652DJ85CT98,|sv|o|mb|p|mb|1S|mb|p|mb|p|mb|p|pc|CT|")[0]
    >>> hands_text(game.hands), game.dealer, [call_text(call) for call in game.calls]
    ('N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3', 0, ['pass', '1S', 'pass', 'pass', 'pass'])
    """
    words = text.replace("\n", "").replace("\r", "").split("|")
    games: list[Game] = []
    hands, dealer, vulnerability = None, 0, 0
    calls: list[int] = []
    play: list[int] = []
    names: dict[str, str] = {}

    def close() -> None:
        if hands is not None:
            contract = contract_of(calls, dealer)
            games.append(Game(hands, dealer, vulnerability, tuple(calls), contract[2] if contract else None, tuple(play),
                              tags=dict(names)))  # fmt: skip

    for key, value in zip(words[::2], words[1::2], strict=False):
        if key == "md":
            close()
            calls, play = [], []
            hands, dealer = _lin_hands(value)
        elif key == "pn":
            names = {seat: name.strip() for seat, name in zip(LIN_SEATS, value.split(","), strict=False) if name.strip()}
        elif key == "sv":
            vulnerability = {"o": 0, "0": 0, "n": 1, "e": 2, "b": 3}.get(value.lower()[:1], 0)
        elif key == "mb":
            word = value.rstrip("!").lower()
            try:
                calls.append({"p": PASS, "d": DOUBLE, "r": REDOUBLE}.get(word) or parse_call(word))
            except ValueError as problem:
                raise BadNotation(str(problem)) from None
        elif key == "pc":
            play.append(card(value))
    close()
    return games


LIN_SEATS = ("South", "West", "North", "East")
"""The order in which LIN names people and deals cards."""


def write_lin(game: Game) -> str:
    """One board as LIN.

    >>> deal = "3SK5HT83DKQ9CA7652,SAT942HAQ4D32CKJ3,SQJ6HK652DJ85CT98,S873HJ97DAT764CQ4"
    >>> text = f"pn|Ann,Bo,Cy,Di|md|{deal}|sv|o|mb|p|mb|1S|mb|p|mb|p|mb|p|"
    >>> write_lin(read_lin(text)[0]) == text
    True
    """
    held = hands_text(game.hands)[2:].split(" ")
    dealt = ",".join("".join(map("".join, zip("SHDC", held[seat].split("."), strict=True))) for seat in (2, 3, 0, 1))
    words = ["pn|" + ",".join(game.tags.get(seat, seat) for seat in LIN_SEATS), f"md|{(game.dealer - 1) % 4 or 4}{dealt}"]
    words.append(f"sv|{'oneb'[game.vulnerability]}")
    words += ["mb|" + {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}.get(call, call_text(call).replace("NT", "N")) for call in game.calls]
    words += [f"pc|{card_text(one)}" for one in game.play]
    return "|".join(words) + "|"


def _lin_hands(value: str) -> tuple[tuple[int, int, int, int], int]:
    """LIN deals from South on; the digit before is the dealer, 1 for South."""
    if value[:1] not in tuple("1234"):
        raise BadNotation(f"expected a deal such as 3SK5HT83..., got {shorten(value)!r}")
    dealer = (int(value[0]) + 1) % 4
    texts = [""] * 4
    for k, hand in enumerate(value[1:].split(",")[:4]):
        suits = re.fullmatch(r"S([^HDC]*)H([^DC]*)D([^C]*)C(.*)", hand.strip().upper())
        texts[(2 + k) % 4] = "-" if suits is None else ".".join(suits.groups())
    given = [text if text not in ("", "...") else "-" for text in texts]
    for text in given:
        if text != "-":
            parse_hand(text)
    return parse_hands("N:" + " ".join(given)), dealer


__all__ = ["VULNERABILITIES", "Game", "contract_of", "read_lin", "read_pbn", "write_lin", "write_pbn"]

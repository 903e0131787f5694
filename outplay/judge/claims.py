"""Reasons as claims: each a kind, a sentence, a line and a predicate that a second, deeper search has proved before it is said.

A predicate is data, so that anybody may check it again with `prove`:

| predicate | true if and only if |
|---|---|
| `legal` | the actions of the position, or after the moves, are just these |
| `result` | after the action the mover gets this result of the game, or no better (`most`), or no worse (`least`) |
| `end` | after the moves one side forces its win within so many plies |
| `gap` | the best action is worth at least so many points of winning more than each of the others named |
| `threat` | if the mover passes, the other forces its win within so many plies |
| `dip` | after the moves the evaluation is lower by so much, and the mover still forces its win |
| `line` | the moves are legal, and at their end the evaluation's feature stands as told |
| `luck` | the outcome of chance brought at least so many points of winning more, or less, than the mean over all |
| `rolls` | of all outcomes of chance after the action, so many are worth less than told |
| `solution` | the game's solution gives the two actions these values |
| `holding` | where the other holds this, the game's solution puts the best action so much ahead |
| `weighed` | the game's own expert finds the best action so much better, over deals that fit what the mover sees |
| `fact` | a function of the game's own counts what was told |

>>> from outplay.game import load
>>> position = load("tic-tac-toe").position("xx./oo./... x")
>>> [claim.text for claim in why(position)]
['c3 is the only action that wins: no other one does.', 'c3 wins by force in 1 move: c3.']
>>> claim = why(position, "a1")[0]
>>> claim.text, prove(position, claim)
('a1 turns a win into a loss; c3 wins.', True)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from outplay import extras
from outplay.errors import OutplayError, Unsuitable
from outplay.game import CompiledGame, Position
from outplay.judge.hidden import PRECISE, RARE, HiddenJudge
from outplay.judge.shares import Fit, Unit
from outplay.judge.verdicts import FAULTS
from outplay.judge.words import line_in_words, moves_in_words, phrase, say
from outplay.judge.worth import DEEPER, END_PROOF, SURE, Judge, Worth, can_prove, plies_left, proof_of_end
from outplay.players.algorithms import is_a_problem
from outplay.values import Action

SAID = 0.25
"""What is said of an estimate is so much of what the two searches found at least: it has to hold for deeper ones, too."""

LASTING = 0.8
"""A longer search has to find so much of what the shorter ones found: what shrinks may yet come to nothing."""

LEAST_KEPT = 0.15
"""A difference of less than this share of winning, in any of the looks, is too little to build a reason on an estimate."""

SURER = 16
"""What rests on an estimate is said after a third look, so many times as long as the first."""

LEAST_ALONE = 0.25
"""An estimate says that one action alone holds where all others are so much worse: deeper searches have to find it, too."""

LEAST_LUCK = 0.20
"""A roll that brings so much more of the share of winning than rolls do on average, or so much less, is spoken of."""

VOUCHED = 40
"""A fit of fewer games vouches for no share: then only what is proved or counted is said."""

HALF = 0.5

NEAR = 26
"""Plies to the end at most, where a solver is expected to come through."""

MANY = 3
"""More actions than these are not looked at one by one to find that all are worse."""

MOST_CLAIMS = 3


@dataclass(frozen=True)
class Claim:
    """Something that is true of a position or of an action in it."""

    kind: str
    text: str
    line: tuple[str, ...] = ()
    proved_by: str = ""
    predicate: dict[str, Any] = field(default_factory=dict)

    def fields(self) -> dict[str, Any]:
        """All of it for JSON."""
        return {
            "kind": self.kind,
            "text": self.text,
            "line": list(self.line),
            "proved_by": self.proved_by,
            "predicate": self.predicate,
        }


# ---------------------------------------------------------------- what is said


def why(
    position: Position,
    action: str | Action | None = None,
    *,
    judge: Judge | None = None,
    earlier: Sequence[Position] = (),
    **options: Any,
) -> list[Claim]:
    """What can be said for the best action of a position, or of one that was or might be played."""
    judge = judge or Judge(position.game, **options)
    if position.is_terminal() or position.is_chance():
        what = "over" if position.is_terminal() else "at a roll: play its outcome first"
        raise Unsuitable(f"why needs a position in which a player is to move; here the game is {what}")
    chosen = position.parse_action(action) if isinstance(action, str) else action
    if len(position.actions()) == 1:
        only = position.action_text(position.actions()[0])
        return [_legal(position, only)]
    if position.game.traits.information == "hidden":
        return _hidden(judge, position, chosen)
    played = chosen
    if played is None:
        before = judge.worth(position, earlier)
        played = before.action if before.action is not None else position.actions()[0]
    before, later, best = judge.sure(position, played, earlier)
    if best == played:
        claims = _for_best(judge, position, played, later, earlier)
    else:
        claims = _against(judge, position, played, best, before, later, earlier)
    return (claims + _own(position, played, best))[:MOST_CLAIMS]


def reasons(judge: Judge, position: Position, action: Action, judged: Any, earlier: Sequence[Position]) -> list[Claim]:
    """The reasons for a verdict, the same as `why` gives; one, and for a fault a second."""
    found = why(position, action, judge=judge, earlier=earlier)
    return found[: 2 if judged.verdict in FAULTS else 1]


def _legal(position: Position, only: str) -> Claim:
    return Claim("forced", say("forced", action=only), (only,), "the rules", {"is": "legal", "actions": [only]})


def _for_best(judge: Judge, position: Position, best: Action, later: Worth, earlier: Sequence[Position]) -> list[Claim]:
    """For an action that gives nothing away."""
    mover, text = position.player(), position.action_text(best)
    line = _texts(position, (best, *later.line))
    claims: list[Claim] = []
    result = _result(later, mover)
    after = position.result(best)
    if after.is_terminal() and result == "win":
        claims.append(
            Claim(
                "wins",
                say("wins by", action=text, within=phrase("within", moves=moves_in_words(1)), line=text),
                (text,),
                "the rules",
                {"is": "end", "moves": [text], "plies": 0, "winner": mover},
            )
        )
    elif later.proved and result == "win" and later.distance is not None and _has_distances(judge):
        within = later.distance + 1
        claims.append(_end(position, "wins", [text], line, mover, within, text))
    elif later.proved and result == "loss" and position.game.players == 2 and not position.game.traits.chance:
        claims.append(Claim("all lose", say("all lose"), (), _proof(later), {"is": "result", "action": None, "most": "loss"}))
    elif later.proved and result == "win" and position.game.players == 2 and not position.game.traits.chance:
        amount = "" if _plain(later) else phrase("margin", amount=later.unit.words(later.values[mover]))
        claims.append(
            Claim(
                "wins",
                say("wins by", action=text, within=amount, line=line_in_words(line)),
                line,
                _proof(later),
                {"is": "result", "action": text, "least": "win"},
            )
        )
    only = _only(judge, position, best, later, earlier)
    if only is not None:
        claims.insert(0, only)
    return claims + _sacrifice(position, best, later) + _threat(judge, position) + _forced_reply(position, text, after)


def _forced_reply(position: Position, text: str, after: Position) -> list[Claim]:
    """That only one reply is legal."""
    if after.is_terminal() or after.is_chance() or after.player() == position.player() or len(after.actions()) != 1:
        return []
    reply = after.action_text(after.actions()[0])
    told = {"is": "legal", "moves": [text], "actions": [reply]}
    return [Claim("forced reply", say("forced reply", action=text, reply=reply), (text, reply), "the rules", told)]


def _sacrifice(position: Position, best: Action, later: Worth) -> list[Claim]:
    """That a won game begins with giving something up, as the evaluation counts it."""
    game, mover = position.game, position.player()
    stake = float(getattr(getattr(game, "rules", None), "stake", 0) or 0)
    if not later.decided or _result(later, mover) != "win" or not later.distance or not stake or not game.offers("evaluate"):
        return []
    line = _texts(position, (best, *later.line))
    if len(line) < 3 or not later.proved:
        return []
    there = position.play(list(line[:2]))
    if there.is_terminal():
        return []
    drop = float(position.evaluate(mover) - there.evaluate(mover))
    if drop < 2 * stake:
        return []
    amount = later.unit.words(math.floor(drop / later.unit.points))
    told = {"is": "dip", "line": list(line[:2]), "least": math.floor(drop / later.unit.points) * later.unit.points, "winner": mover,
            "plies": later.distance + 1}  # fmt: skip
    sentence = say("sacrifice", action=line[0], amount=amount, line=line_in_words(line))
    return [Claim("sacrifice", sentence, line, "every line to the end", told)]


def passed(position: Position) -> Position | None:
    """The same position with the other side to move, where the rules know a pass for the sake of threats."""
    game = position.game
    if not isinstance(game, CompiledGame) or not game.offers("pass_turn") or position.is_terminal():
        return None
    state: Any = position.state
    record = game.record(state)
    with np.errstate(over="ignore"):  # words of 64 bits wrap around
        if not record.pass_turn():
            return None
    return Position(game, record.tobytes())


def _threat(judge: Judge, position: Position) -> list[Claim]:
    """What the other side would do if it were its turn: a win by force within a few moves."""
    there = passed(position)
    if there is None or there.is_terminal() or judge.unit.utility != 0:
        return []
    other = 1 - position.player()
    for plies in (1, 3):
        found = proof_of_end(there, plies, max(1000, judge.nodes // 4))
        if found is not None and (found > 0) == (other == 0):
            fresh = Judge(judge.game, max(1000, judge.nodes // 4), proofs=0, fit=judge.fit, stop=judge.stop)
            line = _texts(there, fresh.worth(there).line[:plies])
            sentence = say(
                "threat",
                other=_seat(position, other),
                within=phrase("within", moves=moves_in_words(plies)),
                line=line_in_words(line),
            )
            return [Claim("threat", sentence, line, "every line to the end", {"is": "threat", "plies": plies, "winner": other})]
    return []


def _only(judge: Judge, position: Position, best: Action, later: Worth, earlier: Sequence[Position]) -> Claim | None:
    """That an action alone holds, where it does: each of the others looked at as long."""
    mover, text = position.player(), position.action_text(best)
    others = [action for action in position.actions() if action != best]
    if judge.game.players != 2 or judge.game.traits.chance or is_a_problem(judge.game):
        return None
    if later.proved and len(others) <= 16:
        told = [judge.after(position, action, earlier) for action in others]
        rank = {"loss": 0, "draw": 1, "win": 2}
        mine = _result(later, mover)
        if mine == "loss" or not all(each.proved for each in told):
            return None
        best_other = max((_result(each, mover) for each in told), key=rank.__getitem__)
        if rank[best_other] >= rank[mine]:
            return None
        holds = phrase("wins") if mine == "win" else phrase("draws")
        fails = phrase("others lose") if best_other == "loss" else phrase("no other")
        line = _texts(position, (best, *later.line))
        return Claim(
            "only",
            say("only", action=text, holds=holds, fails=fails),
            line,
            _proof(later),
            {"is": "only", "action": text, "least": mine, "others": best_other},
        )
    if later.proved or len(others) > 60 or is_near_the_end(position) or not is_vouched_for(judge):
        return None
    from outplay.judge.review import gap_to_second

    gap = gap_to_second(judge, position, best, later, earlier)
    if gap is None or gap < max(LEAST_ALONE, least_kept(judge.fit)):
        return None
    second = _second(judge, position, best, earlier)
    if second is None:
        return None
    said = _said(gap)
    claim = Claim(
        "only",
        say("only", action=text, holds=phrase("holds"), fails=phrase("others worse", points=round(100 * said))),
        _texts(position, (best, *later.line)),
        "",
        {"is": "gap", "best": text, "others": [position.action_text(each) for each in others], "least": said},
    )
    return _proved(judge, position, claim, earlier)


def _second(judge: Judge, position: Position, best: Action, earlier: Sequence[Position]) -> Action | None:
    found = None
    for found in judge.results(position, earlier, lines=2, nodes=judge.nodes):  # noqa: B007  the last one counts
        pass
    return None if found is None else next((one.action for one in found.choices if one.action != best), None)


def _against(
    judge: Judge, position: Position, played: Action, best: Action, before: Worth, later: Worth, earlier: Sequence[Position]
) -> list[Claim]:
    """Against an action that gives something away."""
    mover, text, better = position.player(), position.action_text(played), position.action_text(best)
    other = _seat(position, 1 - mover) if position.game.players == 2 else phrase("another")
    after = position.result(played)
    reply = _texts(after, later.line) if not after.is_terminal() else ()
    best_line = _texts(position, before.line if before.line[:1] == (best,) else (best,))
    was, now = _result(before, mover), _result(later, mover)
    claims: list[Claim] = []
    is_plain = position.game.players == 2 and not position.game.traits.chance
    if before.proved and later.proved and is_plain:
        if was != now:
            keeps = phrase("wins") if was == "win" else phrase("draws")
            claims.append(
                Claim(
                    "result",
                    say("result", action=text, was=phrase(was), now=phrase(now), best=better, keeps=keeps),
                    best_line,
                    _proof(before),
                    {"is": "change", "action": text, "best": better, "was": was, "now": now},
                )
            )
        elif not _plain(later):
            amount = later.unit.words(before.values[mover] - later.values[mover])
            values = {"is": "values", "action": text, "best": better, "was": before.values[mover], "now": later.values[mover]}
            known = {"action": text, "amount": amount, "best": better, "was": before.in_words(mover), "now": later.in_words(mover)}
            if reply:
                sentence = say("answered", other=other, line=line_in_words(reply), **known)
                claims.append(Claim("refutation", sentence, (text, *reply), _proof(before), {**values, "reply": reply[0]}))
            else:
                claims.append(Claim("units", say("units", **known), best_line, _proof(before), values))
    if later.proved and now == "loss" and is_plain and not after.is_terminal() and reply:
        if later.distance and _has_distances(judge):
            claims.append(_end(position, "refutation", [text], reply, 1 - mover, later.distance, text, other))
        else:
            claims.append(
                Claim(
                    "refutation",
                    say("loses by", action=text, other=other, within="", line=line_in_words(reply)),
                    (text, *reply),
                    _proof(later),
                    {"is": "reply", "moves": [text, reply[0]], "winner": 1 - mover},
                )
            )
    elif before.proved and was == "win" and not later.proved and is_plain and before.distance and _has_distances(judge):
        claims.append(_end(position, "missed", [], best_line, mover, before.distance, better))
    if not claims and reply and (is_plain or (position.game.players > 2 and not position.game.traits.chance)):
        claims += _refuted(judge, position, played, best, before, later, reply, earlier)
    if not claims and position.game.traits.chance and is_plain is False and position.game.players == 2:
        claims += _dice(judge, position, played, best, before, later)
    return claims


def is_near_the_end(position: Position) -> bool:
    """Whether a longer search could prove what this one can only guess: then nothing is said of a guess."""
    return can_prove(position) and 0 < plies_left(position) <= NEAR


def is_vouched_for(judge: Judge) -> bool:
    """Whether enough games stand behind the shares that estimates are read as; of more than two sides values are shares already."""
    return judge.game.traits.sides != 2 or judge.fit.games >= VOUCHED


def least_kept(fit: Fit) -> float:
    """How far apart two estimates have to be, in shares: more where values change much from a depth to the next."""
    return max(LEAST_KEPT, fit.shares(fit.jump).share - fit.shares(-fit.jump).share)


def _refuted(
    judge: Judge,
    position: Position,
    played: Action,
    best: Action,
    before: Worth,
    later: Worth,
    reply: Sequence[str],
    earlier: Sequence[Position],
) -> list[Claim]:
    """What an estimate says against an action, in a part of what it found: the second and deeper look that made sure of a fault."""
    mover, text, better = position.player(), position.action_text(played), position.action_text(best)
    given = before.share(mover) - later.share(mover)
    enough = least_kept(judge.fit)
    if given < enough or is_near_the_end(position) or not is_vouched_for(judge):
        return []
    first, seen, _ = judge.better(position, played, earlier)  # the first look, known by now
    at_first = first.share(mover) - seen.share(mover)
    if at_first < enough:
        return []
    surer = judge.deeper(SURER)
    third, last = surer.after(position, best, earlier), surer.after(position, played, earlier)
    at_last = third.share(mover) - last.share(mover)
    if at_last < max(enough, LASTING * given, LASTING * at_first):  # what shrinks as one looks longer may yet come to nothing
        return []
    given = min(given, at_first, at_last)
    after = position.result(played)
    reply = _texts(after, later.line) or tuple(reply)
    least: dict[str, Any] = {"is": "gap", "best": better, "others": [text], "least": _said(given)}
    points = round(100 * _said(given))
    amount = phrase("point") if points == 1 else phrase("points", points=points)
    if before.unit.name != "games" and not (before.decided or later.decided):
        lost = before.values[mover] - later.values[mover]
        for one, other in ((first, seen), (third, last)):
            lost = min(lost, 0.0 if one.decided or other.decided else one.values[mover] - other.values[mover])
        whole = math.floor(2 * SAID * lost) / 2
        if whole >= 0.5:
            least["units"] = whole
            amount = before.unit.words(whole)
    then = phrase("then", line=line_in_words(reply[1:], 3)) if len(reply) > 1 else ""
    nodes = f"{surer.nodes:,} nodes"
    told = [
        Claim(
            "refutation",
            say("refutation", action=text, reply=reply[0], then=then, amount=phrase("at least", amount=amount), best=better),
            (text, *reply),
            nodes,
            least,
        )
    ]
    return told + _terms(position, played, best, later, replace(before, line=before.line[1:]))


def _terms(position: Position, played: Action, best: Action, later: Worth, other: Worth) -> list[Claim]:
    """Which feature of the evaluation makes most of the difference at the ends of the two lines."""
    from outplay.players.judging import groups

    game, mover = position.game, position.player()
    names = groups(game) if game.offers("evaluate") else {}
    if not isinstance(game, CompiledGame) or not names or all(name.startswith("weight ") for name in names):
        return []
    lines = [_texts(position, (action, *worth.line)) for action, worth in ((played, later), (best, other))]
    at = [features(position.play(list(line)), mover) for line in lines]
    change = {name: at[0].get(name, 0.0) - at[1].get(name, 0.0) for name in names}
    worst = min(change, key=lambda name: change[name])
    total = sum(abs(part) for part in change.values())
    if change[worst] >= 0 or abs(change[worst]) < 0.4 * total:
        return []
    unit = later.unit
    amount = unit.words(abs(change[worst]) / unit.points)
    text, better = position.action_text(played), position.action_text(best)
    return [
        Claim(
            "terms",
            say(
                "terms",
                action=text,
                best=better,
                feature=worst,
                amount=amount,
                line=line_in_words(lines[0], 8),
                instead=line_in_words(lines[1], 8),
            ),
            lines[0],
            "the evaluation",
            {"is": "line", "lines": [list(line) for line in lines], "feature": worst, "change": round(change[worst], 6)},
        )
    ]


def features(position: Position, seat: int) -> dict[str, float]:
    """The features of the evaluation, for a seat; those of a finished game are all 0."""
    from outplay.players.judging import judge as judge_features

    if position.is_terminal():
        return {}
    sign = 1.0 if seat == 0 else -1.0
    return {share.name: sign * share.points for share in judge_features(position).shares}


def _dice(judge: Judge, position: Position, played: Action, best: Action, before: Worth, later: Worth) -> list[Claim]:
    """How many of the rolls that may follow go wrong: worth less than what the better action is worth on average."""
    mover, text, better = position.player(), position.action_text(played), position.action_text(best)
    afters = [position.result(action) for action in (played, best)]
    if not all(after.is_chance() and not after.is_sampled() for after in afters) or not (before.proved and later.proved):
        return []
    counts = []
    bar = round(before.values[mover], 9)
    for after in afters:
        listed = after.chances()
        told = [(p, judge.worth(after.result(outcome))) for outcome, p in listed]
        if not all(each.proved for _, each in told):
            return []
        counts.append(sum(p for p, each in told if each.values[mover] < bar - SURE))
    if counts[0] <= counts[1] + 1e-9:
        return []
    return [
        Claim(
            "dice",
            say(
                "dice",
                action=text,
                count=f"{36 * counts[0]:.0f}",
                all=36,
                share=f"{100 * counts[0]:.0f} %",
                best=better,
                fewer=f"{36 * counts[1]:.0f}",
            ),
            (text,),
            _proof(later),
            {"is": "rolls", "action": text, "best": better, "bar": bar, "shares": [round(each, 9) for each in counts]},
        )
    ]


def of_luck(judge: Judge, position: Position, outcome: Action, seat: int) -> Claim | None:
    """That what chance brought changed much, for better or for worse, by a second look as well: in a part of what it found."""
    alike = judge.smaller(len(position.chances()))
    given = _brought(alike, position, outcome, seat)
    if abs(given) < LEAST_LUCK:
        return None
    again = _brought(alike.deeper(DEEPER), position, outcome, seat)
    least = min(abs(given), abs(again))
    if given * again < 0 or least < LEAST_LUCK * LASTING or abs(again) < LASTING * abs(given):
        return None
    text, points = position.action_text(outcome), round(100 * _said(least))
    told = {"is": "luck", "outcome": text, "seat": seat, "sign": 1 if given > 0 else -1, "least": points / 100}
    sentence = say("joker" if given > 0 else "bad luck", roll=text, seat=_seat(position, seat), points=points)
    return Claim("joker" if given > 0 else "bad luck", sentence, (text,), f"{alike.nodes * DEEPER:,} nodes a roll", told)


def _brought(judge: Judge, position: Position, outcome: Action, seat: int) -> float:
    """How much of the share of winning an outcome brought, beside the mean over all."""
    shares = {each: judge.worth(position.result(each)).share(seat) for each, _ in position.chances()}
    return shares[outcome] - sum(p * shares[each] for each, p in position.chances())


def _hidden(judge: Judge, position: Position, chosen: Action | None) -> list[Claim]:
    """What can be said in a game that hides something: by what the mover sees."""
    mover = position.player()
    hidden = HiddenJudge(judge)
    view = position.observe(mover)
    if hidden.solution is None:
        weighed = _weighed(hidden, position, chosen)
        return weighed + _own(view, chosen, weighed[0].predicate["best"]) if weighed and chosen is not None else weighed
    key = mover, view.text()
    values, shares = hidden.solution.values.get(key), hidden.solution.shares.get(key)
    weight = hidden.solution.weight.get(key, 0.0)
    if values is None or shares is None or weight < 1e-3:
        return []
    best = max(values, key=lambda each: values[each])
    mixed = {each: share for each, share in shares.items() if share >= 0.02}
    claims = []
    if len(mixed) > 1 and all(values[best] - values[each] <= hidden.solution.slack(key, each) for each in mixed):
        told = ", ".join(f"{view.action_text(each)} {100 * share:.0f} %" for each, share in mixed.items())
        claims.append(
            Claim(
                "mixing",
                say("mixing", mixture=told),
                (),
                "the solved game",
                {"is": "solution", "view": view.text(), "equal": [view.action_text(each) for each in mixed]},
            )
        )
    played = best if chosen is None else chosen
    if values[best] - values[played] > hidden.solution.slack(key, played):
        unit = judge.unit
        claims.insert(
            0,
            Claim(
                "average",
                say(
                    "average",
                    seat=_seat(position, mover),
                    action=view.action_text(played),
                    best=view.action_text(best),
                    now=unit.signed(values[played]),
                    was=unit.signed(values[best]),
                ),
                (),
                "the solved game",
                {
                    "is": "solution",
                    "view": view.text(),
                    "action": view.action_text(played),
                    "best": view.action_text(best),
                    "least": round((values[best] - values[played]) * HALF, 6),
                },
            ),
        )
        claims[1:1] = _holding(hidden, key, played, best, view)
    return claims


def _holding(hidden: HiddenJudge, key: Any, played: Action, best: Action, view: Position) -> list[Claim]:
    """What the other may hold that makes the difference: the likeliest to, alone."""
    unit, by_held = hidden.judge.unit, holdings(hidden, key, played, best)
    lost = {what: share * (was - now) for what, (share, now, was) in by_held.items() if was > now + PRECISE}
    text, better = view.action_text(played), view.action_text(best)
    told: dict[str, Any] = {"is": "holding", "view": view.text(), "action": text, "best": better}
    if lost and len(lost) == len(by_held):
        each = min(was - now for _, now, was in by_held.values())
        sentence = say("whatever", action=text, best=better)
        return [Claim("holding", sentence, (), "the solved game", {**told, "held": None, "least": round(each * HALF, 6)})]
    if not lost or "" in by_held:
        return []
    most = max(lost, key=lambda what: lost[what])
    share, now, was = by_held[most]
    if lost[most] < HALF * sum(lost.values()) or was - now < PRECISE / share:
        return []
    told = {**told, "held": most, "share": round(share, 3), "least": round((was - now) * HALF, 6)}
    sentence = say("holding", held=most, share=f"{100 * share:.0f} %", action=text, best=better, now=unit.signed(now),
                   was=unit.signed(was))  # fmt: skip
    return [Claim("holding", sentence, (), "the solved game", told)]


def holdings(hidden: HiddenJudge, key: Any, played: Action, best: Action) -> dict[str, tuple[float, float, float]]:
    """By what may be hidden: how likely it is, and what the two actions are worth then."""
    assert hidden.solution is not None
    sums: dict[str, list[float]] = {}
    for what, share, values in hidden.solution.parts[key]:
        row = sums.setdefault(what, [0.0, 0.0, 0.0])
        row[0] += share
        row[1] += share * values[played]
        row[2] += share * values[best]
    return {what: (share, now / share, was / share) for what, (share, now, was) in sums.items() if share > RARE}


def _weighed(hidden: HiddenJudge, position: Position, chosen: Action | None) -> list[Claim]:
    """What the game's own expert is sure that an action costs, and finds again over more deals."""
    mover, judge = position.player(), hidden.judge
    view = position.observe(mover)
    found = None if chosen is None else hidden.weighed(position, chosen)
    if found is None or chosen not in found.worse:
        return []
    apart = found.values[found.best] - found.values[chosen]
    unit = Unit(found.unit, 1.0, 0.0)
    said = math.floor(10 * SAID * apart) / 10
    if said <= 0:
        return []
    text, better = view.action_text(chosen), view.action_text(found.best)
    told = {"is": "weighed", "action": text, "best": better, "least": said}
    fresh = Judge(judge.game, judge.nodes * DEEPER, fit=Fit(), stop=judge.stop)
    if not _holds(position, {**told, "least": said * LASTING / SAID}, fresh, ()):
        return []
    sentence = say("weighed", seat=_seat(position, mover), action=text, best=better, amount=unit.words(said), by=found.by)
    return [Claim("weighed", sentence, (), found.by, told)]


def _own(position: Position, played: Action, better: Action | str) -> list[Claim]:
    """What the game's own words say, where its extras bring some: a function of position, action and best one that gives claims."""
    asked = own_words(position.game)
    if asked is None:
        return []
    best = position.parse_action(better) if isinstance(better, str) else better
    return [
        Claim(
            kind,
            text,
            tuple(line),
            "the rules",
            {"is": "fact", "kind": kind, "action": position.action_text(played), "best": position.action_text(best), **facts},
        )
        for kind, text, line, facts in asked(position, played, best)
    ]


def own_words(game: Any) -> Any:
    """The words that a game brings along, a function; None without any."""
    known = extras.of(game)
    return known.fetch(known.judge) if known.judge else None


# ---------------------------------------------------------------- how it is proved


def prove(position: Position, claim: Claim, nodes: int = 2_000_000, earlier: Sequence[Position] = (), *, fit: Any = None) -> bool:
    """Whether a claim holds, by a search with a table of its own and so many nodes, or by whatever proves it for certain."""
    try:
        return _holds(position, claim.predicate, Judge(position.game, nodes, fit=fit), earlier)
    except Unsuitable:
        return False


def _proved(judge: Judge, position: Position, claim: Claim, earlier: Sequence[Position]) -> Claim | None:
    """The claim with what proved it, where a fresh and deeper search does."""
    fresh = judge.deeper(SURER)
    stricter = {**claim.predicate, "least": claim.predicate["least"] / SAID}  # no less than what was found at first
    if not _holds(position, stricter, fresh, earlier):
        return None
    return Claim(claim.kind, claim.text, claim.line, f"{fresh.nodes:,} nodes", claim.predicate)


def _holds(position: Position, told: dict[str, Any], judge: Judge, earlier: Sequence[Position]) -> bool:
    mover, rank = position.player(), {"loss": 0, "draw": 1, "win": 2}
    kind = told["is"]

    def certain(action: Action | None) -> str:
        worth = judge.worth(position, earlier) if action is None else judge.after(position, action, earlier)
        return _result(worth, mover) if worth.proved else "unknown"

    if kind == "legal":
        there = position.play(told["moves"]) if told.get("moves") else position
        return sorted(there.action_text(action) for action in there.actions()) == sorted(told["actions"])
    if kind == "result":
        found = certain(None if told["action"] is None else position.parse_action(told["action"]))
        if found == "unknown":
            return False
        return rank[found] <= rank[told.get("most", "win")] and rank[found] >= rank[told.get("least", "loss")]
    if kind == "only":
        mine = position.parse_action(told["action"])
        each_of = {action: certain(action) for action in position.actions()}
        if "unknown" in each_of.values() or rank[each_of[mine]] < rank[told["least"]]:
            return False
        return all(rank[each] <= rank[told["others"]] for action, each in each_of.items() if action != mine)
    if kind == "change":
        return (
            certain(position.parse_action(told["best"])) == told["was"]
            and certain(position.parse_action(told["action"])) == told["now"]
        )
    if kind == "values":
        pairs = ((told["best"], told["was"]), (told["action"], told["now"]))
        worths = [(judge.after(position, position.parse_action(text), earlier), value) for text, value in pairs]
        if "reply" in told:  # and it is this reply that comes to as much
            there = position.play([told["action"]])
            worths.append((judge.after(there, there.parse_action(told["reply"])), told["now"]))
        return all(worth.proved and abs(worth.values[mover] - value) < 1e-6 for worth, value in worths)
    if kind == "reply":
        there = position.play(told["moves"])
        worth = judge.worth(there)
        return worth.proved and _result(worth, told["winner"]) == "win"
    if kind == "end":
        return _ends(position, told, judge)
    if kind == "threat":
        beyond = passed(position)
        proof = None if beyond is None else proof_of_end(beyond, told["plies"], judge.nodes)
        return proof is not None and (proof > 0) == (told["winner"] == 0)
    if kind == "dip":
        drop = position.evaluate(mover) - position.play(told["line"]).evaluate(mover)
        return drop >= told["least"] - SURE and _ends(position, {"moves": told["line"][:1], **told, "plies": told["plies"]}, judge)
    if kind == "luck":
        brought = told["sign"] * _brought(judge, position, position.parse_action(told["outcome"]), told["seat"])
        return bool(brought >= told["least"] - SURE)
    if kind == "gap":
        chosen = position.parse_action(told["best"])
        best = judge.after(position, chosen, earlier)
        if "units" not in told and len(told["others"]) == len(position.actions()) - 1 > MANY:  # one search for the best other
            from outplay.judge.review import gap_to_second

            if (apart := gap_to_second(judge, position, chosen, best, earlier)) is not None:
                return apart >= told["least"] - SURE
        for text in told["others"]:
            other = judge.after(position, position.parse_action(text), earlier)
            if best.share(mover) - other.share(mover) < told["least"] - SURE:
                return False
            if (
                "units" in told
                and best.decided == other.decided
                and best.values[mover] - other.values[mover] < told["units"] - SURE
            ):
                return False
        return True
    if kind == "line":
        ends = [features(position.play(line), mover) for line in told["lines"]]
        return abs(ends[0].get(told["feature"], 0.0) - ends[1].get(told["feature"], 0.0) - told["change"]) < 1e-5
    if kind == "rolls":
        for text, share in zip((told["action"], told["best"]), told["shares"], strict=True):
            after = position.result(position.parse_action(text))
            rolled = [(p, judge.worth(after.result(outcome))) for outcome, p in after.chances()]
            part = sum(p for p, each in rolled if each.values[mover] < told["bar"] - SURE)
            if abs(part - share) > 1e-6 or not all(each.proved for _, each in rolled):
                return False
        return True
    if kind == "weighed":
        played, best = (position.observe(mover).parse_action(told[name]) for name in ("action", "best"))
        again = HiddenJudge(judge).weighed(position, played)
        return again is not None and best in again.values and again.values[best] - again.values[played] >= told["least"] - SURE
    if kind == "solution":
        return _in_solution(position, told, judge)
    if kind == "holding":
        hidden, view = HiddenJudge(judge), position.observe(mover)
        if hidden.solution is None or view.text() != told["view"]:
            return False
        played, best = (view.parse_action(told[name]) for name in ("action", "best"))
        known = holdings(hidden, (mover, view.text()), played, best)
        if told["held"] is None:
            return bool(known) and all(was - now >= told["least"] - SURE for _, now, was in known.values())
        share, now, was = known.get(told["held"], (0.0, 0.0, 0.0))
        return abs(share - told["share"]) < 1e-3 and was - now >= told["least"] - SURE
    if kind == "fact":
        asked = own_words(position.game)
        view = position.observe(mover)
        parts = [view.parse_action(told[name]) for name in ("action", "best")]
        return asked is not None and any(
            name == told["kind"] and all(told.get(key) == value for key, value in facts.items())
            for name, _, _, facts in asked(view, *parts)
        )
    raise Unsuitable(f"no such predicate: {kind!r}")


def _ends(position: Position, told: dict[str, Any], judge: Judge) -> bool:
    there = position.play(told["moves"]) if told["moves"] else position
    if there.is_terminal():
        return told["plies"] == 0 and there.utility(told["winner"]) > 0
    found = proof_of_end(there, told["plies"], judge.nodes * END_PROOF)
    return found is not None and (found > 0) == (told["winner"] == 0)


def _in_solution(position: Position, told: dict[str, Any], judge: Judge) -> bool:
    hidden = HiddenJudge(judge)
    mover = position.player()
    if hidden.solution is None or position.observe(mover).text() != told["view"]:
        return False
    values = hidden.solution.values.get((mover, told["view"]), {})
    view = position.observe(mover)
    by_text = {view.action_text(action): value for action, value in values.items()}
    if "equal" in told:
        key, most = (mover, told["view"]), max(by_text.values())
        named = {view.action_text(action): action for action in values}
        return all(most - by_text[text] <= hidden.solution.slack(key, named[text]) for text in told["equal"])
    return by_text[told["best"]] - by_text[told["action"]] >= told["least"] - SURE


# ---------------------------------------------------------------- parts


def _said(given: float) -> float:
    """What is said of a difference of shares: half of it, in whole points."""
    return max(0.01, math.floor(100 * SAID * given) / 100)


def _end(
    position: Position, kind: str, moves: list[str], line: Sequence[str], winner: int, plies: int, text: str, other: str = ""
) -> Claim:
    """That one side forces its win within so many plies of the position after the moves."""
    start = [] if kind in ("wins", "missed") else moves
    within = phrase("within", moves=moves_in_words(plies))
    if kind == "refutation":
        sentence = say("loses by", action=text, other=other, within=within, line=line_in_words(line))
    elif kind == "missed":
        sentence = say("missed", best=text, line=line_in_words(line), gain=phrase("winning") + within)
    else:
        sentence = say("wins by", action=text, within=within, line=line_in_words(line))
    return Claim(
        kind,
        sentence,
        tuple(line) if not start else (*start, *line),
        "every line to the end",
        {"is": "end", "moves": start, "plies": plies, "winner": winner},
    )


def _result(worth: Worth, seat: int) -> str:
    value = worth.values[seat]
    return "win" if value > SURE else "loss" if value < -SURE else "draw"


def _plain(worth: Worth) -> bool:
    """Whether only who wins counts."""
    return worth.unit.name == "games" or worth.unit.utility == 0


def _has_distances(judge: Judge) -> bool:
    """Whether the engine's exact search tells how far an end is."""
    return isinstance(judge.game, CompiledGame) and judge.game.offers("evaluate") and judge.unit.utility == 0


def _proof(worth: Worth) -> str:
    return {"tables": "endgame tables"}.get(worth.algorithm, "every line to the end")


def _seat(position: Position, seat: int) -> str:
    name = position.game.seat_name(seat)
    return name if name[:1].isupper() else f"the {name}"


def _texts(position: Position, line: Sequence[Action], most: int = 10) -> tuple[str, ...]:
    from outplay.judge.review import texts

    return texts(position, line, most)


__all__ = ["Claim", "OutplayError", "own_words", "prove", "reasons", "why"]

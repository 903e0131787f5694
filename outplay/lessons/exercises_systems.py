"""Exercises about the programs that made history and what they did, and about plans, vectors, domains and the lectures' slips."""

from __future__ import annotations

import random
from math import comb

from outplay.lessons.exercises import Exercise, exercise, mixed, plain


@exercise("alphago")
def bonus_of_a_policy(source: random.Random) -> Exercise:
    """PUCT's second term is in proportion to the policy."""
    few, times = source.choice([0.05, 0.1, 0.2]), source.randint(2, 4)
    return Exercise(
        f"Two moves have the same Q and the same visits. The policy gives one {few * times:g} and the other {few:g}. "
        "How many times as large is the first one's bonus?",
        str(times),
        f"The bonus is c · P · √N / (1 + N(a)): all but P is the same, and {few * times:g} / {few:g} = {times}.",
        "What of the second term of PUCT is not the same for the two?",
        mistakes={
            plain(few * (times - 1)): "Not the difference: how many times as large?",
            "1": "P is a factor of the bonus, and they have different ones.",
        },
    )


@exercise("alphago")
def selected_by_puct(source: random.Random) -> Exercise:
    """Selection by PUCT."""
    while True:
        rows = [(name, source.randint(30, 60) / 100, source.randint(1, 6) / 10, source.randint(0, 9)) for name in "abc"]
        terms = {name: q + p * 5 / (1 + n) for name, q, p, n in rows}
        ordered = sorted(terms.values())
        if ordered[2] - ordered[1] > 0.05:
            break
    right = max(terms, key=lambda name: terms[name])
    return Exercise(
        "The parent has 25 visits and c = 1. Which move does PUCT select?",
        right,
        ", ".join(f"{name} {term:.2f}" for name, term in terms.items()) + ".",
        "Q + c · P · √25 / (1 + N).",
        choices=mixed(source, "a", "b", "c"),
        mistakes={
            max(rows, key=lambda row: row[2])[0]: "The policy likes it best; but how often was it tried already?",
            max(rows, key=lambda row: row[1])[0]: "It has the best Q; but what does the policy add to the others?",
        },
        table=(("move", "Q", "P", "N"), *((name, f"{q:.2f}", f"{p:g}", str(n)) for name, q, p, n in rows)),
    )


@exercise("chinook", "counted")
def men_laid(source: random.Random) -> Exercise:
    """In how many ways black men can be laid, by the squares that White's men cannot use."""
    men = source.randint(2, 4)
    apart = source.randint(1, min(men, 3))
    right = comb(4, apart) * comb(24, men - apart)
    return Exercise(
        f"{men} black men are laid on their 28 squares, just {apart} of them on the four that White's men cannot use. In how many ways?",
        str(right),
        f"C(4, {apart}) · C(24, {men - apart}) = {comb(4, apart)} · {comb(24, men - apart)} = {right:,}.",
        "Choose squares among the four, and among the other 24, and multiply.",
        mistakes={
            str(comb(28, men)): f"Those are all ways; here just {apart} may stand on the four.",
            str(comb(4, apart) + comb(24, men - apart)): "Each choice among the four goes with each among the others: multiply.",
        },
    )


@exercise("chinook", "lookup")
def worked_backwards(source: random.Random) -> Exercise:
    """A position's value from what its moves lead to, as tables of endings are made."""
    after = [source.choice(["won", "lost", "drawn"]) for _ in range(3)]
    right = "won" if "lost" in after else "drawn" if "drawn" in after else "lost"
    reason = {"won": "One move to a position that is lost for the opponent is enough.",
              "drawn": "No move leads to a position that is lost for the opponent, but one to a draw.",
              "lost": "Whatever I do, the opponent wins."}[right]  # fmt: skip
    mistakes = {"lost" if right == "won" else "won": "The values are those of the opponent, who is to move there."}
    return Exercise(
        f"Working backwards: my three moves lead to positions that are {after[0]}, {after[1]} and {after[2]} for the opponent, who is to move there. "
        "What is mine?",
        right,
        reason,
        "I choose the move; what is worst for the opponent?",
        choices=mixed(source, "won", "drawn", "lost"),
        mistakes=mistakes,
    )


@exercise("logistello")
def cut_by_probcut(source: random.Random) -> Exercise:
    """Whether ProbCut cuts."""
    spread, shallow = source.randint(2, 4), source.randint(-4, 6)
    far = source.choice([0.5, 1, 3, 4])
    bound = shallow + round(far * spread)
    cut = bound - shallow >= 2 * spread
    return Exercise(
        f"A search to depth 4 says {shallow:+d} discs, and misses the value of depth 8 by a standard deviation of {spread}. The deep search "
        f"would matter only from {bound:+d} on. ProbCut cuts where that is two standard deviations away or more. Does it cut?",
        "yes" if cut else "no",
        f"{bound:+d} is {(bound - shallow) / spread:.1f} standard deviations above {shallow:+d}.",
        "How many standard deviations lie between the two?",
        choices=mixed(source, "yes", "no"),
        mistakes={
            "yes": f"It may easily be wrong by {bound - shallow}.",
            "no": f"It would have to be wrong by {bound - shallow}, and mostly is by {spread}.",
        },
    )


@exercise("logistello")
def sum_of_patterns(source: random.Random) -> Exercise:
    """Patterns' weights, added up."""
    names = source.sample(["the upper edge", "the left edge", "a corner of 3 x 3", "the long diagonal", "the second row"], 4)
    weights = [source.choice([-1, 1]) * source.randint(1, 60) / 10 for _ in names]
    right = sum(weights)
    return Exercise(
        "Each pattern, filled as it is here, has a weight in discs. What is the position worth?",
        plain(right),
        " + ".join(f"({weight:+g})" for weight in weights) + f" = {plain(right)}.",
        "The evaluation is a sum.",
        mistakes={plain(right / 4): "The sum, not the mean.", plain(sum(map(abs, weights))): "Some weights are negative."},
        table=(("pattern", "weight"), *((name, f"{weight:+g}") for name, weight in zip(names, weights, strict=True))),
        tolerance=0.005,
    )


@exercise("td-gammon")
def trace_of_lambda(source: random.Random) -> Exercise:
    """How far TD(lambda) moves the opinion of an earlier position."""
    decay, back = source.choice([0.5, 0.7, 0.9]), source.randint(1, 3)
    rate, surprise = source.choice([0.1, 0.2]), source.choice([0.2, 0.4, 0.5])
    right = rate * surprise * decay**back
    return Exercise(
        f"TD(λ) with α = {rate:g} and λ = {decay:g}: the newest position turns out {surprise:g} better than thought. By how much does the opinion "
        f"of the position {back} {'step' if back == 1 else 'steps'} before it move?",
        plain(right),
        f"{rate:g} · {surprise:g} · {decay:g}^{back} = {plain(right)}.",
        "α times the surprise, and a factor λ for each step back.",
        mistakes={
            plain(rate * surprise): "That is how far the newest one moves.",
            plain(rate * surprise * decay * back): "λ to the power of the steps, not times them.",
        },
        tolerance=0.0002,
    )


@exercise("learning")
def true_value_of_a_walk(source: random.Random) -> Exercise:
    """What a place of the random walk is worth."""
    places = source.choice([3, 5, 7, 9])
    place = source.choice([number for number in range(1, places + 1) if 2 * number != places + 1])
    right = plain(place / (places + 1))
    return Exercise(
        f"A coin decides left or right on a row of {places} places; left of the row is worth 0, right of it 1. "
        f"What is place {place} from the left worth? (As a fraction or a decimal.)",
        right,
        f"Each place is worth the mean of its neighbours, so the values rise evenly: {place}/{places + 1}.",
        "The values of neighbours differ by the same everywhere, from 0 on the left end to 1 on the right.",
        mistakes={
            plain(place / places): "The ends are outside of the row: there is one step more than places.",
            plain(1 - place / (places + 1)): "Right of the row is worth 1.",
        },
        tolerance=0.002,
    )


@exercise("gib")
def tricks_or_points(source: random.Random) -> Exercise:
    """What a card is worth in points, where its mean of tricks tells nothing."""
    made, down, share = source.choice([110, 140, 400, 420]), source.choice([50, 100]), source.choice([20, 40, 50, 60])
    right = plain((100 - share) / 100 * made - share / 100 * down)
    return Exercise(
        f"Card a takes nine tricks in every deal, and the contract needs nine: {made} points. Card b goes down in {share} % of the deals, "
        f"for −{down}, and takes more tricks than needed in the others, for nothing more. What is b worth, in points?",
        right,
        f"{(100 - share) / 100:g} · {made} − {share / 100:g} · {down} = {right}, less than a's {made}, however many tricks it takes.",
        "Each share of the deals times its points.",
        mistakes={
            plain((100 - share) / 100 * made): "Going down costs points, too.",
            plain((100 - share) / 100 * made + share / 100 * down): "The points of going down are the opponents'.",
        },
        tolerance=0.05,
    )


@exercise("scrabble")
def score_and_leave(source: random.Random) -> Exercise:
    """A play is worth its score and what stays on the rack."""
    while True:
        rows = [(name, source.randint(14, 34), source.randint(-8, 14)) for name in "abc"]
        sums = [score + leave for _, score, leave in rows]
        if sorted(sums)[2] - sorted(sums)[1] >= 2 and sums.index(max(sums)) != max(range(3), key=lambda k: rows[k][1]):
            break
    right = rows[sums.index(max(sums))][0]
    return Exercise(
        "What stays on the rack is worth points, too. Which play is best?",
        right,
        ", ".join(f"{name}: {score} {leave:+d} = {score + leave}" for name, score, leave in rows) + ".",
        "Score and leave, added up.",
        choices=mixed(source, "a", "b", "c"),
        mistakes={
            max(rows, key=lambda row: row[1])[0]: "It scores most now; what is left for the next turn?",
            max(rows, key=lambda row: row[2])[0]: "It keeps the best tiles; what does it score?",
        },
        table=(("play", "score", "leave"), *((name, str(score), f"{leave:+d}") for name, score, leave in rows)),
    )


@exercise("slips")
def max_or_argmax(source: random.Random) -> Exercise:
    """The value is the max; the action is the argmax."""
    values = source.sample(range(1, 20), 3)
    place = values.index(max(values))
    value, action = str(max(values)), f"a{place + 1}"
    asked = source.random() < 0.5
    return Exercise(
        "MAX is to move. " + ("What is MINIMAX(s)?" if asked else "What does MINIMAX-DECISION(s) return?"),
        value if asked else action,
        f"The value is the max, {value}; the action that brings it is the argmax, {action}.",
        "Is a value asked for, or an action?",
        choices=mixed(source, value, action, str(min(values)), f"a{values.index(min(values)) + 1}"),
        mistakes={action: "That is the action, the argmax.", value: "That is its value, the max."},
        table=(("action", "value"), *((f"a{k + 1}", str(each)) for k, each in enumerate(values))),
    )


@exercise("systems")
def who_came_first(source: random.Random) -> Exercise:
    """The years of two of the systems."""
    won = {"TD-Gammon": 1992, "Chinook": 1994, "Deep Blue": 1997, "GIB": 1998, "AlphaGo": 2015}
    names = source.sample(list(won), 3)
    right = min(names, key=lambda name: won[name])
    return Exercise(
        f"Which of these came first: {names[0]}, {names[1]} or {names[2]}?",
        right,
        ", ".join(f"{name} {won[name]}" for name in sorted(names, key=lambda name: won[name])) + ".",
        "Each heading above says when.",
        choices=mixed(source, *names),
    )


@exercise("players")
def own_entry(source: random.Random) -> Exercise:
    """Only one's own entry counts."""
    vectors = [tuple(source.sample(range(1, 10), 3)) for _ in range(3)]
    who = source.randrange(3)
    while len({vector[who] for vector in vectors}) < 3 or max(vectors, key=sum) == max(vectors, key=lambda vector: vector[who]):
        vectors = [tuple(source.sample(range(1, 10), 3)) for _ in range(3)]
    right = max(vectors, key=lambda vector: vector[who])
    said = [f"({a}, {b}, {c})" for a, b, c in vectors]
    return Exercise(
        f"{'ABC'[who]} is to move and can choose {said[0]}, {said[1]} or {said[2]}, for A, B and C. What does maxⁿ choose?",
        said[vectors.index(right)],
        f"Only the {['first', 'second', 'third'][who]} entry counts, and {right[who]} is the greatest.",
        "Whose entry is it?",
        choices=mixed(source, *said),
        mistakes={
            said[vectors.index(max(vectors, key=sum))]: "That is best for all together; maxⁿ's players look at themselves alone."
        },
    )


@exercise("plans")
def smallest_belief(source: random.Random) -> Exercise:
    """How a belief shrinks without seeing anything."""
    rooms = source.randint(2, 3)
    done = source.choice([["left"], ["left", "suck"], ["suck"]])
    begin = rooms * 2**rooms
    if rooms == 3 and done[0] == "left":
        done = ["left", *done]
    left = {("left",): 2**rooms, ("left", "suck"): 2 ** (rooms - 1), ("suck",): begin // 2}[tuple(dict.fromkeys(done))]
    return Exercise(
        f"{['', '', 'Two', 'Three'][rooms]} rooms in a row, each clean or dirty, and the cleaner, who sees nothing, in any of them: {begin} states are possible. "
        f"It does this: {', '.join(done)}. How many states are possible then? (Going left in the leftmost room changes nothing.)",
        str(left),
        "Going left often enough leaves the place known; sucking leaves the room that one is in clean, whichever it is.",
        "What is known of the place, and what of each room?",
        mistakes={str(begin): "Something is known now that was not known before."},
    )


@exercise("constraints")
def made_consistent(source: random.Random) -> Exercise:
    """What arc consistency leaves of a domain."""
    low, high = source.randint(1, 3), source.randint(6, 9)
    least, most = source.randint(1, 4), source.randint(4, 9)
    xs, ys = list(range(low, high + 1)), list(range(least, most + 1))
    left = [x for x in xs if any(x < y for y in ys)]
    while not left or len(left) == len(xs):
        least, most = source.randint(1, 4), source.randint(4, 7)
        ys = list(range(least, most + 1))
        left = [x for x in xs if any(x < y for y in ys)]
    return Exercise(
        f"X is {low} to {high}, Y is {least} to {most}, and X < Y. How many values has X once its arc to Y is consistent?",
        str(len(left)),
        f"X keeps what is less than some value of Y: {left[0]} to {left[-1]}."
        if len(left) > 1
        else f"X keeps only {left[0]}, which is less than some value of Y.",
        "A value of X stays if at least one value of Y goes with it.",
        mistakes={
            str(len([x for x in xs if all(x < y for y in ys)])): "One partner is enough; it need not go with all.",
            str(len(xs)): f"{high} has no partner in Y.",
            str(len([x for x in xs if any(x <= y for y in ys)])): "Less, not less or equal.",
        },
    )

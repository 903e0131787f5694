"""Exercises on trees: what minimax and its kin find in a tree that was drawn a moment ago."""

from __future__ import annotations

import random

from outplay.lessons.exercises import Exercise, exercise, mixed, plain, searched

WORDS = ("a", "b", "c", "d")


def written(parts: object) -> str:
    """A nested list as the game `tree` reads it."""
    return str(parts).replace(" ", "")


def two_plies(source: random.Random, width: int = 3, wide: int = 3) -> list[list[int]]:
    """Leaves that all differ, two plies deep."""
    leaves = source.sample(range(1, 20), width * wide)
    return [leaves[wide * k : wide * (k + 1)] for k in range(width)]


@exercise("minimax")
def root_value(source: random.Random) -> Exercise:
    """The value of a tree of two plies."""
    tree = two_plies(source)
    below = [min(part) for part in tree]
    assert searched(written(tree), "minimax")[0].value == max(below)
    mistakes = {
        plain(
            max(map(max, tree))
        ): "That is the greatest leaf: MIN would not let MAX have it. First take the least at each MIN node.",
        plain(min(map(max, tree))): "You let MIN move at the root. The triangle that points up is MAX.",
        plain(min(below)): "You took the least twice. The root is MAX's: it takes the greatest of the three.",
    }
    return Exercise(
        "What is the root worth to MAX?",
        plain(max(below)),
        f"MIN leaves {', '.join(map(plain, below))}; the greatest of them is {max(below)}.",
        "Work from the bottom: the least below each MIN node, then the greatest of these.",
        mistakes=mistakes,
        tree=written(tree),
        algorithm="minimax",
    )


@exercise("minimax")
def best_action(source: random.Random) -> Exercise:
    """Which action minimax takes."""
    tree = two_plies(source)
    below, tops = [min(part) for part in tree], [max(part) for part in tree]
    right = f"a{below.index(max(below)) + 1}"
    hopeful = f"a{tops.index(max(tops)) + 1}"
    mistakes = {f"a{k + 1}": "Compare what MIN leaves below each action, not more than one of their leaves." for k in range(3)}
    mistakes[hopeful] = "The greatest leaf is there, but MIN chooses which leaf is reached."
    return Exercise(
        "Which action does MAX take?",
        right,
        f"MIN leaves {', '.join(map(plain, below))}, so {right}.",
        "For each action ask what MIN answers.",
        choices=mixed(source, "a1", "a2", "a3"),
        mistakes=mistakes,
        tree=written(tree),
        algorithm="minimax",
    )


@exercise("minimax")
def three_plies(source: random.Random) -> Exercise:
    """The value of a tree of three plies."""
    leaves = source.sample(range(1, 30), 8)
    tree = [[leaves[4 * k + 2 * j : 4 * k + 2 * j + 2] for j in range(2)] for k in range(2)]
    value = max(min(max(pair) for pair in part) for part in tree)
    assert searched(written(tree), "minimax")[0].value == value
    turned = min(max(min(pair) for pair in part) for part in tree)
    mistakes = {
        plain(turned): "Look who moves: MAX, MIN, MAX from the top. The leaves hang below MAX.",
        plain(max(leaves)): "MIN has a say on the second level.",
    }
    return Exercise(
        "Three plies: MAX, MIN, MAX. What is the root worth?",
        plain(value),
        f"The lowest MAX nodes are worth {', '.join(plain(max(pair)) for part in tree for pair in part)}, the MIN nodes "
        f"{', '.join(plain(min(max(pair) for pair in part)) for part in tree)}.",
        "Begin at the bottom, where MAX takes the greater leaf of each pair.",
        mistakes=mistakes,
        tree=written(tree),
        algorithm="minimax",
    )


@exercise("minimax", "sums")
def weak_opponent(source: random.Random) -> Exercise:
    """What MAX gets when MIN errs."""
    tree = two_plies(source, 2, 2)
    below = [min(part) for part in tree]
    taken = tree[below.index(max(below))]
    return Exercise(
        "MAX plays the action that minimax finds, and MIN answers with its other, worse action. What does MAX get?",
        plain(max(taken)),
        f"Minimax takes the action worth {max(below)}; MIN's mistake makes it {max(taken)}. "
        "An error of MIN never costs MAX anything.",
        "Find the action by minimax first; MIN then takes the other leaf below it.",
        mistakes={plain(max(below)): "That is what MAX gets if MIN makes no mistake."},
        tree=written(tree),
        algorithm="minimax",
    )


@exercise("alphabeta")
def skipped_leaves(source: random.Random) -> Exercise:
    """Which leaves alpha-beta never looks at."""
    while True:
        tree = two_plies(source)
        _, seen = searched(written(tree), "alphabeta")
        names = [seen.name(node) for node in seen.struck()]
        if 1 <= len(names) <= 4:
            break
    return Exercise(
        "Which leaves does alpha-beta, from left to right, never look at?",
        ", ".join(names),
        f"{len(names)} of 9: below a MIN node the rest is skipped as soon as one leaf is no better for MAX than what MAX "
        "already has.",
        "The first MIN node is always read to its end: alpha is known only then. After that compare each leaf with alpha.",
        tree=written(tree),
        algorithm="alphabeta",
        picks=True,
    )


@exercise("alphabeta")
def leaves_read(source: random.Random) -> Exercise:
    """How many leaves alpha-beta reads."""
    tree = two_plies(source)
    result, seen = searched(written(tree), "alphabeta")
    mistakes = {
        "9": "That is minimax. Where a leaf is no better for MAX than alpha, its sisters are skipped.",
        plain(9 - result.leaves): "That is how many it skips.",
    }
    return Exercise(
        "How many of the 9 leaves does alpha-beta read, from left to right?",
        plain(result.leaves),
        f"{result.leaves} of 9; " + (f"{seen.pruned} skipped." if seen.pruned else "no MIN node falls to alpha before its last leaf."),
        "Keep alpha, the best that MAX is sure of, beside the tree.",
        mistakes=mistakes,
        tree=written(tree),
        algorithm="alphabeta",
    )


@exercise("alphabeta")
def bound_of_a_node(source: random.Random) -> Exercise:
    """What a cut leaves known of a node."""
    first, low, high = source.randint(5, 9), source.randint(1, 4), source.randint(10, 18)
    right = f"at most {low}"
    return Exercise(
        f"The first MIN node is worth {first}. In the second, leaves {low} and {high} stand first and second. What is known of "
        "the second node's value when alpha-beta leaves it?",
        right,
        f"After the {low} MIN can hold MAX to {low} here, and {low} is no better than {first}: the rest is skipped. "
        f"The value is {low} or less, and nobody needs to know.",
        "How many leaves of the second node are read?",
        choices=mixed(source, right, f"at least {low}", f"exactly {low}", f"{high}"),
        mistakes={
            f"at least {low}": "MIN takes the least: another leaf can only lower the value.",
            f"exactly {low}": "There may be a smaller leaf among those that were skipped.",
        },
    )


@exercise("alphabeta")
def cut_at_max(source: random.Random) -> Exercise:
    """A cut below MAX, by beta."""
    beta, is_cut = source.randint(6, 12), source.random() < 0.5
    value = beta + source.randint(0, 6) if is_cut else source.randint(1, beta - 1)
    goes_on, skipped, lowered = "it goes on", "its other actions are skipped", f"beta becomes {value}"
    return Exercise(
        f"At a MAX node beta is {beta}. Its first action turns out to be worth {value}. What happens?",
        skipped if is_cut else goes_on,
        f"A MAX node is cut when its value reaches beta: MIN would not let the game come here. {value} does{'' if is_cut else ' not'}.",
        "At which end of the window is a MAX node cut?",
        choices=mixed(source, goes_on, skipped, lowered),
        mistakes={
            lowered: "Beta is MIN's best so far; only MIN nodes lower it.",
            **({goes_on: f"MIN has {beta} elsewhere, and MAX would get at least {value} here: MIN will not come here."} if is_cut else
               {skipped: "A value below beta at a MAX node is no reason to stop: MAX may find better."}),
        },
    )  # fmt: skip


@exercise("ordering")
def in_best_order(source: random.Random) -> Exercise:
    """Leaves of a reordered tree."""
    many, wide = source.randint(2, 4), source.randint(2, 4)
    tree = two_plies(source, many, wide)
    best = sorted((sorted(part) for part in tree), key=lambda part: -part[0])
    result, _ = searched(written(best), "alphabeta")
    now, _ = searched(written(tree), "alphabeta")
    mistakes = {plain(now.leaves): "That is for the order in the picture."}
    return Exercise(
        "If both players' best actions came first everywhere, how many leaves would alpha-beta read?",
        plain(result.leaves),
        f"All {wide} leaves of the first MIN node, and one of each other, {many - 1}: {wide + many - 1}."
        + (f" That is b^⌈m/2⌉ + b^⌊m/2⌋ − 1 with b = {wide}, m = 2." if many == wide else ""),
        "The first MIN node is read whole. How many leaves does each other one need, if its worst leaf for MAX comes first?",
        mistakes=mistakes,
        tree=written(tree),
        algorithm="alphabeta",
    )


@exercise("chance")
def dice_root(source: random.Random) -> Exercise:
    """An average of two chance nodes."""
    values = source.sample(range(0, 21, 2), 4)
    shares = [source.choice([(0.25, 0.75), (0.5, 0.5), (0.2, 0.8)]) for _ in range(2)]
    parts = [{"chance": [[shares[k][0], values[2 * k]], [shares[k][1], values[2 * k + 1]]]} for k in range(2)]
    tree = str({"max": parts}).replace("'", '"')
    result, _ = searched(tree, "expectiminimax")
    means = [shares[k][0] * values[2 * k] + shares[k][1] * values[2 * k + 1] for k in range(2)]
    right = plain(float(result.value))  # type: ignore[arg-type]  # one player's value
    mistakes = {
        plain(max((values[2 * k] + values[2 * k + 1]) / 2 for k in range(2))): "Weigh each outcome by its probability.",
        plain(max(values)): "MAX does not choose the outcome; chance does.",
        plain(min(means)): "The root is MAX's: it takes the greater of the two averages.",
    }
    return Exercise(
        "MAX chooses one of two gambles. What is the root worth?",
        right,
        f"The gambles are worth {plain(means[0])} and {plain(means[1])}.",
        "Probability times value, added up, for each gamble; then MAX chooses.",
        mistakes=mistakes,
        tree=tree,
        algorithm="expectiminimax",
        tolerance=0.005,
    )


@exercise("chance")
def squared(source: random.Random) -> Exercise:
    """Whether a rising function of EVAL changes a decision under chance."""
    while True:
        low, high = sorted(source.sample(range(10), 2))
        sure = source.randint(1, 8)
        before, after = (low + high) / 2 - sure, (low * low + high * high) / 2 - sure * sure
        if before and after:
            break
    flips = (before > 0) != (after > 0)
    yes, no = "it changes", "it stays the same"
    return Exercise(
        f"MAX may take a sure {sure}, or {low} and {high} at even odds. Then every value is squared, which keeps their order. "
        "What happens to MAX's choice?",
        yes if flips else no,
        f"The gamble is worth {plain((low + high) / 2)} against {sure}; squared {plain((low**2 + high**2) / 2)} against {sure**2}.",
        "Compute both averages, before and after.",
        choices=mixed(source, yes, no),
    )


@exercise("opponents")
def at_skill(source: random.Random) -> Exercise:
    """What an action is worth against an opponent who errs."""
    low, high, p = source.randint(1, 9), source.randint(20, 90), source.choice([0.3, 0.5, 0.6, 0.8, 0.9])
    tree = str({"max": {"a1": low + 1, "a2": {"min": [low, high]}}}).replace("'", '"')
    right = plain(p * low + (1 - p) * high)
    mistakes = {
        plain(low): "That is MIN without mistakes.",
        plain((1 - p) * low + p * high): "You turned p round: with p MIN finds its best.",
    }
    return Exercise(
        f"MIN finds its best answer with probability p = {p:g} and plays the other one else. What is a2 worth to MAX?",
        right,
        f"{p:g} · {low} + {plain(1 - p)} · {high} = {right}.",
        "MIN's best answer is the smaller number.",
        mistakes=mistakes,
        tree=tree,
        algorithm=f"opponent:skill={p:g}",
        tolerance=0.005,
    )


@exercise("players", "korf")
def three_players(source: random.Random) -> Exercise:
    """The vector at the root of a tree for three."""
    firsts = source.sample(range(1, 10), 4)
    leaves = [(first, *source.sample(range(1, 10), 2)) for first in firsts]
    tree = [[leaves[0], leaves[1]], [leaves[2], leaves[3]]]
    text = str(tree).replace(" ", "")
    result, _ = searched(text, "maxn")
    right = str(tuple(int(part) for part in result.value)) if isinstance(result.value, tuple) else ""
    choices = [str(leaf) for leaf in leaves]
    greedy = str(max(leaves))
    mistakes = {choice: "B, the second to move, looks at the second entries only; A then at the first." for choice in choices}
    mistakes[greedy] = "A would love it, but B decides on the way to it."
    return Exercise(
        "A moves first, then B; C only shares the result. Which vector does maxⁿ bring to the root?",
        right,
        "At each node the player to move takes the vector that is greatest in its own place.",
        "Begin with B's two nodes, and compare second entries.",
        choices=mixed(source, *choices),
        mistakes=mistakes,
        tree=text,
        algorithm="maxn",
    )


@exercise("korf")
def korf_cut(source: random.Random) -> Exercise:
    """Whether the rest of a node can be skipped."""
    total, have = 10, source.randint(2, 6)
    mine = source.randint(2, 9)
    skipped = total - mine <= have
    yes, no = "yes", "no"
    return Exercise(
        f"All utilities are at least 0 and add up to {total}. A already has {have} elsewhere. B, to move below another action of A, "
        f"has found a vector with {mine} for itself. May the rest of B's node be skipped?",
        yes if skipped else no,
        f"B will have at least {mine}, so at most {total - mine} are left for A, {'no more than' if skipped else 'and that is more than'} "
        f"its {have}.",
        "What is the most that A can still get here?",
        choices=mixed(source, yes, no),
    )


@exercise("variants")
def negated(source: random.Random) -> Exercise:
    """Negamax: the value at a node for the player to move."""
    leaves = source.sample(range(1, 15), 3)
    right = plain(-min(leaves))
    return Exercise(
        f"Negamax is at a node of MIN whose leaves are worth {', '.join(map(str, leaves))} to MAX. Which value does it return "
        "for this node?",
        right,
        f"Each leaf is worth the negative of it to MIN; the greatest of {', '.join(str(-leaf) for leaf in leaves)} "
        f"is {right}, and the node above turns the sign again.",
        "Negamax always returns what a node is worth to the player who is to move there.",
        mistakes={
            plain(min(leaves)): "That is the value to MAX. Negamax returns it for the player to move.",
            plain(-max(leaves)): "MIN takes what is least for MAX.",
        },
    )


@exercise("variants")
def separates(source: random.Random) -> Exercise:
    """Best Node Search: which question separates the best action."""
    values = sorted(source.sample(range(1, 20), 3), reverse=True)
    right = str(values[0] if values[0] - values[1] == 1 else values[1] + 1)
    wrong = [str(values[2]), str(values[0] + 1), str(values[1])]
    shown = values[:]
    source.shuffle(shown)
    return Exercise(
        f"Three actions are worth {', '.join(map(str, shown))}. Best Node Search asks of each: at least so much? "
        "Which number leaves exactly one action?",
        right,
        f"Only the action worth {values[0]} reaches {right}; its exact value is never needed.",
        "It must be above the second best value, and not above the best.",
        choices=mixed(source, right, *wrong),
        mistakes={str(values[1]): "The second best action reaches this, too.", str(values[0] + 1): "No action reaches this."},
    )


@exercise("variants")
def windows_of_mtdf(source: random.Random) -> Exercise:
    """MTD(f): what a null window tells."""
    value, asked = source.sample(range(1, 20), 2)
    right = "a lower bound" if value >= asked else "an upper bound"
    return Exercise(
        f"The value is {value}, which nobody knows yet. MTD(f) asks with a null window: at least {asked}? What does the answer give?",
        right,
        f"{'Yes' if value >= asked else 'No'}: the value is {'at least what came back' if value >= asked else 'at most what came back'}.",
        "Is the answer yes or no?",
        choices=mixed(source, "a lower bound", "an upper bound", "the exact value"),
        mistakes={"the exact value": "A null window has no room for a value between its ends."},
    )


@exercise("quiescence")
def after_the_captures(source: random.Random) -> Exercise:
    """The quiescent value of a position with one capture."""
    now, pawn, queen = source.randint(-3, 3), 1, 9
    guarded = source.random() < 0.5
    best = now + pawn - queen if guarded else now + pawn
    right = max(now, best)
    return Exercise(
        f"A leaf is worth {now:+d} pawns by its pieces. The player to move may take a pawn with the queen{', and the queen would be taken back' if guarded else '; nothing can take back'}. "
        "What does quiescence search return for the leaf (a queen counts 9)?",
        plain(right),
        f"Standing pat is worth {now:+d}, the capture {best:+d}: {'a capture need not be made' if guarded else 'the pawn is won'}.",
        "The player may also stand pat: captures are played out only as far as they pay.",
        mistakes={
            plain(now + pawn): "And then the queen is taken.",
            plain(now + pawn - queen): "A player who loses by the capture need not make it.",
        }
        if guarded
        else {plain(now): "The capture is free."},
    )


@exercise("quiescence")
def beam_miss(source: random.Random) -> Exercise:
    """What a beam of width one misses."""
    tree = two_plies(source, 2, 2)
    guess = [source.sample(range(1, 10), 1)[0] for _ in range(2)]
    while guess[0] == guess[1]:
        guess[1] = source.randint(1, 9)
    below = [min(part) for part in tree]
    kept = guess.index(max(guess))
    return Exercise(
        f"EVAL gives a1 {guess[0]} and a2 {guess[1]}. A beam of width 1 keeps only the more promising action at the root (and all of "
        "MIN's answers). What does it think the root is worth?",
        plain(below[kept]),
        f"It keeps a{kept + 1} and finds {below[kept]}; the whole tree is worth {max(below)}.",
        "Which action survives? Then minimax below it.",
        mistakes={plain(max(below)): "That is minimax over both actions."},
        tree=written(tree),
        algorithm="minimax",
    )


@exercise("plans")
def and_or(source: random.Random) -> Exercise:
    """Whether there is a plan."""
    outcomes = [[source.random() < 0.6 for _ in range(2)] for _ in range(2)]
    good = [k + 1 for k in range(2) if all(outcomes[k])]
    right = f"yes, by a{good[0]}" if good else "no"
    rows = tuple((f"a{k + 1}", *("goal" if good_one else "a trap" for good_one in outcomes[k])) for k in range(2))
    return Exercise(
        "Each action may bring either of two outcomes. Is there a plan that works for sure?",
        right,
        "An action works if all its outcomes do (AND); one action that works is enough (OR).",
        "Look for a row without a trap.",
        choices=mixed(source, "yes, by a1", "yes, by a2", "no") if len(good) < 2 else mixed(source, right, "no"),
        table=(("action", "one outcome", "the other"), *rows),
    )

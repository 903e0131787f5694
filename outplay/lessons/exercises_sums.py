"""Exercises in numbers: how large a tree is, what an average says, which child is selected, how regret mixes."""

from __future__ import annotations

import math
import random

from outplay.game import load
from outplay.lessons.exercises import Exercise, exercise, mixed, plain
from outplay.textbook.evaluation import expected
from outplay.textbook.meta import affordable_depth, best_leaves, deepening_nodes, tree_nodes
from outplay.textbook.ucb import ucb1


def picked(source: random.Random, *choices: float) -> float:
    """One of a few numbers."""
    return source.choice(choices)


@exercise("formulation", "sizes")
def leaves_of_a_tree(source: random.Random) -> Exercise:
    """b to the power of m."""
    b, m = source.randint(2, 9), source.randint(3, 6)
    return Exercise(
        f"A game has {b} actions in each position and lasts {m} plies. How many leaves has its tree?",
        str(b**m),
        f"{b}^{m} = {b**m:,}.",
        "Each ply multiplies the number of positions by b.",
        mistakes={
            str(b * m): "That is b · m. Each position of a ply has b actions of its own.",
            str(tree_nodes(b, m)): "Those are all nodes; the leaves are those of the last ply.",
        },
    )


@exercise("formulation")
def which_question(source: random.Random) -> Exercise:
    """Which of the six functions answers."""
    asked, right = source.choice(
        [
            ("Black may castle on the king's side", "ACTIONS"),
            ("the pawn reaches e4", "RESULT"),
            ("three in a row: nobody moves any more", "TERMINAL-TEST"),
            ("half a point each", "UTILITY"),
            ("it is White's turn", "PLAYER"),
            ("all pieces stand on their first squares", "INITIAL STATE"),
        ]
    )
    every = ("ACTIONS", "RESULT", "TERMINAL-TEST", "UTILITY", "PLAYER", "INITIAL STATE")
    mistakes = {
        "RESULT": "RESULT says what an action leads to.",
        "ACTIONS": "ACTIONS says what may be done.",
        "UTILITY": "UTILITY says who gets how much, once a game is over.",
    }
    return Exercise(
        f"Which of the six functions says this: “{asked}”?",
        right,
        f"{right} does.",
        "What kind of fact is it?",
        choices=mixed(source, *every),
        mistakes=mistakes,
    )


@exercise("ordering", "deep-blue")
def fewest_leaves(source: random.Random) -> Exercise:
    """The least that any algorithm needs."""
    b, m = source.randint(3, 10), source.choice([2, 3, 4])
    up, down = b ** -(-m // 2), b ** (m // 2)
    return Exercise(
        f"A uniform tree has b = {b} and m = {m}. How many leaves does alpha-beta read in the best order?",
        str(best_leaves(b, m)),
        f"b^⌈m/2⌉ + b^⌊m/2⌋ − 1 = {up} + {down} − 1.",
        "Half the plies are read whole, once for each player; one leaf is in both.",
        mistakes={str(up + down): "The line of best play is counted twice.", str(b**m): "That is the worst order."},
    )


@exercise("ordering", "deep-blue")
def factor_a_ply(source: random.Random) -> Exercise:
    """The effective branching factor."""
    root = source.randint(3, 9)
    return Exercise(
        f"A game has {root * root} actions in each position, and the best one always comes first. By how much does one ply more "
        "multiply the leaves of alpha-beta, on average?",
        str(root),
        f"b^(m/2) = (√b)^m, and √{root * root} = {root}.",
        "b^(m/2) can be written as something to the power of m.",
        mistakes={str(root * root): "That is minimax."},
        tolerance=0.01,
    )


@exercise("cutoff", "features")
def worth_of_a_category(source: random.Random) -> Exercise:
    """EVAL by category."""
    wins, losses = source.randrange(30, 80, 2), source.randrange(4, 20, 2)
    draws = 100 - wins - losses
    right = plain(expected(wins / 100, losses / 100, draws / 100))
    return Exercise(
        f"Of all positions like this one {wins} % were won, {losses} % lost and {draws} % drawn. A win counts 1, a draw ½, a loss 0. "
        "What is EVAL?",
        right,
        f"{wins / 100:g} · 1 + {draws / 100:g} · ½ + {losses / 100:g} · 0 = {right}.",
        "Each share times what it is worth, added up.",
        mistakes={
            plain(wins / 100): "Draws count, too: one half each.",
            plain((wins + draws) / 100): "A draw counts one half.",
            plain((wins - losses) / 100): "A loss counts 0 here, not −1.",
        },
        tolerance=0.0005,
    )


@exercise("cutoff", "second")
def depth_in_time(source: random.Random) -> Exercise:
    """How deep a time allows."""
    b, exponent = source.choice([(10, 6), (10, 8), (100, 8), (100, 6), (10, 4)])
    seconds = source.choice([10, 100])
    speed = 10**exponent // seconds
    right = affordable_depth(seconds, speed, b)
    return Exercise(
        f"{seconds} s, {speed:,} nodes a second, b = {b}. How many plies does minimax look ahead?",
        plain(right),
        f"{10**exponent:,} nodes, and {b}^{plain(right)} is as many.",
        "First the number of nodes, then its logarithm to the base b.",
        mistakes={plain(2 * right): "That is alpha-beta in the best order: twice as deep."},
        tolerance=0.05,
    )


@exercise("cutoff", "strength")
def deepening_visits(source: random.Random) -> Exercise:
    """The nodes of iterative deepening."""
    b, d = source.randint(2, 5), source.randint(2, 3)
    right = deepening_nodes(b, d)
    return Exercise(
        f"A uniform tree has b = {b}. Iterative deepening searches to depth 1, then 2{', then 3' if d == 3 else ''}, without "
        "pruning. How many nodes does it visit in all, the root each time included?",
        str(right),
        " + ".join(str(tree_nodes(b, k)) for k in range(1, d + 1)) + f" = {right}: the bottom once, the root {d} times.",
        "A tree of depth d has (b^(d+1) − 1)/(b − 1) nodes; add up one tree a depth.",
        mistakes={str(tree_nodes(b, d)): "That is the last depth alone."},
    )


@exercise("features")
def weighted_sum(source: random.Random) -> Exercise:
    """w1 f1 + w2 f2 + ..."""
    pieces = [("queens", 9), ("rooks", 5), ("pawns", 1)]
    more = [0, 0, 0]
    while sum(map(bool, more)) < 2:
        more = [source.randint(-1, 1), source.randint(-2, 2), source.randint(-4, 4)]
    right = sum(weight * count for (_, weight), count in zip(pieces, more, strict=True))
    said = ", ".join(f"{count:+d} {name}" for (name, _), count in zip(pieces, more, strict=True))
    mistakes = {plain(sum(more)): "Each feature is multiplied by its weight.", plain(-right): "Count White's minus Black's."}
    return Exercise(
        f"White minus Black: {said}. Queens weigh 9, rooks 5, pawns 1. What is EVAL for White?",
        plain(right),
        " + ".join(f"{weight} · ({count})" for (_, weight), count in zip(pieces, more, strict=True)) + f" = {right}.",
        "Weight times feature, added up.",
        mistakes=mistakes,
    )


@exercise("features")
def weight_found(source: random.Random) -> Exercise:
    """A weight from two values."""
    weight, first, second = source.randint(2, 6), source.randint(1, 4), source.randint(5, 9)
    return Exercise(
        f"EVAL = w · mobility. A position with mobility {first} gets {weight * first}, one with {second} gets {weight * second}. "
        "What is w?",
        str(weight),
        f"{weight * second} / {second} = {weight}.",
        "Divide the value by the feature.",
    )


@exercise("lookup", "counted")
def table_of_two(source: random.Random) -> Exercise:
    """How many positions a table holds."""
    squares = source.choice([9, 16, 20, 25, 32, 36, 49, 64])
    return Exercise(
        f"One piece of mine and one of yours stand on different cells of {squares}; either player may be to move. "
        "How many entries has the table?",
        str(2 * squares * (squares - 1)),
        f"{squares} · {squares - 1} · 2.",
        "Cells for the first, cells left for the second, and who is to move.",
        mistakes={
            str(squares * (squares - 1)): "Either player may be to move.",
            str(2 * squares**2): "They cannot stand on one cell.",
            str(squares * (squares - 1) // 2): "The two pieces are not the same, and either player may be to move.",
        },
    )


@exercise("lookup")
def kept(source: random.Random) -> Exercise:
    """What a full table keeps."""
    old, new = source.sample(range(2, 15), 2)
    right = "the old one" if old > new else "the new one"
    return Exercise(
        f"A slot of a transposition table holds a result of depth {old} from this search; a result of depth {new} for another "
        "position wants the same slot. Which one does “keep the deeper” keep?",
        right,
        "A deeper entry saves more work when it is met again.",
        "Which took more work?",
        choices=mixed(source, "the old one", "the new one"),
    )


@exercise("chance", "monopoly")
def mean_of_a_roll(source: random.Random) -> Exercise:
    """A chance node with three outcomes."""
    values = source.sample(range(-12, 31, 6), 3)
    right = plain(values[0] / 2 + values[1] / 3 + values[2] / 6)
    mistakes = {plain(sum(values) / 3): "They are not equally likely.", plain(max(values)): "Nobody chooses at a chance node."}
    return Exercise(
        f"Chance brings {values[0]} with probability 1/2, {values[1]} with 1/3 and {values[2]} with 1/6. What is the node worth?",
        right,
        f"{values[0]}/2 + {values[1]}/3 + {values[2]}/6 = {right}.",
        "Probability times value, added up.",
        mistakes=mistakes,
        tolerance=0.01,
    )


@exercise("chance", "rolls")
def tree_with_dice(source: random.Random) -> Exercise:
    """How large a tree with dice is."""
    rolls, actions = source.choice([2, 3, 6, 21]), source.randint(2, 6)
    return Exercise(
        f"A move of MAX, a roll, a move of MIN: {rolls} rolls and {actions} actions each. How many leaves?",
        str(actions * rolls * actions),
        f"{actions} · {rolls} · {actions}: the lecture's pattern, 20 · (21 · 20)³ for four moves in backgammon.",
        "Every roll has all the actions below it.",
        mistakes={str(actions**2): "The roll multiplies, too.", str(actions + rolls + actions): "Multiply, do not add."},
    )


@exercise("chance", "rolls")
def roll_of_two(source: random.Random) -> Exercise:
    """Probabilities of dice."""
    total = source.randint(3, 11)
    ways = 6 - abs(total - 7)
    return Exercise(
        f"Two dice fall. In how many of the 36 ways is their sum {total}?",
        str(ways),
        f"{ways} ordered pairs.",
        "List the first die, and see which second one fits.",
        mistakes={str((ways + 1) // 2): "4-2 and 2-4 are two ways."},
    )


@exercise("monopoly")
def doubles(source: random.Random) -> Exercise:
    """The chance of so many doubles in a row."""
    n = source.choice([1, 2, 3])
    return Exercise(
        f"How likely are doubles {['once', 'twice in a row', 'three times in a row, which leads to jail'][n - 1]}? (As a fraction or a decimal.)",
        f"{1 / 6**n:.6f}",
        f"1/{6**n}.",
        "Of 36 rolls 6 are doubles.",
        mistakes={f"{1 / 36**n:.6f}": "Any of the six doubles will do."},
        tolerance=0.0006,
    )


@exercise("monopoly")
def any_doubles(source: random.Random) -> Exercise:
    """The chance of doubles at least once: by what does not happen."""
    n = source.randint(2, 5)
    return Exercise(
        f"In jail a player leaves with doubles. How likely is it that two dice show doubles at least once in {n} throws? (To within 0.01.)",
        plain(1 - (5 / 6) ** n),
        f"1 − (5/6)^{n} = {plain(1 - (5 / 6) ** n)}.",
        "How likely is it that no throw shows doubles?",
        mistakes={
            plain(n / 6): "That counts two doubles twice: with six throws it would be certain.",
            plain((5 / 6) ** n): "That is the chance of none.",
            plain(1 / 6**n): "That is the chance of doubles every time.",
        },
        tolerance=0.01,
    )


@exercise("opponents")
def threshold(source: random.Random) -> Exercise:
    """The skill at which the choice flips."""
    low, width = source.randint(1, 6), source.choice([10, 20, 25])
    high = low + width
    share = source.choice([2, 4, 6, 8])
    sure = low + width * share / 10
    right = plain(1 - share / 10)
    return Exercise(
        f"A sure {plain(sure)}, or an action after which MIN, with probability p, finds {low}, and else leaves {high}. "
        "Below which p is the risk better?",
        right,
        f"{high} − {width}p > {plain(sure)} as long as p < {right}.",
        "Set p · low + (1 − p) · high equal to the sure thing.",
        mistakes={plain(share / 10): "That is 1 − p."},
        tolerance=0.005,
    )


@exercise("hidden", "gib", "hundred")
def mean_of_deals(source: random.Random) -> Exercise:
    """Which action is best on average."""
    while True:
        rows = [[source.choice([0, 1]) for _ in range(6)], [source.choice([0, 1]) for _ in range(6)]]
        if sum(rows[0]) != sum(rows[1]):
            break
    sure = (sum(rows[0]) + sum(rows[1])) / 12
    best = max(("a", sum(rows[0]) / 6), ("b", sum(rows[1]) / 6), key=lambda pair: pair[1])
    text = tuple((name, *map(str, row)) for name, row in zip("ab", rows, strict=True))
    return Exercise(
        f"Six deals were solved with open cards; c is worth {sure:.2f} in every one. What does averaging play?",
        best[0],
        f"a {sum(rows[0]) / 6:.2f}, b {sum(rows[1]) / 6:.2f}, c {sure:.2f}.",
        "Add up each row and divide by six.",
        choices=mixed(source, "a", "b", "c"),
        table=(("", "1", "2", "3", "4", "5", "6"), *text),
    )


@exercise("hidden")
def open_cards_too_well(source: random.Random) -> Exercise:
    """What averaging believes of a guess, and what it is worth."""
    cases, prize, share = source.choice([2, 4, 5]), source.choice([1, 2, 5, 10]), source.choice([0.6, 0.7, 0.8, 0.9])
    sure, worth = plain(prize * share), plain(prize / cases)
    return Exercise(
        f"Take a sure {sure}, or go on to a place where you must guess which of {cases} cases it is, all equally likely: {prize} if right, "
        "0 if wrong. What does averaging over deals think that going on is worth?",
        plain(prize),
        f"In each deal, with open cards, it guesses right: it believes {prize}. Really it is worth {prize}/{cases} = {worth}. That is the flaw.",
        "Solve each deal with open cards, and only then average.",
        mistakes={worth: "That is what it is really worth; averaging does not see that.", sure: "That is the sure thing; go on instead."},
    )


@exercise("gib", "battleships")
def counting_fits(source: random.Random) -> Exercise:
    """How many hidden states fit."""
    row, ship = source.randint(6, 10), source.randint(2, 4)
    return Exercise(
        f"A row of {row} cells holds one ship of {ship} cells. Where can it lie, before any shot?",
        str(row - ship + 1),
        f"It may begin at {row - ship + 1} cells.",
        "Where can its first cell be?",
        mistakes={str(row): "Near the end there is no room for all of it.", str(row - ship): "Count the last place, too."},
    )


@exercise("battleships")
def best_shot(source: random.Random) -> Exercise:
    """Which cell of a row is likeliest to be hit."""
    row, ship = source.choice([(5, 3), (7, 4), (5, 4), (7, 5), (3, 2)])
    counts = [sum(begin <= cell < begin + ship for begin in range(row - ship + 1)) for cell in range(row)]
    middle = row // 2
    names = [f"cell {cell + 1}" for cell in (0, middle, row - 1)]
    return Exercise(
        f"A row of {row} cells holds one ship of {ship}, anywhere with equal chance. Which of these is the best first shot?",
        names[1],
        f"The places that cover each cell: {', '.join(map(str, counts))}.",
        "In how many of its places does the ship cover each cell?",
        choices=mixed(source, *names),
    )


@exercise("regret")
def regret_share(source: random.Random) -> Exercise:
    """Regret matching."""
    positive = source.sample(range(1, 9), 2)
    negative = -source.randint(1, 5)
    regrets = [positive[0], negative, positive[1]]
    right = plain(positive[1] / sum(positive))
    return Exercise(
        f"The regrets are rock {regrets[0]}, paper {regrets[1]}, scissors {regrets[2]}. How often is scissors played next? "
        "(As a fraction or a decimal.)",
        right,
        f"{regrets[2]} / ({regrets[0]} + {regrets[2]}) = {right}.",
        "Only positive regrets count.",
        mistakes={plain(positive[1] / sum(regrets)): "You added the negative regret, too."} if sum(regrets) else {},
        tolerance=0.005,
    )


@exercise("regret")
def regret_update(source: random.Random) -> Exercise:
    """What one round adds to regret."""
    hand = {"rock": 0, "paper": 1, "scissors": 2}
    game = load("rock-paper-scissors").start()
    mine, yours, other = (source.choice(list(hand)) for _ in range(3))
    while other == mine:
        other = source.choice(list(hand))
    pay = {name: game.play(name).play(yours).utility(0) for name in (mine, other)}
    right = pay[other] - pay[mine]
    return Exercise(
        f"I played {mine}, you played {yours}. A win counts 1, a loss −1. How much does my regret for {other} grow?",
        plain(right),
        f"{other} would have brought {plain(pay[other])}, {mine} brought {plain(pay[mine])}.",
        "What the other action would have brought, minus what mine brought.",
        mistakes={plain(-right): "The other way round: what was missed, minus what was had."},
    )


@exercise("mcts")
def next_child(source: random.Random) -> Exercise:
    """UCB1 by hand."""
    while True:
        rows = [(name, source.randint(0, 6), source.randint(6, 12)) for name in "ab"] + [("c", source.randint(0, 2), 2)]
        total = sum(row[2] for row in rows)
        terms = {name: ucb1(wins / visits, visits, total) for name, wins, visits in rows}
        ordered = sorted(terms.values())
        if ordered[2] - ordered[1] > 0.1:
            break
    right = max(terms, key=lambda name: terms[name])
    best_mean = max(rows, key=lambda row: row[1] / row[2])[0]
    mistakes = {best_mean: "It has the best mean; but what does it add for being little known?"}
    return Exercise(
        f"The parent has {total} visits and C = 1.4. Which child does UCB1 select?",
        right,
        ", ".join(f"{name} {term:.2f}" for name, term in terms.items()) + ".",
        "U/N + 1.4 · √(log N(parent) / N), with the natural logarithm.",
        choices=mixed(source, "a", "b", "c"),
        mistakes=mistakes,
        table=(("child", "U", "N"), *((name, str(wins), str(visits)) for name, wins, visits in rows)),
    )


@exercise("mcts")
def new_mean(source: random.Random) -> Exercise:
    """Update value."""
    visits = source.choice([3, 4, 7, 9])
    wins = source.randint(1, visits - 1)
    right = plain((wins + 1) / (visits + 1))
    return Exercise(
        f"A node has {visits} visits and {wins} wins. The next simulation through it is won. What is its mean afterwards? "
        "(As a fraction or a decimal.)",
        right,
        f"{wins + 1}/{visits + 1}.",
        "One win and one visit more.",
        mistakes={plain((wins + 1) / visits): "The visit counts, too."},
        tolerance=0.005,
    )


@exercise("mcts", "sampling")
def played_in_the_end(source: random.Random) -> Exercise:
    """The most visited child is played."""
    visits = source.sample(range(20, 90), 3)
    means = [round(source.uniform(0.3, 0.7), 2) for _ in range(3)]
    names = ["a", "b", "c"]
    right = names[visits.index(max(visits))]
    by_mean = names[means.index(max(means))]
    return Exercise(
        "The search is over. Which action is played, as the lectures have it?",
        right,
        "The one with the most visits.",
        "Not by mean, nor by UCB1.",
        choices=mixed(source, *names),
        mistakes={by_mean: "A good mean of few visits may be luck."},
        table=(("child", "mean", "visits"), *((n, f"{m:.2f}", str(v)) for n, m, v in zip(names, means, visits, strict=True))),
    )


@exercise("sampling")
def in_proportion(source: random.Random) -> Exercise:
    """Sampling in proportion to UCB."""
    parts = source.sample(range(1, 9), 3)
    right = plain(parts[0] / sum(parts))
    return Exercise(
        f"Three children have the UCB terms {parts[0] / 4:g}, {parts[1] / 4:g} and {parts[2] / 4:g}. One is drawn in proportion to them. "
        "How likely is the first? (As a fraction or a decimal.)",
        right,
        f"{parts[0]} / {sum(parts)} = {right}.",
        "Its term over the sum of all.",
        mistakes={plain(1 / 3): "They are not equally likely."},
        tolerance=0.005,
    )


@exercise("learning", "td-gammon", "samuel")
def td_step(source: random.Random) -> Exercise:
    """One step of temporal differences."""
    here, there, rate = source.randint(2, 8) / 10, source.randint(2, 8) / 10, source.choice([0.1, 0.2, 0.5])
    while here == there:
        there = source.randint(2, 8) / 10
    right = plain(here + rate * (there - here))
    mistakes = {
        plain(there): "Only a part α of the way.",
        plain(here - rate * (there - here)): "Towards the next opinion, not away from it.",
    }
    return Exercise(
        f"A position is thought to be worth {here:g}, the next one {there:g}; α = {rate:g}. What is the first thought to be worth afterwards?",
        right,
        f"{here:g} + {rate:g} · ({there:g} − {here:g}) = {right}.",
        "V ← V + α (V′ − V).",
        mistakes=mistakes,
        tolerance=0.0005,
    )


@exercise("samuel")
def weight_moved(source: random.Random) -> Exercise:
    """Samuel's step: a weight moves by the rate, the difference and its feature."""
    here, back = source.choice([(20, 60), (40, 10), (-30, 10), (0, 50), (35, -15)])
    feature, weight, rate = source.choice([2, 3, -2]), source.choice([4, 6, 10]), source.choice([0.01, 0.02, 0.1])
    right = plain(weight + rate * (back - here) * feature)
    return Exercise(
        f"The evaluation says {here} of a position, three plies of search say {back}. A feature stands at {feature}, its weight is {weight}. "
        f"The weight moves by {rate:g} · difference · feature. What is it then?",
        right,
        f"{weight} + {rate:g} · ({back} − {here}) · {feature} = {right}.".replace("− -", "+ ").replace("· -", "· −"),
        "The difference is what the search says less what the evaluation said.",
        mistakes={
            plain(weight - rate * (back - here) * feature): "Towards what the search says: the search sees further.",
            plain(weight + rate * (back - here)): "The feature decides how much the weight was at fault: multiply by it.",
        },
        tolerance=0.0005,
    )


@exercise("samuel")
def seen_by_rote(source: random.Random) -> Exercise:
    """How far a remembered value lets a search see."""
    ahead, times = source.randint(2, 4), source.randint(2, 4)
    right = ahead * (times + 1)
    return Exercise(
        f"A program looks {ahead} plies ahead and remembers what came back. At its next leaf stands a position that it remembers, whose value "
        f"came from such a leaf again, {times} times in a row. How many plies does the value at the root look ahead in all?",
        str(right),
        f"{ahead} plies now and {ahead} more for each of {times} remembered values: {ahead} · {times + 1} = {right}.",
        "Each remembered value is a search of its own, put below this one.",
        mistakes={
            str(ahead * times): "This search looks ahead, too: count it.",
            str(ahead + times): f"A remembered value adds {ahead} plies, not one.",
        },
    )


@exercise("paths", "online")
def next_of_a_star(source: random.Random) -> Exercise:
    """Which node A* expands."""
    while True:
        rows = [(name, source.randint(1, 9), source.randint(1, 9)) for name in "abc"]
        sums = [g + h for _, g, h in rows]
        if len(set(sums)) == 3 and len({h for _, _, h in rows}) == 3:
            break
    right = rows[sums.index(min(sums))][0]
    greedy = min(rows, key=lambda row: row[2])[0]
    near = min(rows, key=lambda row: row[1])[0]
    mistakes = {near: "That is uniform cost, which looks at g alone.", greedy: "That is greedy search, which looks at h alone."}
    return Exercise(
        "Which node of the frontier does A* expand next?",
        right,
        ", ".join(f"{n}: {g} + {h} = {g + h}" for n, g, h in rows) + ".",
        "The least f = g + h.",
        choices=mixed(source, "a", "b", "c"),
        mistakes=mistakes,
        table=(("node", "g", "h"), *((n, str(g), str(h)) for n, g, h in rows)),
    )


@exercise("paths")
def admissible(source: random.Random) -> Exercise:
    """Whether an estimate is admissible."""
    true = source.sample(range(3, 12), 3)
    estimate = [max(0, each - source.randint(0, 3)) for each in true]
    bad = source.random() < 0.5
    if bad:
        place = source.randrange(3)
        estimate[place] = true[place] + source.randint(1, 3)
    yes, no = "yes", "no"
    return Exercise(
        "Is this estimate h admissible?",
        no if bad else yes,
        "An admissible estimate is never above the true cost of the rest.",
        "Compare row by row.",
        choices=mixed(source, yes, no),
        table=(
            ("place", "true cost to the goal", "h"),
            *((n, str(t), str(e)) for n, t, e in zip("abc", true, estimate, strict=True)),
        ),
    )


@exercise("online")
def learned_estimate(source: random.Random) -> Exercise:
    """One update of LRTA*."""
    here, left, right_h = source.randint(1, 4), source.randint(3, 8), source.randint(3, 8)
    answer = max(here, 1 + min(left, right_h))
    return Exercise(
        f"The agent thinks the goal is {here} away from here. Its two neighbours, one step off, think {left} and {right_h}. "
        "What does LRTA* write down for this place before it goes on?",
        str(answer),
        f"1 + min({left}, {right_h}) = {1 + min(left, right_h)}.",
        "One step to the better neighbour, plus what that one thinks.",
        mistakes={str(min(left, right_h)): "The step costs 1, too.", str(here): "The neighbours know better by now."},
    )


@exercise("online")
def down_the_slope(source: random.Random) -> Exercise:
    """One step of gradient descent."""
    at, slope, length = source.randint(2, 9), source.choice([-8, -6, -4, 4, 6, 8]), source.choice([0.25, 0.5])
    return Exercise(
        f"At x = {at} the ground rises with slope {slope}. Where does a step against the slope lead that is {length:g} times as long as it?",
        f"{at - length * slope:g}",
        f"{at} - {length:g} · ({slope}) = {at - length * slope:g}.",
        "Subtract: where the ground rises to the right, go left.",
        mistakes={
            f"{at + length * slope:g}": "That is uphill.",
            f"{at - slope:g}": f"That is the whole slope: take {length:g} times as much.",
        },
    )


@exercise("memory")
def on_the_stack(source: random.Random) -> Exercise:
    """How deep a recursion goes."""
    frames, a_ply = source.choice([900, 1000, 3000]), source.choice([2, 3])
    return Exercise(
        f"Python's stack holds {frames} calls, and a search makes {a_ply} for each ply. How deep can it go?",
        str(frames // a_ply),
        f"{frames} / {a_ply}.",
        "Divide.",
        mistakes={str(frames * a_ply): "Each ply takes that many calls."},
        tolerance=1,
    )


@exercise("memory")
def fringe_size(source: random.Random) -> Exercise:
    """What is in the fringe of depth-first search."""
    b, m = source.randint(2, 6), source.randint(3, 8)
    return Exercise(
        f"Depth-first search by a fringe (a stack on the heap): b = {b}, and it has just expanded its first node at depth {m - 1}. "
        "How many nodes are in the fringe?",
        str((b - 1) * (m - 1) + b),
        f"{b - 1} sisters at each of {m - 1} depths, and {b} new ones: O(bm).",
        "Each expansion takes one node out and puts b in.",
        mistakes={str(b**m): "That is breadth-first search.", str(b * m): "Each node that was expanded has left the fringe."},
    )


@exercise("constraints")
def arrangements_left(source: random.Random) -> Exercise:
    """What one assignment removes."""
    regions = source.randint(4, 7)
    neighbours = source.randint(2, regions - 1)
    left = 2**neighbours * 3 ** (regions - 1 - neighbours)
    return Exercise(
        f"A map has {regions} regions and three colours. One region is coloured; {neighbours} others touch it. How many assignments of the "
        "others are left, if only its own borders are looked at?",
        str(left),
        f"2^{neighbours} · 3^{regions - 1 - neighbours}.",
        "A neighbour has two colours left, any other region three.",
        mistakes={str(3 ** (regions - 1)): "Its neighbours lose a colour."},
    )


@exercise("constraints")
def fail_first(source: random.Random) -> Exercise:
    """The most constrained variable."""
    sizes = dict(zip("XYZ", source.sample(range(1, 6), 3), strict=True))
    right = min(sizes, key=lambda name: sizes[name])
    most = max(sizes, key=lambda name: sizes[name])
    return Exercise(
        "Which variable is decided next by “minimum remaining values”?",
        right,
        "The one with the fewest values left: if it fails, it fails soon.",
        "Which is most likely to fail?",
        choices=mixed(source, "X", "Y", "Z"),
        mistakes={most: "That is the one with the most values."},
        table=(("variable", "values left"), *((name, str(size)) for name, size in sizes.items())),
    )


@exercise("sums")
def kind_of_sum(source: random.Random) -> Exercise:
    """Zero, constant or general sum."""
    kind = source.choice(["zero-sum", "constant-sum", "general-sum"])
    total = {"zero-sum": 0, "constant-sum": source.randint(2, 10)}.get(kind)
    rows = []
    for k in range(3):
        mine = source.randint(-4, 6)
        rows.append(
            (
                f"outcome {k + 1}",
                str(mine),
                str(total - mine if total is not None else source.randint(-4, 6) + (9 if k == 2 else 0)),
            )
        )
    if kind == "general-sum":
        rows[0] = ("outcome 1", "3", "3")
        rows[1] = ("outcome 2", "1", "1")
    return Exercise(
        "What kind of game has these outcomes (A's utility, B's utility)?",
        kind,
        "Add up each row: always 0, always the same, or neither.",
        "What do the rows add up to?",
        choices=mixed(source, "zero-sum", "constant-sum", "general-sum"),
        mistakes={
            "zero-sum": "They do not add up to 0.",
            "constant-sum": "They add up to the same, and that is 0: there is a better name."
            if kind == "zero-sum"
            else "They do not always add up to the same.",
        },
        table=(("", "A", "B"), *rows),
    )


@exercise("sums")
def dilemma(source: random.Random) -> Exercise:
    """What selfish players reach in a dilemma."""
    both, temptation = source.randint(3, 5), source.randint(6, 9)
    each = source.randint(1, 2)
    right = f"({each}, {each})"
    return Exercise(
        f"Both cooperate: ({both}, {both}). One defects: {temptation} for the defector, 0 for the other. Both defect: ({each}, {each}). "
        "A moves first, B sees it and answers; each looks only at its own utility. What do they get?",
        right,
        f"B defects whatever A did ({temptation} > {both}, {each} > 0), so A defects, too. Both would have liked ({both}, {both}) better.",
        "Begin with B's answer to each of A's actions.",
        choices=mixed(source, right, f"({both}, {both})", f"({temptation}, 0)"),
        mistakes={
            f"({both}, {both})": "If A cooperates, what is best for B?",
            f"({temptation}, 0)": "If A defects, what is best for B?",
        },
    )


@exercise("sizes")
def powers_of_ten(source: random.Random) -> Exercise:
    """A size as a power of ten."""
    b, m = source.choice([(35, 100), (10, 60), (250, 150), (20, 50), (8, 25)])
    right = round(m * math.log10(b))
    return Exercise(
        f"{b} actions a position, {m} plies. The tree has about 10 to the power of what?",
        str(right),
        f"{m} · log₁₀ {b} = {m * math.log10(b):.1f}.",
        "Plies times the logarithm of the actions.",
        mistakes={str(round(b * math.log10(m))): "It is b^m, not m^b."},
        tolerance=1,
    )


@exercise("strength", "second")
def plies_for_speed(source: random.Random) -> Exercise:
    """What a faster machine buys."""
    factor, ply = source.choice([(36, 6), (216, 6), (64, 4), (16, 4), (10000, 10)])
    right = round(math.log(factor, ply))
    return Exercise(
        f"One ply more costs {ply} times the nodes. How many plies does a machine buy that is {factor:,} times as fast?",
        str(right),
        f"{ply}^{right} = {factor:,}.",
        "How often can you multiply by the cost of a ply?",
        mistakes={plain(factor / ply): "Each ply multiplies."},
    )


@exercise("strength")
def elo_share(source: random.Random) -> Exercise:
    """What Elo difference a score means."""
    share = source.choice([0.6, 0.64, 0.75, 0.76, 0.91])
    right = 400 * math.log10(share / (1 - share))
    return Exercise(
        f"A player scores {share:.0%} of the points. How many Elo is it ahead (to within 10)?",
        f"{right:.0f}",
        f"400 · log₁₀({share:g} / {1 - share:.2g}) = {right:.0f}.",
        "The ratio of points won to points lost, its logarithm to the base 10, times 400.",
        mistakes={f"{-right:.0f}": "It scores more than half, so it is ahead."},
        tolerance=10,
    )


@exercise("isolation")
def liberties(source: random.Random) -> Exercise:
    """How many moves a queen has."""
    start = load("isolation", width=3, height=3).start()
    while True:
        position = start
        for _ in range(4):
            position = position.result(source.choice(position.actions()))
            if position.is_terminal():
                break
        else:
            if len(position.actions()) >= 2:
                break
    rows = position.text().split()
    who = "x" if position.player() == 0 else "o"
    return Exercise(
        f"Queens' isolation on 3 × 3, {who} to move. How many moves are there? (. is free, # closed; a queen does not pass what is not free.)",
        str(len(position.actions())),
        f"They are {' '.join(position.action_text(action) for action in position.actions())}.",
        "Eight directions, each up to the first cell that is not free.",
        table=(("", "a", "b", "c"), *((str(3 - k), *row) for k, row in enumerate(rows[0].split("/")))),
    )


@exercise("isolation")
def years_to_seconds(source: random.Random) -> Exercise:
    """How long a full tree takes."""
    b, m, speed = source.choice([6, 8, 10, 12]), source.randint(10, 14), source.randint(6, 8)
    right = b**m / 10**speed
    return Exercise(
        f"{b} actions a position, {m} plies, 10^{speed} nodes a second. How many seconds does minimax take for the leaves (to within a tenth of it)?",
        f"{right:.6g}",
        f"{b}^{m} / 10^{speed} = {right:.4g}.",
        "Leaves over speed.",
        tolerance=0.1 * right,
    )


@exercise("scrabble")
def word_score(source: random.Random) -> Exercise:
    """What a word scores."""
    letters = source.choice(
        [("QUIZ", (10, 1, 1, 10)), ("JAZZ", (8, 1, 10, 10)), ("BRAVE", (3, 1, 1, 4, 1)), ("CHESS", (3, 4, 1, 1, 1))]
    )
    place = source.randrange(len(letters[0]))
    times = source.choice([2, 3])
    right = times * (sum(letters[1]) + letters[1][place])
    return Exercise(
        f"{letters[0]}: its letters count {', '.join(map(str, letters[1]))}. The {letters[0][place]} (number {place + 1}) lies on a double letter, the word on a "
        f"{'double' if times == 2 else 'triple'} word. What does it score?",
        str(right),
        f"{times} · ({sum(letters[1])} + {letters[1][place]}) = {right}.",
        "Letters first, then the word.",
        mistakes={
            str(times * sum(letters[1])): "The letter's own bonus is missing.",
            str(times * sum(letters[1]) + letters[1][place]): "The word's bonus multiplies the doubled letter, too.",
        },
    )


@exercise("slips")
def what_a_ply_is(source: random.Random) -> Exercise:
    """The three meanings of ply in the lectures."""
    moves = source.randint(2, 6)
    return Exercise(
        f"Both players have made {moves} moves each. How many plies is that, as these pages (and most books) count?",
        str(2 * moves),
        "A ply is one move of one player.",
        "A ply is half a move where “move” means one of each.",
        mistakes={str(moves): "That counts a ply for both players together, as one of the lectures does."},
    )


@exercise("systems", "chinook", "logistello", "alphago")
def which_system(source: random.Random) -> Exercise:
    """Who used what."""
    facts = [
        ("extended forcing lines up to 40 plies", "Deep Blue"),
        ("had tables of every ending with eight pieces", "Chinook"),
        ("fitted the weights of board patterns from games", "Logistello"),
        ("learned by playing against itself, with dice", "TD-Gammon"),
        ("solved random deals with open cards", "GIB"),
        ("joined Monte Carlo tree search with networks", "AlphaGo"),
    ]
    fact, right = source.choice(facts)
    others = [name for _, name in facts if name != right]
    return Exercise(
        f"Which program {fact}?",
        right,
        f"{right} did.",
        "Each of the six has a page.",
        choices=mixed(source, right, *source.sample(others, 3)),
    )


@exercise("hundred")
def surer(source: random.Random) -> Exercise:
    """The law of the square root."""
    times = source.choice([4, 9, 16, 25, 100])
    return Exercise(
        f"A mean over some deals is uncertain by 30 points. By how much is the mean over {times} times as many deals?",
        plain(30 / math.sqrt(times)),
        f"30 / √{times} = {plain(30 / math.sqrt(times))}.",
        "The uncertainty of a mean falls with the square root of the number of deals.",
        mistakes={plain(30 / times): "With the square root of it, not with the number itself."},
        tolerance=0.05,
    )

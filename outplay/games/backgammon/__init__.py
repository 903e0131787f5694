"""Backgammon: race fifteen checkers home by the dice; a whole turn is one action.

Each player counts the points from its own side: 24 is the farthest, 1 the last before bearing off, 25 the bar, 0 is off. A turn is
the list of points that checkers leave, in order, so that "24/23+13/11" is 24 and 13 with the dice 1 and 2. Actions of one roll all
lead to different boards. The rules are those of match play: both dice must be used where that is possible, else the larger one;
doubles count four times. With `cube` a player may double before rolling; `match` and `score` say how many points still count.

Positions are written as GNU Backgammon writes them, a position ID and a match ID (and ":rolls" once a double was declined).

>>> from outplay.game import load
>>> position = load("backgammon").start().play("x31")
>>> position.text(), len(position.actions())
('4HPwATDgc/ABMA:MIEFAAAAAAAE', 16)
>>> position.play("8/5+6/5").text()
'sGfwATDgc/ABMA:cAkAAAAAAAAE'
"""

import math

from outplay.errors import BadValue
from outplay.evaluations import Evaluation
from outplay.games.backgammon.boards import (
    ANSWER,
    BAR,
    CHECKERS,
    CHOOSE,
    DOUBLE,
    DROP,
    HOME,
    LARGEST_CUBE,
    MOST_TURNS,
    MOVE,
    NO_DOUBLE,
    OFF,
    OFFER,
    OPENING,
    OVER,
    REVERSED,
    ROLL,
    ROLLS,
    START,
    SYMBOLS,
    TAKE,
    escapes,
    longest_run,
    movable,
    moved,
    reached,
)
from outplay.games.backgammon.evaluation import (
    CONTACT,
    FEATURES,
    FEW,
    INPUTS,
    LATE,
    LIVELINESS,
    NETWORKS,
    OUTCOMES,
    OUTLOOK,
    PLACES,
    RACE,
    UNIT,
    WEIGHT_NAMES,
    WEIGHTS,
    network_weights,
)
from outplay.games.backgammon.notation import match_id, parse_turn, position_id, read_position, turn_text, valid_score
from outplay.games.backgammon.notation import to_base64 as to_base64
from outplay.games.backgammon.picture import board_picture
from outplay.jit import Array, called, f32, f64, highest, i8, i16, i32, i64, lowest, mix, popcount, u64
from outplay.rules import game
from outplay.values import CHANCE


@game("backgammon", cube=(False, True), match=range(0, 26), score=valid_score, crawford=(False, True))
def backgammon(cube=False, match=0, score="0-0", crawford=False):
    """Race fifteen checkers home by the dice: hit blots, hold points, bear off; gammons count double, backgammons threefold.

    Goal: bring all fifteen checkers into your last six points, then bear them off; whoever is first wins.
    Moves: each die moves one checker that many points towards home; use both dice where that is possible, and doubles four
      times.
    Hits: a checker that stands alone can be hit: it waits on the bar and must come in again before anything else moves.
    Blocks: no checker lands on a point where two or more of the other's stand.
    Score: a gammon counts double (the loser has borne nothing off), a backgammon threefold; with `cube` a player may double
      the stakes before rolling, and the other takes or gives up.

    `cube`: With the doubling cube: before rolling one may offer to play for twice as much.
    `match`: Points that win the match; 0 plays for money, game by game.
    `score`: Points that both have already in the match, such as 3-1.
    `crawford`: This is the one game without a cube, as soon as one side needs only one more point.
    """
    have = tuple(int(part) for part in score.split("-"))
    if match and max(have) >= match:
        raise BadValue(f"backgammon: a match to {match} is over at {score}")
    if not match and max(have):
        raise BadValue(f"backgammon: a score needs the length of its match, got score={score} and match=0")
    most_points = 3 * 2**LARGEST_CUBE if cube else 3
    needed = tuple(match - points if match else most_points for points in have)
    can_double = cube and not crawford

    class Backgammon:
        """Race fifteen checkers home by the dice: hit blots, hold points, bear off; gammons count double, backgammons threefold."""

        seat_names = ("White", "Black")
        most_actions = MOST_TURNS
        bounds = (-float(most_points), float(most_points))
        scale = 1.0  # an evaluation is an equity: points won on average
        weights = WEIGHTS
        evaluation = Evaluation(names=tuple(WEIGHT_NAMES), network_weights=network_weights, outcomes=OUTCOMES)
        plane_shape = (PLACES + 2 * OUTLOOK,)

        race_size = math.comb(CHECKERS + HOME, HOME)
        race_rolls = ROLLS

        # -------------------------------------------- rules
        checkers: Array[i8, 2, 26]  # [player, point], each player counting from its own side
        turn: i8
        phase: i8
        high: i8  # the dice of a turn; 0: not rolled
        low: i8
        cube: i8  # as a power of two
        owner: i8  # of the cube; -1: nobody yet
        points: i16  # what the first player won; the game is over

        def start(self):
            for player in range(2):
                for point, count in START.items():
                    self.checkers[player, point] = count
            self.owner = -1
            self.phase = OPENING

        def player(self):
            return CHANCE if self.phase == ROLL or self.phase == OPENING else i32(self.turn)

        def is_terminal(self):
            return self.phase == OVER

        def chances(self, out, probabilities):
            count = 0
            for high in range(1, 7):
                for low in range(1, high + 1):
                    if self.phase == ROLL:
                        out[count] = 8 * high + low
                        probabilities[count] = 1.0 / 36.0 if high == low else 2.0 / 36.0
                        count += 1
                    elif high != low:  # the opening: each throws one die, and the higher one begins with both
                        out[count], out[count + 1] = 8 * high + low, 64 + 8 * high + low
                        probabilities[count] = probabilities[count + 1] = 1.0 / 30.0
                        count += 2
            return count

        def actions(self, out):
            if self.phase == OFFER:
                out[0], out[1] = NO_DOUBLE, DOUBLE
                return 2
            if self.phase == ANSWER:
                out[0], out[1] = TAKE, DROP
                return 2
            if self.phase != MOVE:
                return 0
            me, other = self.turn, 1 - self.turn
            own, block, blots = 0, 0, 0
            for point in range(1, 26):
                if self.checkers[me, point] > 0:
                    own |= 1 << point
                if self.checkers[other, point] >= 2 and point < 25:
                    block |= 1 << (25 - point)
                elif self.checkers[other, point] == 1 and point < 25:
                    blots |= 1 << (25 - point)
            if self.high == self.low:
                return self.doubles(out, i32(self.high), own, block)
            return self.two_dice(out, own, block, blots)

        @called
        def both_orders(self, own, block, first, a, second, b):
            """Whether two checkers can leave these points by these dice, one before the other or the other way round."""
            me = self.turn
            rest = moved(own, self.checkers[me, first], first, a)
            if movable(own, block, a) >> first & 1 and movable(rest, block, b) >> second & 1:
                return True
            rest = moved(own, self.checkers[me, second], second, b)
            return (movable(own, block, b) >> second & 1) != 0 and (movable(rest, block, a) >> first & 1) != 0

        def is_twin(self, own, block, blots, x, y):
            """Whether the board after x by the high die and y by the low one is that of another pair, which is listed instead."""
            a, b = i32(self.high), i32(self.low)
            # One checker by both dice: over y - b here, over y - a there, which is the same unless a blot is hit on the way.
            if x == y - b and y - a >= 1 and not (blots >> (y - a) | blots >> (y - b)) & 1:
                return self.both_orders(own, block, y, a, y - a, b)
            # Two checkers borne off, each by the other's die.
            if x <= a and y <= b and x < y:
                return self.both_orders(own, block, y, a, x, b)
            return False

        def two_dice(self, out, own, block, blots):
            me = self.turn
            a, b = i32(self.high), i32(self.low)
            count = 0
            firsts = movable(own, block, a)
            while firsts:
                x = lowest(firsts)
                firsts &= firsts - 1
                seconds = movable(moved(own, self.checkers[me, x], x, a), block, b)
                while seconds:
                    y = lowest(seconds)
                    seconds &= seconds - 1
                    if not self.is_twin(own, block, blots, x, y):
                        out[count] = x | y << 5
                        count += 1
            firsts = movable(own, block, b)
            while firsts:
                y = lowest(firsts)
                firsts &= firsts - 1
                seconds = movable(moved(own, self.checkers[me, y], y, b), block, a)
                while seconds:
                    x = lowest(seconds)
                    seconds &= seconds - 1
                    rest = moved(own, self.checkers[me, x], x, a)
                    if movable(own, block, a) >> x & 1 and movable(rest, block, b) >> y & 1:
                        continue  # listed above, in the other order
                    if not self.is_twin(own, block, blots, x, y):
                        out[count] = y | x << 5 | REVERSED
                        count += 1
            if count > 0:
                return count
            singles = movable(own, block, a)  # only one die can be used: the larger one, where that is possible
            flag = 0
            if singles == 0:
                singles = movable(own, block, b)
                flag = REVERSED
            while singles:
                out[count] = lowest(singles) | flag
                singles &= singles - 1
                count += 1
            if count == 0:
                out[0] = 0  # no checker can move
                return 1
            return count

        def without(self, own, die, source, one, two):
            """The bits after one more checker has left a point, after those from `one` and `two` (0: none)."""
            held = i32(self.checkers[self.turn, source])
            for earlier in (one, two):
                held += i32(earlier == source + die) - i32(earlier == source)
            return moved(own, held, source, die)

        @called
        def doubles(self, out, die, own, block):
            """As many of the four as possible, from far to near, so that each set of moves comes once."""
            count = 0
            for wanted in range(4, 0, -1):
                firsts = movable(own, block, die)
                while firsts:
                    one = lowest(firsts)
                    firsts &= firsts - 1
                    if wanted == 1:
                        out[count] = one
                        count += 1
                        continue
                    after_one = self.without(own, die, one, 0, 0)
                    seconds = movable(after_one, block, die) & ((2 << one) - 1)
                    while seconds:
                        two = lowest(seconds)
                        seconds &= seconds - 1
                        if wanted == 2:
                            out[count] = one | two << 5
                            count += 1
                            continue
                        after_two = self.without(after_one, die, two, one, 0)
                        thirds = movable(after_two, block, die) & ((2 << two) - 1)
                        while thirds:
                            three = lowest(thirds)
                            thirds &= thirds - 1
                            if wanted == 3:
                                out[count] = one | two << 5 | three << 10
                                count += 1
                                continue
                            fourths = movable(self.without(after_two, die, three, one, two), block, die) & ((2 << three) - 1)
                            while fourths:
                                out[count] = one | two << 5 | three << 10 | lowest(fourths) << 15
                                fourths &= fourths - 1
                                count += 1
                if count > 0:
                    return count
            out[0] = 0
            return 1

        @called
        def step(self, source, die):
            """Move one checker; a blot that it meets goes to the bar."""
            me, other = self.turn, 1 - self.turn
            self.checkers[me, source] -= 1
            target = source - die
            if target <= 0:
                self.checkers[me, OFF] += 1
                return
            self.checkers[me, target] += 1
            if self.checkers[other, 25 - target] == 1:
                self.checkers[other, 25 - target] = 0
                self.checkers[other, BAR] += 1

        def play(self, action):
            if self.phase == ROLL or self.phase == OPENING:
                if self.phase == OPENING:
                    self.turn = action >> 6
                self.high, self.low = (action & 63) >> 3, action & 7
                self.phase = MOVE
            elif self.phase == MOVE:
                die, other_die = i32(self.high), i32(self.low)
                if action & REVERSED:
                    die, other_die = other_die, die
                if action & 31:
                    self.step(action & 31, die)
                if action >> 5 & 31:
                    self.step(action >> 5 & 31, other_die)
                if action >> 10 & 31:
                    self.step(action >> 10 & 31, die)
                if action >> 15 & 31:
                    self.step(action >> 15 & 31, die)
                self.high, self.low = 0, 0
                if self.checkers[self.turn, OFF] == CHECKERS:
                    self.finish(self.turn, self.lost_by(1 - self.turn) << self.cube)
                else:
                    self.turn = 1 - self.turn
                    self.phase = OFFER if self.may_double() else ROLL
            elif self.phase == OFFER:
                self.phase = ROLL
                if action == DOUBLE:
                    self.phase = ANSWER
                    self.turn = 1 - self.turn
            elif action == TAKE:
                self.cube += 1
                self.owner = self.turn
                self.turn = 1 - self.turn
                self.phase = ROLL
            else:
                self.finish(1 - self.turn, 1 << self.cube)

        def may_double(self):
            if not can_double or self.cube >= LARGEST_CUBE or (self.owner >= 0 and self.owner != self.turn):
                return False
            return (1 << self.cube) < needed[self.turn]  # a cube that already wins the match is dead

        def lost_by(self, loser):
            """1, 2 for a gammon (nothing borne off), 3 for a backgammon (a checker on the bar or in the winner's home)."""
            if self.checkers[loser, OFF] > 0:
                return 1
            for point in range(19, 26):
                if self.checkers[loser, point] > 0:
                    return 3
            return 2

        def finish(self, winner, points):
            points = min(points, needed[winner])
            self.points = points if winner == 0 else -points
            self.phase = OVER

        def utility(self, player):
            return i32(self.points) if player == 0 else -i32(self.points)

        def strength(self, player, weights):
            """What one side's checkers are worth by themselves."""
            total = 0
            for point in range(1, 26):
                total += FEATURES[16 * point + i32(self.checkers[player, point])]
            pips, blots, home, outer, anchors = total & 1023, total >> 10 & 15, total >> 14 & 15, total >> 18 & 15, total >> 22
            value = weights[0] * pips + weights[1] * self.checkers[player, BAR] + weights[2] * blots + weights[3] * home
            return value + weights[4] * outer + weights[5] * min(anchors, 1) + weights[6] * self.checkers[player, OFF]

        def planes(self, player, out):
            """Each side's checkers on each of its points, as Tesauro showed them: one, two or more, three or more, how many
            beyond; then each side's outlook."""
            for side in range(2):
                seat = i32(player) if side == 0 else 1 - i32(player)
                for point in range(26):
                    for unit in range(4):
                        held = i32(self.checkers[seat, point])
                        out[104 * side + 4 * point + unit] = INPUTS[64 * point + 4 * held + unit]
                outlook = self.outlook(seat)
                for number in range(OUTLOOK):
                    out[PLACES + OUTLOOK * side + number] = outlook[number]

        @called
        def outlook(self, seat):
            """What the dice may bring a side, in numbers about as large as 1.

            Rolls that hit, pips they cost the other, rolls that hit twice, rolls that the rearmost checker can play in full, the
            longest row of the other's points before it, rolls that do not enter from the bar, pips until all have passed the other,
            checkers that have not, points within reach, how free all checkers are that are not home, how free one would be in the
            other's home board, there where it is worst and on average, pips to play before the home board breaks, and the lead.
            """
            other = 1 - i32(seat)
            own, block, blots, pips, others_pips, rear, others_rear = 0, 0, 0, 0, 0, 0, 0
            for point in range(1, 26):
                held, theirs = i32(self.checkers[seat, point]), i32(self.checkers[other, point])
                pips += held * point
                others_pips += theirs * point
                if held > 0:
                    own |= 1 << point
                    rear = point
                if theirs > 0:
                    others_rear = point
                if point < BAR and theirs >= 2:
                    block |= 1 << (25 - point)
                elif point < BAR and theirs == 1:
                    blots |= 1 << (25 - point)
            lead = f32(max(-1.0, min(1.0, (others_pips - pips) / f64(pips + 10))))
            if rear + others_rear <= 25:  # a race
                none = f32(0.0)
                return (none, none, none, none, none, none, none, none, none, none, none, none, none, lead)
            front = 25 - others_rear
            behind, to_pass, mobile, spare = 0, 0, 0, 0
            for point in range(1, 26):
                held = i32(self.checkers[seat, point])
                if held > 0 and point > front:
                    behind += held
                    to_pass += held * (point - front)
                if held > 0 and point > HOME:
                    mobile += held * (point - HOME) * escapes(block, point)
                    if point <= front:
                        spare += held * (point - HOME)
                elif held > 2:
                    spare += (held - 2) * (point - 1)
            worst, around = 36, 0
            for point in range(19, 26):
                found = escapes(block, point)
                worst = min(worst, found)
                around += found
            on_bar = i32(self.checkers[seat, BAR])
            hits, cost, twice, stuck, near = 0, 0, 0, 0, 0
            for a in range(1, 7):
                for b in range(1, a + 1):
                    times = 1 if a == b else 2
                    reach = reached(own, block, on_bar, a, b)
                    hit = reach & blots
                    if hit:
                        hits += times
                        cost += times * i32(highest(hit))
                        if hit & (hit - 1):
                            twice += times
                    if on_bar > 0 and reach == 0:
                        stuck += times
                    near += times * i32(popcount(reach))
            free, row = escapes(block, rear), longest_run(block & ((1 << rear) - 1))
            return (
                f32(hits / 36.0), f32(cost / 360.0), f32(twice / 36.0), f32(free / 36.0), f32(row / 6.0), f32(stuck / 36.0),
                f32(to_pass / 100.0), f32(behind / 8.0), f32(near / 360.0), f32(mobile / 3600.0), f32(worst / 36.0),
                f32(around / 252.0), f32(spare / 50.0), lead,
            )  # fmt: skip

        def outcome(self, seat, out):
            lost_by = max(1, abs(i32(self.points)) >> self.cube)  # a cube multiplies what is won, it makes no gammon
            won = lost_by if (self.points > 0) == (seat == 0) else -lost_by
            out[0] = f32(1 if won > 0 else 0)
            out[1], out[2] = f32(1 if won >= 2 else 0), f32(1 if won >= 3 else 0)
            out[3], out[4] = f32(1 if won <= -2 else 0), f32(1 if won <= -3 else 0)

        def network(self):
            farthest = 0
            for seat in range(2):
                point = 25
                while point > 0 and self.checkers[seat, point] == 0:
                    point -= 1
                farthest += point
            if farthest <= 25:
                return RACE
            for seat in range(2):
                if CHECKERS - self.checkers[seat, OFF] - self.checkers[seat, 1] - self.checkers[seat, 2] <= FEW:
                    return LATE
            return CONTACT

        # -------------------------------------------- the bear-off of one side, numbered so that every move makes it smaller
        def race_index(self, player):
            """The number of a side's bear-off: how many ways to stand come before, the 6 point counting most; -1 before it."""
            left, before = CHECKERS, 0
            for point in range(HOME, 0, -1):
                held = i64(self.checkers[player, point])
                before += CHOOSE[left + point, point] - CHOOSE[left - held + point, point]
                left -= held
            return before if left == self.checkers[player, OFF] else -1

        def race_place(self, index):
            """Put the first player there, on roll, and the other where it is never met."""
            for point in range(26):
                self.checkers[0, point], self.checkers[1, point] = 0, 0
            self.checkers[1, 1] = CHECKERS
            left = CHECKERS
            for point in range(HOME, 0, -1):
                held = 0
                while CHOOSE[left + point, point] - CHOOSE[left - held - 1 + point, point] <= index and held < left:
                    held += 1
                index -= CHOOSE[left + point, point] - CHOOSE[left - held + point, point]
                self.checkers[0, point] = held
                left -= held
            self.checkers[0, OFF] = left
            self.turn, self.phase, self.high, self.low, self.points = 0, ROLL, 0, 0, 0

        def bear_off(self, weights, first, on_roll):
            """How likely the player on roll wins, where both bear off, by the table from weights[first] on; -1 else."""
            mine, other = self.race_index(on_roll), self.race_index(1 - on_roll)
            if mine < 0 or other < 0:
                return -1.0
            win, ahead = 0.0, 1.0  # the chance that the other needs at least so many rolls
            for rolls in range(ROLLS):
                ahead -= weights[first + other * ROLLS + rolls - 1] if rolls > 0 else 0.0
                win += weights[first + mine * ROLLS + rolls] * ahead
            return win

        @called
        def judge(self, weights, on_roll, owner):
            """What a network of one hidden layer thinks the player on roll will win, in units of the cube, by who owns it; for the
            layout see `network_weights`. Once both bear off, the table knows better who wins."""
            table = i64(weights[len(weights) - 1])
            third = (len(weights) - 1 - table) // NETWORKS
            base = self.network() * third
            width = (third - 5) // UNIT
            units, bias = width, base + width * UNIT
            win, win_2, win_3 = f64(weights[bias]), f64(weights[bias + 1]), f64(weights[bias + 2])
            lose_2, lose_3 = f64(weights[bias + 3]), f64(weights[bias + 4])
            known = self.bear_off(weights, NETWORKS * third, i64(on_roll)) if table > 0 else -1.0
            may_win_2, may_lose_2 = self.checkers[1 - on_roll, OFF] == 0, self.checkers[on_roll, OFF] == 0
            if known >= 0.0 and not may_win_2 and not may_lose_2:
                units = 0  # nothing is left to ask
            outlooks = base + 2 * 26 * 16 * width
            held = outlooks + 2 * OUTLOOK * width  # the units' biases, and behind them their weights for the outputs
            mine, theirs = self.outlook(i32(on_roll)), self.outlook(1 - i32(on_roll))
            unit = 0
            while unit < units:  # eight units at once, as long as there are so many: none has to wait for another's sum
                several = unit + 8 <= units
                s0, s1, s2, s3, s4, s5, s6, s7 = f32(0.0), f32(0.0), f32(0.0), f32(0.0), f32(0.0), f32(0.0), f32(0.0), f32(0.0)
                for side in range(2):
                    seat = i64(on_roll) if side == 0 else 1 - i64(on_roll)
                    for point in range(26):
                        at = base + (416 * side + 16 * point + i64(self.checkers[seat, point])) * width + unit
                        s0 += weights[at]
                        if several:
                            s1 += weights[at + 1]
                            s2 += weights[at + 2]
                            s3 += weights[at + 3]
                            s4 += weights[at + 4]
                            s5 += weights[at + 5]
                            s6 += weights[at + 6]
                            s7 += weights[at + 7]
                for number in range(2 * OUTLOOK):
                    value = mine[number] if number < OUTLOOK else theirs[number - OUTLOOK]
                    if value != f32(0.0):
                        at = outlooks + number * width + unit
                        s0 += value * weights[at]
                        if several:
                            s1 += value * weights[at + 1]
                            s2 += value * weights[at + 2]
                            s3 += value * weights[at + 3]
                            s4 += value * weights[at + 4]
                            s5 += value * weights[at + 5]
                            s6 += value * weights[at + 6]
                            s7 += value * weights[at + 7]
                for lane in range(8 if several else 1):
                    total = s0 if lane == 0 else s1 if lane == 1 else s2 if lane == 2 else s3 if lane == 3 else s4
                    total = s5 if lane == 5 else s6 if lane == 6 else s7 if lane == 7 else total
                    at = held + unit
                    active = 1.0 / (1.0 + math.exp(-(total + weights[at])))
                    win += active * weights[at + width]
                    win_2 += active * weights[at + 2 * width]
                    win_3 += active * weights[at + 3 * width]
                    lose_2 += active * weights[at + 4 * width]
                    lose_3 += active * weights[at + 5 * width]
                    unit += 1
            won, gammons = 1.0 / (1.0 + math.exp(-win)), 1.0 / (1.0 + math.exp(-win_2)) + 1.0 / (1.0 + math.exp(-win_3))
            lost = 1.0 / (1.0 + math.exp(-lose_2)) + 1.0 / (1.0 + math.exp(-lose_3))
            if known >= 0.0:
                won, gammons, lost = known, gammons if may_win_2 else 0.0, lost if may_lose_2 else 0.0
            equity = 2.0 * won - 1.0 + gammons - lost
            if not can_double or match > 0 or self.cube >= LARGEST_CUBE:
                return equity
            # Rick Janowski's model (1993): the cube is worth a share of what one that is always turned in time would be worth.
            win_by, lose_by = 1.0 + gammons / max(won, 1e-6), 1.0 + lost / max(1.0 - won, 1e-6)
            live = won * (win_by + lose_by + 0.5 * LIVELINESS) - lose_by
            if owner < 0:
                live = 4.0 / (4.0 - LIVELINESS) * (live - 0.25 * LIVELINESS)
            elif owner != on_roll:
                live -= 0.5 * LIVELINESS
            if owner < 0 or owner == on_roll:
                live = min(live, max(1.0, equity))  # who may double need not let the other play on
            if owner < 0 or owner != on_roll:
                live = max(live, min(-1.0, equity))
            return live

        def network_equity(self, player, weights):
            """What a network thinks the position is worth, in points."""
            answers = self.phase == ANSWER  # the other has doubled: twice the stake and the cube, or lose the stake
            said = self.judge(weights, i32(1 - self.turn if answers else self.turn), i32(self.turn if answers else self.owner))
            equity = max(-1.0, -2.0 * said) if answers else said
            stake = min(1 << self.cube, needed[0], needed[1])
            return stake * equity if player == self.turn else -stake * equity

        def evaluate(self, player, weights):
            if len(weights) > len(WEIGHTS):
                return self.network_equity(player, weights)
            lead = self.strength(player, weights) - self.strength(1 - player, weights)
            stake = min(1 << self.cube, needed[0], needed[1])
            return stake * lead / (1.0 + abs(lead))  # an equity between a lost and a won single game

        def key(self):
            word = u64(self.turn) | u64(self.phase) << u64(4) | u64(self.high) << u64(8) | u64(self.low) << u64(12)
            packed = u64(0)
            word |= u64(self.cube) << u64(16) | u64(self.owner + 1) << u64(20) | u64(self.points + 1000) << u64(24)
            for player in range(2):
                for half in range(2):  # thirteen points of four bits each
                    for point in range(13 * half, 13 * half + 13):
                        packed = (packed << u64(4)) | u64(self.checkers[player, point])
                    word = mix(word + u64(0x9E3779B97F4A7C15)) ^ packed
                    packed = u64(0)
            return mix(word)

        # -------------------------------------------- notation: GNU Backgammon's position ID and match ID
        def text(self):
            rolls = ":rolls" if self.phase == ROLL and self.may_double() else ""
            return f"{position_id(self)}:{match_id(self, match, have, crawford)}{rolls}"

        def parse(self, text):
            read_position(self, text, match, have, crawford)

        def valid(self):
            for player in range(2):
                count = int(self.checkers[player].sum())
                if count != CHECKERS:
                    return f"{SYMBOLS[player]} has {count} checkers instead of {CHECKERS}"
            for point in range(1, 25):
                if self.checkers[0, point] and self.checkers[1, 25 - point]:
                    return f"both players stand on point {point}"
            if self.checkers[0, OFF] == CHECKERS and self.checkers[1, OFF] == CHECKERS:
                return "both players have borne off all checkers"
            return None

        def action_text(self, action):
            if self.phase in (ROLL, OPENING):
                dice = f"{action >> 3 & 7}{action & 7}"
                return dice if self.phase == ROLL else SYMBOLS[action >> 6] + dice
            words = {DOUBLE: "double", NO_DOUBLE: "roll", TAKE: "take", DROP: "drop", 0: "no-move"}
            return words.get(action) or turn_text(self, action)

        def parse_action(self, text):
            return parse_turn(self, text)

        def task(self):
            if self.phase == OFFER:
                return "Roll, or double the stakes."
            if self.phase == ANSWER:
                return f"Take the cube at {2 << int(self.cube)}, or drop it and lose {1 << int(self.cube)}."
            return "Your checkers on the bar must come in first." if self.checkers[self.turn, BAR] > 0 else ""

        def ending_text(self):
            winner = 0 if self.points > 0 else 1
            if self.checkers[winner, OFF] < CHECKERS:
                return "the cube was dropped"
            return ("all checkers are off", "a gammon", "a backgammon")[int(self.lost_by(1 - winner)) - 1]

        # -------------------------------------------- picture
        def picture(self):
            return board_picture(self)

    return Backgammon

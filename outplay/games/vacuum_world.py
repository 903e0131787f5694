"""The vacuum world: a robot in a row of rooms sucks up dirt (Russell and Norvig 1995).

>>> from outplay.game import load
>>> load("vacuum world").start().play("suck right suck").is_solved()
True

Three worlds in one. As it stands, every action does what it says and everything is seen. With `erratic=yes` sucking is a matter of
chance: in a dirty room it sometimes cleans a neighbour too, in a clean one it sometimes drops dirt. With `sensors="here"` the robot
sees only its own room, and with `sensors="none"` it does not even know where it is.
"""

import re

from outplay.jit import below, i8, i64, popcount, u8, u64
from outplay.rules import game
from outplay.values import CHANCE, Cell, Picture

LEFT, RIGHT, SUCK = 0, 1, 2
NAMES = ("left", "right", "suck")
ROOMS = "abcdefgh"
AS_TOLD = 0  # an outcome of sucking; further ones are odd


@game("vacuum world", rooms=range(1, 9), erratic=(False, True), sensors=("all", "here", "none"))
def vacuum_world(rooms=2, erratic=False, sensors="all"):
    """A robot in a row of rooms sucks up dirt until all are clean.

    Goal: all rooms clean.
    Moves: left, right, or suck where the robot stands.
    Erratic: with `erratic=yes` sucking may clean the neighbour too, or drop dirt where it was clean.
    Sensors: with `sensors=here` the robot sees its own room alone, with `sensors=none` nothing at all.

    `rooms`: Rooms in a row.
    `erratic`: Whether sucking may clean the neighbour too, or drop dirt.
    `sensors`: What the robot sees: all rooms, its own (here), or nothing (none).
    """
    everything = 2**rooms - 1
    last = rooms - 1

    class VacuumWorld:
        """A robot in a row of rooms sucks up dirt until all are clean."""

        players = 1
        bounds = (0, 1)
        most_actions = 3
        recall = sensors == "all"  # a view tells what is seen now; belief states remember the rest

        # -------------------------------------------- rules
        dirt: u8  # a bit for each room
        at: i8  # the robot's room
        unseen: u8  # rooms of which a view does not tell whether they are dirty
        lost: u8  # 1 in a view that does not tell where the robot is
        if erratic:
            sucking: u8  # 1 while chance decides what the sucking does

        def start(self):
            self.dirt = everything

        def is_terminal(self):
            return self.dirt == 0 and self.unseen == 0

        def actions(self, out):
            if self.dirt == 0 and self.unseen == 0:
                return 0
            for action in range(3):
                out[action] = action
            return 3

        def move(self, action):
            if action == LEFT and self.at > 0:
                self.at -= i8(1)
            elif action == RIGHT and self.at < last:
                self.at += i8(1)

        def utility(self, player):
            return 1 if self.dirt == 0 else 0

        if erratic:

            def player(self):
                return CHANCE if self.sucking != 0 else 0

            def play(self, action):
                here = 1 << i64(self.at)
                if self.sucking != 0:
                    self.sucking = 0
                    if self.dirt & here:
                        self.dirt &= u8(255 ^ here)
                        if action == 1:
                            self.dirt &= u8(255 ^ (here >> 1))
                        elif action == 2:
                            self.dirt &= u8(255 ^ (here << 1 & 255))
                    elif action != AS_TOLD:
                        self.dirt |= u8(here)
                elif action == SUCK:
                    self.sucking = 1
                else:
                    self.move(action)

            def chances(self, out, probabilities):
                here = 1 << i64(self.at)
                out[0] = AS_TOLD
                count = 1
                if not self.dirt & here:
                    out[1] = 1
                    count = 2
                else:
                    if self.at > 0 and self.dirt & (here >> 1):
                        out[count] = 1
                        count += 1
                    if self.at < last and self.dirt & (here << 1):
                        out[count] = 2
                        count += 1
                for i in range(count):
                    probabilities[i] = 1.0 / count
                return count

            def estimate(self):
                return (popcount(u64(self.dirt)) + 1) // 2  # one suck may clean two rooms

        else:

            def play(self, action):
                if action == SUCK:
                    self.dirt &= u8(255 ^ (1 << i64(self.at)))
                else:
                    self.move(action)

            def estimate(self):
                # Each dirty room needs a suck, and the outermost ones must be reached, the nearer end first.
                if self.dirt == 0:
                    return 0
                first, final = 0, last
                while not self.dirt & (1 << first):
                    first += 1
                while not self.dirt & (1 << final):
                    final -= 1
                nearer = min(abs(self.at - first), abs(final - self.at))
                return popcount(u64(self.dirt)) + final - first + nearer

        if sensors != "all":

            def observe(self, player):
                if self.dirt == 0 and self.unseen == 0:
                    return  # the robot is told when all is clean
                if sensors == "none":
                    self.unseen = everything
                    self.dirt = 0
                    self.lost = 1
                    self.at = 0
                else:
                    self.unseen = u8(everything & (255 ^ (1 << i64(self.at))))
                    self.dirt &= u8(1 << i64(self.at))

            def deal(self, player, source):
                if self.unseen == 0:
                    return 1.0
                if self.lost != 0:
                    self.at = i8(below(source, rooms))
                    self.lost = 0
                seen = self.dirt
                self.dirt = u8(seen | u8(below(source, 256) & i64(self.unseen)))
                while self.dirt == 0:
                    self.dirt = u8(seen | u8(below(source, 256) & i64(self.unseen)))
                self.unseen = 0
                return 1.0

        # -------------------------------------------- notation: a sign for each room, then the robot's room; *. b
        def task(self):
            return "Suck up the dirt, or roll to another room."

        def text(self):
            signs = "".join("?" if self.unseen >> room & 1 else "*" if self.dirt >> room & 1 else "." for room in range(rooms))
            return f"{signs} {'?' if self.lost else ROOMS[self.at]}" + (" sucking" if erratic and self.sucking else "")

        def parse(self, text):
            pattern = rf"([*.?]{{{rooms}}}) ([{ROOMS[:rooms]}?])" + ("( sucking)?" if erratic else "()")
            match = re.fullmatch(pattern, text)
            if not match:
                raise ValueError(f"expected a * (dirty) or . (clean) for each room and the robot's room, such as {'*' * rooms} a")
            signs, room, sucking = match.groups()
            self.dirt = sum(1 << number for number, sign in enumerate(signs) if sign == "*")
            self.unseen = sum(1 << number for number, sign in enumerate(signs) if sign == "?")
            self.lost = room == "?"
            self.at = max(ROOMS.find(room), 0)
            if erratic:
                self.sucking = bool(sucking)

        def valid(self):
            if sensors == "all" and (self.unseen or self.lost):
                return "here everything is seen"
            if erratic and self.sucking and self.dirt == 0 and not self.unseen:
                return "nothing is left to suck up"
            if self.lost and self.unseen != everything:
                return "who does not know where it is sees no room"
            if self.unseen and not self.lost and (self.unseen | 1 << int(self.at)) != everything:
                return "the robot sees its own room or all"
            if self.unseen and self.lost and sensors == "here":
                return "the robot sees its own room"
            return None

        def action_text(self, action):
            if erratic and self.sucking:
                dirty = self.dirt >> int(self.at) & 1
                return ("cleaned", "left-too", "right-too")[action] if dirty else ("nothing", "dropped")[action]
            return NAMES[action]

        # -------------------------------------------- picture
        def picture(self):
            cells = []
            for room in range(rooms):
                dirt = "?" if self.unseen >> room & 1 else "*" if self.dirt >> room & 1 else ""
                here = room == self.at and not self.lost
                ground = "dirt" if dirt == "*" else ""
                seen = Cell(dirt, "text" if dirt == "?" else "", ground=ground)
                cells.append(Cell("@" + dirt, "vacuum", 0, ground=ground) if here else seen)
            at = int(self.at)
            return Picture(
                cells=(tuple(cells),),
                columns=tuple(ROOMS[:rooms]),
                touches={LEFT: ((0, at - 1),) if at > 0 else (), RIGHT: ((0, at + 1),) if at < last else (), SUCK: ((0, at),)},
            )

    return VacuumWorld

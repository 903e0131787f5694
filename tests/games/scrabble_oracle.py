"""A slow and obvious generator of plays: try every word in every place, and look at all that arises."""

from collections import Counter
from itertools import combinations

import numpy as np

from outplay.games.scrabble.lexicon import lexicon
from outplay.games.scrabble.sets import LETTER, WORD, layout, read_tiles


def tiles_on(rows):
    """The tiles of a position's rows, {(row, column): letter}."""
    board = {}
    for r, row in enumerate(rows.split("/")):
        c, digits = 0, ""
        for symbol in row + ".":
            if symbol.isdecimal():
                digits += symbol
                continue
            c, digits = c + int(digits or 0), ""
            if symbol != ".":
                board[r, c] = symbol
                c += 1
    return board


class Oracle:
    def __init__(self, words="enable", board="standard", tiles="english", rack=7, bonus=50):
        self.words = [word for word in lexicon(words).words if 2 <= len(word) <= 15]
        self.known = set(self.words)
        self.rows, (_, self.values), self.rack, self.bonus = layout(board), read_tiles(tiles), rack, bonus
        self.size = len(self.rows)
        self.lengths = np.array([len(word) for word in self.words])
        self.letters = np.array([list(word.ljust(15).encode()) for word in self.words], np.uint8)
        self.counts = np.zeros((len(self.words), 26), np.int8)
        for number, word in enumerate(self.words):
            for letter in word:
                self.counts[number, ord(letter) - 65] += 1

    def worth(self, symbol):
        return self.values[ord(symbol) - 64] if symbol.isupper() else self.values[0]

    def plays(self, text):
        """All plays of a position's text: {placed tiles: points}."""
        rows, racks, _, _, turn = text.split(" ")[:5]
        rack = racks.split("/")[int(turn)]
        board = tiles_on(rows)
        have = np.array([rack.count(chr(65 + k)) for k in range(26)], np.int8)
        blanks = rack.count("?")
        star = next((r, c) for r in range(self.size) for c in range(self.size) if self.rows[r][c] == "*")
        found = {}
        letters = "".join(board.values()).upper()
        on_board = np.array([letters.count(chr(65 + k)) for k in range(26)], np.int8)
        near = np.flatnonzero((np.maximum(self.counts - (have + on_board), 0).sum(1) <= blanks) & (self.lengths <= self.size))
        counts = self.counts[near]
        for down, right in ((0, 1), (1, 0)):
            for line in range(self.size):
                squares = [(line, k) if right else (k, line) for k in range(self.size)]
                there = "".join(board.get(square, " ") for square in squares)
                spans = self.spans(board, squares, there, len(rack), star)
                extra = np.array([there.upper().count(chr(65 + k)) for k in range(26)], np.int8)
                words = near[np.maximum(counts - (have + extra), 0).sum(1) <= blanks]
                for length, firsts in spans.items():
                    long = words[self.lengths[words] == length]
                    for first in firsts:
                        for number in self.fitting(long, there[first:first + length].upper(), have, blanks):
                            self.try_word(board, rack, blanks, squares, there, self.words[number], first, (down, right), found)
        return found

    def fitting(self, words, there, have, blanks):
        """Of some words those that agree with the tiles of a span, and need no others than the rack's."""
        short = self.counts[words] - (have + np.array([there.count(chr(65 + k)) for k in range(26)], np.int8))
        agree = np.maximum(short, 0).sum(1) <= blanks
        for k, symbol in enumerate(there):
            if symbol != " ":
                agree &= self.letters[words, k] == ord(symbol)
        return words[agree]

    def spans(self, board, squares, there, held, star):
        """Where a word of each length may begin in a line: no tile just before or behind it, not too many squares to fill, and a
        tile to lean on (or the star, where the board is empty)."""
        sides, found = ((0, 1), (1, 0), (0, -1), (-1, 0)), {length: [] for length in range(2, self.size + 1)}
        for length, firsts in found.items():
            for first in range(self.size - length + 1):
                last = first + length
                new = [square for square in squares[first:last] if square not in board]
                leans = any((r + dr, c + dc) in board for r, c in new for dr, dc in sides) if board else star in new
                if leans and len(new) <= held and there[first - 1:first] in ("", " ") and there[last:last + 1] in ("", " "):
                    firsts.append(first)
        return found

    def try_word(self, board, rack, blanks, squares, there, word, first, way, found):
        last = first + len(word)
        if any(old not in (" ", new) for old, new in zip(there[first:last].upper(), word, strict=True)):
            return
        new = [k for k in range(first, last) if there[k] == " "]
        letters = [word[k - first] for k in new]
        have = Counter(rack)
        if sum((Counter(letters) - have).values()) > blanks:
            return
        crossing = {}
        for k, letter in zip(new, letters, strict=True):
            (r, c), (dr, dc) = squares[k], way[::-1]
            before, behind = "", ""
            while (r - dr * (len(before) + 1), c - dc * (len(before) + 1)) in board:
                before = board[r - dr * (len(before) + 1), c - dc * (len(before) + 1)] + before
            while (r + dr * (len(behind) + 1), c + dc * (len(behind) + 1)) in board:
                behind += board[r + dr * (len(behind) + 1), c + dc * (len(behind) + 1)]
            if before or behind:
                if (before + letter + behind).upper() not in self.known:
                    return
                crossing[k] = before + behind
        for number in range(blanks + 1):
            for places in combinations(range(len(new)), number):
                if Counter(letter for k, letter in enumerate(letters) if k not in places) - have:
                    continue
                tiles = [letter.lower() if k in places else letter for k, letter in enumerate(letters)]
                main, times, total = sum(self.worth(there[k]) for k in range(first, last) if there[k] != " "), 1, 0
                for k, tile in zip(new, tiles, strict=True):
                    premium = self.rows[squares[k][0]][squares[k][1]]
                    points = self.worth(tile) * LETTER.get(premium, 1)
                    main, times = main + points, times * WORD.get(premium, 1)
                    if k in crossing:
                        total += (points + sum(self.worth(symbol) for symbol in crossing[k])) * WORD.get(premium, 1)
                total += main * times + (self.bonus if len(new) == self.rack else 0)
                placed = frozenset((squares[k], tile) for k, tile in zip(new, tiles, strict=True))
                assert found.setdefault(placed, total) == total

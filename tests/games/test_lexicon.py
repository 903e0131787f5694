"""Word lists and their automaton."""

import gzip
import random

import pytest

from outplay.errors import BadValue
from outplay.games.scrabble.lexicon import SEPARATOR, Lexicon, build, lexicon


def accepts(nodes, arcs, codes):
    node, ends = 1, False
    for code in codes:
        mask, end, base = (int(word) for word in nodes[node][:3])
        if not mask >> code & 1:
            return False
        ends = bool(end >> code & 1)
        node = int(arcs[base + (mask & (1 << code) - 1).bit_count()])
    return ends


def split(word, front):
    codes = [ord(letter) - 64 for letter in word]
    return codes[:front][::-1] + ([SEPARATOR, *codes[front:]] if front < len(word) else [])


def test_the_list_that_comes_with_outplay():
    words = lexicon()
    assert len(words) == 172_823
    assert words.is_word("quixotry") and words.is_word("QI") is False  # ENABLE is older than that one
    assert sum(len(word) == 2 for word in words.words) == 96


def test_automaton_holds_each_word_from_each_letter_and_nothing_else():
    words = lexicon()
    nodes, arcs = words.automaton
    source = random.Random(1)
    for word in source.sample([word for word in words.words if len(word) <= 15], 2000):
        front = source.randint(1, len(word))
        assert accepts(nodes, arcs, split(word, front))
        at = source.randrange(len(word))
        other = word[:at] + source.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") + word[at + 1 :]
        assert accepts(nodes, arcs, split(other, front)) == words.is_word(other)


def test_automaton_is_minimal():
    nodes, arcs = build(["TAP", "TAPS", "TOP", "TOPS"])
    seen = {(tuple(node[:2]), tuple(arcs[node[2] : node[2] + int(node[0]).bit_count()])) for node in nodes[1:].tolist()}
    assert len(seen) == len(nodes) - 1


def test_a_spoiled_cache_is_built_again(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTPLAY_CACHE", str(tmp_path))
    first = Lexicon(["at", "cat"]).automaton
    (file,) = tmp_path.glob("lexicon-*.npz")
    file.write_bytes(file.read_bytes()[:-3] + b"xyz")
    again = Lexicon(["at", "cat"]).automaton
    assert (first[0] == again[0]).all() and (first[1] == again[1]).all()


def test_anagrams_hooks_patterns():
    words = lexicon()
    assert " ".join(words.anagrams("aeginrs", every=True)) == "EARINGS ERASING GAINERS REAGINS REGAINS REGINAS SEARING SERINGA"
    assert words.hooks("air") == ("FHLMPVW", "NSTY")
    assert "QUIXOTRY" in words.pattern("Q*RY", "IOUTX")


def test_word_lists_of_ones_own(tmp_path):
    plain, packed = tmp_path / "a.txt", tmp_path / "a.gz"
    plain.write_text("cat\nact\n")
    packed.write_bytes(gzip.compress(b"cat\nact\n"))
    assert lexicon(str(plain)).words == lexicon(str(packed)).words == ("ACT", "CAT")
    plain.with_name("b.txt").write_text("c4t\n")
    for bad in ("b.txt", "none.txt"):
        with pytest.raises(BadValue):
            lexicon(str(tmp_path / bad))

"""Files that others wrote, taken up and written again: who played, where and when, what was said, the moves and the result."""

import pytest

from outplay.experts.bridge.format import write_of_lin
from outplay.formats import games
from outplay.game import load
from outplay.values import Record

PDN = """[Event "Glasgow"]
[Site "Scotland"]
[Date "1882.??.??"]
[Black "Wyllie, J."]
[White "Barker, C."]
[Result "*"]

1. 11-15 23-19 2. 8-11 {the Glasgow comes} 22-17 3. 11-16 *
"""
GGF = ("(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]RE[?]"
       "BO[8 ---------------------------O*------*O--------------------------- *]B[d3//0.01]C[the usual one]W[c5//0.01];)")
PBN = """[Event "Cavendish"]
[Site "Las Vegas"]
[Date "2001.05.10"]
[Board "1"]
[West "Zia"]
[North "Rosenberg"]
[East "Levin"]
[South "Weinstein"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:KQ942.A73.K6.Q84 J7.K95.AQ7432.T3 AT63.QJ64.T8.A75 85.T82.J95.KJ962"]
[Scoring "IMP"]
[Declarer "N"]
[Contract "1S"]
[Result ""]
[Auction "N"]
1S Pass Pass Pass
"""
LIN = ("qx|o1|pn|Ann,Bo Lee,Cy,Di|md|3SK5HT83DKQ9CA7652,SAT942HAQ4D32CKJ3,SQJ6HK652DJ85CT98,|sv|o|mb|p|mb|1S|mb|p|mb|p|mb|p|"
       "pc|CA|pc|C3|pc|C8|pc|C4|")  # fmt: skip
PHH = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 QsQd", "d dh p2 AhKh", "p2 cbr 6", "p1 f"]
event = "World Series"
year = 2019
players = ["Ann", "Bo Lee"]
"""
MAT = """; [Site "FIBS"]
; [EventDate "2004.02.11"]
 0 point match

 Game 1
 Ann Lee : 0                      Bob : 0
  1) 31: 8/5 6/5                  52: 13/8 24/22
"""
GCG = "#player1 ann Ann Lee\n#player2 ben Ben\n>ann: ACEST?X 8H CAT +10 10\n"


@pytest.mark.parametrize(("text", "kept"), [
    (PDN, ("Glasgow", "Scotland", "1882.??.??", "Wyllie, J.", "Barker, C.", "{the Glasgow comes}")),
    (GGF, ("GGS/os", "2003.12.15_13:24:03.MST", "Saio1200", "Saio3000", "2197.01", "05:00//02:00", "C[the usual one]")),
    (PBN, ("Cavendish", "Las Vegas", "2001.05.10", "Zia", "Rosenberg", "Levin", "Weinstein", "IMP")),
    (LIN, ("Ann,Bo Lee,Cy,Di",)),
    (PHH, ("World Series", "2019", "Ann", "Bo Lee")),
    (MAT, ("FIBS", "2004.02.11", "Ann Lee", "Bob")),
], ids=["PDN", "GGF", "PBN", "LIN", "PHH", "MAT"])  # fmt: skip
def test_a_file_comes_out_as_it_went_in(text, kept):
    taken = games.read(text)
    game = load(taken.game, compiled=False)
    begun = game.start() if taken.start is None else game.position(taken.start)
    again, kind = games.write(taken.game, begun, taken.actions, taken.names, None, (), taken.tags, taken.notes)
    if text is LIN:  # bridge is written as PBN, which says the same
        assert kind == "pbn" and games.read(again).actions == taken.actions
        again = write_of_lin(begun, Record(taken.game, begun.text(), taken.actions, taken.names), ())
    assert [each for each in kept if each not in again] == []
    assert games.read(again) == taken  # nothing is lost on a second way round either


def test_the_names_of_a_gcg_are_kept():
    taken = games.read(GCG)
    begun = load(taken.game, compiled=False).position(taken.start)
    again, kind = games.write(taken.game, begun, ["8H:CAT"], taken.names, None)
    assert kind == "gcg" and "Ann Lee" in again and "Ben" in again


def test_a_file_of_several_games_is_taken_game_by_game():
    one = '[Event "A"]\n[White "Ann"]\n\n1. e4 {(;[x]} e5 *\n'
    assert [games.read(part).names[0] for part in games.parts(one + "\n" + one.replace("Ann", "Bo"))] == ["Ann", "Bo"]
    assert len(games.parts("(;GM[1]SZ[9];B[ee](;W[cc])(;W[dd]))\n(;GM[1]SZ[9];B[aa])")) == 2
    assert len(games.parts(GGF + "\n" + GGF)) == 2 and len(games.parts(PBN + "\n" + PBN)) == 2

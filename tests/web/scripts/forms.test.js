// The texts of positions, read into cells and written back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FORMS, PALETTES } from "../static/play/forms.js";

const form = (text) => FORMS.find(({ fits }) => fits(text));
const round = (text, game, side) => {
  const { read, write } = form(text), { cells, rest } = read(text, side);
  return write(cells, rest, game);
};

test("what is read is written back", () => {
  const chess = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
  assert.equal(round(chess, "chess"), chess);
  assert.equal(round("x.o/.o./..x x", "tic-tac-toe"), "x.o/.o./..x x");
  const othello = `${"-".repeat(27)}OX------XO${"-".repeat(27)} X`;
  assert.equal(round(othello, "othello"), othello);
  assert.equal(round("B:W21,22,K30:B1,2,K9", "checkers", 8), "B:W21,22,K30:B1,2,K9");
  assert.equal(round("4HPwATDgc/ABMA:cAkAAAAAAAAA", "backgammon"), "4HPwATDgc/ABMA:cAkAAAAAAAAA");
});

test("the other side is to move, and twice changes nothing", () => {
  for (const text of ["x.o/.o./..x x", "B:W21:B1", "4HPwATDgc/ABMA:cAkAAAAAAAAA"]) {
    const { read, turned } = form(text), { rest } = read(text, 8);
    assert.notDeepEqual(turned(rest), rest);
    assert.deepEqual(turned(turned(rest)), rest);
  }
});

test("dice are set in a backgammon position, and every palette has a form", () => {
  const text = "4HPwATDgc/ABMA:cAkAAAAAAAAA", { read, write, dice } = form(text), { cells, rest } = read(text);
  const rolled = write(cells, dice(rest, 6, 1), "backgammon");
  assert.notEqual(rolled, text);
  assert.equal(write(cells, dice(read(rolled).rest, 0, 0), "backgammon"), write(cells, dice(rest, 0, 0), "backgammon"));
  for (const letters of Object.values(PALETTES)) assert.equal(new Set(letters.map(([letter]) => letter)).size, letters.length);
});

test("a checker is put on a point and taken from it", () => {
  const empty = form("4HPwATDgc/ABMA:cAkAAAAAAAAA"), edited = { cells: empty.cleared(), letter: "0" };
  for (let k = 0; k < 20; k++) empty.paint(edited, "6");
  assert.equal(edited.cells[0][6], 15); // no side has more
  edited.letter = ".";
  empty.paint(edited, "6");
  assert.equal(edited.cells[0][6], 14);
});

test("castling rights stand where king and rook do", () => {
  const text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", { read, allow, possible } = form(text), { cells, rest } = read(text);
  assert.equal(possible(cells, rest), "KQkq");
  assert.equal(possible(cells, allow(rest, "Kq")), "Kq");
  cells[7][7] = ".";
  assert.equal(possible(cells, rest), "Qkq");
});

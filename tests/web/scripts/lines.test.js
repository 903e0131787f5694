// The tree of a game's lines, and numbers in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pips, pretty, treeOf, ringed } from "../static/play/lines.js";
import { apt, brief, count, titled, worth } from "../static/words.js";

const game = { record: ["e2e4", "e7e5", "g1f3"], notation: ["e4", "e5", "Nf3"], movers: [0, 1, 0] };

test("a game without variations is one line", () => {
  const tree = treeOf(game);
  assert.equal(tree.length(0), 3);
  assert.equal(tree.word(0, 2), "Nf3");
  assert.deepEqual(tree.numbers(0), [1, 1, 2]);
});

test("a line owns the plies from where it leaves its parent", () => {
  const tree = treeOf({ ...game, tree: { now: 1, lines: [
    { parent: -1, from: 0, words: ["e4", "e5", "Nf3"], movers: [0, 1, 0] }, { parent: 0, from: 1, words: ["c5"], movers: [1] }] } });
  assert.equal(tree.owner(1, 1), 0);
  assert.equal(tree.owner(1, 2), 1);
  assert.deepEqual([0, 1].map((ply) => tree.word(1, ply)), ["e4", "c5"]);
  assert.equal(tree.mover(1, 1), 1);
  assert.equal(tree.length(1), 2);
});

test("dice and numbers in words", () => {
  assert.equal(pips("x31"), "3-1");
  assert.equal(pretty("o64"), "Dice 6 and 4");
  assert.equal(pretty("pass"), "pass");
  assert.deepEqual([999, 12_345, 1_234_567, 2e9, null].map(brief), ["999", "12 k", "1.2 M", "2.0 G", "–"]);
  assert.deepEqual([0.5, -1, null, [1, 0.333]].map(worth), ["+0.5", "-1", "–", "(1, 0.33)"]);
  assert.equal(count(12345.4), "12,345");
});

test("circles and arrows of a comment are read as other programs write them", () => {
  const at = (row, column) => `${row},${column}`;
  assert.deepEqual(ringed("best [%csl Gd4,Re5] [%cal Gg1f3,BK10-J9]", at), [{ colour: "G", from: "d4", to: "d4" }, { colour: "R", from: "e5", to: "e5" }, { colour: "G", from: "g1", to: "f3" }, { colour: "B", from: "K10", to: "J9" }]);
  assert.deepEqual(ringed("joseki\n[%sgf TR[dd][cc]AR[aa:bc]]", at), [{ colour: "G", from: "3,3", to: "3,3" }, { colour: "G", from: "2,2", to: "2,2" }, { colour: "G", from: "0,0", to: "2,1" }]);
  assert.deepEqual(ringed("nothing drawn", at), []);
});

test("a title begins with a capital, and a name that is written in a way of its own stays so", () => {
  assert.deepEqual(["connect four", "pac-man", "pac-man:ghosts=well", "liar's dice"].map(titled), ["Connect four", "Pac-Man", "Pac-Man:ghosts=well", "Liar's dice"]);
});

test("a search is apt where the game has what it is made for", () => {
  const chess = { name: "chess", players: 2, chance: false }, backgammon = { name: "backgammon", players: 2, chance: true }, monopoly = { name: "monopoly", players: 4, chance: true };
  const searches = ["engine:pvs", "minimax", "mcts", "expectiminimax:depth=2", "expectimax", "engine:star2", "maxn:depth=3", "paranoid"], left = (game) => searches.filter((name) => apt(name, game)).length;
  assert.deepEqual([chess, backgammon, monopoly].map(left), [3, 6, 8]);
  assert.ok(apt("expectimax", { name: "pac-man", players: 2, chance: false })); // some of its ghosts wander
});

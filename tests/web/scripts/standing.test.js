// Ratings, counts and days of a visitor.
import assert from "node:assert/strict";
import { test } from "node:test";
import { added, dayOf, path, streak, tally } from "../static/standing.js";

const game = (mine, against, when, more = {}) => ({ address: String(when), game: "chess", against: [against], mine, plies: 40, when, aided: false, ...more });

test("games are counted by any name, unnamed ones not", () => {
  const rows = tally([game(1, "random", 1, { opening: "Ruy Lopez" }), game(0.5, "random", 2, { opening: "Ruy Lopez" }), game(0, "random", 3)], (one) => one.opening);
  assert.deepEqual(rows, [{ name: "Ruy Lopez", won: 1, drawn: 1, lost: 0, played: 2 }]);
  assert.deepEqual(added([{ blunder: 1 }, undefined, { mistake: 3, blunder: 1 }]), [["mistake", 3], ["blunder", 2]]);
});

test("days in a row end with a gap, and today may still come", () => {
  const noon = new Date(2026, 2, 30, 12).getTime(), day = 86400000;
  const days = [5, 2, 1].map((back) => dayOf(noon - back * day));
  assert.equal(streak(days, noon), 2);
  assert.equal(streak([...days, dayOf(noon)], noon), 3);
  assert.equal(streak([], noon), 0);
});

test("a curve stays in its box, also of one value", () => {
  assert.equal(path([3], 100, 40), "M4.0 36.0L96.0 36.0");
  assert.equal(path([0, 10], 100, 40), "M4.0 36.0L96.0 4.0");
});

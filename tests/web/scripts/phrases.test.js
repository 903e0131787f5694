// Texts in another language: found whole, with something put in, and apart.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isProse, phrases } from "../static/phrases.js";

const say = phrases({ decimal: ",", thousands: ".", texts: {
  "Your move.": "Du bist am Zug.", "{1} to move": "{1} am Zug", White: "Weiß", "{#1} games": "{1} Partien", "depth {#1}": "Tiefe {1}",
  "{1} beats {2}": "{2} verliert gegen {1}", "no answer": "keine Antwort", "white pawn": "weißer Bauer", wall: "Mauer",
} });

test("a text is found whole, with its space around it and a full stop behind", () => {
  assert.equal(say("Your move."), "Du bist am Zug.");
  assert.equal(say(" Your\n  move. "), " Du bist am Zug. ");
  assert.equal(say("No answer:"), "Keine Antwort:");
  assert.equal(say("Their move."), null);
});

test("what is put in is put in, in the order of the language, and translated itself", () => {
  assert.equal(say("White to move"), "Weiß am Zug");
  assert.equal(say("White beats Ada"), "Ada verliert gegen Weiß");
  assert.equal(say("12,345 games"), "12.345 Partien");
  assert.equal(say("many games"), null);
});

test("numbers are written as the language does, names and moves stay", () => {
  assert.equal(say("+1,234.5"), "+1.234,5");
  assert.equal(say("e2e4"), null);
  assert.equal(say("1."), null);
});

test("a text that nobody knows comes apart, but not into half a sentence", () => {
  assert.equal(say("White to move · depth 12 · 0.5 s"), "Weiß am Zug · Tiefe 12 · 0,5 s");
  assert.equal(say("a2, white pawn"), "a2, weißer Bauer");
  assert.equal(say("wall, which was good"), null);
});

test("prose is told from names and moves", () => {
  assert.deepEqual(["Play", "Nf3 e5", "engine:pvs", "Deep Blue", "pot", "a1-c1"].map(isProse), [false, false, false, false, true, false]);
});

// Puzzles: one a day, a run by rating, and the visitor's own mistakes, which come back after a day and after a week.
// @ts-check
import { Board } from "./board.js";
import { $, ask, attempt, make } from "./studio.js";
import { keep, load, worked } from "./visitor.js";

const STEP = 32, FIRST = 1200, DAY = 86400000;
const ratings = load("puzzle-ratings", {}), solved = load("puzzles-solved", {});
let now = null; // the puzzle on the board
let failed = false; // a wrong try was made: the first one counts

const board = new Board($("#board"), (action) => answer(action));

async function show(puzzle, task) {
  now = puzzle;
  failed = false;
  const state = await attempt(() => ask("/api/positions", { game: puzzle.game, start: puzzle.position, actions: puzzle.actions ?? [] }));
  if (!state || now !== puzzle) return; // another puzzle was asked for meanwhile
  now.state = state;
  $("#task").textContent = `${task}${puzzle.setup ? `, ${puzzle.setup}` : ""}: ${state.to_move} to move.${puzzle.kind ? ` Find: ${puzzle.kind}.` : ""}${puzzle.rating ? ` Rated ${puzzle.rating}.` : ""}`;
  choose(state);
  $("#line").textContent = "";
  $("#again").hidden = $("#next").hidden = true;
  $("#solve").hidden = false;
  board.show(state, true, false);
}

// What cannot be pointed at is chosen by a button; where there are too many of those, it is written.
const MOST_BUTTONS = 12;
function choose(state) {
  const plain = state.legal.filter(({ touches }) => !touches.length);
  const written = state.unlisted > 0 || state.laying || plain.length > MOST_BUTTONS;
  $("#actions").replaceChildren(...(written ? [] : plain.map(({ text, said }) => make("button", { onclick: () => answer(text) }, said ?? text))));
  $("#write").hidden = !written;
  $("#written").value = "";
  $("#written").placeholder = state.legal[0]?.text ?? "";
  const how = written ? `Write the one best action, as ${state.legal[0]?.text}.` : plain.length === state.legal.length ? "Choose the one best action." : "Play the one best action on the board.";
  $("#status").textContent = state.task ? `${state.task} ${how}` : how;
}

async function answer(action) {
  const told = now.best ? { right: action === now.best, refutation: "", solution: [now.best], words: now.words } : await attempt(() => ask(`/api/puzzles/${encodeURIComponent(now.family)}/${now.number}`, { action }));
  if (!told) return;
  if (told.right) { count(!failed); await play(told.solution, told.proved_by, told.spelled); }
  $("#status").textContent = told.right ? (failed ? "That is it, at the second try." : "Right.") : `${action} is not it.${told.refutation ? ` ${told.refutation.includes(" (") ? "It is answered by" : "That is"} ${told.refutation}.` : ""}`;
  if (!told.right) { if (!failed) count(false); failed = true; board.show(now.state, true, false); }
  $("#again").hidden = true;
  $("#next").hidden = !told.right;
  $("#solve").hidden = Boolean(told.right);
  if (told.right && now.words) $("#line").textContent = now.words;
}

async function play(line, proof, spelled = line) {
  const state = await attempt(() => ask("/api/positions", { game: now.game, start: now.position, actions: [...(now.actions ?? []), line[0]] }));
  if (state) board.show({ ...state, legal: [] }, false);
  $("#actions").replaceChildren();
  $("#write").hidden = true;
  $("#line").textContent = (line.length > 1 ? `What comes of it: ${spelled.join(" ")}. ` : "") + (proof ? `Proved by ${proof}.` : "");
}

async function solution() {
  if (!failed) count(false);
  failed = true;
  const told = now.best ? { solution: [now.best] } : await attempt(() => ask(`/api/puzzles/${encodeURIComponent(now.family)}/${now.number}`, {}));
  if (!told) return;
  $("#status").textContent = `The best action is ${(told.spelled ?? told.solution)[0]}.`;
  await play(told.solution, told.proved_by, told.spelled);
  if (now.words) $("#line").textContent += ` ${now.words}`;
  $("#solve").hidden = true;
  $("#next").hidden = false;
}

// The visitor's rating moves as Elo's does, by the first try alone.
let counted = null;
function count(won) {
  if (counted === now) return;
  counted = now;
  if (now.best) { later(won); return; }
  const mine = ratings[now.family] ?? FIRST, expected = 1 / (1 + 10 ** ((now.rating - mine) / 400));
  ratings[now.family] = Math.round(mine + STEP * ((won ? 1 : 0) - expected));
  solved[now.family] = (solved[now.family] ?? 0) + 1;
  keep("puzzle-ratings", ratings);
  keep("puzzles-solved", solved);
  worked();
  if (now.day && won) keep("puzzle-day", now.day);
  standing();
}

function standing() {
  const family = $("#family").value;
  $("#rating").textContent = family ? `Your rating in ${family}: ${ratings[family] ?? FIRST}, after ${solved[family] === 1 ? "1 puzzle" : `${solved[family] ?? 0} puzzles`}.` : "";
  const due = mistakes();
  $("#mine").hidden = !due.length;
  $("#mine").textContent = `My own mistakes (${due.length})`;
}

// A mistake comes a day after its review, and once solved a week later again; then it is done with.
function mistakes() { return load("mistakes", []).filter((one) => one.due <= Date.now()); }
function later(won) {
  worked();
  const all = load("mistakes", []).filter((one) => one.key !== now.key);
  if (!won) all.push({ ...now.kept, due: Date.now() + DAY, week: false });
  else if (!now.kept.week) all.push({ ...now.kept, due: Date.now() + 7 * DAY, week: true });
  keep("mistakes", all);
  standing();
}

async function own() {
  const one = mistakes()[0];
  if (!one) { $("#status").textContent = "No mistake of yours is due."; return; }
  following = own;
  await show({ game: one.game, position: one.start ?? undefined, actions: one.actions, best: one.best, words: one.words, key: one.key, kept: one }, `A mistake of yours (${one.played} was a ${one.verdict})`);
}

async function today() {
  const { day } = await ask("/api/puzzles");
  following = run;
  await show({ ...await ask(`/api/puzzles/${encodeURIComponent(day.game)}/${day.number}`), day: day.date }, `Puzzle of ${day.date}, ${day.game}`);
}

async function run() {
  const family = $("#family").value;
  following = run;
  const found = await attempt(() => ask(`/api/puzzles/${encodeURIComponent(family)}?rating=${ratings[family] ?? FIRST}&after=${solved[family] ?? 0}`));
  if (found) await show(found, family);
}

let following = run;
const listed = await attempt(() => ask("/api/puzzles"));
$("#none").hidden = Boolean(listed?.games.length);
if (listed?.games.length) {
  $("#puzzling").hidden = false;
  $("#family").replaceChildren(...listed.games.map(({ game, puzzles }) => make("option", { value: game }, `${game} (${puzzles})`)));
  $("#family").value = new URLSearchParams(location.search).get("game") ?? listed.day.game;
  $("#today").addEventListener("click", today);
  $("#mine").addEventListener("click", own);
  $("#run").addEventListener("click", run);
  $("#next").addEventListener("click", () => following());
  $("#write").addEventListener("submit", (event) => { event.preventDefault(); if ($("#written").value.trim()) answer($("#written").value.trim()); });
  $("#solve").addEventListener("click", solution);
  $("#family").addEventListener("change", standing);
  standing();
  const wanted = new URLSearchParams(location.search);
  await (wanted.has("game") ? run() : wanted.has("mine") && mistakes().length ? own() : today());
}

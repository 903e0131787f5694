// Thinking about a position: lines, hints, the books, threats, the bar beside the board.
// @ts-check
import { move } from "./moves.js";
import { status } from "./show.js";
import { aided, bar, board, page, query, say, upper, watching } from "./state.js";
import { $, ask, attempt, make, stream } from "../studio.js";
import { brief, called, count, worth } from "../words.js";

const pawns = (unit) => unit === "centipawns" || (unit === "points" && page.record.game.startsWith("chess"));
const SIDE = () => upper(page.record.seats[0] ?? "the first player");

// A value in words: the unit, and whose it is.
function told(value, unit, exact) {
  if (Array.isArray(value)) return value.length === 1 ? String(+value[0].toFixed(2)) : `(${value.map((part) => +part.toFixed(2)).join(", ")})`;
  if (value === null || value === undefined) return "–";
  if (pawns(unit) && !exact) return `${value >= 0 ? "+" : "−"}${Math.abs(value / 100).toFixed(2)}`;
  if (exact && page.record.players.length === 2 && [-1, 0, 1].includes(value)) return value === 0 ? "draw" : `${page.record.seats[value > 0 ? 0 : 1]} wins`;
  return worth(value);
}

function unitWords(found) {
  if (page.record.players.length === 1) return found.cost !== undefined && found.cost !== null ? `cost ${found.cost}` : "";
  const unit = found.exact ? "proved" : pawns(found.unit) ? `in pawns, + is good for ${SIDE()}` : found.unit === "utility" ? `from −1 to 1, + is good for ${SIDE()}` : `in ${found.unit}, + is good for ${SIDE()}`;
  return unit;
}

function question(seconds, lines) {
  const asking = { game: page.record.game, algorithm: $("#algorithm").value || "auto", lines, seconds };
  if (page.record.hidden) asking.start = page.record.position;
  else Object.assign(asking, { start: page.record.start, actions: page.record.record.slice(0, page.record.at) });
  return asking;
}

export function stopThinking() {
  page.thought?.abort();
  page.thought = null;
  $("#think").textContent = "Think";
}

export function unthink() { stopThinking(); board.clear(); $("#results").hidden = true; $("#results tbody").replaceChildren(); $("#thinking").textContent = ""; $("#why").textContent = ""; $("#on").hidden = true; }

export async function think(seconds = +$("#seconds").value || 3) {
  if (page.thought) { stopThinking(); $("#thinking").textContent += " – stopped"; $("#on").hidden = false; return; }
  const controller = page.thought = new AbortController();
  aided();
  $("#think").textContent = "Stop";
  $("#on").hidden = true;
  $("#thinking").textContent = "…";
  const asking = question(seconds, +$("#lines").value || 1);
  if (+$("#depth").value) asking.depth = +$("#depth").value;
  let found = /** @type {any} */ (null);
  const done = await attempt(() => stream("/api/think", asking, (message) => {
    if (controller.signal.aborted) return;
    if (message.queued) $("#thinking").textContent = `place ${message.queued} in the queue`;
    if (message.compiling) $("#thinking").textContent = `First use of ${page.record.game.split(":")[0]} here: preparing (${message.compiling}) …`;
    if (message.progress && !found) $("#thinking").textContent = `${brief(message.progress.nodes)} nodes, depth ${message.progress.depth}`;
    if (message.result) { found = message.result; lines(found); }
  }, controller.signal));
  if (page.thought !== controller) return;
  page.thought = null;
  $("#think").textContent = "Think";
  $("#on").hidden = !done || Boolean(found?.exact);
  if (!done && !found) $("#thinking").textContent = "";
}

// Every line that the search has an opinion on, the best first; a click shows it on the board.
function lines(found) {
  const rowsOf = found.candidates.length ? found.candidates : [{ action: found.action, value: found.value, line: found.line }];
  const heads = [...new Set(rowsOf.flatMap(({ about }) => Object.keys(about ?? {})))]; // what players of the game look at: points and leave, tricks
  $("#results").hidden = false;
  $("#results thead tr").replaceChildren(...["value", "gives away", ...heads, "line (click to see it on the board)"].map((words) => make("th", { scope: "col" }, words)));
  $("#results tbody").replaceChildren(...rowsOf.slice(0, Math.max(1, +$("#lines").value || 1)).map((one, rank) => {
    const moves = one.line?.length ? one.line : rank === 0 ? found.line : [one.action];
    const words = one.words?.length ? one.words : rank === 0 && found.words?.length ? found.words : moves;
    const button = make("button", { type: "button", class: "line", onclick: () => walk(moves, words) }, words.slice(0, 12).join(" ") || one.action || "–");
    const share = one.visits ? ` · ${brief(one.visits)}×` : "";
    return make("tr", {}, make("td", { class: "number" }, told(one.value, found.unit, one.proved || found.exact) + share), make("td", { class: "number" }, lost(rowsOf[0], one, found)), ...heads.map((head) => make("td", { class: "number" }, one.about?.[head] ?? "")), make("td", {}, button));
  }));
  board.values(rowsOf.slice(0, +$("#lines").value || 1).map((one) => ({ ...one, value: pawns(found.unit) && !found.exact ? one.value / 100 : Array.isArray(one.value) ? one.value[Math.max(0, page.record.player)] : one.value })));
  $("#thinking").title = `outplay best … --algorithm ${found.algorithm}`;
  $("#thinking").textContent = [called(found.algorithm), found.depth ? `depth ${found.depth}` : "", `${brief(found.nodes)} nodes`, found.nps ? `${brief(found.nps)} a second` : "", `${found.seconds.toFixed(1)} s`, unitWords(found)].filter(Boolean).join(" · ");
  $("#why").textContent = inWords(found, rowsOf);
  page.values.set(page.record.at, found);
  gauge();
}

// What a line gives away beside the best one, in the same unit.
function lost(best, one, found) {
  if (one === best || typeof best.value !== "number" || typeof one.value !== "number" || found.exact || one.proved || best.proved) return "";
  const much = Math.abs(best.value - one.value) / (pawns(found.unit) ? 100 : 1);
  return much ? `−${+much.toFixed(much < 1 ? 3 : 2)}` : "";
}

// The choice in words: what it is worth, by how much it is better, what would come.
function inWords(found, rowsOf) {
  if (!found.action || Array.isArray(found.value)) return found.action ? `Best: ${found.action}.` : "";
  const mine = page.record.player === 1 ? -1 : 1;
  const gap = rowsOf.length > 1 && typeof rowsOf[1].value === "number" ? mine * (rowsOf[0].value - rowsOf[1].value) : null;
  const name = (one) => one.words?.[0] ?? one.action;
  const parts = [`${name(found)} is best`];
  if (found.exact) parts.push(found.value === 0 ? "and keeps the draw" : mine * found.value > 0 ? "and wins by force" : "though the game is lost against best play");
  if (gap !== null && gap > 0 && !found.exact) parts.push(`, ahead of ${name(rowsOf[1])} by ${pawns(found.unit) ? `${(gap / 100).toFixed(2)} pawns` : `${+gap.toFixed(gap < 0.1 ? 3 : 2)}${found.unit === "utility" ? "" : ` ${found.unit}`}`}`);
  if (gap === 0) parts.push(`, and ${name(rowsOf[1])} is as good`);
  if (found.line.length > 1) parts.push(`; expected: ${(found.words?.length ? found.words : found.line).slice(0, 6).join(" ")}`);
  return parts.join(" ").replace(/ ([,;])/g, "$1") + ".";
}

// A line on the board, move by move, and back.
export async function walk(moves, words = moves) {
  const here = page.record, start = here.at;
  for (let k = 1; k <= Math.min(moves.length, 8); k++) {
    const state = await attempt(() => ask(`/api/positions${query()}`, { game: here.game, start: here.start, actions: [...here.record.slice(0, start), ...moves.slice(0, k)] }));
    if (!state || page.record !== here) return;
    board.show(state, false);
    say(`What would come: ${words.slice(0, k).join(" ")}`);
    await new Promise((done) => setTimeout(done, 650));
  }
  await new Promise((done) => setTimeout(done, 700));
  if (page.record === here) { board.show(here, here.movable && !page.busy, false); say(status(here, here.at === here.plies)); }
}

// What the books know of the position on the board: each move with its games or points; a click plays it, or shows it where nobody may move.
let explored = "";
export async function explore() {
  const state = page.record;
  $("#explorer").hidden = !state?.booked || Boolean(watching);
  if ($("#explorer").hidden || $("#pane-think").hidden) return;
  const key = `${state.game} ${state.start} ${state.record.slice(0, state.at)}`;
  if (explored === key) return;
  explored = key;
  const found = await ask("/api/openings", { game: state.game, start: state.start, actions: state.record.slice(0, state.at) }).catch(() => null);
  if (!found || explored !== key) { if (!found) explored = ""; return; }
  const some = found.moves.slice(0, 12);
  $("#book tbody").replaceChildren(...some.map((row) => make("tr", { onpointerenter: () => board.point(row.action), onpointerleave: () => board.point(null) },
    make("th", { scope: "row" }, make("button", { type: "button", class: "line", onclick: () => { if (page.record?.movable && !page.busy) move(row.action); else walk([row.action], [row.word]); } }, row.word)),
    make("td", {}, row.results ? ended(row.results, state) : share(row.share), ...(row.name ? [make("span", { class: "faint" }, row.name)] : [])), make("td", { class: "number" }, `${Math.round(100 * row.share)} %`),
    row.results ? make("td", { class: "number", title: "games" }, count(row.results[0] + row.results[1] + row.results[2])) : make("td", { class: "number", title: "two points a win, one a draw" }, count(row.points)))));
  const words = some[0]?.results ? `games that ${state.seats[0]} won, were drawn, and ${state.seats[1]} won; the share and the number of games` : "share and number of points, two for a win and one for a draw";
  $("#booked").textContent = some.length ? `From ${found.books.join(", ")}: ${words}. A click plays the move.` : "No book knows this position.";
}

// How the games with a move ended, as one bar: the first player's wins to the left, the second's to the right, each in its colour.
function ended([won, drawn, lost], state) {
  const total = won + drawn + lost || 1, parts = state.player === 1 ? [lost, drawn, won] : [won, drawn, lost];
  const names = [`${upper(state.seats[0])} wins`, "draws", `${upper(state.seats[1])} wins`];
  const bar = make("span", { class: "ended", role: "img", "aria-label": parts.map((part, k) => `${names[k]} ${Math.round(100 * part / total)} %`).join(", ") });
  bar.title = bar.getAttribute("aria-label");
  parts.forEach((part, k) => {
    if (!part) return;
    const dark = k === 1 ? "drawn" : /black/i.test(state.seats[k === 2 ? 1 : 0]) ? "black" : /white/i.test(state.seats[k === 2 ? 1 : 0]) ? "white" : `seat-${k === 2 ? 1 : 0}`;
    const piece = make("span", { class: dark }, part / total >= 0.22 ? `${Math.round(100 * part / total)} %` : "");
    piece.style.flexGrow = part;
    bar.append(piece);
  });
  return bar;
}

// Advice in a game with hidden things: by a player who sees no more than the person who asks; a mixed strategy as bars.
async function advice() {
  const before = page.record.position;
  say("A good player looks at what you see …");
  let found = /** @type {any} */ (null);
  await attempt(() => stream(`/api/records/${page.record.address}/advice`, {}, (message) => { if (message.advice) found = message.advice; if (message.compiling) say(`Preparing (first use of ${page.record.game.split(":")[0]}) …`); }));
  if (page.record.position !== before) return;
  say(status(page.record, true));
  if (!found) return;
  board.values([{ action: found.action, touches: found.touches, value: null }]);
  $("#advised").replaceChildren(make("p", {}, make("strong", {}, `${upper(found.by)} would play ${found.said}`), found.why ? `: ${found.why}.` : "."), bars(found));
}

function share(part) { const bar = make("span", { class: "share" }); bar.style.width = `${(100 * part).toFixed(1)}%`; return bar; }

// The actions of a hint: how often each is played or was tried, which adds up to 100 %, and what it is worth, with its unit.
function bars(found) {
  const counted = found.choices.filter(({ part }) => part === null || part > 0);
  if (!counted.length) return make("span");
  const heads = [make("th", { scope: "col" }, "Action"), ...(found.column ? [make("th", { scope: "col", colspan: 2 }, found.column === "played" ? "how often a good player plays it" : "share of the trials")] : []), make("th", { scope: "col" }, "worth to you")];
  const shown = counted.slice(0, 8), left = found.column ? Math.max(0, 1 - shown.reduce((sum, { part }) => sum + (part ?? 0), 0)) : 0;
  const row = (said, part, words) => make("tr", {}, make("th", { scope: "row" }, said), ...(found.column ? [make("td", {}, share(part ?? 0)), make("td", { class: "number" }, `${(100 * (part ?? 0)).toFixed(part && part < 0.095 ? 1 : 0)} %`)] : []), make("td", { class: "number" }, words));
  return make("table", { class: "bars" }, make("tr", {}, ...heads), ...shown.map((one) => row(one.said, one.part, one.words)), left > 0.0005 ? row("all others", left, "") : "");
}

export async function hint() {
  aided();
  if (page.record.hidden) return advice();
  if (page.thought) stopThinking();
  const before = page.record.position;
  say("Looking for a good move …");
  let found = /** @type {any} */ (null), glanced = false;
  await attempt(() => stream("/api/think", { ...question(1, 1), algorithm: "auto" }, (message) => {
    if (message.compiling && !glanced) say(`First use of ${page.record.game.split(":")[0]} here: preparing …`);
    if (message.glance && page.record.position === before && (glanced = true)) say(`At a first glance ${message.glance}; the search gets ready …`);
    if (message.result) found = message.result;
  }));
  if (!found || page.record.position !== before) return;
  board.values([{ action: found.action, value: pawns(found.unit) && !found.exact ? found.value / 100 : Array.isArray(found.value) ? found.value[Math.max(0, page.record.player)] : found.value }]);
  say(inWords(found, found.candidates));
}

// What the other side threatens, or whose the points of a Go board are: marks on the board until the next move.
export async function marked(what) {
  aided();
  const before = page.record, at = page.record.at === page.record.plies ? {} : { at: page.record.at }, path = `/api/records/${page.record.address}/${what === "threats" ? what : `extra/${what}`}${query(what === "threats" ? at : {})}`;
  if (what === "territory") say("Playing the game out a few hundred times …");
  let found = /** @type {any} */ (null);
  await attempt(async () => {
    if (what === "threats") found = await ask(path);
    else await stream(path, at, (message) => { if (message.compiling) say("First use of go here: preparing …"); if (message.board) found = message; });
  });
  if (page.record !== before) return;
  if (!found) { say(status(page.record, page.record.at === page.record.plies)); return; }
  board.show({ ...page.record, board: found.board }, page.record.movable && !page.busy && !page.opening, false);
  say(found.words ? `${found.words}.` : "No threat seen.");
}

// The bar beside the board: who is better, from the last search of this position or the review.
export function gauge() {
  if (bar.parentNode !== board.stage) board.stage.append(bar);
  const wanted = $("#evaluate").checked && page.record?.players.length === 2 && !page.record.hidden;
  bar.hidden = !wanted;
  if (!wanted) return;
  const known = page.values.get(page.record.at);
  if (!known || typeof known.value !== "number") { bar.classList.add("unknown"); if (!page.thought && !page.busy && !page.record.terminal) weigh(); return; }
  bar.classList.remove("unknown");
  const share = known.share ?? known.first ?? (known.exact || known.unit === "utility" ? (Math.max(-1, Math.min(1, known.value)) + 1) / 2 : 1 / (1 + Math.exp(-0.37 * known.value / (pawns(known.unit) ? 100 : Math.max(known.scale / 10, 1e-9) || 1))));
  const turned = page.flip && page.record.board?.turns;
  bar.firstChild.style.height = `${(turned ? 1 - share : share) * 100}%`;
  if (known.worth) { bar.lastChild.textContent = `${Math.round(100 * share)} %`; bar.setAttribute("aria-label", `Evaluation: ${Math.round(100 * share)} % for the first player`); return; }
  bar.lastChild.textContent = pawns(known.unit) && !known.exact ? `${known.value >= 0 ? "+" : "−"}${Math.abs(known.value / 100).toFixed(1)}` : told(known.value, known.unit, known.exact);
  bar.setAttribute("aria-label", `Evaluation: ${told(known.value, known.unit, known.exact)}`);
}

let weighing = null;
async function weigh() {
  weighing?.abort();
  aided();
  const mine = weighing = new AbortController(), ply = page.record.at, address = page.record.address;
  try {
    await stream("/api/think", { ...question(0.4, 1), algorithm: "auto" }, (message) => {
      if (message.result && page.record.address === address) page.values.set(ply, message.result);
    }, mine.signal);
  } catch { return; }
  if (mine === weighing && page.record.at === ply) gauge();
}

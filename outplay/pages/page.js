// The page: a game between the seats, drawn by the studio's board, with the computer's moves from a worker.
"use strict";

const el = (id) => document.getElementById(id), { manifest, code, worker: workerText } = window.outplayData;
const back = (x) => typeof x === "bigint" ? Number(x) : x instanceof $.Word ? Number(x.v) : x instanceof $.Dict ? Object.fromEntries([...x.pairs()].map(([k, v]) => [k, back(v)])) : Array.isArray(x) ? [...x].map(back) : x;
const compiled = await WebAssembly.compile(code);  // large modules may not be compiled while the page waits
const rules = host.rules = new Rules(compiled, manifest, await WebAssembly.instantiate(compiled, Rules.imports(compiled)));
const seats = back(host.seats), upper = (text) => text.replace(/^./, (all) => all.toUpperCase());
const FAMILY_NAMES = { alphabeta: "looks ahead (alpha-beta)", mcts: "plays at random (Monte Carlo)", expecting: "looks ahead over the dice", net_search: "asks a network (Monte Carlo)", policy: "plays an equilibrium of the whole game", many: "looks ahead (max^n)", ways: "looks for the shortest way", hidden_search: "guesses what is hidden (Monte Carlo)" };
const LEVELS = [...Object.keys(manifest.levels), "full"], QUICK = ["beginner", "casual", "club"]; // who plays for fun does not wait, on a phone either
const families = manifest.searches.filter((name) => manifest[name]);
const MOST_THREADS = 4; // each has a tree of its own
const EXAMPLES = { think: (told) => thinking(told), questions: (told) => questioned(told) };
const narrow = matchMedia("(max-width: 560px)");
const random = (n) => { const word = new Uint32Array(1); crypto.getRandomValues(word); return word[0] / 2 ** 32 * n; };
const word64 = () => { const two = new BigUint64Array(1); crypto.getRandomValues(two); return two[0]; };

// ------------------------------------------------------------------ the worker

class Thinker {
  worker = null; waiting = new Map(); next = 1;
  start() {
    const url = URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = ({ data }) => {
      const job = this.waiting.get(data.id);
      if (!job) return;
      if (data.so_far) return job.tell(data.so_far);
      this.waiting.delete(data.id);
      if (data.problem) job.reject(new Error(data.problem)); else job.resolve(data.found);
    };
    this.worker.onerror = (event) => { for (const job of this.waiting.values()) job.reject(new Error(event.message || "the search could not be started")); this.waiting.clear(); };
    this.worker.postMessage({ kind: "begin", code: compiled, manifest }); // compiled once, for both
  }
  ask(family, state, limits, tell = () => {}, share = null) {
    if (!this.worker) this.start();
    const id = this.next++;
    this.worker.postMessage({ kind: "search", id, family, state, limits, seed: word64(), share });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, tell, share }));
  }
  stop() {
    const jobs = [...this.waiting.values()];
    if (jobs.length && jobs.every(({ share }) => share)) return jobs.forEach(({ share }) => halt(share)); // who shares a memory is not torn out of it
    if (jobs.length) { this.worker.terminate(); this.worker = null; this.waiting.clear(); }
  }
  clear() { this.stop(); this.worker?.postMessage({ kind: "clear" }); }
}

// Where games are played at random, several threads play their own, and their counts are added up: at most as many as leave one
// processor for the page. No memory is shared, so that no server with special headers is needed. Alpha-beta's threads share their
// table, where the page comes from a server that lets it; else one searches.
const CARLO = ["mcts", "hidden_search", "net_search"];
const crew = Array.from({ length: Math.max(1, Math.min(MOST_THREADS, (navigator.hardwareConcurrency || 2) - 1)) }, () => new Thinker()), [thinker] = crew;
const stopped = () => crew.forEach((each) => each.stop());

let shared = null, turn = 0;
async function together(used, seenState, limits) {
  if (used === "alphabeta" && crew.length > 1 && self.crossOriginIsolated) {
    const memory = await (shared ??= sharing(rules, code, crew.length).catch(() => null)); // there may be no room for it
    if (memory) return led(used, seenState, { ...limits, turn: ++turn }, { ...memory, turn });
  }
  const found = await Promise.all((CARLO.includes(used) ? crew : [thinker]).map((each) => each.ask(used, seenState, limits)));
  return found.length === 1 ? found[0] : added(found);
}

async function led(used, seenState, limits, share) {
  const jobs = crew.map((each, place) => each.ask(used, seenState, limits, () => {}, { ...share, place })), all = Promise.all(jobs);
  all.catch(() => {}); // it is the first one's that is told
  try { await jobs[0]; } finally { halt(share); }
  const found = await all, sum = (field) => found.reduce((total, one) => total + one[field], 0);
  return { ...found[0], nodes: sum("nodes"), leaves: sum("leaves"), threads: found.length };
}

function added(found) {
  const proved = found.find((one) => one.exact);
  if (proved) return proved;
  const arms = new Map(), sum = (field) => found.reduce((total, one) => total + one[field], 0);
  for (const { action, worth, visits } of found.flatMap((one) => one.choices)) {
    const arm = arms.get(action) ?? { action, total: 0, visits: 0, worth };
    arms.set(action, { action, total: arm.total + worth * visits, visits: arm.visits + visits, worth: visits ? (arm.total + worth * visits) / (arm.visits + visits) : arm.worth });
  }
  const choices = [...arms.values()].map(({ total, ...arm }) => arm), best = choices.reduce((a, b) => a && (a.visits - b.visits || a.worth - b.worth) >= 0 ? a : b, null);
  if (!best) return found[0];
  return { ...found[0], action: best.action, worth: best.worth, line: (found.find((one) => one.action === best.action) ?? { line: [best.action] }).line, choices, simulations: sum("simulations"), nodes: sum("nodes"), leaves: sum("leaves"), depth: Math.max(...found.map((one) => one.depth)), seconds: Math.max(...found.map((one) => one.seconds)) };
}

// ------------------------------------------------------------------ the game

// What stands behind # in the address: a position to begin with (its bytes), and what an example shows of it. Lessons say it so.
const wish = new URLSearchParams(location.hash.slice(1)), example = EXAMPLES[wish.get("show")];
const beginning = (() => {
  try {
    const at = unpacked(wish.get("at") ?? "");
    if (at.length === rules.start.length) { host.shown(Position.of(at, host.facts), host.seats); return at; } // nor can every state be shown
  } catch { /* no position of this game: from the start, then */ }
  return rules.start;
})();
let plies, state, over, reason, utilities, eyes, curtain, flip = false, token = 0, thinkingSeat = null;
let players = seats.map((_, seat) => seat === 0 || seats.length === 1 || example ? "person" : "club"), family = families[0], noted = "";
const described = () => Position.of(state, host.facts);
const people = () => players.flatMap((each, seat) => each === "person" ? [seat] : []);
const hides = () => manifest.hidden && (manifest.stays_hidden || !over);

function judge() {  // the end by the rules, by repetition, or for want of progress
  const told = rules.known(state);
  over = told.over; reason = ""; utilities = told.utilities;
  if (over || told.player === CHANCE) return told;
  const { repetitions, draw_after } = manifest, drawn = () => { over = true; const side = (manifest.total ?? 0) / new Set(manifest.sides).size; utilities = manifest.sides.map(() => side); };
  if (repetitions && told.reversible + 1 >= repetitions) {
    const earlier = plies.slice(Math.max(0, plies.length - told.reversible)).map((ply) => rules.known(ply.state).key);
    if (1 + earlier.filter((key) => key === told.key).length >= repetitions) { drawn(); reason = { 2: "repetition", 3: "threefold repetition" }[repetitions] ?? `repetition, ${repetitions} times`; }
  }
  if (!over && draw_after && told.reversible >= draw_after) { drawn(); reason = `${draw_after / 2} moves without progress`; }
  return told;
}

function newGame() {
  token++;
  crew.forEach((each) => each.clear());
  plies = []; state = beginning; eyes = null; curtain = false; thinkingSeat = null; noted = "";
  go();
}

function play(action) {
  const position = described(), text = position.action_text($.int_(BigInt(action))), player = position.facts.player;
  const open = !manifest.hidden || position.is_public($.int_(BigInt(action))), veiled = open ? "" : position.veiled_text($.int_(BigInt(action)));
  plies.push({ state, action, text, player, open, veiled, words: open || player < 0 ? spelled(position, action, text) : text });
  state = rules.play(state, action);
}

// A move as people of the game write it, and as a button says it; in the rules' own notation where those words cannot be had here.
const worded = (say, text) => { try { return $.str(say()); } catch { return text; } };
const spelled = (position, action, text = position.action_text($.int_(BigInt(action)))) => worded(() => host.spelled(position, $.int_(BigInt(action)), text, host.speak, host.spell, host.recorded), text);
const said = (position, action, text) => worded(() => host.said(position, $.int_(BigInt(action)), text, host.speak), text);

// Chance falls, the computer thinks, until a person is to move or the game is over.
async function go() {
  const mine = ++token;
  for (;;) {
    const told = judge();
    if (over || told.player !== CHANCE) break;
    let action;
    if (told.sampled) action = rules.draw(state, word64());
    else { let left = random(1); const k = told.probabilities.findIndex((p) => (left -= p) < 0); action = told.actions[k < 0 ? told.probabilities.length - 1 : k]; }
    play(action);
  }
  const { player } = rules.known(state);
  if (over) { curtain = false; eyes = people().length === 1 ? people()[0] : null; }
  else if (players[player] === "person") {
    if (manifest.hidden && people().length > 1 && eyes !== player) { eyes = null; curtain = true; }
    else if (manifest.hidden || eyes === null) eyes = player;
  } else if (manifest.hidden) eyes = people().length === 1 ? people()[0] : null;
  thinkingSeat = over || players[player] === "person" ? null : player;
  show();
  if (thinkingSeat === null) return;
  const begun = performance.now();
  try {
    const action = await chosen(player);
    if (mine !== token) return;
    await new Promise((done) => setTimeout(done, Math.max(0, 350 - (performance.now() - begun))));
    if (mine !== token) return;
    play(action);
    go();
  } catch (problem) { if (mine === token) { el("refusal").textContent = problem.message; thinkingSeat = null; show(); } }
}

const gauss = () => Math.sqrt(-2 * Math.log(1 - random(1))) * Math.cos(2 * Math.PI * random(1));
const seen = (player) => manifest.hidden ? rules.observe(state, player) : state;
const earlierKeys = () => manifest.repetitions ? plies.slice(-rules.known(state).reversible - 1).map((ply) => rules.known(ply.state).key) : [];
const pliesLeft = () => manifest.ending ? Number($.int_(host.facts.record(state).plies_left())) : 0; // of games that tell it, whose endings are proved

// As the levels of the studio: fewer positions looked at, and slips among the best.
async function chosen(player) {
  const told = rules.known(state), level = players[player], [nodes, slip] = manifest.levels[level] ?? [null, 0], limits = { earlier: earlierKeys() };
  if (told.actions.length === 1) return told.actions[0];
  const used = family === "net_search" && nodes !== null && families.includes("mcts") ? "mcts" : family; // a network knows too much for a beginner
  const carlo = CARLO.includes(used), position = described(), opening = used === "alphabeta" && !slip ? booked(manifest, told, (each) => position.action_text($.int_(BigInt(each))), random(1)) : null;
  if (opening !== null) { noted = "Plays from the opening book."; return opening; }
  if (nodes === null) Object.assign(limits, { seconds: 2, left: pliesLeft() });
  else {
    Object.assign(limits, carlo ? { simulations: Math.max(8, Math.trunc(nodes / (used === "net_search" ? 60_000 : 60))) } : { nodes }, { seconds: QUICK.includes(level) ? 0.5 : 4 });
    if (used === "alphabeta") limits.lines = AMONG;
  }
  const found = await (nodes === null ? together : (...given) => thinker.ask(...given))(used, seen(player), limits);
  noted = thought(found);
  if (!told.actions.some((action) => action === found.action)) return told.actions[0];
  return erring(found, told.actions, slip, manifest, () => random(1), gauss);
}

function thought({ depth, nodes, simulations, seconds, exact, distance, won, way, mixture }) {
  if (mixture) return `Draws from an equilibrium that was found beforehand: ${nodes.toLocaleString("en")} situations.`; // in which shares would tell its hand
  if (way) return `Sees the cheapest way to the goal: ${way} move${way === 1 ? "" : "s"} (${Math.round(nodes).toLocaleString("en")} positions).`;
  const count = (n) => Math.round(n).toLocaleString("en"), what = simulations ? `${count(simulations)} game${simulations === 1 ? "" : "s"}` : `depth ${depth}, ${count(nodes)} positions`;
  const end = distance ? `, sees a ${won ? "win" : "loss"} in ${Math.ceil((distance + 1) / 2)}` : exact ? ", and to the end of the game" : "";
  return `${simulations ? "Played" : "Looked to"} ${what} ${seconds < 0.01 ? "in under 0.01 s" : `in ${seconds < 0.095 ? seconds.toFixed(2) : seconds.toFixed(1)} s`}${end}.`;
}

// ------------------------------------------------------------------ what is shown

const studioBoard = new Board(el("board"), (text) => move(text), (from, to) => refuse(from, to));
new Fingers(studioBoard, () => {});
const AT_ONCE = 64; // moves that are named in one go
let legal = new Map(), listed = [], painted = 0, painting = null, waiting = 0;
const breath = () => new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { port1.close(); done(); }; port2.postMessage(0); });

// What is asked for while the board is being drawn waits for it: it was meant for the position that comes.
async function move(text) {
  waiting++;
  try { while (painting) await painting; } finally { waiting--; }
  el("refusal").textContent = "";
  const action = legal.get(text);
  if (action === undefined || thinkingSeat !== null || over || curtain) return;
  play(action);
  go();
}
function refuse(from, to) { const name = (id) => studioBoard.places.get(id)?.name ?? id; el("refusal").textContent = from === null ? "" : `${name(from)} to ${name(to)} is not a move here.`; }

// The position as a picture, in steps that are short each, so that the page answers in between; a newer one ends an older.
function show() {
  const mine = ++painted, done = paint(mine).finally(() => { if (mine === painted) painting = null; });
  legal = new Map();
  listed = [];
  el("curtain").hidden = !curtain; // at once: nobody sees another's hand
  el("board").inert = curtain;
  return painting = done;
}

async function paint(mine) {
  await breath();
  if (mine !== painted) return;
  const shownState = manifest.hidden && hides() && eyes !== null ? rules.observe(state, eyes) : state;
  const common = () => seats.reduce((view, _, seat) => rules.observe(view, seat), state); // what everybody knows
  const position = Position.of(curtain || manifest.hidden && hides() && eyes === null ? common() : shownState, host.facts);
  const actual = described(), player = actual.facts.player, person = !over && player >= 0 && players[player] === "person";
  const last = plies.findLast((ply) => ply.player >= 0), own = people(), movable = person && !curtain;
  if (curtain) el("curtain").querySelector("p").textContent = `${upper(seats[player])} to move: hand the device over.`;
  let marks = null;
  if (last && (!manifest.hidden || last.open)) try { marks = host.marks(Position.of(last.state, host.facts), $.int_(BigInt(last.action))); } catch { marks = null; }
  const below = own.length === 1 ? own[0] : manifest.hidden && eyes !== null ? eyes : null;
  const facing = () => Boolean(below !== null && host.turns && below !== host.below);
  const drawn = () => back(host.shown(position, host.seats, facing() !== flip, narrow.matches, marks, person, below === null ? null : BigInt(below), -1n));
  let told = drawn();
  if (!host.known && told.board) { host.known = true; host.turns = told.board.turns; host.below = told.board.below; if (facing()) told = drawn(); }
  told.terminal = over;
  const { actions } = position.facts, some = movable ? actions.length <= 1000 ? actions : [...actions.slice(0, 800), ...actions.slice(-200)] : [];
  while (told.legal.length < some.length) {
    await breath();
    if (mine !== painted) return;
    told.legal.push(...back(host.entries(position, BigInt(told.legal.length), BigInt(told.legal.length + AT_ONCE))));
  }
  await breath();
  if (mine !== painted) return;
  studioBoard.show(told, movable);
  studioBoard.element.setAttribute("aria-label", `${manifest.game} board`);
  await breath();
  if (mine !== painted) return;
  const others = told.legal.filter(({ touches }) => !touches.length);
  el("others").replaceChildren(...others.map(({ text }) => make("button", { type: "button", onclick: () => move(text) }, said(position, some[told.legal.findIndex((one) => one.text === text)], text))));
  el("caption").textContent = told.caption;
  el("undo-part").hidden = el("lay").hidden = true;
  rows(told.board, player);
  el("thought").textContent = noted;
  el("back").disabled = !undoable();
  el("hint").disabled = !movable;
  const how = reason || told.ended, result = over ? upper(back(host.ended(host.facts, $.tuple_(utilities), host.seats))) : "", ending = how ? `${result}. ${upper(how)}.` : result;
  const turn = `${upper(seats[player])} to move.`, yours = seats.length === 1 ? "Your move." : own.length === 1 ? `Your move: you play ${seats[player]}.` : turn;
  el("banner").hidden = !over;
  el("banner").replaceChildren(...(over ? [make("strong", {}, ending), make("button", { type: "button", class: "main", onclick: newGame }, "Play again")] : []));
  el("status").textContent = over ? ending : curtain ? turn : person ? (told.task && own.length === 1 ? told.task : `${yours} ${told.task}`.trim()) : `${upper(seats[player])} (the computer) thinks …`;
  el("status").classList.toggle("unseen", over);
  listed = told.legal.map(({ text }) => text);
  legal = new Map(listed.map((text, k) => [text, some[k]]));
  await breath();
  if (mine !== painted) return;
  record();
  example?.(told);
}

function rows(board, player) {
  const row = (seat) => make("div", { class: `seat-name${!over && seat === player ? " moves" : ""}` }, make("span", { class: "who" }, make("strong", {}, upper(seats[seat])), make("span", { class: "level" }, players[seat] === "person" ? (people().length === 1 ? "you" : "a person") : `computer, ${players[seat]}`)),
    ...(over && seats.length > 1 ? [make("span", { class: "score" }, `${+utilities[seat].toFixed(2)}`)] : []));
  const own = people(), first = (own.length === 1 ? own[0] : board?.below ?? 0), turned = flip && host.turns, lower = turned && seats.length === 2 ? 1 - first : first;
  el("seat-top").replaceChildren(...seats.map((_, seat) => seat).filter((seat) => seat !== lower).map(row));
  el("seat-bottom").replaceChildren(row(lower));
}

function shownText(ply) {
  if (!hides() || ply.open || ply.player === eyes && !curtain) return ply.words;
  return ply.veiled || "·";
}
function record() {
  const list = el("record"), two = seats.length === 2 && !manifest.chance;
  list.classList.toggle("two", two);
  const cell = (ply) => make("span", { class: ply.player < 0 ? "cell chance" : "cell" }, shownText(ply));
  if (two) {
    const lines = [];
    plies.forEach((ply, k) => { if (ply.player === 0 || !lines.length) lines.push([]); if (ply.player === 1 && !lines.at(-1).length) lines.at(-1).push(null); if (lines.at(-1).length > 1) lines.push(ply.player === 1 ? [null] : []); lines.at(-1).push(ply); });
    list.replaceChildren(...lines.map((line, k) => make("li", {}, make("span", { class: "ply" }, `${k + 1}.`), ...line.map((ply) => ply ? cell(ply) : make("span", { class: "cell gap" }, "…")))));
  } else list.replaceChildren(...plies.map((ply, k) => make("li", {}, make("span", { class: "ply" }, `${k + 1}. `), cell(ply), ...(ply.player >= 0 && seats.length > 1 ? [make("span", { class: "faint" }, ` ${seats[ply.player]}`)] : []))));
  list.scrollTop = list.scrollHeight;
}

// ------------------------------------------------------------------ examples of lessons: a board and what is asked of it, nothing else

// A line of play in the game's notation, as far as it goes without chance.
function spelt(at, line) {
  const texts = [];
  for (const action of line.slice(0, 12)) {
    const position = Position.of(at, host.facts);
    if (position.facts.over || !position.facts.actions.some((each) => each === action)) break;
    texts.push(manifest.hidden ? position.action_text($.int_(BigInt(action))) : spelled(position, action));
    at = rules.play(at, action);
  }
  return texts.join(" ");
}

// The search at work, a row for each depth (or each doubling of the games played).
function thinking(told) {
  const body = make("tbody"), button = make("button", { type: "button", class: "main" }, "Search"), seconds = Math.min(60, Math.max(0.1, +wish.get("seconds") || 2)), said = make("span", { class: "faint", "aria-live": "polite" });
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...[CARLO.includes(families[0]) ? "games" : "depth", `for ${seats[described().facts.player] ?? "whoever moves"}${manifest.unit && !CARLO.includes(families[0]) ? `, ${manifest.unit}` : ""}`, "positions", "line"].map((name) => make("th", {}, name)))), body);
  const row = (found) => body.append(make("tr", {}, ...[found.simulations ?? found.depth, found.distance ? `${found.won ? "wins" : "loses"} in ${Math.ceil((found.distance + 1) / 2)}` : found.worth === null || found.worth === undefined ? "–" : `${found.worth > 0 ? "+" : ""}${+found.worth.toFixed(2)}`, Math.round(found.nodes).toLocaleString("en"), spelt(mover, found.line)].map((text) => make("td", {}, String(text)))));
  const mover = over || curtain ? state : seen(described().facts.player);
  button.disabled = over || told.chance || curtain;
  button.addEventListener("click", async () => {
    button.disabled = true;
    body.replaceChildren();
    const mine = token;
    let last = null;
    try {
      const found = await thinker.ask(families[0], mover, { earlier: earlierKeys(), seconds }, (one) => { if (mine === token) { row(one); last = one; } });
      if (mine !== token) return;
      if (!last || last.nodes !== found.nodes && (found.simulations || last.depth !== found.depth)) row(found);
      said.textContent = thought(found);
    } catch (problem) { said.textContent = problem.message; }
    button.disabled = false;
  });
  el("example").replaceChildren(make("p", { class: "row" }, button, said), make("div", { class: "scroll" }, table));
}

// The six questions of a problem, answered for a board that can be played on.
function questioned(told) {
  const first = Position.of(beginning, host.facts), rows = [["INITIAL STATE", back(first.text())], ["PLAYER", over ? "–" : described().facts.player ? "MIN" : "MAX"], ["ACTIONS", over ? "none" : told.legal.map(({ text }) => text).join(" ")],
    ["RESULT", plies.length ? `after ${plies.at(-1).text}: ${told.position}` : told.position], ["TERMINAL-TEST", over ? "yes" : "no"], ["UTILITY", over ? `MAX ${utilities[0]}, MIN ${utilities[1]}` : "not yet"]];
  el("example").replaceChildren(make("div", { class: "scroll" }, make("table", {}, make("tbody", {}, ...rows.map(([name, text]) => make("tr", {}, make("th", {}, name), make("td", {}, text)))))), make("p", {}, make("button", { type: "button", onclick: newGame }, "Start again")));
}

// ------------------------------------------------------------------ what a person does

// Moves stand where something is hidden, or where dice would be thrown again against others.
const undoable = () => plies.some((ply) => players[ply.player] === "person") && !manifest.hidden && !(manifest.chance && people().length < seats.length && !over);

function undo() {
  if (!undoable()) return;
  token++;
  stopped();
  thinkingSeat = null;
  do { state = plies.pop().state; } while (plies.length && players[rules.known(state).player] !== "person");
  eyes = null;
  noted = "";
  go();
}

async function hint() {
  const mine = token, { player, actions } = rules.known(state);
  el("hint").disabled = true;
  el("thought").textContent = "Looking for a good move …";
  try {
    const found = await together(families[0], seen(player), { earlier: earlierKeys(), left: pliesLeft(), seconds: 1 });
    if (mine !== token) return;
    const action = actions.some((each) => each === found.action) ? found.action : actions[0], text = described().action_text($.int_(BigInt(action)));
    studioBoard.point(text);
    const words = (each) => said(described(), each, manifest.hidden ? described().action_text($.int_(BigInt(each))) : spelled(described(), each)); // what a shot hits is not told before it is fired
    const shares = found.mixture?.filter(({ share }) => share > 0.005).sort((a, b) => b.share - a.share).map((one) => `${words(one.action)} ${Math.round(100 * one.share)} %`).join(", ");
    el("thought").textContent = `Hint: ${words(action)}. ${shares ? `The equilibrium plays ${shares}.` : thought(found)}`;
  } catch (problem) { el("refusal").textContent = problem.message; }
  el("hint").disabled = thinkingSeat !== null || over;
}

function choosers() {
  const option = (value, text, chosen) => make("option", { value, ...(chosen ? { selected: true } : {}) }, text);
  const fields = seats.map((name, seat) => make("label", {}, upper(name), make("select", { onchange: (event) => { players[seat] = event.target.value; token++; stopped(); eyes = null; thinkingSeat = null; go(); } },
    option("person", "a person", players[seat] === "person"), ...LEVELS.map((level) => option(level, `computer: ${level}`, players[seat] === level)))));
  if (families.length > 1) fields.push(make("label", {}, "The computer", make("select", { id: "family", onchange: (event) => { family = event.target.value; } }, ...families.map((name) => option(name, FAMILY_NAMES[name], name === family)))));
  el("players").replaceChildren(...fields);
}

async function copy() {
  const open = plies.filter((ply) => !hides() || ply.open).length === plies.length, text = `${manifest.game}\n${plies.map((ply) => open ? ply.text : shownText(ply)).join(" ")}\n`;
  try { await navigator.clipboard.writeText(text); el("copied").textContent = "Copied."; }
  catch {  // a page from a disk may not ask for the clipboard
    const area = make("textarea", {}, text);
    document.body.append(area); area.select();
    el("copied").textContent = document.execCommand("copy") ? "Copied." : "Not allowed here: mark the moves and copy them.";
    area.remove();
  }
}

el("new").addEventListener("click", newGame);
el("back").addEventListener("click", undo);
el("hint").addEventListener("click", hint);
el("flip").addEventListener("click", () => { flip = !flip; show(); });
el("copy").addEventListener("click", copy);
el("curtain").querySelector("button").addEventListener("click", () => { eyes = rules.known(state).player; curtain = false; show().then(() => studioBoard.layer.querySelector("button")?.focus({ preventScroll: true })); });
el("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = el("move"), given = field.value.trim();
  waiting++;
  try { while (painting) await painting; } finally { waiting--; }
  const bare = (text) => text.toLowerCase().replace(/[+#]$/, ""), fits = listed.filter((text) => text === given).concat(listed.filter((text) => text.toLowerCase() === given.toLowerCase()));
  if (!fits.length && given) fits.push(...listed.filter((text) => bare(spelled(described(), legal.get(text), text)) === bare(given))); // as people write it, too
  if (fits.length) { if (field.value.trim() === given) field.value = ""; move(fits[0]); }
  else el("refusal").textContent = given ? `${given} is not a move here${listed.length ? `: try ${listed.slice(0, 6).join(", ")}${listed.length > 6 ? " …" : ""}` : ""}.` : "";
});
studioBoard.element.addEventListener("part", (event) => { el("undo-part").hidden = !event.detail; el("lay").hidden = !studioBoard.whole?.length; });
el("undo-part").addEventListener("click", () => studioBoard.undo());
el("lay").addEventListener("click", () => studioBoard.lay());
narrow.addEventListener("change", () => show());

if (seats.length === 1) el("flip").hidden = true;
if (example) document.documentElement.classList.add("example");
choosers();
newGame();
await painting;
window.outplay = { rules, thinker, crew, together, manifest, newGame, move, get plies() { return plies; }, get state() { return state; }, get over() { return over; }, get legal() { return listed; }, get thinking() { return thinkingSeat !== null || painting !== null || waiting > 0; } };
document.documentElement.classList.add("ready");
if (!thinker.worker) breath().then(() => thinker.worker || thinker.start()); // while the first position is looked at

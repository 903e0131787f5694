// Talking to the server: games opened, moves made, replies waited for, steps through the game.
// @ts-check
import { stopThinking } from "./analysis.js";
import { deed } from "./extras/monopoly.js";
import { called, rows, seatTo, seats, seatsFor } from "./seats.js";
import { announce, refusal, show, tab } from "./show.js";
import { aided, base, board, page, query, say, upper, watching } from "./state.js";
import { $, ask, attempt, make, notice, stream } from "../studio.js";
import { marked, opened } from "../visitor.js";

export async function refuse(from, to) {
  if (page.record?.tools.includes("deeds") && from === null && await deed(to)) return;
  if (!page.record || watching || !page.record.movable || page.busy) return;
  try { refusal(upper((await ask(`/api/records/${page.record.address}/why`, { source: from, target: to })).reason) + "."); } catch { refusal("That is not legal here."); }
}

// What only this game has, asked of the server.
export const tool = (name, asked) => ask(`/api/records/${page.record.address}/extra/${name}${query()}`, asked);

// Ask for a state of the game and show it, unless the page has asked for another since. Where the game has gone on without the
// page (an answer that never came, another page), what was asked for is refused: then it shows the game as it stands.
export async function look(path, body, animate = true) {
  const mine = ++page.asked;
  let state;
  try { state = await ask(path, body); } catch (problem) {
    if (problem.status === 409 && body && mine === page.asked) await refresh(mine);
    throw problem;
  }
  if (mine === page.asked) show(state, animate);
  return mine === page.asked;
}

async function refresh(mine) {
  try {
    const there = await ask(`${base()}${query()}`);
    if (mine !== page.asked) return;
    show(there);
    reply();
  } catch { /* what was refused is told */ }
}

// Open another game, once it is there; until then the old one stands still.
export async function open(coming, replace = false) {
  const mine = ++page.asked;
  page.opening = true;
  if (page.record) show(page.record, false);
  let state;
  try { state = await coming(); } finally {
    if (mine === page.asked) { page.opening = false; if (page.record && !state) show(page.record, false); }
  }
  if (mine !== page.asked) return;
  halt();
  page.stopped = false;
  const own = state.players.map((text, seat) => [text, seat]).filter(([text]) => text === "human").map(([, seat]) => seat);
  const turn = own.length === 1 && own[0] !== (state.board?.below ?? 0) && Boolean(state.board?.turns);
  if (turn !== page.flip && !watching) { page.flip = turn; state = await ask(`/api/records/${state.address}${query()}`); }
  const there = watching ? location.pathname : `/play/${state.address}`;
  if (location.pathname !== there) history[replace ? "replaceState" : "pushState"](null, "", there);
  if (state.board?.kind === "points") $("#lines").value = "8"; // the list of plays is what one looks at there
  show(state, false);
  follow(state);
  remember(state);
  const begins = !state.waiting && !state.terminal;
  await reply();
  if (begins) ready(state);
}

// The opponent is compiled while the person still thinks about the first move; whether it succeeds is seen when it has to reply.
const readied = new Set();
function ready(state) {
  const key = [state.game, ...state.players].join();
  if (watching || readied.has(key) || state.players.every((text) => /^(human|random)$/.test(text))) return;
  readied.add(key);
  stream("/api/prepare", { game: state.game, players: state.players }, () => {}).catch(() => {});
}

// The form follows the game that is on the board.
export function follow(state) {
  if (page.fields && page.fields.choose(state.game)) { seatsFor({ ...page.fields.game(), players: state.players.length }, state.seats); seatTo(state.players); }
}

function remember(state) {
  if (watching) return;
  const kept = opened(state);
  $("#earlier").replaceChildren(...(kept.length > 1 ? ["Earlier: "] : []), ...kept.slice(1, 6).flatMap(({ address, game }) => [make("a", { href: `/play/${address}` }, game.slice(0, 30)), " "]));
}

export async function start() {
  const wanted = { game: page.fields.game().name, parameters: page.fields.parameters(), players: seats() };
  if ($("#clock").value) wanted.clock = $("#clock").value;
  const text = $("#start").value.trim();
  if (text) wanted.start = text;
  $("#wrong").textContent = "";
  try {
    await open(() => ask(`/api/records${query()}`, wanted));
    $("#start").value = "";
    tab("game");
    if ($("#board").getBoundingClientRect().top < 0) window.scrollTo({ top: 0 });
  } catch (problem) { $("#wrong").textContent = problem.message; $("#from").open = Boolean(text); if (!text) notice(problem.message); }
}

export async function rematch() {
  const following = page.record.next;
  if (following) return attempt(() => open(() => ask(`/api/records${query()}`, { game: following.game, start: following.start, players: following.order.map((seat) => page.record.players[seat]) })));
  const players = page.record.players.length === 2 && page.record.players[0] !== page.record.players[1] ? [...page.record.players].reverse() : page.record.players;
  const parameters = /seed=/.test(page.record.game) || page.fields?.game().parameters.some(({ name }) => name === "seed") ? { seed: Math.floor(Math.random() * 1e6) } : {};
  await attempt(() => open(() => ask(`/api/records${query()}`, { game: page.record.game.replace(/,?seed=\d+/, "").replace(/:$/, ""), parameters, start: page.record.start, players, ...(page.record.clock ? { clock: `${page.record.clock.seconds}+${page.record.clock.increment}` } : {}) })));
}

export async function move(action) {
  if (!page.record || page.busy || page.opening || watching || page.moving) return;
  page.moving = true; // one move at a time: a second click while the first is on its way is none
  stopThinking();
  page.stopped = false;
  try {
    if (await look(`/api/records/${page.record.address}/moves${query()}`, { action, plies: page.record.plies, ...(page.record.at < page.record.plies ? { at: page.record.at } : {}) })) { page.moving = false; touched(); click(); await reply(); }
  } catch (problem) {
    const typed = /^illegal action '(.*?)'.*?: legal are/.exec(problem.message), near = /\(did you mean '(.*)'\?\)$/.exec(problem.message);
    const possible = page.record.legal.slice(0, 6).map(({ said, text }) => said ?? text);
    const { record, notation } = page.record, known = notation.filter((word, k) => word !== record[k]).slice(-3); // written otherwise than by the rules' own texts
    const hint = near ? `Did you mean ${near[1]}?` : known.length ? `Moves are written like ${known.join(", ")}.` : `Possible are ${possible.join(", ")}${page.record.legal.length > 6 ? " …" : "."}`;
    refusal(typed && possible.length ? [`${typed[1]} is no move here.`, hint].join(" ")
      : upper(problem.message.replace(/ in [^:]*: /, ": ").slice(0, 160)));
    board.show(page.record, page.record.movable && !page.busy, false);
  } finally { page.moving = false; }
}

// A game in which the visitor has moved is one of theirs.
let mine = "";
function touched() { if (mine !== page.record.address) { mine = page.record.address; marked(mine, { played: true }); } }

// Let the searches move until a person is to move; leaving the page or pressing Stop ends it.
export async function reply() {
  if (page.record.pause && page.record.waiting && page.record.plies !== page.paused) { // a whole trick lies for a moment, unless somebody goes on
    page.paused = page.record.plies;
    const { address, plies } = page.record;
    await new Promise((done) => setTimeout(done, page.record.pause));
    if (page.record.address !== address || page.record.plies !== plies) return;
  }
  while (page.record.waiting && page.record.at === page.record.plies && !page.busy && !page.opening && !page.stopped && !watching) {
    const controller = page.busy = new AbortController();
    $("#stop").hidden = false;
    $("#go").hidden = true;
    const address = page.record.address, who = called(page.record.player), begun = performance.now();
    rows(page.record);
    let answered = false, compiling = "", broken = "";
    const told = () => say(compiling ? `${who} gets ready: first use of ${page.record.game.split(":")[0]}, preparing for ${Math.round((performance.now() - begun) / 1000)} s …` : `${announce(page.record)}${who} thinks …`);
    const ticking = setInterval(() => { if (compiling) told(); }, 1000);
    const watched = page.record.players.every((text) => text !== "human");
    try {
      await stream(`/api/records/${address}/reply${query()}`, { plies: page.record.plies }, (message) => {
        if (controller.signal.aborted) return;
        if (message.queued) say(`${who} waits: place ${message.queued} in the queue.`);
        if (message.queued === 0) { page.thinkingSince = performance.now(); told(); }
        if (message.compiling) { page.thinkingSince = null; compiling = message.compiling; told(); }
        if (message.record) {
          answered = true;
          page.busy = null;
          const at = page.record.at === page.record.plies ? null : page.record.at; // somebody looks at an earlier move: leave them there
          if (at === null) { show(message.record); click(); }
          else { const kept = here(); page.record = message.record; page.aim = null; step(kept); }
          if (message.record.thought && typeof message.record.thought.value === "number") page.values.set(message.record.plies - 1, message.record.thought);
        }
      }, controller.signal);
      if (!answered && !controller.signal.aborted) throw new Error("the answer broke off");
    } catch (problem) {
      if (!controller.signal.aborted && !(answered = await moved(controller))) { page.stopped = true; broken = problem.message; }
    } finally { clearInterval(ticking); }
    if (page.busy && page.busy !== controller) return; // it was let go on meanwhile
    if (page.busy === controller) page.busy = null;
    page.thinkingSince = null;
    $("#stop").hidden = true;
    if (!answered) { if (page.record.address === address) { show(page.record, false); if (page.stopped) say(`Stopped: ${called(page.record.player)} is to move. Continue lets it go on.`); refusal(upper(broken)); } return; }
    if (page.record.pause && page.record.waiting) return reply();
    if (watched) await new Promise((done) => setTimeout(done, 350)); // so that eyes can follow
  }
}

// Whether the game went on without the page: an answer was made and never came, or another page moved. Then the page shows it.
async function moved(controller) {
  const { address, plies } = page.record;
  try {
    const there = await ask(`/api/records/${address}${query()}`);
    if (controller.signal.aborted || page.record.address !== address || there.plies === plies) return false;
    page.busy = null;
    show(there);
    return true;
  } catch { return false; }
}

export function halt() { page.busy?.abort(); page.busy = null; $("#stop").hidden = true; }
export function stop() { if (!page.busy) return; page.stopped = true; halt(); show(page.record, false); say(`Stopped: ${called(page.record.player)} is to move. Continue lets it go on.`); }
export function resume() { page.stopped = false; $("#go").hidden = true; reply(); }

export async function step(ply) {
  if (!page.record || page.opening || ply < 0 || ply > page.record.plies || ply === here()) return;
  stopThinking();
  const mine = page.aim = { ply };
  await attempt(() => look(`${base()}${query(ply === page.record.plies ? {} : { at: ply })}`));
  if (page.aim === mine) page.aim = null;
  if (page.record.at === page.record.plies) reply();
}

// Where somebody is who steps through the game: at the move that was asked for last, though it may be on its way still.
export const here = () => page.aim?.ply ?? page.record.at;

export async function takeBack() {
  if (page.opening || watching) return;
  if (board.made?.length) return board.undo();
  halt();
  aided();
  await attempt(() => look(`/api/records/${page.record.address}/back${query()}`, { plies: page.record.plies }));
}

let tone = null;
function click() {
  if (!$("#sound").checked) return;
  tone ??= new AudioContext();
  const hum = tone.createOscillator(), gain = tone.createGain();
  hum.frequency.value = 320;
  gain.gain.setValueAtTime(0.12, tone.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, tone.currentTime + 0.09);
  hum.connect(gain).connect(tone.destination);
  hum.start();
  hum.stop(tone.currentTime + 0.1);
}

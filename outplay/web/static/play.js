// The Play page: one saved game, moved in by people and searches, stepped through, and thought about.
"use strict";

const STRENGTHS = [
  ["human", "a person"], ["random", "random"], ["auto:time=0.2", "search, quick"], ["auto:time=1", "search, 1 s"],
  ["auto:time=5", "search, 5 s"], ["mcts:simulations=300", "Monte Carlo, 300 playouts"], ["alphabeta:depth=2", "alpha-beta, 2 plies"],
  ["alphabeta:depth=4", "alpha-beta, 4 plies"], ["other", "another …"],
];

let record = null;
let flip = false;
let busy = null; // the controller of the search that is to move
let thought = null; // the controller of the search that only thinks
let opening = false; // another game is on its way: what stands on the board is not to be moved in any more
let asked = 0; // how many answers were asked for; only the latest is shown
let fields = null;

const board = new Board($("#board"), (action) => move(action));
const query = () => (flip ? "?flip=true" : "");

function seatsFor(game) {
  const fitting = STRENGTHS.filter(([text]) => !/^(mcts|alphabeta)/.test(text) || game.algorithms.includes(text.split(":")[0]));
  $("#seats").replaceChildren(...Array.from({ length: game.players }, (_, seat) => {
    const choice = make("select", { "aria-label": `Player ${seat + 1}` }, ...fitting.map(([value, name]) => make("option", { value }, name)));
    choice.value = seat === 0 ? "human" : "auto:time=1";
    choice.addEventListener("change", () => {
      if (choice.value !== "other") return;
      const text = prompt("A player, such as engine:pvs,depth=8 or mcts:simulations=1000", "engine:depth=8");
      if (text) choice.prepend(make("option", { value: text }, text));
      choice.value = text || "human";
    });
    return make("label", {}, `Player ${seat + 1}`, choice);
  }));
  $("#summary").textContent = `${game.summary} ${game.players} player${game.players > 1 ? "s" : ""}` +
    `${game.chance ? ", chance" : ""}${game.information === "hidden" ? ", hidden information" : ""}.`;
}

const seats = () => [...$("#seats").querySelectorAll("select")].map((choice) => choice.value);

function show(state) {
  record = state;
  const latest = state.at === state.plies;
  board.show(state, state.movable && !busy && !opening);
  $("#text").textContent = state.position;
  const plain = state.legal.filter(({ touches }) => touches.length === 0);
  $("#others").replaceChildren(...(state.movable ? plain : []).map(({ text }) =>
    make("button", { type: "button", onclick: () => move(text) }, text)));
  $("#record").replaceChildren(...state.record.map((text, ply) => {
    const button = make("button", { type: "button", onclick: () => step(ply + 1) }, text);
    if (ply + 1 === state.at) button.setAttribute("aria-current", "step");
    return make("li", {}, button);
  }));
  $("#record [aria-current]")?.scrollIntoView({ block: "nearest" });
  $("#first").disabled = $("#previous").disabled = state.at === 0;
  $("#last").disabled = $("#next").disabled = latest;
  $("#back").disabled = state.plies === 0;
  say(opening ? "A game is on its way …" : status(state, latest));
  const place = new URLSearchParams({ game: state.game, position: state.position });
  $("#inside").href = `/inside?${place}`;
  $("#compare").href = `/compare?${place}`;
}

const say = (text) => { $("#status").textContent = text; };

function status(state, latest) {
  if (state.terminal) return state.result[0].toUpperCase() + state.result.slice(1) + ".";
  if (!latest) return `After move ${state.at} of ${state.plies}: ${state.to_move} to move.`;
  if (state.person) {
    const alone = state.players.filter((text) => text === "human").length === 1;
    return alone ? "Your move." : `${state.to_move[0].toUpperCase()}${state.to_move.slice(1)} to move.`;
  }
  return `${state.players[state.player]} is to move.`;
}

// Ask for a state of the game and show it, unless the page has asked for another since.
async function look(path, body) {
  const mine = ++asked;
  const state = await ask(path, body);
  if (mine === asked) show(state);
  return mine === asked;
}

// Open another game, once it is there; until then the old one stands still.
async function open(coming) {
  const mine = ++asked;
  opening = true;
  if (record) show(record);
  let state;
  try { state = await coming(); } finally {
    if (mine === asked) { opening = false; if (record && !state) show(record); }
  }
  if (mine !== asked) return;
  busy?.abort();
  busy = null;
  show(state);
  history.replaceState(null, "", `/play/${state.address}`);
  remember(state);
  await reply();
}

function remember(state) {
  const kept = JSON.parse(localStorage.getItem("games") || "[]").filter(({ address }) => address !== state.address);
  kept.unshift({ address: state.address, game: state.game });
  localStorage.setItem("games", JSON.stringify(kept.slice(0, 6)));
  $("#earlier").replaceChildren(...(kept.length > 1 ? ["Earlier: "] : []), ...kept.slice(1, 6).flatMap(({ address, game }) =>
    [make("a", { href: `/play/${address}` }, game.slice(0, 30)), " "]));
}

async function start() {
  const wanted = { game: fields.game().name, parameters: fields.parameters(), players: seats() };
  const text = $("#start").value.trim();
  if (text) wanted.start = text;
  await attempt(() => open(async () => {
    const state = await ask(`/api/records${query()}`, wanted);
    $("#status").scrollIntoView({ block: "nearest" }); // on a phone the form stands below the board
    return state;
  }));
}

async function move(action) {
  if (!record || busy || opening) return;
  stopThinking();
  await attempt(async () => {
    if (await look(`/api/records/${record.address}/moves${query()}`, { action, plies: record.plies })) await reply();
  });
}

// Let the searches move until a person is to move; leaving the page or pressing Stop ends it.
async function reply() {
  while (record.waiting && record.at === record.plies && !busy && !opening) {
    const controller = busy = new AbortController();
    $("#stop").hidden = false;
    const address = record.address;
    let answered = false;
    const done = await attempt(() => stream(`/api/records/${address}/reply${query()}`, { plies: record.plies }, (message) => {
      if (controller.signal.aborted) return;
      if (message.queued) say(`${record.players[record.player]} waits: place ${message.queued} in the queue.`);
      if (message.queued === 0) say(`${record.players[record.player]} thinks …`);
      if (message.record) { answered = true; busy = null; show(message.record); }
    }, controller.signal));
    if (busy === controller) busy = null;
    $("#stop").hidden = true;
    if (!answered || done === null) { if (record.address === address) show(record); return; }
  }
}

async function step(ply) {
  if (!record || opening || ply < 0 || ply > record.plies || ply === record.at) return;
  stopThinking();
  await attempt(() => look(`/api/records/${record.address}?at=${ply}${flip ? "&flip=true" : ""}`));
}

async function takeBack() {
  if (opening) return;
  busy?.abort();
  busy = null;
  await attempt(() => look(`/api/records/${record.address}/back${query()}`, { plies: record.plies }));
}

function download(name, type, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function stopThinking() {
  thought?.abort();
  thought = null;
  $("#think").textContent = "Think";
  $("#thinking").textContent = "";
}

async function think() {
  if (thought) { stopThinking(); $("#thinking").textContent = "stopped"; return; }
  const controller = thought = new AbortController();
  const rows = $("#results tbody");
  rows.replaceChildren();
  $("#results").hidden = false;
  $("#think").textContent = "Stop";
  const question = { game: record.game, algorithm: $("#algorithm").value, lines: +$("#lines").value || 1, seconds: +$("#seconds").value || 5 };
  if (+$("#depth").value) question.depth = +$("#depth").value;
  if (record.hidden) question.start = record.position;
  else Object.assign(question, { start: record.start, actions: record.record.slice(0, record.at) });
  const done = await attempt(() => stream("/api/think", question, (message) => {
    if (controller.signal.aborted) return;
    if (message.queued) $("#thinking").textContent = `place ${message.queued} in the queue`;
    else if (message.queued === 0) $("#thinking").textContent = "thinking …";
    if (message.compiling) $("#thinking").textContent = `compiling ${message.compiling}, this once …`;
    if (message.progress) $("#thinking").textContent = `${brief(message.progress.nodes)} nodes, depth ${message.progress.depth}`;
    if (message.result) {
      const found = message.result;
      rows.prepend(make("tr", {}, ...[found.depth, worth(found.value) + (found.exact ? " exact" : ""), brief(found.nodes),
        found.nps ? brief(found.nps) : "–"].map((text) => make("td", { class: "number" }, String(text))),
        make("td", { class: "mono" }, found.line.join(" "))));
      while (rows.children.length > 30) rows.lastChild.remove();
      board.values(found.candidates);
      $("#thinking").textContent = `${found.algorithm}, ${found.seconds.toFixed(1)} s`;
    }
  }, controller.signal));
  if (thought !== controller) return;
  thought = null;
  $("#think").textContent = "Think";
  if (done) $("#thinking").textContent += ", done";
  else $("#thinking").textContent = "";
}

async function begin() {
  fields = await gameFields($("#game"), $("#parameters"), (game) => {
    seatsFor(game);
    $("#algorithm").replaceChildren(make("option", { value: "auto" }, "what fits"), ...game.algorithms.map((name) => make("option", { value: name }, name)));
  });
  const address = location.pathname.split("/")[2];
  if (address) {
    const state = await attempt(() => ask(`/api/records/${address}`));
    if (state) {
      fields.choose(state.game);
      [...$("#seats").querySelectorAll("select")].forEach((choice, seat) => {
        if (![...choice.options].some(({ value }) => value === state.players[seat])) choice.prepend(make("option", { value: state.players[seat] }, state.players[seat]));
        choice.value = state.players[seat];
      });
      return open(() => state);
    }
  }
  const wanted = new URLSearchParams(location.search);
  if (!fields.choose(wanted.get("game") || "")) fields.choose("connect four");
  if (wanted.get("position")) $("#start").value = wanted.get("position");
  return start();
}

$("#new").addEventListener("submit", (event) => { event.preventDefault(); start(); });
$("#typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("#move").value.trim();
  if (text) move(text).then(() => { $("#move").value = ""; });
});
$("#seat").addEventListener("click", () => attempt(async () => {
  if (opening) return;
  busy?.abort();
  busy = null;
  if (await look(`/api/records/${record.address}/players${query()}`, { players: seats() })) await reply();
}));
$("#first").addEventListener("click", () => step(0));
$("#previous").addEventListener("click", () => step(record.at - 1));
$("#next").addEventListener("click", () => step(record.at + 1));
$("#last").addEventListener("click", () => step(record.plies));
$("#back").addEventListener("click", takeBack);
$("#stop").addEventListener("click", () => { busy?.abort(); busy = null; $("#stop").hidden = true; show(record); say("Stopped. Press ▶ to go on."); $("#next").disabled = false; });
$("#flip").addEventListener("click", () => { flip = !flip; if (!opening) attempt(() => look(`/api/records/${record.address}?at=${record.at}${flip ? "&flip=true" : ""}`)); });
$("#think").addEventListener("click", think);
$("#save").addEventListener("click", () => attempt(async () => download("outplay-game.json", "application/json", JSON.stringify(await ask(`/api/records/${record.address}/file`)))));
$("#load").addEventListener("click", () => $("#file").click());
$("#file").addEventListener("change", () => attempt(async () => {
  const [file] = $("#file").files;
  $("#file").value = "";
  if (!file) return;
  let saved;
  try { saved = JSON.parse(await file.text()); } catch { throw new Error("this file is not a saved game: expected JSON"); }
  const { game, start: from, actions, players } = saved;
  await open(() => ask("/api/records", { game, start: from ?? null, actions: actions ?? [], players: players ?? [] }));
}));
$("#picture").addEventListener("click", () => record?.board && download("board.svg", "image/svg+xml", record.board.svg));
document.addEventListener("keydown", (event) => {
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowLeft") { event.preventDefault(); step(record.at - 1); }
  if (event.key === "ArrowRight") { event.preventDefault(); if (record.at === record.plies) reply(); else step(record.at + 1); }
});
$("#next").addEventListener("click", () => { if (record.at === record.plies) reply(); });
attempt(begin);

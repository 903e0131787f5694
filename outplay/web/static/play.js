// The Play page: one saved game, moved in by people and searches, stepped through, thought about and looked over.
"use strict";

const LEVELS = [["beginner", "Beginner"], ["casual", "Casual"], ["club", "Club player"], ["strong", "Strong player"], ["master", "Master"]];
let record = null;
let flip = false;
let busy = null; // the controller of the search that is to move
let thought = null; // the controller of the search that only thinks
let moving = false; // a person's move is on its way
let opening = false; // another game is on its way: what stands on the board is not to be moved in any more
let asked = 0; // how many answers were asked for; only the latest is shown
let fields = null;
let stopped = false; // the search to move was stopped; Continue lets it go on
let judged = []; // the review of the game, one entry a move
let values = new Map(); // the evaluation bar's values by ply
let spent = {}; // seconds each seat has taken, as this page saw it
let since = performance.now();
const watching = location.pathname.startsWith("/watch/") ? location.pathname.split("/")[2] : null;

const board = new Board($("#board"), (action) => move(action), (from, to) => refuse(from, to));
const hands = new Fingers(board, () => zoomable());
const bar = make("div", { class: "eval-bar", id: "bar", hidden: true, role: "img", "aria-label": "Evaluation" }, make("div"), make("span"));
board.stage.append(bar);
const base = () => (watching ? `/api/watch/${watching}` : `/api/records/${record.address}`);
const narrow = matchMedia("(max-width: 560px)");
const query = (more = {}) => { const all = new URLSearchParams({ ...(flip ? { flip: "true" } : {}), ...(narrow.matches ? { narrow: "true" } : {}), ...more }).toString(); return all ? `?${all}` : ""; };
const say = (text) => { if ($("#status").textContent !== text) $("#status").textContent = text; };
const upper = (text) => text[0].toUpperCase() + text.slice(1);

// ------------------------------------------------------------------ who plays

function opponents(game) {
  const engine = game.algorithms[0]?.startsWith("engine") && game.levels;
  const strong = engine ? LEVELS.map(([level, name]) => [`engine:level=${level},time=1`, name]) : [];
  const books = [["mcts:simulations=300", "Textbook Monte Carlo, 300 playouts"], ["alphabeta:depth=2", "Textbook alpha-beta, 2 plies"], ["alphabeta:depth=4", "Textbook alpha-beta, 4 plies"],
    ["minimax:depth=2", "Textbook minimax, 2 plies"], ["expectiminimax:depth=2", "Textbook expectiminimax, 2 plies"], ["maxn:depth=3", "Textbook max^n, 3 plies"]];
  const full = game.players > 1 ? "Full strength" : "A search";
  const named = game.named.map(({ text, name, about }) => [text, name, about]);
  const whole = game.levels ? [["auto:time=1", `${full}, 1 s a move`], ["auto:time=5", `${full}, 5 s a move`], ["auto:time=0.2", `${full}, quick`]] : [];
  return [["human", game.players > 1 ? "A person" : "You"], ...strong, ...(game.levels ? [] : named), ...whole, ...(game.levels ? named : []),
    ...books.filter(([text]) => game.levels && game.algorithms.includes(text.split(":")[0])), ["random", "Random moves"]];
}

// The list of players under headings: people and levels, full strength, programs of history, the textbook's.
function choices(game) {
  const groups = new Map([["", []], ["Levels", []], ["Full strength", []], ["Named players", []], ["Textbook", []]]);
  const named = new Set(game.named.map(({ text }) => text));
  for (const [value, name, about] of opponents(game)) {
    const option = make("option", { value, ...(about ? { title: about } : {}) }, name);
    const group = /^(human|random)/.test(value) ? "" : value.includes("level=") ? "Levels" : value.startsWith("auto") ? "Full strength" : named.has(value) ? "Named players" : "Textbook";
    groups.get(group).push(option);
  }
  const [plain, ...rest] = [...groups];
  return [...plain[1], ...rest.filter(([, options]) => options.length).map(([label, options]) => make("optgroup", { label }, ...options))];
}

function nickname(text, game = fields?.game()) {
  if (text === "human") return "";
  const known = game ? opponents(game).find(([value]) => value === text) : null;
  return known ? known[1] : text;
}

function seatsFor(game, names) {
  const players = game.players;
  const kept = [...$("#seats").querySelectorAll("select")].map(({ value }) => value), last = $("#seats").dataset.game;
  $("#seats").dataset.game = game.name;
  $("#seats").replaceChildren(...Array.from({ length: players }, (_, seat) => {
    const choice = make("select", {}, ...choices(game));
    choice.append(make("option", { value: "other" }, "Another …"));
    const has = (text) => [...choice.options].some(({ value }) => value === text);
    const usual = seat === game.first_seat ? "human" : ["thumb", "engine:level=club,time=1", ...game.named.map(({ text }) => text), "auto:time=1"].find(has);
    choice.value = kept.length === players && last === game.name && has(kept[seat]) ? kept[seat] : usual;
    const own = make("input", { hidden: true, placeholder: "such as engine:pvs,depth=8", spellcheck: false, "aria-label": "A player's text" });
    choice.addEventListener("change", () => { own.hidden = choice.value !== "other"; if (!own.hidden) own.focus(); });
    return make("label", {}, upper(names?.[seat] ?? (players === 1 ? "You" : `Player ${seat + 1}`)), choice, own);
  }));
  $("#summary").textContent = `${game.summary} ${traits(game)}`;
}

const traits = (game) => `${game.players} player${game.players > 1 ? "s" : ""}${game.chance ? ", chance" : ""}${game.information === "hidden" ? ", hidden information" : ""}.`;
const seats = () => [...$("#seats").querySelectorAll("label")].map((label) => {
  const choice = $("select", label);
  return choice.value === "other" ? $("input", label).value.trim() || "human" : choice.value;
});

function seatTo(players) {
  [...$("#seats").querySelectorAll("select")].forEach((choice, seat) => {
    const text = players[seat];
    if (text === undefined) return;
    if (![...choice.options].some(({ value }) => value === text)) choice.prepend(make("option", { value: text }, text));
    choice.value = text;
  });
}

function people() { return record.players.map((text, seat) => [text, seat]).filter(([text]) => text === "human").map(([, seat]) => seat); }
function called(seat) {
  const own = people();
  const name = upper(record.seats[seat]);
  if (record.players[seat] === "human") return own.length === 1 && !watching ? (record.players.length === 1 ? "You" : `You (${name})`) : name;
  return `${name}: ${nickname(record.players[seat])}`;
}

// ------------------------------------------------------------------ what is shown

function show(state, animate = true) {
  const before = record;
  if (before && before.address === state.address && state.plies === before.plies + 1 && before.at === before.plies && state.movers?.length) {
    const seat = state.movers[before.plies];
    if (seat >= 0) spent[seat] = (spent[seat] ?? 0) + (performance.now() - since) / 1000;
  }
  if (!before || before.address !== state.address) { spent = {}; judged = []; values = new Map(); reviewed(); hands.whole(); }
  if (before && before.address === state.address) { // what was found on another line is none of this one's business
    let same = 0;
    while (same < Math.min(before.plies, state.plies) && before.record[same] === state.record[same]) same++;
    if (same < before.plies) { judged = judged.slice(0, same); for (const ply of values.keys()) if (ply > same) values.delete(ply); }
  }
  since = ticked = performance.now();
  record = state;
  const latest = state.at === state.plies;
  refusal("");
  const trades = state.game.startsWith("monopoly");
  board.show(trades ? { ...state, legal: state.legal.filter(({ text }) => !text.startsWith("offer:")) } : state, state.movable && !busy && !opening, animate);
  board.element.setAttribute("aria-label", `${state.game} board`);
  $("#undo").hidden = $("#lay").hidden = true;
  $("#undo").textContent = "Undo this part";
  zoomable();
  $("#title").textContent = state.game.split(":")[0].replace(/^./, (letter) => letter.toUpperCase());
  document.title = `${$("#title").textContent} · Outplay`;
  $("#text").textContent = state.position;
  const few = trades && state.legal.filter(({ text }) => !text.startsWith("offer:")).length <= 12; // what a space of the track offers is said in words, too
  const swaps = state.legal.filter(({ text }) => text.startsWith("swap:")).map(({ text }) => text);
  const plain = state.legal.filter(({ touches, text }) => (few || touches.length === 0) && !/^(offer|swap):/.test(text));
  const can = state.movable && !opening && !busy;
  $("#others").replaceChildren(...(can ? plain : []).map(({ text, said }) => make("button", { type: "button", title: text, onclick: () => move(text) }, said ?? text)), ...(can && swaps.length ? [swapping(swaps)] : []));
  const desk = $(".desk"); // room for buttons below the board is kept as long as the game lasts, so that nothing jumps
  if (before?.address !== state.address) desk.style.setProperty("--more", "0rem");
  if (plain.length) desk.style.setProperty("--more", plain.length > 15 ? "14.5rem" : plain.length > 8 ? "5.6rem" : "3.2rem");
  $("#caption").textContent = state.board?.kind === "points" || state.board?.several ? "" : state.opening || state.caption;
  list(state);
  auction(state);
  trade(state);
  claim(state);
  worthChart(state);
  openCards(state);
  $("#first").disabled = $("#previous").disabled = state.at === 0;
  $("#last").disabled = $("#next").disabled = latest;
  $("#back").disabled = state.plies === 0 || watching;
  $("#resign").hidden = !people().length || state.players.length < 2 || Boolean(watching);
  $("#resign").disabled = state.terminal || !latest;
  $("#hint").disabled = !state.legal.length || !state.movable || watching;
  $("#threats").hidden = !state.threatens || Boolean(watching);
  $("#threats").disabled = state.terminal;
  $("#territory").hidden = !/^go(:|$)/.test(state.game) || Boolean(watching);
  $("#advised").replaceChildren();
  $("#go").hidden = !(stopped && state.waiting && latest && !busy);
  rows(state);
  banner(state, latest);
  $("#curtain").hidden = !state.curtain;
  if (state.curtain) $("#curtain p").textContent = `${upper(state.seats[state.player])} to move: hand the device over.`;
  say(opening ? "A game is on its way …" : status(state, latest));
  const place = new URLSearchParams({ game: state.game, position: state.position });
  const problem = state.players.length === 1 && !state.chance;
  $("#inside").href = `/inside?${place}${problem ? "&algorithm=a-star" : ""}`;
  $("#compare").href = `/compare?${place}`;
  $("#save").href = `/api/records/${state.address}/file`;
  $("#save").textContent = `Save game (${state.file?.toUpperCase() ?? "JSON"})`;
  $("#picture").href = `/api/records/${state.address}/picture.svg${query({ at: state.at })}`;
  $("#reviewing").hidden = !state.reviewable || Boolean(watching);
  gauge();
  explore();
  if (before?.position !== state.position) unthink();
}

// A hundred ways to swap tiles are one field: the letters to give back.
function swapping(swaps) {
  const field = make("input", { size: 8, maxlength: 7, autocomplete: "off", autocapitalize: "characters", spellcheck: false, placeholder: "letters", "aria-label": "letters to swap, ? for a blank" });
  const sorted = (text) => [...text.toUpperCase()].sort().join("");
  return make("form", { class: "swap", onsubmit: (event) => {
    event.preventDefault();
    const wanted = swaps.find((text) => sorted(text.slice(5)) === sorted(field.value.trim()));
    if (wanted) move(wanted); else refusal(field.value.trim() ? `"${field.value.trim().toUpperCase()}" are not letters of your rack.` : "Type the letters to give back.");
  } }, field, make("button", {}, "Swap"));
}

// What the tiles that lie on the board make: asked after each, so that a play shows its points before it is made.
const byKey = (name) => (fingers.matches ? "" : ` (${name})`); // who has no keyboard need not hear of it
let unfit = "", judging = null, eager = null; // why it is no play; what is asked for; what is to be played as soon as that is known
async function judge() {
  const { made, wishes } = board;
  $("#undo").hidden = !made.length;
  $("#lay").hidden = true;
  $("#undo").textContent = "Take a tile back";
  unfit = "";
  judging = made;
  refusal("");
  if (!made.length) return say(status(record, true));
  const found = await attempt(() => ask(`/api/records/${record.address}/laid`, { plies: record.plies, touches: made.flat(), letters: wishes }));
  if (!found || board.made !== made || !record.laying) return; // more was laid since, and is asked for by itself
  judging = null;
  board.whole = found.plays.map(({ action }) => action);
  unfit = found.reason ? `${upper(found.reason)}.` : "";
  const [best] = found.plays, points = best && !best.action.startsWith("swap") ? `, ${best.points} point${best.points === 1 ? "" : "s"}` : "";
  $("#lay").hidden = !best;
  $("#lay").textContent = found.plays.length > 1 ? `Play ${best.action}${points}, or …` : best ? `Play ${best.action}${points}` : "Play this";
  say(best ? `${best.action}${points}${found.plays.length > 1 ? `, or ${found.plays.length - 1} more` : ""}: play it${byKey("Enter")}, or lay more.` : made.length === 1 ? `Lay more, or take the tile back${byKey("Escape")}.` : `${upper(found.reason)}: lay more, or take a tile back${byKey("Escape")}.`);
  if (eager === made) { eager = null; if (best) board.lay(); else refusal(unfit); }
}

// The record: the main line in two columns where two take turns, else in a row, and below a move what might have been played instead,
// variations in variations. What chance brought stands in brackets, a whole deal as one word.
function list(state) {
  const focus = $("#record").contains(document.activeElement);
  const two = state.players.length === 2;
  const tree = treeOf(state), { lines, now } = tree;
  const [home, last] = [tree.owner(now, state.at), state.at - 1]; // the move that led to what is on the board
  const button = (line, ply, text, from = ply) => {
    const here = line === home && last >= from && last <= ply;
    const made = make("button", { type: "button", onclick: () => goTo(line, ply + 1), tabindex: here || (state.at === 0 && line === 0 && from === 0) ? "0" : "-1" }, text);
    made.dataset.ply = ply;
    if (here) made.setAttribute("aria-current", "step");
    if (tree.mover(line, ply) < 0) made.classList.add("chance");
    const verdict = tree.owner(now, ply + 1) === line ? judged[ply] : null;
    if (verdict && verdict.word !== "best" && verdict.word !== "good" && verdict.word !== "forced") { made.append(" " + { blunder: "??", mistake: "?", inaccuracy: "?!" }[verdict.word]); made.classList.add(verdict.word); }
    return made;
  };
  const branches = (line, ply) => lines.map((_, k) => k).filter((k) => k > 0 && lines[k].parent === line && (lines[k].from === ply || (ply === tree.length(line) - 1 && lines[k].from > ply)) && lines[k].words.length);
  // A variation as running text; a short one without branches of its own in brackets, others as a block.
  const inline = (k) => {
    const numbers = tree.numbers(k), parts = [], begin = lines[k].from;
    for (let ply = begin; ply < tree.length(k); ply++) {
      const seat = tree.mover(k, ply), word = tree.word(k, ply);
      if (two && seat >= 0 && (seat === 0 || ply === begin || parts.at(-1)?.matches?.(".variation"))) parts.push(make("span", { class: "ply" }, `${numbers[ply]}${seat === 0 ? "." : "…"}`));
      parts.push(button(k, ply, seat < 0 ? `[${pips(word)}]` : word));
      for (const other of branches(k, ply)) parts.push(variation(other));
    }
    return parts;
  };
  const variation = (k) => {
    const short = lines[k].words.length <= 4 && !lines.some(({ parent }) => parent === k);
    return make(short ? "span" : "div", { class: `variation ${short ? "short" : "long"}`, role: "group", "aria-label": "variation" }, ...inline(k));
  };
  const items = [];
  let row = null, cells = [], filled = -1, ended = false, number = 0;
  const cellFor = (seat, isMove) => {
    if (!two) { if (!row) { row = make("li", {}); items.push(row); } return row; }
    if (!row || seat < filled || (seat === filled && ended)) {
      cells = [make("span", { class: "cell" }), make("span", { class: "cell" })];
      row = make("li", {}, make("span", { class: "ply" }, `${++number}.`), ...cells);
      if (seat === 1) cells[0].append(make("span", { class: "gap" }, "…"));
      items.push(row);
    }
    filled = seat;
    ended = isMove;
    return cells[Math.max(0, seat)];
  };
  const besides = (ply) => { // what else was tried there stands below the row, which goes on in a new one
    const others = branches(0, ply);
    if (!others.length) return;
    if (!two) { row.append(...others.map(variation)); return; }
    items.push(make("li", { class: "aside" }, ...others.map(variation)));
    if (filled === 0) { // the second player's answer comes in a row of its own with the same number
      cells = [make("span", { class: "cell" }, make("span", { class: "gap" }, "…")), make("span", { class: "cell" })];
      if (ply + 1 < words.length) { row = make("li", {}, make("span", { class: "ply" }, `${number}.`), ...cells); items.push(row); }
    }
  };
  const words = lines[0].words, movers = lines[0].movers;
  for (let ply = 0; ply < words.length; ply++) {
    const seat = movers[ply];
    if (seat >= 0) { cellFor(seat, true).append(button(0, ply, words[ply])); besides(ply); continue; }
    if (state.hidden && words[ply] === "•") continue; // what nobody sees is no part of the record
    let end = ply;
    while (end + 1 < words.length && movers[end + 1] < 0) end++;
    const next = end + 1 < words.length ? movers[end + 1] : state.player >= 0 ? state.player : 0;
    const cell = cellFor(next, false);
    if (end - ply >= 2) { cell.append(button(0, end, "[deal]", ply)); ply = end; }
    else for (; ply <= end; ply++) { const word = pips(words[ply]), made = button(0, ply, word.length > 14 ? "[card]" : `[${word}]`); if (word.length > 14) made.title = word; cell.append(made); }
    ply = end;
    besides(ply);
  }
  if (!words.length) items.push(...branches(0, -1).map((k) => make("li", { class: "aside" }, variation(k))));
  $("#record").classList.toggle("two", two);
  $("#record").replaceChildren(...items);
  const inside = lines.length > 1 && home > 0;
  $("#tree").hidden = lines.length < 2 || Boolean(watching);
  $("#promote").disabled = !inside;
  $("#prune").disabled = state.at === 0;
  const current = $("#record [aria-current]");
  if (current) { // the list alone scrolls, never the page
    const frame = $("#record").getBoundingClientRect(), box = current.getBoundingClientRect();
    $("#record").scrollTop += box.top - frame.top - $("#record").clientHeight / 2;
  } else $("#record").scrollTop = 0;
  if (focus) current?.focus({ preventScroll: true });
}

// All lines of a game, in the order of the tree; each owns the plies from where it leaves its parent.
function treeOf(state) {
  const plain = [{ parent: -1, from: 0, words: state.notation?.length ? state.notation : state.record, movers: state.movers }];
  const { lines, now } = state.tree ?? { lines: plain, now: 0 };
  const owner = (line, at) => { while (line > 0 && at <= lines[line].from) line = lines[line].parent; return line; };
  const of = (line, ply) => lines[owner(line, ply + 1)];
  const tree = {
    lines, now, owner,
    word: (line, ply) => { const at = of(line, ply); return at.words[ply - at.from]; },
    mover: (line, ply) => { const at = of(line, ply); return at.movers[ply - at.from]; },
    length: (line) => lines[line].from + lines[line].words.length,
    numbers: (line) => { // as the rows of two columns are counted
      const found = [];
      let number = 0, filled = 2, ended = true;
      for (let ply = 0; ply < tree.length(line); ply++) {
        const seat = tree.mover(line, ply);
        if (seat >= 0) { if (seat < filled || (seat === filled && ended)) number++; filled = seat; ended = true; }
        found.push(number);
      }
      return found;
    },
  };
  return tree;
}

// To a move of the tree: a step if it lies on the line that is played, else over to its line.
let chain = Promise.resolve();
const inTurn = (work) => { chain = chain.then(work, work); return chain; }; // one after the other, however fast somebody clicks
const goTo = (line, at) => inTurn(() => walkTo(line, at)), rearrange = (how) => inTurn(() => reorder(how));

async function walkTo(line, at) {
  const tree = treeOf(record);
  if (tree.owner(tree.now, at) === line) return step(at);
  if (opening || watching) return;
  halt();
  await attempt(async () => { if (await look(`/api/records/${record.address}/lines${query()}`, { line, at, plies: record.plies }, false) && record.at === record.plies) { stopped = true; show(record, false); } });
}

async function reorder(how) {
  if (opening || watching || busy) return;
  const tree = treeOf(record), line = tree.owner(tree.now, record.at);
  const at = how === "promote" ? tree.lines[line].from : record.at - 1;
  const seen = record.at;
  await attempt(() => look(`/api/records/${record.address}/lines/${how}${query()}`, { line, at, plies: record.plies }, false));
  if (how === "promote") await step(seen);
}

const pips = (text) => text.replace(/^[xo]([1-6])([1-6])$/, "$1-$2");

function rows(state) {
  const own = people();
  const seatRow = (seat) => {
    const turn = state.player === seat && !state.terminal && state.at === state.plies;
    const face = make("span", { class: `face seat-${seat % 6}`, "aria-hidden": "true" });
    if (state.faces?.[seat]) face.innerHTML = state.faces[seat]; else face.textContent = upper(state.seats[seat]).replace(/^(The|Seat) /, "")[0].toUpperCase();
    const mine = state.players[seat] === "human" && own.length === 1 && !watching;
    const level = state.players[seat] === "human" ? "" : nickname(state.players[seat]);
    const who = make("span", { class: "who" }, make("strong", {}, mine ? "You" : state.seats[seat].length === 1 ? `Player ${state.seats[seat]}` : upper(state.seats[seat])), make("span", { class: "level" }, mine ? (state.players.length === 1 ? "" : upper(state.seats[seat])) : level));
    const bits = [face, who];
    if (turn) bits.push(make("span", { class: "turn" }, busy ? "thinking" : "to move"));
    const has = state.standing?.[seat];
    if (has?.icons?.length) { const taken = make("span", { class: "taken", role: "img", "aria-label": `ahead by ${has.about}` }); taken.innerHTML = has.icons.join(""); bits.push(taken); }
    if (has?.words) bits.push(make("span", { class: "score" }, has.words));
    if (state.clock) bits.push(make("span", { class: "clock", "data-seat": String(seat), role: "timer", "aria-label": `${upper(state.seats[seat])}'s clock` }));
    else if (spent[seat]) bits.push(make("span", { class: "faint spent", title: "time taken" }, clock(spent[seat])));
    return make("span", { class: `seat-name${turn ? " moves" : ""}` }, ...bits);
  };
  const all = state.players.map((_, seat) => seat);
  const turned = flip && state.board?.turns;
  const first = own.length === 1 && !state.board?.turns ? own[0] : state.board?.below ?? 0;
  const low = turned ? all.find((seat) => seat !== first) ?? first : first;
  const [bottom, top] = [low, [...all.slice(low + 1), ...all.slice(0, low)]];
  $("#seat-bottom").replaceChildren(...(state.players.length ? [seatRow(bottom)] : []));
  $("#seat-top").replaceChildren(...top.map(seatRow));
  tick();
}

// The clocks: the server's figures, counted down here while a person thinks or a search does.
let ticked = performance.now(), thinkingSince = null;
function tick() {
  if (!record?.clock) return;
  const { left, runs } = record.clock;
  for (const face of document.querySelectorAll(".clock")) {
    const seat = +face.dataset.seat;
    const mine = runs && seat === record.player && !record.terminal && record.at === record.plies;
    const gone = !mine ? 0 : record.person ? (performance.now() - ticked) / 1000 : thinkingSince ? (performance.now() - thinkingSince) / 1000 : 0;
    const rest = Math.max(0, left[seat] - gone);
    face.textContent = rest < 10 ? rest.toFixed(1) : clock(rest);
    face.classList.toggle("runs", mine);
    face.classList.toggle("short", rest < Math.min(20, record.clock.seconds / 5));
    if (mine && record.person && !watching && rest === 0 && gone - left[seat] > 0.7) { ticked = performance.now() + 5000; attempt(() => look(`${base()}${query()}`)); } // the flag falls
  }
}
setInterval(tick, 100);

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

// By how much, in what the game counts.
function amount(state, mine) {
  const much = +Math.abs(mine).toFixed(3), some = (what) => `${much} ${what}${much === 1 ? "" : "s"}`;
  if (/^pac-man/.test(state.game)) return `: score ${state.utilities[0]}`;
  if (/poker|hold'em|push/.test(state.game)) return ` ${some("chip")}`;
  if (/^backgammon/.test(state.game)) return ` ${some("point")}`;
  return ` by ${/^othello/.test(state.game) ? some("disc") : much}`;
}

function outcome(state) {
  const own = people();
  const why = state.reason ? ` (${state.reason})` : "";
  if (state.players.length === 1) return state.result === "solved" ? `Solved in ${state.plies} move${state.plies === 1 ? "" : "s"}.` : `${upper(state.result)}.`;
  if (state.utilities && own.length === 1 && !watching) {
    const mine = state.utilities[own[0]], best = Math.max(...state.utilities), alone = state.utilities.filter((u) => u === best).length === 1;
    const amounts = !/:/.test(state.result) ? "" : state.players.length === 2 && state.utilities[0] === -state.utilities[1] ? amount(state, mine) : ` (${state.result.split(": ")[1]})`;
    if (alone) return (mine === best ? "You win" : state.players.length === 2 ? "You lose" : `${upper(state.result.split(":")[0])}`) + amounts + `.${why}`;
  }
  const even = state.utilities?.length === 2 && state.utilities[0] === -state.utilities[1] && /: /.test(state.result); // what one wins the other loses: said once
  return `${upper(even ? `${state.result.split(": ")[0]}${amount(state, state.utilities[0])}` : state.result)}.${why}`;
}

function banner(state, latest) {
  const over = state.terminal && latest;
  $("#banner").hidden = !over || $("#banner").dataset.closed === state.address + state.plies;
  $("#status").classList.toggle("unseen", !$("#banner").hidden); // said once to the eye, and still to those who listen
  if (!over) return;
  const key = state.address + state.plies;
  $("#banner").replaceChildren(make("p", {}, outcome(state)), ...(state.caption && /wins|score|komi/.test(state.caption) && !outcome(state).includes(state.caption) ? [make("p", { class: "faint" }, state.caption)] : []),
    make("div", { class: "row" }, ...(watching ? [] : [
      make("button", { type: "button", class: "main", onclick: rematch }, state.players.length === 1 ? "Again" : "Rematch"),
      make("button", { type: "button", onclick: () => tab("new") }, "Another game"),
      ...(state.reviewable ? [make("button", { type: "button", onclick: () => { tab("think"); review(); } }, "Review")] : [])]),
      make("button", { type: "button", "aria-label": "close", onclick: () => { $("#banner").dataset.closed = key; $("#banner").hidden = true; $("#status").classList.remove("unseen"); } }, "✕")));
}

function status(state, latest) {
  if (state.terminal && latest) return outcome(state);
  if (!latest) return `After move ${state.at} of ${state.plies}: ${state.to_move} to move.${state.movable ? " Another move begins a line of its own." : ""}`;
  const said = announce(state);
  if (watching) return `${said}${upper(state.to_move)} to move. You are watching.`;
  if (state.person) return said + (people().length === 1 ? state.task ?? "Your move." : `${upper(state.to_move)} to move. ${state.task ?? ""}`.trim());
  return `${said}${upper(called(state.player))} is to move.`;
}

// What the others did last, for those who listen.
function announce(state) {
  if (!state.plies) return "";
  const words = state.notation?.length ? state.notation : state.record;
  let ply = state.plies - 1;
  const rolled = [];
  for (; ply >= 0 && state.movers[ply] < 0; ply--) if (!state.hidden) rolled.unshift(words[ply]); // cards are no business of everybody's
  const seat = ply >= 0 ? state.movers[ply] : -1;
  if (state.hidden && (seat < 0 || words[ply] === "•")) return "";
  const dice = rolled.length ? `${rolled.map(pretty).join(", ")}. ` : "";
  if (seat < 0) return dice;
  if (state.players[seat] === "human" && people().length === 1) return dice;
  return `${upper(state.seats[seat])} played ${words[ply]}. ${dice}`;
}

const pretty = (text) => { const dice = /^[xo]?([1-6])([1-6])$/.exec(text); return dice ? `Dice ${dice[1]} and ${dice[2]}` : text; };

// A board whose places are smaller than a fingertip can be enlarged; two fingers do it, too.
function zoomable() {
  $("#zoom").hidden = !(hands.scale > 1 || (record?.board && hands.small()));
  $("#zoom").textContent = hands.scale > 1 ? "Whole board" : "Zoom in";
}

function refusal(text) { $("#refusal").textContent = text; }

async function refuse(from, to) {
  if (record?.game.startsWith("monopoly") && from === null && await deed(to)) return;
  if (!record || watching || !record.movable || busy) return;
  try { refusal(upper((await ask(`/api/records/${record.address}/why`, { source: from, target: to })).reason) + "."); } catch { refusal("That is not legal here."); }
}

// ------------------------------------------------------------------ talking to the server

// Ask for a state of the game and show it, unless the page has asked for another since.
async function look(path, body, animate = true) {
  const mine = ++asked;
  const state = await ask(path, body);
  if (mine === asked) show(state, animate);
  return mine === asked;
}

// Open another game, once it is there; until then the old one stands still.
async function open(coming, replace = false) {
  const mine = ++asked;
  opening = true;
  if (record) show(record, false);
  let state;
  try { state = await coming(); } finally {
    if (mine === asked) { opening = false; if (record && !state) show(record, false); }
  }
  if (mine !== asked) return;
  halt();
  stopped = false;
  const own = state.players.map((text, seat) => [text, seat]).filter(([text]) => text === "human").map(([, seat]) => seat);
  const turn = own.length === 1 && own[0] !== (state.board?.below ?? 0) && Boolean(state.board?.turns);
  if (turn !== flip && !watching) { flip = turn; state = await ask(`/api/records/${state.address}${query()}`); }
  const there = watching ? location.pathname : `/play/${state.address}`;
  if (location.pathname !== there) history[replace ? "replaceState" : "pushState"](null, "", there);
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
function follow(state) {
  if (fields && fields.choose(state.game)) { seatsFor({ ...fields.game(), players: state.players.length }, state.seats); seatTo(state.players); }
}

function remember(state) {
  if (watching) return;
  const kept = JSON.parse(localStorage.getItem("games") || "[]").filter(({ address }) => address !== state.address);
  kept.unshift({ address: state.address, game: state.game });
  localStorage.setItem("games", JSON.stringify(kept.slice(0, 8)));
  $("#earlier").replaceChildren(...(kept.length > 1 ? ["Earlier: "] : []), ...kept.slice(1, 6).flatMap(({ address, game }) => [make("a", { href: `/play/${address}` }, game.slice(0, 30)), " "]));
}

async function start() {
  const wanted = { game: fields.game().name, parameters: fields.parameters(), players: seats() };
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

async function rematch() {
  const players = record.players.length === 2 && record.players[0] !== record.players[1] ? [...record.players].reverse() : record.players;
  const parameters = /seed=/.test(record.game) || fields?.game().parameters.some(({ name }) => name === "seed") ? { seed: Math.floor(Math.random() * 1e6) } : {};
  await attempt(() => open(() => ask(`/api/records${query()}`, { game: record.game.replace(/,?seed=\d+/, "").replace(/:$/, ""), parameters, start: record.start, players, ...(record.clock ? { clock: `${record.clock.seconds}+${record.clock.increment}` } : {}) })));
}

async function move(action) {
  if (!record || busy || opening || watching || moving) return;
  moving = true; // one move at a time: a second click while the first is on its way is none
  stopThinking();
  stopped = false;
  try {
    if (await look(`/api/records/${record.address}/moves${query()}`, { action, plies: record.plies, ...(record.at < record.plies ? { at: record.at } : {}) })) { moving = false; click(); await reply(); }
  } catch (problem) {
    if (problem.status === 409) await attempt(() => look(`${base()}${query()}`)); // somebody moved: show it
    refusal(upper(problem.message.replace(/ in [^:]*: /, ": ").slice(0, 160)));
    board.show(record, record.movable && !busy, false);
  } finally { moving = false; }
}

// Let the searches move until a person is to move; leaving the page or pressing Stop ends it.
async function reply() {
  while (record.waiting && record.at === record.plies && !busy && !opening && !stopped && !watching) {
    const controller = busy = new AbortController();
    $("#stop").hidden = false;
    $("#go").hidden = true;
    const address = record.address, who = called(record.player), begun = performance.now();
    rows(record);
    let answered = false, compiling = "";
    const told = () => say(compiling ? `${who} gets ready: first use of ${record.game.split(":")[0]}, preparing for ${Math.round((performance.now() - begun) / 1000)} s …` : `${announce(record)}${who} thinks …`);
    const ticking = setInterval(() => { if (compiling) told(); }, 1000);
    const watched = record.players.every((text) => text !== "human");
    try {
      await stream(`/api/records/${address}/reply${query()}`, { plies: record.plies }, (message) => {
        if (controller.signal.aborted) return;
        if (message.queued) say(`${who} waits: place ${message.queued} in the queue.`);
        if (message.queued === 0) { thinkingSince = performance.now(); told(); }
        if (message.compiling) { thinkingSince = null; compiling = message.compiling; told(); }
        if (message.record) {
          answered = true;
          busy = null;
          const at = record.at === record.plies ? null : record.at; // somebody looks at an earlier move: leave them there
          if (at === null) { show(message.record); click(); }
          else { const kept = at; record = message.record; step(kept); }
          if (message.record.thought && typeof message.record.thought.value === "number") values.set(message.record.plies - 1, message.record.thought);
        }
      }, controller.signal);
    } catch (problem) {
      if (!controller.signal.aborted) { stopped = true; refusal(upper(problem.message)); }
    } finally { clearInterval(ticking); }
    if (busy === controller) busy = null;
    thinkingSince = null;
    $("#stop").hidden = true;
    if (!answered) { if (record.address === address) { show(record, false); if (stopped) say(`Stopped: ${called(record.player)} is to move. Continue lets it go on.`); } return; }
    if (watched) await new Promise((done) => setTimeout(done, 350)); // so that eyes can follow
  }
}

function halt() { busy?.abort(); busy = null; $("#stop").hidden = true; }
function stop() { if (!busy) return; stopped = true; halt(); show(record, false); say(`Stopped: ${called(record.player)} is to move. Continue lets it go on.`); }
function resume() { stopped = false; $("#go").hidden = true; reply(); }

async function step(ply) {
  if (!record || opening || ply < 0 || ply > record.plies || ply === record.at) return;
  stopThinking();
  await attempt(() => look(`${base()}${query(ply === record.plies ? {} : { at: ply })}`));
  if (record.at === record.plies) reply();
}

async function takeBack() {
  if (opening || watching) return;
  if (board.made?.length) return board.undo();
  halt();
  await attempt(() => look(`/api/records/${record.address}/back${query()}`, { plies: record.plies }));
}

function download(name, type, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// ------------------------------------------------------------------ thinking

const pawns = (unit) => unit === "centipawns" || (unit === "points" && record.game.startsWith("chess"));
const SIDE = () => upper(record.seats[0] ?? "the first player");

// A value in words: the unit, and whose it is.
function told(value, unit, exact) {
  if (Array.isArray(value)) return value.length === 1 ? String(+value[0].toFixed(2)) : `(${value.map((part) => +part.toFixed(2)).join(", ")})`;
  if (value === null || value === undefined) return "–";
  if (pawns(unit) && !exact) return `${value >= 0 ? "+" : "−"}${Math.abs(value / 100).toFixed(2)}`;
  if (exact && record.players.length === 2 && [-1, 0, 1].includes(value)) return value === 0 ? "draw" : `${record.seats[value > 0 ? 0 : 1]} wins`;
  return worth(value);
}

function unitWords(found) {
  if (record.players.length === 1) return found.cost !== undefined && found.cost !== null ? `cost ${found.cost}` : "";
  const unit = found.exact ? "proved" : pawns(found.unit) ? `in pawns, + is good for ${SIDE()}` : found.unit === "utility" ? `from −1 to 1, + is good for ${SIDE()}` : `in ${found.unit}, + is good for ${SIDE()}`;
  return unit;
}

function question(seconds, lines) {
  const asking = { game: record.game, algorithm: $("#algorithm").value || "auto", lines, seconds };
  if (record.hidden) asking.start = record.position;
  else Object.assign(asking, { start: record.start, actions: record.record.slice(0, record.at) });
  return asking;
}

function stopThinking() {
  thought?.abort();
  thought = null;
  $("#think").textContent = "Think";
}

function unthink() { board.clear(); $("#results").hidden = true; $("#results tbody").replaceChildren(); $("#thinking").textContent = ""; $("#why").textContent = ""; $("#on").hidden = true; }

async function think(seconds = +$("#seconds").value || 3) {
  if (thought) { stopThinking(); $("#thinking").textContent += " – stopped"; $("#on").hidden = false; return; }
  const controller = thought = new AbortController();
  $("#think").textContent = "Stop";
  $("#on").hidden = true;
  $("#thinking").textContent = "…";
  const asking = question(seconds, +$("#lines").value || 1);
  if (+$("#depth").value) asking.depth = +$("#depth").value;
  let found = null;
  const done = await attempt(() => stream("/api/think", asking, (message) => {
    if (controller.signal.aborted) return;
    if (message.queued) $("#thinking").textContent = `place ${message.queued} in the queue`;
    if (message.compiling) $("#thinking").textContent = `First use of ${record.game.split(":")[0]} here: preparing (${message.compiling}) …`;
    if (message.progress && !found) $("#thinking").textContent = `${brief(message.progress.nodes)} nodes, depth ${message.progress.depth}`;
    if (message.result) { found = message.result; lines(found); }
  }, controller.signal));
  if (thought !== controller) return;
  thought = null;
  $("#think").textContent = "Think";
  $("#on").hidden = !done || Boolean(found?.exact);
  if (!done && !found) $("#thinking").textContent = "";
}

// Every line that the search has an opinion on, the best first; a click shows it on the board.
function lines(found) {
  const rowsOf = found.candidates.length ? found.candidates : [{ action: found.action, value: found.value, line: found.line }];
  $("#results").hidden = false;
  $("#results tbody").replaceChildren(...rowsOf.slice(0, Math.max(1, +$("#lines").value || 1)).map((one, rank) => {
    const moves = one.line?.length ? one.line : rank === 0 ? found.line : [one.action];
    const words = one.words?.length ? one.words : rank === 0 && found.words?.length ? found.words : moves;
    const button = make("button", { type: "button", class: "line", onclick: () => walk(moves, words) }, words.slice(0, 12).join(" ") || one.action || "–");
    const share = one.visits ? ` · ${brief(one.visits)}×` : "";
    return make("tr", {}, make("td", { class: "number" }, told(one.value, found.unit, one.proved || found.exact) + share), make("td", {}, button));
  }));
  board.values(rowsOf.slice(0, +$("#lines").value || 1).map((one) => ({ ...one, value: pawns(found.unit) && !found.exact ? one.value / 100 : Array.isArray(one.value) ? one.value[Math.max(0, record.player)] : one.value })));
  $("#thinking").textContent = [found.algorithm, found.depth ? `depth ${found.depth}` : "", `${brief(found.nodes)} nodes`, found.nps ? `${brief(found.nps)} a second` : "", `${found.seconds.toFixed(1)} s`, unitWords(found)].filter(Boolean).join(" · ");
  $("#why").textContent = inWords(found, rowsOf);
  values.set(record.at, found);
  gauge();
}

// The choice in words: what it is worth, by how much it is better, what would come.
function inWords(found, rowsOf) {
  if (!found.action || Array.isArray(found.value)) return found.action ? `Best: ${found.action}.` : "";
  const mine = record.player === 1 ? -1 : 1;
  const gap = rowsOf.length > 1 && typeof rowsOf[1].value === "number" ? mine * (rowsOf[0].value - rowsOf[1].value) : null;
  const name = (one) => one.words?.[0] ?? one.action;
  const parts = [`${name(found)} is best`];
  if (found.exact) parts.push(found.value === 0 ? "and keeps the draw" : mine * found.value > 0 ? "and wins by force" : "though the game is lost against best play");
  if (gap !== null && gap > 0 && !found.exact) parts.push(`, ahead of ${name(rowsOf[1])} by ${pawns(found.unit) ? `${(gap / 100).toFixed(2)} pawns` : `${+gap.toFixed(2)}${found.unit === "utility" ? "" : ` ${found.unit}`}`}`);
  if (gap === 0) parts.push(`, and ${name(rowsOf[1])} is as good`);
  if (found.line.length > 1) parts.push(`; expected: ${(found.words?.length ? found.words : found.line).slice(0, 6).join(" ")}`);
  return parts.join(" ").replace(/ ([,;])/g, "$1") + ".";
}

// A line on the board, move by move, and back.
async function walk(moves, words = moves) {
  const here = record, start = here.at;
  for (let k = 1; k <= Math.min(moves.length, 8); k++) {
    const state = await attempt(() => ask(`/api/positions${query()}`, { game: here.game, start: here.start, actions: [...here.record.slice(0, start), ...moves.slice(0, k)] }));
    if (!state || record !== here) return;
    board.show(state, false);
    say(`What would come: ${words.slice(0, k).join(" ")}`);
    await new Promise((done) => setTimeout(done, 650));
  }
  await new Promise((done) => setTimeout(done, 700));
  if (record === here) { board.show(here, here.movable && !busy, false); say(status(here, here.at === here.plies)); }
}

// ------------------------------------------------------------------ the opening explorer

// What the books know of the position on the board: each move with its games or points; a click plays it, or shows it where nobody may move.
let explored = "";
async function explore() {
  const state = record;
  $("#explorer").hidden = !state?.booked || Boolean(watching);
  if ($("#explorer").hidden || $("#pane-think").hidden) return;
  const key = `${state.game} ${state.start} ${state.record.slice(0, state.at)}`;
  if (explored === key) return;
  explored = key;
  const found = await ask("/api/openings", { game: state.game, start: state.start, actions: state.record.slice(0, state.at) }).catch(() => null);
  if (!found || explored !== key) { if (!found) explored = ""; return; }
  const some = found.moves.slice(0, 12);
  $("#book tbody").replaceChildren(...some.map((row) => make("tr", { onpointerenter: () => board.point(row.action), onpointerleave: () => board.point(null) },
    make("th", { scope: "row" }, make("button", { type: "button", class: "line", onclick: () => { if (record?.movable && !busy) move(row.action); else walk([row.action], [row.word]); } }, row.word)),
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

// ------------------------------------------------------------------ what some games have beside the board

// Bridge: the auction as a table, and a box to bid from; each call says what it means.
function auction(state) {
  const told = state.auction, boxed = told && $("#others").children.length && state.legal.some(({ text }) => /^[1-7](C|D|H|S|NT)$/.test(text) || text === "pass");
  $("#others").classList.toggle("bidding", Boolean(boxed));
  if (!told || !(told.calls.length || boxed)) { $("#special").replaceChildren(); return; }
  const rows = [];
  let row = Array(4).fill("");
  told.calls.forEach((call, k) => {
    row[call.seat] = make("td", { title: call.means, class: /♥|♦/.test(call.said) ? "red" : "" }, call.said);
    if (call.seat === 3 || k === told.calls.length - 1) { rows.push(make("tr", {}, ...row.map((cell) => cell || make("td")))); row = Array(4).fill(""); }
  });
  const words = told.calls.filter(({ means }) => means && means !== "anything").slice(-4).map((call) => make("li", {}, make("strong", {}, `${told.seats[call.seat]} ${call.said}`), `: ${call.means}`));
  $("#special").replaceChildren(make("table", { class: "auction" }, make("caption", {}, "Auction"), make("thead", {}, make("tr", {}, ...told.seats.map((seat) => make("th", {}, seat)))), make("tbody", {}, ...rows)), make("ul", { class: "meanings" }, ...words));
  if (boxed) for (const button of $("#others").children) {
    const means = told.means[button.title], bid = /^([1-7])(C|D|H|S|NT)$/.exec(button.title);
    button.style.gridColumn = bid ? String(["C", "D", "H", "S", "NT"].indexOf(bid[2]) + 1) : "auto"; // a column a strain, a row a level
    button.style.gridRow = bid ? String(+bid[1] + 1) : "1";
    button.classList.toggle("red", /♥|♦/.test(button.textContent));
    if (means) { button.title = means; button.classList.add("known"); button.setAttribute("aria-label", `${button.textContent}: ${means}`); }
  }
}

// Bridge, once the board is over: under each card the tricks that declarer takes after it.
async function openCards(state) {
  if (!state.game.startsWith("bridge") || state.hidden || state.at === state.plies || watching) return;
  const found = await ask(`/api/records/${state.address}/open-cards?at=${state.at}`).catch(() => null);
  if (!found || record !== state) return;
  const best = Math.max(...Object.values(found.cards));
  for (const { text, touches } of state.legal) if (found.cards[text] !== undefined && touches.length) board.label(touches[0], String(found.cards[text]), found.cards[text] === best ? "worth best" : "worth");
}

// Bridge: declarer claims tricks; the claim stands where defenders who saw all cards could do nothing about it.
function claim(state) {
  if (!state.claim || !state.movable || busy) return;
  $("#others").append(make("button", { type: "button", id: "claim", onclick: () => {
    const tricks = make("input", { type: "number", min: "0", max: String(state.claim), value: String(state.claim), "aria-label": "tricks" });
    $("#advised").replaceChildren(make("form", { class: "row", onsubmit: async (event) => {
      event.preventDefault();
      const before = record;
      say("The defenders look at the claim …");
      let said = null, ended = null;
      await attempt(() => stream(`/api/records/${before.address}/claim${query()}`, { tricks: +tricks.value, plies: before.plies }, (message) => { if (message.claim) said = message.claim; if (message.record) ended = message.record; }));
      if (record !== before) return;
      if (ended) { show(ended); $("#advised").replaceChildren(make("p", {}, `The claim stands: ${said.reason}.`)); } else { say(status(record, true)); refusal(said ? `${upper(said.reason)}.` : ""); }
    } }, make("label", { class: "inline" }, "I claim", tricks, ` of the last ${state.claim} tricks`), make("button", { class: "main" }, "Claim")));
    tricks.focus();
  } }, "Claim …"));
}

// Monopoly: what everybody is worth, turn by turn.
let charted = "";
async function worthChart(state) {
  if (!state.game.startsWith("monopoly") || watching) return;
  const key = `${state.address} ${state.plies}`;
  if (charted === key) return;
  charted = key;
  const found = await ask(`/api/records/${state.address}/worth`).catch(() => null);
  if (!found || record?.address !== state.address || found.worth.length < 2) return;
  const wide = 520, tall = 150, most = Math.max(...found.worth.flatMap((point) => point.slice(1)), 1), last = found.worth.at(-1)[0] || 1;
  const path = (seat) => found.worth.map((point, k) => `${k ? "L" : "M"}${(point[0] / last * (wide - 60) + 4).toFixed(1)} ${(tall - 8 - point[seat + 1] / most * (tall - 20)).toFixed(1)}`).join("");
  let free = 0; // the names at the right keep a line's distance
  const ends = state.seats.map((name, seat) => [found.worth.at(-1)[seat + 1], name]).sort((a, b) => b[0] - a[0]).map(([amount, name]) => {
    const y = Math.max(free, tall - 4 - amount / most * (tall - 20));
    free = y + 15;
    return `<text x="${wide - 52}" y="${y}">${name} ${amount}</text>`;
  }).join("");
  const figure = make("figure", { class: "chart worth-chart" }, make("figcaption", { class: "faint" }, "What everybody is worth"));
  figure.insertAdjacentHTML("beforeend", `<svg viewBox="0 0 ${wide} ${tall}" role="img" aria-label="${state.seats.map((name, seat) => `${name} ${found.worth.at(-1)[seat + 1]}`).join(", ")}">
    <path class="axis" d="M4 4V${tall - 8}H${wide - 56}"/>${state.seats.map((_, seat) => `<path class="series l${seat}" d="${path(seat)}"/>`).join("")}${ends}</svg>`);
  $("#special").replaceChildren(figure);
}

// Monopoly: the card of a deed, for a touch of its space.
let deeds = null;
async function deed(space) {
  deeds ??= await ask("/api/deeds").catch(() => null);
  const card = deeds?.[space];
  if (!card) return false;
  const rents = card.rents.some(Boolean) ? card.rents.map((rent, houses) => make("tr", {}, make("td", {}, houses === 0 ? "rent" : houses === 5 ? "with a hotel" : `with ${houses} house${houses > 1 ? "s" : ""}`), make("td", { class: "number" }, String(rent)))) : [];
  $("#advised").replaceChildren(make("div", { class: "deed-card" }, make("h3", { class: `of-${card.group}` }, card.name), make("p", {}, `Price ${card.price}${card.house ? `, a house costs ${card.house}` : ""}. Mortgage ${card.price / 2}.`),
    make("table", {}, ...rents), ...(card.group === "stations" ? [make("p", {}, "Rent 25, 50, 100 or 200 with one to four stations.")] : card.group === "utilities" ? [make("p", {}, "Rent four times the dice, ten times with both.")] : [])));
  return true;
}

// Monopoly: an offer put together from what both have; only what the rules allow can be chosen.
function trade(state) {
  const offers = state.movable && !busy ? state.legal.map(({ text }) => text).filter((text) => text.startsWith("offer:")) : [];
  if (!offers.length) return;
  $("#others").append(make("button", { type: "button", onclick: () => {
    const all = offers.map((text) => { const [, to, give, take, cash] = text.split(":"); return { text, to, give, take, cash }; });
    const names = new Map(state.board.places.map(({ id, name }) => [id, name]));
    const called = (thing) => thing === "-" ? "nothing" : thing === "f" || thing === "t" ? "a card that opens the jail" : names.get(thing) ?? thing;
    const field = (label, key, words) => {
      const choice = make("select", { "data-key": key });
      choice.addEventListener("change", () => fill(key));
      return [make("label", {}, label, choice), choice, words];
    };
    const parts = [field("To", "to", (value) => value), field("You give", "give", called), field("You get", "take", called), field("Cash", "cash", (value) => +value === 0 ? "none" : +value > 0 ? `you pay ${+value}` : `you get ${-value}`)];
    // Each choice narrows those below it.
    const fill = (changed) => {
      let left = all, below = changed === undefined;
      for (const [, choice, words] of parts) {
        const key = choice.dataset.key, kept = choice.value;
        if (below) {
          const values = [...new Set(left.map((one) => one[key]))];
          choice.replaceChildren(...values.map((value) => make("option", { value }, words(value))));
          if (values.includes(kept)) choice.value = kept;
        }
        if (key === changed) below = true;
        left = left.filter((one) => one[key] === choice.value);
      }
      return left[0];
    };
    fill();
    $("#advised").replaceChildren(make("form", { class: "trade", onsubmit: (event) => { event.preventDefault(); const chosen = fill("cash"); if (chosen) move(chosen.text); } },
      make("h3", {}, "Offer a trade"), make("div", { class: "fields" }, ...parts.map(([label]) => label)), make("div", { class: "row" }, make("button", { class: "main" }, "Offer"), make("button", { type: "button", onclick: () => $("#advised").replaceChildren() }, "Cancel"))));
    parts[0][1].focus();
  } }, "Trade …"));
}

// Advice in a game with hidden things: by a player who sees no more than the person who asks; a mixed strategy as bars.
async function advice() {
  const before = record.position;
  say("A good player looks at what you see …");
  let found = null;
  await attempt(() => stream(`/api/records/${record.address}/advice`, {}, (message) => { if (message.advice) found = message.advice; if (message.compiling) say(`Preparing (first use of ${record.game.split(":")[0]}) …`); }));
  if (record.position !== before) return;
  say(status(record, true));
  if (!found) return;
  board.values([{ action: found.action, touches: found.touches, value: null }]);
  $("#advised").replaceChildren(make("p", {}, make("strong", {}, `${upper(found.by)} would play ${found.said}`), found.why ? `: ${found.why}.` : "."), bars(found));
}

function share(part) { const bar = make("span", { class: "share" }); bar.style.width = `${(100 * part).toFixed(1)}%`; return bar; }

function bars(found) {
  const mixed = found.choices.some(({ share }) => share !== null && share !== undefined);
  const counted = found.choices.map((one) => ({ ...one, size: mixed ? one.share ?? 0 : one.visits ?? 0 })).filter(({ size }) => size > 0);
  const total = mixed ? 1 : counted.reduce((sum, { size }) => sum + size, 0);
  const same = !mixed && new Set(counted.map(({ size }) => size)).size < 2;
  if (!counted.length || !total) return make("span");
  return make("table", { class: "bars" }, ...counted.slice(0, 8).map((one) => make("tr", {}, make("th", { scope: "row" }, one.said),
    make("td", {}, same ? "" : share(one.size / total)), make("td", { class: "number" }, same ? "" : `${Math.round(100 * one.size / total)} %`),
    make("td", { class: "number" }, typeof one.value === "number" ? worth(one.value) : Array.isArray(one.value) ? worth(one.value[record.player]) : ""))));
}

async function hint() {
  if (record.hidden) return advice();
  if (thought) stopThinking();
  const before = record.position;
  say("Looking for a good move …");
  let found = null;
  await attempt(() => stream("/api/think", { ...question(1, 1), algorithm: "auto" }, (message) => {
    if (message.compiling) say(`First use of ${record.game.split(":")[0]} here: preparing …`);
    if (message.result) found = message.result;
  }));
  if (!found || record.position !== before) return;
  board.values([{ action: found.action, value: pawns(found.unit) && !found.exact ? found.value / 100 : Array.isArray(found.value) ? found.value[Math.max(0, record.player)] : found.value }]);
  say(`Try ${found.words?.[0] ?? found.action}. ${inWords(found, found.candidates)}`);
}

// What the other side threatens, or whose the points of a Go board are: marks on the board until the next move.
async function marked(what) {
  const before = record, at = record.at === record.plies ? {} : { at: record.at }, path = `/api/records/${record.address}/${what}${query(at)}`;
  if (what === "territory") say("Playing the game out a few hundred times …");
  let found = null;
  await attempt(async () => {
    if (what === "threats") found = await ask(path);
    else await stream(path, {}, (message) => { if (message.compiling) say("First use of go here: preparing …"); if (message.board) found = message; });
  });
  if (record !== before) return;
  if (!found) { say(status(record, record.at === record.plies)); return; }
  board.show({ ...record, board: found.board }, record.movable && !busy && !opening, false);
  say(found.words ? `${found.words}.` : "No threat seen.");
}

// The bar beside the board: who is better, from the last search of this position or the review.
function gauge() {
  if (bar.parentNode !== board.stage) board.stage.append(bar);
  const wanted = $("#evaluate").checked && record?.players.length === 2 && !record.hidden;
  bar.hidden = !wanted;
  if (!wanted) return;
  const known = values.get(record.at);
  if (!known || typeof known.value !== "number") { bar.classList.add("unknown"); if (!thought && !busy && !record.terminal) weigh(); return; }
  bar.classList.remove("unknown");
  const share = known.exact || known.unit === "utility" ? (Math.max(-1, Math.min(1, known.value)) + 1) / 2 : 1 / (1 + Math.exp(-0.37 * known.value / (pawns(known.unit) ? 100 : Math.max(known.scale / 10, 1e-9) || 1)));
  const turned = flip && record.board?.turns;
  bar.firstChild.style.height = `${(turned ? 1 - share : share) * 100}%`;
  bar.lastChild.textContent = pawns(known.unit) && !known.exact ? `${known.value >= 0 ? "+" : "−"}${Math.abs(known.value / 100).toFixed(1)}` : told(known.value, known.unit, known.exact);
  bar.setAttribute("aria-label", `Evaluation: ${told(known.value, known.unit, known.exact)}`);
}

let weighing = null;
async function weigh() {
  weighing?.abort();
  const mine = weighing = new AbortController(), ply = record.at, address = record.address;
  try {
    await stream("/api/think", { ...question(0.4, 1), algorithm: "auto" }, (message) => {
      if (message.result && record.address === address) values.set(ply, message.result);
    }, mine.signal);
  } catch { return; }
  if (mine === weighing && record.at === ply) gauge();
}

// ------------------------------------------------------------------ the review

let reviewing = null;
async function review() {
  if (reviewing) { reviewing.abort(); return; }
  const controller = reviewing = new AbortController();
  judged = [];
  $("#review").textContent = "Stop";
  $("#reviewed").textContent = "…";
  let accuracy = null;
  try {
    await stream(`/api/records/${record.address}/review`, { seconds: +$("#each").value || 0.2 }, (message) => {
      if (message.compiling) $("#reviewed").textContent = "preparing …";
      if (message.move) { judged[message.move.ply] = message.move; values.set(message.move.ply + 1, message.move); $("#reviewed").textContent = `move ${message.move.ply + 1} of ${record.plies}`; reviewed(); }
      if (message.accuracy) accuracy = message;
    }, controller.signal);
  } catch (problem) { $("#reviewed").textContent = problem.message; }
  reviewing = null;
  $("#review").textContent = "Review";
  if (accuracy) {
    $("#reviewed").textContent = `each position ${accuracy.seconds} s`;
    $("#accuracy").textContent = accuracy.accuracy.map((value, seat) => value === null ? "" : `${upper(record.seats[seat] ?? "")}: ${value} % accurate`).filter(Boolean).join(" · ");
  }
  list(record);
  reviewed();
}

function reviewed() {
  const known = judged.filter(Boolean);
  if (!known.length) { $("#graph").replaceChildren(); $("#judged").replaceChildren(); $("#accuracy").textContent = ""; return; }
  const wide = 520, tall = 110, all = record.plies;
  const first = known.map((move) => [move.ply + 1, move.first]);
  const x = (ply) => 4 + ply / Math.max(1, all) * (wide - 8), y = (share) => 4 + (1 - share) * (tall - 8);
  const path = first.map(([ply, share], k) => `${k ? "L" : "M"}${x(ply).toFixed(1)} ${y(share).toFixed(1)}`).join("");
  const dots = known.filter((move) => /blunder|mistake|inacc/.test(move.word)).map((move) => `<circle class="dot-${move.word}" cx="${x(move.ply + 1)}" cy="${y(move.first)}" r="4.5"><title>${move.action}: ${move.word}</title></circle>`).join("");
  $("#graph").innerHTML = `<svg viewBox="0 0 ${wide} ${tall}" width="${wide}" height="${tall}" role="img" aria-label="Chances over the game"><rect class="field-low" width="${wide}" height="${tall}"/>
    <path class="area" d="M4 ${tall - 4}L${path.slice(1)}L${x(first.at(-1)[0])} ${tall - 4}Z"/><path class="middle" d="M4 ${tall / 2}H${wide - 4}"/><path class="curve" d="${path}"/>${dots}
    <path class="now" d="M${x(record.at)} 2V${tall - 2}"/></svg>`;
  $("#graph").onclick = (event) => { const box = $("#graph svg").getBoundingClientRect(); step(Math.max(0, Math.min(all, Math.round((event.clientX - box.left) / box.width * all)))); };
  const words = record.notation?.length ? record.notation : record.record;
  $("#judged").replaceChildren(...known.filter((move) => /blunder|mistake|inacc/.test(move.word)).map((move) => make("li", { class: move.word },
    make("button", { type: "button", class: "line", onclick: () => step(move.ply) }, `${upper(record.seats[move.player])} ${words[move.ply]}`),
    ` ${move.word}, ${move.loss ? `gives away ${pawns(move.unit) ? `${(move.loss / 100).toFixed(2)} pawns` : +move.loss.toFixed(2)}` : "gives the win away"}; better `,
    make("button", { type: "button", class: "line", onclick: async () => { await step(move.ply); walk(move.line, move.words); } }, (move.words?.length ? move.words : move.line).slice(0, 5).join(" ") || move.best))));
}

// ------------------------------------------------------------------ the position editor

// What may be set on a place: the letter of a position's text, and the word on its button.
const PALETTES = {
  chess: [["K", "white king"], ["Q", "white queen"], ["R", "white rook"], ["B", "white bishop"], ["N", "white knight"], ["P", "white pawn"], ["k", "black king"], ["q", "black queen"], ["r", "black rook"],
    ["b", "black bishop"], ["n", "black knight"], ["p", "black pawn"]],
  "tic-tac-toe": [["x", "cross"], ["o", "nought"]], "blind tic-tac-toe": [["x", "cross"], ["o", "nought"]], "connect four": [["x", "red"], ["o", "yellow"]], go: [["x", "black"], ["o", "white"]],
  isolation: [["x", "blue"], ["o", "orange"], ["#", "hole"]], othello: [["X", "black"], ["O", "white"]], checkers: [["b", "black man"], ["w", "white man"], ["B", "black king"], ["W", "white king"]],
  backgammon: [["0", "white checker"], ["1", "black checker"]],
  "peg solitaire": [["o", "peg"]], "pac-man": [["P", "Pac-Man"], ["G", "ghost"], ["%", "wall"], [" ", "no food"]],
};

// GNU Backgammon's IDs: bits in base 64, the lowest of each byte first.
const bitsOf = (text) => [...atob(text.padEnd(Math.ceil(text.length / 4) * 4, "="))].flatMap((sign) => Array.from({ length: 8 }, (_, k) => sign.charCodeAt(0) >> k & 1));
const textOf = (bits, size) => btoa(String.fromCharCode(...Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) => bits.slice(8 * byte, 8 * byte + 8).reduce((sum, bit, k) => sum + (bit << k), 0)))).slice(0, size);
const setBits = (bits, at, width, value) => bits.map((bit, k) => (k >= at && k < at + width ? value >> (k - at) & 1 : bit));
const GNU_IDS = /^[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}(:|$)/;
const TURN_BITS = [6, 11], PHASE_BITS = 8, DICE_BITS = 15; // where a match ID says who rolls and who decides, what goes on, the dice

// How a text says what stands where: rows between slashes, one row of letters (Othello), or lists of numbered squares (checkers).
const FORMS = [
  { fits: (text) => text.split(" ")[0].includes("/") && !GNU_IDS.test(text),
    read: (text) => ({ cells: text.split(" ")[0].split("/").map((row) => row.replace(/\d+/g, (n) => ".".repeat(+n)).split("")), rest: text.split(" ").slice(1) }),
    write: (cells, rest, game) => { const rows = cells.map((row) => row.join("")); return [(game === "chess" ? rows.map((row) => row.replace(/\.+/g, (run) => String(run.length))) : rows).join("/"), ...rest].join(" "); },
    turned: (rest) => [{ w: "b", b: "w", x: "o", o: "x" }[rest[0]] ?? rest[0], ...rest.slice(1)] },
  { fits: (text) => /^[-XO]+ [XO]$/.test(text),
    read: (text) => { const [letters, turn] = text.split(" "), side = Math.round(Math.sqrt(letters.length)); return { cells: Array.from({ length: side }, (_, row) => letters.slice(row * side, row * side + side).replaceAll("-", ".").split("")), rest: [turn] }; },
    write: (cells, rest) => `${cells.map((row) => row.join("")).join("").replaceAll(".", "-")} ${rest[0]}`,
    turned: ([turn]) => [turn === "X" ? "O" : "X"] },
  { fits: (text) => /^[BW]:[BW][\dK,]*:[BW][\dK,]*$/.test(text),
    read: (text, side) => {
      const cells = Array.from({ length: side }, () => Array(side).fill("."));
      const [turn, ...sides] = text.split(":");
      for (const men of sides) for (const man of men.slice(1).split(",").filter(Boolean)) {
        const number = +man.replace("K", "") - 1, row = Math.floor(number / (side / 2)), letter = men[0].toLowerCase();
        cells[row][2 * (number % (side / 2)) + (row + 1) % 2] = man.startsWith("K") ? letter.toUpperCase() : letter;
      }
      return { cells, rest: [turn] };
    },
    write: (cells, rest) => {
      const men = { w: [], b: [] }, side = cells.length;
      cells.forEach((row, r) => row.forEach((letter, c) => { if (/[wb]/i.test(letter) && (r + c) % 2) men[letter.toLowerCase()].push((letter < "a" ? "K" : "") + (r * side / 2 + (c - (r + 1) % 2) / 2 + 1)); }));
      return `${rest[0]}:W${men.w.join(",")}:B${men.b.join(",")}`;
    },
    turned: ([turn]) => [turn === "B" ? "W" : "B"] },
  { fits: (text) => GNU_IDS.test(text),
    read: (text) => {
      const match = setBits(bitsOf(text.split(":")[1]), PHASE_BITS, 3, 1), turn = match[TURN_BITS[1]], bits = bitsOf(text.slice(0, 14));
      const cells = [Array(26).fill(0), Array(26).fill(0)]; // by side: checkers on its own points, 25 is the bar
      let at = 0;
      for (const side of [1 - turn, turn]) for (let point = 1; point <= 25; point++, at++) for (; bits[at]; at++) cells[side][point]++;
      return { cells, rest: match };
    },
    write: (cells, match) => {
      const turn = match[TURN_BITS[1]], bits = [1 - turn, turn].flatMap((side) => cells[side].slice(1).flatMap((count) => [...Array(count).fill(1), 0]));
      return `${textOf([...bits, ...Array(80).fill(0)].slice(0, 80), 14)}:${textOf(match, 12)}`;
    },
    turned: (match) => TURN_BITS.reduce((bits, at) => setBits(bits, at, 1, 1 - bits[at]), match),
    cleared: () => [Array(26).fill(0), Array(26).fill(0)],
    paint: ({ cells, letter }, id) => {
      const [kind, seat] = id.split(","), bar = kind === "bar", number = +kind;
      if (!bar && !(number >= 1 && number <= 24)) return;
      const point = (side) => (bar ? 25 : side ? 25 - number : number);
      const side = letter === "." ? (bar ? +seat : cells[0][point(0)] ? 0 : 1) : +letter, other = 1 - side;
      if (letter === ".") { cells[side][point(side)] = Math.max(0, cells[side][point(side)] - 1); return; }
      if (cells[side].reduce((sum, count) => sum + count) >= 15) return;
      if (!bar) cells[other][point(other)] = 0;
      cells[side][point(side)]++;
    },
    dice: (match, high, low) => setBits(setBits(match, DICE_BITS, 3, high), DICE_BITS + 3, 3, low) },
];

let edited = null;
const editor = new Board($("#editor"), () => {}, (from, to) => paintCell(to));
async function edit() {
  const game = fields.game().name;
  const palette = PALETTES[game];
  const text = $("#start").value.trim();
  const state = await ask("/api/positions", { game, parameters: fields.parameters(), ...(text ? { start: text } : {}) }).catch((problem) => { $("#wrong").textContent = problem.message; return null; });
  if (!state) return;
  $("#wrong").textContent = "";
  editor.element.parentElement.querySelector(".palette")?.remove();
  editor.show({ ...state, legal: [] }, true, false);
  const form = FORMS.find(({ fits }) => fits(state.position));
  edited = null;
  if (!palette || !form) return;
  edited = { game, form, ...form.read(state.position, Math.round(Math.sqrt(state.board?.places.length ?? 64))), letter: palette[0][0] };
  const bar = make("div", { class: "palette row", role: "group", "aria-label": "What to set" }, ...[...palette, [".", game === "pac-man" ? "food" : "erase"]].map(([letter, name]) => make("button", { type: "button", "aria-pressed": String(letter === edited.letter), onclick: (event) => {
    edited.letter = letter;
    for (const other of bar.children) other.setAttribute("aria-pressed", String(other === event.currentTarget));
  } }, name)), make("button", { type: "button", onclick: () => { edited.cells = form.cleared?.() ?? edited.cells.map((row) => row.map(() => ".")); apply(); } }, "clear all"),
    make("button", { type: "button", onclick: () => { edited.rest = form.turned(edited.rest); apply(); } }, "other side to move"));
  if (form.dice) {
    const rolls = ["", ...[1, 2, 3, 4, 5, 6].flatMap((high) => Array.from({ length: high }, (_, k) => `${high}-${k + 1}`))];
    bar.append(make("label", { class: "inline" }, "dice", make("select", { onchange: (event) => { const [high, low] = (event.target.value || "0-0").split("-").map(Number); edited.rest = form.dice(edited.rest, high, low); apply(); } },
      ...rolls.map((roll) => make("option", { value: roll }, roll || "to be rolled")))));
    edited.rest = form.dice(edited.rest, 0, 0);
  }
  editor.element.before(bar);
}
function paintCell(id) {
  if (!edited) return;
  if (edited.form.paint) { edited.form.paint(edited, id); apply(); return; }
  const [row, column] = id.split(",").map(Number);
  if (!edited.cells[row]) return;
  edited.cells[row][column] = edited.cells[row][column] === edited.letter ? "." : edited.letter;
  apply();
}
async function apply() {
  const rest = edited.game === "chess" ? [edited.rest[0], "-", "-", "0", "1"] : edited.rest;
  $("#start").value = edited.form.write(edited.cells, rest, edited.game);
  const state = await ask("/api/positions", { game: edited.game, parameters: fields.parameters(), start: $("#start").value }).catch((problem) => { $("#wrong").textContent = problem.message; return null; });
  if (state) { $("#wrong").textContent = ""; editor.show({ ...state, legal: [] }, true, false); }
}

// ------------------------------------------------------------------ the page

function tab(name) {
  for (const other of ["game", "think", "new"]) {
    $(`#tab-${other}`).setAttribute("aria-selected", String(other === name));
    $(`#tab-${other}`).tabIndex = other === name ? 0 : -1;
    $(`#pane-${other}`).hidden = other !== name;
  }
  if (name === "think") explore();
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

async function copy(text, what) {
  try { await navigator.clipboard.writeText(text); $("#shared").textContent = `${what} is copied: ${text}`; } catch { $("#shared").textContent = `${what}: ${text}`; }
}

async function begin() {
  const listing = gameFields($("#game"), $("#parameters"), (game) => {
    seatsFor(game);
    $("#algorithm").replaceChildren(make("option", { value: "auto" }, "what fits"), ...game.algorithms.map((name) => make("option", { value: name }, name)));
    $("#start").value = "";
    $("#wrong").textContent = "";
    if ($("#from").open && fields) edit();
  }).then((made) => { fields = made; if (record) { follow(record); rows(record); } }); // a board that is known need not wait for the list
  $("#parameters").addEventListener("change", async () => { // the seats follow a number of players
    if (!fields) return;
    const state = await ask("/api/positions", { game: fields.game().name, parameters: fields.parameters() }).catch((problem) => { $("#wrong").textContent = problem.message; return null; });
    if (state) { $("#wrong").textContent = ""; seatsFor({ ...fields.game(), players: state.seats.length }, state.seats); }
  });
  const address = location.pathname.split("/")[2];
  if (watching) {
    const state = await attempt(() => ask(`/api/watch/${watching}${query()}`));
    if (state) { $("#tab-new").hidden = true; $("#typed").hidden = true; await open(() => state, true); setInterval(refresh, 1500); }
    return listing;
  }
  if (address) {
    try {
      const state = await ask(`/api/records/${address}${query()}`);
      await open(() => state, true);
      return listing;
    } catch (problem) { notice(problem.message); }
  }
  await listing;
  const wanted = new URLSearchParams(location.search);
  if (!fields.choose(wanted.get("game") || "")) {
    const [latest] = JSON.parse(localStorage.getItem("games") || "[]");
    if (latest && !wanted.get("game")) try { const state = await ask(`/api/records/${latest.address}${query()}`); return open(() => state, true); } catch { /* it is gone */ }
    fields.choose("connect four");
  }
  if (wanted.get("level")) seatTo(["human", `engine:level=${wanted.get("level")},time=1`]);
  if (wanted.get("against")) seatTo(seats().map((_, seat) => (seat ? wanted.get("against") : "human")));
  const body = { game: fields.game().name, parameters: fields.parameters(), players: seats() };
  if (wanted.get("position")) body.start = wanted.get("position");
  if (fields.game().parameters.some(({ name }) => name === "players")) body.players = seats();
  return open(() => ask(`/api/records${query()}`, body), true);
}

async function refresh() {
  if (document.hidden) return;
  const state = await ask(`/api/watch/${watching}${query()}`).catch(() => null);
  if (state && (state.plies !== record.plies || state.players.join() !== record.players.join()) && record.at === record.plies) show(state);
}

$("#new").addEventListener("submit", (event) => { event.preventDefault(); start(); });
$("#typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("#move").value.trim();
  if (text) move(text).then(() => { $("#move").value = ""; });
});
$("#seat").addEventListener("click", () => attempt(async () => {
  if (opening) return;
  halt();
  if (await look(`/api/records/${record.address}/players${query()}`, { players: seats() })) { tab("game"); await reply(); }
}));
for (const name of ["game", "think", "new"]) $(`#tab-${name}`).addEventListener("click", () => tab(name));
$(".tabs").addEventListener("keydown", (event) => {
  const on = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!on) return;
  event.stopPropagation();
  event.preventDefault();
  const all = [...document.querySelectorAll(".tabs [role=tab]:not([hidden])")];
  const next = all[(all.indexOf(document.activeElement) + on + all.length) % all.length];
  tab(next.id.slice(4));
  next.focus();
});
$("#first").addEventListener("click", () => step(0));
$("#previous").addEventListener("click", () => step(record.at - 1));
$("#next").addEventListener("click", () => step(record.at + 1));
$("#last").addEventListener("click", () => step(record.plies));
$("#back").addEventListener("click", takeBack);
$("#promote").addEventListener("click", () => rearrange("promote"));
$("#prune").addEventListener("click", () => rearrange("delete"));
$("#resign").addEventListener("click", () => { if (!opening && confirm("Give this game up?")) { halt(); attempt(() => look(`/api/records/${record.address}/resign${query()}`, { plies: record.plies }, false)); } });
$("#undo").addEventListener("click", () => board.undo());
$("#lay").addEventListener("click", () => { if (board.aimed !== null) board.press(board.aimed); else board.lay(); });
$("#zoom").addEventListener("click", () => { if (hands.scale > 1) hands.whole(); else hands.closer(); });
$("#board").addEventListener("unfit", () => { if (judging === board.made) eager = judging; else refusal(unfit); });
$("#board").addEventListener("part", (event) => { if (record.laying) return judge(); $("#undo").hidden = !event.detail; $("#lay").hidden = !board.whole?.length; if (board.whole?.length) say(`Play ${[...new Set(board.whole)].slice(0, 2).join(" or ")}, or lay more; Escape takes a tile back.`); else if (event.detail) say("Go on with your turn, or undo this part (Escape)."); else say(status(record, true)); });
$("#board").addEventListener("aim", (event) => {
  $("#lay").hidden = !event.detail;
  $("#lay").textContent = event.detail ? `Play ${event.detail}` : "Play this";
  if (event.detail) say(`${event.detail}: touch it again to play there, or a point beside it under the glass.`); else if (record) say(status(record, record.at === record.plies));
});
$("#stop").addEventListener("click", stop);
$("#go").addEventListener("click", resume);
$("#hint").addEventListener("click", hint);
$("#threats").addEventListener("click", () => marked("threats"));
$("#territory").addEventListener("click", () => marked("territory"));
const redraw = () => { if (record && !opening) attempt(() => look(`${base()}${query(record.at === record.plies ? {} : { at: record.at })}`, undefined, false)); };
$("#flip").addEventListener("click", () => { flip = !flip; redraw(); });
narrow.addEventListener("change", redraw);
$("#think").addEventListener("click", () => think());
$("#on").addEventListener("click", () => { const seconds = Math.min(60, (+$("#seconds").value || 3) * 2); $("#seconds").value = seconds; think(seconds); });
$("#review").addEventListener("click", review);
$("#evaluate").addEventListener("change", gauge);
$("#copy").addEventListener("click", () => copy(location.href, "The address, with which one can also move,"));
$("#share").addEventListener("click", () => attempt(async () => { const { watch } = await ask(`/api/records/${record.address}/share`, {}); copy(`${location.origin}/watch/${watch}`, "The address for watching"); }));
$("#load").addEventListener("click", () => $("#file").click());
$("#file").addEventListener("change", () => attempt(async () => {
  const [file] = $("#file").files;
  $("#file").value = "";
  if (!file) return;
  const text = await file.text();
  await open(() => ask(`/api/files${query()}`, { text }));
}));
$("#curtain button").addEventListener("click", () => attempt(() => look(`/api/records/${record.address}${query({ eyes: record.player })}`, undefined, false)));
$("#from").addEventListener("toggle", () => { if ($("#from").open) attempt(edit); });
$("#start").addEventListener("change", () => attempt(edit));
window.addEventListener("popstate", () => { const address = location.pathname.split("/")[2]; if (address && address !== record?.address) attempt(() => open(() => ask(`/api/records/${address}${query()}`), true)); });
document.addEventListener("keydown", (event) => {
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey || !record) return;
  const to = { ArrowLeft: record.at - 1, ArrowRight: record.at + 1, Home: 0, End: record.plies }[event.key];
  if (to === undefined || event.target.closest?.(".places")) return;
  event.preventDefault();
  if (event.key === "ArrowRight" && record.at === record.plies && stopped) resume(); else step(to);
});
attempt(begin);

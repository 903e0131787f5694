// The record of the game with its variations, and the way through it.
// @ts-check
import { pips, treeOf } from "./lines.js";
import { halt, look, step } from "./moves.js";
import { show } from "./show.js";
import { page, query, watching } from "./state.js";
import { $, attempt, make } from "../studio.js";

// The record: the main line in two columns where two take turns, else in a row, and below a move what might have been played instead,
// variations in variations. What chance brought stands in brackets, a whole deal as one word.
export function list(state) {
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
    const verdict = tree.owner(now, ply + 1) === line ? page.judged[ply] : null;
    const note = state.notes && tree.owner(now, ply + 1) === line ? state.notes[ply + 1] : "";
    if (note) { made.append(sign(note) || " ✎"); made.title = plain(note); }
    if (verdict && verdict.word !== "best" && verdict.word !== "good" && verdict.word !== "forced") { made.append(" " + { blunder: "??", mistake: "?", inaccuracy: "?!", "only move": "□" }[verdict.word]); made.classList.add(verdict.word.replace(" ", "-")); }
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
  // Where the game names parts of itself (a trick, a street, whose turn it is), each begins a row under that name; among three and
  // more, a move is called by whose it is where that is not the one before it.
  let part = "", mover = -1;
  const headed = (ply) => {
    const words = now === 0 ? state.headings?.[ply] : "";
    if (!words || words === part) return;
    part = words;
    mover = -1;
    row = null;
    filled = -1;
    const heading = make(two ? "li" : "span", { class: "heading" }, words);
    if (two) items.push(heading); else { row = make("li", { class: "part" }, heading); items.push(row); }
  };
  const called = (seat) => {
    if (two || seat < 0 || seat === mover || !state.headings) return [];
    mover = seat;
    return [make("span", { class: "mover" }, state.seats[seat].replace(/^(Seat|the) /i, "").slice(0, 1))];
  };
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
    headed(ply);
    if (seat >= 0) { cellFor(seat, true).append(...called(now === 0 ? state.whose?.[ply] ?? seat : seat), button(0, ply, words[ply])); besides(ply); continue; }
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

// A note as it is read: its sign apart, and commands of programs ([%cal ...]) left out.
const SIGN = /^([!?]{1,2}|\$\d+)(?: |$)/;
const sign = (note) => { const found = note.match(SIGN); return found && !found[1].startsWith("$") ? found[1] : ""; };
export const plain = (note) => note.replace(SIGN, "").replace(/\[%sgf .*\]$/s, "").replace(/\[%\w+ [^\]]*\]/g, "").trim();

// The comment on what is shown, to be read and written; and what the file told of the game.
export function noted(state) {
  const form = /** @type {HTMLFormElement} */ ($("#note"));
  form.hidden = Boolean(watching || state.hidden);
  if (document.activeElement !== $("#noted") || $("#noted").dataset.at !== String(state.at)) { $("#noted").value = plain(state.notes?.[state.at] ?? ""); $("#noted").dataset.at = String(state.at); }
  const tags = state.tags ?? {};
  const told = [tags.Event ?? tags.EV, tags.Site ?? tags.PC, tags.Date ?? tags.DT, tags.Result ?? tags.RE].filter((text) => text && !/^[?.*]+$/.test(text));
  $("#event").hidden = !told.length;
  $("#event").textContent = told.join(" · ");
}

// What is written takes the place of the words alone: signs and commands of other programs stay.
export async function keepNote() {
  const { at, plies, notes, address } = page.record, before = notes?.[at] ?? "";
  const first = before.match(SIGN)?.[0].trim() ?? "", last = before.match(/\[%sgf .*\]$/s)?.[0] ?? (before.match(/\[%\w+ [^\]]*\]/g) ?? []).join(" ");
  const text = [first, $("#noted").value.trim(), last].filter(Boolean).join(last.startsWith("[%sgf") ? "\n" : " ");
  await attempt(() => look(`/api/records/${address}/notes${query()}`, { at, plies, text }, false));
}

// To a move of the tree: a step if it lies on the line that is played, else over to its line.
let chain = Promise.resolve();
const inTurn = (work) => { chain = chain.then(work, work); return chain; }; // one after the other, however fast somebody clicks
export const goTo = (line, at) => inTurn(() => walkTo(line, at)), rearrange = (how) => inTurn(() => reorder(how));

async function walkTo(line, at) {
  const tree = treeOf(page.record);
  if (tree.owner(tree.now, at) === line) return step(at);
  if (page.opening || watching) return;
  halt();
  await attempt(async () => { if (await look(`/api/records/${page.record.address}/lines${query()}`, { line, at, plies: page.record.plies }, false) && page.record.at === page.record.plies) { page.stopped = true; show(page.record, false); } });
}

async function reorder(how) {
  if (page.opening || watching || page.busy) return;
  const tree = treeOf(page.record), line = tree.owner(tree.now, page.record.at);
  const at = how === "promote" ? tree.lines[line].from : page.record.at - 1;
  const seen = page.record.at;
  await attempt(() => look(`/api/records/${page.record.address}/lines/${how}${query()}`, { line, at, plies: page.record.plies }, false));
  if (how === "promote") await step(seen);
}

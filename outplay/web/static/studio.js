// What all pages share: talking to the server, streams, notices, the board.
"use strict";

const $ = (selector, root = document) => root.querySelector(selector);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function notice(text) {
  const box = $("#notice");
  box.textContent = text;
  box.hidden = !text;
  clearTimeout(notice.timer);
  if (text) notice.timer = setTimeout(() => { box.hidden = true; }, 9000);
  box.onclick = () => { box.hidden = true; };
}

async function failure(response) {
  try { return (await response.json()).error || response.statusText; } catch { return response.statusText || "no answer"; }
}

// One question, one answer; errors are thrown with the server's own line.
async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try { response = await fetch(path, options); } catch { throw new Error("the studio does not answer: is it still running?"); }
  if (!response.ok) throw new Error(await failure(response));
  return response.json();
}

// One question, a line of JSON for each step of the answer; aborting the signal stops the search on the server.
async function stream(path, body, each, signal) {
  let response;
  try {
    response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });
  } catch (problem) {
    if (signal && signal.aborted) return false;
    throw new Error("the studio does not answer: is it still running?");
  }
  if (!response.ok) throw new Error(await failure(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.error) throw new Error(message.error);
        each(message);
      }
    }
  } catch (problem) {
    if (signal && signal.aborted) return false;
    throw problem;
  }
}

const count = (number) => number === null || number === undefined ? "–" : Math.round(number).toLocaleString("en");
const brief = (number) => number >= 1e9 ? (number / 1e9).toFixed(1) + " G" : number >= 1e6 ? (number / 1e6).toFixed(1) + " M"
  : number >= 1e4 ? (number / 1e3).toFixed(0) + " k" : count(number);
function worth(value) {
  if (Array.isArray(value)) return "(" + value.map((part) => +part.toFixed(2)).join(", ") + ")";
  return value === null || value === undefined ? "–" : (value > 0 ? "+" : "") + +value.toFixed(3);
}

// The board: the server's SVG, and a button over each square that does something now. A square that begins a two-part move is
// chosen first (click, key or drag), then its targets light up.
class Board {
  constructor(element, onAction) {
    this.element = element;
    this.onAction = onAction;
    element.classList.add("board");
    element.addEventListener("keydown", (event) => this.keys(event));
    element.addEventListener("pointerup", (event) => this.drop(event));
  }

  show(state, movable = true) {
    const focus = this.element.contains(document.activeElement);
    this.state = state;
    this.movable = movable;
    this.chosen = null;
    this.element.classList.remove("choosing");
    if (!state.board) { this.element.textContent = state.position; return; }
    this.element.innerHTML = state.board.svg;
    const svg = $("svg", this.element);
    this.box = svg.viewBox.baseVal;
    this.buttons = new Map();
    this.single = new Map();
    this.turns = [];
    this.made = 0; // moves of a turn clicked so far
    for (const { text, touches } of state.legal) {
      if (touches.length === 1) this.put(this.single, touches[0], text);
      const moves = [];
      for (let k = 0; k + 1 < touches.length; k += 2) moves.push({ from: touches[k].join(), to: touches[k + 1].join() });
      if (moves.length) this.turns.push({ text, rest: moves });
    }
    if (movable) this.light();
    if (focus) this.element.querySelector("button")?.focus({ preventScroll: true });
  }

  put(map, spot, text) {
    const key = spot.join();
    if (!map.has(key)) map.set(key, []);
    map.get(key).push(text);
  }

  // From where to where a piece can go now. A turn of several moves may be clicked in any order that its moves allow.
  offer() {
    this.pairs = new Map();
    for (const { text, rest } of this.turns) {
      rest.forEach(({ from, to }, k) => {
        if (rest.slice(0, k).some((earlier) => earlier.to === from)) return;
        if (!this.pairs.has(from)) this.pairs.set(from, new Map());
        const targets = this.pairs.get(from);
        if (!targets.has(to)) targets.set(to, new Set());
        targets.get(to).add(text);
      });
    }
  }

  // One move of a turn is made: play the turn if it was the last, else offer the rest.
  step(from, to) {
    const texts = this.pairs.get(from).get(to);
    const turns = [];
    for (const { text, rest } of this.turns.filter((turn) => texts.has(turn.text))) {
      const k = rest.findIndex((move) => move.from === from && move.to === to);
      turns.push({ text, rest: [...rest.slice(0, k), ...rest.slice(k + 1)] });
    }
    const whole = turns.filter(({ rest }) => rest.length === 0);
    if (whole.length) return this.play(whole.map(({ text }) => text));
    this.turns = turns;
    this.single = new Map();
    const [row, column] = to.split(",").map(Number);
    this.label(row, column, ++this.made, "worth");
    for (const button of this.buttons.values()) button.remove();
    this.buttons = new Map();
    this.chosen = null;
    this.element.classList.remove("choosing");
    this.light();
    this.element.querySelector("button:not([hidden])")?.focus({ preventScroll: true });
  }

  light() {
    this.offer();
    const cells = new Set([...this.single.keys(), ...this.pairs.keys()]);
    for (const targets of this.pairs.values()) for (const key of targets.keys()) cells.add(key);
    this.element.classList.toggle("many", cells.size > 40); // a board full of lights shows nothing
    const columns = [...this.single.keys()].map((key) => key.split(",")[1]);
    // One target in each column, as where pieces fall: the whole column is its button.
    const falls = this.pairs.size === 0 && this.state.board.rows > 2 && columns.length > 1 && new Set(columns).size === columns.length;
    for (const key of [...cells].sort(byPlace)) {
      const [row, column] = key.split(",").map(Number);
      const button = make("button", { type: "button", "data-cell": key });
      button.append(make("span", { class: "dot" }));
      if (falls) {
        this.place(button, 0, column, this.state.board.rows);
        button.classList.add("column");
        button.firstChild.style.bottom = `${(this.state.board.rows - row - 0.5) / this.state.board.rows * 100}%`;
      } else this.place(button, row, column, 1);
      if (this.single.has(key)) button.classList.add("target");
      if (this.pairs.has(key)) button.classList.add("source");
      button.setAttribute("aria-label", this.name(key));
      button.addEventListener("click", () => this.press(key));
      button.addEventListener("pointerdown", () => { this.dragged = this.pairs.has(key) ? key : null; });
      this.buttons.set(key, button);
      this.element.append(button);
    }
    this.mute();
  }

  // Squares that are only targets of a choice not yet made are no stops for the keyboard.
  mute() {
    for (const [key, button] of this.buttons) {
      const live = this.single.has(key) || this.pairs.has(key) || button.classList.contains("target");
      button.hidden = !live;
    }
  }

  place(element, row, column, height) {
    const { left, top, size } = this.state.board;
    element.style.left = `${(left + column * size) / this.box.width * 100}%`;
    element.style.top = `${(top + row * size) / this.box.height * 100}%`;
    element.style.width = `${size / this.box.width * 100}%`;
    element.style.height = `${height * size / this.box.height * 100}%`;
  }

  name(key) {
    const [row, column] = key.split(",").map(Number);
    const { row_labels: rows, column_labels: columns } = this.state.board;
    const texts = this.single.get(key);
    if (texts && texts.length === 1) return `play ${texts[0]}`;
    return `${columns[column] ?? column + 1}${rows[row] ?? ""}`;
  }

  press(key) {
    if (this.chosen && this.pairs.get(this.chosen).has(key)) return this.step(this.chosen, key);
    if (this.single.has(key)) return this.play(this.single.get(key));
    this.choose(this.pairs.has(key) && this.chosen !== key ? key : null);
  }

  choose(key) {
    this.chosen = key;
    this.element.classList.toggle("choosing", key !== null);
    for (const [cell, button] of this.buttons) {
      button.classList.toggle("chosen", cell === key);
      button.classList.toggle("target", key === null ? this.single.has(cell) : this.pairs.get(key).has(cell));
    }
    this.mute();
  }

  drop(event) {
    const from = this.dragged;
    this.dragged = null;
    if (!from) return;
    const { left, top, size } = this.state.board;
    const frame = $("svg", this.element).getBoundingClientRect();
    const row = Math.floor(((event.clientY - frame.top) / frame.height * this.box.height - top) / size);
    const column = Math.floor(((event.clientX - frame.left) / frame.width * this.box.width - left) / size);
    const to = `${row},${column}`;
    if (to !== from && this.pairs.get(from)?.has(to)) this.step(from, to);
  }

  async play(texts) {
    if (texts.length === 1) return this.onAction(texts[0]);
    const dialog = make("dialog");
    dialog.append(make("p", {}, "Which one?"));
    for (const text of texts) dialog.append(make("button", { type: "button", onclick: () => { dialog.remove(); this.onAction(text); } }, text), " ");
    document.body.append(dialog);
    dialog.showModal();
  }

  keys(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Escape" && this.chosen) this.choose(null);
    else if (event.key === "Escape" && this.made) this.show(this.state, this.movable);
    const cell = document.activeElement?.dataset?.cell;
    if (!step || !cell) return;
    event.preventDefault();
    event.stopPropagation();
    const [row, column] = cell.split(",").map(Number);
    let best = null, least = Infinity;
    for (const [key, button] of this.buttons) {
      if (button.hidden) continue;
      const [r, c] = key.split(",").map(Number);
      const along = (r - row) * step[0] + (c - column) * step[1];
      const aside = Math.abs((r - row) * step[1]) + Math.abs((c - column) * step[0]);
      if (along > 0 && along + 3 * aside < least) { least = along + 3 * aside; best = button; }
    }
    best?.focus();
  }

  // Values of candidate actions, drawn where each action ends.
  values(candidates) {
    for (const old of this.element.querySelectorAll(".worth")) old.remove();
    if (!this.state?.board) return;
    const spots = new Map(this.state.legal.map(({ text, touches }) => [text, touches]));
    candidates.forEach(({ action, value }, rank) => {
      const touches = spots.get(action);
      if (!touches || !touches.length) return;
      const [row, column] = touches[touches.length - 1];
      this.label(row, column, worth(value), rank === 0 ? "worth best" : "worth");
    });
  }

  label(row, column, text, kind) {
    const { left, top, size } = this.state.board;
    const label = make("span", { class: kind }, text);
    label.style.left = `${(left + (column + 0.5) * size) / this.box.width * 100}%`;
    label.style.top = `${(top + (row + 0.5) * size) / this.box.height * 100}%`;
    this.element.append(label);
  }
}

function byPlace(a, b) {
  const [r, c] = a.split(",").map(Number), [s, d] = b.split(",").map(Number);
  return r - s || c - d;
}

// A game and its parameters, as form fields.
let known = null;
async function games() { known ??= (await ask("/api/games")).games; return known; }

async function gameFields(select, fields, onChange = () => {}) {
  const all = await games();
  select.replaceChildren(...all.map((game) => make("option", { value: game.name }, game.name)));
  const draw = () => {
    const game = all.find(({ name }) => name === select.value);
    fields.replaceChildren(...game.parameters.map((parameter) => {
      const text = (value) => typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
      const field = parameter.choices.length
        ? make("select", { name: parameter.name }, ...parameter.choices.map((choice) => make("option", { value: text(choice) }, text(choice))))
        : make(parameter.name === "tree" ? "textarea" : "input", { name: parameter.name, title: parameter.range, spellcheck: false });
      field.value = text(parameter.default);
      return make("label", { title: parameter.range }, parameter.name, field);
    }));
    onChange(game);
  };
  select.addEventListener("change", draw);
  draw();
  return { game: () => all.find(({ name }) => name === select.value), parameters: () => Object.fromEntries(
    [...fields.querySelectorAll("[name]")].map((field) => [field.name, field.value])), draw,
  // Choose a game by its full name, such as connect four:width=5.
  choose: (full) => {
    const [, base, written = ""] = full.match(/^([^:]*):?([^]*)$/);
    if (!all.some(({ name }) => name === base)) return false;
    select.value = base;
    draw();
    for (const [, key, value] of written.matchAll(/(\w+)=([^]*?)(?=,\s*\w+=|$)/g)) {
      const field = fields.querySelector(`[name="${key}"]`);
      if (field) field.value = { True: "yes", False: "no" }[value] ?? value;
    }
    return true;
  } };
}

// Show an error in the one place for it, and go on.
async function attempt(work) {
  try { return await work(); } catch (problem) { notice(problem.message); return null; }
}

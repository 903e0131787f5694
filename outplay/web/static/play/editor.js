// The position editor: pieces chosen and set by a click, dragged to other places, whose turn it is, castling rights.
// @ts-check
import { Board } from "../board.js";
import { FORMS, PALETTES } from "./forms.js";
import { page } from "./state.js";
import { $, ask, make } from "../studio.js";

let edited = null, asked = 0; // how many positions were asked for: the last one is shown
const RIGHTS = [["K", "White castles short"], ["Q", "White castles long"], ["k", "Black castles short"], ["q", "Black castles long"]];
const editor = new Board($("#editor"), (text) => act(text), (from, to) => paintCell(to));
const symbol = (name) => { // the picture of a piece that is called "white king"; others go by their words
  const [colour, piece] = name.split(" ");
  return ["white", "black"].includes(colour) && piece ? make("img", { src: `/pictures/piece/${colour}-${piece}.svg`, alt: "", width: 34, height: 34 }) : null;
};

export async function edit() {
  const game = page.fields.game().name;
  const palette = PALETTES[game];
  const text = $("#start").value.trim(), mine = ++asked;
  const state = await ask("/api/positions", { game, parameters: page.fields.parameters(), ...(text ? { start: text } : {}) }).catch((problem) => { if (mine === asked) $("#wrong").textContent = problem.message; return null; });
  if (!state || mine !== asked) return;
  $("#wrong").textContent = "";
  for (const old of editor.element.parentElement.querySelectorAll(".palette, .rights")) old.remove();
  const form = FORMS.find(({ fits }) => fits(state.position));
  edited = null;
  if (!palette || !form) { editor.show({ ...state, legal: [] }, true, false); return; }
  edited = { game, form, ...form.read(state.position, Math.round(Math.sqrt(state.board?.places.length ?? 64))), letter: palette[0][0] };
  draw(state);
  const bar = make("div", { class: "palette row", role: "group", "aria-label": "What to set" }, ...[...palette, [".", game === "pac-man" ? "food" : "erase"]].map(([letter, name]) => {
    const picture = symbol(name);
    return make("button", { type: "button", title: name, "aria-pressed": String(letter === edited.letter), onclick: (event) => {
      edited.letter = letter;
      for (const other of bar.children) other.setAttribute("aria-pressed", String(other === event.currentTarget));
    } }, ...(picture ? [picture, make("span", { class: "unseen" }, name)] : [name]));
  }), make("button", { type: "button", onclick: () => { edited.cells = form.cleared?.() ?? edited.cells.map((row) => row.map(() => ".")); apply(); } }, "clear all"),
    make("button", { type: "button", onclick: () => { edited.rest = form.turned(edited.rest); apply(); } }, "other side to move"));
  if (form.dice) {
    const rolls = ["", ...[1, 2, 3, 4, 5, 6].flatMap((high) => Array.from({ length: high }, (_, k) => `${high}-${k + 1}`))];
    bar.append(make("label", { class: "inline" }, "dice", make("select", { onchange: (event) => { const [high, low] = (event.target.value || "0-0").split("-").map(Number); edited.rest = form.dice(edited.rest, high, low); apply(); } },
      ...rolls.map((roll) => make("option", { value: roll }, roll || "to be rolled")))));
    edited.rest = form.dice(edited.rest, 0, 0);
  }
  editor.element.before(bar);
  editor.element.after(make("div", { class: "rights" }, make("p", { class: "faint", id: "whose" }), ...(form.rights ? [make("div", { class: "row", role: "group", "aria-label": "Castling rights" }, ...RIGHTS.map(([letter, words]) => make("label", { class: "choice" }, make("input", { type: "checkbox", "data-right": letter, checked: form.rights(edited.rest).includes(letter), onchange: () => { edited.rest = form.allow(edited.rest, RIGHTS.map(([one]) => one).filter((one) => $(`[data-right="${one}"]`).checked).join("")); apply(); } }), ` ${words}`)))] : [])));
  tell(state);
}

const tell = (state) => { $("#whose").textContent = `${state.to_move.charAt(0).toUpperCase()}${state.to_move.slice(1)} to move. Drag pieces, or choose one above and touch its place.`; };

// Every place takes the chosen piece; what stands somewhere can be dragged anywhere.
function draw(state) {
  const places = state.board?.places ?? [], ids = places.map(({ id }) => id), movable = edited.form.paint ? [] : places.filter(({ here }) => here);
  editor.show({ ...state, legal: edited.form.paint ? [] : [...ids.map((id) => ({ text: `set ${id}`, touches: [id] })), ...movable.flatMap(({ id }) => ids.filter((to) => to !== id).map((to) => ({ text: `${id} ${to}`, touches: [id, to] })))] }, true, false);
}

function act(text) {
  const [from, to] = text.split(" ");
  if (from === "set") return paintCell(to);
  const [row, column] = from.split(",").map(Number), [r, c] = to.split(",").map(Number);
  if (!edited?.cells[row] || !edited.cells[r]) return;
  [edited.cells[r][c], edited.cells[row][column]] = [edited.cells[row][column], "."];
  apply();
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
  const { form, game, cells } = edited, mine = ++asked;
  const rest = form.rights && game === "chess" ? [edited.rest[0], form.possible(cells, edited.rest), "-", "0", "1"] : edited.rest;
  $("#start").value = form.write(cells, rest, game);
  const state = await ask("/api/positions", { game, parameters: page.fields.parameters(), start: $("#start").value }).catch((problem) => { if (mine === asked) $("#wrong").textContent = problem.message; return null; });
  if (state && mine === asked) { $("#wrong").textContent = ""; draw(state); tell(state); }
}

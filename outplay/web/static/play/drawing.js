// Arrows and circles on the board, kept in the comment of a position as other programs write them: by the right button, or by touch.
// @ts-check
import { ringed } from "./lines.js";
import { look } from "./moves.js";
import { board, page, query, watching } from "./state.js";
import { $, attempt, make } from "../studio.js";

const COLOURS = { G: "var(--good)", R: "var(--bad)", B: "var(--strong)", Y: "var(--ochre)" };
const pen = make("button", { type: "button", "aria-pressed": "false", title: "Draw arrows and circles: drag, or touch a place. With a mouse the right button does it, too; Shift red, Alt blue", onclick: () => {
  const on = pen.getAttribute("aria-pressed") !== "true";
  pen.setAttribute("aria-pressed", String(on));
  pen.classList.toggle("main", on);
} }, "Draw");
$("#note").append(pen);

const may = () => Boolean(page.record?.board && !page.record.hidden && !watching && !page.opening);
const nameOf = (id) => board.places.get(id)?.name;
const idOf = (name) => [...board.places.values()].find((place) => place.name === name)?.id;

// What a comment has drawn: pairs of places, a circle being an arrow from a place to itself.
export function draw(state) {
  if (!wired) wire();
  for (const old of board.svg?.querySelectorAll(".drawn") ?? []) old.remove();
  const note = state.notes?.[state.at];
  if (!note || !state.board) return;
  for (const { colour, from, to } of ringed(note, (row, column) => `${row},${column}`)) {
    const [a, b] = [board.places.has(from) ? from : idOf(from), board.places.has(to) ? to : idOf(to)];
    if (a === undefined || b === undefined) continue;
    if (a !== b) board.arrow(a, b, false, " drawn"); else {
      const { x, y, w, h } = board.places.get(a), ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      for (const [key, value] of Object.entries({ class: "drawn ring", cx: x + w / 2, cy: y + h / 2, r: Math.min(w, h) * 0.44 })) ring.setAttribute(key, String(value));
      board.svg.querySelector(".above").append(ring);
    }
    for (const shape of [...board.svg.querySelectorAll(".drawn")].slice(-1)) shape.style.setProperty("--drawn", COLOURS[colour] ?? COLOURS.G);
  }
}

async function toggle(from, to, colour) {
  const { at, plies, notes, address } = page.record, note = notes?.[at] ?? "";
  const known = ringed(note, (row, column) => `${row},${column}`).map((one) => ({ ...one, from: board.places.has(one.from) ? nameOf(one.from) : one.from, to: board.places.has(one.to) ? nameOf(one.to) : one.to }));
  const [a, b] = [nameOf(from), nameOf(to)];
  const rest = known.filter((one) => !(one.from === a && one.to === b)), left = rest.length < known.length ? rest : [...rest, { colour, from: a, to: b }];
  const rings = left.filter((one) => one.from === one.to), arrows = left.filter((one) => one.from !== one.to), joint = (one) => (`${one.from}${one.to}`.length === 4 ? "" : "-");
  const bare = note.replace(/ ?\[%(csl|cal) [^\]]*\]/g, "").trim();
  const text = [bare, rings.length ? `[%csl ${rings.map((one) => one.colour + one.from).join(",")}]` : "", arrows.length ? `[%cal ${arrows.map((one) => one.colour + one.from + joint(one) + one.to).join(",")}]` : ""].filter(Boolean).join(" ");
  await attempt(() => look(`/api/records/${address}/notes${query()}`, { at, plies, text }, false));
}

// The place under a pointer.
function under(event) {
  const { width, height } = page.record.board, box = board.stage.getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width * width, y = (event.clientY - box.top) / box.height * height;
  return [...board.places.values()].find((place) => x >= place.x && x < place.x + place.w && y >= place.y && y < place.y + place.h)?.id;
}

let begun = /** @type {any} */ (null), wired = false;
function wire() { // once there is a board
  wired = true;
  board.stage.addEventListener("pointerdown", (event) => {
    const drawn = event.button === 2 || (event.button === 0 && pen.getAttribute("aria-pressed") === "true");
    if (!drawn || !may()) return;
    event.preventDefault();
    event.stopPropagation();
    begun = under(event) ?? null;
  }, true);
  board.stage.addEventListener("click", (event) => { if (pen.getAttribute("aria-pressed") === "true" && may()) { event.preventDefault(); event.stopPropagation(); } }, true);
  board.stage.addEventListener("pointerup", (event) => {
    if (begun === null) return;
    const from = begun, to = under(event);
    begun = null;
    event.preventDefault();
    event.stopPropagation();
    if (to !== undefined) toggle(from, to, event.shiftKey ? "R" : event.altKey ? "B" : "G");
  }, true);
  board.stage.addEventListener("contextmenu", (event) => { if (may()) event.preventDefault(); });
}

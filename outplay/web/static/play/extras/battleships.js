// Battleships: the whole fleet on the own sea, dragged and turned until it lies well.
// @ts-check
import { reply, tool } from "../moves.js";
import { refusal, show } from "../show.js";
import { board, page, say } from "../state.js";
import { $, attempt, make, notice } from "../../studio.js";

const HULL = (length, down) => `<svg viewBox="0 0 ${down ? 48 : 48 * length} ${down ? 48 * length : 48}" preserveAspectRatio="none" aria-hidden="true"><g ${down ? 'class="down"' : ""}>
  <path class="hull" d="M4 24C9 14 16 9 26 9H${48 * length - 14}C${48 * length - 7} 9 ${48 * length - 3} 15 ${48 * length - 3} 19V29C${48 * length - 3} 33 ${48 * length - 7} 39 ${48 * length - 14} 39H26C16 39 9 34 4 24Z"/>
  ${Array.from({ length }, (_, k) => `<circle class="turret" cx="${48 * k + 26}" cy="24" r="8"/>`).join("")}</g></svg>`;

let key = "", ships = [];
const name = (row, column) => `${"abcdefghijklmnopqrstuvwxyz"[column]}${row + 1}`;
const cellsOf = ({ row, column, length, down }) => Array.from({ length }, (_, k) => [row + (down ? k : 0), column + (down ? 0 : k)]);
const words = (ship) => { const cells = cellsOf(ship), [first, last] = [cells[0], cells.at(-1)]; return ship.length === 1 ? name(...first) : `${name(...first)}-${name(...last)}`; };

function lies(ship, { width, height }, others = ships) {
  const cells = cellsOf(ship), taken = new Set(others.filter((other) => other !== ship && other.number !== ship.number).flatMap((other) => cellsOf(other).map(String)));
  return cells.every(([row, column]) => row >= 0 && column >= 0 && row < height && column < width && !taken.has(String([row, column])));
}

function scatter(fleet) {
  for (let tries = 0; tries < 500; tries++) {
    const laid = [];
    for (const [number, length] of fleet.lengths.entries()) {
      for (let k = 0; k < 60; k++) {
        const ship = { number, length, down: Math.random() < 0.5, row: Math.floor(Math.random() * fleet.height), column: Math.floor(Math.random() * fleet.width) };
        if (lies(ship, fleet, laid)) { laid.push(ship); break; }
      }
    }
    if (laid.length === fleet.lengths.length) return laid;
  }
  return [];
}

export function harbour(state) {
  const fleet = state.fleet, open = fleet && state.movable && !page.busy && state.at === state.plies && !state.curtain;
  $(".harbour", board.stage)?.remove();
  if (!open) { key = ""; return false; }
  const now = `${state.address} ${state.plies}`;
  if (key !== now) { key = now; ships = scatter(fleet); }
  if (!ships.length) return false; // so full a sea is laid ship by ship
  const layer = make("div", { class: "harbour" });
  const { width, height } = state.board;
  const place = (ship) => {
    const cells = cellsOf(ship).map(([row, column]) => board.places.get(`${row},${column + fleet.left}`)), [first, last] = [cells[0], cells.at(-1)];
    if (!first || !last) return;
    Object.assign(ship.button.style, { left: `${first.x / width * 100}%`, top: `${first.y / height * 100}%`, width: `${(last.x + last.w - first.x) / width * 100}%`, height: `${(last.y + last.h - first.y) / height * 100}%`, translate: "" });
    ship.button.innerHTML = HULL(ship.length, ship.down);
    ship.button.setAttribute("aria-label", `${fleet.names[ship.number]}, ${words(ship)}: arrow keys move it, Enter turns it`);
  };
  const put = (ship, changed) => {
    const wanted = { ...ship, ...changed };
    const fits = lies(wanted, fleet);
    if (fits) { Object.assign(ship, changed); refusal(""); }
    place(ship);
    return fits;
  };
  const turn = (ship) => {
    for (const back of Array.from({ length: ship.length }, (_, k) => k)) { // about the place that leaves room, the first one first
      const changed = ship.down ? { down: false, row: ship.row + back, column: ship.column - back } : { down: true, row: ship.row - back, column: ship.column + back };
      if (put(ship, changed)) return;
    }
    refusal("There is no room to turn it here.");
  };
  for (const ship of ships) {
    ship.button = make("button", { type: "button", class: "ship" });
    let from = /** @type {any} */ (null), moved = false;
    const { button } = ship;
    button.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; moved = false; try { button.setPointerCapture(event.pointerId); } catch { /* a pointer that has gone */ } event.preventDefault(); button.focus({ preventScroll: true }); });
    button.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
      if (Math.hypot(x, y) > 6) moved = true;
      if (moved) { button.classList.add("carried"); button.style.translate = `${x}px ${y}px`; }
    });
    const end = (event) => {
      if (!from) return;
      const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
      from = null;
      button.classList.remove("carried");
      if (event.type === "pointercancel") return place(ship);
      if (!moved) return turn(ship);
      const cell = board.buttons.get(`0,${fleet.left}`).getBoundingClientRect();
      if (!put(ship, { row: ship.row + Math.round(y / cell.height), column: ship.column + Math.round(x / cell.width) })) refusal("No ship may lie over another, or outside the sea.");
    };
    button.addEventListener("pointerup", end);
    button.addEventListener("pointercancel", end);
    button.addEventListener("keydown", (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (step) put(ship, { row: ship.row + step[0], column: ship.column + step[1] });
      else if (event.key === "Enter" || event.key === " ") turn(ship);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    place(ship);
    layer.append(button);
  }
  board.stage.append(layer);
  const ready = make("button", { type: "button", class: "main", id: "ready", onclick: () => attempt(async () => {
    if (page.busy || page.record !== state) return;
    const found = await tool("fleet", { plies: state.plies, asked: { ships: ships.map(words) } });
    if (found.record) { show(found.record); await reply(); } else notice("the fleet does not lie yet");
  }) }, "Ready");
  $("#others").replaceChildren(ready, make("button", { type: "button", onclick: () => { ships = scatter(fleet); harbour(state); } }, "Shuffle"));
  say("Drag your ships where they are to lie; touch one to turn it. Then press Ready.");
  return true;
}

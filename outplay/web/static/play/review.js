// The review of a game: each move judged, the graph of the chances.
// @ts-check
import { walk } from "./analysis.js";
import { step } from "./moves.js";
import { list } from "./record.js";
import { page, upper } from "./state.js";
import { $, make, stream } from "../studio.js";

export let reviewing = null;
export async function review() {
  if (reviewing) { reviewing.abort(); return; }
  const controller = reviewing = new AbortController();
  page.judged = [];
  page.lucky = [];
  $("#review").textContent = "Stop";
  $("#reviewed").textContent = "…";
  let accuracy = /** @type {any} */ (null);
  try {
    await stream(`/api/records/${page.record.address}/review`, { nodes: 1000 * (+$("#each").value || 200) }, (message) => {
      if (message.compiling) $("#reviewed").textContent = "preparing …";
      if (message.move) { page.judged[message.move.ply] = message.move; page.values.set(message.move.ply + 1, message.move); $("#reviewed").textContent = `back to move ${message.move.ply + 1} of ${page.record.plies}`; reviewed(); }
      if (message.luck) page.lucky[message.luck.ply] = message.luck;
      if (message.accuracy) accuracy = message;
    }, controller.signal);
  } catch (problem) { $("#reviewed").textContent = problem.message; }
  reviewing = null;
  $("#review").textContent = "Review";
  if (accuracy) {
    document.dispatchEvent(new CustomEvent("reviewed", { detail: { record: page.record, judged: page.judged, accuracy: accuracy.accuracy } }));
    $("#reviewed").textContent = `${accuracy.nodes.toLocaleString("en")} nodes a position`;
    const luck = page.record.seats.map((seat, number) => [seat, page.lucky.filter((one) => one?.player === number).reduce((sum, one) => sum + one.luck, 0)]);
    $("#accuracy").textContent = accuracy.accuracy.map((value, seat) => value === null ? "" : `${upper(page.record.seats[seat] ?? "")}: ${value} % accurate`).filter(Boolean).join(" · ")
      + (page.lucky.some(Boolean) ? `. Luck: ${luck.map(([seat, sum]) => `${upper(seat)} ${sum >= 0 ? "+" : "−"}${Math.abs(sum).toFixed(2)} ${page.lucky.find(Boolean).unit}`).join(" · ")}` : "");
  }
  list(page.record);
  reviewed();
}

export function reviewed() {
  const known = page.judged.filter(Boolean);
  if (!known.length) { $("#graph").replaceChildren(); $("#judged").replaceChildren(); $("#accuracy").textContent = ""; return; }
  const wide = 520, tall = 110, all = page.record.plies;
  const first = known.map((move) => [move.ply + 1, page.record.players.length > 2 ? move.after : move.first]);
  const x = (ply) => 4 + ply / Math.max(1, all) * (wide - 8), y = (share) => 4 + (1 - share) * (tall - 8);
  const path = first.map(([ply, share], k) => `${k ? "L" : "M"}${x(ply).toFixed(1)} ${y(share).toFixed(1)}`).join("");
  const dots = known.filter((move) => /blunder|mistake|inacc/.test(move.word)).map((move) => `<circle class="dot-${move.word}" cx="${x(move.ply + 1)}" cy="${y(move.first)}" r="4.5"><title>${move.action}: ${move.word}</title></circle>`).join("");
  $("#graph").innerHTML = `<svg viewBox="0 0 ${wide} ${tall}" width="${wide}" height="${tall}" role="img" aria-label="Chances over the game"><rect class="field-low" width="${wide}" height="${tall}"/>
    <path class="area" d="M4 ${tall - 4}L${path.slice(1)}L${x(first.at(-1)[0])} ${tall - 4}Z"/><path class="middle" d="M4 ${tall / 2}H${wide - 4}"/><path class="curve" d="${path}"/>${dots}
    <path class="now" d="M${x(page.record.at)} 2V${tall - 2}"/></svg>`;
  $("#graph").onclick = (event) => { const box = $("#graph svg").getBoundingClientRect(); step(Math.max(0, Math.min(all, Math.round((event.clientX - box.left) / box.width * all)))); };
  const words = page.record.notation?.length ? page.record.notation : page.record.record;
  $("#judged").replaceChildren(...known.filter((move) => /blunder|mistake|inacc/.test(move.word)).map((move) => make("li", { class: move.word },
    make("button", { type: "button", class: "line", onclick: () => step(move.ply) }, `${upper(page.record.seats[move.player])} ${words[move.ply]}`),
    ` ${move.word}, gives away ${move.gives || `${Math.round(100 * move.given)} % of the game`}${move.proved ? " (proved)" : ""}; better `,
    make("button", { type: "button", class: "line", onclick: async () => { await step(move.ply); walk(move.line, move.spelled); } }, (move.spelled?.length ? move.spelled : move.line).slice(0, 5).join(" ") || move.best),
    move.words ? make("p", { class: "why" }, move.words) : ""))); // why it is one
}

// A friend's page: one game from one seat, which the code keeps. It asks every moment whether something has happened.
// @ts-check
import { Board } from "./board.js";
import { $, ask, make } from "./studio.js";
import { titled } from "./words.js";

const EVERY = 1200; // milliseconds between two questions
const narrow = matchMedia("(max-width: 560px)").matches;
const letters = (text) => text.toUpperCase().replace(/[^A-Z]/g, "");
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
let code = letters(location.pathname), state = /** @type {any} */ (null), timer = 0, busy = false;
const board = new Board($("#board"), (action) => move(action));

async function sit(wanted) {
  $("#wrong").textContent = "";
  try {
    const found = await ask("/api/see", { code: wanted, plies: -1, narrow });
    code = wanted;
    if (letters(location.pathname) !== code) history.replaceState(null, "", `/${code}`); // the address alone brings the seat back
    $("#joining").hidden = true;
    $("#table").hidden = false;
    show(found);
    follow();
  } catch (problem) {
    $("#joining").hidden = false;
    $("#code").focus();
    $("#wrong").textContent = problem.message;
  }
}

function follow() {
  clearTimeout(timer);
  timer = window.setTimeout(async () => {
    if (!document.hidden && !busy) try {
      const before = state, found = await ask("/api/see", { code, plies: state.plies, narrow });
      if (!found.same && !busy && before === state) show(found);
      $("#refusal").textContent = "";
    } catch (problem) { $("#refusal").textContent = problem.message; }
    follow();
  }, EVERY);
}

async function move(action) {
  if (busy || !state.movable) return;
  busy = true;
  $("#refusal").textContent = "";
  try { show(await ask("/api/move", { code, plies: state.plies, action, narrow })); } catch (problem) {
    board.show(state, state.movable, false);
    $("#refusal").textContent = problem.message;
  } finally { busy = false; }
}

function row(seat) {
  const turn = state.player === seat && !state.terminal, has = state.standing?.[seat];
  const face = make("span", { class: `face seat-${seat % 6}`, "aria-hidden": "true" }, upper(state.seats[seat]).charAt(0));
  if (state.faces?.[seat]) face.innerHTML = state.faces[seat];
  const bits = [face, make("span", { class: "who" }, make("strong", {}, seat === state.seat ? "You" : upper(state.seats[seat])), make("span", { class: "level" }, seat === state.seat ? upper(state.seats[seat]) : ""))];
  if (turn) bits.push(make("span", { class: "turn" }, "to move"));
  if (has?.icons?.length) { const icons = make("span", { class: "taken", role: "img", "aria-label": has.label ?? has.about ?? "" }); icons.innerHTML = has.icons.join(""); bits.push(icons); }
  if (has?.words) bits.push(make("span", { class: "score" }, has.words));
  return make("span", { class: `seat-name${turn ? " moves" : ""}` }, ...bits);
}

function show(found) {
  state = found;
  $("#who").textContent = `seat ${code}`;
  $("#title").textContent = titled(state.game.split(":")[0]);
  board.show(state, state.movable);
  board.element.setAttribute("aria-label", `${state.game} board`);
  const others = state.seats.map((_, seat) => seat).filter((seat) => seat !== state.seat);
  $("#seat-top").replaceChildren(...others.map(row));
  $("#seat-bottom").replaceChildren(row(state.seat));
  const words = state.notation?.length ? state.notation : state.record, last = words.at(-1), mover = state.movers.at(-1);
  const before = state.happened ? `${state.happened} ` : last && last !== "•" && mover >= 0 && mover !== state.seat ? `${upper(state.seats[mover])} played ${last}. ` : "";
  $("#status").textContent = state.terminal ? [state.result && `${upper(state.result)}.`, state.reason && `${upper(state.reason)}.`].filter(Boolean).join(" ")
    : before + (state.person ? state.task || "Your move." : `${upper(state.to_move)} is to move.`);
  const plain = state.legal.filter(({ touches }) => !touches.length);
  $("#others").replaceChildren(...(state.movable ? plain : []).map(({ text, said }) => make("button", { type: "button", title: text, onclick: () => move(text) }, said ?? text)));
  $("#calls").textContent = state.auction?.calls?.map((call) => `${state.auction.seats[call.seat].charAt(0)} ${call.said}`).join(", ") ?? "";
  $("#resign").hidden = state.terminal;
  $("#record").replaceChildren(make("li", {}, ...words.flatMap((word, ply) => (word === "•" || state.movers[ply] < 0 ? [] : [`${word}  `]))));
}

$("#joining").addEventListener("submit", (event) => { event.preventDefault(); sit(letters($("#code").value)); });
$("#resign").addEventListener("click", async () => {
  if (!confirm("Give this game up?")) return;
  try { show(await ask("/api/resign", { code, plies: state.plies, narrow })); } catch (problem) { $("#refusal").textContent = problem.message; }
});
if (code) sit(code); else { $("#joining").hidden = false; $("#code").focus(); }

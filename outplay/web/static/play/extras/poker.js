// Poker: a bet by slider or by shares of the pot, in place of a button for each size.
// @ts-check
import { move } from "../moves.js";
import { page } from "../state.js";
import { $, make } from "../../studio.js";

export function betting(state) {
  const told = state.raise;
  if (!told || !state.movable || page.busy || !$("#others").children.length) return;
  const { least, most, high, mine, pot } = told, opens = high === 0, verb = opens ? "Bet" : "Raise to";
  for (const button of [...$("#others").children]) if (/^r\d+$/.test(button.title)) button.remove();
  const within = (amount) => Math.max(least, Math.min(most, Math.round(amount)));
  const words = (amount) => (amount === most ? `All in, ${most}` : `${verb} ${amount}`);
  const slider = make("input", { type: "range", min: String(least), max: String(most), value: String(within(high + (pot + high - mine) * 0.66)), "aria-label": opens ? "Bet" : "Raise to" });
  const field = make("input", { type: "number", min: String(least), max: String(most), class: "amount", "aria-label": "Chips" });
  const play = make("button", { type: "button", class: "main", id: "bet", onclick: () => move(`r${within(+slider.value)}`) });
  const set = (amount) => { slider.value = String(within(amount)); field.value = slider.value; play.textContent = words(+slider.value); };
  slider.addEventListener("input", () => set(+slider.value));
  field.addEventListener("change", () => set(+field.value || least));
  // A raise by the pot: what lies there once one has called, on top of the call.
  const shares = [["⅓ pot", 1 / 3], ["½ pot", 1 / 2], ["⅔ pot", 2 / 3], ["Pot", 1]].map(([label, share]) => [label, within(high + (pot + high - mine) * /** @type {number} */ (share))]).filter(([, amount], k, all) => amount < most && (k === 0 || amount !== all[k - 1][1]));
  $("#others").append(play, make("div", { class: "betting" }, ...shares.map(([label, amount]) => make("button", { type: "button", onclick: () => set(amount) }, String(label))), make("button", { type: "button", onclick: () => set(most) }, "All in"), slider, field));
  set(+slider.value);
}

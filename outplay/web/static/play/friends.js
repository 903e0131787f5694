// A friend at another device: a seat is kept by a code, and the page looks now and then whether they have moved.
// @ts-check
import { reply } from "./moves.js";
import { show } from "./show.js";
import { base, page, query, upper, watching } from "./state.js";
import { $, ask, attempt, make } from "../studio.js";

const EVERY = 1200; // milliseconds
let opened = "";

export function befriend(state) {
  const seats = state.players.map((text, seat) => ({ text, seat })).filter(({ text }) => text === "human" || text === "friend");
  $("#friends").hidden = Boolean(watching) || seats.length < 2;
  const chosen = $("#friend-seat").value;
  $("#friend-seat").replaceChildren(...seats.map(({ seat, text }) => make("option", { value: String(seat) }, upper(state.seats[seat]) + (text === "friend" ? " (kept)" : ""))));
  $("#friend-seat").value = seats.some(({ seat }) => String(seat) === chosen) ? chosen : String(seats.at(-1)?.seat ?? "");
  if (opened !== state.address) { opened = state.address; $("#invited").replaceChildren(); }
}

$("#invite").addEventListener("click", () => attempt(async () => {
  const { address } = page.record;
  const kept = await ask("/api/friends", { address, seat: +$("#friend-seat").value, network: $("#friend-network").checked });
  show(await ask(`/api/records/${address}${query()}`), false);
  $("#invited").replaceChildren("Your friend opens ", make("strong", {}, kept.address), " and types ", make("strong", { class: "mono" }, kept.code), `, or goes to ${kept.link}. `, kept.network ? "Every computer that can reach this one can knock there." : "Only on this computer, until you allow other devices.");
  $("#shut").hidden = false;
}));
$("#shut").addEventListener("click", () => attempt(async () => {
  await ask("/api/friends/close", {});
  $("#shut").hidden = true;
  $("#invited").textContent = "The door is shut. The code holds when you open it again.";
}));

setInterval(async () => {
  const before = page.record;
  if (!before?.away || document.hidden || page.opening || before.at !== before.plies) return;
  const state = await ask(`${base()}${query()}`).catch(() => null);
  if (state && page.record === before && state.plies !== before.plies) { show(state); reply(); }
}, EVERY);

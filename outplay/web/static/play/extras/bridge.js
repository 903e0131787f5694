// The bridge table: the auction with what it means, claims, open cards afterwards.
// @ts-check
import { tool } from "../moves.js";
import { refusal, show, status } from "../show.js";
import { board, page, query, say, upper, watching } from "../state.js";
import { $, attempt, make, stream } from "../../studio.js";

function table(told) {
  const rows = [];
  let row = Array(4).fill("");
  told.calls.forEach((call, k) => {
    row[call.seat] = make("td", { title: call.means, class: /♥|♦/.test(call.said) ? "red" : "" }, call.said);
    if (call.seat === 3 || k === told.calls.length - 1) { rows.push(make("tr", {}, ...row.map((cell) => cell || make("td")))); row = Array(4).fill(""); }
  });
  return make("table", { class: "auction" }, make("caption", {}, "Auction"), make("thead", {}, make("tr", {}, ...told.seats.map((seat) => make("th", {}, seat)))), make("tbody", {}, ...rows));
}

// Bridge: the auction as a table, and a box to bid from; each call says what it means.
export function auction(state) {
  const told = state.auction, boxed = told && $("#others").children.length && state.legal.some(({ text }) => /^[1-7](C|D|H|S|NT)$/.test(text) || text === "pass");
  $("#others").classList.toggle("bidding", Boolean(boxed));
  if (!told || !(told.calls.length || boxed)) { $("#special").replaceChildren(); return; }
  if (state.trick?.length && !boxed) { // the auction is behind a touch, the last trick in view
    $("#special").replaceChildren(make("h3", { class: "slim" }, "The trick before"), make("div", { class: "last-trick" }, ...state.trick.map(({ seat, icon, said: card }) => { const one = make("span", { role: "img", "aria-label": `${seat} ${card}` }); one.innerHTML = icon; one.append(make("small", {}, seat)); return one; })),
      make("details", {}, make("summary", {}, `Auction: ${told.calls.map(({ said: call }) => call).filter((call) => call !== "Pass").join(" ")}`), table(told)));
    return;
  }
  const words = told.calls.filter(({ means }) => means && means !== "anything").slice(-4).map((call) => make("li", {}, make("strong", {}, `${told.seats[call.seat]} ${call.said}`), `: ${call.means}`));
  $("#special").replaceChildren(table(told), make("ul", { class: "meanings" }, ...words));
  const lowest = Math.min(7, ...[...$("#others").children].map(({ title }) => +(/^[1-7](?=[CDHSN])/.exec(title)?.[0] ?? 7))); // levels that are gone leave no rows
  let known = false;
  if (boxed) for (const button of [...$("#others").children]) {
    const means = told.means[button.title], bid = /^([1-7])(C|D|H|S|NT)$/.exec(button.title);
    button.style.gridColumn = bid ? String(["C", "D", "H", "S", "NT"].indexOf(bid[2]) + 1) : "6"; // a column a strain, a row a level
    button.style.gridRow = bid ? String(+bid[1] - lowest + 1) : { pass: "1", X: "2", XX: "3" }[button.title] ?? "auto";
    button.classList.toggle("red", /♥|♦/.test(button.textContent));
    if (means) { known = true; button.title = means; button.classList.add("known"); button.setAttribute("aria-label", `${button.textContent}: ${means}`); }
  }
  if (known) $("#others").append(make("p", { class: "faint meaning" }, "Green: bids with a meaning in the system; point at one to read it."));
}

// Bridge, once the board is over: under each card the tricks that declarer takes after it.
export async function openCards(state) {
  if (!state.tools.includes("open-cards") || state.hidden || state.at === state.plies || watching) return;
  const found = await tool("open-cards", { at: state.at }).catch(() => null);
  if (!found || page.record !== state) return;
  const best = Math.max(...Object.values(found.cards));
  for (const { text, touches } of state.legal) if (found.cards[text] !== undefined && touches.length) board.label(touches[0], String(found.cards[text]), found.cards[text] === best ? "worth best" : "worth");
}

// Bridge: declarer claims tricks; the claim stands where defenders who saw all cards could do nothing about it.
export function claim(state) {
  if (!state.claim || !state.movable || page.busy) return;
  $("#others").append(make("button", { type: "button", id: "claim", onclick: () => {
    const tricks = make("input", { type: "number", min: "0", max: String(state.claim), value: String(state.claim), "aria-label": "tricks" });
    $("#advised").replaceChildren(make("form", { class: "row", onsubmit: async (event) => {
      event.preventDefault();
      const before = page.record;
      say("The defenders look at the claim …");
      let said = /** @type {any} */ (null), ended = /** @type {any} */ (null);
      await attempt(() => stream(`/api/records/${before.address}/extra/claim${query()}`, { plies: before.plies, asked: { tricks: +tricks.value } }, (message) => { if (message.claim) said = message.claim; if (message.record) ended = message.record; }));
      if (page.record !== before) return;
      if (ended) { show(ended); $("#advised").replaceChildren(make("p", {}, `The claim stands: ${said.reason}.`)); } else { say(status(page.record, true)); refusal(said ? `${upper(said.reason)}.` : ""); }
    } }, make("label", { class: "inline" }, "I claim", tricks, ` of the last ${state.claim} tricks`), make("button", { class: "main" }, "Claim")));
    tricks.focus();
  } }, "Claim …"));
}

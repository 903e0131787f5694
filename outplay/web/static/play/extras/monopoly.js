// Monopoly: deeds, trades, what everybody is worth.
// @ts-check
import { move, tool } from "../moves.js";
import { page, watching } from "../state.js";
import { $, make } from "../../studio.js";

// Monopoly: what everybody is worth, turn by turn.
let charted = "";
export async function worthChart(state) {
  if (!state.tools.includes("worth") || watching) return;
  const key = `${state.address} ${state.plies}`;
  if (charted === key) return;
  charted = key;
  const found = await tool("worth", {}).catch(() => null);
  if (!found || charted !== key || page.record?.address !== state.address || found.worth.length < 2) return;
  const wide = 520, tall = 150, most = Math.max(...found.worth.flatMap((point) => point.slice(1)), 1), last = found.worth.at(-1)[0] || 1;
  const path = (seat) => found.worth.map((point, k) => `${k ? "L" : "M"}${(point[0] / last * (wide - 60) + 4).toFixed(1)} ${(tall - 8 - point[seat + 1] / most * (tall - 20)).toFixed(1)}`).join("");
  let free = 0; // the names at the right keep a line's distance
  const ends = state.seats.map((name, seat) => [found.worth.at(-1)[seat + 1], name]).sort((a, b) => b[0] - a[0]).map(([amount, name]) => {
    const y = Math.max(free, tall - 4 - amount / most * (tall - 20));
    free = y + 15;
    return `<text x="${wide - 52}" y="${y}">${name} ${amount}</text>`;
  }).join("");
  const figure = make("figure", { class: "chart worth-chart" }, make("figcaption", { class: "faint" }, "What everybody is worth"));
  figure.insertAdjacentHTML("beforeend", `<svg viewBox="0 0 ${wide} ${tall}" role="img" aria-label="${state.seats.map((name, seat) => `${name} ${found.worth.at(-1)[seat + 1]}`).join(", ")}">
    <path class="axis" d="M4 4V${tall - 8}H${wide - 56}"/>${state.seats.map((_, seat) => `<path class="series l${seat}" d="${path(seat)}"/>`).join("")}${ends}</svg>`);
  $("#special").replaceChildren(figure);
}

// Monopoly: the card of a deed, for a touch of its space.
let deeds = null;
export async function deed(space) {
  deeds ??= await tool("deeds", {}).catch(() => null);
  const card = deeds?.[space];
  if (!card) return false;
  const rents = card.rents.some(Boolean) ? card.rents.map((rent, houses) => make("tr", {}, make("td", {}, houses === 0 ? "rent" : houses === 5 ? "with a hotel" : `with ${houses} house${houses > 1 ? "s" : ""}`), make("td", { class: "number" }, String(rent)))) : [];
  $("#advised").replaceChildren(make("div", { class: "deed-card" }, make("h3", { class: `of-${card.group}` }, card.name), make("p", {}, `Price ${card.price}${card.house ? `, a house costs ${card.house}` : ""}. Mortgage ${card.price / 2}.`),
    make("table", {}, ...rents), ...(card.group === "stations" ? [make("p", {}, "Rent 25, 50, 100 or 200 with one to four stations.")] : card.group === "utilities" ? [make("p", {}, "Rent four times the dice, ten times with both.")] : [])));
  return true;
}

// Monopoly: an offer put together from what both have; only what the rules allow can be chosen.
export function trade(state) {
  const offers = state.movable && !page.busy ? state.legal.map(({ text }) => text).filter((text) => text.startsWith("offer:")) : [];
  if (!offers.length) return;
  $("#others").append(make("button", { type: "button", onclick: () => {
    const all = offers.map((text) => { const [, to, give, take, cash] = text.split(":"); return { text, to, give, take, cash }; });
    const names = new Map(state.board.places.map(({ id, name }) => [id, name]));
    const called = (thing) => thing === "-" ? "nothing" : thing === "f" || thing === "t" ? "a card that opens the jail" : names.get(thing) ?? thing;
    const field = (label, key, words) => {
      const choice = make("select", { "data-key": key });
      choice.addEventListener("change", () => fill(key));
      return [make("label", {}, label, choice), choice, words];
    };
    const parts = [field("To", "to", (value) => value), field("You give", "give", called), field("You get", "take", called), field("Cash", "cash", (value) => +value === 0 ? "none" : +value > 0 ? `you pay ${+value}` : `you get ${-value}`)];
    // Each choice narrows those below it.
    const fill = (changed) => {
      let left = all, below = changed === undefined;
      for (const [, choice, words] of parts) {
        const key = choice.dataset.key, kept = choice.value;
        if (below) {
          const values = [...new Set(left.map((one) => one[key]))];
          choice.replaceChildren(...values.map((value) => make("option", { value }, words(value))));
          if (values.includes(kept)) choice.value = kept;
        }
        if (key === changed) below = true;
        left = left.filter((one) => one[key] === choice.value);
      }
      return left[0];
    };
    fill();
    $("#advised").replaceChildren(make("form", { class: "trade", onsubmit: (event) => { event.preventDefault(); const chosen = fill("cash"); if (chosen) move(chosen.text); } },
      make("h3", {}, "Offer a trade"), make("div", { class: "fields" }, ...parts.map(([label]) => label)), make("div", { class: "row" }, make("button", { class: "main" }, "Offer"), make("button", { type: "button", onclick: () => $("#advised").replaceChildren() }, "Cancel"))));
    parts[0][1].focus();
  } }, "Trade …"));
}

// The card of rules: what one wants, how one moves, what is special; opened by its button or the key "?".
// @ts-check
import { page } from "./state.js";
import { $, ask, attempt, make } from "../studio.js";

/** Words in which code stands between grave accents. @param {string} text */
const marked = (text) => text.split(/`+/).map((part, number) => (number % 2 ? make("code", {}, part) : part));
/** @param {[string, string][]} lines */
const listed = (lines) => lines.flatMap(([heading, text]) => [make("dt", {}, heading), make("dd", {}, ...marked(text))]);

let shown = "";

export async function rules() {
  const card = /** @type {HTMLDialogElement} */ ($("#card")), game = page.record.game;
  if (card.open) return card.close();
  if (shown !== game) {
    const told = await attempt(() => ask("/api/rules", { game }));
    if (!told) return;
    shown = game;
    $("#card-name").textContent = $("#title").textContent;
    $("#card-summary").replaceChildren(...marked(told.summary));
    $("#card-lines").replaceChildren(...listed(told.lines));
    $("#card-more").replaceChildren(...told.more.map((text) => make("p", {}, ...marked(text))));
    $("#card-facts").replaceChildren(...listed(told.facts), ...listed(told.options));
    $("#card-picture").innerHTML = told.picture ?? "";
  }
  card.showModal();
}

$("#card").addEventListener("click", (event) => { if (event.target === event.currentTarget) event.currentTarget.close(); }); // beside the card

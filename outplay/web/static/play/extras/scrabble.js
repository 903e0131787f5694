// Scrabble: tiles laid and judged one by one, tiles swapped.
// @ts-check
import { fingers } from "../../board.js";
import { move, tool } from "../moves.js";
import { refusal, status } from "../show.js";
import { board, page, say, upper } from "../state.js";
import { $, attempt, make } from "../../studio.js";

// A hundred ways to swap tiles are one field: the letters to give back.
export function swapping(swaps) {
  const field = make("input", { size: 8, maxlength: 7, autocomplete: "off", autocapitalize: "characters", spellcheck: false, placeholder: "letters", "aria-label": "letters to swap, ? for a blank" });
  const sorted = (text) => [...text.toUpperCase()].sort().join("");
  return make("form", { class: "swap", onsubmit: (event) => {
    event.preventDefault();
    const wanted = swaps.find((text) => sorted(text.slice(5)) === sorted(field.value.trim()));
    if (wanted) move(wanted); else refusal(field.value.trim() ? `"${field.value.trim().toUpperCase()}" are not letters of your rack.` : "Type the letters to give back.");
  } }, field, make("button", {}, "Swap"));
}

// What the tiles that lie on the board make: asked after each, so that a play shows its points before it is made.
const byKey = (name) => (fingers.matches ? "" : ` (${name})`); // who has no keyboard need not hear of it
export let unfit = "", judging = null; // why it is no play; what is asked for
export async function judge() {
  const { made, wishes } = board;
  $("#undo").hidden = !made.length;
  $("#lay").hidden = true;
  $("#undo").textContent = "Take a tile back";
  unfit = "";
  judging = made;
  refusal("");
  if (!made.length) return say(status(page.record, true));
  const found = await attempt(() => tool("laid", { plies: page.record.plies, asked: { touches: made.flat(), letters: wishes } }));
  if (!found || board.made !== made || !page.record.laying) return; // more was laid since, and is asked for by itself
  judging = null;
  board.whole = found.plays.map(({ action }) => action);
  unfit = found.reason ? `${upper(found.reason)}.` : "";
  const [best] = found.plays, points = best && !best.action.startsWith("swap") ? `, ${best.points} point${best.points === 1 ? "" : "s"}` : "";
  $("#lay").hidden = !best;
  $("#lay").textContent = found.plays.length > 1 ? `Play ${best.action}${points}, or …` : best ? `Play ${best.action}${points}` : "Play this";
  say(best ? `${best.action}${points}${found.plays.length > 1 ? `, or ${found.plays.length - 1} more` : ""}: play it${byKey("Enter")}, or lay more.` : made.length === 1 ? `Lay more, or take the tile back${byKey("Escape")}.` : `${upper(found.reason)}: lay more, or take a tile back${byKey("Escape")}.`);
  if (page.eager === made) { page.eager = null; if (best) board.lay(); else refusal(unfit); }
}

// The tiles on the rack in another order: for the eye alone.
export function rack(state) {
  const tiles = state.laying?.tiles ?? [];
  if (tiles.length < 2 || !state.movable || page.busy) return;
  const numbers = () => tiles.map((_, k) => k);
  const placed = () => numbers().sort((a, b) => board.places.get(tiles[a]).x - board.places.get(tiles[b]).x);
  const apply = (sorted) => { // from where the tiles lie now to where they are wanted
    const here = placed(), spots = here.map((k) => ({ ...board.places.get(tiles[k]) })), at = here.map((k) => board.where(board.top(tiles[k])));
    if (board.made?.length) return refusal("Take the tiles back first.");
    sorted.forEach((k, place) => { const { x, y, w, h } = spots[place]; Object.assign(board.places.get(tiles[k]), { x, y, w, h }); board.glide(board.top(tiles[k]), at[place]); });
    board.arrange();
  };
  const letter = (k) => board.places.get(tiles[k]).here;
  const shuffled = () => { const all = numbers(); for (let k = all.length - 1; k > 0; k--) { const other = Math.floor(Math.random() * (k + 1)); [all[k], all[other]] = [all[other], all[k]]; } return all; };
  $("#others").append(make("button", { type: "button", onclick: () => apply(shuffled()) }, "Shuffle"), make("button", { type: "button", onclick: () => apply(numbers().sort((a, b) => letter(a).localeCompare(letter(b)))) }, "Sort"));
}

// What a visitor comes back to, on the front page: games that go on, the puzzle of the day, mistakes, lessons, ratings.
// @ts-check
import { path, streak } from "./standing.js";
import { ask, make } from "./studio.js";
import { dropped, load } from "./visitor.js";
import { titled } from "./words.js";

const SHOWN = 4;
const name = (game) => titled(game.split(":")[0]);

/** Games of this browser by their addresses, as they stand; those that are gone leave the list. */
export async function glances(addresses) {
  if (!addresses.length) return [];
  const { games } = await ask("/api/glances", { addresses: addresses.slice(0, 24) });
  const there = new Set(games.map(({ address }) => address));
  dropped(addresses.slice(0, 24).filter((address) => !there.has(address)));
  return games;
}

export function card(game) {
  const board = make("span", { class: "thumb" });
  board.innerHTML = game.svg;
  const state = game.terminal ? game.reason || game.result : game.person ? "your move" : `${game.to_move} to move`;
  return make("li", {}, make("a", { class: "game-card", href: `/play/${game.address}` }, board, make("strong", {}, name(game.game)), make("span", {}, `move ${game.plies}: ${state}`)));
}

/** A rating's curve as a small picture. */
export function curve(points, wide = 150, tall = 40) {
  const box = make("span", { class: "spark" });
  const values = points.map(([, value]) => value);
  box.innerHTML = `<svg viewBox="0 0 ${wide} ${tall}" width="${wide}" height="${tall}" role="img" aria-label="from ${values[0]} to ${values.at(-1)}, between ${Math.min(...values)} and ${Math.max(...values)}"><path class="curve" d="${path(values, wide, tall)}"/></svg>`;
  return box;
}

export async function mine(box) {
  const open = load("games", []).filter(({ over, played }) => !over && played), tiles = [];
  const [games, puzzles] = await Promise.all([glances(open.slice(0, 8).map(({ address }) => address)).catch(() => []), ask("/api/puzzles").catch(() => null)]);
  const going = games.filter(({ terminal }) => !terminal).slice(0, SHOWN);
  const run = streak(load("days", []), Date.now()), due = load("mistakes", []).filter((one) => one.due <= Date.now()).length, waiting = load("mistakes", []).length - due;
  if (puzzles?.day) {
    const done = load("puzzle-day", "") === puzzles.day.date;
    const picture = make("span", { class: "thumb" });
    ask(`/api/puzzles/${encodeURIComponent(puzzles.day.game)}/${puzzles.day.number}`).then(async (puzzle) => { picture.innerHTML = (await ask("/api/positions", { game: puzzle.game, start: puzzle.position })).board?.svg ?? ""; }).catch(() => {});
    tiles.push(make("a", { class: "tile pictured", href: "/puzzles" }, picture, make("span", {}, make("strong", {}, "Puzzle of the day"), make("span", {}, `${name(puzzles.day.game)}: ${done ? "solved today" : "find the one best action"}`))));
  }
  if (due || waiting) tiles.push(make("a", { class: "tile", href: due ? "/puzzles?mine" : "/you" }, make("strong", {}, "Your mistakes"), make("span", {}, due ? `${due} wait${due === 1 ? "s" : ""} to be played better` : `${waiting} come${waiting === 1 ? "s" : ""} back in the next days`)));
  const done = load("outplay.exercises", {}), half = Object.keys(done).at(-1);
  if (half) tiles.push(make("a", { class: "tile", href: `/learn/${half}` }, make("strong", {}, "Lessons"), make("span", {}, `${Object.keys(done).length} begun; go on with the last one`)));
  const results = load("results", []), { ratings } = results.length ? await ask("/api/ratings", { finished: results }).catch(() => ({ ratings: {} })) : { ratings: {} };
  const best = Object.entries(ratings).sort(([, a], [, b]) => (b.curve.at(-1)?.[0] ?? 0) - (a.curve.at(-1)?.[0] ?? 0)).slice(0, 2);
  for (const [game, one] of best) tiles.push(make("a", { class: "tile", href: "/you" }, make("strong", {}, `${name(game)} ${one.rating}`), curve(one.curve), make("span", {}, `your rating after ${one.counted === 1 ? "one game" : `${one.counted} games`}`)));
  if (!tiles.length && !going.length) return;
  box.replaceChildren(make("h2", {}, run > 1 ? `Welcome back: ${run} days in a row` : "Welcome back"), ...(tiles.length ? [make("div", { class: "tiles" }, ...tiles)] : []),
    ...(going.length ? [make("h2", {}, "Your games that go on"), make("ul", { class: "recent" }, ...going.map(card))] : []), make("p", {}, make("a", { href: "/you" }, "All of your games, ratings and mistakes")));
  box.hidden = false;
}

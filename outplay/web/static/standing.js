// What finished games come to: counts, days in a row, the path of a curve. Nothing here touches the page.
// @ts-check

/** One finished game of the visitor: `mine` is 1 won, 0.5 drawn, 0 lost; `aided` where hints were asked for or moves taken back.
 * @typedef {{ address: string, game: string, against: string[], mine: number, plies: number, when: number, aided: boolean, opening?: string, accuracy?: number | null, faults?: Record<string, number>, kinds?: Record<string, number> }} Finished */

/** The visitor's rating in a game, as `POST /api/ratings` tells it from all finished games: on the scale of the game's ladder.
 * @typedef {{ begin: number, rating: number, error: number, curve: [number, number][], counted: number }} Rated */

/** Games won, drawn, lost, under the names that `by` gives them, the most played first.
 * @param {Finished[]} finished @param {(one: Finished) => string | undefined} by @returns {{ name: string, won: number, drawn: number, lost: number, played: number }[]} */
export function tally(finished, by) {
  const found = new Map();
  for (const one of finished) {
    const name = by(one);
    if (!name) continue;
    const row = found.get(name) ?? { name, won: 0, drawn: 0, lost: 0, played: 0 };
    row.played += 1;
    row[one.mine === 1 ? "won" : one.mine === 0 ? "lost" : "drawn"] += 1;
    found.set(name, row);
  }
  return [...found.values()].sort((a, b) => b.played - a.played || a.name.localeCompare(b.name));
}

/** All counts of one kind added up. @param {(Record<string, number> | undefined)[]} parts @returns {[string, number][]} */
export function added(parts) {
  /** @type {Record<string, number>} */
  const sum = {};
  for (const part of parts) for (const [name, number] of Object.entries(part ?? {})) sum[name] = (sum[name] ?? 0) + number;
  return Object.entries(sum).sort((a, b) => b[1] - a[1]);
}

/** A day as it is written in lists: 2026-11-19, by the visitor's own clock. @param {number} when */
export function dayOf(when) {
  const date = new Date(when);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
}

/** How many days in a row up to today, or to yesterday, something was done. @param {string[]} days @param {number} now */
export function streak(days, now) {
  const done = new Set(days), at = new Date(now);
  at.setHours(12, 0, 0, 0); // noon: no change of the clocks moves it to another day
  if (!done.has(dayOf(at.getTime()))) at.setDate(at.getDate() - 1);
  let run = 0;
  for (; done.has(dayOf(at.getTime())); at.setDate(at.getDate() - 1)) run++;
  return run;
}

/** A curve as the points of an SVG path, in a box. @param {number[]} values @param {number} wide @param {number} tall */
export function path(values, wide, tall) {
  const all = values.length === 1 ? [values[0], values[0]] : values, low = Math.min(...all), span = Math.max(...all) - low || 1;
  return all.map((value, k) => `${k ? "L" : "M"}${(4 + k / (all.length - 1) * (wide - 8)).toFixed(1)} ${(tall - 4 - (value - low) / span * (tall - 8)).toFixed(1)}`).join("");
}

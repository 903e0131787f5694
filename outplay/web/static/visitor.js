// What this browser remembers of its visitor: games, results, mistakes, puzzles, exercises. It leaves the machine by an export alone.
// @ts-check
import { dayOf } from "./standing.js";

/** Everything that is kept, by name: what an export holds and what is deleted. */
export const KEPT = ["games", "results", "days", "mistakes", "puzzle-ratings", "puzzles-solved", "puzzle-day", "puzzle-days", "outplay.exercises", "matches", "studies", "language"];
const MOST_RESULTS = 2000, MOST_GAMES = 200, MOST_DAYS = 800;

/** @param {string} name @param {any} otherwise @returns {any} */
export function load(name, otherwise) {
  try { return JSON.parse(localStorage.getItem(name) ?? "null") ?? otherwise; } catch { return otherwise; }
}

/** @param {string} name @param {any} value */
export function keep(name, value) {
  try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* a full or private browser keeps no more */ }
}

/** Today something was done. @param {number} now */
export function worked(now = Date.now()) {
  const days = load("days", []), day = dayOf(now);
  if (days.at(-1) !== day) keep("days", [...days, day].slice(-MOST_DAYS));
}

/** A game that was opened stands first in the list. @param {{ address: string, game: string }} state */
export function opened({ address, game }) {
  const others = load("games", []).filter((one) => one.address !== address);
  const all = [{ ...load("games", []).find((one) => one.address === address), address, game, when: Date.now() }, ...others].slice(0, MOST_GAMES);
  keep("games", all);
  return all;
}

/** Note something of a game in the list. @param {string} address @param {Record<string, any>} more */
export function marked(address, more) {
  keep("games", load("games", []).map((one) => one.address === address ? { ...one, ...more } : one));
}

/** The list without some games. @param {string[]} addresses */
export function dropped(addresses) {
  const all = load("games", []), left = all.filter((one) => !addresses.includes(one.address));
  if (left.length < all.length) keep("games", left);
}

/** A game is over, or more is known of one that is: kept once, under its address. @param {Record<string, any> & { address: string }} one */
export function finished(one) {
  const all = load("results", []), before = all.find((other) => other.address === one.address);
  keep("results", [...all.filter((other) => other !== before), { ...before, ...one }].slice(-MOST_RESULTS));
}

/** All of it as one text, and back again. */
export const exported = () => JSON.stringify({ outplay: 1, ...Object.fromEntries(KEPT.map((name) => [name, load(name, null)]).filter(([, value]) => value !== null)) }, null, 1);

/** @param {string} text */
export function brought(text) {
  const found = JSON.parse(text);
  if (found?.outplay !== 1) throw new Error("this is no file of a visitor's games and results: expected one that this page saved");
  for (const name of KEPT) if (name in found) keep(name, found[name]);
}

export function forgotten() { for (const name of KEPT) localStorage.removeItem(name); }

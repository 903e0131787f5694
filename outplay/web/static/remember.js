// What happens on the Play page is remembered in this browser: how games ended, and mistakes that a review finds, which come back as puzzles.
// @ts-check
import { finished, keep, load, marked, worked } from "./visitor.js";

const DAY = 86400000, MOST = 300;

// The game on the page is over: how it ended for the only person at the board.
document.addEventListener("finished", (/** @type {any} */ { detail: record }) => {
  marked(record.address, { over: true });
  const people = record.players.map((text, seat) => text === "human" ? seat : -1).filter((seat) => seat >= 0);
  if (!load("games", []).find((one) => one.address === record.address)?.played) return; // it was only looked at
  if (people.length !== 1 || record.players.length < 2 || !record.utilities) return;
  const [seat] = people, mine = record.utilities[seat], best = Math.max(...record.utilities), even = record.utilities.every((worth) => worth === best);
  if (load("results", []).some((one) => one.address === record.address && one.plies === record.plies)) return;
  const aided = Boolean(load("games", []).find((one) => one.address === record.address)?.aided);
  finished({ address: record.address, game: record.game.split(":")[0], against: record.players.filter((_, other) => other !== seat), mine: even ? 0.5 : mine === best ? 1 : 0,
    plies: record.plies, when: Date.now(), aided, ...(record.opening ? { opening: record.opening } : {}) });
  worked();
});

// Help was asked for, or a move taken back: the game counts, and not for the rating.
document.addEventListener("aided", (/** @type {any} */ { detail: record }) => marked(record.address, { aided: true }));

document.addEventListener("reviewed", (/** @type {any} */ { detail: { record, judged, accuracy } }) => {
  const kept = load("mistakes", []);
  const known = new Set(kept.map(({ key }) => key));
  const faults = {}, kinds = {};
  for (const move of judged.filter(Boolean)) {
    if (record.players[move.player] !== "human") continue;
    if (/inaccuracy|mistake|blunder/.test(move.verdict)) {
      faults[move.verdict] = (faults[move.verdict] ?? 0) + 1;
      const part = ["in the first third", "in the middle", "in the last third"][Math.min(2, Math.floor(3 * move.ply / Math.max(1, record.plies)))];
      kinds[part] = (kinds[part] ?? 0) + 1;
    }
    if (!/mistake|blunder/.test(move.verdict)) continue;
    const key = `${record.address} ${move.ply}`;
    if (known.has(key)) continue;
    kept.push({ key, game: record.game, start: record.start, actions: record.record.slice(0, move.ply), best: move.best, played: move.spoken ?? move.action, verdict: move.verdict, words: move.words, due: Date.now() + DAY, week: false });
  }
  keep("mistakes", kept.slice(-MOST));
  if (load("results", []).some((one) => one.address === record.address)) finished({ address: record.address, accuracy: accuracy?.[record.players.indexOf("human")] ?? null, faults, kinds });
});

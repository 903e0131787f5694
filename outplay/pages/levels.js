// Levels as the house has them: so many positions, and an error of judgement among the best actions. The numbers come with the game.
"use strict";

const AMONG = 4, ALWAYS = { perfect: 4, hidden: 40 };  // players/levels.py says why

// The action of a level that errs by so many stakes: the best one, unless an error makes another look better.
function erring({ action, exact, points, choices = [], mixture = [] }, actions, slip, { bounds: [least, most], unit, stake, hidden }, chance, gauss) {
  let worths = choices.filter(({ worth }) => worth !== null).map((one) => [one.worth, one.action]), clear = points && unit ? stake ?? 100 : (most - least) / (exact ? 4 : 10);
  if (worths.length < 2) { worths = mixture.map((one) => [one.share, one.action]); clear = Math.max(0, ...worths.map(([share]) => share)); }
  if (!slip) return action;
  if (worths.length < 2) {  // nothing is said of the others: now and then one that stands near
    const at = actions.findIndex((each) => each === action), place = actions.length > 2 && at >= 0 ? Math.max(1, Math.min(at, actions.length - 2)) : 1, near = actions.slice(place - 1, place + 2);
    return chance() < slip / ALWAYS[hidden ? "hidden" : "perfect"] ? near[Math.floor(chance() * near.length)] : action;
  }
  const best = worths.sort(([a], [b]) => b - a).slice(0, AMONG).map(([worth, each]) => [worth + gauss() * slip * clear, each]);
  return best.reduce((a, b) => b[0] > a[0] ? b : a)[1];
}

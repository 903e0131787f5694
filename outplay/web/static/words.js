// Numbers and values in words. Nothing here touches the page.
// @ts-check

export const count = (number) => number === null || number === undefined ? "–" : Math.round(number).toLocaleString("en");
export const brief = (number) => number >= 1e9 ? (number / 1e9).toFixed(1) + " G" : number >= 1e6 ? (number / 1e6).toFixed(1) + " M"
  : number >= 1e4 ? (number / 1e3).toFixed(0) + " k" : count(number);
export function worth(value) {
  if (Array.isArray(value)) return "(" + value.map((part) => +part.toFixed(2)).join(", ") + ")";
  return value === null || value === undefined ? "–" : (value > 0 ? "+" : "") + +value.toFixed(3);
}

// A search by its name as a person would say it; what it is called in commands stands behind it.
const SEARCHES = { "pvs": "Alpha-beta", alphabeta: "Alpha-beta", minimax: "Minimax", "iterative-deepening": "Alpha-beta, deeper and deeper", mtdf: "Alpha-beta by null windows (MTD(f))", star1: "Alpha-beta over dice (Star1)", star2: "Alpha-beta over dice (Star2)",
  expectiminimax: "Minimax over dice", maxn: "Each for himself (max^n)", mcts: "Monte Carlo tree search", puct: "Monte Carlo tree search with a network", ismcts: "Monte Carlo over what is hidden", cfr: "Towards equilibrium (CFR)", "cfr+": "Towards equilibrium (CFR+)", mccfr: "Towards equilibrium, by samples",
  solve: "Proof of the result", "proof-number": "Proof-number search", pns: "Proof-number search", "a-star": "A*", ucs: "Uniform-cost search", bfs: "Breadth-first search", dfs: "Depth-first search", "greedy-best-first": "Greedy best-first search", ida: "Iterative deepening A*", flat: "Monte Carlo", "alpha-zero": "AlphaZero's search" };
export function called(raw) {
  const [, head = "", rest = ""] = /^(?:engine:)?([^:,]+)[:,]?(.*)$/.exec(raw ?? "") ?? [];
  const name = SEARCHES[head];
  return name ? name + (/(^|,)net=/.test(rest) && !/network/.test(name) ? " with a network" : "") : String(raw ?? "");
}

// A game as its title has it: the first letter is a capital, unless the name is written in a way of its own.
export const titled = (game) => game.replace(/^(pac-man\b|.)/, (begin) => ({ "pac-man": "Pac-Man" })[begin] ?? begin.toUpperCase());

// Whether a search is made for what a game has: averages for chance, a vector for three and more players.
const MAY_HAVE_CHANCE = ["pac-man", "tree", "vacuum world"]; // as its parameters say
export const apt = (search, game) => {
  const [name] = search.replace(/^engine:/, "").split(":");
  return /^(expecti|star\d)/.test(name) ? Boolean(game.chance) || MAY_HAVE_CHANCE.includes(game.name) : !/^(maxn|paranoid|best-reply)$/.test(name) || game.players > 2;
};

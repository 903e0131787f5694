// Two searches of one tree, stepped together.
// @ts-check
import { $, ask, attempt, make, stream } from "./studio.js";
// @ts-expect-error  (views/tree.js, which is served with an export)
import { Stepper } from "./tree.js";
import { count, worth } from "./words.js";

const NAMES = ["minimax", "alphabeta", "negamax", "pvs", "mtdf", "sss", "bns", "alphabeta-table", "iterative-deepening", "expectiminimax", "mcts"];
let pair = [], at = 0;

async function grown(algorithm) {
  let tree = null;
  await stream("/api/trees", { game: "tree", parameters: { tree: $("#tree").value }, algorithm }, (message) => { if (message.tree) tree = message.tree; });
  return { tree, seen: await ask(`/api/trees/${tree.address}/view`, {}) };
}

const ends = () => Math.max(...pair.map(({ frames }) => frames.length - 1));
function go(to) {
  at = Math.max(0, Math.min(ends(), to));
  for (const it of pair) it.go(Math.min(at, it.frames.length - 1));
  $("#slider").value = at;
}

async function both() {
  const made = await Promise.all([$("#left").value, $("#right").value].map(grown));
  $("#pair").replaceChildren(...made.map(({ tree, seen }) => {
    const box = make("div", { class: "tree" }), inner = make("div", { class: "card half" }, make("h2", {}, tree.algorithm), make("p", { class: "faint" }, `${worth(tree.value)}; ${count(tree.searched)} nodes, ${count(tree.leaves)} leaves, ${count(tree.pruned)} actions skipped`));
    box.innerHTML = seen.svg;
    inner.append(make("div", { class: "held" }, box));
    return inner;
  }));
  pair = made.map(({ seen }, k) => new Stepper($("#pair").children[k].lastChild, seen.frames ?? [{ s: "too large to be stepped here", c: [], n: -1 }]));
  $("#slider").max = ends();
  history.replaceState(null, "", `/beside?${new URLSearchParams({ tree: $("#tree").value, left: $("#left").value, right: $("#right").value })}`);
  go(0);
}

for (const [id, usual] of [["left", "minimax"], ["right", "alphabeta"]]) $(`#${id}`).replaceChildren(...NAMES.map((name) => new Option(name, name, name === usual, name === usual)));
const wanted = new URLSearchParams(location.search);
for (const id of ["tree", "left", "right"]) if (wanted.get(id)) $(`#${id}`).value = wanted.get(id);
$("#grow").addEventListener("submit", (event) => { event.preventDefault(); attempt(both); });
$("#random").addEventListener("click", () => { const width = 2 + Math.floor(Math.random() * 2), grow = (left) => left ? Array.from({ length: width }, () => grow(left - 1)) : Math.floor(Math.random() * 20); $("#tree").value = JSON.stringify(grow(width === 2 ? 3 : 2)); attempt(both); });
$("#slider").addEventListener("input", () => go(+$("#slider").value));
for (const [id, to] of Object.entries({ first: () => 0, back: () => at - 1, on: () => at + 1, last: () => ends() })) $(`#${id}`).addEventListener("click", () => go(to()));
document.addEventListener("keydown", (event) => {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: 1e9 }[event.key];
  if (to === undefined || /** @type {Element} */ (event.target).closest("input, select, textarea")) return;
  event.preventDefault();
  event.stopPropagation();
  go(to);
}, true);
attempt(both);

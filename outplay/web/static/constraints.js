// Constraint problems: a search decision by decision, with the domains shrinking on a picture of the problem.
// @ts-check
import { drawProblem } from "./problem.js";
import { $, make, stream } from "./studio.js";
import { count } from "./words.js";

const EXAMPLES = {
  "Australia in three colours": "map\ncolours: red green blue\nWA: NT SA\nNT: WA SA Q\nSA: WA NT Q NSW V\nQ: NT SA NSW\nNSW: SA Q V\nV: SA NSW\nT:",
  "Australia in two colours": "map\ncolours: red green\nWA: NT SA\nNT: WA SA Q\nSA: WA NT Q NSW V\nQ: NT SA NSW\nNSW: SA Q V\nV: SA NSW\nT:",
  "TWO + TWO = FOUR": "TWO + TWO = FOUR",
  "SEND + MORE = MONEY": "SEND + MORE = MONEY",
  "a sudoku that propagation solves": "sudoku\n53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79",
  "a sudoku with 17 givens": "sudoku\n.42......\n....6.5..\n.........\n...1.2.4.\n53....7..\n...8.....\n7..9..8..\n..1....2.\n....7....",
  "eight queens": "queens 8",
  "six queens": "queens 6",
  "a magic square": "magic 3",
  "own variables": "A, B, C in 1..5\nA < B\nB + C = 6\nA != C",
};
let problem = null, steps = [], at = 0, controller = null, timer = null;

async function search() {
  controller?.abort();
  const mine = controller = new AbortController();
  halt();
  $("#wrong").textContent = "";
  $("#stop").hidden = false;
  $("#progress").textContent = "…";
  steps = [];
  problem = null;
  const known = []; // by depth: a decision taken back takes its domains along
  let domains = {};
  try {
    await stream("/api/constraints", { text: $("#text").value, propagation: $("#propagation").value, order: $("#order").value, values: $("#values").value }, (message) => {
      if (message.queued) $("#progress").textContent = `place ${message.queued} in the queue`;
      if (message.problem) problem = message.problem;
      if (message.step) { const before = known[Math.max(0, message.step.depth - 1)] ?? {}; domains = { ...before, ...message.step.domains }; known[message.step.depth] = domains; steps.push({ ...message.step, domains, before }); }
      if (message.done) $("#progress").textContent = message.done.limit ? `the first ${message.done.steps} decisions` : "";
    }, mine.signal);
    if (controller !== mine) return; // another search has begun
  } catch (problem) {
    if (controller !== mine) return;
    $("#wrong").textContent = problem.message;
    $("#progress").textContent = "";
  }
  $("#stop").hidden = true;
  if (!steps.length) return;
  $("#result").hidden = false;
  $("#slider").max = String(steps.length - 1);
  const place = new URLSearchParams({ text: $("#text").value, propagation: $("#propagation").value, order: $("#order").value, values: $("#values").value });
  history.replaceState(null, "", `/constraints?${place}`);
  go(0);
}

function go(to) {
  at = Math.max(0, Math.min(to, steps.length - 1));
  const step = steps[at];
  $("#slider").value = String(at);
  const removed = Object.entries(step.before).reduce((sum, [name, values]) => sum + Math.max(0, values.length - step.domains[name].length), 0);
  $("#caption").textContent = step.depth === 0 ? (at === 0 ? "Nothing is decided and nothing inferred yet." : `Before the first decision propagation removes ${count(removed)} values${step.solved ? ": solved" : ""}.`)
    : `${step.variable} = ${step.value}` + (step.solved ? ": solved." : step.failed ? `: fails, ${step.failed} cannot hold. Back.` : removed > 0 ? `: propagation removes ${removed - Math.max(0, (step.before[step.variable]?.length ?? 1) - 1)} more values.` : ".");
  $("#counts").textContent = `step ${at} of ${steps.length - 1} · ${count(step.nodes)} values tried, ${count(step.failures)} failures, depth ${step.depth} · ${count(problem.variables.length)} variables, ${count(problem.constraints)} constraints`;
  const sizes = Object.values(step.domains).map((values) => values.length);
  const space = sizes.reduce((sum, size) => sum + Math.log10(Math.max(1, size)), 0);
  $("#space").textContent = sizes.some((size) => size === 0) ? "A domain is empty: no assignment is left." : `Assignments left by the domains alone: ${space < 6 ? count(Math.round(10 ** space)) : `about 10^${space.toFixed(0)}`}.`;
  $("#domains tbody").replaceChildren(...problem.variables.slice(0, 120).map((name) => {
    const values = step.domains[name] ?? [], before = step.before[name] ?? values;
    const row = make("tr", { class: name === step.variable ? "decided" : values.length !== before.length ? "changed" : "" }, make("td", {}, name),
      make("td", {}, ...before.slice(0, 16).map((value) => make("span", { class: values.some((other) => other === value) ? "value-chip" : "value-chip gone" }, String(value))), before.length > 16 ? ` … ${values.length} of ${before.length}` : ""));
    return row;
  }));
  $("#picture").innerHTML = drawProblem(problem, step, steps[0], $("#text").value);
}

function halt() { clearTimeout(timer); timer = null; $("#run").textContent = "Run"; }
function run() {
  if (timer) return halt();
  if (at >= steps.length - 1) go(0);
  $("#run").textContent = "Stop";
  const beat = () => { if (at >= steps.length - 1) return halt(); go(at + 1); timer = setTimeout(beat, +$("#speed").value); };
  timer = setTimeout(beat, 200);
}

$("#form").addEventListener("submit", (event) => { event.preventDefault(); search(); });
$("#stop").addEventListener("click", () => controller?.abort());
$("#example").addEventListener("change", () => { if (EXAMPLES[$("#example").value]) { $("#text").value = EXAMPLES[$("#example").value]; search(); } });
for (const id of ["propagation", "order", "values"]) $(`#${id}`).addEventListener("change", search);
$("#text").addEventListener("input", () => { $("#example").value = ""; });
$("#first").addEventListener("click", () => go(0));
$("#previous").addEventListener("click", () => go(at - 1));
$("#next").addEventListener("click", () => go(at + 1));
$("#last").addEventListener("click", () => go(steps.length - 1));
$("#run").addEventListener("click", run);
$("#slider").addEventListener("input", () => go(+$("#slider").value));
document.addEventListener("keydown", (event) => {
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(/** @type {Element} */ (event.target).tagName) || !steps.length) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
  if (to !== undefined) { event.preventDefault(); go(to); }
});
$("#example").replaceChildren(make("option", { value: "" }, "…"), ...Object.keys(EXAMPLES).map((name) => make("option", { value: name }, name)));
const wanted = new URLSearchParams(location.search);
$("#text").value = wanted.get("text") ?? EXAMPLES[wanted.get("example")] ?? Object.values(EXAMPLES)[0];
for (const id of ["propagation", "order", "values"]) if (wanted.get(id)) $(`#${id}`).value = wanted.get(id);
if (!wanted.get("text")) $("#example").value = wanted.get("example") ?? Object.keys(EXAMPLES)[0];
await search();

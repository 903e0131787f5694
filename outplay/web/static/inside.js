// Look inside: grow the tree of a search and step through it. A small tree steps here; of a large one the server draws what is visible.
// @ts-check
import { $, ask, attempt, gameFields, make, stream } from "./studio.js";
// @ts-expect-error  (views/tree.js, which is served with an export)
import { Stepper } from "./tree.js";
import { count, worth } from "./words.js";

const EXAMPLES = {
  "the lectures' tree": { tree: "[[3,12,8],[2,4,6],[14,5,2]]", algorithm: "alphabeta" },
  "the same, best order": { tree: "[[3,12,8],[2,4,6],[2,5,14]]", algorithm: "alphabeta" },
  "the same, minimax": { tree: "[[3,12,8],[2,4,6],[14,5,2]]", algorithm: "minimax" },
  "seven steps (the last node is cut)": { tree: "[[3,12,8],[2,4,6],[14,5,1,8]]", algorithm: "alphabeta" },
  "a roll of dice": { tree: '{"chance": [["1/2", 8], ["1/3", 24], ["1/6", -12]]}', algorithm: "expectiminimax" },
  "sure thing or risk": { tree: '{"max": {"a1": 10, "a2": {"chance": [[0.3, 9], [0.7, 100]]}}}', algorithm: "expectiminimax" },
  "an imperfect opponent": { tree: '{"max": {"a1": 10, "a2": {"min": [9, 100]}}}', algorithm: "opponent", options: "skill=0.3" },
  "three players": { tree: "[[[(3,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(0,5,2)],[(7,7,1),(5,4,5)]]]", algorithm: "maxn" },
  "null windows": { tree: "[[3,12,8],[2,4,6],[14,5,2]]", algorithm: "mtdf" },
  "best first: SSS*": { tree: "[[3,12,8],[9,4,6],[14,5,2]]", algorithm: "sss" },
  "tic-tac-toe, near the end": { game: "tic-tac-toe", position: "x.o/.o./..x x", algorithm: "alphabeta" },
  "connect four, five plies": { game: "connect four", algorithm: "alphabeta", depth: 5 },
  "Monte Carlo grows a tree": { game: "tic-tac-toe", position: "x.o/.o./..x x", algorithm: "mcts", simulations: 60 },
  "A* on a map": { game: "grid:map=..................../..................../..........#........./..........#........./..S.......#......G../..........#........./..................../....................", algorithm: "a-star" },
  "uniform cost on the same map": { game: "grid:map=..................../..................../..........#........./..........#........./..S.......#......G../..........#........./..................../....................", algorithm: "uniform-cost" },
  "breadth first on the same map": { game: "grid:map=..................../..................../..........#........./..........#........./..S.......#......G../..........#........./..................../....................", algorithm: "breadth-first" },
  "greedy is led astray": { game: "grid", algorithm: "greedy" },
  "deepening, depth by depth": { game: "tic-tac-toe", position: "x.o/.o./..x x", algorithm: "iterative-deepening", depth: 4 },
  "proof numbers": { game: "tic-tac-toe", position: "xo./.x./..o x", algorithm: "pns" },
  "Best Node Search": { tree: "[[3,12,8],[2,4,6],[14,5,2]]", algorithm: "bns" },
  "regrets, Kuhn poker": { game: "kuhn poker", algorithm: "cfr" },
  "AND-OR: a vacuum that may fail": { game: "vacuum world:erratic=true", algorithm: "and-or" },
  "belief states: a vacuum that sees nothing": { game: "vacuum world:sensors=none", algorithm: "belief" },
};

// The algorithms as the lectures write them; which line is lit follows from what happens and whose node it is.
const CODE = {
  alphabeta: { lines: ["function value(s, α, β)", "  if s is a leaf: return utility(s)", "  if MAX is to move:", "    v ← −∞", "    for each action a:", "      v ← max(v, value(result(s, a), α, β))", "      if v ≥ β: return v   — cut",
    "      α ← max(α, v)", "    return v", "  if MIN is to move:", "    v ← +∞", "    for each action a:", "      v ← min(v, value(result(s, a), α, β))", "      if v ≤ α: return v   — cut", "      β ← min(β, v)", "    return v"],
    at: { enter: { max: 3, min: 10 }, leaf: 1, update: { max: [5, 7], min: [12, 14] }, cut: { max: 6, min: 13 }, leave: { max: 8, min: 15 } } },
  minimax: { lines: ["function value(s)", "  if s is a leaf: return utility(s)", "  if MAX is to move:", "    return max over actions a of value(result(s, a))", "  if MIN is to move:", "    return min over actions a of value(result(s, a))"],
    at: { enter: { max: 2, min: 4 }, leaf: 1, update: { max: 3, min: 5 }, leave: { max: 3, min: 5 } } },
  expectiminimax: { lines: ["function value(s)", "  if s is a leaf: return utility(s)", "  if MAX is to move: return max over a of value(result(s, a))", "  if MIN is to move: return min over a of value(result(s, a))", "  if chance is to move:", "    return Σ P(r) · value(result(s, r))"],
    at: { enter: { max: 2, min: 3, chance: 4 }, leaf: 1, update: { max: 2, min: 3, chance: 5 }, leave: { max: 2, min: 3, chance: 5 } } },
  maxn: { lines: ["function value(s)            — a vector, one entry a player", "  if s is a leaf: return utilities(s)", "  p ← the player to move", "  return the vector of the action", "    whose entry p is greatest"], at: { enter: 2, leaf: 1, update: 3, leave: 4 } },
  mcts: { lines: ["repeat:", "  SELECT: from the root, go to the child of the", "    greatest mean + C·√(ln N / n)  — UCB1", "  EXPAND: add one new child", "  SIMULATE: play on at random to the end", "  BACKPROPAGATE, at every node on the way:", "    n ← n + 1", "    mean ← mean + (outcome − mean) / n", "return the child with the most visits"],
    at: { select: 2, expand: 3, simulate: 4, backpropagate: [6, 7] } },
  "a-star": { lines: ["frontier ← { start };  closed ← ∅", "repeat:", "  n ← the node of the frontier with the least f = g + h", "  if n is a goal: return the way to it", "  move n to closed", "  for each action a: add result(n, a) to the frontier", "    with g = g(n) + cost(n, a), unless a cheaper way is known"], at: { enter: 2, expand: 5, goal: 3, leaf: 5, leave: 5 } },
  greedy: { lines: ["frontier ← { start }", "repeat:", "  n ← the node of the frontier with the least h", "  if n is a goal: return the way to it", "  add the results of all actions to the frontier"], at: { enter: 2, expand: 4, goal: 3 } },
  "breadth-first": { lines: ["frontier ← a queue with the start", "repeat:", "  n ← take the first of the queue", "  if n is a goal: return the way to it", "  put the results of all actions at its end"], at: { enter: 2, expand: 4, goal: 3 } },
  "depth-first": { lines: ["frontier ← a stack with the start", "repeat:", "  n ← take the top of the stack", "  if n is a goal: return the way to it", "  put the results of all actions on top"], at: { enter: 2, expand: 4, goal: 3 } },
  "and-or": { lines: ["or-search(s, path):", "  if s is a goal: return the empty plan", "  if s is on the path: fail", "  for each action a:", "    p ← and-search(results(s, a), [s|path])", "    if it did not fail: return [a|p]", "  fail",
    "and-search(states, path):", "  for each s of states:", "    p[s] ← or-search(s, path)", "    if it failed: fail", "  return: in s do p[s], for every s"],
    at: { enter: { or: 3, and: [8, 9] }, goal: 1, circle: 2, leaf: 6, leave: { or: 5, and: 11 }, fails: { or: 6, and: 10 } } },
};
const ALIKE = { "h-alphabeta": "alphabeta", negamax: "alphabeta", pvs: "alphabeta", mtdf: "alphabeta", sss: "alphabeta", bns: "alphabeta", killer: "alphabeta", "alphabeta-table": "alphabeta", "iterative-deepening": "alphabeta", quiescence: "alphabeta",
  singular: "alphabeta", beam: "alphabeta", "h-minimax": "minimax", "minimax-heap": "minimax", expectimax: "expectiminimax", star1: "expectiminimax", star2: "expectiminimax", opponent: "expectiminimax", paranoid: "maxn", "uniform-cost": "a-star",
  "graph-search": "breadth-first", "tree-search": "breadth-first", belief: "and-or", "ida-star": "a-star", dfid: "depth-first", "lrta-star": "a-star" };

let fields = null, controller = null, tree = null, opened = null, stepping = null, zoom = 1, seen = null;
let drawn = []; // the nodes of the drawing that is shown, as they are written
let asking = 0; // the timer of a question about a node
const WALKS = ["a-star", "greedy", "uniform-cost", "breadth-first", "depth-first", "ida-star", "and-or", "belief", "graph-search", "tree-search", "dfid", "lrta-star"];

function algorithms(game) {
  const textbook = game.algorithms.filter((name) => !name.startsWith("engine"));
  $("#algorithm").replaceChildren(...textbook.map((name) => make("option", { value: name }, name)));
  const usual = game.players === 1 ? (game.chance ? ["and-or", "expectimax"] : ["a-star"]) : ["alphabeta"];
  for (const name of usual.reverse()) if (textbook.includes(name)) $("#algorithm").value = name;
}

/** @param {Record<string, string>} asked */
function fill({ game, tree: text, position = "", algorithm, depth = "", simulations = "", options = "" }) {
  fields.choose(game || "tree");
  if (text) $('#parameters [name="tree"]').value = text;
  $("#position").value = position;
  $("#depth").value = depth;
  $("#simulations").value = simulations;
  $("#options").value = options;
  if (algorithm) {
    if (![...$("#algorithm").options].some(({ value }) => value === algorithm)) $("#algorithm").append(make("option", { value: algorithm }, algorithm));
    $("#algorithm").value = algorithm;
  }
  $("#for-simulations").hidden = $("#algorithm").value !== "mcts";
}

// The address keeps what is looked at, so that it can be handed to a class.
function remember(step) {
  const place = new URLSearchParams();
  const parameters = Object.entries(fields.parameters()).filter(([name, value]) => value !== "" && String(fields.game().parameters.find((each) => each.name === name)?.default) !== value);
  place.set("game", fields.game().name + (parameters.length ? `:${parameters.map(([name, value]) => `${name}=${value}`).join(",")}` : ""));
  place.set("algorithm", $("#algorithm").value);
  for (const name of ["position", "depth", "simulations", "options"]) if ($(`#${name}`).value !== "") place.set(name, $(`#${name}`).value);
  if (step) place.set("step", step);
  history.replaceState(null, "", `/inside?${place}`);
}

async function grow(step = 0) {
  controller?.abort();
  clearTimeout(timer);
  timer = null;
  const mine = controller = new AbortController();
  $("#stop").hidden = false;
  $("#wrong").textContent = "";
  $("#progress").textContent = "…";
  const options = $("#options").value.trim();
  const asked = { game: fields.game().name, parameters: fields.parameters(), algorithm: $("#algorithm").value + (options ? `:${options}` : "") };
  if ($("#position").value.trim()) asked.start = $("#position").value.trim();
  if ($("#depth").value !== "") asked.depth = +$("#depth").value;
  if ($("#simulations").value !== "" && $("#algorithm").value === "mcts") asked.simulations = +$("#simulations").value;
  let done = false, grown = null;
  try {
    done = await stream("/api/trees", asked, (message) => {
      if (message.queued) $("#progress").textContent = `place ${message.queued} in the queue`;
      if (message.queued === 0) $("#progress").textContent = "searching …";
      if (message.progress) $("#progress").textContent = `${count(message.progress.nodes)} nodes`;
      if (message.tree) grown = message.tree;
    }, mine.signal);
  } catch (problem) { $("#wrong").textContent = problem.message; }
  if (controller !== mine) return;
  $("#stop").hidden = true;
  $("#progress").textContent = done ? "" : "stopped";
  remember(step);
  if (done) await attempt(() => show(grown, step, mine));
}

const PLANS = ["and-or", "belief"];
const LEGENDS = {
  plan: "box, OR: what may be the case, one action that works is enough · circle, AND: an action, the arc means that every outcome needs a plan · ✓ works, ✗ does not · bold: the plan",
  walk: "a circle is a place on the way · below it g + h = f: the cost so far, the estimate of the rest, their sum · filled: the way that was found",
  mcts: "△ MAX · ▽ MIN · at a node: the mean for the player who chooses it · visits; at an edge ↑ the UCB1 term",
  several: "◇ the player whose turn it is, by letter · ○ chance · □ leaf · below a node: what each player gets, in the same order; who moves takes what is best for itself",
  usual: "△ MAX · ▽ MIN · ○ chance · □ leaf · <s>struck through</s>: skipped · ≤, ≥: only a bound · below a node: value, then [alpha, beta]",
};

function headline() {
  const path = tree.cost !== null && tree.cost !== undefined;
  const action = tree.action === null ? "" : `, by ${tree.action}`;
  if (PLANS.includes(tree.algorithm)) {
    $("#figures").replaceChildren(make("strong", { class: "answer" }, tree.plan ? `a plan of ${tree.depth} action${tree.depth === 1 ? "" : "s"} at worst${action}` : "no plan"), `${count(tree.searched)} nodes`);
    return;
  }
  const value = path ? `cost ${tree.cost}` : tree.algorithm === "mcts" && typeof tree.value === "number" ? `${worth(tree.value)} (from −1 to 1)` : worth(tree.value);
  $("#figures").replaceChildren(make("strong", { class: "answer" }, `${tree.algorithm}: ${value}${action}`), tree.iterations ? `${count(tree.iterations)} simulations, ${count(tree.nodes)} nodes` :
    `${count(tree.searched)} nodes${path ? " expanded" : ""}, ${path ? `${tree.line.length} steps` : `${count(tree.leaves)} leaves, ${count(tree.pruned)} actions skipped`}`);
}

// A tree that was grown, at one of its steps; until its picture is there the one before it stays, and another that was asked for meanwhile comes instead.
async function show(grown, step, asked) {
  const view = await ask(`/api/trees/${grown.address}/view`, { tick: step });
  if (controller !== asked) return;
  opened = null;
  tree = grown;
  seen = view;
  $("#result").hidden = false;
  headline();
  $("#html").href = `/api/trees/${tree.address}/file.html`;
  $("#svg").href = `/api/trees/${tree.address}/file.svg`;
  $("#node").textContent = "";
  $("#node-board").textContent = "";
  $("#node-name").textContent = "The node";
  $("#map-card").hidden = !tree.map;
  $("#result").classList.toggle("walking", Boolean(tree.map));
  stepping = null;
  $("#plan-card").hidden = !tree.plan;
  $("#legend").innerHTML = LEGENDS[PLANS.includes(tree.algorithm) ? "plan" : tree.algorithm === "mcts" ? "mcts" : tree.map ? "walk" : Array.isArray(tree.value) ? "several" : "usual"];
  if (tree.plan) $("#plan").innerHTML = tree.plan.svg;
  const code = CODE[ALIKE[tree.algorithm] ?? tree.algorithm];
  $("#code-card").hidden = !code;
  if (code) $("#code").replaceChildren(...code.lines.map((line) => make("span", { class: "code-line" }, line + "\n")));
  const box = $("#stepper");
  const fresh = make("div", { id: "stepper" }, make("div", { class: "tree", id: "tree", tabindex: "0", "aria-label": "search tree" }));
  box.replaceWith(fresh);
  place(seen.svg);
  fresh.addEventListener("step", (event) => stepped(event.detail));
  if (seen.frames) { stepping = new Stepper(fresh, seen.frames); if (step) stepping.go(step); } else large(fresh, seen, step);
  pan($("#tree"));
  fit();
}

// The picture of the tree. A style sheet in each would have the browser style the whole page anew at every step: it stands once, in the head.
function place(svg) {
  const [whole, sheet] = /<style>([^]*?)<\/style>/.exec(svg) ?? ["", ""];
  if (sheet && $("#tree-style")?.textContent !== sheet) { $("#tree-style")?.remove(); document.head.append(make("style", { id: "tree-style" }, sheet)); }
  const parts = svg.replace(whole, "").replace(/\s*<\/svg>\s*$/, "").split(/\n(?=<g class="node)/), old = $("#tree svg.search");
  const name = (part) => /id="(n\d+)"/.exec(part)?.[1];
  if (old && drawn.length === parts.length && drawn[0] === parts[0] && parts.every((part, k) => k === 0 || (part.endsWith("</g>") && name(part) === name(drawn[k])))) {
    parts.forEach((part, k) => { // the same nodes: only those that changed are drawn again
      if (part === drawn[k]) return;
      const made = document.createElementNS("http://www.w3.org/2000/svg", "g");
      made.innerHTML = part;
      old.querySelector(`#${name(part)}`).replaceWith(made.firstElementChild);
    });
    if ($("#minimap")) $("#minimap").of = null;
  } else $("#tree").innerHTML = svg.replace(whole, "");
  drawn = parts;
}

// What goes with each step: the lit line, the board of the node, the map.
let latest = 0, ticked = 0; // the step that is shown, as the server counts
async function stepped({ tick, node, word, kind }) {
  const code = CODE[ALIKE[tree.algorithm] ?? tree.algorithm];
  const said = $("#stepper .caption")?.textContent ?? "";
  if (PLANS.includes(tree.algorithm)) word = /the goal$/.test(said) ? "goal" : /before: a circle$/.test(said) ? "circle" : /: no plan/.test(said) && word === "leave" ? "fails" : word;
  const entry = code?.at[word];
  const lit = [typeof entry === "object" && !Array.isArray(entry) ? entry[kind] ?? Object.values(entry)[0] : entry].flat();
  [...$("#code").children].forEach((element, k) => element.classList.toggle("lit", lit.includes(k)));
  remember(tick);
  ticked = seen.frames?.[tick]?.t ?? tick;
  const answer = $("#figures .answer");
  if (answer) answer.hidden = tick < (stepping && seen.frames ? seen.frames.length - 1 : seen.ticks); // no answer before the search has one
  const mine = ++latest;
  if (tree.map) {
    $("#map").setAttribute("aria-busy", "true");
    delete $("#map").dataset.step;
    const map = await ask(`/api/trees/${tree.address}/map?tick=${tick}`).catch(() => null);
    if (mine !== latest) return;
    $("#map").setAttribute("aria-busy", "false");
    $("#map").dataset.step = tick;
    if (!map) { for (const part of ["#map", "#gh", "#frontier tbody"]) $(part).replaceChildren(); return; } // none is better than that of another step
    $("#map").innerHTML = map.board.svg;
    $("#gh").textContent = map.figures ? `${map.node}: g = ${+map.figures.g.toFixed(2)}, h = ${+map.figures.h.toFixed(2)}, f = ${+map.figures.f.toFixed(2)} · ${map.open} in the frontier, ${map.closed} expanded` : "";
    $("#frontier tbody").replaceChildren(...map.frontier.map((one) => make("tr", {}, make("td", {}, one.name), ...["g", "h", "f"].map((key) => make("td", { class: "number" }, String(+one[key].toFixed(2)))))));
  } else if (node >= 0) {
    clearTimeout(asking);
    asking = setTimeout(() => { if (mine === latest) about(node); }, 90);
  }
}

let told = 0; // how many nodes were asked about: the last one is told
async function about(number) {
  const mine = ++told;
  clearTimeout(asking); // what a step was about to ask of its own node
  const node = await ask(`/api/trees/${tree.address}/nodes/${number}?tick=${ticked}`).catch(() => null);
  if (!node || mine !== told) return;
  const kind = tree.cost !== null && tree.cost !== undefined ? "" : { max: "MAX to move", min: "MIN to move", chance: "chance", or: node.worlds.length > 1 ? `OR: the world is one of these ${node.worlds.length}` : "OR: one action is enough", and: "AND: every outcome counts" }[node.kind] ?? node.kind;
  $("#node-name").textContent = node.name;
  if (node.kind === "or" || node.kind === "and") {
    $("#node").textContent = [kind, node.value !== null && (node.value ? "there is a plan" : "there is none")].filter(Boolean).join(" · ");
    $("#node-board").replaceChildren(...node.worlds.map(({ svg }) => { const box = make("div", { class: "world" }); box.innerHTML = svg; return box; }));
    return;
  }
  const bounds = node.bound ? `${node.bound} ` : "";
  $("#node").textContent = [kind, node.status === "unseen" ? "not reached yet" : node.value !== null && `${node.status === "open" ? "so far " : "worth "}${bounds}${worth(node.value)}`, node.visits !== null && `${node.visits} visit${node.visits === 1 ? "" : "s"}`, node.reason].filter(Boolean).join(" · ");
  if (node.board && !fields.game().name.includes("tree")) $("#node-board").innerHTML = node.board.svg; else $("#node-board").textContent = "";
}

// A large tree: each step is a picture from the server, of what is open and the way to where the search is.
let timer = null;
function large(box, view, step) {
  let tick = view.tick, aim = tick, busy = false, next = null; // the step that is shown, and the one that is on its way
  const ticks = view.ticks;
  opened = view.opened;
  const caption = make("p", { class: "caption status", "aria-live": "polite" }), where = make("span", { class: "faint" });
  const slider = make("input", { type: "range", min: "0", max: String(ticks), "aria-label": "step" });
  const put = (now) => {
    const scroll = [$("#tree").scrollLeft, $("#tree").scrollTop];
    place(now.svg);
    scaleTo(zoom);
    [$("#tree").scrollLeft, $("#tree").scrollTop] = scroll;
    tick = now.tick;
    if (now.opened) opened = now.opened;
    slider.value = tick;
    caption.textContent = now.caption;
    where.textContent = `step ${count(tick)} of ${count(now.ticks)}` + (tree.iterations ? `, simulation ${count(now.iteration)} of ${count(tree.iterations)}` : "") + `, ${count(now.visible)} of ${count(tree.nodes)} nodes shown`;
    if (tick < now.ticks) centre(now.focus);
    box.dispatchEvent(new CustomEvent("step", { detail: { tick, node: now.focus, word: now.word, kind: now.kind } }));
    minimap();
  };
  const go = async (to, follow = true) => {
    aim = Math.max(0, Math.min(to, ticks));
    next = { tick: aim, follow };
    if (busy) return; // the newest wish wins
    busy = true;
    while (next) {
      const wish = next;
      next = null;
      const now = await attempt(() => ask(`/api/trees/${tree.address}/view`, { opened: wish.follow ? seen.opened : opened, ...wish }));
      if (now && box.isConnected) put(now);
    }
    aim = tick; // where an answer failed, what is shown counts
    busy = false;
  };
  let chain = Promise.resolve();
  const simulation = (forward) => { const on = chain.then(() => toSimulation(forward)); chain = on.catch(() => {}); return on; }; // one after the other, however fast somebody clicks
  const toSimulation = async (forward) => {
    const now = await ask(`/api/trees/${tree.address}/view`, { opened: [], tick: aim });
    const { tick: to } = await ask(`/api/trees/${tree.address}/iterations/${Math.min(tree.iterations, now.iteration + forward)}`);
    await go(to, false);
  };
  const speed = make("select", { "aria-label": "speed" }, ...[["slow", 0.5], ["normal", 1], ["fast", 20], ["very fast", 400]].map(([text, times]) => new Option(String(text), String(times), times === 1, times === 1)));
  const run = make("button", { type: "button", "aria-label": "run", onclick: () => {
    if (timer) { clearTimeout(timer); timer = null; run.textContent = "Run"; return; }
    if (tick >= ticks) tick = 0;
    run.textContent = "Stop";
    const beat = async () => {
      if (!box.isConnected) return;
      if (tick >= ticks) { timer = null; run.textContent = "Run"; return; }
      if (tree.iterations) await attempt(() => simulation(Math.max(1, Math.round(+speed.value / 4)))); else await go(tick + Math.max(1, Math.round(+speed.value)));
      if (timer) timer = setTimeout(beat, 350 / Math.min(4, +speed.value));
    };
    timer = setTimeout(beat, 10);
  } }, "Run");
  const button = (text, label, action) => make("button", { type: "button", title: label, "aria-label": label, onclick: () => attempt(action) }, text);
  const bar = make("div", { class: "steps row" }, button("|◀", "to the start", () => go(0)), button("◀", "one step back", () => go(aim - 1)), run, button("▶", "one step on", () => go(aim + 1)),
    ...(tree.iterations ? [button("▶▶", "one simulation on", () => simulation(1))] : []), button("▶|", "to the end", () => go(ticks, false)), slider, speed, where);
  slider.addEventListener("input", () => go(+slider.value));
  box.prepend(bar, caption);
  put(view);
  if (step) go(step);
  $("#tree").addEventListener("click", (event) => {
    const group = event.target.closest("[data-node]");
    if (!group || moved) return;
    const node = +group.dataset.node;
    opened = opened.includes(node) ? opened.filter((other) => other !== node) : [...opened, node];
    go(tick, false);
  });
}

// ------------------------------------------------------------------ moving about in the tree

const READABLE = 0.74; // how small a tree may become unasked, if it is then seen whole; its letters stay as large as they are
let moved = false;
function scaleTo(level, about = null) {
  const box = $("#tree"), svg = $("svg", box);
  if (!svg) return;
  const wide = +svg.getAttribute("width"), tall = +svg.getAttribute("height");
  const before = zoom;
  zoom = Math.max(0.05, Math.min(4, level));
  svg.style.width = `${wide * zoom}px`;
  svg.style.height = `${tall * zoom}px`;
  svg.style.maxWidth = "none";
  svg.style.setProperty("--letters", Math.min(1 / READABLE, Math.max(1, 1 / zoom)));
  if (about) {
    const frame = box.getBoundingClientRect(), x = about[0] - frame.left, y = about[1] - frame.top;
    box.scrollLeft = (box.scrollLeft + x) * zoom / before - x;
    box.scrollTop = (box.scrollTop + y) * zoom / before - y;
  }
  minimap();
}

// As much of the tree as can still be read; with `all` the whole of it, however small.
function fit(all = false) {
  const box = $("#tree"), svg = $("svg", box);
  if (!svg) return;
  const room = box.clientWidth - 8, tall = Math.max(260, innerHeight - (box.getBoundingClientRect().top + (document.fullscreenElement ? 0 : scrollY)) - 24);
  zoom = 1;
  const level = Math.min(document.fullscreenElement ? 3 : 1.25, room / +svg.getAttribute("width"), tall / +svg.getAttribute("height"));
  scaleTo(all === true ? Math.max(level, 0.1) : level < READABLE ? 1 : level);
  centre(0);
  minimap();
}

function centre(node) {
  const box = $("#tree"), group = box.querySelector(`#n${node}`);
  if (!group) return;
  const at = group.getBoundingClientRect(), frame = box.getBoundingClientRect();
  if (at.left < frame.left + 20 || at.right > frame.right - 20) box.scrollLeft += (at.left + at.right - frame.left - frame.right) / 2;
  if (at.top < frame.top || at.bottom > frame.bottom) box.scrollTop += (at.top + at.bottom - frame.top - frame.bottom) / 2;
}

function pan(box) {
  const fingers = new Map();
  let spread = 0;
  box.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, event); moved = false; if (fingers.size === 2) { const [a, b] = [...fingers.values()]; spread = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY); } });
  box.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    if (fingers.size === 1 && event.pointerType === "mouse") {
      const dx = event.clientX - last.clientX, dy = event.clientY - last.clientY;
      if (Math.hypot(dx, dy) > 2) moved = true;
      box.scrollLeft -= dx;
      box.scrollTop -= dy;
    }
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) {
      const [a, b] = [...fingers.values()], now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      if (spread) scaleTo(zoom * now / spread, [(a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2]);
      spread = now;
    }
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) box.addEventListener(name, (event) => { fingers.delete(event.pointerId); spread = 0; });
  box.addEventListener("wheel", (event) => { if (event.ctrlKey) { event.preventDefault(); scaleTo(zoom * (event.deltaY < 0 ? 1.15 : 0.87), [event.clientX, event.clientY]); } }, { passive: false });
  box.addEventListener("scroll", minimap, { passive: true });
  box.addEventListener("keydown", (event) => walk(event));
  box.addEventListener("click", (event) => { const group = event.target.closest("[data-node]"); if (group && !moved) about(+group.dataset.node); });
}

// From node to node by keyboard: Shift and an arrow goes to the parent, the first child, the neighbours.
let chosen = 0;
function walk(event) {
  if (!event.shiftKey || !/^Arrow/.test(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  const all = [...$("#tree").querySelectorAll("[data-node]")].map((group) => ({ node: +group.dataset.node, ...box(group) }));
  const here = all.find(({ node }) => node === chosen) ?? all.find(({ node }) => node === 0);
  const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  let best = null, least = Infinity;
  for (const other of all) {
    const along = (other.x - here.x) * way[0] + (other.y - here.y) * way[1], aside = Math.abs((other.x - here.x) * way[1]) + Math.abs((other.y - here.y) * way[0]);
    if (along > 4 && along + 2 * aside < least) { least = along + 2 * aside; best = other; }
  }
  if (!best) return;
  $("#tree .chosen-node")?.classList.remove("chosen-node", "now");
  chosen = best.node;
  const group = $(`#n${chosen}`, $("#tree"));
  group.classList.add("chosen-node", "now");
  centre(chosen);
  about(chosen);
}
function box(group) { const { left, top, width, height } = group.getBoundingClientRect(); return { x: left + width / 2, y: top + height / 2 }; }

let overview = null;
function sketch(map, svg) {
  map.querySelector("svg")?.remove();
  const copy = svg.cloneNode(false);
  for (const group of svg.children) {
    if (/^(style|title)$/.test(group.tagName)) continue;
    const part = group.cloneNode(false);
    part.removeAttribute("id");
    for (const child of group.children) if (!/^(text|title)$/.test(child.tagName)) part.append(child.cloneNode(true));
    copy.append(part);
  }
  copy.removeAttribute("style");
  copy.setAttribute("width", "170");
  copy.setAttribute("height", Math.min(120, 170 * svg.getAttribute("height") / svg.getAttribute("width")));
  copy.setAttribute("preserveAspectRatio", "none");
  for (const part of copy.querySelectorAll("[id]")) part.removeAttribute("id");
  map.prepend(copy);
}

// The whole tree in the corner, with a frame around what is seen; only where the tree is larger than its window.
function minimap() {
  const tree = $("#tree"), svg = $("svg.search", tree);
  let map = $("#minimap");
  const needed = svg && tree.clientHeight > 150 && (tree.scrollWidth > tree.clientWidth * 1.4 || tree.scrollHeight > tree.clientHeight * 1.4);
  if (!needed) { map?.remove(); return; }
  if (!map) { map = make("div", { id: "minimap", "aria-hidden": "true" }, make("div")); $("#theatre").append(map); map.addEventListener("pointerdown", (event) => {
    const frame = map.getBoundingClientRect();
    tree.scrollLeft = (event.clientX - frame.left) / frame.width * tree.scrollWidth - tree.clientWidth / 2;
    tree.scrollTop = (event.clientY - frame.top) / frame.height * tree.scrollHeight - tree.clientHeight / 2;
  }); }
  if (map.of !== svg) { map.of = svg; clearTimeout(overview); overview = setTimeout(() => { if (map.of === svg) sketch(map, svg); }, map.querySelector("svg") ? 200 : 0); } // while steps follow each other the last sketch stands
  map.style.bottom = `${$("#theatre").getBoundingClientRect().bottom - tree.getBoundingClientRect().bottom + 12}px`; // inside the tree's own corner
  const frame = map.lastChild;
  frame.style.left = `${tree.scrollLeft / tree.scrollWidth * 100}%`;
  frame.style.top = `${tree.scrollTop / tree.scrollHeight * 100}%`;
  frame.style.width = `${Math.min(1, tree.clientWidth / tree.scrollWidth) * 100}%`;
  frame.style.height = `${Math.min(1, tree.clientHeight / tree.scrollHeight) * 100}%`;
}

async function begin() {
  fields = await gameFields($("#game"), $("#parameters"), algorithms);
  $("#example").replaceChildren(make("option", { value: "" }, "…"), ...Object.keys(EXAMPLES).map((name) => make("option", { value: name }, name)));
  const wanted = new URLSearchParams(location.search);
  if (wanted.get("game")) {
    const usual = wanted.get("game").startsWith("tree") || WALKS.includes(wanted.get("algorithm")) ? "" : "3";
    fill({ game: wanted.get("game"), position: wanted.get("position") || "", algorithm: wanted.get("algorithm"), tree: wanted.get("tree"), depth: wanted.get("depth") || usual, simulations: wanted.get("simulations") || "", options: wanted.get("options") || "" });
    if (WALKS.includes($("#algorithm").value)) $("#depth").value = wanted.get("depth") || "";
  } else {
    $("#example").value = "the lectures' tree";
    fill(EXAMPLES["the lectures' tree"]);
  }
  await grow(+wanted.get("step") || 0);
}

$("#example").addEventListener("change", () => { if (EXAMPLES[$("#example").value]) { fill(EXAMPLES[$("#example").value]); grow(); } });
$("#algorithm").addEventListener("change", () => { $("#for-simulations").hidden = $("#algorithm").value !== "mcts"; $("#example").value = ""; });
$("#grow").addEventListener("submit", (event) => { event.preventDefault(); grow(); });
$("#stop").addEventListener("click", () => { controller?.abort(); $("#stop").hidden = true; });
$("#in").addEventListener("click", () => scaleTo(zoom * 1.25));
$("#out").addEventListener("click", () => scaleTo(zoom / 1.25));
$("#fit").addEventListener("click", () => fit(true));
$("#full").addEventListener("click", () => { if (document.fullscreenElement) document.exitFullscreen(); else $("#result").requestFullscreen?.().catch(() => {}); });
document.addEventListener("fullscreenchange", () => requestAnimationFrame(() => fit())); // as large as the screen, and back
$("#link").addEventListener("click", async () => { try { await navigator.clipboard.writeText(location.href); $("#progress").textContent = "copied"; } catch { $("#progress").textContent = location.href; } });
attempt(begin);

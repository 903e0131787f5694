// Lessons: each .live block becomes an example that runs on the server.
import { Board } from "./board.js";
import { drawProblem } from "./problem.js";
import { $, ask, attempt, make, stream } from "./studio.js";
import { Stepper } from "./tree.js";
import { count, worth } from "./words.js";
import { MORE } from "./exercises.js";

const asked = ({ game = "tree", tree, position, actions }) => ({ game, ...(tree ? { parameters: { tree } } : {}),
  ...(position ? { start: position } : {}), ...(actions ? { actions: actions.split(" ") } : {}) });

// A tree that is wider than its frame shows its root first.
const middle = (box) => { const root = $("[data-node='0']", box); if (root) box.scrollLeft += root.getBoundingClientRect().left - box.getBoundingClientRect().left - box.clientWidth / 2; };

// What a value counts, in the head of its column: nothing is said of the game's own utility.
const unit = (block, { unit: name }) => { const head = [...block.querySelectorAll("th")].find((cell) => /^value/.test(cell.textContent)); if (head && name && name !== "utility") head.textContent = `value, ${name}`; };

const LIVE = {
  ...MORE,
  // The whole tree of a search, stepped through.
  async tree(block, data) {
    const body = { ...asked(data), algorithm: data.algorithm };
    for (const key of ["depth", "simulations"]) if (data[key]) body[key] = +data[key];
    let grown = null;
    await stream("/api/trees", body, (message) => { if (message.tree) grown = message.tree; });
    const seen = await ask(`/api/trees/${grown.address}/view`, {});
    const box = make("div", { class: "tree", tabindex: "0", role: "group", "aria-label": "search tree" });
    box.innerHTML = seen.svg;
    const stepper = make("div", {}, box), side = make("div", { class: "small-board" });
    if (!/tree/.test(data.game ?? "tree")) { // the board of the node that the step is about
      let last = 0;
      stepper.addEventListener("step", async ({ detail }) => {
        const mine = ++last;
        const node = await ask(`/api/trees/${grown.address}/nodes/${Math.max(0, detail.node)}`).catch(() => null);
        if (node?.board && mine === last) side.innerHTML = node.board.svg;
      });
      const root = await ask(`/api/trees/${grown.address}/nodes/0`).catch(() => null);
      if (root?.board) side.innerHTML = root.board.svg;
    }
    block.replaceChildren(side, make("p", { class: "faint" }, `${grown.algorithm}: ${count(grown.searched)} nodes, ` +
      `${count(grown.leaves)} leaves, ${count(grown.pruned)} skipped; step through it`), stepper); // the value is for the steps to tell
    if (seen.frames) new Stepper(stepper, seen.frames);
    middle(box);
    const place = new URLSearchParams({ game: data.game || "tree", algorithm: data.algorithm, ...(data.tree ? { tree: data.tree } : {}),
      ...(data.position ? { position: data.position } : {}), ...(data.simulations ? { simulations: data.simulations } : {}) });
    if (!data.actions) block.append(make("p", {}, make("a", { href: `/inside?${place}` }, "Change it on Look inside")));
  },

  // Several searches side by side.
  async compare(block, data) {
    const named = data.names?.split("|") ?? [];
    const body = make("tbody"), said = make("p", { class: "faint", "aria-live": "polite" }, "searching …");
    block.replaceChildren(make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...["search", "value", "nodes", "leaves", "seconds"]
      .map((name, place) => make("th", place ? { class: "number" } : {}, name)))), body)), said);
    await stream("/api/compare", { ...asked(data), algorithms: data.algorithms.split(data.algorithms.includes("|") ? "|" : ","),
      ...(data.depth ? { depth: +data.depth } : {}), ...(data.simulations ? { simulations: +data.simulations } : {}), seconds: 20 }, ({ row, queued, compiling }) => {
      if (queued) said.textContent = `place ${queued} in the queue`;
      if (queued === 0) said.textContent = "searching …";
      if (compiling) said.textContent = `the first use of ${data.game?.split(":")[0] ?? "this search"} is being prepared, once …`;
      if (row?.unit) unit(block, row);
      if (row) body.append(make("tr", {}, make("td", { title: row.algorithm }, named.shift() ?? row.algorithm), ...(row.problem ? [make("td", { colspan: "4" }, row.problem)]
        : [row.cost !== null && row.cost !== undefined ? `cost ${row.cost}` : worth(row.value), count(row.nodes), count(row.leaves), row.seconds?.toFixed(3) ?? "–"].map((text) => make("td", { class: "number" }, text)))));
    });
    said.remove();
  },

  // The lectures' sums: how large a tree is, and how deep one can look.
  sum(block, data) {
    const branching = make("input", { type: "number", min: "1", max: "1000", value: data.branching, name: "b" });
    const plies = make("input", { type: "number", min: "1", max: "1000", value: data.plies, name: "m" });
    const speed = make("input", { type: "number", min: "1", value: data.speed || "1e9", name: "speed", step: "any" });
    const seconds = make("input", { type: "number", min: "0.1", value: data.seconds || "60", name: "seconds", step: "any" });
    const out = make("div");
    const power = (log) => log < 6 ? count(10 ** log) : `${(10 ** (log % 1)).toFixed(1)} · 10<sup>${Math.floor(log)}</sup>`;
    const line = (html) => { const made = make("p"); made.innerHTML = html; return made; }; // numbers of our own, nothing typed
    const draw = () => {
      const b = Math.log10(+branching.value), m = +plies.value, time = Math.log10(+speed.value * +seconds.value);
      const years = b * m - Math.log10(+speed.value * 3600 * 24 * 365.25);
      out.replaceChildren(line(`Minimax: b<sup>m</sup> = ${power(b * m)} leaves` + (years > 0 ? `, ${power(years)} years at ${count(+speed.value)} a second.` : ".")),
        line(`Alpha-beta in the best order: about b<sup>m/2</sup> = ${power(b * m / 2)}.`),
        line(`In ${+seconds.value} s: depth ${(time / b).toFixed(1)} by minimax, ${(2 * time / b).toFixed(1)} by alpha-beta in the best order.`));
    };
    const label = (text, field) => { field.addEventListener("input", draw); return make("label", {}, text, field); };
    block.replaceChildren(make("div", { class: "fields" }, label("actions b", branching), label("plies m", plies), label("nodes a second", speed),
      label("seconds", seconds)), out);
    draw();
  },

  // The engine at work, one line a depth.
  think(block, data) {
    const body = make("tbody"), button = make("button", { type: "button", class: "main" }, "Search");
    const table = make("table", { hidden: true }, make("thead", {}, make("tr", {}, ...["depth", "value", "nodes", "line"].map((name) => make("th", {}, name)))), body);
    block.replaceChildren(make("p", { class: "row" }, button, make("span", { class: "faint" }, `${data.game}, ${data.seconds} s`)), make("div", { class: "scroll" }, table));
    button.addEventListener("click", () => attempt(async () => {
      button.disabled = true;
      table.hidden = false;
      body.replaceChildren();
      try {
        await stream("/api/think", { ...asked(data), algorithm: data.algorithm, ...(data.depth ? { depth: +data.depth } : {}), seconds: +data.seconds }, ({ result }) => {
          if (!result) return;
          unit(block, result);
          if (body.lastChild?.dataset.depth === String(result.depth)) body.lastChild.remove(); // the same depth, looked at again: the last word counts
          body.append(make("tr", { "data-depth": String(result.depth) }, ...[result.depth, worth(result.value), count(result.nodes), result.line.slice(0, data.whole ? 60 : 12).join(" ")]
            .map((text) => make("td", {}, String(text)))));
        });
      } finally { button.disabled = false; }
    }));
  },

  // The six questions, answered for a board that can be played on.
  async questions(block, data) {
    const moves = [], element = make("div"), answers = make("table", {}, make("tbody"));
    let start = "", last = 0, busy = false; // one move at a time: on its way the board is not to be moved on
    const board = new Board(element, (text) => { if (!busy) { moves.push(text); attempt(draw); } });
    const draw = async () => {
      const mine = ++last;
      busy = true;
      let state;
      try { state = await ask("/api/positions", { game: data.game, actions: moves }); } catch (problem) { if (mine === last) moves.pop(); throw problem; } finally { if (mine === last) busy = false; }
      if (mine !== last) return;
      if (!moves.length) start = state.position;
      board.show(state);
      const rows = [["INITIAL STATE", start], ["PLAYER", state.terminal ? "–" : state.player === 0 ? "MAX" : "MIN"], ["ACTIONS", state.legal.map(({ text }) => text).join(" ") || "none"],
        ["RESULT", moves.length ? `after ${moves.at(-1)}: ${state.position}` : state.position], ["TERMINAL-TEST", state.terminal ? "yes" : "no"],
        ["UTILITY", state.terminal ? `MAX ${state.utilities[0]}, MIN ${state.utilities[1]}` : "not yet"]];
      $("tbody", answers).replaceChildren(...rows.map(([name, text]) => make("tr", {}, make("th", {}, name), make("td", { class: "mono" }, text))));
    };
    block.replaceChildren(element, answers, make("p", {}, make("button", { type: "button", onclick: () => { moves.length = 0; attempt(draw); } }, "Start again")));
    element.classList.add("narrow");
    await draw();
  },
};

// ------------------------------------------------------------------ small machines

async function grownTree(data) {
  let grown = null;
  await stream("/api/trees", { ...asked(data), algorithm: data.algorithm, ...(data.depth ? { depth: +data.depth } : {}) }, (message) => { if (message.tree) grown = message.tree; });
  return grown;
}

// A path search on its map, stepped by a slider.
LIVE.walk = async (block, data) => {
  const grown = await grownTree(data), ticks = grown.ticks;
  const board = make("div", { class: "small-board" }), said = make("p", { class: "faint" }), slider = make("input", { type: "range", min: "0", max: String(ticks), value: "0", "aria-label": "step" });
  let wanted = 0, busy = false;
  const draw = async () => {
    if (busy) return;
    busy = true;
    let shown = -1;
    while (shown !== wanted) {
      shown = wanted;
      const map = await ask(`/api/trees/${grown.address}/map?tick=${shown}`).catch((problem) => { busy = false; throw problem; });
      board.innerHTML = map.board.svg;
      said.textContent = `step ${shown} of ${ticks}: ${map.closed} expanded, ${map.open} in the frontier` + (map.figures ? `; g = ${+map.figures.g.toFixed(1)}, h = ${+map.figures.h.toFixed(1)}, f = ${+map.figures.f.toFixed(1)}` : "") + (shown === ticks ? `; cost ${grown.cost}` : "");
    }
    busy = false;
  };
  const go = (tick) => { wanted = Math.max(0, Math.min(ticks, tick)); slider.value = String(wanted); return draw(); };
  slider.addEventListener("input", () => go(+slider.value));
  block.replaceChildren(make("div", { class: "steps row" }, make("button", { type: "button", "aria-label": "one step back", onclick: () => go(wanted - 1) }, "◀"), make("button", { type: "button", "aria-label": "one step on", onclick: () => go(wanted + 1) }, "▶"), slider), board, said,
    make("p", {}, make("a", { href: `/inside?game=${encodeURIComponent(data.game)}&algorithm=${data.algorithm}` }, "With its tree, on Look inside")));
  await go(Math.round(ticks / 2));
};

// The plan of an AND-OR search.
LIVE.plan = async (block, data) => {
  const grown = await grownTree(data), box = make("div", { class: "scroll plan" });
  box.innerHTML = grown.plan?.svg ?? "";
  block.replaceChildren(box, make("p", {}, make("a", { href: `/inside?game=${encodeURIComponent(data.game)}&algorithm=${data.algorithm}` }, "Step through the search")));
};

// A constraint problem, decision by decision.
LIVE.csp = async (block, data) => {
  const steps = [];
  const known = [];
  let domains = {}, problem = null;
  await stream("/api/constraints", { text: data.text }, (message) => {
    problem = message.problem ?? problem;
    if (message.step) { const before = known[Math.max(0, message.step.depth - 1)] ?? {}; domains = { ...before, ...message.step.domains }; known[message.step.depth] = domains; steps.push({ ...message.step, domains, before }); } // a decision taken back takes its domains along
  });
  let at = 0;
  const said = make("p", { class: "status", "aria-live": "polite" }), table = make("tbody"), picture = make("div", { class: "csp" });
  const go = (to) => {
    at = Math.max(0, Math.min(steps.length - 1, to));
    const step = steps[at];
    said.textContent = `${at} of ${steps.length - 1}: ${step.variable === null ? "before the first decision" : `${step.variable} = ${step.value}${step.failed ? ", fails" : step.solved ? ", solved" : ""}`}`;
    table.replaceChildren(...Object.entries(step.domains).slice(0, 12).map(([name, values]) => make("tr", {}, make("th", {}, name), make("td", {}, ...(steps[0].domains[name] ?? values).map((value) => make("span", { class: values.includes(value) ? "value-chip" : "value-chip gone" }, String(value)))))));
    picture.innerHTML = drawProblem(problem, step, steps[0], data.text);
  };
  block.replaceChildren(make("div", { class: "steps row" }, make("button", { type: "button", "aria-label": "one step back", onclick: () => go(at - 1) }, "◀"), make("button", { type: "button", "aria-label": "one step on", onclick: () => go(at + 1) }, "▶")), said, make("div", { class: "csp-pair" }, picture, make("table", {}, table)),
    make("p", {}, make("a", { href: `/constraints?${new URLSearchParams({ text: data.text })}` }, "Change it on Constraints")));
  go(0);
};

// An opponent of any skill, and what the best action is against it.
LIVE.skill = (block, data) => {
  const slider = make("input", { type: "range", min: "0", max: "1", step: "0.01", value: "0.5", "aria-label": "how often MIN finds the best answer" }), said = make("p", { class: "status", "aria-live": "polite" }), tree = make("div");
  let last = 0;
  const draw = async () => {
    const mine = ++last, skill = +slider.value, grown = await grownTree({ tree: data.tree, algorithm: `opponent:skill=${skill}` });
    if (mine !== last) return;
    said.textContent = `p = ${skill.toFixed(2)}: the best is ${grown.action}, worth ${+grown.value.toFixed(2)}`;
  };
  slider.addEventListener("input", () => attempt(draw));
  block.replaceChildren(make("label", {}, "MIN finds the best answer with probability p", slider), said, tree);
  return draw();
};

// Temporal differences on a walk of five places.
LIVE.td = (block) => {
  const values = [0.5, 0.5, 0.5, 0.5, 0.5], bars = make("div", { class: "upright" }), said = make("p", { class: "faint" }), rate = make("input", { type: "number", min: "0.01", max: "1", step: "0.01", value: "0.1" });
  let games = 0;
  const draw = () => {
    bars.replaceChildren(...values.map((value, k) => { const bar = make("div", { class: "column-bar" }, make("i"), make("b"), make("span", {}, value.toFixed(2))); bar.children[0].style.height = `${value * 100}%`; bar.children[1].style.bottom = `${(k + 1) / 6 * 100}%`; return bar; }));
    said.textContent = `${games} walks; the marks are the true values`;
  };
  const walk = (times) => {
    for (let n = 0; n < times; n++, games++) for (let place = 2; ;) {
      const next = place + (Math.random() < 0.5 ? -1 : 1), target = next < 0 ? 0 : next > 4 ? 1 : values[next];
      values[place] += +rate.value * (target - values[place]);
      if (next < 0 || next > 4) break;
      place = next;
    }
    draw();
  };
  block.replaceChildren(make("div", { class: "row" }, ...[1, 10, 100].map((times) => make("button", { type: "button", onclick: () => walk(times) }, `${times} walk${times > 1 ? "s" : ""}`)), make("label", { class: "inline" }, "α", rate)), bars, said);
  draw();
};

// Two regret matchers at rock, paper, scissors.
LIVE.regret = (block) => {
  const names = ["rock", "paper", "scissors"], pay = (a, b) => [0, 1, -1][(a - b + 3) % 3];
  const sides = [{ regret: [0, 0, 5], sum: [0, 0, 0] }, { regret: [4, 0, 0], sum: [0, 0, 0] }];
  let rounds = 0;
  const mix = ({ regret }) => { const plus = regret.map((r) => Math.max(0, r)), total = plus[0] + plus[1] + plus[2]; return total > 0 ? plus.map((r) => r / total) : [1 / 3, 1 / 3, 1 / 3]; };
  const pick = (share) => { let x = Math.random(); const found = share.findIndex((p) => (x -= p) < 0); return found < 0 ? 2 : found; };
  const out = make("div"), draw = () => out.replaceChildren(...sides.map((side, k) => {
    const shares = rounds ? side.sum.map((part) => part / rounds) : mix(side); // before the first round: the habit it begins with
    return make("div", { class: "upright" }, make("span", { class: "faint" }, `player ${k + 1}`), ...names.map((name, a) => { const bar = make("div", { class: "column-bar" }, make("i"), make("span", {}, `${name} ${(shares[a] * 100).toFixed(0)} %`)); bar.children[0].style.height = `${shares[a] * 100}%`; return bar; }));
  }), make("p", { class: "faint" }, rounds ? `${count(rounds)} rounds` : "before the first round"));
  const play = (times) => {
    for (let n = 0; n < times; n++, rounds++) {
      const shares = sides.map(mix), acts = shares.map(pick);
      sides.forEach((side, k) => { for (let a = 0; a < 3; a++) { side.sum[a] += shares[k][a]; side.regret[a] += pay(a, acts[1 - k]) - pay(acts[k], acts[1 - k]); } });
    }
    draw();
  };
  block.replaceChildren(make("div", { class: "row" }, ...[1, 100, 10000].map((times) => make("button", { type: "button", onclick: () => play(times) }, `${times.toLocaleString("en")} round${times > 1 ? "s" : ""}`))), out);
  draw();
};

// A ball on uneven ground: each step goes against the slope, where nobody could list the neighbours.
LIVE.slope = (block) => {
  const height = (x) => x ** 4 / 4 - 2 * x * x + x, slope = (x) => x ** 3 - 4 * x + 1, put = (x) => [`${60 * (x + 3)}`, `${80 - 12 * height(x)}`];
  const ground = Array.from({ length: 121 }, (_, k) => put(-3 + k / 20).join(",")).join(" ");
  const box = make("div", { class: "slope" }), said = make("p", { class: "status", "aria-live": "polite" }), length = make("input", { type: "number", min: "0.01", max: "1", step: "0.01", value: "0.1" });
  box.innerHTML = `<svg viewBox="0 0 360 160" role="img" aria-label="a curve with two hollows, and where the agent is" style="max-width: 34rem; width: 100%"><polyline points="${ground}" fill="none" stroke="currentColor" stroke-width="2"/><polyline class="trail" fill="none" stroke="#d9480f" stroke-width="1.5"/><circle r="6" fill="#1971c2"/></svg>`; // all of it our own numbers
  let x = 0.4, steps = 0, past = [];
  const draw = () => {
    const [left, top] = put(x), gone = Math.abs(x) > 3, ball = $("circle", box);
    ball.setAttribute("cx", gone ? -99 : left);
    ball.setAttribute("cy", top);
    $(".trail", box).setAttribute("points", past.map((at) => put(at).join(",")).join(" "));
    said.textContent = gone ? `after ${steps} steps: off the ground, the steps were too long` : `after ${steps} step${steps === 1 ? "" : "s"}: x = ${x.toFixed(3)}, height ${height(x).toFixed(3)}, slope ${slope(x).toFixed(3)}`;
  };
  const go = (times) => { for (let n = 0; n < times && Math.abs(x) <= 3; n++, steps++) { past = [...past, x].slice(-30); x -= +length.value * slope(x); } if (Math.abs(x) <= 3) past = [...past, x]; draw(); };
  const begin = (at) => { x = at; steps = 0; past = []; draw(); };
  $("svg", box).addEventListener("click", (event) => { const point = new DOMPoint(event.clientX, event.clientY).matrixTransform($("svg", box).getScreenCTM().inverse()); begin(Math.max(-3, Math.min(3, point.x / 60 - 3))); });
  block.replaceChildren(make("div", { class: "row" }, ...[1, 20].map((times) => make("button", { type: "button", onclick: () => go(times) }, `${times} step${times > 1 ? "s" : ""}`)),
    ...[["begin at 0.2", 0.2], ["begin at 0.4", 0.4]].map(([words, at]) => make("button", { type: "button", onclick: () => begin(at) }, words)), make("label", { class: "inline" }, "length", length)), box, said);
  draw();
};

// One after the other, and only once they are near the window: a page full of searches asks for none that nobody reads.
let queue = Promise.resolve();
const watcher = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) {
    watcher.unobserve(target);
    const run = () => LIVE[target.dataset.live](target, target.dataset);
    if (/^(sum|td|slope|regret|pearl|exercises|progress|table|cards|sizes|depths)$/.test(target.dataset.live)) { attempt(run); continue; } // these ask the server for no search
    queue = queue.then(run).catch((problem) => { target.textContent = problem.message; });
  }
}, { rootMargin: "400px" });
for (const block of document.querySelectorAll(".live")) {
  block.textContent = "…";
  watcher.observe(block);
}

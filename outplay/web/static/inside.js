// Look inside: grow the tree of a search and step through it. A small tree steps here; of a large one the server draws what is visible.
"use strict";

const EXAMPLES = {
  "the lectures' tree": { tree: "[[3,12,8],[2,4,6],[14,5,2]]", algorithm: "alphabeta" },
  "the same, best order": { tree: "[[3,12,8],[2,4,6],[2,5,14]]", algorithm: "alphabeta" },
  "the same, minimax": { tree: "[[3,12,8],[2,4,6],[14,5,2]]", algorithm: "minimax" },
  "a roll of dice": { tree: '{"chance": [["1/2", 8], ["1/3", 24], ["1/6", -12]]}', algorithm: "expectiminimax" },
  "sure thing or risk": { tree: '{"max": {"a1": 10, "a2": {"chance": [[0.3, 9], [0.7, 100]]}}}', algorithm: "expectiminimax" },
  "three players": { tree: "[[[(3,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(0,5,2)],[(7,7,1),(5,4,5)]]]", algorithm: "maxn" },
  "null windows": { tree: "[[3,12,8],[2,4,6],[14,5,2]]", algorithm: "mtdf" },
  "tic-tac-toe, near the end": { game: "tic-tac-toe", position: "x.o/.o./..x x", algorithm: "alphabeta" },
  "connect four, five plies": { game: "connect four", algorithm: "alphabeta", depth: 5 },
  "Monte Carlo, tic-tac-toe": { game: "tic-tac-toe", position: "x.o/.o./..x x", algorithm: "mcts", simulations: 60 },
};

let fields = null, controller = null, tree = null, opened = null, timer = null;

function algorithms(game) {
  const textbook = game.algorithms.filter((name) => !name.startsWith("engine"));
  $("#algorithm").replaceChildren(...textbook.map((name) => make("option", { value: name }, name)));
  if (textbook.includes("alphabeta")) $("#algorithm").value = "alphabeta";
}

function fill({ game, tree: text, position = "", algorithm, depth = "", simulations = "" }) {
  fields.choose(game || "tree");
  if (text) $('#parameters [name="tree"]').value = text;
  $("#position").value = position;
  $("#depth").value = depth;
  $("#simulations").value = simulations;
  if (algorithm) {
    if (![...$("#algorithm").options].some(({ value }) => value === algorithm)) $("#algorithm").append(make("option", { value: algorithm }, algorithm));
    $("#algorithm").value = algorithm;
  }
}

async function grow() {
  controller?.abort();
  clearInterval(timer);
  const mine = controller = new AbortController();
  $("#stop").hidden = false;
  $("#progress").textContent = "…";
  const asked = { game: fields.game().name, parameters: fields.parameters(), algorithm: $("#algorithm").value };
  if ($("#position").value.trim()) asked.start = $("#position").value.trim();
  if ($("#depth").value !== "") asked.depth = +$("#depth").value;
  if ($("#simulations").value !== "") asked.simulations = +$("#simulations").value;
  const done = await attempt(() => stream("/api/trees", asked, (message) => {
    if (message.queued) $("#progress").textContent = `place ${message.queued} in the queue`;
    if (message.queued === 0) $("#progress").textContent = "searching …";
    if (message.progress) $("#progress").textContent = `${count(message.progress.nodes)} nodes`;
    if (message.tree) tree = message.tree;
  }, mine.signal));
  if (controller !== mine) return;
  $("#stop").hidden = true;
  $("#progress").textContent = done ? "" : "stopped";
  if (done) await attempt(show);
}

async function show() {
  opened = null;
  const seen = await ask(`/api/trees/${tree.address}/view`, {});
  $("#result").hidden = false;
  const action = tree.action === null ? "" : `, by ${tree.action}`;
  $("#figures").replaceChildren(make("strong", {}, `${tree.algorithm}: ${worth(tree.value)}${action}`),
    ` · ${count(tree.searched)} nodes searched, ${count(tree.leaves)} leaves, ${count(tree.pruned)} actions skipped`);
  $("#html").href = `/api/trees/${tree.address}/file.html`;
  $("#svg").href = `/api/trees/${tree.address}/file.svg`;
  $("#node").textContent = "";
  const box = $("#stepper");
  box.replaceChildren(make("div", { class: "tree", id: "tree" }));
  $("#tree").innerHTML = seen.svg;
  if (seen.frames) new Stepper(box, seen.frames);
  else large(box, seen);
  box.scrollIntoView({ block: "nearest" });
}

// A large tree: each step is a picture from the server, of what is open and the way to where the search is.
function large(box, seen) {
  let tick = seen.tick, busy = false, next = null;
  opened = seen.opened;
  const caption = make("p", { class: "caption status", "aria-live": "polite" }), where = make("span", { class: "faint" });
  const slider = make("input", { type: "range", min: "0", max: String(seen.ticks), "aria-label": "step" });
  const put = (view) => {
    const scroll = [$("#tree").scrollLeft, $("#tree").scrollTop];
    $("#tree").innerHTML = view.svg;
    [$("#tree").scrollLeft, $("#tree").scrollTop] = scroll;
    tick = view.tick;
    slider.value = tick;
    caption.textContent = view.caption;
    where.textContent = `step ${count(tick)} of ${count(view.ticks)}` + (tree.iterations ? `, simulation ${count(view.iteration)} of ${count(tree.iterations)}` : "") +
      `, ${count(view.visible)} of ${count(tree.nodes)} nodes shown`;
    if (tick < view.ticks) $(`#n${view.focus}`, $("#tree"))?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const go = async (to, follow = true) => {
    next = { tick: Math.max(0, Math.min(to, seen.ticks)), follow };
    if (busy) return; // the newest wish wins
    busy = true;
    while (next) {
      const wish = next;
      next = null;
      const view = await attempt(() => ask(`/api/trees/${tree.address}/view`, { opened, ...wish }));
      if (view) put(view);
    }
    busy = false;
  };
  const simulation = async (forward) => {
    const view = await ask(`/api/trees/${tree.address}/view`, { opened: [], tick });
    const { tick: to } = await ask(`/api/trees/${tree.address}/iterations/${Math.min(tree.iterations, view.iteration + forward)}`);
    await go(to, false);
  };
  const run = make("button", { type: "button", onclick: () => {
    if (timer) { clearInterval(timer); timer = null; run.textContent = "Run"; return; }
    run.textContent = "Stop";
    timer = setInterval(() => {
      if (tick >= seen.ticks) return run.click();
      return tree.iterations ? attempt(() => simulation(1)) : go(tick + 1);
    }, 250);
  } }, "Run");
  const button = (text, label, action) => make("button", { type: "button", title: label, "aria-label": label, onclick: () => attempt(action) }, text);
  const bar = make("div", { class: "steps row" }, button("|◀", "to the start", () => go(0)), button("◀", "one step back", () => go(tick - 1)), run,
    button("▶", "one step on", () => go(tick + 1)), ...(tree.iterations ? [button("▶▶", "one simulation on", () => simulation(1))] : []),
    button("▶|", "to the end", () => go(seen.ticks, false)), slider, where);
  slider.addEventListener("input", () => go(+slider.value));
  box.prepend(bar, caption);
  put(seen);
  const root = $("#n0", $("#tree")).getBoundingClientRect();
  $("#tree").scrollLeft += root.left - $("#tree").getBoundingClientRect().left - $("#tree").clientWidth / 2;
  $("#tree").addEventListener("click", (event) => {
    const group = event.target.closest("[data-node]");
    if (!group) return;
    const node = +group.dataset.node;
    opened = opened.includes(node) ? opened.filter((other) => other !== node) : [...opened, node];
    go(tick, false);
  });
}

// A click tells about a node.
document.addEventListener("click", (event) => {
  const group = event.target.closest?.("#tree [data-node]");
  if (group) attempt(async () => {
    const node = await ask(`/api/trees/${tree.address}/nodes/${group.dataset.node}`);
    const text = [node.name, node.kind && node.kind.toUpperCase(), node.value !== null && `value ${worth(node.value)}`,
      node.visits !== null && `${node.visits} visits`, node.reason].filter(Boolean).join(" · ");
    const board = make("div", { class: "small" });
    if (node.board && !fields.game().name.startsWith("tree")) board.innerHTML = node.board.svg;
    $("#node").replaceChildren(make("p", {}, text), board);
  });
});

async function begin() {
  fields = await gameFields($("#game"), $("#parameters"), algorithms);
  $("#example").replaceChildren(make("option", { value: "" }, "…"), ...Object.keys(EXAMPLES).map((name) => make("option", { value: name }, name)));
  const wanted = new URLSearchParams(location.search);
  if (wanted.get("game")) {
    fill({ game: wanted.get("game"), position: wanted.get("position") || "", algorithm: wanted.get("algorithm"), tree: wanted.get("tree"),
      depth: wanted.get("depth") || (wanted.get("game").startsWith("tree") ? "" : 3), simulations: wanted.get("simulations") || "" });
  } else {
    $("#example").value = "the lectures' tree";
    fill(EXAMPLES["the lectures' tree"]);
  }
  await grow();
}

$("#example").addEventListener("change", () => { if (EXAMPLES[$("#example").value]) { fill(EXAMPLES[$("#example").value]); grow(); } });
$("#grow").addEventListener("submit", (event) => { event.preventDefault(); grow(); });
$("#stop").addEventListener("click", () => { controller?.abort(); $("#stop").hidden = true; });
attempt(begin);

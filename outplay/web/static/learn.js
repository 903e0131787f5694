// Lessons: each .live block becomes an example that runs on the server.
"use strict";

const asked = ({ game = "tree", tree, position, actions }) => ({ game, ...(tree ? { parameters: { tree } } : {}),
  ...(position ? { start: position } : {}), ...(actions ? { actions: actions.split(" ") } : {}) });

const LIVE = {
  // The whole tree of a search, stepped through.
  async tree(block, data) {
    const body = { ...asked(data), algorithm: data.algorithm };
    for (const key of ["depth", "simulations"]) if (data[key]) body[key] = +data[key];
    let grown = null;
    await stream("/api/trees", body, (message) => { if (message.tree) grown = message.tree; });
    const seen = await ask(`/api/trees/${grown.address}/view`, {});
    const box = make("div", { class: "tree" });
    box.innerHTML = seen.svg;
    const stepper = make("div", {}, box);
    block.replaceChildren(make("p", { class: "faint" }, `${grown.algorithm}: value ${worth(grown.value)}, ${count(grown.searched)} nodes, ` +
      `${count(grown.leaves)} leaves, ${count(grown.pruned)} skipped`), stepper);
    if (seen.frames) new Stepper(stepper, seen.frames, data.from !== "0");
    const place = new URLSearchParams({ game: data.game || "tree", algorithm: data.algorithm, ...(data.tree ? { tree: data.tree } : {}),
      ...(data.position ? { position: data.position } : {}), ...(data.simulations ? { simulations: data.simulations } : {}) });
    if (!data.actions) block.append(make("p", {}, make("a", { href: `/inside?${place}` }, "Change it on Look inside")));
  },

  // Several searches side by side.
  async compare(block, data) {
    const body = make("tbody");
    block.replaceChildren(make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...["search", "value", "nodes", "leaves", "seconds"]
      .map((name, place) => make("th", place ? { class: "number" } : {}, name)))), body)));
    await stream("/api/compare", { ...asked(data), algorithms: data.algorithms.split(","), depth: +data.depth, seconds: 20 }, ({ row }) => {
      if (row) body.append(make("tr", {}, make("td", {}, row.algorithm), ...(row.problem ? [make("td", { colspan: "4" }, row.problem)]
        : [worth(row.value), count(row.nodes), count(row.leaves), row.seconds.toFixed(3)].map((text) => make("td", { class: "number" }, text)))));
    });
  },

  // The lectures' sums: how large a tree is, and how deep one can look.
  sum(block, data) {
    const branching = make("input", { type: "number", min: "1", max: "1000", value: data.branching, name: "b" });
    const plies = make("input", { type: "number", min: "1", max: "1000", value: data.plies, name: "m" });
    const speed = make("input", { type: "number", min: "1", value: data.speed || "1e9", name: "speed", step: "any" });
    const seconds = make("input", { type: "number", min: "0.1", value: data.seconds || "60", name: "seconds", step: "any" });
    const out = make("div");
    const power = (log) => log < 6 ? count(10 ** log) : `${(10 ** (log % 1)).toFixed(1)} · 10^${Math.floor(log)}`;
    const draw = () => {
      const b = Math.log10(+branching.value), m = +plies.value, time = Math.log10(+speed.value * +seconds.value);
      const years = b * m - Math.log10(+speed.value * 3600 * 24 * 365.25);
      out.replaceChildren(make("p", {}, `Minimax: b^m = ${power(b * m)} leaves` + (years > 0 ? `, ${power(years)} years at ${count(+speed.value)} a second.` : ".")),
        make("p", {}, `Alpha-beta in the best order: about b^(m/2) = ${power(b * m / 2)}.`),
        make("p", {}, `In ${seconds.value} s: depth ${(time / b).toFixed(1)} by minimax, ${(2 * time / b).toFixed(1)} by alpha-beta in the best order.`));
    };
    const label = (text, field) => { field.addEventListener("input", draw); return make("label", {}, text, field); };
    block.replaceChildren(make("div", { class: "fields" }, label("actions b", branching), label("plies m", plies), label("nodes a second", speed),
      label("seconds", seconds)), out);
    draw();
  },

  // Leaves of alpha-beta in the best, a random and the worst order.
  async orders(block, data) {
    const b = +data.branching, m = +data.plies, body = make("tbody");
    block.replaceChildren(make("p", { class: "faint" }, `a uniform tree, b = ${b}, m = ${m}: minimax reads ${count(b ** m)} leaves`),
      make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, "order"), make("th", { class: "number" }, "leaves of alpha-beta"),
        make("th", { class: "number" }, "the formula"))), body));
    const formulas = { best: b ** Math.ceil(m / 2) + b ** Math.floor(m / 2) - 1, random: b ** (0.75 * m), worst: b ** m };
    for (const order of ["best", "random", "worst"]) {
      let row = null;
      await stream("/api/compare", { game: "uniform tree", parameters: { branching: b, depth: m, order }, algorithms: ["alphabeta"], depth: m },
        (message) => { row = message.row ?? row; });
      body.append(make("tr", {}, make("td", {}, order), make("td", { class: "number" }, count(row.leaves)), make("td", { class: "number" }, count(formulas[order]))));
    }
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
        await stream("/api/think", { ...asked(data), algorithm: data.algorithm, seconds: +data.seconds }, ({ result }) => {
          if (result) body.append(make("tr", {}, ...[result.depth, worth(result.value), count(result.nodes), result.line.slice(0, 12).join(" ")]
            .map((text) => make("td", {}, String(text)))));
        });
      } finally { button.disabled = false; }
    }));
  },

  // The six questions, answered for a board that can be played on.
  async questions(block, data) {
    const moves = [], element = make("div"), answers = make("table", {}, make("tbody"));
    const board = new Board(element, (text) => { moves.push(text); attempt(draw); });
    const draw = async () => {
      const state = await ask("/api/positions", { game: data.game, actions: moves });
      board.show(state);
      const rows = [["PLAYER", state.terminal ? "–" : state.player === 0 ? "MAX" : "MIN"], ["ACTIONS", state.legal.map(({ text }) => text).join(" ") || "none"],
        ["RESULT", moves.length ? `after ${moves.at(-1)}: ${state.position}` : state.position], ["TERMINAL-TEST", state.terminal ? "yes" : "no"],
        ["UTILITY", state.terminal ? `MAX ${state.utilities[0]}, MIN ${state.utilities[1]}` : "not yet"]];
      $("tbody", answers).replaceChildren(...rows.map(([name, text]) => make("tr", {}, make("th", {}, name), make("td", { class: "mono" }, text))));
    };
    block.replaceChildren(element, answers, make("button", { type: "button", onclick: () => { moves.length = 0; attempt(draw); } }, "Start again"));
    element.classList.add("narrow");
    await draw();
  },
};

// One after the other, and only once they are near the window: a page full of searches asks for none that nobody reads.
let queue = Promise.resolve();
const watcher = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) {
    watcher.unobserve(target);
    queue = queue.then(() => LIVE[target.dataset.live](target, target.dataset)).catch((problem) => { target.textContent = problem.message; });
  }
}, { rootMargin: "400px" });
for (const block of document.querySelectorAll(".live")) {
  block.textContent = "…";
  watcher.observe(block);
}

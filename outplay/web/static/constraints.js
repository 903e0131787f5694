// Constraint problems: a search decision by decision, with the domains shrinking on a picture of the problem.
"use strict";

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
const PALETTE = { red: "#d63a3a", green: "#2b9a66", blue: "#1f6fc9", yellow: "#ffd43b", orange: "#e8720c", white: "#f4f4f0" };
const COLOURS = ["#1f6fc9", "#e8720c", "#2b9a66", "#9c4fc4", "#d6568d", "#2aa5b3", "#ffd43b", "#d63a3a"];
let problem = null, steps = [], at = 0, controller = null, timer = null, names = [];
const shade = (value) => PALETTE[value] ?? COLOURS[Math.max(0, names.indexOf(String(value))) % COLOURS.length];

async function search() {
  controller?.abort();
  const mine = controller = new AbortController();
  halt();
  $("#wrong").textContent = "";
  $("#stop").hidden = false;
  $("#progress").textContent = "…";
  steps = [];
  problem = null;
  let domains = {};
  try {
    await stream("/api/constraints", { text: $("#text").value, propagation: $("#propagation").value, order: $("#order").value, values: $("#values").value }, (message) => {
      if (message.queued) $("#progress").textContent = `place ${message.queued} in the queue`;
      if (message.problem) problem = message.problem;
      if (message.step) { const before = domains; domains = { ...domains, ...message.step.domains }; steps.push({ ...message.step, domains, before }); }
      if (message.done) $("#progress").textContent = message.done.limit ? `the first ${message.done.steps} decisions` : "";
    }, mine.signal);
  } catch (problem) { $("#wrong").textContent = problem.message; $("#progress").textContent = ""; }
  $("#stop").hidden = true;
  if (!steps.length) return;
  names = [...new Set(Object.values(steps[0].domains).flat().map(String))];
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
  $("#picture").innerHTML = draw(step);
}

function draw(step) {
  if (problem.regions) return map(step);
  if (problem.kind === "sudoku") return sudoku(step);
  if (problem.kind === "queens") return queens(step);
  if (problem.kind === "cryptarithm") return letters(step);
  return problem.places ? graph(step) : "";
}

function wedges(x, y, radius, values) {
  if (values.length === 1) return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${shade(values[0])}"/>`;
  return values.slice(0, 9).map((value, k) => `<circle cx="${x + (k - (Math.min(9, values.length) - 1) / 2) * radius * 0.95}" cy="${y}" r="${radius * 0.42}" fill="${shade(value)}"/>`).join("");
}

function map(step) {
  const scale = 12;
  const parts = Object.entries(problem.regions).sort(([one], [other]) => (one === step.variable) - (other === step.variable)).map(([name, outline]) => {
    const values = step.domains[name], fixed = values.length === 1;
    const path = "M" + outline.map(([x, y]) => `${(x * scale + 12).toFixed(1)} ${(y * scale + 8).toFixed(1)}`).join("L") + "Z";
    const [cx, cy] = middle(outline).map((part, k) => part * scale + [12, 8][k]);
    const lit = name === step.variable ? " lit" : values.length === 0 ? " dead" : "";
    return `<path class="region${lit}" d="${path}" fill="${fixed ? shade(values[0]) : "var(--code)"}"/><text class="${fixed ? "on" : ""}" x="${cx}" y="${cy - (fixed ? 0 : 8)}">${name}</text>` + (fixed ? "" : wedges(cx, cy + 8, 11, values));
  });
  return `<svg viewBox="0 0 520 480" role="img" aria-label="map of Australia">${parts.join("")}</svg>`;
}

// The centre of gravity of a region.
function middle(outline) {
  let area = 0, x = 0, y = 0;
  outline.forEach(([a, b], k) => { const [c, d] = outline[(k + 1) % outline.length], cross = a * d - c * b; area += cross; x += (a + c) * cross; y += (b + d) * cross; });
  return [x / (3 * area), y / (3 * area)];
}

function graph(step) {
  const where = (name) => [40 + problem.places[name][0] * 440, 36 + problem.places[name][1] * 360];
  const lines = problem.pairs.map(([a, b]) => { const [x, y] = where(a), [u, v] = where(b); return `<path class="link${a === step.variable || b === step.variable ? " lit" : ""}" d="M${x} ${y}L${u} ${v}"/>`; }).join("");
  const nodes = problem.variables.map((name) => {
    const [x, y] = where(name), values = step.domains[name];
    const text = values.length === 1 ? `${name}=${values[0]}` : name;
    return `<circle class="dot-node${name === step.variable ? " lit" : ""}${values.length === 0 ? " dead" : ""}" cx="${x}" cy="${y}" r="22" ${values.length === 1 && PALETTE[values[0]] ? `style="fill:${shade(values[0])}"` : ""}/><text x="${x}" y="${y}">${text}</text><text class="tiny" x="${x}" y="${y + 32}">${values.length <= 6 ? values.join(" ") : `${values.length} values`}</text>`;
  }).join("");
  return `<svg viewBox="0 0 520 440" role="img" aria-label="constraint graph">${lines}${nodes}</svg>`;
}

function sudoku(step) {
  const size = Math.round(Math.sqrt(problem.variables.length)), block = Math.round(Math.sqrt(size)), side = 460 / size;
  let parts = "";
  problem.variables.forEach((name, k) => {
    const r = Math.floor(k / size), c = k % size, x = 10 + c * side, y = 10 + r * side, values = step.domains[name], before = step.before[name] ?? values;
    parts += `<rect class="box${name === step.variable ? " lit" : values.length < before.length ? " changed" : ""}${values.length === 0 ? " dead" : ""}" x="${x}" y="${y}" width="${side}" height="${side}"/>`;
    if (values.length === 1) parts += `<text class="big" x="${x + side / 2}" y="${y + side / 2}">${values[0]}</text>`;
    else if (size <= 9) for (const value of values) { const d = value - 1; parts += `<text class="tiny" x="${x + side * (0.2 + 0.3 * (d % 3))}" y="${y + side * (0.2 + 0.3 * Math.floor(d / 3))}">${value}</text>`; }
  });
  for (let k = 0; k <= size; k += block) parts += `<path class="thick" d="M${10 + k * side} 10V470M10 ${10 + k * side}H470"/>`;
  return `<svg viewBox="0 0 480 480" role="img" aria-label="sudoku">${parts}</svg>`;
}

function queens(step) {
  const size = problem.variables.length, side = 460 / size;
  let parts = "";
  problem.variables.forEach((name, column) => {
    const values = step.domains[name];
    for (let row = 0; row < size; row++) {
      const least = Math.min(...Object.values(steps[0].domains).flat().map(Number));
      const has = values.some((value) => Number(value) === row + least), x = 10 + column * side, y = 10 + row * side;
      parts += `<rect class="${(row + column) % 2 ? "dark" : "pale"}${name === step.variable ? " lit" : ""}" x="${x}" y="${y}" width="${side}" height="${side}"/>`;
      if (values.length === 1 && has) parts += `<g transform="translate(${x + side * 0.1} ${y + side * 0.1}) scale(${side * 0.8 / 48})" class="queen"><path d="M13.3 31L8.8 14.8L16.4 22.5L17 11.5L21.6 21.5L24 9.5L26.4 21.5L31 11.5L31.6 22.5L39.2 14.8L34.7 31z"/><path d="M13.3 30.5h21.4l-1.6 5.5h-18.2z"/><rect x="11" y="36" width="26" height="5" rx="2"/></g>`;
      else if (has) parts += `<circle class="maybe" cx="${x + side / 2}" cy="${y + side / 2}" r="${side * 0.13}"/>`;
      else parts += `<path class="out" d="M${x + side * 0.38} ${y + side * 0.38}l${side * 0.24} ${side * 0.24}m0 ${-side * 0.24}l${-side * 0.24} ${side * 0.24}"/>`;
    }
  });
  return `<svg viewBox="0 0 480 480" role="img" aria-label="queens">${parts}</svg>`;
}

function letters(step) {
  const words = $("#text").value.split(/[+=]/).map((word) => word.trim()).filter(Boolean), wide = Math.max(...words.map((word) => word.length));
  let parts = "";
  words.forEach((word, row) => [...word].forEach((letter, k) => {
    const values = step.domains[letter] ?? [], x = 40 + (wide - word.length + k) * 62, y = 16 + row * 74 + (row === words.length - 1 ? 14 : 0);
    parts += `<rect class="box${letter === step.variable ? " lit" : ""}${values.length === 0 ? " dead" : ""}" x="${x}" y="${y}" width="54" height="60" rx="6"/><text class="big" x="${x + 27}" y="${y + 24}">${values.length === 1 ? values[0] : letter}</text><text class="tiny" x="${x + 27}" y="${y + 50}">${values.length === 1 ? letter : values.length <= 5 ? values.join("") : `${values.length} left`}</text>`;
  }));
  const y = 16 + (words.length - 1) * 74 + 3;
  return `<svg viewBox="0 0 ${80 + wide * 62} ${y + 96}" role="img" aria-label="the sum"><path class="thick" d="M30 ${y}H${50 + wide * 62}"/><text class="big" x="20" y="${y - 44}">+</text>${parts}</svg>`;
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
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || !steps.length) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
  if (to !== undefined) { event.preventDefault(); go(to); }
});
$("#example").replaceChildren(make("option", { value: "" }, "…"), ...Object.keys(EXAMPLES).map((name) => make("option", { value: name }, name)));
const wanted = new URLSearchParams(location.search);
$("#text").value = wanted.get("text") ?? EXAMPLES[wanted.get("example")] ?? Object.values(EXAMPLES)[0];
for (const id of ["propagation", "order", "values"]) if (wanted.get(id)) $(`#${id}`).value = wanted.get(id);
if (!wanted.get("text")) $("#example").value = wanted.get("example") ?? Object.keys(EXAMPLES)[0];
await search();

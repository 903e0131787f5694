// Compare: several searches on one position, a table and a chart with a logarithmic scale.
// @ts-check
import { Board } from "./board.js";
import { $, ask, attempt, gameFields, make, stream } from "./studio.js";
import { apt, brief, count, worth } from "./words.js";

let fields = null, controller = null, rows = [], measure = "nodes";
const board = new Board($("#board"), () => {});

const FIRST = ["minimax", "alphabeta", "pvs", "killer", "alphabeta-table", "expectiminimax", "star1", "star2", "expectimax", "maxn", "breadth-first", "uniform-cost", "greedy", "a-star", "mcts", "deals",
  "engine:pvs", "engine:star2", "engine:maxn", "engine:a-star", "engine:mcts", "engine:ismcts"];
const USUAL = [["minimax", "alphabeta", "pvs", "killer", "alphabeta-table", "engine:pvs"], ["expectiminimax", "star1", "star2", "engine:star2"], ["breadth-first", "uniform-cost", "greedy", "a-star", "engine:a-star"], ["expectimax"], ["maxn", "engine:maxn"], ["mcts", "deals", "engine:ismcts"]];

function choices(game) {
  const family = game.players === 1 && game.algorithms.includes("a-star") ? USUAL[2] : USUAL.find(([first]) => game.algorithms.includes(first)) ?? [];
  const wanted = new Set(family);
  const box = (name) => {
    const input = make("input", { type: "checkbox", name: "algorithm", value: name });
    input.checked = wanted.has(name);
    return make("label", { class: "choice" }, input, name);
  };
  const first = FIRST.filter((name) => game.algorithms.includes(name) && (wanted.has(name) || apt(name, game))), rest = game.algorithms.filter((name) => !first.includes(name));
  $("#algorithms").replaceChildren(make("legend", {}, "Searches"), ...first.map(box),
    make("details", {}, make("summary", {}, `${rest.length} more`), make("div", { class: "picked" }, ...rest.map(box))));
  const problem = game.players === 1;
  $("#value-head").textContent = problem ? "cost" : "value";
  $("#depth").value = problem ? "" : $("#depth").value || 4;
  $("#say").innerHTML = problem ? "The cheapest way is the aim: look at the cost first, then at the nodes it took." : game.chance ? "Chance nodes average over all outcomes; Star1 and Star2 skip what cannot matter." :
    game.information === "hidden" ? "What is hidden is dealt many times, or searched by what a player knows." : "Alpha-beta returns what minimax does from fewer leaves: with b actions a position and m plies, between b<sup>m/2</sup> in the best order and b<sup>m</sup> in the worst.";
  optionRows();
  $("#depths").hidden = problem || game.information === "hidden";
  $("#results").hidden = true; // what was found was found for another game
  $("#law").textContent = "";
  look();
}

const asked = () => {
  const body = { game: fields.game().name, parameters: fields.parameters() };
  if ($("#position").value.trim()) body.start = $("#position").value.trim();
  return body;
};

let looks = 0;
async function look() {
  if (!fields) return;
  const mine = ++looks;
  const state = await attempt(() => ask("/api/positions", asked()));
  if (state && mine === looks) board.show(state, false);
}

/** The searches that are chosen. @returns {HTMLInputElement[]} */
const ticked = () => [...document.querySelectorAll("[name=algorithm]:checked")].map((box) => /** @type {HTMLInputElement} */ (box));

// What can be set of each search that is chosen; a second row of the same search compares it with itself under other options.
let known = null, settings = []; // rows: { name, values: Map }
async function optionRows() {
  known ??= (await ask("/api/algorithms").catch(() => ({ algorithms: {} }))).algorithms;
  const chosen = ticked().map(({ value }) => value);
  settings = [...settings.filter(({ name }) => chosen.includes(name)), ...chosen.filter((name) => !settings.some((row) => row.name === name)).map((name) => ({ name, values: new Map() }))];
  settings.sort((a, b) => chosen.indexOf(a.name) - chosen.indexOf(b.name));
  $("#options").replaceChildren(...settings.filter(({ name }) => known[name]?.options.length).map((row) => {
    const fields = known[row.name].options.map((option) => {
      const choices = option.kind === "switch" ? ["yes", "no"] : option.words;
      const shown = option.default === null ? "as usual" : option.default === true ? "yes" : option.default === false ? "no" : String(option.default);
      const field = choices.length ? make("select", {}, make("option", { value: "" }, shown), ...choices.filter((word) => word !== shown).map((word) => make("option", { value: word }, word)))
        : make("input", { placeholder: shown, size: "7", autocomplete: "off", spellcheck: false });
      field.value = row.values.get(option.name) ?? "";
      field.addEventListener("change", () => { if (field.value.trim()) row.values.set(option.name, field.value.trim()); else row.values.delete(option.name); });
      return make("label", { title: `${option.about}; ${option.range}` }, option.name, field);
    });
    return make("div", { class: "option-row", "data-search": row.name }, make("strong", { title: known[row.name].about }, row.name), ...fields, make("button", { type: "button", title: "The same search once more, with other options", onclick: () => { settings.splice(settings.indexOf(row) + 1, 0, { name: row.name, values: new Map(row.values) }); optionRows(); } }, "and again"));
  }));
  if (!$("#options").children.length) $("#options").append(make("p", { class: "faint" }, "Nothing can be set of these."));
}

const written = ({ name, values }) => name + (values.size ? `${name.includes(":") ? "," : ":"}${[...values].map(([key, value]) => `${key}=${value}`).join(",")}` : "");
const picked = () => [...ticked().flatMap(({ value }) => { const rows = settings.filter(({ name }) => name === value); return rows.length ? [...new Set(rows.map(written))] : [value]; }), ...$("#more").value.split(";").map((text) => text.trim()).filter(Boolean)];

async function compare() {
  $("#growth").replaceChildren();
  controller?.abort();
  const mine = controller = new AbortController();
  rows = [];
  const body = asked();
  body.algorithms = picked();
  $("#wrong").textContent = "";
  if (!body.algorithms.length) { $("#wrong").textContent = "Choose at least one search."; return; }
  if (body.algorithms.length > 12) { $("#wrong").textContent = `At most 12 searches at a time, not ${body.algorithms.length}.`; return; }
  if ($("#depth").value !== "") body.depth = +$("#depth").value;
  body.seconds = +$("#seconds").value || 10;
  if (body.algorithms.some((name) => name.endsWith("mcts"))) body.simulations = +$("#simulations").value || 1000;
  $("#results").hidden = false;
  $("#stop").hidden = false;
  draw();
  look();
  let done = false;
  try { done = await stream("/api/compare", body, (message) => {
    if (message.queued) $("#progress").textContent = `place ${message.queued} in the queue`;
    if (message.queued === 0) $("#progress").textContent = "comparing …";
    if (message.progress) $("#progress").textContent = `${message.progress.algorithm}: ${count(message.progress.nodes)} nodes`;
    if (message.row) { rows.push(message.row); draw(); }
  }, mine.signal); } catch (problem) { $("#wrong").textContent = problem.message; }
  if (controller !== mine) return;
  $("#stop").hidden = true;
  $("#progress").textContent = done ? "done" : "stopped";
  return done;
}

// A visitor who has asked for nothing yet finds a finished comparison: what alpha-beta saves of minimax, on one position and as the depth grows.
// The textbook's searches alone: the engine's would have to be compiled first.
async function welcome() {
  for (const box of ticked()) box.checked = !box.value.startsWith("engine");
  await optionRows();
  if (await compare()) await depths(["minimax", "alphabeta", "pvs"], 5);
}

function draw() {
  const first = rows.find((row) => !row.problem);
  $("#results tbody").replaceChildren(...rows.map((row) => row.problem
    ? make("tr", {}, make("td", {}, row.algorithm), make("td", { colspan: "6", class: "faint" }, row.problem))
    : make("tr", {}, make("td", {}, row.algorithm), make("td", { class: "number" }, row.cost !== null && row.cost !== undefined ? `${+row.cost.toFixed(3)}, ${row.steps} steps` : worth(row.value) + (row.exact ? "" : " ≈")),
      make("td", { class: "mono" }, row.action ?? "–"), make("td", { class: "number" }, count(row.nodes)), make("td", { class: "number" }, count(row.leaves)),
      make("td", { class: "number" }, row.seconds.toFixed(3)),
      make("td", { class: "number" }, first.nodes ? row.nodes > 10 * first.nodes ? `${brief(row.nodes / first.nodes)} ×` : `${(row.nodes / first.nodes * 100).toFixed(row.nodes < first.nodes / 10 ? 1 : 0)} %` : "–"))));
  law();
  chart();
}

// The lectures' claim on the reader's own position: how close alpha-beta came to b^(m/2).
function law() {
  const find = (name) => rows.find((row) => row.algorithm.split(":")[0] === name && !row.problem);
  const whole = find("minimax"), cut = find("alphabeta") || find("pvs");
  if (!whole || !cut || !(whole.leaves > 1)) { $("#law").textContent = ""; return; }
  const power = Math.log(cut.leaves) / Math.log(whole.leaves);
  $("#law").innerHTML = `${cut.algorithm} looked at ${count(cut.leaves)} of ${count(whole.leaves)} leaves: b<sup>m</sup> became b<sup>${power.toFixed(2)} m</sup>. ` +
    "The best order gives b<sup>0.5 m</sup>, a random one about b<sup>0.75 m</sup>.";
}

function chart() {
  const shown = rows.filter((row) => !row.problem && row[measure] > 0);
  if (!shown.length) { $("#chart").replaceChildren(); return; }
  const least = Math.min(...shown.map((row) => row[measure])), most = Math.max(...shown.map((row) => row[measure]));
  const low = Math.log10(least) - 0.5, span = Math.max(0.5, Math.log10(most) - low);
  const left = Math.max(110, 7.4 * Math.max(...shown.map(({ algorithm }) => algorithm.length)) + 12);
  const height = shown.length * 30 + 10, bars = shown.map((row, place) => {
    const length = Math.max(3, (Math.log10(row[measure]) - low) / span * 420), y = 8 + place * 30;
    const text = measure === "seconds" ? `${row.seconds.toFixed(3)} s` : count(row[measure]);
    return `<text x="${left - 8}" y="${y + 15}" text-anchor="end">${row.algorithm}</text><rect class="bar" x="${left}" y="${y}" width="${length}" height="20" rx="3"/>` +
      `<text x="${left + 8 + length}" y="${y + 15}">${text}</text>`;
  });
  $("#chart").innerHTML = `<svg viewBox="0 0 ${left + 520} ${height}" width="${left + 520}" height="${height}" role="img" aria-label="${measure} of each search, logarithmic">${bars.join("")}</svg>` +
    '<p class="faint">The scale is logarithmic.</p>';
}

// Leaves against depth for the chosen searches, with the lines b^m and b^(m/2) that the lectures promise.
async function depths(names = picked().filter((name) => !/mcts|deals/.test(name)).slice(0, 6), most = Math.max(2, Math.min(12, +$("#depth").value || 5))) {
  controller?.abort();
  const mine = controller = new AbortController();
  if (!names.length) { $("#wrong").textContent = "Choose at least one search."; return; }
  const series = new Map(names.map((name) => [name, []]));
  $("#results").hidden = false;
  $("#stop").hidden = false;
  try {
    for (let depth = 1; depth <= most; depth++) {
      $("#progress").textContent = `depth ${depth} of ${most} …`;
      const body = { ...asked(), algorithms: names.filter((name) => series.get(name).length === depth - 1), depth, seconds: +$("#seconds").value || 10 };
      if (!body.algorithms.length) break;
      await stream("/api/compare", body, (message) => { if (message.row && !message.row.problem && message.row.depth >= depth) series.get(message.row.algorithm)?.push(Math.max(1, message.row.nodes)); }, mine.signal);
      if (mine.signal.aborted) return; // stopped, or something else is asked for
      growth(series, most);
    }
    $("#progress").textContent = "done";
  } catch (problem) { $("#wrong").textContent = problem.message; }
  $("#stop").hidden = true;
}

function growth(series, most) {
  const all = [...series.values()].flat();
  if (!all.length) return;
  const whole = series.get("minimax") ?? [...series.values()].sort((a, b) => (b.at(-1) ?? 0) - (a.at(-1) ?? 0))[0];
  const b = Math.pow(whole.at(-1), 1 / whole.length), top = Math.log10(Math.max(...all, Math.pow(b, most))) + 0.2;
  const wide = 700, tall = 340, x = (depth) => 60 + (depth - 1) / Math.max(1, most - 1) * (wide - 260), y = (nodes) => tall - 34 - Math.log10(nodes) / top * (tall - 54);
  const ticks = Array.from({ length: Math.floor(top) + 1 }, (_, k) => `<path class="axis" d="M60 ${y(10 ** k)}H${x(most)}"/><text x="54" y="${y(10 ** k) + 4}" text-anchor="end">10${k === 0 ? "⁰" : `<tspan dy="-5" font-size="11">${k}</tspan>`}</text>`).join("");
  const below = Array.from({ length: most }, (_, k) => `<text x="${x(k + 1)}" y="${tall - 12}" text-anchor="middle">${k + 1}</text>`).join("");
  const path = (points) => points.map((nodes, k) => `${k ? "L" : "M"}${x(k + 1).toFixed(1)} ${y(Math.max(1, nodes)).toFixed(1)}`).join("");
  const power = (share) => Array.from({ length: most }, (_, k) => Math.pow(b, (k + 1) * share));
  const references = /** @type {[number, string][]} */ ([[1, "b<tspan dy='-5' font-size='11'>m</tspan>"], [0.5, "b<tspan dy='-5' font-size='11'>m/2</tspan>"]]);
  const ends = [...references.map(([share, name]) => ({ at: [most, Math.pow(b, most * share)], name, kind: "of-ref" })), ...[...series].filter(([, points]) => points.length).map(([name, points], k) => ({ at: [points.length, points.at(-1)], name, kind: `of-l${k}` }))];
  ends.sort((one, other) => y(one.at[1]) - y(other.at[1]));
  let free = 0; // the names at the right keep a line's distance
  const names = ends.map(({ at, name, kind }) => { const line = Math.max(free, y(Math.max(1, at[1])) + 4); free = line + 15; return `<text class="${kind}" x="${x(most) + 8}" y="${line.toFixed(1)}">${name}</text>`; }).join("");
  const lines = [...series].map(([, points], k) => points.length ? `<path class="series l${k}" d="${path(points)}"/>${points.map((nodes, d) => `<circle class="dot l${k}" cx="${x(d + 1).toFixed(1)}" cy="${y(nodes).toFixed(1)}" r="3"><title>${count(nodes)} nodes at depth ${d + 1}</title></circle>`).join("")}` : "").join("");
  $("#growth").innerHTML = `<svg viewBox="0 0 ${wide} ${tall}" width="${wide}" height="${tall}" role="img" aria-label="nodes against depth, between b to the m and b to the m half">${ticks}${below}${references.map(([share]) => `<path class="ref" d="${path(power(share))}"/>`).join("")}${lines}${names}
    <text x="60" y="12">nodes, logarithmic; b = ${b.toFixed(1)}</text><text x="${x(most)}" y="${tall - 12}" dx="16">depth m</text></svg>`;
}

$("#algorithms").addEventListener("change", optionRows);
$("#depths").addEventListener("click", () => depths());
$("#form").addEventListener("submit", (event) => { event.preventDefault(); compare(); });
$("#stop").addEventListener("click", () => { controller?.abort(); $("#stop").hidden = true; $("#progress").textContent = "stopped"; });
$("#position").addEventListener("change", look);
$("#parameters").addEventListener("change", look);
for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-show]"))) button.addEventListener("click", () => {
  measure = button.dataset.show;
  for (const other of document.querySelectorAll("[data-show]")) other.classList.toggle("chosen", other === button);
  chart();
});
attempt(async () => {
  fields = await gameFields($("#game"), $("#parameters"), choices);
  const wanted = new URLSearchParams(location.search);
  if (!fields.choose(wanted.get("game") || "")) fields.choose("tic-tac-toe");
  $("#position").value = wanted.get("position") || "";
  if (wanted.get("depth")) $("#depth").value = wanted.get("depth");
  choices(fields.game());
  if (!location.search) await welcome();
});

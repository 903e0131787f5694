// Compare: several searches on one position, a table and a chart with a logarithmic scale.
"use strict";

let fields = null, controller = null, rows = [], measure = "nodes";
const board = new Board($("#board"), () => {});

function choices(game) {
  const families = [["minimax", "alphabeta", "pvs", "killer", "alphabeta-table", "engine:pvs"], ["expectiminimax", "star1", "star2"], ["expectimax"], ["maxn"], ["mcts", "deals"]];
  const wanted = new Set(families.find(([first]) => game.algorithms.includes(first)));
  const listed = [...game.algorithms].sort((a, b) => a.startsWith("engine") - b.startsWith("engine"));
  $("#algorithms").replaceChildren(make("legend", {}, "Searches"), ...listed.map((name) => {
    const box = make("input", { type: "checkbox", name: "algorithm", value: name });
    box.checked = wanted.has(name);
    return make("label", { class: "choice" }, box, ` ${name}`);
  }));
  look();
}

const asked = () => {
  const body = { game: fields.game().name, parameters: fields.parameters() };
  if ($("#position").value.trim()) body.start = $("#position").value.trim();
  return body;
};

async function look() {
  if (!fields) return;
  const state = await attempt(() => ask("/api/positions", asked()));
  if (state) board.show(state, false);
}

async function compare() {
  controller?.abort();
  const mine = controller = new AbortController();
  rows = [];
  const body = asked();
  body.algorithms = [...document.querySelectorAll("[name=algorithm]:checked")].map(({ value }) => value);
  if (!body.algorithms.length) return notice("choose at least one search");
  if ($("#depth").value !== "") body.depth = +$("#depth").value;
  body.seconds = +$("#seconds").value || 10;
  if (body.algorithms.some((name) => name.endsWith("mcts"))) body.simulations = +$("#simulations").value || 1000;
  $("#results").hidden = false;
  $("#stop").hidden = false;
  draw();
  look();
  const done = await attempt(() => stream("/api/compare", body, (message) => {
    if (message.queued) $("#progress").textContent = `place ${message.queued} in the queue`;
    if (message.queued === 0) $("#progress").textContent = "comparing …";
    if (message.progress) $("#progress").textContent = `${message.progress.algorithm}: ${count(message.progress.nodes)} nodes`;
    if (message.row) { rows.push(message.row); draw(); }
  }, mine.signal));
  if (controller !== mine) return;
  $("#stop").hidden = true;
  $("#progress").textContent = done ? "done" : "stopped";
}

function draw() {
  const first = rows.find((row) => !row.problem);
  $("#results tbody").replaceChildren(...rows.map((row) => row.problem
    ? make("tr", {}, make("td", {}, row.algorithm), make("td", { colspan: "6", class: "faint" }, row.problem))
    : make("tr", {}, make("td", {}, row.algorithm), make("td", { class: "number" }, worth(row.value) + (row.exact ? "" : " ≈")),
      make("td", { class: "mono" }, row.action ?? "–"), make("td", { class: "number" }, count(row.nodes)), make("td", { class: "number" }, count(row.leaves)),
      make("td", { class: "number" }, row.seconds.toFixed(3)),
      make("td", { class: "number" }, first.nodes ? `${(row.nodes / first.nodes * 100).toFixed(row.nodes < first.nodes / 10 ? 1 : 0)} %` : "–"))));
  law();
  chart();
}

// The lectures' claim on the reader's own position: how close alpha-beta came to b^(m/2).
function law() {
  const find = (name) => rows.find((row) => row.algorithm === name && !row.problem);
  const whole = find("minimax"), cut = find("alphabeta") || find("pvs");
  if (!whole || !cut || !(whole.leaves > 1)) { $("#law").textContent = ""; return; }
  const power = Math.log(cut.leaves) / Math.log(whole.leaves);
  $("#law").textContent = `${cut.algorithm} looked at ${count(cut.leaves)} of ${count(whole.leaves)} leaves: b^m became b^(${power.toFixed(2)} m). ` +
    "The best order gives b^(0.5 m), a random one about b^(0.75 m).";
}

function chart() {
  const shown = rows.filter((row) => !row.problem && row[measure] > 0);
  if (!shown.length) { $("#chart").replaceChildren(); return; }
  const least = Math.min(...shown.map((row) => row[measure])), most = Math.max(...shown.map((row) => row[measure]));
  const low = Math.log10(least) - 0.5, span = Math.max(0.5, Math.log10(most) - low);
  const height = shown.length * 30 + 10, bars = shown.map((row, place) => {
    const length = Math.max(3, (Math.log10(row[measure]) - low) / span * 420), y = 8 + place * 30;
    const text = measure === "seconds" ? `${row.seconds.toFixed(3)} s` : count(row[measure]);
    return `<text x="150" y="${y + 15}" text-anchor="end">${row.algorithm}</text><rect class="bar" x="158" y="${y}" width="${length}" height="20" rx="3"/>` +
      `<text x="${166 + length}" y="${y + 15}">${text}</text>`;
  });
  $("#chart").innerHTML = `<svg viewBox="0 0 680 ${height}" width="680" height="${height}" role="img" aria-label="${measure} of each search, logarithmic">${bars.join("")}</svg>` +
    '<p class="faint">The scale is logarithmic.</p>';
}

$("#form").addEventListener("submit", (event) => { event.preventDefault(); compare(); });
$("#stop").addEventListener("click", () => { controller?.abort(); $("#stop").hidden = true; $("#progress").textContent = "stopped"; });
$("#position").addEventListener("change", look);
$("#parameters").addEventListener("change", look);
for (const button of document.querySelectorAll("[data-show]")) button.addEventListener("click", () => {
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
});

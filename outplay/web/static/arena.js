// The arena: a round robin that is played while it is watched, with a table after each game.
// @ts-check
import { Board } from "./board.js";
import { $, ask, attempt, gameFields, make } from "./studio.js";

const PLAYERS = [["auto:level=beginner", "Beginner"], ["auto:level=casual", "Casual"], ["auto:level=club", "Club player"], ["auto:level=strong", "Strong player"],
  ["auto:level=master", "Master"], ["auto:time=0.2", "Full strength, 0.2 s"], ["auto:time=1", "Full strength, 1 s"], ["random", "Random moves"],
  ["alphabeta:depth=2", "Textbook alpha-beta, 2 plies"], ["alphabeta:depth=4", "Textbook alpha-beta, 4 plies"], ["mcts:simulations=200", "Textbook Monte Carlo, 200 playouts"], ["other", "Another …"]];
let fields = null, arena = null, timer = null, drawn = "";
const board = new Board($("#board"), () => {});
const listed = (game) => [...game.named.map(({ text, name }) => [text, name]), ...PLAYERS.filter(([text]) => game.levels || !/^(engine|auto|alphabeta|mcts)/.test(text))]
  .filter(([text]) => !/^(alphabeta|mcts)/.test(text) || game.algorithms.includes(text.split(":")[0]));

function addPlayer(text) {
  const choice = make("select", { "aria-label": "Player" }, ...listed(fields.game()).map(([value, name]) => make("option", { value }, name)));
  const own = make("input", { hidden: true, placeholder: "such as engine:pvs,depth=6", spellcheck: false, "aria-label": "A player's text" });
  if (listed(fields.game()).some(([value]) => value === text)) choice.value = text; else { choice.value = "other"; own.hidden = false; own.value = text; }
  choice.addEventListener("change", () => { own.hidden = choice.value !== "other"; });
  const row = make("div", { class: "row player" }, choice, own, make("button", { type: "button", "aria-label": "remove", onclick: () => { if ($("#players").children.length > 2) row.remove(); } }, "✕"));
  $("#players").append(row);
}

const wanted = () => [...$("#players").children].map((row) => { const choice = $("select", row); return choice.value === "other" ? $("input", row).value.trim() : choice.value; });
const named = (text) => [...(fields?.game().named ?? []).map((one) => [one.text, one.name]), ...PLAYERS].find(([value]) => value === text || value === text.replace(/^engine:level/, "auto:level"))?.[1] ?? text;

function show(state) {
  arena = state;
  $("#result").hidden = false;
  const order = state.table.map(({ number }) => number);
  $("#table thead").replaceChildren(make("tr", {}, ...["#", "player", "Elo", "points", "won", "drawn", "lost", ...order.map((_, rank) => `vs ${rank + 1}`)].map((text, k) => make("th", { class: k === 1 ? "" : "number" }, text))));
  $("#table tbody").replaceChildren(...state.table.map((row, rank) => make("tr", {}, ...[String(rank + 1), named(row.player),
    row.games ? `${row.elo >= 0 ? "+" : "−"}${Math.abs(Math.round(row.elo))}${row.error === null ? "" : ` ± ${Math.round(row.error)}`}` : "–", `${row.points} / ${row.games}`, row.won, row.drawn, row.lost,
    ...order.map((other) => other === row.number ? "·" : row.against[other])].map((text, k) => make("td", { class: k === 1 ? "" : "number" }, String(text))))));
  $("#games").replaceChildren(...state.results.map((game) => make("li", {}, make("a", { href: `/play/${game.address}` },
    game.seats.map((number) => named(state.players[number])).join(" – ")), ` ${game.points.map((points) => points === 0.5 ? "½" : +points.toFixed(2)).join("–")}, ${game.plies} plies${game.reason ? `, ${game.reason}` : ""}`)));
  ratings(state);
  $("#example").hidden = state.address !== "example";
  $("#pause").hidden = !state.running;
  $("#on").hidden = state.done || state.running;
  const live = state.live;
  if (live?.board) {
    const key = `${live.number} ${live.board.svg.length} ${live.board.svg.slice(-900)}`;
    if (key !== drawn) { drawn = key; board.show({ game: state.game, board: live.board, legal: [], position: "" }, false); }
  }
  $("#status").textContent = state.said === "compiling" ? "Preparing the players, this once …" : state.said ? state.said
    : state.running && live?.seats ? `Game ${live.number} of ${state.games}: ${live.seats.map((number) => named(state.players[number])).join(" – ")}`
      : state.running ? "The next game begins …" : state.done ? `All ${state.games} games are played${live?.seats ? `; the last one: ${live.seats.map((number) => named(state.players[number])).join(" – ")}` : ""}.` : `${state.results.length} of ${state.games} games are played.`;
}

// The ratings with their intervals on one axis: where two intervals lie apart, one is stronger.
function ratings(state) {
  const rows = state.table.filter(({ games, error }) => games && error !== null);
  if (rows.length < 2) { $("#ratings").replaceChildren(); return; }
  const narrow = innerWidth < 560, wide = narrow ? 350 : 640, left = narrow ? 134 : 190, step = 26, tall = rows.length * step + 26;
  const low = Math.min(...rows.map(({ elo, error }) => elo - error)), high = Math.max(...rows.map(({ elo, error }) => elo + error));
  const x = (elo) => left + (elo - low) / (high - low) * (wide - left - 14);
  const size = [50, 100, 200, 400, 800, 1600].find((part) => (high - low) / part <= (narrow ? 4 : 7)) ?? 3200;
  let marks = "";
  for (let elo = Math.ceil(low / size) * size; elo <= high; elo += size) marks += `<path class="axis" d="M${x(elo).toFixed(1)} 0V${tall - 20}"/><text x="${x(elo).toFixed(1)}" y="${tall - 5}" text-anchor="middle">${elo > 0 ? "+" : elo < 0 ? "−" : ""}${Math.abs(elo)}</text>`;
  const bars = rows.map(({ elo, error }, k) => `<path class="interval" d="M${x(elo - error).toFixed(1)} ${k * step + 14}H${x(elo + error).toFixed(1)}"/><circle class="dot l0" cx="${x(elo).toFixed(1)}" cy="${k * step + 14}" r="5.5"/>`).join("");
  const label = rows.map((row) => `${named(row.player)} ${Math.round(row.elo)} ± ${Math.round(row.error)}`).join(", ");
  $("#ratings").innerHTML = `<svg viewBox="0 0 ${wide} ${tall}" role="img">${marks}${bars}</svg>`;
  $("#ratings svg").setAttribute("aria-label", `Elo: ${label}`);
  rows.forEach((row, k) => {
    const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    for (const [key, value] of Object.entries({ x: left - 12, y: k * step + 19, "text-anchor": "end" })) text.setAttribute(key, String(value));
    const name = named(row.player);
    text.textContent = name.length > (narrow ? 16 : 26) ? `${name.slice(0, narrow ? 14 : 25).trim()}…` : name;
    $("#ratings svg").append(text);
  });
}

// The matches that were started in this browser.
const matches = () => JSON.parse(localStorage.getItem("matches") || "[]");
function earlier() {
  const others = matches().filter(({ address }) => address !== arena?.address).slice(0, 5);
  $("#earlier").replaceChildren(...(others.length ? ["Your matches: "] : []), ...others.flatMap(({ address, game }, k) => [...(k ? [", "] : []), make("a", { href: `/arena/${address}` }, game)]));
}

// A match is played on the server, whether this page is open or not; the page looks at it.
let looks = 0;
async function watch() {
  clearTimeout(timer);
  const address = arena?.address, mine = ++looks;
  if (!address) return;
  const state = document.hidden ? null : await ask(`/api/arenas/${address}`).catch(() => null);
  if (arena?.address !== address || mine !== looks) return; // the last look counts, and goes on looking
  if (state) show(state);
  if (arena.running || document.hidden || !state) timer = setTimeout(watch, state ? 400 : 1500);
}

async function run() {
  await attempt(() => ask(`/api/arenas/${arena.address}/run`, {}));
  await watch();
}

$("#more").addEventListener("click", () => addPlayer("random"));
$("#form").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("#wrong").textContent = "";
  try {
    const state = await ask("/api/arenas", { game: fields.game().name, parameters: fields.parameters(), players: wanted(), pairs: +$("#pairs").value || 1 });
    history.pushState(null, "", `/arena/${state.address}`);
    localStorage.setItem("matches", JSON.stringify([{ address: state.address, game: state.game }, ...matches()].slice(0, 8)));
    drawn = "";
    show(state);
    earlier();
    await run();
  } catch (problem) { $("#wrong").textContent = problem.message; }
});
$("#pause").addEventListener("click", () => attempt(async () => { await ask(`/api/arenas/${arena.address}/pause`, {}); await watch(); }));
$("#on").addEventListener("click", run);

function usual() {
  const seats = fields.game().players;
  $("#players").replaceChildren();
  const texts = listed(fields.game()).map(([text]) => text).filter((text) => text !== "other");
  const wished = seats === 2 ? ["auto:level=beginner", "auto:level=club", "random"] : ["thumb", ...Array(seats).fill("random")].slice(0, Math.max(3, seats));
  for (const text of wished.map((text) => texts.includes(text) ? text : texts[0]).slice(0, Math.max(3, seats))) addPlayer(text);
  $("#wrong").replaceChildren();
}

await attempt(async () => {
  fields = await gameFields($("#game"), $("#parameters"), () => fields && usual(), (game) => game.players > 1);
  fields.choose(new URLSearchParams(location.search).get("game") || "connect four");
  usual();
  await open();
});

// The match at the page's address, or the one that everybody finds.
async function open() {
  const address = location.pathname.split("/")[2] || "example";
  const state = await ask(`/api/arenas/${address}`);
  if (address !== "example") fields.choose(state.game);
  show(state);
  earlier();
  await watch();
}
window.addEventListener("popstate", () => attempt(open));

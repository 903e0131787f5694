// The arena: a round robin that is played while it is watched, with a table after each game.
"use strict";

const PLAYERS = [["engine:level=beginner", "Beginner"], ["engine:level=casual", "Casual"], ["engine:level=club", "Club player"], ["engine:level=strong", "Strong player"],
  ["engine:level=master", "Master"], ["auto:time=0.2", "Full strength, 0.2 s"], ["auto:time=1", "Full strength, 1 s"], ["random", "Random moves"],
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
const named = (text) => [...(fields?.game().named ?? []).map((one) => [one.text, one.name]), ...PLAYERS].find(([value]) => value === text)?.[1] ?? text;

function show(state) {
  arena = state;
  $("#result").hidden = false;
  const order = state.table.map(({ number }) => number);
  $("#table thead").replaceChildren(make("tr", {}, ...["", "player", "Elo", "points", "won", "drawn", "lost", ...order.map((_, rank) => `vs ${rank + 1}`)].map((text, k) => make("th", { class: k === 1 ? "" : "number" }, text))));
  $("#table tbody").replaceChildren(...state.table.map((row, rank) => make("tr", {}, ...[String(rank + 1), named(row.player),
    row.games ? `${row.elo >= 0 ? "+" : "−"}${Math.abs(Math.round(row.elo))}${row.error === null ? "" : ` ± ${Math.round(row.error)}`}` : "–", `${row.points} / ${row.games}`, row.won, row.drawn, row.lost,
    ...order.map((other) => other === row.number ? "·" : row.against[other])].map((text, k) => make("td", { class: k === 1 ? "" : "number" }, String(text))))));
  $("#games").replaceChildren(...state.results.map((game) => make("li", {}, make("a", { href: `/play/${game.address}` },
    game.seats.map((number) => named(state.players[number])).join(" – ")), ` ${game.points.map((points) => points === 0.5 ? "½" : +points.toFixed(2)).join("–")}, ${game.plies} plies${game.reason ? `, ${game.reason}` : ""}`)));
  $("#pause").hidden = !state.running;
  $("#on").hidden = state.done || state.running;
  const live = state.live;
  if (live?.board) {
    const key = `${live.number} ${live.board.svg.length} ${live.board.svg.slice(-900)}`;
    if (key !== drawn) { drawn = key; board.show({ game: state.game, board: live.board, legal: [], position: "" }, false); }
  }
  $("#status").textContent = state.said === "compiling" ? "Preparing the players, this once …" : state.said ? state.said
    : state.running && live?.seats ? `Game ${live.number} of ${state.games}: ${live.seats.map((number) => named(state.players[number])).join(" – ")}`
      : state.running ? "The next game begins …" : state.done ? `All ${state.games} games are played.` : `${state.results.length} of ${state.games} games are played.`;
}

// A match is played on the server, whether this page is open or not; the page looks at it.
async function watch() {
  clearTimeout(timer);
  const address = arena?.address;
  if (!address) return;
  const state = document.hidden ? null : await ask(`/api/arenas/${address}`).catch(() => null);
  if (arena?.address !== address) return;
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
    show(state);
    await run();
  } catch (problem) { $("#wrong").textContent = problem.message; }
});
$("#pause").addEventListener("click", () => attempt(async () => { await ask(`/api/arenas/${arena.address}/pause`, {}); await watch(); }));
$("#on").addEventListener("click", run);

function usual() {
  const seats = fields.game().players;
  $("#players").replaceChildren();
  const texts = listed(fields.game()).map(([text]) => text).filter((text) => text !== "other");
  const wished = seats === 2 ? ["engine:level=beginner", "engine:level=club", "random"] : ["thumb", ...Array(seats).fill("random")].slice(0, Math.max(3, seats));
  for (const text of wished.map((text) => texts.includes(text) ? text : texts[0]).slice(0, Math.max(3, seats))) addPlayer(text);
  $("#wrong").replaceChildren();
}

await attempt(async () => {
  fields = await gameFields($("#game"), $("#parameters"), () => fields && usual(), (game) => game.players > 1);
  fields.choose(new URLSearchParams(location.search).get("game") || "connect four");
  usual();
  const address = location.pathname.split("/")[2];
  if (address) { const state = await ask(`/api/arenas/${address}`); fields.choose(state.game); show(state); await watch(); }
});

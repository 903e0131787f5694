// The arena: a round robin that is played while it is watched, with a table after each game.
"use strict";

const PLAYERS = [["engine:level=beginner", "Beginner"], ["engine:level=casual", "Casual"], ["engine:level=club", "Club player"], ["engine:level=strong", "Strong player"],
  ["engine:level=master", "Master"], ["auto:time=0.2", "Full strength, 0.2 s"], ["auto:time=1", "Full strength, 1 s"], ["random", "Random moves"],
  ["alphabeta:depth=2", "Textbook alpha-beta, 2 plies"], ["alphabeta:depth=4", "Textbook alpha-beta, 4 plies"], ["mcts:simulations=200", "Textbook Monte Carlo, 200 playouts"], ["other", "Another …"]];
let fields = null, arena = null, controller = null;
const board = new Board($("#board"), () => {});

function addPlayer(text) {
  const choice = make("select", { "aria-label": "Player" }, ...PLAYERS.map(([value, name]) => make("option", { value }, name)));
  const own = make("input", { hidden: true, placeholder: "such as engine:pvs,depth=6", spellcheck: false, "aria-label": "A player's text" });
  if (PLAYERS.some(([value]) => value === text)) choice.value = text; else { choice.value = "other"; own.hidden = false; own.value = text; }
  choice.addEventListener("change", () => { own.hidden = choice.value !== "other"; });
  const row = make("div", { class: "row player" }, choice, own, make("button", { type: "button", "aria-label": "remove", onclick: () => { if ($("#players").children.length > 2) row.remove(); } }, "✕"));
  $("#players").append(row);
}

const wanted = () => [...$("#players").children].map((row) => { const choice = $("select", row); return choice.value === "other" ? $("input", row).value.trim() : choice.value; });
const named = (text) => PLAYERS.find(([value]) => value === text)?.[1] ?? text;

function show(state) {
  arena = state;
  $("#result").hidden = false;
  const order = state.table.map(({ number }) => number);
  $("#table thead").replaceChildren(make("tr", {}, ...["", "player", "Elo", "points", "won", "drawn", "lost", ...order.map((_, rank) => `vs ${rank + 1}`)].map((text, k) => make("th", { class: k === 1 ? "" : "number" }, text))));
  $("#table tbody").replaceChildren(...state.table.map((row, rank) => make("tr", {}, ...[String(rank + 1), named(row.player),
    row.games ? `${row.elo >= 0 ? "+" : "−"}${Math.abs(Math.round(row.elo))}${row.error === null ? "" : ` ± ${Math.round(row.error)}`}` : "–", `${row.points} / ${row.games}`, row.won, row.drawn, row.lost,
    ...order.map((other) => other === row.number ? "·" : row.against[other])].map((text, k) => make("td", { class: k === 1 ? "" : "number" }, String(text))))));
  $("#games").replaceChildren(...state.results.map((game) => make("li", {}, make("a", { href: `/play/${game.address}` },
    `${named(state.players[game.first])} – ${named(state.players[game.second])}`), ` ${game.score === 1 ? "1–0" : game.score === 0 ? "0–1" : "½–½"}, ${game.plies} plies${game.reason ? `, ${game.reason}` : ""}`)));
  $("#on").hidden = state.done || Boolean(controller);
  if (!controller) $("#status").textContent = state.done ? `All ${state.games} games are played.` : `${state.results.length} of ${state.games} games are played.`;
}

async function run() {
  const mine = controller = new AbortController();
  $("#pause").hidden = false;
  $("#on").hidden = true;
  try {
    await stream(`/api/arenas/${arena.address}/run`, {}, (message) => {
      if (message.queued) $("#status").textContent = `place ${message.queued} in the queue`;
      if (message.compiling) $("#status").textContent = "Preparing the players, this once …";
      if (message.board) {
        board.show({ game: arena.game, board: message.board, legal: [], position: "" }, false);
        $("#status").textContent = `Game ${message.number} of ${arena.games}: ${named(arena.players[message.first])} – ${named(arena.players[message.second])}`;
      }
      if (message.arena) show(message.arena);
    }, mine.signal);
  } catch (problem) { notice(problem.message); }
  if (controller === mine) controller = null;
  $("#pause").hidden = true;
  const state = await attempt(() => ask(`/api/arenas/${arena.address}`));
  if (state) show(state);
}

$("#more").addEventListener("click", () => addPlayer("random"));
$("#form").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("#wrong").textContent = "";
  try {
    const state = await ask("/api/arenas", { game: fields.game().name, parameters: fields.parameters(), players: wanted(), pairs: +$("#pairs").value || 1 });
    controller?.abort();
    controller = null;
    history.pushState(null, "", `/arena/${state.address}`);
    show(state);
    await run();
  } catch (problem) { $("#wrong").textContent = problem.message; }
});
$("#pause").addEventListener("click", () => controller?.abort());
$("#on").addEventListener("click", run);

await attempt(async () => {
  const draw = () => $("#wrong").replaceChildren();
  fields = await gameFields($("#game"), $("#parameters"), draw, (game) => game.players === 2);
  fields.choose(new URLSearchParams(location.search).get("game") || "connect four");
  for (const text of ["engine:level=beginner", "engine:level=club", "random"]) addPlayer(text);
  const address = location.pathname.split("/")[2];
  if (address) { const state = await ask(`/api/arenas/${address}`); show(state); fields.choose(state.game); }
});

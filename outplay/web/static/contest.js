// A contest watched while it is played: marks on the ladder's scale, divisions, and the last games move by move.
import { Board, calm } from "./board.js";
import { $, ask, make } from "./studio.js";
import { count } from "./words.js";

const SECONDS = 2, MOVE_SECONDS = 0.7, WIDE = 260;
let now = null, watched = "", moves = 0;
const board = new Board($("#board"), () => {});
const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(Math.round(value))}`;

// One row's part of the chart; all rows have the same scale, so that the staff's lines run through them.
function onScale(row, [least, most], ladder) {
  const x = (rating) => WIDE * (rating - least) / (most - least);
  const line = (of, from, to, y = 12) => `<line class="${of}" x1="${x(from).toFixed(1)}" x2="${x(to).toFixed(1)}" y1="${y}" y2="${of === "staff" ? 24 : y}"/>`;
  const box = make("td", { class: "axis" });
  const dot = row.games ? `${line("interval", Math.max(least, row.rating - row.error), Math.min(most, row.rating + row.error))}<circle cx="${x(row.rating).toFixed(1)}" cy="12" r="5"/>` : "";
  box.innerHTML = `<svg viewBox="0 0 ${WIDE} 24" role="img" aria-label="${row.games ? `${signed(row.rating)} ± ${Math.round(row.error)}` : "no game yet"}">${ladder.map(({ rating }) => line("staff", rating, rating, 0)).join("")}${dot}</svg>`;
  box.title = row.games ? `${signed(row.rating)} ± ${Math.round(row.error)}` : "";
  return box;
}

function show(found) {
  const isSame = now && JSON.stringify(found) === JSON.stringify(now);
  now = found;
  $("#none").hidden = Boolean(found.begun);
  $("#contest").hidden = !found.begun;
  if (found.shown && !found.begun) $("#hint").textContent = "The contest has not begun: outplay classroom contest FOLDER plays it, and the standings appear here.";
  if (!found.begun || isSame) return;
  $("#title").textContent = found.title;
  $("#played").textContent = `${found.game}, ${count(found.played)} of ${count(found.planned)} games`;
  $("#meter").style.width = `${100 * found.played / Math.max(1, found.planned)}%`;
  $("#words").textContent = found.words || (found.running ? "" : "All games are played.");
  const ratings = found.ladder.map(({ rating }) => rating), scale = [Math.min(...ratings) - 150, Math.max(...ratings) + 150];
  $("#players tbody").replaceChildren(...found.players.map((row, place) => make("tr", { title: row.problem }, make("td", { class: "number" }, String(place + 1)), make("td", {}, row.name),
    make("td", { class: "number" }, make("strong", {}, row.points.toFixed(1))), onScale({ ...row, rating: Math.max(scale[0], Math.min(scale[1], row.rating)) }, scale, found.ladder), ...["games", "won", "drawn", "lost"].map((key) => make("td", { class: "number" }, String(row[key]))))));
  $("#divisions").replaceChildren(...found.divisions.map((rows, number) => make("div", { class: "card" }, make("h2", {}, `Division ${number + 1}`), make("table", {}, make("tbody", {},
    ...rows.map((row, place) => make("tr", {}, make("td", { class: "number" }, String(place + 1)), make("td", {}, row.name), make("td", { class: "number" }, `${row.points} of ${row.games}`))))))));
  $("#latest-card").hidden = !found.latest.length;
  $("#latest").replaceChildren(...[...found.latest].reverse().map((one) => make("li", {}, `${one.seats[0]} – ${one.seats[1]} `, make("strong", {}, one.points.map((points) => (points === 0.5 ? "½" : points)).join(" – ")), one.reason ? make("span", { class: "faint" }, ` ${one.reason}`) : "")));
}

// The newest game, move by move; with calm motion its last position alone. Then the newest that there is.
async function replay() {
  for (;;) {
    const game = now?.latest?.at(-1), name = JSON.stringify(game ?? null);
    if (!game || name === watched || document.hidden) { await pause(SECONDS); continue; }
    watched = name;
    const ends = game.actions.length;
    for (moves = calm.matches ? ends : 0; moves <= ends; moves += 1) {
      try { board.show(await ask("/api/positions", { game: now.game, start: game.start, actions: game.actions.slice(0, moves) }), false); } catch { break; }
      $("#caption").textContent = `${game.seats[0]} – ${game.seats[1]}${moves === ends ? `: ${game.points.map((points) => (points === 0.5 ? "½" : points)).join(" – ")}` : ""}`;
      await pause(moves === ends ? SECONDS : MOVE_SECONDS);
    }
  }
}

const pause = (seconds) => new Promise((done) => { setTimeout(done, 1000 * seconds); });

async function watch() {
  for (;;) {
    try { show(await ask("/api/contest")); } catch (problem) { $("#words").textContent = problem.message; }
    await pause(SECONDS);
  }
}

watch();
replay();

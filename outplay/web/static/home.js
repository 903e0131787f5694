// The front page: a board to begin on, all games, and for who comes back, where they were.
// @ts-check
import { $, ask, make } from "./studio.js";

const painted = new Promise((go) => { requestAnimationFrame(() => setTimeout(go)); }); // what is not seen at first begins behind the first paint
const waiting = $("[data-gallery]");
if (waiting) fetch("/gallery").then((answer) => answer.text()).then((cards) => { waiting.parentElement.innerHTML = cards; }, () => { waiting.textContent = "The games cannot be listed now: load this page again."; });

// A board to play on at once: the first move makes a game of it. It comes when the page has nothing better to do.
const styled = () => { if (!$("link[href='/static/scene.css']")) document.head.append(make("link", { rel: "stylesheet", href: "/static/scene.css" })); }; // boards need it
async function tryIt() {
  const state = await ask("/api/positions", { game: "chess" });
  styled();
  const { Board } = await import("./board.js");
  const board = new Board($("#try"), async (action) => {
    $("#tried").textContent = "The game begins …";
    try { location.href = `/play/${(await ask("/api/records", { game: "chess", players: ["human", "auto:level=club,time=1"], actions: [action] })).address}`; } catch (problem) { $("#tried").textContent = problem.message; }
  });
  board.element.setAttribute("aria-label", "chess board");
  board.show(state, true, false);
}
painted.then(() => (window.requestIdleCallback ?? setTimeout)(() => tryIt().catch(() => {})));

// Who has been here finds where they were: games that go on, the puzzle of the day, mistakes that are due, the next lesson, ratings.
painted.then(() => import("./visitor.js")).then(({ load }) => {
  if (load("games", []).length || load("days", []).length) { styled(); import("./mine.js").then(({ mine }) => mine($("#mine"))); }
});

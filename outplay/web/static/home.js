// The front page: the last games of this browser, with their boards as they were left.
"use strict";

const waiting = $("[data-gallery]");
if (waiting) fetch("/gallery").then((answer) => answer.text()).then((cards) => { waiting.parentElement.innerHTML = cards; }, () => { waiting.textContent = "The games cannot be listed now: load this page again."; });

// A board to play on at once: the first move makes a game of it. It comes when the page has nothing better to do.
const styled = () => { if (!$("link[href='/static/scene.css']")) document.head.append(make("link", { rel: "stylesheet", href: "/static/scene.css" })); }; // boards need it
async function tryIt() {
  const state = await ask("/api/positions", { game: "chess" });
  styled();
  await new Promise((done, failed) => document.head.append(make("script", { src: "/static/board.js", onload: done, onerror: failed })));
  const board = new Board($("#try"), async (action) => {
    $("#tried").textContent = "The game begins …";
    try { location.href = `/play/${(await ask("/api/records", { game: "chess", players: ["human", "engine:level=club,time=1"], actions: [action] })).address}`; } catch (problem) { $("#tried").textContent = problem.message; }
  });
  board.element.setAttribute("aria-label", "chess board");
  board.show(state, true, false);
}
if (matchMedia("(min-width: 901px)").matches) (window.requestIdleCallback ?? setTimeout)(() => tryIt().catch(() => {}));

const kept = JSON.parse(localStorage.getItem("games") || "[]").slice(0, 4);
const found = (await Promise.all(kept.map(({ address }) => ask(`/api/records/${address}`).catch(() => null)))).filter(Boolean);
if (found.length) {
  styled();
  $("#recent").hidden = false;
  $("#recent ul").replaceChildren(...found.map((record) => {
    const board = make("span", { class: "thumb" });
    board.innerHTML = record.board?.svg ?? "";
    const state = record.terminal ? record.result : `move ${record.plies}, ${record.to_move} to move`;
    return make("li", {}, make("a", { class: "game-card", href: `/play/${record.address}` }, board, make("strong", {}, record.game.split(":")[0]), make("span", {}, state)));
  }));
}

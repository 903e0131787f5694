// The front page: the last games of this browser, with their boards as they were left.
"use strict";

const waiting = $("[data-gallery]");
if (waiting) fetch("/gallery").then((answer) => answer.text()).then((cards) => { waiting.parentElement.innerHTML = cards; }, () => { waiting.textContent = "The games cannot be listed now: load this page again."; });

const kept = JSON.parse(localStorage.getItem("games") || "[]").slice(0, 4);
const found = (await Promise.all(kept.map(({ address }) => ask(`/api/records/${address}`).catch(() => null)))).filter(Boolean);
if (found.length) {
  document.head.append(make("link", { rel: "stylesheet", href: "/static/scene.css" })); // boards need it
  $("#recent").hidden = false;
  $("#recent ul").replaceChildren(...found.map((record) => {
    const board = make("span", { class: "thumb" });
    board.innerHTML = record.board?.svg ?? "";
    const state = record.terminal ? record.result : `move ${record.plies}, ${record.to_move} to move`;
    return make("li", {}, make("a", { class: "game-card", href: `/play/${record.address}` }, board, make("strong", {}, record.game.split(":")[0]), make("span", {}, state)));
  }));
}

// Your game: the files that the studio was started with, checked again after each save.
// @ts-check
import { $, ask, attempt, make, stream } from "./studio.js";

const cards = new Map();

async function check(entry, card) {
  const out = $(".checked", card);
  out.replaceChildren(make("p", { class: "faint" }, "checking …"));
  try {
    await stream(`/api/own/${entry.number}/check`, {}, (message) => {
      if (message.progress) out.replaceChildren(make("p", { class: "faint" }, `${message.progress.done} random games …`));
      if (message.report) out.replaceChildren(make("p", { class: "good" }, "Every promise holds."), make("pre", {}, message.report));
      if (message.broken) out.replaceChildren(make("p", { class: "refusal" }, "A promise of the rules is broken:"), make("ul", { class: "broken" }, ...message.broken.map((line) => make("li", {}, line))));
    });
  } catch (problem) { out.replaceChildren(make("p", { class: "refusal" }, problem.message)); }
}

async function weigh(entry, out, button) {
  button.disabled = true;
  out.replaceChildren(make("p", { class: "faint" }, "weighing …"));
  try {
    await stream(`/api/own/${entry.number}/weigh`, {}, (message) => {
      if (message.progress) out.replaceChildren(make("p", { class: "faint" }, `${message.progress.games} games, ${Math.round(message.progress.seconds)} s of 30 …`));
      if (message.problem) out.replaceChildren(make("p", { class: "refusal" }, message.problem));
      if (message.page) out.innerHTML = message.page; // made by the studio, the author's own words in it escaped
    });
  } catch (problem) { out.replaceChildren(make("p", { class: "refusal" }, problem.message)); }
  button.disabled = false;
}

async function look() {
  const { files } = await ask("/api/own");
  $("#none").hidden = files.length > 0;
  for (const entry of files) {
    const known = cards.get(entry.number);
    if (known?.stamp === entry.stamp) continue;
    const card = make("section", { class: "card" }, make("h2", {}, entry.name ?? entry.file), make("p", { class: "faint" }, `${entry.file}, saved ${new Date(entry.saved * 1000).toLocaleTimeString()}`));
    if (entry.problem) card.append(make("p", { class: "refusal" }, entry.problem));
    else {
      const board = make("div", { class: "small-board" });
      const place = encodeURIComponent(entry.name);
      card.append(board, make("p", {}, make("a", { href: `/play?game=${place}` }, "Play it"), " · ", make("a", { href: `/inside?game=${place}` }, "look inside a search of it"), " · ", make("a", { href: `/compare?game=${place}` }, "compare searches on it")));
      ask("/api/positions", { game: entry.name }).then((state) => { board.innerHTML = state.board?.svg ?? ""; }, (problem) => { board.textContent = problem.message; });
    }
    const checked = make("div", { class: "checked", "aria-live": "polite" });
    card.append(checked);
    if (!entry.problem) {
      const weighed = make("div", { class: "weighed", "aria-live": "polite" });
      const button = make("button", { type: "button" }, "Weigh it: who wins, how long, how much skill");
      button.addEventListener("click", () => weigh(entry, weighed, button));
      card.append(make("p", {}, button), weighed);
    }
    if (known) known.card.replaceWith(card); else $("#files").append(card);
    cards.set(entry.number, { stamp: entry.stamp, card });
    if (!entry.problem) check(entry, card);
  }
}

await attempt(look);
let looking = false;
setInterval(async () => { if (document.hidden || looking) return; looking = true; await look().catch(() => {}); looking = false; }, 1500);

// Your game: the files that the studio was started with, checked again after each save.
"use strict";

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

async function look() {
  const { files } = await ask("/api/own");
  $("#none").hidden = files.length > 0;
  for (const entry of files) {
    const known = cards.get(entry.number);
    if (known?.saved === entry.saved) continue;
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
    if (known) known.card.replaceWith(card); else $("#files").append(card);
    cards.set(entry.number, { saved: entry.saved, card });
    if (!entry.problem) check(entry, card);
  }
}

await attempt(look);
setInterval(() => { if (!document.hidden) look().catch(() => {}); }, 1500);

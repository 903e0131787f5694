// The Play page: one saved game, moved in by people and searches, stepped through, thought about and looked over.
// @ts-check
import { gauge, hint, marked, think } from "./play/analysis.js";
import { edit } from "./play/editor.js";
import { judge, judging, unfit } from "./play/extras/scrabble.js";
import { follow, halt, here, look, move, open, reply, resume, start, step, stop, takeBack } from "./play/moves.js";
import { keepNote, rearrange } from "./play/record.js";
import { review } from "./play/review.js";
import { rules } from "./play/rules.js";
import { rows, seatTo, seats, seatsFor } from "./play/seats.js";
import { refusal, show, status, tab } from "./play/show.js";
import { take } from "./play/study.js";
import { base, board, hands, narrow, page, query, say, watching } from "./play/state.js";
import { $, ask, attempt, gameFields, make, notice, stream } from "./studio.js";
import { apt } from "./words.js";

async function copy(text, what) {
  try { await navigator.clipboard.writeText(text); $("#shared").textContent = `${what} is copied: ${text}`; } catch { $("#shared").textContent = `${what}: ${text}`; }
}

const listed = (names) => names.map((name) => make("option", { value: name }, name));

async function begin() {
  const listing = gameFields($("#game"), $("#parameters"), (game) => {
    const others = listed(game.algorithms.filter((name) => !apt(name, game)));
    seatsFor(game);
    $("#algorithm").replaceChildren(make("option", { value: "auto" }, "what fits"), ...listed(game.algorithms.filter((name) => apt(name, game))), ...(others.length ? [make("optgroup", { label: "Others" }, ...others)] : []));
    $("#start").value = "";
    $("#wrong").textContent = "";
    if ($("#from").open && page.fields) edit();
  }).then((made) => { page.fields = made; if (page.record) { follow(page.record); rows(page.record); } }); // a board that is known need not wait for the list
  $("#parameters").addEventListener("change", async () => { // the seats follow a number of players
    if (!page.fields) return;
    const game = page.fields.game().name, parameters = page.fields.parameters(), now = () => JSON.stringify([page.fields.game().name, page.fields.parameters()]);
    const state = await ask("/api/positions", { game, parameters }).catch((problem) => { $("#wrong").textContent = problem.message; return null; });
    if (state && now() === JSON.stringify([game, parameters])) { $("#wrong").textContent = ""; seatsFor({ ...page.fields.game(), players: state.seats.length }, state.seats); }
  });
  const address = location.pathname.split("/")[2];
  if (watching) {
    const state = await attempt(() => ask(`/api/watch/${watching}${query()}`));
    if (state) { $("#tab-new").hidden = true; $("#typed").hidden = true; await open(() => state, true); setInterval(refresh, 1500); }
    return listing;
  }
  if (address) {
    try {
      const state = await ask(`/api/records/${address}${query()}`);
      await open(() => state, true);
      return listing;
    } catch (problem) { notice(problem.message); }
  }
  await listing;
  const wanted = new URLSearchParams(location.search);
  if (!page.fields.choose(wanted.get("game") || "")) {
    const [latest] = JSON.parse(localStorage.getItem("games") || "[]");
    if (latest && !wanted.get("game")) try { const state = await ask(`/api/records/${latest.address}${query()}`); return open(() => state, true); } catch { /* it is gone */ }
    page.fields.choose("connect four");
  }
  if (wanted.get("level")) seatTo(["human", `auto:level=${wanted.get("level")},time=1`]);
  if (wanted.get("against")) seatTo(seats().map((_, seat) => (seat ? wanted.get("against") : "human")));
  const body = { game: page.fields.game().name, parameters: page.fields.parameters(), players: seats() };
  if (wanted.get("position")) body.start = wanted.get("position");
  if (page.fields.game().parameters.some(({ name }) => name === "players")) body.players = seats();
  return open(() => ask(`/api/records${query()}`, body), true);
}

async function refresh() {
  const latest = page.record;
  if (document.hidden) return;
  const mine = page.asked;
  const state = await ask(`/api/watch/${watching}${query()}`).catch(() => null);
  if (mine !== page.asked || latest !== page.record) return; // something else was shown meanwhile
  if (state && (state.plies !== page.record.plies || state.players.join() !== page.record.players.join()) && page.record.at === page.record.plies) show(state);
}

$("#new").addEventListener("submit", (event) => { event.preventDefault(); start(); });
$("#typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("#move").value.trim();
  if (text) move(text).then(() => { $("#move").value = ""; });
});
$("#seat").addEventListener("click", () => attempt(async () => {
  if (page.opening) return;
  halt();
  if (await look(`/api/records/${page.record.address}/players${query()}`, { players: seats() })) { tab("game"); await reply(); }
}));
for (const name of ["game", "think", "new"]) $(`#tab-${name}`).addEventListener("click", () => tab(name));
let tabbed = false; // the tabs were reached by the keyboard, and have the arrow keys; after a click the arrows stay with the game
$(".tabs").addEventListener("focusin", (event) => { tabbed = event.target.matches(":focus-visible"); });
for (const leave of ["pointerdown", "focusout"]) $(".tabs").addEventListener(leave, () => { tabbed = false; });
const TYPED = "input:not([type=checkbox], [type=file]), select, textarea"; // what has the arrow keys for itself
$(".tabs").addEventListener("keydown", (event) => {
  const on = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!on || !tabbed) return;
  event.stopPropagation();
  event.preventDefault();
  /** @type {any[]} */
  const all = [...document.querySelectorAll(".tabs [role=tab]:not([hidden])")];
  const next = all[(all.indexOf(document.activeElement) + on + all.length) % all.length];
  tab(next.id.slice(4));
  next.focus();
});
$("#first").addEventListener("click", () => step(0));
$("#previous").addEventListener("click", () => step(here() - 1));
$("#next").addEventListener("click", () => step(here() + 1));
$("#last").addEventListener("click", () => step(page.record.plies));
$("#back").addEventListener("click", takeBack);
$("#promote").addEventListener("click", () => rearrange("promote"));
$("#prune").addEventListener("click", () => rearrange("delete"));
$("#resign").addEventListener("click", () => { if (!page.opening && confirm("Give this game up?")) { halt(); attempt(() => look(`/api/records/${page.record.address}/resign${query()}`, { plies: page.record.plies }, false)); } });
$("#undo").addEventListener("click", () => board.undo());
$("#lay").addEventListener("click", () => { if (board.aimed !== null) board.press(board.aimed); else board.lay(); });
$("#zoom").addEventListener("click", () => { if (hands.scale > 1) hands.whole(); else hands.closer(); });
$("#board").addEventListener("unfit", () => { if (judging === board.made) page.eager = judging; else refusal(unfit); });
$("#board").addEventListener("part", (event) => { if (page.record.laying) return judge(); $("#undo").hidden = !event.detail; $("#lay").hidden = !board.whole?.length; if (board.whole?.length) say(`Play ${[...new Set(board.whole)].slice(0, 2).join(" or ")}, or lay more; Escape takes a tile back.`); else if (event.detail) say("Go on with your turn, or undo this part (Escape)."); else say(status(page.record, true)); });
$("#board").addEventListener("aim", (event) => {
  $("#lay").hidden = !event.detail;
  $("#lay").textContent = event.detail ? `Play ${event.detail}` : "Play this";
  if (event.detail) say(`${event.detail}: touch it again to play there, or a point beside it under the glass.`); else if (page.record) say(status(page.record, page.record.at === page.record.plies));
});
$("#note").addEventListener("submit", (event) => { event.preventDefault(); keepNote(); });
$("#rules").addEventListener("click", rules);
$("#stop").addEventListener("click", stop);
$("#go").addEventListener("click", resume);
$("#hint").addEventListener("click", hint);
$("#threats").addEventListener("click", () => marked("threats"));
$("#territory").addEventListener("click", () => marked("territory"));
const redraw = () => { if (page.record && !page.opening) attempt(() => look(`${base()}${query(page.record.at === page.record.plies ? {} : { at: page.record.at })}`, undefined, false)); };
$("#page").addEventListener("click", () => attempt(async () => {
  $("#page").disabled = true;
  $("#shared").textContent = "The rules and the search are compiled for a page: some seconds …";
  try {
    await stream("/api/page", { game: page.record.game }, ({ page: text }) => {
      if (!text) return;
      const name = `${page.record.game.replace(/[^\w]+/g, "-").slice(0, 60)}.html`, link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/html" })), download: name });
      link.click();
      $("#shared").textContent = `${name}: ${Math.round(text.length / 1000)} KB, opens in any browser.`;
    });
  } catch (problem) { $("#shared").textContent = problem.message; } finally { $("#page").disabled = false; }
}));
$("#flip").addEventListener("click", () => { page.flip = !page.flip; redraw(); });
narrow.addEventListener("change", redraw);
$("#think").addEventListener("click", () => think());
$("#on").addEventListener("click", () => { const seconds = Math.min(60, (+$("#seconds").value || 3) * 2); $("#seconds").value = seconds; think(seconds); });
$("#review").addEventListener("click", review);
$("#evaluate").addEventListener("change", gauge);
$("#copy").addEventListener("click", () => copy(location.href, "The address, with which one can also move,"));
$("#share").addEventListener("click", () => attempt(async () => { const { watch } = await ask(`/api/records/${page.record.address}/share`, {}); copy(`${location.origin}/watch/${watch}`, "The address for watching"); }));
$("#load").addEventListener("click", () => $("#file").click());
$("#file").addEventListener("change", () => attempt(async () => {
  const [file] = $("#file").files;
  $("#file").value = "";
  if (!file) return;
  await take(new Uint8Array(await file.arrayBuffer()));
}));
$("#curtain button").addEventListener("click", () => { page.unveiled = `${page.record.address} ${page.record.player}`; if (page.veiled) show(page.veiled, false); else attempt(() => look(`/api/records/${page.record.address}${query({ eyes: page.record.player })}`, undefined, false)); });
$("#from").addEventListener("toggle", () => { if ($("#from").open) attempt(edit); });
$("#start").addEventListener("change", () => attempt(edit));
window.addEventListener("popstate", () => { const address = location.pathname.split("/")[2]; if (address && address !== page.record?.address) attempt(() => open(() => ask(`/api/records/${address}${query()}`), true)); });
// Where one walks, the arrow keys walk: actions that are called by directions.
const WAYS = { ArrowUp: ["north", "up"], ArrowDown: ["south", "down"], ArrowLeft: ["west", "left"], ArrowRight: ["east", "right"] };
const walks = (state) => state.movable && state.at === state.plies && state.legal.length > 0 && state.legal.some(({ text }) => Object.values(WAYS).flat().includes(text));
document.addEventListener("keydown", (event) => { // before the board takes them for its places
  const target = /** @type {Element} */ (event.target);
  if (!(event.key in WAYS) || event.ctrlKey || event.metaKey || event.altKey || !page.record || target.closest?.(`${TYPED}, dialog`) || (tabbed && target.closest?.(".tabs")) || !walks(page.record)) return;
  event.preventDefault();
  event.stopPropagation();
  const way = page.record.legal.find(({ text }) => WAYS[event.key].includes(text));
  if (way) move(way.text);
}, true);
document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest?.(TYPED) || event.ctrlKey || event.metaKey || event.altKey || !page.record) return;
  if (event.key === "?") return rules();
  if (target.closest?.("dialog")) return;
  const to = { ArrowLeft: here() - 1, ArrowRight: here() + 1, Home: 0, End: page.record.plies }[event.key];
  if (to === undefined || target.closest?.(".places")) return;
  event.preventDefault();
  if (event.key === "ArrowRight" && page.record.at === page.record.plies && page.stopped) resume(); else step(to);
});
attempt(begin);

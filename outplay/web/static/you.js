// The page of the visitor: games, ratings, counts, mistakes, days; all of it saved to a file, brought back, deleted.
// @ts-check
import { card, curve, glances } from "./mine.js";
import { added, dayOf, streak, tally } from "./standing.js";
import { $, ask, attempt, make } from "./studio.js";
import { brought, exported, forgotten, keep, load } from "./visitor.js";
import { titled } from "./words.js";

const SHOWN = 12, WEEKS = 20, BATCH = 24;
const name = titled;
const number = (text) => make("td", { class: "number" }, text);

async function ratedPart(results, mine) {
  const { ratings } = results.length ? await ask("/api/ratings", { finished: results }) : { ratings: {} };
  if (mine !== drawn) return;
  const found = Object.entries(ratings).sort(([, a], [, b]) => b.counted - a.counted);
  $("#rated").hidden = !found.length;
  $("#rated .ratings").replaceChildren(...found.map(([game, one]) => make("div", { class: "rating" }, make("strong", {}, name(game)), make("span", { class: "big" }, String(one.rating)), curve([[0, one.begin], ...one.curve], 220, 56), make("span", { class: "faint" }, `± ${one.error} after ${one.counted === 1 ? "1 game" : `${one.counted} games`}`))));
}

function endedPart(results, all = false) {
  const latest = [...results].sort((a, b) => b.when - a.when);
  $("#ended").hidden = !latest.length;
  $("#ended tbody").replaceChildren(...latest.slice(0, all ? latest.length : SHOWN).map((one) => make("tr", {}, make("td", {}, make("a", { href: `/play/${one.address}` }, name(one.game))), make("td", {}, one.against.map(shortly).join(", ")),
    make("td", {}, { 1: "won", 0.5: "drawn", 0: "lost" }[one.mine] + (one.aided ? ", with help" : "")), number(String(one.plies)), number(one.accuracy === undefined || one.accuracy === null ? "–" : `${one.accuracy} %`), make("td", {}, dayOf(one.when)))));
  $("#more").hidden = all || latest.length <= SHOWN;
}

// A player's text as people say it.
function shortly(text) {
  const level = /level=(\w+)/.exec(text);
  if (level) return `${level[1]} level`;
  return text === "random" ? "random moves" : text.startsWith("auto") ? "full strength" : text.split(":")[0];
}

function countsPart(results) {
  const by = $("#by").value, rows = tally(results, (one) => by === "against" ? one.against.map(shortly).join(", ") : by === "opening" ? one.opening : one.game);
  $("#counts").hidden = !results.length;
  $("#counts tbody").replaceChildren(...rows.map((row) => make("tr", {}, make("th", { scope: "row" }, name(row.name)), ...[row.played, row.won, row.drawn, row.lost].map((many) => number(String(many))))));
  if (!rows.length) $("#counts tbody").replaceChildren(make("tr", {}, make("td", { colspan: 5 }, "No finished game has a named opening yet.")));
}

function faultsPart(results) {
  const mistakes = load("mistakes", []), due = mistakes.filter((one) => one.due <= Date.now()).length;
  const faults = added(results.map((one) => one.faults)), kinds = added(results.map((one) => one.kinds));
  $("#faults").hidden = !faults.length && !mistakes.length;
  const looked = results.filter((one) => one.faults).length;
  $("#faults p").replaceChildren(`${looked === 1 ? "One game was" : `${looked} games were`} reviewed. `, ...(mistakes.length ? [due ? make("a", { href: "/puzzles?mine" }, `${due} of your mistakes wait${due === 1 ? "s" : ""} to be played better`) : "None of your mistakes is due today", `, ${mistakes.length} are kept.`] : []));
  $("#faults tbody").replaceChildren(...[...faults, ...kinds].map(([what, many]) => make("tr", {}, make("th", { scope: "row" }, name(what)), number(String(many)))));
}

function donePart() {
  const solved = load("puzzles-solved", {}), rated = load("puzzle-ratings", {}), done = load("outplay.exercises", {});
  const parts = Object.keys(solved).map((game) => `${game}: ${solved[game]} puzzle${solved[game] === 1 ? "" : "s"}, rating ${rated[game]}`);
  $("#done").hidden = !parts.length && !Object.keys(done).length;
  $("#done p").replaceChildren(parts.length ? `${parts.join("; ")}. ` : "", ...(Object.keys(done).length ? [make("a", { href: "/learn/progress" }, `${Object.keys(done).length} lesson${Object.keys(done).length === 1 ? "" : "s"} with exercises begun`)] : []));
}

// Twenty weeks as squares, a column a week; days on which something was done are filled.
function daysPart() {
  const days = load("days", []), done = new Set(days), run = streak(days, Date.now());
  $("#days").hidden = !days.length;
  $("#days p").textContent = `${days.length === 1 ? "One day" : `${days.length} days`} with a game, a puzzle or an exercise; ${run === 1 ? "one day" : `${run} days`} in a row now.`;
  const squares = [], at = new Date();
  at.setHours(12, 0, 0, 0);
  at.setDate(at.getDate() - 7 * WEEKS + 1);
  for (let k = 0; k < 7 * WEEKS; k++, at.setDate(at.getDate() + 1)) { const day = dayOf(at.getTime()); squares.push(make("i", { title: day, ...(done.has(day) ? { class: "full" } : {}) })); }
  $("#days .calendar").replaceChildren(...squares);
  $("#days .calendar").setAttribute("aria-label", $("#days p").textContent);
}

let drawn = 0; // how often: what was asked for an earlier time is not shown any more
async function draw() {
  const mine = ++drawn;
  const results = load("results", []), games = load("games", []);
  $("#nothing").hidden = Boolean(results.length || games.length || load("days", []).length);
  await ratedPart(results, mine).catch(() => {});
  if (mine !== drawn) return;
  endedPart(results);
  countsPart(results);
  faultsPart(results);
  donePart();
  daysPart();
  const going = (await glances(games.filter(({ over, played }) => !over && played).map(({ address }) => address)).catch(() => [])).filter(({ terminal }) => !terminal);
  if (mine !== drawn) return;
  $("#going").hidden = !going.length;
  $("#going ul").replaceChildren(...going.map(card));
}

// The games themselves go along as files of their own formats, so that they can be brought back into any studio.
async function save() {
  const whole = JSON.parse(exported()), files = {};
  for (const { address } of load("games", [])) {
    const answer = await fetch(`/api/records/${address}/file`).catch(() => null);
    if (answer?.ok) files[address] = await answer.text();
  }
  const link = make("a", { href: URL.createObjectURL(new Blob([JSON.stringify({ ...whole, files }, null, 1)], { type: "application/json" })), download: `outplay-${dayOf(Date.now())}.json` });
  link.click();
  $("#told").textContent = `Saved, with ${Object.keys(files).length} games.`;
}

// What a file tells takes the place of what is here; games that this studio does not have are taken up from their files.
async function bring(text) {
  const { files = {} } = JSON.parse(text);
  brought(text);
  const here = new Set();
  for (let from = 0; from < Object.keys(files).length; from += BATCH) for (const { address } of (await ask("/api/glances", { addresses: Object.keys(files).slice(from, from + BATCH) })).games) here.add(address);
  const moved = new Map();
  for (const [address, file] of Object.entries(files)) {
    const state = here.has(address) ? null : await ask("/api/files", { text: file }).catch(() => null);
    if (state) moved.set(address, state.address);
  }
  for (const list of ["games", "results"]) keep(list, load(list, []).map((one) => ({ ...one, address: moved.get(one.address) ?? one.address })));
  const taken = moved.size;
  $("#told").textContent = `Brought back${taken ? `, with ${taken} game${taken === 1 ? "" : "s"}` : ""}.`;
  await draw();
}

async function forget() {
  if (!confirm("Delete all results, mistakes and games of this browser? There is no way back.")) return;
  const addresses = [...new Set([...load("games", []), ...load("results", [])].map(({ address }) => address))];
  for (let from = 0; from < addresses.length; from += BATCH) await ask(`/api/records/${addresses[from]}/delete`, { addresses: addresses.slice(from, from + BATCH) });
  forgotten();
  $("#told").textContent = `Deleted, and ${addresses.length} game${addresses.length === 1 ? "" : "s"} with it.`;
  await draw();
}

$("#by").addEventListener("change", () => countsPart(load("results", [])));
$("#more").addEventListener("click", () => endedPart(load("results", []), true));
$("#save").addEventListener("click", () => attempt(save));
$("#bring").addEventListener("click", () => $("#file").click());
$("#file").addEventListener("change", () => attempt(async () => { const [file] = $("#file").files; $("#file").value = ""; if (file) await bring(await file.text()); }));
$("#forget").addEventListener("click", () => attempt(forget));
attempt(draw);

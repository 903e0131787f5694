// Who plays: the lists to choose from, the rows of names, the clocks.
// @ts-check
import { look } from "./moves.js";
import { base, page, query, upper, watching } from "./state.js";
import { $, attempt, make } from "../studio.js";
import { apt } from "../words.js";

const LEVELS = [["beginner", "Beginner"], ["casual", "Casual"], ["club", "Club player"], ["strong", "Strong player"], ["master", "Master"]];

const searched = (game) => game.algorithms[0]?.startsWith("engine") && game.levels;

// `all`: with textbook searches that are not made for such a game, too.
function opponents(game, all = false) {
  const strong = game.measured || searched(game) ? LEVELS.map(([level, name]) => [`auto:level=${level},time=1`, name]) : [];
  const books = [["mcts:simulations=300", "Textbook Monte Carlo, 300 playouts"], ["alphabeta:depth=2", "Textbook alpha-beta, 2 plies"], ["alphabeta:depth=4", "Textbook alpha-beta, 4 plies"],
    ["minimax:depth=2", "Textbook minimax, 2 plies"], ["expectiminimax:depth=2", "Textbook expectiminimax, 2 plies"], ["maxn:depth=3", "Textbook max^n, 3 plies"]];
  const full = game.players > 1 ? "Full strength" : "A search";
  const named = game.named.map(({ text, name, about }) => [text, name, about]);
  const whole = game.levels ? [["auto:time=1", `${full}, 1 s a move`], ["auto:time=5", `${full}, 5 s a move`], ["auto:time=0.2", `${full}, quick`]] : [];
  return [["human", game.players > 1 ? "A person" : "You"], ...(game.players > 1 ? [["friend", "A friend elsewhere"]] : []), ...strong, ...(game.levels ? [] : named), ...whole, ...(game.levels ? named : []),
    ...books.filter(([text]) => game.levels && game.algorithms.includes(text.split(":")[0]) && (all || apt(text, game))), ["random", "Random moves"]];
}

// The list of players under headings: people and levels, full strength, programs of history, the textbook's.
function choices(game) {
  const groups = new Map([["", []], ["Levels", []], ["Full strength", []], ["Named players", []], ["Textbook", []]]);
  const named = new Set(game.named.map(({ text }) => text));
  for (const [value, name, about] of opponents(game)) {
    const twin = about && LEVELS.some(([, level]) => level === name); // two of one name are told apart by what they are
    const option = make("option", { value, ...(about ? { title: about } : {}) }, twin ? `${name}: ${about}` : name);
    const group = /^(human|friend|random)/.test(value) ? "" : value.includes("level=") ? "Levels" : value.startsWith("auto") ? "Full strength" : named.has(value) ? "Named players" : "Textbook";
    groups.get(group).push(option);
  }
  const [plain, ...rest] = [...groups];
  return [...plain[1], ...rest.filter(([, options]) => options.length).map(([label, options]) => make("optgroup", { label }, ...options))];
}

function nickname(text, game = page.fields?.game()) {
  if (text === "human") return "";
  if (text === "friend") return "a friend, elsewhere";
  const known = game ? opponents(game, true).find(([value]) => value === text) : null;
  return known ? known[1] : text;
}

export function seatsFor(game, names) {
  const players = game.players;
  const kept = [...$("#seats").querySelectorAll("select")].map(({ value }) => value), last = $("#seats").dataset.game;
  $("#seats").dataset.game = game.name;
  $("#seats").replaceChildren(...Array.from({ length: players }, (_, seat) => {
    const choice = make("select", {}, ...choices(game));
    choice.append(make("option", { value: "other" }, "Another …"));
    const has = (text) => [...choice.options].some(({ value }) => value === text);
    const usual = seat === game.first_seat ? "human" : ["thumb", ...(searched(game) ? ["auto:level=club,time=1"] : []), ...game.named.map(({ text }) => text), "auto:time=1"].find(has);
    choice.value = kept.length === players && last === game.name && has(kept[seat]) ? kept[seat] : usual;
    const own = make("input", { hidden: true, placeholder: "such as engine:pvs,depth=8", spellcheck: false, "aria-label": "A player's text" });
    choice.addEventListener("change", () => { own.hidden = choice.value !== "other"; if (!own.hidden) own.focus(); });
    return make("label", {}, upper(names?.[seat] ?? (players === 1 ? "You" : `Player ${seat + 1}`)), choice, own);
  }));
  $("#summary").textContent = `${game.summary} ${traits(game)}`;
}

const traits = (game) => `${game.players} player${game.players > 1 ? "s" : ""}${game.chance ? ", chance" : ""}${game.information === "hidden" ? ", hidden information" : ""}.`;
export const seats = () => [...$("#seats").querySelectorAll("label")].map((label) => {
  const choice = $("select", label);
  return choice.value === "other" ? $("input", label).value.trim() || "human" : choice.value;
});

export function seatTo(players) {
  [...$("#seats").querySelectorAll("select")].forEach((choice, seat) => {
    const text = players[seat];
    if (text === undefined) return;
    if (![...choice.options].some(({ value }) => value === text)) choice.prepend(make("option", { value: text }, text));
    choice.value = text;
  });
}

export function people() { return page.record.players.map((text, seat) => [text, seat]).filter(([text]) => text === "human").map(([, seat]) => seat); }
export function called(seat) {
  const own = people();
  const name = upper(page.record.seats[seat]);
  if (page.record.players[seat] === "human") return own.length === 1 && !watching ? (page.record.players.length === 1 ? "You" : `You (${name})`) : name;
  return `${name}: ${nickname(page.record.players[seat])}`;
}

export function rows(state) {
  const own = people(), all = state.players.map((_, seat) => seat);
  const seatRow = (seat) => {
    const turn = state.player === seat && !state.terminal && state.at === state.plies;
    const face = make("span", { class: `face seat-${seat % 6}`, "aria-hidden": "true" });
    if (state.faces?.[seat]) face.innerHTML = state.faces[seat]; else face.textContent = upper(state.seats[seat]).replace(/^(The|Seat) /, "")[0].toUpperCase();
    const mine = state.players[seat] === "human" && own.length === 1 && !watching;
    const level = state.players[seat] === "human" ? "" : nickname(state.players[seat]);
    // a person is called as the file says, an opponent by what it is where the seat is but a number
    const named = state.names?.[seat] && state.names[seat] !== "?" ? state.names[seat] : "", number = /^(the (first|second|third|fourth) player|seat \d+|the player)$/i.test(state.seats[seat]);
    const place = state.seats[seat].length === 1 ? `Player ${state.seats[seat]}` : upper(state.seats[seat]);
    const who = make("span", { class: "who" }, make("strong", {}, named || (mine ? "You" : number && level && all.length === 2 ? level : place)), make("span", { class: "level" }, mine ? (state.players.length === 1 || (number && all.length === 2) ? "" : place) : number && level && all.length === 2 ? "" : level));
    const bits = [face, who];
    if (turn) bits.push(make("span", { class: "turn" }, page.busy ? "thinking" : "to move"));
    const has = state.standing?.[seat];
    if (has?.icons?.length) { const taken = make("span", { class: "taken", role: "img", "aria-label": has.label ?? `ahead by ${has.about}` }); taken.innerHTML = has.icons.join(""); bits.push(taken); }
    if (has?.words) bits.push(make("span", { class: "score" }, has.words));
    if (state.clock) bits.push(make("span", { class: "clock", "data-seat": String(seat), role: "timer", "aria-label": `${upper(state.seats[seat])}'s clock` }));
    else if (page.spent[seat]) bits.push(make("span", { class: "faint spent", title: "time taken so far; no clock runs" }, `${clock(page.spent[seat])} taken`));
    return make("span", { class: `seat-name${turn ? " moves" : ""}` }, ...bits);
  };
  const turned = page.flip && state.board?.turns;
  const first = own.length === 1 && !state.board?.turns ? own[0] : state.board?.below ?? 0;
  const low = turned ? all.find((seat) => seat !== first) ?? first : first;
  const [bottom, top] = [low, [...all.slice(low + 1), ...all.slice(0, low)]];
  $("#seat-bottom").replaceChildren(...(state.players.length ? [seatRow(bottom)] : []));
  $("#seat-top").replaceChildren(...top.map(seatRow));
  tick();
}
function tick() {
  if (!page.record?.clock) return;
  const { left, runs } = page.record.clock;
  for (const face of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".clock"))) {
    const seat = +face.dataset.seat;
    const mine = runs && seat === page.record.player && !page.record.terminal && page.record.at === page.record.plies;
    const gone = !mine ? 0 : page.record.person ? (performance.now() - page.ticked) / 1000 : page.thinkingSince ? (performance.now() - page.thinkingSince) / 1000 : 0;
    const rest = Math.max(0, left[seat] - gone);
    face.textContent = rest < 10 ? rest.toFixed(1) : clock(rest);
    face.classList.toggle("runs", mine);
    face.classList.toggle("short", rest < Math.min(20, page.record.clock.seconds / 5));
    if (mine && page.record.person && !watching && rest === 0 && gone - left[seat] > 0.7) { page.ticked = performance.now() + 5000; attempt(() => look(`${base()}${query()}`)); } // the flag falls
  }
}
setInterval(tick, 100);

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

// A state of the game, shown: the board, the buttons below it, the banner, the line of words.
// @ts-check
import { explore, gauge, unthink } from "./analysis.js";
import { draw } from "./drawing.js";
import { harbour } from "./extras/battleships.js";
import { auction, claim, openCards } from "./extras/bridge.js";
import { trade, worthChart } from "./extras/monopoly.js";
import { betting } from "./extras/poker.js";
import { rack, swapping } from "./extras/scrabble.js";
import { befriend } from "./friends.js";
import { pretty } from "./lines.js";
import { move, rematch } from "./moves.js";
import { list, noted } from "./record.js";
import { review, reviewed, reviewing } from "./review.js";
import { called, people, rows } from "./seats.js";
import { chapters } from "./study.js";
import { board, hands, page, query, say, upper, watching } from "./state.js";
import { $, make } from "../studio.js";
import { titled } from "../words.js";

export function show(state, animate = true) {
  const before = page.record;
  // Of several at one screen each lifts the curtain before the own hand is seen, from the first hand on.
  const shared = state.hidden && state.person && state.at === state.plies && state.players.filter((text) => text === "human").length > 1;
  if (shared && !state.curtain && page.unveiled !== `${state.address} ${state.player}`) { page.veiled = state; state = { ...state, curtain: true, movable: false, legal: [] }; } else page.veiled = null;
  if (before && before.address === state.address && state.plies === before.plies + 1 && before.at === before.plies && state.movers?.length) {
    const seat = state.movers[before.plies];
    if (seat >= 0) page.spent[seat] = (page.spent[seat] ?? 0) + (performance.now() - page.since) / 1000;
  }
  if (!before || before.address !== state.address) { page.spent = {}; page.judged = []; page.values = new Map(); reviewed(); hands.whole(); }
  if (before && before.address === state.address) { // what was found on another line is none of this one's business
    let same = 0;
    while (same < Math.min(before.plies, state.plies) && before.record[same] === state.record[same]) same++;
    if (same < before.plies) { page.judged = page.judged.slice(0, same); for (const ply of page.values.keys()) if (ply > same) page.values.delete(ply); }
  }
  page.since = page.ticked = performance.now();
  page.record = state;
  const latest = state.at === state.plies;
  refusal("");
  const trades = state.game.startsWith("monopoly");
  board.show(trades ? { ...state, legal: state.legal.filter(({ text }) => !text.startsWith("offer:")) } : state, state.movable && !page.busy && !page.opening, animate);
  board.element.setAttribute("aria-label", `${state.game} board`);
  $("#undo").hidden = $("#lay").hidden = true;
  $("#undo").textContent = "Undo this part";
  zoomable();
  $("#title").textContent = titled(state.game.split(":")[0]);
  document.title = `${$("#title").textContent} · Outplay`;
  $("#text").textContent = state.position;
  const few = trades && state.legal.filter(({ text }) => !text.startsWith("offer:")).length <= 12; // what a space of the track offers is said in words, too
  const swaps = state.legal.filter(({ text }) => text.startsWith("swap:")).map(({ text }) => text);
  const plain = state.legal.filter(({ touches, text }) => (few || touches.length === 0) && !/^(offer|swap):/.test(text));
  const can = state.movable && !page.opening && !page.busy;
  $("#others").replaceChildren(...(can ? plain : []).map(({ text, said }) => make("button", { type: "button", title: text, onclick: () => move(text) }, said ?? text)), ...(can && swaps.length ? [swapping(swaps)] : []));
  const desk = $(".desk"); // room for buttons below the board is kept as long as the game lasts, so that nothing jumps
  if (before?.address !== state.address) desk.style.setProperty("--more", "0rem");
  if (plain.length) desk.style.setProperty("--more", plain.length > 15 && state.auction ? "17rem" : plain.length > 15 ? "14.5rem" : plain.length > 8 ? "7rem" : "4.6rem");
  $("#caption").textContent = state.auction || state.board?.kind === "points" || state.board?.several || (!state.opening && state.standing?.length && state.standing.every(({ words }) => words)) ? "" : state.opening || state.caption;
  list(state);
  noted(state);
  auction(state);
  trade(state);
  claim(state);
  worthChart(state);
  openCards(state);
  const harboured = harbour(state);
  betting(state);
  befriend(state);
  chapters(state);
  rack(state);
  $("#first").disabled = $("#previous").disabled = state.at === 0;
  $("#last").disabled = $("#next").disabled = latest;
  $("#back").disabled = state.plies === 0 || Boolean(watching || state.stands);
  $("#back").title = state.stands ? `${upper(state.stands)}.` : "";
  $("#resign").hidden = !people().length || state.players.length < 2 || Boolean(watching);
  $("#resign").disabled = state.terminal || !latest;
  $("#hint").disabled = !state.legal.length || !state.movable || watching;
  $("#threats").hidden = !state.threatens || Boolean(watching);
  $("#threats").disabled = state.terminal;
  $("#territory").hidden = !state.tools.includes("territory") || Boolean(watching);
  $("#advised").replaceChildren();
  $("#go").hidden = !(page.stopped && state.waiting && latest && !page.busy);
  rows(state);
  banner(state, latest);
  $("#curtain").hidden = !state.curtain;
  if (state.curtain) $("#curtain p").textContent = `${upper(state.seats[state.player])} to move: hand the device over.`;
  if (page.opening || !harboured) say(page.opening ? "A game is on its way …" : status(state, latest));
  const place = new URLSearchParams({ game: state.game, position: state.position });
  const problem = state.players.length === 1 && !state.chance;
  $("#inside").href = `/inside?${place}${problem ? "&algorithm=a-star" : ""}`;
  $("#compare").href = `/compare?${place}`;
  $("#ask-class").href = `/class?${place}`;
  $("#save").href = `/api/records/${state.address}/file`;
  $("#save").textContent = `Save game (${state.file?.toUpperCase() ?? "JSON"})`;
  $("#save-other").replaceChildren(...(state.files ?? []).slice(1).map((kind) => make("a", { class: "button", href: `/api/records/${state.address}/file?kind=${kind}`, download: "" }, `Save game (${kind.toUpperCase()})`)));
  $("#picture").href = `/api/records/${state.address}/picture.svg${query({ at: state.at })}`;
  $("#reviewing").hidden = !state.reviewable || Boolean(watching);
  if (state.reviewed && !watching && !reviewing && !page.judged.length && page.fetched !== state.address) { page.fetched = state.address; review(); } // it lies with the game
  if (before?.position !== state.position) unthink();
  gauge();
  explore();
  draw(state);
}

// By how much, in what the game counts.
function amount(state, mine) {
  const much = +Math.abs(mine).toFixed(3), some = (what) => `${much} ${what}${much === 1 ? "" : "s"}`;
  if (/^pac-man/.test(state.game)) return `: score ${state.utilities[0]}`;
  if (/poker|hold'em|push/.test(state.game)) return ` ${some("chip")}`;
  if (/^backgammon/.test(state.game)) return ` ${some("point")}`;
  return ` by ${/^othello/.test(state.game) ? some("disc") : much}`;
}

function outcome(state) {
  const own = people();
  const why = state.reason ? ` ${upper(state.reason)}.` : "";
  if (state.players.length === 1) return state.result === "solved" ? `Solved in ${state.plies} move${state.plies === 1 ? "" : "s"}.` : `${upper(state.result)}.`;
  if (state.utilities && own.length === 1 && !watching) {
    const mine = state.utilities[own[0]], best = Math.max(...state.utilities), alone = state.utilities.filter((u) => u === best).length === 1;
    const chips = /poker|hold'em|push/.test(state.game);
    const amounts = chips ? amount(state, mine) : !/:/.test(state.result) ? "" : state.players.length === 2 && state.utilities[0] === -state.utilities[1] ? amount(state, mine) : ` (${state.result.split(": ")[1]})`;
    if (alone) return (mine === best ? "You win" : state.players.length === 2 ? "You lose" : `${upper(state.result.split(":")[0])}`) + amounts + `.${why}`;
  }
  const even = state.utilities?.length === 2 && state.utilities[0] === -state.utilities[1] && /: /.test(state.result); // what one wins the other loses: said once
  return `${upper(even ? `${state.result.split(": ")[0]}${amount(state, state.utilities[0])}` : state.result)}.${why}`;
}

function banner(state, latest) {
  const over = state.terminal && latest;
  $("#banner").hidden = !over || $("#banner").dataset.closed === state.address + state.plies;
  $("#status").classList.toggle("unseen", !$("#banner").hidden); // said once to the eye, and still to those who listen
  if (!over) return;
  if (!watching) document.dispatchEvent(new CustomEvent("finished", { detail: state }));
  const key = state.address + state.plies;
  $("#banner").replaceChildren(make("p", {}, outcome(state)), ...(state.caption && /wins|score|komi/.test(state.caption) && !outcome(state).includes(state.caption) ? [make("p", { class: "faint" }, state.caption)] : []),
    make("div", { class: "row" }, ...(watching ? [] : [
      make("button", { type: "button", class: "main", onclick: rematch }, state.next?.label ?? (state.players.length === 1 ? "Again" : "Rematch")),
      make("button", { type: "button", onclick: () => tab("new") }, "Another game"),
      ...(state.reviewable ? [make("button", { type: "button", onclick: () => { tab("think"); review(); } }, "Review")] : [])]),
      make("button", { type: "button", "aria-label": "close", onclick: () => { $("#banner").dataset.closed = key; $("#banner").hidden = true; $("#status").classList.remove("unseen"); } }, "✕")));
}

export function status(state, latest) {
  if (state.terminal && latest) return outcome(state);
  if (!latest) return `After move ${state.at} of ${state.plies}: ${state.to_move} to move.${state.movable ? " Another move begins a line of its own." : ""}`;
  const said = announce(state);
  if (state.away) return `${said}${upper(state.to_move)}, your friend, is to move.`;
  if (watching) return `${said}${upper(state.to_move)} to move. ${state.behind === undefined ? "You are watching." : "You are watching, a round behind, and see what everybody sees."}`;
  if (state.person) return said + (people().length === 1 ? asked(state) : `${upper(state.to_move)} to move. ${asked(state, "")}`.trim());
  return `${said}${upper(called(state.player))} is to move.`;
}

// What the person is to do: the game's own words, or the only thing that can be done.
function asked(state, plain = "Your move.") {
  const [only, other] = state.legal;
  return state.task || (only && !other && !only.touches.length ? `There is only one thing to do: ${(only.said ?? only.text).toLowerCase()}.` : plain);
}

// What the others did last, for those who listen.
export function announce(state) {
  if (!state.plies) return "";
  if (state.happened) return `${state.happened} `;
  const words = state.notation?.length ? state.notation : state.record;
  let ply = state.plies - 1;
  const rolled = [];
  for (; ply >= 0 && state.movers[ply] < 0; ply--) if (!state.hidden) rolled.unshift(words[ply]); // cards are no business of everybody's
  const seat = ply >= 0 ? state.movers[ply] : -1;
  if (state.hidden && (seat < 0 || words[ply] === "•")) return "";
  const dice = rolled.length ? `${rolled.map(pretty).join(", ")}. ` : "";
  if (seat < 0) return dice;
  if (state.players[seat] === "human" && people().length === 1) return dice;
  return `${upper(state.seats[seat])} played ${words[ply]}${state.note ? ` (${state.note})` : ""}. ${dice}`;
}

// A board whose places are smaller than a fingertip can be enlarged; two fingers do it, too.
export function zoomable() {
  $("#zoom").hidden = !(hands.scale > 1 || (page.record?.board && hands.small()));
  $("#zoom").textContent = hands.scale > 1 ? "Whole board" : "Zoom in";
}

export function refusal(text) { $("#refusal").textContent = text; }

export function tab(name) {
  for (const other of ["game", "think", "new"]) {
    $(`#tab-${other}`).setAttribute("aria-selected", String(other === name));
    $(`#tab-${other}`).tabIndex = other === name ? 0 : -1;
    $(`#pane-${other}`).hidden = other !== name;
  }
  if (name === "think") explore();
}

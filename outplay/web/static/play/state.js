// What all parts of the Play page share: the game that is shown, and what is on its way.
// @ts-check
import { Board } from "../board.js";
import { Fingers } from "../fingers.js";
import { move, refuse } from "./moves.js";
import { zoomable } from "./show.js";
import { $, make } from "../studio.js";

// Everything that several parts change.
export const page = {
  record: null,
  flip: false,
  busy: null, // the controller of the search that is to move
  thought: null, // the controller of the search that only thinks
  moving: false, // a person's move is on its way
  opening: false, // another game is on its way: what stands on the board is not to be moved in any more
  asked: 0, // how many answers were asked for; only the latest is shown
  aim: null, // the move of the game that was stepped to and is not shown yet
  fields: null,
  stopped: false, // the search to move was stopped; Continue lets it go on
  judged: [], // the review of the game, one entry a move
  fetched: "", // the game whose kept review was asked for
  lucky: [], // what its dice brought, by ply
  values: new Map(), // the evaluation bar's values by ply
  spent: {}, // seconds each seat has taken, as this page saw it
  since: performance.now(),
  eager: null, // the tiles that are to be played as soon as it is known what they make
  ticked: performance.now(),
  veiled: null, // the state behind the curtain, where it is the own hand
  unveiled: "", // the game and the seat whose hand is open at a screen that several share
  paused: -1, // the ply after which what lies there was left for a moment
  thinkingSince: null,
};

export const watching = location.pathname.startsWith("/watch/") ? location.pathname.split("/")[2] : null;

export const board = new Board($("#board"), (action) => move(action), (from, to) => refuse(from, to));
export const hands = new Fingers(board, () => zoomable());
export const bar = make("div", { class: "eval-bar", id: "bar", hidden: true, role: "img", "aria-label": "Evaluation" }, make("div"), make("span"));
board.stage.append(bar);
// Help was asked for, or a move taken back, in a game that goes on: it counts no more for the rating.
export const aided = () => { if (page.record && !page.record.terminal && !watching) document.dispatchEvent(new CustomEvent("aided", { detail: page.record })); };
export const base = () => (watching ? `/api/watch/${watching}` : `/api/records/${page.record.address}`);
export const narrow = matchMedia("(max-width: 560px)");
export const query = (more = {}) => { const all = new URLSearchParams({ ...(page.flip ? { flip: "true" } : {}), ...(narrow.matches ? { narrow: "true" } : {}), ...more }).toString(); return all ? `?${all}` : ""; };
export const say = (text) => { if ($("#status").textContent !== text) $("#status").textContent = text; };
export const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

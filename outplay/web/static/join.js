// A student's page: join by the code, see the question, answer it, see what came of it. It asks for news and waits for them.
// @ts-check
import { Board } from "./board.js";
import { bars } from "./results.js";
import { $, ask, make } from "./studio.js";

const MOST_BUTTONS = 40; // moves that stand below the board, too
let me = null, turn = 0, now = null, mine = null, told = 0, right = 0;
const board = new Board($("#board"), (action) => answer(action));
const letters = (text) => text.toUpperCase().replace(/[^A-Z]/g, "");

try { me = JSON.parse(sessionStorage.getItem("class") ?? "null"); } catch { me = null; }
const keep = () => { try { if (me) sessionStorage.setItem("class", JSON.stringify({ ...me, mine, told, right })); else sessionStorage.removeItem("class"); } catch { /* a browser that keeps nothing */ } };
if (me) ({ mine, told, right } = me);

function only(name) { for (const each of ["joining", "waiting", "asked"]) $(`#${each}`).hidden = each !== name; }
function say(text) { only("waiting"); $("#word").textContent = text; }
function who() {
  $("#who").textContent = me ? `you are ${me.name}` : "";
  $("#tally").textContent = told ? `${right} of ${told} right` : "";
}

async function join(code) {
  $("#wrong").textContent = "";
  try {
    const { token, name } = await ask("/api/join", { code });
    me = { token, name, code };
    [turn, mine, told, right] = [0, null, 0, 0];
    keep();
    who();
    say("You are in. Wait for the first question.");
    follow();
  } catch (problem) {
    only("joining");
    $("#code").focus();
    $("#wrong").textContent = problem.status === 403 ? "This is not the code of the class." : problem.message;
  }
}

let following = false;
async function follow() {
  if (following) return;
  following = true;
  for (let pause = 500; me;) {
    try {
      const news = await ask("/api/follow", { token: me.token, turn });
      pause = 500;
      if (!news.same) show(news);
    } catch (problem) {
      if (problem.status === 403) { forget(); only("joining"); break; }
      if (problem.status === undefined) say("The class does not answer. Trying again …");
      turn = 0;
      await new Promise((done) => { setTimeout(done, pause); });
      pause = Math.min(8000, pause * 1.6);
    }
  }
  following = false;
}

function forget() { me = null; [mine, told, right] = [null, 0, 0]; keep(); who(); }

function show(news) {
  const before = now;
  turn = news.turn;
  now = news;
  if (news.phase === "over") { forget(); return say("The class is over. Nothing of it was kept."); }
  if (news.phase === "waiting") return say("Wait for the next question.");
  if (mine?.round !== news.number) mine = null;
  only("asked");
  const { question } = news, isOver = news.phase === "told";
  if (before?.number !== news.number || before?.phase !== news.phase) draw(question, isOver);
  $("#results").hidden = !isOver;
  if (isOver) {
    bars($("#results"), { options: question.options, counts: news.counts, right: news.right }, mine?.key ?? null);
    if (mine && !mine.counted && news.right.length) { told += 1; right += news.right.includes(mine.key) ? 1 : 0; mine.counted = true; }
  }
  state();
  keep();
  who();
}

function draw(question, isOver) {
  $("#question").textContent = question.text;
  const picture = $("#tree");
  picture.hidden = !question.picture;
  $("#board").hidden = !question.board;
  if (question.board) board.show({ ...question.board }, !isOver, false);
  if (question.picture) {
    picture.innerHTML = question.picture;
    const svg = $("svg", picture);
    svg.style.minWidth = `${Math.min(620, +svg.getAttribute("width") * 0.62)}px`;
    for (const group of picture.querySelectorAll("[data-node]")) if (question.kind === "node" && !isOver && question.options.some(({ key }) => key === group.dataset.node)) tap(group, question);
    const here = $(".now", picture) ?? $("[data-node='0']", picture);
    const at = here?.getBoundingClientRect(), frame = picture.getBoundingClientRect();
    if (at) picture.scrollLeft += at.left + at.width / 2 - frame.left - frame.width / 2;
  }
  const buttons = question.kind === "node" || isOver || question.options.length > MOST_BUTTONS ? [] : question.options;
  $("#options").replaceChildren(...buttons.map(({ key, words }) => make("button", { type: "button", "data-key": key, onclick: () => answer(key) }, words)));
  $("#options").classList.toggle("few", question.options.length <= 4);
  $("#question").focus({ preventScroll: true });
}

// A node of the tree as an answer: by finger, mouse or key.
function tap(group, question) {
  const { key, words } = question.options.find((option) => option.key === group.dataset.node);
  group.setAttribute("tabindex", "0");
  group.setAttribute("role", "button");
  group.setAttribute("aria-label", words);
  group.classList.add("to-tap");
  group.addEventListener("click", () => answer(key));
  group.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); answer(key); } });
}

async function answer(key) {
  if (now?.phase !== "asking") return;
  const round = now.number;
  try {
    await ask("/api/answer", { token: me.token, round, key });
    if (now.number !== round) return;
    mine = { round, key };
    if (now.phase === "told") return show(now); // the results came first, with this answer among them
  } catch (problem) {
    $("#state").textContent = problem.message;
    return;
  }
  if (now.question.board) board.show({ ...now.question.board }, true, false);
  state();
  keep();
}

function state() {
  const { question } = now, words = question.options.find(({ key }) => key === mine?.key)?.words;
  for (const button of $("#options").children) { button.classList.toggle("chosen", button.dataset.key === mine?.key); button.setAttribute("aria-pressed", String(button.dataset.key === mine?.key)); }
  for (const group of $("#tree").querySelectorAll("[data-node]")) group.classList.toggle("tapped", question.kind === "node" && group.dataset.node === mine?.key);
  if (now.phase === "asking") $("#state").textContent = mine ? `Your answer: ${words}. You may still change it.` : question.kind === "node" ? "Tap the node." : question.board ? "Choose a move, on the board or below it." : "";
  else $("#state").textContent = [mine ? now.right.length ? now.right.includes(mine.key) ? "Right." : `Not this time: you said ${words}.` : `You said ${words}.` : "", now.said].filter(Boolean).join(" ");
}

$("#joining").addEventListener("submit", (event) => { event.preventDefault(); join(letters($("#code").value)); });
$("#code").addEventListener("input", () => { $("#code").value = letters($("#code").value); });
who();
const given = letters(location.pathname);
if (me && (!given || given === me.code)) { say("…"); follow(); } else if (given) { $("#code").value = given; join(given); } else { only("joining"); $("#code").focus(); }

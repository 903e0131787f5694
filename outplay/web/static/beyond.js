// Beside the tree of Look inside: alpha, beta and v along the way, the windows of MTD(f), predictions, a lecture, random trees, keys.
// @ts-check
import { isQuestion } from "./foresee.js";
import { $, ask, attempt, make, notice } from "./studio.js";
import { worth } from "./words.js";
import { MORE } from "./exercises.js";

const address = () => /\/api\/trees\/([^/]+)\//.exec($("#html")?.getAttribute("href") ?? "")?.[1];
const stepper = () => $("#stepper")?.stepper;
const shown = (value) => value === null || value === undefined ? "–" : Array.isArray(value) ? worth(value) : Math.abs(value) > 1e300 ? (value < 0 ? "−∞" : "∞") : String(+value.toFixed(3));

// ------------------------------------------------------------------ the way with its windows

const KINDS = { max: "△", min: "▽", chance: "○", leaf: "□" };
const way = make("div", { class: "card", id: "way-card", hidden: true }, make("h2", {}, "The way here"),
  make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...["node", "α", "β", "v"].map((text, k) => make("th", k ? { class: "number" } : {}, text)))), make("tbody"))),
  make("p", { class: "faint" }, "From the root to where the search is. A MIN node is cut when v ≤ α, a MAX node when v ≥ β."), make("div", { id: "windows" }));

let wanted = null, busy = false;
async function show(tick) {
  wanted = tick;
  if (busy) return;
  busy = true;
  while (wanted !== null) {
    const now = wanted;
    wanted = null;
    const from = address();
    if (!from) break;
    const found = await ask(`/api/trees/${from}/way?tick=${now}`).catch(() => null);
    if (!found || from !== address()) continue;
    const windows = found.way.some(({ alpha, beta }) => alpha || beta);
    way.hidden = !windows;
    $("tbody", way).replaceChildren(...found.way.map((node) => make("tr", {}, make("td", {}, `${KINDS[node.kind] ?? "□"} ${node.name}`), ...[node.alpha, node.beta, node.value].map((value) => make("td", { class: "number" }, value || "–")))));
    rowOfWindows(found);
  }
  busy = false;
}

// MTD(f) and Best Node Search ask, one null window after the other: each is a tick on a line, with the bounds closing in.
function rowOfWindows({ passes, tests, pass }) {
  const box = $("#windows");
  const asked = passes?.length ? passes : tests?.length ? tests.map((test) => [test, null]) : [];
  if (!asked.length) { box.replaceChildren(); return; }
  let lower = -Infinity, upper = Infinity;
  const rows = asked.map(([tested, found], k) => {
    const yes = found === null ? null : found >= tested;
    if (yes === true) lower = Math.max(lower, found); else if (yes === false) upper = Math.min(upper, found);
    return make("tr", { class: k + 1 === pass ? "present-window" : "" }, make("td", { class: "number" }, String(k + 1)), make("td", {}, `at least ${shown(tested)}?`),
      make("td", {}, yes === null ? "" : yes ? `yes: ≥ ${shown(found)}` : `no: ≤ ${shown(found)}`), make("td", { class: "number" }, yes === null ? "" : `[${shown(lower)}, ${shown(upper)}]`));
  });
  box.replaceChildren(make("h2", {}, "Its questions"), make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...["", "window", "answer", "value in"].map((text) => make("th", {}, text)))), make("tbody", {}, ...rows))));
}

// ------------------------------------------------------------------ predictions and the lecture

let mode = "", right = 0, asked = 0, timer = null;
const question = make("div", { class: "exercise", id: "question", hidden: true, role: "group", "aria-live": "polite" });
const tally = make("span", { class: "faint" });
const WORDS = { enter: "Down to the next node, with the window it inherits.", leaf: "A leaf: its utility is known.", update: "A value came back, the best so far.", cut: "The rest cannot matter any more: it is cut.", leave: "All that matters is known; the value goes up.",
  select: "Select: the child with the greatest UCB1 term.", expand: "Expand: one node is added.", simulate: "Simulate: play on to the end.", backpropagate: "Backpropagate: count the outcome on the way up.", deepen: "The next depth begins, from the root again.", deal: "One deal of what is hidden, solved with open cards." };

function ponder(it, then) {
  const truth = it.frames[it.tick + 1].w === "cut";
  const answer = (said) => {
    asked += 1;
    if (said === truth) right += 1;
    tally.textContent = `${right} of ${asked} right`;
    question.hidden = true;
    question.replaceChildren();
    then();
    const caption = $("#stepper .caption");
    if (caption) caption.textContent = `${said === truth ? "Right. " : "Not quite. "}${caption.textContent}`;
  };
  question.replaceChildren(make("p", { class: "question" }, make("strong", {}, "What comes next? "), `${($("#stepper .caption")?.textContent ?? "").replace(/[.?]$/, "")}.`), make("div", { class: "row" },
    make("button", { type: "button", onclick: () => answer(true) }, "The rest of this node is cut"), make("button", { type: "button", onclick: () => answer(false) }, "The search goes on")));
  question.hidden = false;
  $("button", question).focus({ preventScroll: true });
}

function hold(it) { // every way on goes through here; a question stands before the step it is about
  if (it.held) return;
  it.held = true;
  const go = it.go.bind(it);
  it.go = (tick, first) => {
    if (mode && tick === it.tick + 1 && isQuestion(it.frames, it.tick)) {
      if (question.hidden) { if (it.timer) it.run(); ponder(it, () => { go(tick); if (mode === "lecture") lecture(); }); }
      return;
    }
    if (!question.hidden && tick !== it.tick) { question.hidden = true; question.replaceChildren(); }
    go(tick, first);
  };
}

function lecture() {
  clearTimeout(timer);
  const it = stepper();
  if (mode !== "lecture" || !it || it.tick >= it.frames.length - 1) { if (mode === "lecture" && it) choose(""); return; }
  timer = setTimeout(() => {
    if (mode !== "lecture" || !question.hidden) return;
    it.go(it.tick + 1);
    const caption = $("#stepper .caption"), word = it.frames[it.tick]?.w;
    if (question.hidden && caption && WORDS[word]) caption.textContent = `${caption.textContent}. ${WORDS[word]}`;
    if (question.hidden) lecture();
  }, 2200);
}

const buttons = { predict: make("button", { type: "button", "aria-pressed": "false", onclick: () => choose(mode === "predict" ? "" : "predict") }, "Predict"),
  lecture: make("button", { type: "button", "aria-pressed": "false", onclick: () => choose(mode === "lecture" ? "" : "lecture") }, "Lecture") };
function choose(next) {
  mode = next;
  for (const [name, button] of Object.entries(buttons)) { button.setAttribute("aria-pressed", String(name === mode)); button.classList.toggle("main", name === mode); }
  question.hidden = true;
  clearTimeout(timer);
  const it = stepper();
  if (mode && !it) { notice("a tree of this size is stepped by the server: predictions and the lecture want a small one"); return choose(""); }
  if (it) hold(it);
  if (mode && it.tick >= it.frames.length - 1) it.go(0);
  if (mode) {
    right = asked = 0;
    tally.textContent = "";
    if ($("#tree").getBoundingClientRect().bottom > innerHeight) $(".tools").scrollIntoView({ block: "start" }); // what is asked, and the tree it is asked of
  }
  if (mode === "predict") tally.textContent = it.frames.some(({ w }) => w === "cut") ? "step on, and say what comes" : "this search cuts nothing: there is nothing to foresee";
  if (mode === "lecture") lecture();
}

// ------------------------------------------------------------------ a random tree, whole screen, keys, regrets

const random = make("button", { type: "button", onclick: () => {
  const width = 2 + Math.floor(Math.random() * 2), deep = 2 + Math.floor(Math.random() * 2);
  const grown = (left) => left ? Array.from({ length: width }, () => grown(left - 1)) : Math.floor(Math.random() * 20);
  $("#game").value = "tree";
  $("#game").dispatchEvent(new Event("change"));
  $('#parameters [name="tree"]').value = JSON.stringify(grown(deep));
  $("#position").value = "";
  $("#example").value = "";
  $("#depth").value = "";
  $("#grow").requestSubmit();
} }, "Random tree");

const regretCard = make("div", { class: "card", id: "regret-card", hidden: true }, make("h2", {}, "Regrets"), make("div"));
function regretsIfAny() {
  const isRegret = /^(cfr|mccfr)$/.test($("#algorithm").value) && !$("#result").hidden;
  regretCard.hidden = !isRegret;
  $("#theatre").hidden = $("#node-card").hidden = isRegret;
  const game = new URLSearchParams(location.search).get("game"), sampled = $("#algorithm").value === "mccfr", of = `${game} ${sampled}`;
  if (isRegret && regretCard.dataset.of !== of) {
    regretCard.dataset.of = of;
    regretCard.firstChild.textContent = sampled ? "Regrets, from sampled plays" : "Regrets";
    attempt(() => MORE.regrets(regretCard.lastChild, { game, sampled }));
  }
}

$(".tools").prepend(buttons.lecture, buttons.predict, tally);
$("#link").before(random);
$("#link").after(make("a", { class: "button", href: "/beside" }, "Two side by side"), " ", make("a", { class: "button", href: "/class", onclick: ({ target }) => { target.href = `/class${location.search}`; } }, "Ask a class"));
$("#stepper").before(question);
$("#map-card").before(way);
$("#theatre").before(regretCard);

document.addEventListener("step", (/** @type {any} */ { detail, target }) => {
  if (target.id !== "stepper") return;
  const it = stepper();
  if (it) hold(it);
  show(it?.frames[it.tick]?.t ?? detail.tick);
}, true);
new MutationObserver(() => { if (!question.hidden) { question.hidden = true; } regretsIfAny(); if (mode) choose(""); }).observe($("#html"), { attributes: true, attributeFilter: ["href"] });

// Arrow keys step wherever the page is looked at, unless something else takes them.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || /** @type {Element} */ (event.target).closest("input, select, textarea, [contenteditable]")) return;
  const it = stepper();
  if ($("#result").hidden) return;
  if (!regretCard.hidden) { regretCard.querySelector(`.steps button:nth-of-type(${{ ArrowLeft: 1, ArrowRight: 2 }[event.key] ?? 9})`)?.dispatchEvent(new MouseEvent("click")); return; }
  if (!it) return;
  const to = { ArrowLeft: it.tick - 1, ArrowRight: it.tick + 1, Home: 0, End: it.frames.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  it.go(to);
});

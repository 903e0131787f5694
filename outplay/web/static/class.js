// The teacher's screen: a class is opened, asked, and shown its answers. One button leads on: ask, show the results, on to the next.
// @ts-check
import { Board } from "./board.js";
import { goesOn, isQuestion } from "./foresee.js";
import { bars } from "./results.js";
import { $, ask, attempt, gameFields, make, notice, stream } from "./studio.js";
// @ts-expect-error  (views/tree.js, which is served with an export)
import { Stepper } from "./tree.js";
import { worth } from "./words.js";

const EXAMPLES = {
  "the lectures' tree": { game: "tree:tree=[[3,12,8],[2,4,6],[14,5,2]]", algorithm: "alphabeta" },
  "the same, best order": { game: "tree:tree=[[3,12,8],[2,4,6],[2,5,14]]", algorithm: "alphabeta" },
  "the same, minimax": { game: "tree:tree=[[3,12,8],[2,4,6],[14,5,2]]", algorithm: "minimax", about: "node" },
  "four plies": { game: "tree:tree=[[[[5,6],[7,4]],[[3]]],[[[6],[6,9]],[[7]]],[[[5]],[[9,8],[6]]]]", algorithm: "alphabeta" },
  "tic-tac-toe, near the end": { game: "tic-tac-toe", position: "x.o/.o./..x x", algorithm: "alphabeta" },
};
const SECONDS = 0.5; // between two looks at who has answered
let now = { open: false }, trees = null, votes = null, tree = null, stepper = null, mode = "predict", actions = [], position = null, thinking = null, busy = 0, line = Promise.resolve();
const board = new Board($("#board"), (action) => { if (now.phase !== "asking" && !busy) { actions.push(action); work(setUp); } });

// ------------------------------------------------------------------ how the class stands

async function look() { show(await ask("/api/class")); }
async function post(path, body = {}) { show(await ask(`/api/class${path}`, body)); }

// One thing after the other; meanwhile the buttons wait.
function work(job) {
  busy += 1;
  lead();
  line = line.then(() => attempt(job)).finally(() => { busy -= 1; lead(); });
  return line;
}

function show(state) {
  if (state.open && state.code === now.code && state.turn < now.turn) return; // an answer that was overtaken
  now = state;
  $("#closed").hidden = state.open;
  $("#open").hidden = !state.open;
  if (!state.open) return;
  for (const kind of ["csv", "json"]) $(`#${kind}`).href = `/api/class/notes.${kind}`;
  $("#address").textContent = state.address.replace(/^http:\/\/|\/$/g, "");
  $("#code").textContent = state.code;
  $("#here").textContent = state.here;
  $("#answered").textContent = state.phase === "asking" || state.phase === "told" ? state.answered : state.here;
  $("#of").textContent = state.phase === "asking" || state.phase === "told" ? `of ${state.here} have answered` : state.here === 1 ? "is here" : "are here";
  $("#meter").style.width = `${state.phase === "asking" || state.phase === "told" ? 100 * Math.min(1, state.answered / Math.max(1, state.here)) : 0}%`;
  const asking = state.phase === "asking";
  if (asking || state.phase === "told") $("#ask").textContent = state.question.text;
  $("#results").hidden = state.phase !== "told";
  if (state.phase === "told") { bars($("#results"), { options: state.question.options, counts: state.counts, right: state.right }); if (state.said) $("#said").textContent = state.said; }
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#predict :is(select, input, button, textarea), #vote :is(select, input, button, textarea), .class .tabs button"))) field.disabled = asking;
  $("#rest").hidden = !asking;
  $("#best").hidden = !asking || mode !== "vote";
  lead();
}

// What the one button does now.
function lead() {
  const button = $("#go");
  button.disabled = $("#best").disabled = busy > 0;
  if (now.phase === "asking") { button.textContent = "Show the results"; return; }
  if (mode === "vote") { button.textContent = "Ask the class"; button.disabled ||= !position || position.terminal || position.chance; return; }
  const place = stepper?.tick ?? 0, next = stepper ? following(place) : -1;
  button.textContent = stepper && fits(place) ? "Ask the class" : next < 0 ? "The search asks no more" : "On to the next question";
  button.disabled ||= !stepper || (!fits(place) && next < 0);
}

const fits = (place) => place > 0 && ($("#about").value === "cut" ? isQuestion : goesOn)(stepper.frames, place);
function following(place) {
  for (let at = place + 1; at < stepper.frames.length - 1; at += 1) if (fits(at)) return at;
  return -1;
}

async function go() {
  if (now.phase === "asking") return results();
  $("#said").textContent = "";
  if (mode === "vote") return post("/vote", asked(votes, "#vote-position", actions));
  if (!fits(stepper.tick)) {
    stepper.go(following(stepper.tick));
    $("#ask").textContent = "";
    $("#results").replaceChildren();
    if (now.phase === "told") await post("/rest");
    return;
  }
  await post("/predict", { tree: tree.address, tick: stepper.frames[stepper.tick].t, about: $("#about").value });
}

async function results(right = [], said = "") {
  await post("/tell", { right, said });
  if (mode === "predict" && stepper) stepper.go(stepper.tick + 1);
}

// The best move of a vote, as the search that fits the game sees it; with exact values all that are worth the same.
async function best() {
  let found = null;
  thinking = new AbortController();
  $("#said").textContent = "thinking …";
  try {
    await stream("/api/think", { ...asked(votes, "#vote-position", actions), seconds: 2 }, ({ result }) => { found = result ?? found; }, thinking.signal);
  } finally { thinking = null; }
  if (now.phase !== "asking" || !found || found.action === null) return;
  const same = found.exact ? found.candidates.filter(({ action, value }) => value === found.candidates.find((one) => one.action === found.action)?.value && action).map(({ action }) => action) : [];
  await results([...new Set([found.action, ...same])], `${found.exact ? "Searched to the end" : `After ${found.depth} plies`}: ${found.action}${typeof found.value === "number" ? `, value ${worth(found.value)}` : ""}.`);
}

// ------------------------------------------------------------------ what is asked about

const asked = (fields, at, played = []) => ({ game: fields.game().name, parameters: fields.parameters(), ...($(at).value.trim() ? { start: $(at).value.trim() } : {}), ...(played.length ? { actions: played } : {}) });

async function grow() {
  $("#wrong").textContent = $("#ask").textContent = $("#said").textContent = "";
  const body = { ...asked(trees, "#predict-position"), algorithm: $("#algorithm").value, ...($("#depth").value !== "" ? { depth: +$("#depth").value } : {}) };
  let grown = null;
  stepper = tree = null;
  try {
    await stream("/api/trees", body, (message) => { if (message.tree) grown = message.tree; });
    const view = grown && await ask(`/api/trees/${grown.address}/view`, {});
    if (!view?.frames) throw new Error(`a tree of ${grown?.nodes} nodes is too large for a class: give a depth, or another position`);
    const box = $("#stepper");
    box.replaceChildren(make("div", { class: "tree", id: "tree" }));
    $("#tree").innerHTML = view.svg;
    tree = grown;
    stepper = new Stepper(box, view.frames);
    box.addEventListener("step", lead);
  } catch (problem) { $("#stepper").replaceChildren(); $("#wrong").textContent = problem.message; }
}

async function setUp() {
  $("#wrong").textContent = $("#ask").textContent = $("#said").textContent = "";
  $("#results").replaceChildren();
  try { position = await ask("/api/positions", asked(votes, "#vote-position", actions)); } catch (problem) { $("#wrong").textContent = problem.message; actions.pop(); return; }
  board.show(position, true);
  $("#ask").textContent = position.result || (position.chance ? "Chance is to move." : `${position.to_move} to move`);
  if (now.phase === "told") await post("/rest");
}

function choose(name) {
  mode = name;
  for (const each of ["predict", "vote"]) {
    $(`#${each}`).hidden = each !== mode;
    const tab = $(`#tab-${each}`);
    tab.setAttribute("aria-selected", String(each === mode));
    tab.tabIndex = each === mode ? 0 : -1;
  }
  $("#stepper").hidden = mode !== "predict";
  $("#board").hidden = mode !== "vote";
  $("#wrong").textContent = $("#ask").textContent = $("#said").textContent = "";
  $("#results").replaceChildren();
  if (mode === "vote" && !position) work(setUp); else lead();
}

function fill({ game, position: at = "", algorithm, depth = "", about = "cut" }) {
  trees.choose(game);
  $("#predict-position").value = at;
  $("#depth").value = depth;
  $("#about").value = about;
  if ([...$("#algorithm").options].some(({ value }) => value === algorithm)) $("#algorithm").value = algorithm;
}

async function begin() {
  trees = await gameFields($("#predict-game"), $("#predict-parameters"), (game) => {
    $("#algorithm").replaceChildren(...game.algorithms.filter((name) => !name.startsWith("engine")).map((name) => make("option", { value: name }, name)));
    if (game.algorithms.includes("alphabeta")) $("#algorithm").value = "alphabeta";
  });
  votes = await gameFields($("#vote-game"), $("#vote-parameters"), () => { actions = []; position = null; $("#vote-position").value = ""; }, (game) => game.name !== "tree");
  $("#example").replaceChildren(make("option", { value: "" }, "…"), ...Object.keys(EXAMPLES).map((name) => make("option", { value: name }, name)));
  const wanted = new URLSearchParams(location.search), game = wanted.get("game");
  $("#example").value = game ? "" : "the lectures' tree";
  fill(EXAMPLES["the lectures' tree"]);
  votes.choose("connect four");
  if (game && wanted.get("algorithm")) fill({ game, position: wanted.get("position") ?? "", algorithm: wanted.get("algorithm"), depth: wanted.get("depth") ?? "" });
  if (game && !wanted.get("algorithm")) { votes.choose(game); $("#vote-position").value = wanted.get("position") ?? ""; }
  await look();
  await grow();
  if (game && !wanted.get("algorithm")) choose("vote");
}

// Who has answered is looked at again and again, while the page is seen.
async function watch() {
  for (;;) {
    await new Promise((done) => { setTimeout(done, 1000 * SECONDS); });
    if (now.open && !document.hidden) { try { await look(); } catch (problem) { notice(problem.message); } }
  }
}

$("#opening").addEventListener("submit", (event) => { event.preventDefault(); work(() => post("", { network: $("[name=where]:checked").value === "network" })); });
$("#close").addEventListener("click", () => { if (!now.number || confirm("Close the class? Its results are forgotten, unless you have saved them.")) work(() => post("/close")); });
$("#full").addEventListener("click", () => { if (document.fullscreenElement) document.exitFullscreen(); else $("#open").requestFullscreen?.().catch(() => {}); });
$("#go").addEventListener("click", () => work(go));
$("#best").addEventListener("click", () => work(best));
$("#rest").addEventListener("click", () => { thinking?.abort(); work(() => post("/rest")); });
$("#predict").addEventListener("submit", (event) => { event.preventDefault(); work(grow); });
$("#vote").addEventListener("submit", (event) => { event.preventDefault(); actions = []; work(setUp); });
$("#back").addEventListener("click", () => { actions.pop(); work(setUp); });
$("#vote-game").addEventListener("change", () => work(setUp));
$("#about").addEventListener("change", lead);
$("#example").addEventListener("change", () => { if (EXAMPLES[$("#example").value]) { fill(EXAMPLES[$("#example").value]); work(grow); } });
$("#predict-game").addEventListener("change", () => { $("#example").value = ""; });
for (const name of ["predict", "vote"]) {
  $(`#tab-${name}`).addEventListener("click", () => choose(name));
  $(`#tab-${name}`).addEventListener("keydown", (event) => { if (/^Arrow(Left|Right)$/.test(event.key)) { choose(name === "predict" ? "vote" : "predict"); $(`#tab-${mode}`).focus(); } });
}
work(begin);
watch();

// Exercises of a lesson: drawn by the server at each visit, answered here; a wrong answer gets a hint and a second try.
import { $, ask, attempt, make, stream } from "./studio.js";
import { count, worth } from "./words.js";
import { Stepper } from "./tree.js";
import { keep, load, worked } from "./visitor.js";

const KEPT = "outplay.exercises";
const kept = () => load(KEPT, {});

// What was done stays on this machine: by topic and number, how often it was answered, and how often at once.
function remember(topic, number, first) {
  const all = kept(), one = (all[topic] ??= {})[number] ??= { done: 0, first: 0 };
  one.done += 1;
  if (first) one.first += 1;
  keep(KEPT, all);
  worked();
}

const seedOf = () => Math.floor(Math.random() * 2 ** 31);

function rowsOf(table) {
  const [head, ...rows] = table;
  return make("div", { class: "scroll" }, make("table", { class: "plain" }, make("thead", {}, make("tr", {}, ...head.map((text) => make("th", {}, text)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((text) => make("td", {}, text)))))));
}

async function put(box, topic, number, seed) {
  const address = `/api/exercises/${topic}/${number}`, asked = await ask(`${address}?seed=${seed}`);
  const verdict = make("p", { class: "verdict", "aria-live": "polite" }), picture = make("div", { class: "tree", tabindex: "0", role: "group", "aria-label": "the tree of the exercise" });
  const stepper = make("div", {}, picture), chosen = new Set(), done = make("span", { class: "faint" });
  let attempt_ = 0, over = false;
  const state = () => { const one = kept()[topic]?.[number]; done.textContent = one ? `done ${one.done === 1 ? "once" : `${one.done} times`}${one.first ? `, ${one.first} at once` : ""}` : ""; };
  const finish = (told) => {
    over = true;
    for (const field of box.querySelectorAll("button.answer, input")) field.disabled = true;
    if (told.frames) { picture.innerHTML = told.svg; new Stepper(stepper, told.frames); }
  };
  const answer = (given) => attempt(async () => {
    if (over) return;
    const told = await ask(address, { seed, attempt: attempt_ + 1, ...given });
    if (told.hint.startsWith("expected")) { verdict.className = "verdict refusal"; verdict.textContent = told.hint; return; } // no try is lost
    attempt_ += 1;
    verdict.className = told.right ? "verdict good" : "verdict refusal";
    verdict.textContent = told.right ? `Right. ${told.solution}` : told.solution ? `Not quite. It is ${told.answer}: ${told.solution}` : `Not quite. ${told.hint} Try once more.`;
    if (told.right) { remember(topic, number, attempt_ === 1); state(); }
    if (told.right || told.solution) finish(told);
  });
  const parts = [];
  if (asked.table.length) parts.push(rowsOf(asked.table));
  if (asked.svg) { picture.innerHTML = asked.svg; parts.push(stepper); requestAnimationFrame(() => { picture.scrollLeft = (picture.scrollWidth - picture.clientWidth) / 2; }); }
  if (asked.picks) {
    picture.classList.add("picking");
    $("svg", picture).setAttribute("role", "group");
    for (const leaf of picture.querySelectorAll(".leaf")) {
      const node = +leaf.dataset.node;
      for (const [key, value] of [["tabindex", "0"], ["role", "checkbox"], ["aria-checked", "false"], ["aria-label", `leaf ${leaf.dataset.worth}`]]) leaf.setAttribute(key, value);
      const toggle = () => { if (over) return; if (!chosen.delete(node)) chosen.add(node); leaf.classList.toggle("picked-leaf", chosen.has(node)); leaf.setAttribute("aria-checked", String(chosen.has(node))); };
      leaf.addEventListener("click", toggle);
      leaf.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); toggle(); } });
    }
    parts.push(make("p", { class: "row" }, make("button", { type: "button", class: "answer", onclick: () => answer({ nodes: [...chosen] }) }, "These are skipped")));
  } else if (asked.choices.length) {
    parts.push(make("div", { class: "row" }, ...asked.choices.map((text) => make("button", { type: "button", class: "answer", onclick: () => answer({ answer: text }) }, text))));
  } else {
    const field = make("input", { size: 10, "aria-label": "answer", autocomplete: "off" });
    parts.push(make("form", { class: "row", onsubmit: (event) => { event.preventDefault(); answer({ answer: field.value }); } }, make("label", { class: "inline" }, "Answer ", field), make("button", { class: "answer" }, "Check")));
  }
  box.replaceChildren(make("p", { class: "question" }, make("strong", {}, `${number + 1}. `), asked.question), ...parts, verdict,
    make("p", { class: "row" }, make("button", { type: "button", onclick: () => attempt(() => put(box, topic, number, seedOf())) }, "Another one"), done));
  state();
}

// All exercises of a topic, below its lesson.
async function exercisesOf(block, { topic }) {
  const { topics } = await ask("/api/exercises"), boxes = [];
  for (let number = 0; number < topics[topic]; number++) boxes.push(make("div", { class: "exercise" }));
  const seed = seedOf();
  block.replaceChildren(...boxes, make("p", { class: "row faint" }, make("a", { href: `/api/exercises/${topic}?seed=${seed}&each=3` }, "A sheet to print"),
    make("a", { href: `/api/exercises/${topic}?seed=${seed}&each=3&solutions=true` }, "with solutions"), make("a", { href: "/learn/progress" }, "What you have done")));
  await Promise.all(boxes.map((box, number) => put(box, topic, number, seedOf())));
}

// The page of progress.
async function progress(block) {
  const { topics } = await ask("/api/exercises"), all = kept();
  const rows = Object.entries(topics).filter(([topic]) => $(`[data-lesson="${topic}"]`)).map(([topic, many]) => {
    const mine = Object.values(all[topic] ?? {}), link = $(`[data-lesson="${topic}"]`);
    const times = mine.reduce((sum, one) => sum + one.done, 0), first = mine.reduce((sum, one) => sum + one.first, 0);
    return make("tr", {}, make("td", {}, make("a", { href: `/learn/${topic}` }, link.textContent)), make("td", {}, make("progress", { max: many, value: Math.min(many, mine.length), "aria-label": `${mine.length} of ${many} kinds` })),
      ...[`${Math.min(many, mine.length)} of ${many}`, count(times), count(first)].map((text) => make("td", { class: "number" }, text)));
  });
  block.replaceChildren(make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...["lesson", "", "kinds done", "answered", "at once"].map((text, place) => make("th", place > 1 ? { class: "number" } : {}, text)))), make("tbody", {}, ...rows))),
    make("p", {}, make("button", { type: "button", onclick: () => { localStorage.removeItem(KEPT); progress(block); } }, "Forget it all")));
}

// A table made by the server.
async function lectureTable(block, { name }) {
  const made = await ask(`/api/lectures/${name}`);
  block.replaceChildren(make("p", { class: "faint" }, made.title), make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...made.columns.map((text, place) => make("th", place ? { class: "number" } : {}, text)))),
    make("tbody", {}, ...made.rows.map((row) => make("tr", {}, ...row.map((text, place) => make("td", place ? { class: "number" } : {}, text))))))), make("p", { class: "faint" }, made.words));
}

// Sizes of games as bars on a scale of powers of ten, with what the Universe could have computed as a line.
async function sizes(block) {
  const made = await ask("/api/lectures/sizes"), power = (text) => +text.replace("10^", "") || 0;
  const games = made.rows.filter(([, , lines]) => power(lines)).sort((a, b) => power(a[2]) - power(b[2])), universe = 104, most = 400, wide = Math.max(300, Math.min(640, block.clientWidth - 16)), row = 30, left = wide < 500 ? 118 : 170;
  const x = (log) => left + (wide - left - 50) * log / most, tall = games.length * row + 40;
  const bars = games.filter(([name]) => !/Universe/.test(name)).map(([name, states, lines], k) => {
    const y = 12 + k * row, short = name.replace("the lectures' chess, ", "chess, ");
    return `<text x="${left - 8}" y="${y + 14}" text-anchor="end" fill="currentColor" font-size="${wide < 500 ? 11 : 13}">${short}</text><rect x="${left}" y="${y}" width="${x(power(lines)) - left}" height="9" rx="2" fill="#c46a1b"/>`
      + (states ? `<rect x="${left}" y="${y + 10}" width="${x(power(states)) - left}" height="9" rx="2" fill="#2f6fb0"/>` : "") + `<text x="${x(power(lines)) + 5}" y="${y + 9}" fill="currentColor" font-size="11">10<tspan dy="-4" font-size="11">${power(lines)}</tspan></text>`;
  }).join("");
  block.innerHTML = `<svg viewBox="0 0 ${wide} ${tall}" width="100%" style="max-width:${wide}px" role="img" aria-label="sizes of games as powers of ten">${bars}<path d="M${x(universe)} 4V${tall - 26}" stroke="#3a8a4d" stroke-width="2" stroke-dasharray="5 4"/>`
    + `<text x="${x(universe) + 6}" y="${tall - 22}" fill="currentColor" font-size="12">10¹⁰⁴: what the Universe could have computed</text></svg>`;
  block.append(make("p", { class: "faint" }, `Orange: lines of play; blue: positions. ${made.words} `, make("code", {}, "outplay lectures sizes"), " has the numbers."));
}

// Leaves of alpha-beta by the order of the actions.
async function orders(block, { branching, plies }) {
  const found = await ask(`/api/lectures/orders/${branching}/${plies}`);
  const rows = [["the best action first", found.best, `b^⌈m/2⌉ + b^⌊m/2⌋ − 1 = ${count(found.best)}`], ["random order, graded leaves: a good action is good whatever follows", found.graded, "–"],
    ["random order, independent leaves: the formula's model", found.independent, `b^(3m/4) = ${count(found.formula)}`], ["the worst order", found.worst, `b^m = ${count(found.worst)}`]];
  block.replaceChildren(make("p", { class: "faint" }, `uniform trees, b = ${branching}, m = ${plies}; random ones: means over eight trees`),
    make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, "order"), make("th", { class: "number" }, "leaves of alpha-beta"), make("th", { class: "number" }, "the formula"))),
      make("tbody", {}, ...rows.map(([name, leaves, formula]) => make("tr", {}, make("td", {}, name), make("td", { class: "number" }, count(leaves)), make("td", { class: "number" }, formula)))))));
}

// Pearl's exact growth against the two rules of thumb, as curves.
function pearl(block) {
  const wide = Math.max(300, Math.min(460, block.clientWidth - 16)), tall = 240, most = 64, x = (b) => 40 + (wide - 60) * (b - 2) / (most - 2), y = (e) => tall - 30 - (tall - 50) * (e - 0.4) / 0.45;
  const growth = (b) => { let low = 0, high = 1; for (let k = 0; k < 60; k++) { const middle = (low + high) / 2; if (middle ** b + middle < 1) low = middle; else high = middle; } return low / (1 - low); };
  const curve = (exponent) => Array.from({ length: most - 1 }, (_, k) => `${x(k + 2).toFixed(1)} ${y(exponent(k + 2)).toFixed(1)}`).join("L");
  const line = (exponent, colour, name, lift) => `<path d="M${curve(exponent)}" fill="none" stroke="${colour}" stroke-width="2.5"/><text x="${wide - 22}" y="${y(exponent(most)) + lift}" text-anchor="end" fill="currentColor" font-size="12">${name}</text>`;
  const ticks = [0.5, 0.6, 0.7, 0.8].map((e) => `<text x="34" y="${y(e) + 4}" text-anchor="end" fill="currentColor" font-size="11">${e}</text><path d="M40 ${y(e)}H${wide - 20}" stroke="currentColor" opacity=".15"/>`).join("")
    + [2, 16, 32, 48, 64].map((b) => `<text x="${x(b)}" y="${tall - 12}" text-anchor="middle" fill="currentColor" font-size="11">${b}</text>`).join("");
  block.innerHTML = `<svg viewBox="0 0 ${wide} ${tall}" width="100%" style="max-width:${wide}px" role="img" aria-label="exponent of alpha-beta by the branching factor">${ticks}`
    + line(() => 0.75, "#c46a1b", "random order, rule of thumb: 3/4", -6) + line((b) => Math.log(growth(b)) / Math.log(b), "#2f6fb0", "independent leaves, Pearl's exact limit", 28) + line(() => 0.5, "#3a8a4d", "best order: 1/2", -6) + "</svg>"
    + '<p class="faint">How the leaves grow with the depth m: b<sup>e·m</sup>. Across: b. Up: the exponent e.</p>';
}

// Depth and strength as one curve: Elo above depth 1, with 95 % intervals, and what a million nodes buy by the way of searching.
async function depths(block) {
  const [chess, four, million] = [await ask("/api/lectures/chess"), await ask("/api/lectures/strength"), await ask("/api/lectures/million")];
  const points = ({ rows }) => [[1, 0, 0], ...rows.map(([depth, , , , sum]) => [+depth, ...sum.match(/-?\d+/g).map(Number)])];
  const wide = Math.max(300, Math.min(620, block.clientWidth - 16)), tall = 330, most = Math.max(...points(chess).map(([, elo, error]) => elo + error));
  const x = (depth) => 48 + (wide - 70) * (depth - 1) / 11, y = (elo) => tall - 34 - (tall - 70) * elo / most;
  const axis = [0, 500, 1000, 1500, 2000].filter((elo) => elo <= most).map((elo) => `<text x="42" y="${y(elo) + 4}" text-anchor="end">${elo}</text><path d="M48 ${y(elo)}H${wide - 22}" stroke="currentColor" opacity=".15"/>`).join("")
    + Array.from({ length: 12 }, (_, k) => `<text x="${x(k + 1)}" y="${tall - 16}" text-anchor="middle">${k + 1}</text>`).join("")
    + [[4, "novice"], [8, "master"], [12, "grandmaster"]].map(([depth, name]) => `<text x="${Math.min(wide - 2, x(depth) + (depth === 12 ? 20 : 0))}" y="${tall - 2}" text-anchor="${depth === 12 ? "end" : "middle"}" opacity=".75">${name}</text>`).join("");
  const curve = (table, colour, name, lift) => { const all = points(table), [depth, elo] = all.at(-1); return `<path d="M${all.map(([d, e]) => `${x(d)} ${y(e)}`).join("L")}" fill="none" stroke="${colour}" stroke-width="2.5"/>`
    + all.slice(1).map(([d, e, error]) => `<path d="M${x(d)} ${y(e - error)}V${y(e + error)}" stroke="${colour}" opacity=".5"/><circle cx="${x(d)}" cy="${y(e)}" r="3.5" fill="${colour}"/>`).join("")
    + `<text x="${x(depth) - (depth > 10 ? 14 : -12)}" y="${y(elo) + lift}" text-anchor="${depth > 10 ? "end" : "start"}" fill="${colour}" font-weight="600">${name}</text>`; };
  const marks = million.rows.slice(0, 2).map(([name, mean], k) => `<path d="M${x(+mean)} ${28 + 20 * k}V${tall - 34}" stroke="#c46a1b" stroke-dasharray="4 4"/><text x="${x(+mean) + 5}" y="${24 + 20 * k}">${name.split(",")[0]}: depth ${mean}</text>`).join("");
  block.innerHTML = `<svg viewBox="0 0 ${wide} ${tall}" width="100%" style="max-width:${wide}px" font-size="12" role="img" aria-label="Elo by the depth of the search"><g fill="currentColor">${axis}${marks}</g>${curve(chess, "#2f6fb0", "chess", -14)}${curve(four, "#3a8a4d", "connect four", 4)}</svg>`
    + '<p class="faint">Across: plies. Up: Elo above a search of one ply; the intervals (95 %) are those of the sums. Dashed: how deep a million nodes go in chess.</p>';
}

// Regret minimization as what it is: information sets with regrets, what is played next and the average, iteration by iteration.
async function regrets(block, { game = "kuhn poker", iterations = 200, sampled = false }) {
  block.textContent = "playing against itself …";
  const film = await ask("/api/regrets", { game, iterations: +iterations, sampled: !!sampled });
  const slider = make("input", { type: "range", min: "0", max: String(film.iterations.length - 1), value: "0", "aria-label": "iteration" }), said = make("p", { class: "status", "aria-live": "polite" }), body = make("tbody");
  const bar = (shares, actions) => make("div", { class: "shares" }, ...shares.map((share, k) => { const part = make("span", { title: `${actions[k]} ${(share * 100).toFixed(0)} %` }, share > 0.16 ? `${actions[k]} ${(share * 100).toFixed(0)} %` : ""); part.style.flexGrow = Math.max(share, 0.004); part.dataset.k = k % 5; return part; }));
  const most = Math.max(...film.exploitability, 1e-9), wide = 420, tall = 90;
  const x = (k) => 8 + (wide - 16) * Math.log(film.iterations[k]) / Math.log(film.iterations.at(-1) || 2), y = (e) => tall - 8 - (tall - 16) * e / most;
  const curve = make("div");
  const go = (k) => {
    slider.value = k;
    said.textContent = `after ${film.iterations[k]} iteration${film.iterations[k] === 1 ? "" : "s"}: the averages can be exploited for ${film.exploitability[k].toFixed(4)}, and are worth ${film.values[k].toFixed(4)} to the first player`;
    body.replaceChildren(...film.sets.map((set) => make("tr", {}, make("td", {}, `player ${set.player + 1}`), make("td", { class: "mono" }, set.sees), make("td", { class: "mono" }, set.actions.map((action, a) => `${action} ${set.regrets[k][a] >= 0 ? "+" : ""}${set.regrets[k][a].toFixed(2)}`).join("  ")),
      make("td", {}, bar(set.plays[k], set.actions)), make("td", {}, bar(set.average[k], set.actions)))));
    curve.innerHTML = `<svg viewBox="0 0 ${wide} ${tall}" width="100%" style="max-width:${wide}px" role="img" aria-label="exploitability by iteration"><path fill="none" stroke="currentColor" stroke-width="2" d="M${film.exploitability.map((e, n) => `${x(n).toFixed(1)} ${y(e).toFixed(1)}`).join("L")}"/><circle r="5" fill="#c46a1b" cx="${x(k)}" cy="${y(film.exploitability[k])}"/></svg>`;
  };
  slider.addEventListener("input", () => go(+slider.value));
  const button = (text, label, step) => make("button", { type: "button", "aria-label": label, onclick: () => go(Math.max(0, Math.min(film.iterations.length - 1, +slider.value + step))) }, text);
  block.replaceChildren(make("p", { class: "faint" }, `${film.game}: ${film.sets.length} information sets. A regret is how much more an action would have brought, had one always come here and taken it; next each action is played in proportion to its positive regret.`),
    make("div", { class: "steps row" }, button("◀", "one step back", -1), button("▶", "one step on", 1), slider), said, curve,
    make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...["", "sees", "regrets", "plays next", "average"].map((text) => make("th", {}, text)))), body)));
  go(0);
}

// The bound that slides: the same tree by Star1, told how large a utility may be; cuts appear and vanish.
async function bounds(block, { tree, least = 10, most = 60 }) {
  const slider = make("input", { type: "range", min: String(least), max: String(most), value: String(least), "aria-label": "the greatest utility there may be" });
  const said = make("p", { class: "status", "aria-live": "polite" }), box = make("div", { class: "tree", tabindex: "0", role: "group", "aria-label": "search tree" }), stepper = make("div", {}, box);
  let wanted = null, busy = false;
  const draw = async () => {
    wanted = slider.value;
    if (busy) return; // the newest wish wins
    busy = true;
    while (wanted !== null) {
      const now = wanted;
      let grown = null;
      wanted = null;
      await stream("/api/trees", { game: "tree", parameters: { tree }, algorithm: `star1:bounds=0..${now}` }, (message) => { if (message.tree) grown = message.tree; });
      const seen = await ask(`/api/trees/${grown.address}/view`, {});
      said.textContent = `utilities from 0 to ${now}: ${count(grown.leaves)} leaves read, ${count(grown.pruned)} actions and outcomes skipped, the root is worth ${worth(grown.value)}`;
      box.innerHTML = seen.svg;
      stepper.replaceChildren(box);
      new Stepper(stepper, seen.frames, true);
    }
    busy = false;
  };
  slider.addEventListener("input", () => attempt(draw));
  block.replaceChildren(make("label", {}, "No utility is greater than", slider), said, stepper);
  await draw();
}

// What each action is worth by a search that looks at many deals, while it looks.
function cards(block, { game, position, actions, algorithm = "auto", seconds = 3, thing = "card", asks = "Deal the hidden hands", decimals = 0 }) {
  const body = make("tbody"), said = make("span", { class: "faint", "aria-live": "polite" }), table = make("table", { hidden: true }, make("thead", {}, make("tr", {}, ...[thing, "mean", "deals"].map((text, k) => make("th", k ? { class: "number" } : {}, text)))), body);
  const button = make("button", { type: "button", class: "main", onclick: () => attempt(async () => {
    button.disabled = true;
    said.textContent = "dealing and solving; the first time the solver is prepared, which takes a while …";
    try {
      await stream("/api/think", { game, start: position, ...(actions ? { actions: actions.split(" ") } : {}), algorithm, seconds: +seconds }, ({ result }) => {
        if (!result) return;
        table.hidden = false;
        said.textContent = `${count(result.nodes)} deals in ${result.seconds.toFixed(1)} s; plays ${result.action}`;
        body.replaceChildren(...result.candidates.map((one) => make("tr", {}, make("td", {}, one.action), make("td", { class: "number" }, worth(+one.value.toFixed(+decimals))), make("td", { class: "number" }, count(one.visits)))));
      });
    } finally { button.disabled = false; }
  }) }, asks);
  block.replaceChildren(make("p", { class: "row" }, button, said), make("div", { class: "scroll" }, table));
}

export const MORE = { exercises: exercisesOf, progress, table: lectureTable, orders, pearl, regrets, cards, bounds, sizes, depths };

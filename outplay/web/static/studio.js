// What all pages share: talking to the server, streams, notices, the board.
"use strict";

const $ = (selector, root = document) => root.querySelector(selector);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

// On a narrow screen the pages stand in a row that scrolls: the present one is brought into it.
const pages = $("nav"), current = $("nav [aria-current]");
if (pages && current) pages.scrollLeft = current.offsetLeft - pages.offsetLeft - (pages.clientWidth - current.offsetWidth) / 2;

function notice(text) {
  const box = $("#notice");
  box.textContent = text;
  box.hidden = !text;
  clearTimeout(notice.timer);
  if (text) notice.timer = setTimeout(() => { box.hidden = true; }, 9000);
  box.onclick = () => { box.hidden = true; };
}

async function failure(response) {
  try { return (await response.json()).error || response.statusText; } catch { return response.statusText || "no answer"; }
}

// One question, one answer; errors are thrown with the server's own line.
async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try { response = await fetch(path, options); } catch { throw new Error("the studio does not answer: is it still running?"); }
  if (!response.ok) throw Object.assign(new Error(await failure(response)), { status: response.status });
  return response.json();
}

// One question, a line of JSON for each step of the answer; aborting the signal stops the search on the server.
async function stream(path, body, each, signal) {
  let response;
  try {
    response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });
  } catch (problem) {
    if (signal && signal.aborted) return false;
    throw new Error("the studio does not answer: is it still running?");
  }
  if (!response.ok) throw new Error(await failure(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.error) throw new Error(message.error);
        each(message);
      }
    }
  } catch (problem) {
    if (signal && signal.aborted) return false;
    throw problem;
  }
}

const count = (number) => number === null || number === undefined ? "–" : Math.round(number).toLocaleString("en");
const brief = (number) => number >= 1e9 ? (number / 1e9).toFixed(1) + " G" : number >= 1e6 ? (number / 1e6).toFixed(1) + " M"
  : number >= 1e4 ? (number / 1e3).toFixed(0) + " k" : count(number);
function worth(value) {
  if (Array.isArray(value)) return "(" + value.map((part) => +part.toFixed(2)).join(", ") + ")";
  return value === null || value === undefined ? "–" : (value > 0 ? "+" : "") + +value.toFixed(3);
}

// A game and its parameters, as form fields.
let known = null;
async function games() { known ??= (await ask("/api/games")).games; return known; }

async function gameFields(select, fields, onChange = () => {}, fits = () => true) {
  const all = (await games()).filter(fits);
  select.replaceChildren(...all.map((game) => make("option", { value: game.name }, game.name)));
  const draw = () => {
    const game = all.find(({ name }) => name === select.value);
    fields.replaceChildren(...game.parameters.map((parameter) => {
      const text = (value) => typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
      const field = parameter.choices.length
        ? make("select", { name: parameter.name }, ...parameter.choices.map((choice) => make("option", { value: text(choice) }, text(choice))))
        : make(parameter.name === "tree" ? "textarea" : "input", { name: parameter.name, title: parameter.range, spellcheck: false });
      field.value = text(parameter.default);
      return make("label", { title: parameter.range }, parameter.name, field);
    }));
    onChange(game);
  };
  select.addEventListener("change", draw);
  draw();
  return { game: () => all.find(({ name }) => name === select.value), parameters: () => Object.fromEntries(
    [...fields.querySelectorAll("[name]")].map((field) => [field.name, field.value])), draw,
  // Choose a game by its full name, such as connect four:width=5.
  choose: (full) => {
    const [, base, written = ""] = full.match(/^([^:]*):?([^]*)$/);
    if (!all.some(({ name }) => name === base)) return false;
    select.value = base;
    draw();
    for (const [, key, value] of written.matchAll(/(\w+)=([^]*?)(?=,\s*\w+=|$)/g)) {
      const field = fields.querySelector(`[name="${key}"]`);
      if (field) field.value = { true: "yes", false: "no" }[value.toLowerCase()] ?? value;
    }
    return true;
  } };
}

// Show an error in the one place for it, and go on.
async function attempt(work) {
  try { return await work(); } catch (problem) { notice(problem.message); return null; }
}

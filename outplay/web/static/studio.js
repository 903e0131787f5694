// What all pages share: talking to the server, streams, notices, the board.
// @ts-check

/** @type {(selector: string, root?: ParentNode) => any} */
export const $ = (selector, root = document) => root.querySelector(selector);

/** An element with attributes, listeners (`onclick`) and children.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...(Node | string)} children @returns {any} */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

// On a narrow screen four pages stand beside the present one; the others come by a button.
const others = $("#all-pages");
others?.addEventListener("click", () => others.setAttribute("aria-expanded", String($("header").classList.toggle("open"))));

let closing = 0; // the clock of the notice

/** Say something in the one place for notices, for nine seconds. @param {string} text */
export function notice(text) {
  const box = $("#notice");
  box.textContent = text;
  box.hidden = !text;
  clearTimeout(closing);
  if (text) closing = window.setTimeout(() => { box.hidden = true; }, 9000);
  box.onclick = () => { box.hidden = true; };
}

async function failure(response) {
  try { return (await response.json()).error || response.statusText; } catch { return response.statusText || "no answer"; }
}

// One question, one answer; errors are thrown with the server's own line.
export async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try { response = await fetch(path, options); } catch { throw new Error("the studio does not answer: is it still running?"); }
  if (!response.ok) throw Object.assign(new Error(await failure(response)), { status: response.status });
  return response.json();
}

// One question, a line of JSON for each step of the answer; aborting the signal stops the search on the server.
export async function stream(path, body, each, signal) {
  let response;
  try {
    response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });
  } catch {
    if (signal && signal.aborted) return false;
    throw new Error("the studio does not answer: is it still running?");
  }
  if (!response.ok) throw Object.assign(new Error(await failure(response)), { status: response.status });
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

// A game and its parameters, as form fields.
let known = null;
async function games() { known ??= (await ask("/api/games")).games; return known; }

/** @param {any} select @param {any} fields @param {(game: any) => void} [onChange] @param {(game: any) => boolean} [fits] */
export async function gameFields(select, fields, onChange = () => {}, fits = () => true) {
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
      const named = make("label", { title: parameter.range }, parameter.name, ...(parameter.choices.length || !/\d/.test(parameter.range ?? "") || parameter.range.length > 28 ? [] : [make("small", {}, ` (${parameter.range})`)]), field);
      if (!parameter.help) return named;
      const id = `help-${select.id}-${parameter.name}`;
      field.setAttribute("aria-describedby", id);
      return make("div", { class: "parameter" }, named, make("small", { class: "help", id }, parameter.help));
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
export async function attempt(work) {
  try { return await work(); } catch (problem) { notice(problem.message); return null; }
}

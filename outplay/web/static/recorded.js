// In a lesson without a server: what the studio's pages ask is answered from what it said when the site was made (web/recording.py).
import * as studio from "./studio.js";

export const { $ } = studio;

const sorted = (value) => Array.isArray(value) ? value.map(sorted) : value && typeof value === "object" ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])])) : value;
const { answers, exercises, check } = window.recorded;

// Links of the studio lead nowhere here.
export function make(tag, attributes = {}, ...children) {
  return tag === "a" && `${attributes.href}`.startsWith("/") ? studio.make("span", { hidden: true }) : studio.make(tag, attributes, ...children);
}

function found(path, body) {
  const key = body === undefined ? path : `${path} ${JSON.stringify(sorted(body))}`;
  if (!(key in answers)) throw new Error("This was not made beforehand: outplay serve works it out.");
  return answers[key];
}

// An exercise has been drawn some times; which of them a seed shows, and whether an answer is right, is said by the course's own rule.
function exercised(path, body) {
  const [, number, seed] = path.match(/\/(\d+)(?:\?seed=(\d+))?$/), drawn = exercises[+number], one = drawn[(body ? body.seed : +seed) % drawn.length];
  if (!body) return one.asked;
  const said = one.asked.picks ? body.nodes.filter((node) => one.names[node]).map((node) => one.names[node]).join(", ") : body.answer, told = check(one.known, said);
  return { ...told, ...(told.right || body.attempt >= one.tries ? one.solution : {}) };
}

export async function ask(path, body) {
  return /^\/api\/exercises\/[\w-]+\/\d/.test(path) ? exercised(path, body) : found(path, body);
}

export async function stream(path, body, each) {
  for (const message of found(path, body)) {
    if (message.error) throw new Error(message.error);
    each(message);
  }
  return true;
}

export async function attempt(work) {
  try { return await work(); } catch (problem) { notice(problem.message); return null; }
}

export function notice(text) {
  const box = $("#notice");
  box.textContent = text;
  box.hidden = !text;
}

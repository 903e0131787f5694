// Texts of the studio in another language, by a file that holds them under their English. Nothing here touches the page.
// @ts-check

const NUMBER = /^[+−±-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?: ?(?:%|s|ms|KB|[kMG]))?$/;
const PART = /\{(#?)(\d)\}/g; // {1} stands for anything, {#1} for a number
const JOINTS = ["\n", " · ", /(?<=[.!?…]) (?=\S)/, "; ", ": ", ", "]; // where a text that nobody knows comes apart
const FIRM = 3; // at these joints every part is a text of its own; at the others the parts must not be half a sentence
const PROSE = /(?:^|[\s("“])\p{Ll}{3,}(?!\p{L}|\d|[:=.]\S)/u;

const plain = (text) => text.replace(/\s+/g, " ").trim();
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const upper = (text) => text.replace(/^\p{L}/u, (letter) => letter.toUpperCase());

/** What turns a text into another language, or gives null where the file does not know it.
 * @param {{ texts: Record<string, string>, decimal?: string, thousands?: string }} file @returns {(text: string) => string | null} */
export function phrases(file) {
  /** @type {Map<string, string>} */
  const exact = new Map(), known = new Map();
  /** @type {{ made: RegExp, rare: string, slots: string[], text: string, weight: number }[]} */
  const patterns = [];
  for (const [key, text] of Object.entries(file.texts)) {
    const slots = [...key.matchAll(PART)].map(([, , number]) => number);
    if (!slots.length) { exact.set(key, text); continue; }
    const pieces = key.split(/\{#?\d\}/), kinds = [...key.matchAll(PART)].map(([, kind]) => (kind ? "([+−±-]?[\\d.,]+(?: ?[kMG])?|–)" : "(.+?)"));
    patterns.push({ made: new RegExp(`^${pieces.map((piece, k) => escaped(piece) + (kinds[k] ?? "")).join("")}$`), slots, text,
      rare: pieces.reduce((one, two) => (two.length > one.length ? two : one)), weight: pieces.join("").length - slots.length });
  }
  patterns.sort((one, two) => two.weight - one.weight);

  const number = (text) => NUMBER.test(text) ? text.replace(/[.,]/g, (sign) => (sign === "," ? file.thousands ?? sign : file.decimal ?? sign)) : null;
  const filled = (text) => translate(text) ?? text;

  function matched(text) {
    const found = exact.get(text);
    if (found !== undefined) return found;
    for (const { made, rare, slots, text: to } of patterns) {
      const match = text.includes(rare) && made.exec(text);
      if (match) return to.replace(PART, (_, kind, slot) => { const part = match[slots.indexOf(slot) + 1]; return part === undefined ? "" : filled(part); });
    }
    return null;
  }

  // As it stands, or as it would begin in the middle of a sentence.
  function either(text) {
    const small = text.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase()), whole = matched(text);
    if (whole !== null || small === text) return whole;
    const below = matched(small);
    return below === null ? null : upper(below);
  }

  function apart(text) {
    for (const [k, joint] of JOINTS.entries()) {
      const parts = text.split(joint);
      if (parts.length === 1) continue;
      const told = parts.map((part) => (part ? translate(part) : ""));
      if (told.every((one, at) => one === null || !parts[at])) continue;
      if (k >= FIRM && told.some((one, at) => one === null && PROSE.test(parts[at]))) continue;
      return told.map((one, at) => one ?? parts[at]).join(typeof joint === "string" ? joint : " ");
    }
    return null;
  }

  function found(text) {
    if (NUMBER.test(text)) return number(text);
    if (!/\p{L}{2}/u.test(text)) return null;
    const sentences = exact.has(text) ? [] : text.split(JOINTS[2]).map((one) => (text.length > one.length ? translate(one) : null)); // each for itself, before anything is put in across them
    if (sentences.length > 1 && sentences.every((one) => one !== null)) return sentences.join(" ");
    const whole = either(text);
    if (whole !== null) return whole;
    const end = /^(.+?)([.:!?…,])$/.exec(text), stem = end && either(end[1]);
    return end && stem !== null ? stem + end[2] : apart(text);
  }

  function translate(text) {
    const bare = plain(text);
    if (!known.has(bare)) {
      if (known.size > 20000) known.clear();
      known.set(bare, bare && bare.length < 2000 ? found(bare) : null);
    }
    const to = known.get(bare);
    return to === null ? null : /^\s*/.exec(text)[0].slice(0, 1) + to + (/\S(\s+)$/.exec(text)?.[1].slice(0, 1) ?? "");
  }
  return translate;
}

/** Whether a text says something in words, so that a file of another language would have to know it. @param {string} text */
export const isProse = (text) => PROSE.test(text);

// How answers are spread, as bars: on the teacher's screen and on the students'.
// @ts-check
import { make } from "./studio.js";

/** Bars, one an answer: of many answers those that were given most, and the right ones.
 * @param {any} box @param {{options: any[], counts: Record<string, number>, right: string[]}} told @param {string | null} [mine] @param {number} [most] */
export function bars(box, { options, counts, right }, mine = null, most = 8) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0), top = Math.max(1, ...Object.values(counts));
  const wanted = options.length <= most ? options : [...options].sort((one, other) => counts[other.key] - counts[one.key])
    .filter(({ key }, place) => right.includes(key) || key === mine || (place < most && counts[key] > 0));
  box.replaceChildren(...wanted.map(({ key, words }) => {
    const share = all ? Math.round(100 * counts[key] / all) : 0, isRight = right.includes(key);
    const bar = make("i");
    bar.style.width = `${100 * counts[key] / top}%`;
    return make("li", { class: isRight ? "is-right" : "" }, make("span", { class: "answer" }, `${isRight ? "✓ " : ""}${words}`, ...(key === mine ? [make("em", {}, "yours")] : [])),
      make("span", { class: "track" }, bar), make("span", { class: "number" }, `${counts[key]} · ${share} %`));
  }));
  box.classList.add("results");
  box.classList.toggle("with-right", right.length > 0);
}

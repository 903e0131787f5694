// The language of a page: the browser's, or the one chosen here. The page is made in English, and what appears in it is put into the other language on the way.
// @ts-check

/** @type {Record<string, string>} */
const OFFERED = { en: "English", de: "Deutsch" };
const KEPT = "language";
const NAMES = ["title", "aria-label", "placeholder", "alt", "label"];

function chosen() {
  let kept = null;
  try { kept = localStorage.getItem(KEPT); } catch { /* it keeps nothing */ }
  return [kept, ...navigator.languages.map((one) => one.slice(0, 2))].find((one) => one !== null && one in OFFERED) ?? "en";
}

// A list of the languages at the end of the pages; the page is loaded again in the one that is chosen.
function offer(now) {
  const list = document.querySelector("#language");
  if (!list) return;
  list.replaceChildren(...Object.entries(OFFERED).map(([code, name]) => Object.assign(document.createElement("option"), { value: code, textContent: name, lang: code, selected: code === now })));
  list.addEventListener("change", () => {
    try { localStorage.setItem(KEPT, /** @type {HTMLSelectElement} */ (list).value); } catch { /* it keeps nothing */ }
    location.reload();
  });
}

async function speak(language) {
  const root = document.documentElement;
  root.lang = language;
  root.style.visibility = "hidden"; // until the words are there
  try {
    const [{ phrases, isProse }, file] = await Promise.all([import("./phrases.js"), fetch(new URL(`${language}.json`, import.meta.url)).then((answer) => answer.json())]);
    const translate = phrases(file);
    const missing = new Set(); // for who translates: what was shown, and the file does not know
    const told = new WeakMap(); // what was written here last, so that it is not read again
    const turn = (text) => {
      const to = translate(text);
      if (to === null && isProse(text)) missing.add(text.replace(/\s+/g, " ").trim());
      return to;
    };
    const mute = (element) => element.closest("script, style, code, pre, textarea, .live, [translate]")?.matches(".live, [translate=yes]") === false; // prose stays as it is written

    const text = (node) => {
      if (told.get(node) === node.data || !node.parentElement || mute(node.parentElement)) return;
      if (node.parentElement.localName === "option" && !node.parentElement.hasAttribute("value")) node.parentElement.value = node.parentElement.value;
      const to = turn(node.data);
      if (to !== null && to !== node.data) node.data = to;
      told.set(node, node.data);
    };
    const attribute = (element, name) => {
      const now = element.getAttribute(name), before = told.get(element) ?? {};
      if (!now || before[name] === now || mute(element)) return;
      const to = turn(now);
      if (to !== null && to !== now) element.setAttribute(name, to);
      told.set(element, { ...before, [name]: to ?? now });
    };
    const walk = (root) => {
      if (root.nodeType === Node.TEXT_NODE) return text(root);
      if (root.nodeType !== Node.ELEMENT_NODE) return;
      const steps = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      for (let node = steps.currentNode; node; node = steps.nextNode()) {
        if (node.nodeType === Node.TEXT_NODE) text(node);
        else for (const name of NAMES) attribute(node, name);
      }
    };
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes, attributeName } of changes) {
        if (type === "childList") addedNodes.forEach(walk);
        else if (type === "attributes") attribute(target, attributeName);
        else text(target);
      }
    }).observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: NAMES });
    walk(root);
    for (const name of ["confirm", "prompt", "alert"]) { const ask = window[name].bind(window); window[name] = (words, ...rest) => ask(translate(words) ?? words, ...rest); }
    Object.assign(window, { untranslated: missing });
  } catch { root.lang = "en"; } finally { root.style.visibility = ""; }
}

const language = chosen();
if (language !== "en") speak(language);
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => offer(language)); else offer(language);

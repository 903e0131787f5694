// A study: several games that belong together, as chapters; they come from a file of several games, or one after the other.
// @ts-check
import { open } from "./moves.js";
import { page, query, watching } from "./state.js";
import { $, ask, attempt, make, notice } from "../studio.js";

const known = () => { try { return JSON.parse(localStorage.getItem("studies") ?? "[]"); } catch { return []; } };
const keep = (studies) => { try { localStorage.setItem("studies", JSON.stringify(studies.slice(0, 50))); } catch { notice("this browser keeps nothing: the chapters are lost when the page is left"); } };
const study = () => known().find(({ chapters }) => chapters.some(({ address }) => address === page.record?.address));

// The title of a chapter: who played, or what the file calls it.
function titled(state, number) {
  const { tags = {}, names = [] } = state, event = tags.Event ?? tags.EV ?? tags.GN ?? "";
  const who = names.filter((name) => name && name !== "?").join(" – ");
  return [who, /^[?]*$/.test(event) ? "" : event].filter(Boolean).join(", ") || `Chapter ${number}`;
}

const MOST_BYTES = 96 * 1024; // of a file that is no text: more games than are taken up

// Take up a file: its only game, or all of them as a study.
export async function take(bytes) {
  const text = bytes.includes(0) ? null : new TextDecoder().decode(bytes);
  const { parts } = await ask("/api/files/parts", text === null ? { data: btoa(String.fromCharCode(...bytes.subarray(0, MOST_BYTES))) } : { text });
  if (parts.length < 2) return open(() => ask(`/api/files${query()}`, { text: parts[0] ?? text }));
  const chapters = [];
  let failed = 0;
  for (const part of parts) try {
    const state = await ask(`/api/files${query()}`, { text: part });
    chapters.push({ address: state.address, title: titled(state, chapters.length + 1) });
  } catch { failed += 1; }
  if (!chapters.length) throw new Error("none of the games of this file can be read");
  keep([{ chapters }, ...known()]);
  if (failed) notice(`${failed} of ${parts.length} games of this file cannot be read`);
  return open(() => ask(`/api/records/${chapters[0].address}${query()}`));
}

export function chapters(state) {
  const here = study(), box = $("#study");
  box.hidden = Boolean(watching || state.hidden) || (!here && !state.plies);
  $("#chapters").replaceChildren(...(here?.chapters ?? []).map(({ address, title }) => make("li", address === state.address ? { "aria-current": "true" } : {},
    make("button", { type: "button", class: "line", onclick: () => attempt(() => open(() => ask(`/api/records/${address}${query()}`))) }, title))));
  $("#all").hidden = !here || here.chapters.length < 2;
  box.open = Boolean(here);
}

$("#chapter").addEventListener("click", () => attempt(async () => {
  const { game, address, players, start } = page.record;
  const title = prompt("The new chapter's title", `Chapter ${(study()?.chapters.length ?? 1) + 1}`);
  if (!title) return;
  const state = await ask(`/api/records${query()}`, { game, players: players.map(() => "human"), start });
  const studies = known(), here = studies.find((one) => one.chapters.some((chapter) => chapter.address === address)) ?? { chapters: [{ address, title: titled(page.record, 1) }] };
  here.chapters.push({ address: state.address, title: title.slice(0, 80) });
  keep([here, ...studies.filter((one) => one !== here)]);
  await open(() => Promise.resolve(state));
}));
$("#all").addEventListener("click", () => attempt(async () => {
  const texts = [];
  for (const { address } of study()?.chapters ?? []) {
    const answer = await fetch(`/api/records/${address}/file`);
    if (!answer.ok) throw new Error((await answer.json()).error);
    texts.push(await answer.text());
  }
  const link = make("a", { href: URL.createObjectURL(new Blob([texts.join("\n")], { type: "text/plain" })), download: `study.${page.record.file ?? "txt"}` });
  link.click();
  URL.revokeObjectURL(link.href);
}));

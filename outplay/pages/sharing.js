// One memory for several threads, where the page comes from a server that lets it: the same code, told to take its memory from outside.
"use strict";

// A module's bytes with a memory that is imported, and shared, instead of its own; what reads and writes it stays as it is.
function overShared(code) {
  const number = (at) => { let value = 0, shift = 0; do { value += (code[at] & 127) * 2 ** shift; shift += 7; } while (code[at++] > 127); return [value, at]; };
  const spelt = (value) => value < 128 ? [value] : [value % 128 + 128, ...spelt(Math.floor(value / 128))];
  const word = (text) => [text.length, ...new TextEncoder().encode(text)], sections = [], parts = [code.subarray(0, 8)];
  const section = (kind, ...content) => parts.push([kind, ...spelt(content.reduce((sum, { length }) => sum + length, 0))], ...content);
  for (let at = 8; at < code.length;) { const kind = code[at], [size, begin] = number(at + 1); sections.push([kind, begin, at = begin + size]); }
  const begins = (wanted) => sections.find(([kind]) => kind === wanted)?.[1], [least] = number(begins(5) + 2);
  const memory = [...word("env"), ...word("memory"), 2, 3, ...spelt(least), ...spelt(65536)];  // 2: a memory; 3: shared, and bounded
  for (const [kind, begin, end] of sections) {
    const [count, rest] = number(begin);
    if (kind === 2) section(2, spelt(count + 1), code.subarray(rest, end), memory);
    else if (kind !== 5) section(kind, code.subarray(begin, end));
    if (kind === 1 && begins(2) === undefined) section(2, [1], memory);
  }
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => { whole.set(part, at); return at + part.length; }, 0);
  return whole;
}

// Where all lies: a word that says which search is over, the tables that all threads of alpha-beta share, and a stretch for each.
async function sharing(rules, code, threads) {
  const { entries, alphabeta, ending } = rules.manifest, kernels = ["describe", "advance", "draw", "observe", ...alphabeta.kernels, ...ending?.kernels ?? []];
  let top = Number(rules.exports.__heap_base.value);
  const take = (size) => { const at = lined(top); top = at + size + GUARD; return at; }, halt = take(4);
  const common = [alphabeta, ending].filter(Boolean).map(({ table }) => [table, take(rules.size(table))]), bottom = top, own = new Set();
  take(STACK);
  for (const [slots, result] of kernels.map((name) => entries[name]).filter(Boolean)) {
    take(result + 64);
    for (const [kind, value] of slots) if (kind === "array" && !common.some(([table]) => table === value)) own.add(value);
  }
  for (const each of own) take(rules.size(each));
  const span = lined(top - bottom) + 64, pages = Math.ceil((bottom + threads * span) / 65536);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  return { code: await WebAssembly.compile(overShared(code)), memory, halt, common, bottom, span };
}

const halt = ({ memory, halt: at, turn }) => Atomics.store(new Int32Array(memory.buffer, at, 1), 0, turn);

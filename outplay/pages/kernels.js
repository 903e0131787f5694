// Kernels in WebAssembly: their memory, the arrays that Python gave them, and their arguments; and the rules of a game over them.
"use strict";

const GET = { i1: (v, a) => v.getInt8(a), u1: (v, a) => v.getUint8(a), b1: (v, a) => v.getUint8(a), i2: (v, a) => v.getInt16(a, true), u2: (v, a) => v.getUint16(a, true),
  i4: (v, a) => v.getInt32(a, true), u4: (v, a) => v.getUint32(a, true), i8: (v, a) => Number(v.getBigInt64(a, true)), u8: (v, a) => Number(v.getBigUint64(a, true)),
  f4: (v, a) => v.getFloat32(a, true), f8: (v, a) => v.getFloat64(a, true) };
const SET = { i1: (v, a, x) => v.setInt8(a, Number(x)), u1: (v, a, x) => v.setUint8(a, Number(x)), b1: (v, a, x) => v.setUint8(a, Number(x)), i2: (v, a, x) => v.setInt16(a, Number(x), true), u2: (v, a, x) => v.setUint16(a, Number(x), true),
  i4: (v, a, x) => v.setInt32(a, Number(x), true), u4: (v, a, x) => v.setUint32(a, Number(x), true), i8: (v, a, x) => v.setBigInt64(a, BigInt(x), true), u8: (v, a, x) => v.setBigUint64(a, BigInt(x), true),
  f4: (v, a, x) => v.setFloat32(a, Number(x), true), f8: (v, a, x) => v.setFloat64(a, Number(x), true) };
const CHANCE = -1;

function unpacked(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

const STACK = 2 ** 20, GUARD = 65536;
const lined = (at) => Math.ceil(at / 64) * 64;  // at a line of the cache

// A game: its module and what Python told of it. Arrays get their place when the first entry that needs them is bound. Where threads
// share a memory (sharing.js), each has a stretch of its own in it, with its stack, and `common` says where the arrays of all lie.
class Rules {
  static imports(module, memory) {
    const env = memory ? { memory } : {};  // libm comes from JavaScript; whatever else is asked for is never reached
    for (const { name, kind } of WebAssembly.Module.imports(module))
      if (kind === "function") env[name] = Math[name] ?? (() => { throw new Error(`a kernel called ${name}`); });
    return { env };
  }
  constructor(module, manifest, instance, share) {
    this.exports = (instance ?? new WebAssembly.Instance(module, Rules.imports(module, share?.memory))).exports;
    this.memory = this.exports.memory;
    this.manifest = manifest;
    this.share = share;
    this.top = share ? share.bottom + share.place * share.span : Number(this.exports.__heap_base.value);
    if (share) this.exports.__stack_pointer.value = this.room(STACK) + STACK;
    this.where = new Map(share?.common);
    this.told = new WeakMap();
    this.bound = {};
    this.start = unpacked(manifest.state.start);
    const kind = manifest.action;  // actions of 64 bits (a way over many cells) do not fit into a Number: those are BigInts, everywhere
    this.action = kind === "i8" ? { get: (v, a) => v.getBigInt64(a, true), set: (v, a, x) => v.setBigInt64(a, BigInt(x), true), size: 8, read: BigInt }
      : { get: GET[kind], set: SET[kind], size: Number(kind[1]), read: Number };
    this.bind("describe");
    for (const name of ["advance", "draw", "observe"]) if (manifest.entries[name]) this.bind(name);
  }
  get view() { if (this.seen?.buffer !== this.memory.buffer) this.seen = new DataView(this.memory.buffer); return this.seen; }
  bytes(at, length) { return new Uint8Array(this.memory.buffer, at, length); }
  room(bytes) {  // zeroed, with a guard of 64 KB behind it (lists of actions want one)
    const at = lined(this.top);
    this.top = at + bytes + GUARD;
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536));
    if (this.share) this.bytes(at, bytes).fill(0);  // an earlier thread may have been here
    return at;
  }
  at(number) {
    if (!this.where.has(number)) {
      const [bytes, content] = this.manifest.arrays[number], at = this.room(bytes);
      if (content) { const raw = unpacked(content); this.bytes(at, raw.length).set(raw); }
      this.where.set(number, at);
    }
    return this.where.get(number);
  }
  size(number) { return this.manifest.arrays[number][0]; }
  bind(name) {
    const [slots, result, returns] = this.manifest.entries[name];
    for (const [kind, value] of slots) if (kind === "array") this.at(value);
    const at = this.room(result + 64), view = this.view;
    slots.forEach(([kind, value], k) => {
      if (kind === "float") view.setFloat64(at + 8 * k, Number({ inf: Infinity, "-inf": -Infinity, nan: NaN }[value] ?? value), true);
      else view.setBigInt64(at + 8 * k, BigInt.asIntN(64, BigInt(kind === "array" ? this.at(value) : value)), true);
    });
    const entry = this.exports[`outplay_entry_${name}`];
    this.bound[name] = { at, result: at + result, last: at + 8 * (slots.length - 1), returns, call: () => { const status = entry(at); if (status !== 0) throw new Error(`${name} ended with status ${status}`); } };
    return this.bound[name];
  }
  load(at, state) { this.bytes(at, state.length).set(state); }
  take(at) { return this.bytes(at, this.manifest.state.bytes).slice(); }

  // Who is to move, what may be done with which probability, and what a finished game is worth.
  describe(state) {
    const { rules, players, chance } = this.manifest, { get, size } = this.action, states = this.at(rules.states);
    this.load(states, state);
    this.bound.describe.call();
    const view = this.view, told = this.at(rules.told), player = GET.i8(view, told), count = GET.i8(view, told + 8), over = GET.i8(view, told + 16) === 1;
    const actions = Array.from({ length: Math.max(0, count) }, (_, i) => get(view, this.at(rules.actions) + i * size));
    const floats = (number, length) => Array.from({ length }, (_, i) => view.getFloat64(this.at(number) + 8 * i, true));
    return { player, actions, sampled: count < 0, over: over || count === 0, utilities: count === 0 ? floats(rules.utilities, players) : null,
      probabilities: chance && player === CHANCE && count > 0 ? floats(rules.probabilities, count) : null,
      reversible: GET.i8(view, told + 24), key: view.getBigUint64(this.bound.describe.result, true) };
  }
  // The same of a state that nobody changes any more: worked out once.
  known(state) {
    if (!this.told.has(state)) this.told.set(state, this.describe(state));
    return this.told.get(state);
  }
  play(state, action) {
    const { advance } = this.bound, states = this.at(this.manifest.rules.states);
    this.load(states, state);
    this.action.set(this.view, advance.last, action);
    advance.call();
    return this.take(states);
  }
  observe(state, seat) {
    if (!this.bound.observe) return state;
    const states = this.at(this.manifest.rules.states);
    this.load(states, state);
    this.view.setBigInt64(this.bound.observe.last, BigInt(seat), true);
    this.bound.observe.call();
    return this.take(states);
  }
  draw(state, seed) {
    const { states, source } = this.manifest.rules;
    this.load(this.at(states), state);
    this.view.setBigUint64(this.at(source), BigInt.asUintN(64, seed), true);
    this.bound.draw.call();
    const kind = this.bound.draw.returns.includes("32") ? "i4" : "i8";
    return this.action.read(kind === "i8" ? this.view.getBigInt64(this.bound.draw.result, true) : this.view.getInt32(this.bound.draw.result, true));
  }
}

// What the opening book plays in a position, by chance in proportion to the weights; null where it ends. `spelt` writes an action.
function booked({ book }, { key, actions }, spelt, chance = Math.random()) {
  const known = book?.[key.toString(16)], moves = [];
  if (!known) return null;
  for (const action of actions) { const at = known.indexOf(spelt(action)); if (at >= 0) moves.push([action, known[at + 1]]); }
  let left = chance * moves.reduce((sum, [, weight]) => sum + weight, 0);
  return (moves.find(([, weight]) => (left -= weight) < 0) ?? moves[0])?.[0] ?? null;
}

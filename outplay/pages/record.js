// A game's record in translated Python: fields over bytes, the rules' own methods by the compiled kernels; and positions over it.
"use strict";

const host = { rules: null, derived: new Set() };

function record(name, bases, fields) {
  const cls = $.class_(name, bases, {});
  cls.fields = undefined;
  cls.names = fields.map(([field]) => field);
  for (const [field, kind, shape, offset] of fields) {
    const size = Number(kind[1]), read = kind === "u8" ? (v, a) => $.word(v.getBigUint64(a, true)) : kind === "i8" ? (v, a) => v.getBigInt64(a, true) : kind === "b1" ? (v, a) => v.getUint8(a) !== 0 : kind[0] === "f" ? GET[kind] : (v, a) => BigInt(GET[kind](v, a));
    const write = kind === "u8" || kind === "i8" ? (v, a, x) => SET[kind](v, a, $.int_(x)) : (v, a, x) => SET[kind](v, a, x === true ? 1 : x === false ? 0 : x);
    Object.defineProperty(cls.prototype, field, shape.length ? {
      get() { return new $.ND(kind, shape, { read: k => read(this.$view, offset + k * size), write: (k, x) => write(this.$view, offset + k * size, x) }); },
      set(x) { this[field].fill(x); } } : { get() { return read(this.$view, offset); }, set(x) { write(this.$view, offset, $.coded(kind, x)); } });
  }
  const proto = cls.prototype, fresh = self => host.rules.describe(self.$bytes), big = actions => actions.map(BigInt);
  const own = {
    player() { return BigInt(fresh(this).player); },
    is_terminal() { return fresh(this).over; },
    is_drawn() { const { over, utilities, actions } = fresh(this); return over && utilities !== null && actions.length === 0; },
    utility(seat) { return fresh(this).utilities[Number(seat)]; },
    actions(out) { const told = fresh(this), found = told.player === CHANCE ? [] : big(told.actions); if (out) found.forEach((action, k) => $.setitem(out, BigInt(k), action)); return BigInt(found.length); },
    count_actions() { return BigInt(fresh(this).actions.length); },
    chances(out, probabilities) { const told = fresh(this); told.actions.forEach((action, k) => { $.setitem(out, BigInt(k), BigInt(action)); if (probabilities) $.setitem(probabilities, BigInt(k), told.probabilities[k]); }); return BigInt(told.actions.length); },
    play(action) { this.$bytes.set(host.rules.play(this.$bytes, host.rules.action.read($.int_(action)))); return null; },
    observe(seat) { this.$bytes.set(host.rules.observe(this.$bytes, Number($.int_(seat)))); return null; },
    key() { return $.word(fresh(this).key); },
    reversible() { return BigInt(fresh(this).reversible); },
    room() { return $.numpy.zeros(BigInt(host.rules.manifest.most), $.numpy.int64); },
    copy() { return opened(this.$bytes.slice()); },
    tobytes() { return [...this.$bytes].map(BigInt); },
  };
  for (const [method, f] of Object.entries(own)) if (!(method in proto && !["copy"].includes(method))) Object.defineProperty(proto, method, { value: f, configurable: true, enumerable: false });
  cls.layout = { make: () => opened(new Uint8Array(host.rules.manifest.state.bytes)) };
  host.record = cls;
  return cls;
}
const fieldNames = (state, derived) => host.record.names.filter(name => !derived || !$.contains(derived, name));

// A record with that state.
function opened(bytes) {
  const made = Object.create(host.record.prototype);
  Object.defineProperty(made, "$bytes", { value: bytes });
  Object.defineProperty(made, "$view", { value: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) });
  return made;
}
const fieldsOf = position => $.dict(fieldNames().map(name => [name, position.record()[name]]));

const positions = new WeakMap();
class Position {
  // One for each state: what was drawn of it once is not worked out again.
  static of(state, game) {
    if (!positions.has(state)) positions.set(state, new Position(state, game));
    return positions.get(state);
  }
  constructor(state, game) { this.state = state; this.game = game; this.facts = host.rules.known(state); }
  record() { return opened(this.state.slice()); }
  player() { return BigInt(this.facts.player); }
  is_chance() { return !this.facts.over && this.facts.player === CHANCE; }
  is_terminal() { return this.facts.over; }
  actions() { return this.facts.listed ??= $.tuple_(this.facts.actions.map(BigInt)); }
  utilities() { return $.tuple_([...this.facts.utilities]); }
  text() { const record = this.record(); return "text" in record ? record.text() : host.fieldsText(record, host.derived); }
  action_text(action) { const record = this.record(); return "action_text" in record ? record.action_text(action) : $.str(action); }
  is_public(action) { const record = this.record(); return "is_public" in record ? $.truth(record.is_public(action)) : !host.rules.bound.observe; }
  veiled_text(action) { const record = this.record(); return "veiled_text" in record ? $.str(record.veiled_text(action)) : ""; }
  said(name) { const record = this.record(); try { return name in record ? $.str(record[name]()) : ""; } catch { return ""; } } // words that no page can have are left out
  task() { return this.facts.over || this.is_chance() ? "" : this.said("task"); }
  ending_text() { return this.facts.over ? this.said("ending_text") : ""; }
  picture() { if (this.drawn === undefined) { const record = this.record(); this.drawn = "picture" in record ? record.picture() : null; } return this.drawn; }
}

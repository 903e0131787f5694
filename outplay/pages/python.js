// What translated Python needs: whole numbers are BigInts, fractions numbers; tuples, dicts, sets, words of 64 bits and arrays are here.
const $ = (() => {
"use strict";

// ---------------------------------------------------------------- problems
class PythonError extends Error {}
const problem = (name, base) => {
  const kind = (...args) => { const made = new PythonError(args.length ? String($.str(args[0])) : name); made.kind = kind; made.args = tuple_(args); return made; };
  kind.problem = true; kind.base = base; kind.__name__ = name;
  return kind;
};
const raise = (kind, text) => { throw kind(text); };

// ---------------------------------------------------------------- kinds of values
class Tuple extends Array { static get [Symbol.species]() { return Array; } }
const tuple_ = items => Object.setPrototypeOf(items, Tuple.prototype);
class Word { constructor(v) { this.v = v; } }
const word = v => new Word(BigInt.asUintN(64, v));
class Slice { constructor(start, stop, step) { Object.assign(this, { start, stop, step }); } }
class Kw { constructor(all) { this.all = all; } }
class Range {
  constructor(start, stop, step) { Object.assign(this, { start, stop, step }); }
  get length() { const { start, stop, step } = this, span = step > 0n ? stop - start : start - stop, by = step > 0n ? step : -step; return span <= 0n ? 0 : Number((span + by - 1n) / by); }
  at(k) { return this.start + BigInt(k) * this.step; }
  *[Symbol.iterator]() { const { start, stop, step } = this; if (step > 0n) for (let x = start; x < stop; x += step) yield x; else for (let x = start; x > stop; x += step) yield x; }
}
let serial = 0;
const serials = new WeakMap();
function hash(x) {
  switch (typeof x) {
    case "string": return "s" + x;
    case "bigint": return "n" + x;
    case "boolean": return x ? "n1" : "n0";
    case "number": return Number.isInteger(x) ? "n" + BigInt(x) : "f" + x;
  }
  if (x === null) return "0";
  if (x instanceof Word) return "n" + x.v;
  if (x instanceof Tuple) return "(" + x.map(y => { const h = hash(y); return h.length + ":" + h; }).join("") + ")";
  if (x instanceof PySet) return "{" + [...x.map.keys()].sort().join("|") + "}";
  if (Array.isArray(x) || x instanceof Dict) raise($.TypeError, `unhashable type: '${typename(x)}'`);
  const cls = x.constructor;
  if (x.$class?.fields) return "@" + x.$class.__name__ + hash(tuple_(x.$class.fields.map(([name]) => x[name])));
  if (typeof x.__hash__ === "function") return hash(x.__hash__());
  if (!serials.has(x)) serials.set(x, ++serial);
  return "#" + serials.get(x);
}
class Dict {
  constructor() { this.map = new Map(); }
  set(k, v) { const h = hash(k), e = this.map.get(h); if (e) e[1] = v; else this.map.set(h, [k, v]); return this; }
  find(k) { return this.map.get(hash(k)); }
  has(k) { return this.map.has(hash(k)); }
  get length() { return this.map.size; }
  *[Symbol.iterator]() { for (const e of this.map.values()) yield e[0]; }
  *pairs() { for (const e of this.map.values()) yield tuple_([e[0], e[1]]); }
}
class DefaultDict extends Dict {}
class Counter extends Dict {}
class PySet {
  constructor() { this.map = new Map(); }
  add(k) { const h = hash(k); if (!this.map.has(h)) this.map.set(h, k); return null; }
  has(k) { return this.map.has(hash(k)); }
  get length() { return this.map.size; }
  [Symbol.iterator]() { return this.map.values(); }
}
const BITS = { i1: [8, true], i2: [16, true], i4: [32, true], i8: [64, true], u1: [8, false], u2: [16, false], u4: [32, false], u8: [64, false] };
const coded = (kind, x) => {  // a number as an element of that type holds it
  if (kind === "f4") return Math.fround(num(x));
  if (kind === "f8") return num(x);
  if (kind === "b1") return truth(x);
  const [bits, signed] = BITS[kind], v = int_(x);
  return kind === "u8" ? word(v) : signed ? BigInt.asIntN(bits, v) : BigInt.asUintN(bits, v);
};
// An array of numbers: `read(i)` and `write(i, x)` are of its memory, be it a list or the bytes of a record.
class ND {
  constructor(kind, shape, memory, offset = 0, strides = null) {
    Object.assign(this, { kind, shape, memory, offset });
    this.strides = strides ?? shape.map((_, k) => shape.slice(k + 1).reduce((a, b) => a * b, 1));
  }
  get length() { if (!this.shape.length) raise($.TypeError, "len() of unsized object"); return this.shape[0]; }
  get size() { return this.shape.reduce((a, b) => a * b, 1); }
  at(k) { const offset = this.offset + k * this.strides[0]; return this.shape.length === 1 ? this.memory.read(offset) : new ND(this.kind, this.shape.slice(1), this.memory, offset, this.strides.slice(1)); }
  put(k, x) { if (this.shape.length === 1) this.memory.write(this.offset + k * this.strides[0], coded(this.kind, x)); else this.at(k).fill(x); }
  *[Symbol.iterator]() { for (let k = 0; k < this.length; k++) yield this.at(k); }
  *flat() { if (!this.shape.length) yield this.memory.read(this.offset); else for (let k = 0; k < this.shape[0]; k++) { const x = this.at(k); if (x instanceof ND) yield* x.flat(); else yield x; } }
  fill(x) {
    if (!this.shape.length) { this.memory.write(this.offset, coded(this.kind, x)); return; }
    const many = x instanceof ND || Array.isArray(x) ? x : null;
    for (let k = 0; k < this.shape[0]; k++) this.put(k, many ? (many.length === 1 && this.shape[0] !== 1 ? seq(many, 0) : many.length === this.shape[0] ? seq(many, k) : x) : x);
  }
}
const seq = (x, k) => x instanceof ND ? x.at(k) : x[k];
const memory = list => ({ read: k => list[k], write: (k, x) => { list[k] = x; }, list });
const array = (kind, shape, flat) => new ND(kind, shape, memory(flat));
const kindOf = flat => flat.some(x => typeof x === "number") ? "f8" : flat.some(x => x instanceof Word) ? "u8" : flat.length && flat.every(x => typeof x === "boolean") ? "b1" : "i8";
function asarray(x, kind) {
  if (x instanceof ND) return kind && kind !== x.kind ? array(kind, [...x.shape], [...x.flat()].map(y => coded(kind, y))) : x;
  const shape = [];
  let row = x;
  if (!isSeq(x)) { const k = kind ?? kindOf([x]); return array(k, [], [coded(k, x)]); }
  while (isSeq(row)) { row = row instanceof ND ? row : [...iter(row)]; shape.push(row.length); if (!row.length) break; row = seq(row, 0); }
  const flat = [];
  const walk = y => { if (isSeq(y)) for (const z of iter(y)) walk(z); else flat.push(y); };
  walk(x);
  const k = kind ?? kindOf(flat);
  return array(k, shape, flat.map(y => coded(k, y)));
}
const isSeq = x => Array.isArray(x) || x instanceof ND || x instanceof Range;

// ---------------------------------------------------------------- numbers
const int_ = x => typeof x === "bigint" ? x : typeof x === "boolean" ? BigInt(x) : x instanceof Word ? x.v : typeof x === "number" ? toInt(x)
  : x instanceof ND && x.size === 1 ? int_([...x.flat()][0]) : x?.$class?.fields === undefined && typeof x?.__index__ === "function" ? x.__index__() : raise($.TypeError, `'${typename(x)}' object cannot be interpreted as an integer`);
const toInt = x => { if (!Number.isFinite(x)) raise(Number.isNaN(x) ? $.ValueError : $.OverflowError, `cannot convert float ${str(x)} to integer`); return BigInt(Math.trunc(x)); };
const num = x => typeof x === "number" ? x : typeof x === "string" ? $.float(x) : Number(int_(x));
const index = x => typeof x === "bigint" ? Number(x) : Number(int_(x));
const isNumber = x => typeof x === "bigint" || typeof x === "number" || typeof x === "boolean" || x instanceof Word;
function numeric(name, whole, fraction, wraps = true) {
  return (a, b) => {
    if (typeof a === "bigint" && typeof b === "bigint") return whole(a, b);
    if (typeof a === "number" && typeof b === "number") return fraction(a, b);
    if (isNumber(a) && isNumber(b)) {
      if (typeof a === "number" || typeof b === "number") return fraction(num(a), num(b));
      const told = whole(int_(a), int_(b));
      return (a instanceof Word || b instanceof Word) && typeof told === "bigint" ? word(told) : told;
    }
    return other(name, a, b);
  };
}
function elementwise(f, a, b, kind) {
  const x = a instanceof ND ? a : isSeq(a) ? asarray(a) : null, y = b instanceof ND ? b : isSeq(b) ? asarray(b) : null;
  if (x && y && x.shape.join() !== y.shape.join()) {
    const [large, small] = x.size >= y.size ? [x, y] : [y, x];
    const rows = Array.from({ length: large.shape[0] }, (_, k) => large === x ? elementwise(f, large.at(k), small, kind) : elementwise(f, small, large.at(k), kind));
    return asarray(rows);
  }
  const shape = [...(x ?? y).shape], p = x && [...x.flat()], q = y && [...y.flat()];
  const flat = Array.from({ length: (x ?? y).size }, (_, k) => f(p ? p[k] : a, q ? q[k] : b));
  return array(kind ?? kindOf(flat), shape, flat);
}
function other(name, a, b) {
  if (a instanceof ND || b instanceof ND) return elementwise($[name], a, b);
  if (name === "add") {
    if (typeof a === "string" && typeof b === "string") return a + b;
    if (a instanceof Tuple && b instanceof Tuple) return tuple_([...a, ...b]);
    if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  }
  if (name === "mul") {
    if (typeof a === "string" || Array.isArray(a)) return repeat(a, index(b));
    if (typeof b === "string" || Array.isArray(b)) return repeat(b, index(a));
  }
  if (name === "mod" && typeof a === "string") return percent(a, b);
  if (a instanceof PySet && b instanceof PySet || a instanceof PySet && b instanceof Keys || a instanceof Keys) {
    if (name === "sub") return set([...a].filter(x => !contains(b, x)));
    if (name === "and_") return set([...a].filter(x => contains(b, x)));
    if (name === "or_") return set([...a, ...b]);
    if (name === "xor") return set([...[...a].filter(x => !contains(b, x)), ...[...b].filter(x => !contains(a, x))]);
  }
  if (name === "or_" && a instanceof Dict) return dict([...a.pairs(), ...b.pairs()]);
  if (name === "or_" && (typeof a === "function" || a === null || a instanceof Tuple)) return tuple_([...(a instanceof Tuple ? a : [a]), ...(b instanceof Tuple ? b : [b])]);
  if (a instanceof Counter && name === "sub") { const c = new Counter(); for (const [k, v] of a.pairs()) { const left = v - (b.find(k)?.[1] ?? 0n); if (left > 0n) c.set(k, left); } return c; }
  const magic = { add: "__add__", sub: "__sub__", mul: "__mul__", or_: "__or__", and_: "__and__" }[name];
  if (magic && typeof a?.[magic] === "function") return a[magic](b);
  raise($.TypeError, `unsupported operand type(s) for ${name}: '${typename(a)}' and '${typename(b)}'`);
}
const repeat = (x, times) => typeof x === "string" ? x.repeat(Math.max(0, times)) : (made => x instanceof Tuple ? tuple_(made) : made)([].concat(...Array.from({ length: Math.max(0, times) }, () => [...x])));
const floorDiv = (a, b) => { if (b === 0n) raise($.ZeroDivisionError, "integer division or modulo by zero"); const q = a / b; return (a % b !== 0n && (a < 0n) !== (b < 0n)) ? q - 1n : q; };
const floorMod = (a, b) => { if (b === 0n) raise($.ZeroDivisionError, "integer division or modulo by zero"); const r = a % b; return r !== 0n && (r < 0n) !== (b < 0n) ? r + b : r; };
const bits = (name, whole) => (a, b) => typeof a === "bigint" && typeof b === "bigint" ? whole(a, b)
  : typeof a === "boolean" && typeof b === "boolean" ? whole(BigInt(a), BigInt(b)) !== 0n
  : isNumber(a) && isNumber(b) && typeof a !== "number" && typeof b !== "number" ? (a instanceof Word || b instanceof Word ? word(whole(int_(a), int_(b))) : whole(int_(a), int_(b)))
  : other(name, a, b);
const shift = whole => (a, b) => {
  if (a instanceof ND || b instanceof ND) return elementwise(shift(whole), a, b);
  const told = whole(int_(a), int_(b));
  return a instanceof Word || b instanceof Word ? (int_(b) > 63n ? word(0n) : word(told)) : told;
};
const operators = {
  add: numeric("add", (a, b) => a + b, (a, b) => a + b),
  sub: numeric("sub", (a, b) => a - b, (a, b) => a - b),
  mul: numeric("mul", (a, b) => a * b, (a, b) => a * b),
  div: (a, b) => { if (a instanceof ND || b instanceof ND) return elementwise($.div, a, b); if (num(b) === 0) raise($.ZeroDivisionError, "division by zero"); return num(a) / num(b); },
  floordiv: numeric("floordiv", floorDiv, (a, b) => Math.floor(a / b)),
  mod: numeric("mod", floorMod, (a, b) => { const r = a % b; return r !== 0 && (r < 0) !== (b < 0) ? r + b : r; }),
  pow_: numeric("pow_", (a, b) => b < 0n ? Number(a) ** Number(b) : a ** b, (a, b) => a ** b),
  and_: bits("and_", (a, b) => a & b), or_: bits("or_", (a, b) => a | b), xor: bits("xor", (a, b) => a ^ b),
  shl: shift((a, b) => a << b), shr: shift((a, b) => a >> b),
};
const inPlace = {};
for (const [name, f] of Object.entries(operators)) inPlace["i" + name] = f;
inPlace.iadd = (a, b) => { if (Array.isArray(a) && !(a instanceof Tuple)) { a.push(...iter(b)); return a; } if (a instanceof ND) { a.fill(operators.add(a, b)); return a; } return operators.add(a, b); };
inPlace.ior_ = (a, b) => { if (a instanceof PySet) { for (const x of iter(b)) a.add(x); return a; } if (a instanceof Dict) { for (const [k, v] of pairs(b)) a.set(k, v); return a; } return operators.or_(a, b); };
inPlace.isub = (a, b) => { if (a instanceof PySet) { for (const x of iter(b)) a.map.delete(hash(x)); return a; } if (a instanceof ND) { a.fill(operators.sub(a, b)); return a; } return operators.sub(a, b); };
const neg = x => x instanceof Word ? word(-x.v) : typeof x === "number" ? -x : x instanceof ND ? elementwise((a) => neg(a), x, 0n) : -int_(x);
const invert = x => x instanceof Word ? word(~x.v) : x instanceof ND ? elementwise(a => typeof a === "boolean" ? !a : invert(a), x, 0n) : ~int_(x);

// ---------------------------------------------------------------- comparing
function eq(a, b) {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return typeof a === "number" || typeof b === "number" ? num(a) === num(b) : int_(a) === int_(b);
  if (a instanceof ND || b instanceof ND) return a === null || b === null || typeof a === "string" || typeof b === "string" ? false : elementwise((x, y) => eq(x, y), a, b, "b1");
  if (Array.isArray(a) && Array.isArray(b)) return (a instanceof Tuple) === (b instanceof Tuple) && a.length === b.length && a.every((x, k) => eq(x, b[k]));
  if ((a instanceof PySet || a instanceof Keys) && (b instanceof PySet || b instanceof Keys)) return a.length === b.length && [...a].every(x => contains(b, x));
  if (a instanceof Dict && b instanceof Dict) return a.length === b.length && [...a.pairs()].every(([k, v]) => b.has(k) && eq(v, b.find(k)[1]));
  if (a instanceof Range && b instanceof Range) return a.length === b.length && (a.length === 0 || a.start === b.start && (a.length === 1 || a.step === b.step));
  if (typeof a?.__eq__ === "function") return truth(a.__eq__(b));
  if (a?.$class?.fields && a.$class === b?.$class) return a.$class.fields.every(([name]) => eq(a[name], b[name]));
  return false;
}
function compare(a, b) {
  if (isNumber(a) && isNumber(b)) { const [x, y] = typeof a === "number" || typeof b === "number" ? [num(a), num(b)] : [int_(a), int_(b)]; return x < y ? -1 : x > y ? 1 : 0; }
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  if (Array.isArray(a) && Array.isArray(b)) { for (let k = 0; k < a.length && k < b.length; k++) if (!eq(a[k], b[k])) return compare(a[k], b[k]); return a.length - b.length; }
  if (typeof a?.__lt__ === "function") return truth(a.__lt__(b)) ? -1 : eq(a, b) ? 0 : 1;
  raise($.TypeError, `'<' not supported between instances of '${typename(a)}' and '${typename(b)}'`);
}
const compared = (f, subset) => (a, b) => typeof a === "bigint" && typeof b === "bigint" ? f(a < b ? -1 : a > b ? 1 : 0)
  : a instanceof ND || b instanceof ND ? elementwise((x, y) => f(compare(x, y)), a, b, "b1")
  : a instanceof PySet || a instanceof Keys ? subset(a, b) : f(compare(a, b));
const within = (a, b) => [...a].every(x => contains(b, x));
function contains(c, x) {
  if (typeof c === "string") return c.includes(x);
  if (c instanceof Dict || c instanceof PySet) return c.has(x);
  if (c instanceof Keys) return c.dict.has(x);
  if (c instanceof Range) { if (!isNumber(x)) return false; const v = num(x); return Number.isInteger(v) && (c.step > 0n ? v >= c.start && v < c.stop : v <= c.start && v > c.stop) && (BigInt(v) - c.start) % c.step === 0n; }
  if (typeof c?.__contains__ === "function") return truth(c.__contains__(x));
  for (const y of iter(c)) if (eq(x, y) === true) return true;
  return false;
}
function truth(x) {
  if (typeof x === "object" && x !== null) {
    if (x instanceof Word) return x.v !== 0n;
    if (x instanceof ND) { if (x.size !== 1) raise($.ValueError, "the truth value of an array with more than one element is ambiguous"); return truth([...x.flat()][0]); }
    if (typeof x.__bool__ === "function") return truth(x.__bool__());
    if (typeof x.length === "number") return x.length > 0;
    if (typeof x.__len__ === "function") return x.__len__() !== 0n;
    return true;
  }
  return Boolean(x);
}
const is = (a, b) => a === b || (typeof a === "object" && a instanceof Word && b instanceof Word && a.v === b.v);

// ---------------------------------------------------------------- sequences
function iter(x) {
  if (x === null || x === undefined) raise($.TypeError, `'NoneType' object is not iterable`);
  if (typeof x === "string" || typeof x === "object" && typeof x[Symbol.iterator] === "function") return x;
  if (typeof x.__iter__ === "function") return x.__iter__();
  if (x.members) return x.members;
  if (typeof x.__getitem__ === "function" && typeof x.__len__ === "function") return (function* () { for (let k = 0n; k < x.__len__(); k++) yield x.__getitem__(k); })();
  raise($.TypeError, `'${typename(x)}' object is not iterable`);
}
const len = x => typeof x === "string" ? BigInt(x.length) : typeof x?.length === "number" && typeof x !== "function" ? BigInt(x.length) : typeof x?.__len__ === "function" ? x.__len__() : x?.members ? BigInt(x.members.length) : raise($.TypeError, `object of type '${typename(x)}' has no len()`);
function sliced(slice, length) {
  const step = slice.step === null ? 1 : index(slice.step);
  const clip = (x, low, high) => x === null ? null : Math.min(Math.max(index(x) < 0 ? index(x) + length : index(x), low), high);
  const start = clip(slice.start, step < 0 ? -1 : 0, step < 0 ? length - 1 : length) ?? (step < 0 ? length - 1 : 0);
  const stop = clip(slice.stop, step < 0 ? -1 : 0, step < 0 ? length - 1 : length) ?? (step < 0 ? -1 : length);
  return [start, step, Math.max(0, Math.ceil((stop - start) / step))];
}
function place(k, length, what) {
  const at = k < 0 ? k + length : k;
  if (at < 0 || at >= length) raise($.IndexError, `${what} index out of range`);
  return at;
}
function getitem(o, i) {
  if (typeof o === "string" || Array.isArray(o)) {
    if (i instanceof Slice) {
      const [start, step, count] = sliced(i, o.length);
      if (typeof o === "string") return step === 1 ? o.slice(start, start + count) : Array.from({ length: count }, (_, k) => o[start + k * step]).join("");
      const made = Array.from({ length: count }, (_, k) => o[start + k * step]);
      return o instanceof Tuple ? tuple_(made) : made;
    }
    return o[place(index(i), o.length, typename(o))];
  }
  if (o instanceof Dict) {
    const e = o.find(i);
    if (e) return e[1];
    if (o instanceof Counter) return 0n;
    if (o instanceof DefaultDict) { const made = o.factory(); o.set(i, made); return made; }
    raise($.KeyError, repr(i));
  }
  if (o instanceof ND) return ndGet(o, i);
  if (o instanceof Range) { if (i instanceof Slice) { const [start, step, count] = sliced(i, o.length); return new Range(o.at(start), o.at(start) + BigInt(count * step) * o.step, o.step * BigInt(step)); } return o.at(place(index(i), o.length, "range")); }
  if (typeof o?.__getitem__ === "function") return o.__getitem__(i);
  if (typeof o === "object" && typeof i === "string" && i in o) return o[i];
  if (o?.byname) return o.byname[i] ?? raise($.KeyError, repr(i));
  raise($.TypeError, `'${typename(o)}' object is not subscriptable`);
}
function ndGet(o, i) {
  if (i instanceof Tuple) {
    let offset = o.offset;
    const shape = [], strides = [];
    let axis = 0;
    for (const each of i) {
      if (each instanceof Slice) { const [start, step, count] = sliced(each, o.shape[axis]); offset += start * o.strides[axis]; shape.push(count); strides.push(step * o.strides[axis]); axis++; }
      else if (each === undefined) { const rest = o.shape.length - (i.length - 1); for (let k = 0; k < rest; k++) { shape.push(o.shape[axis]); strides.push(o.strides[axis]); axis++; } }
      else { offset += place(index(each), o.shape[axis], "array") * o.strides[axis]; axis++; }
    }
    for (; axis < o.shape.length; axis++) { shape.push(o.shape[axis]); strides.push(o.strides[axis]); }
    return shape.length ? new ND(o.kind, shape, o.memory, offset, strides) : o.memory.read(offset);
  }
  if (i instanceof Slice) { const [start, step, count] = sliced(i, o.shape[0]); return new ND(o.kind, [count, ...o.shape.slice(1)], o.memory, o.offset + start * o.strides[0], [step * o.strides[0], ...o.strides.slice(1)]); }
  if (i instanceof ND && i.kind === "b1") { const flat = [...o.flat()]; const chosen = [...i.flat()].flatMap((x, k) => x ? [flat[k]] : []); return array(o.kind, [chosen.length], chosen); }
  if (i instanceof ND || Array.isArray(i)) { const made = [...iter(i)].map(k => o.at(place(index(k), o.length, "array"))); return asarray(made, made.length && made[0] instanceof ND ? undefined : o.kind); }
  return o.at(place(index(i), o.length, "array"));
}
function setitem(o, i, x) {
  if (o instanceof Dict) { o.set(i, x); return; }
  if (o instanceof ND) {
    if (i instanceof Tuple || i instanceof Slice) {
      const inner = ndGet(o, i);
      if (inner instanceof ND) inner.fill(x);
      else { let offset = o.offset; [...i].forEach((k, axis) => { offset += place(index(k), o.shape[axis], "array") * o.strides[axis]; }); o.memory.write(offset, coded(o.kind, x)); }
    } else if (i instanceof ND && i.kind === "b1") { [...i.flat()].forEach((yes, k) => { if (yes) o.put(k, x); }); }
    else o.put(place(index(i), o.length, "array"), x);
    return;
  }
  if (Array.isArray(o)) {
    if (o instanceof Tuple) raise($.TypeError, "'tuple' object does not support item assignment");
    if (i instanceof Slice) { const [start, step, count] = sliced(i, o.length); if (step === 1) o.splice(start, count, ...iter(x)); else [...iter(x)].forEach((y, k) => { o[start + k * step] = y; }); }
    else o[place(index(i), o.length, "list assignment")] = x;
    return;
  }
  if (typeof o?.__setitem__ === "function") { o.__setitem__(i, x); return; }
  if (typeof i === "string" && typeof o === "object") { o[i] = x; return; }
  raise($.TypeError, `'${typename(o)}' object does not support item assignment`);
}
function delitem(o, i) {
  if (o instanceof Dict) { if (!o.map.delete(hash(i))) raise($.KeyError, repr(i)); return; }
  if (i instanceof Slice) { const [start, , count] = sliced(i, o.length); o.splice(start, count); return; }
  o.splice(place(index(i), o.length, "list"), 1);
}
function unpack(value, count, star) {
  const all = [...iter(value)];
  if (star < 0) { if (all.length !== count) raise($.ValueError, all.length > count ? `too many values to unpack (expected ${count})` : `not enough values to unpack (expected ${count}, got ${all.length})`); return all; }
  const after = count - star - 1;
  if (all.length < count - 1) raise($.ValueError, "not enough values to unpack");
  return [...all.slice(0, star), all.slice(star, all.length - after), ...all.slice(all.length - after)];
}
const set = (items = []) => { const made = new PySet(); for (const x of iter(items)) made.add(x); return made; };
const dict = (items = []) => { const made = new Dict(); for (const [k, v] of items instanceof Dict ? items.pairs() : iter(items)) made.set(k, v); return made; };
const pairs = x => x instanceof Dict ? x.pairs() : [...iter(x.keys())].map(k => [k, getitem(x, k)]);
const object = x => Object.fromEntries([...pairs(x)]);
class Keys { constructor(d) { this.dict = d; } get length() { return this.dict.length; } [Symbol.iterator]() { return this.dict[Symbol.iterator](); } }

// ---------------------------------------------------------------- text
function str(x) {
  if (typeof x === "string") return x;
  if (typeof x?.__str__ === "function") return x.__str__();
  if (x instanceof Error) return x.message;
  return repr(x);
}
function float(x) {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (Object.is(x, -0)) return "-0.0";
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return x.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  const told = String(x);
  return /[.e]/.test(told) ? told : told + ".0";
}
function repr(x) {
  switch (typeof x) {
    case "string": { const quote = x.includes("'") && !x.includes('"') ? '"' : "'"; return quote + x.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/\t/g, "\\t").replaceAll(quote, "\\" + quote) + quote; }
    case "bigint": return String(x);
    case "boolean": return x ? "True" : "False";
    case "number": return float(x);
    case "function": return `<class '${x.__name__ ?? x.name}'>`;
  }
  if (x === null || x === undefined) return "None";
  if (x instanceof Word) return String(x.v);
  if (x instanceof Tuple) return `(${x.map(repr).join(", ")}${x.length === 1 ? "," : ""})`;
  if (Array.isArray(x)) return `[${x.map(repr).join(", ")}]`;
  if (x instanceof Dict) return `{${[...x.pairs()].map(([k, v]) => `${repr(k)}: ${repr(v)}`).join(", ")}}`;
  if (x instanceof PySet) return x.length ? `{${[...x].map(repr).join(", ")}}` : "set()";
  if (x instanceof Range) return `range(${x.start}, ${x.stop}${x.step === 1n ? "" : `, ${x.step}`})`;
  if (x instanceof ND) return x.shape.length === 1 ? `[${[...x].map(str).join(" ")}]` : `[${[...x].map(repr).join("\n ")}]`;
  if (typeof x.__repr__ === "function") return x.__repr__();
  if (x.$class?.fields) return `${x.$class.__name__}(${x.$class.fields.map(([name]) => `${name}=${repr(x[name])}`).join(", ")})`;
  return `<${typename(x)}>`;
}
function typename(x) {
  if (x === null || x === undefined) return "NoneType";
  if (typeof x === "string") return "str";
  if (typeof x === "bigint") return "int";
  if (typeof x === "number") return "float";
  if (typeof x === "boolean") return "bool";
  if (x instanceof Tuple) return "tuple";
  if (Array.isArray(x)) return "list";
  if (x instanceof Dict) return "dict";
  if (x instanceof PySet) return "set";
  if (x instanceof ND) return "ndarray";
  return x.$class?.__name__ ?? x.kind?.__name__ ?? (typeof x === "function" ? "function" : x.constructor?.name ?? "object");
}
const grouped = (digits, sign) => digits.replace(/\B(?=(\d{3})+(?!\d))/g, sign);
function general(x, precision, alternate) {  // %g
  if (!Number.isFinite(x)) return float(x);
  const p = precision === 0 ? 1 : precision;
  if (x === 0) return Object.is(x, -0) ? "-0" : "0";
  const exponent = Number(x.toExponential(p - 1).split("e")[1]);
  if (exponent < -4 || exponent >= p) {
    let [m, e] = x.toExponential(p - 1).split("e");
    if (m.includes(".")) m = m.replace(/\.?0+$/, "");
    return `${m}e${e[0]}${e.slice(1).padStart(2, "0")}`;
  }
  const told = fixed(x, Math.max(0, p - 1 - exponent));
  return told.includes(".") ? told.replace(/\.?0+$/, "") : told;
}
// As C's: the exact binary value is rounded, ties to even.
function fixed(x, places) {
  if (Math.abs(x) >= 1e21) return BigInt(x) + (places ? "." + "0".repeat(places) : "");
  let sign = x < 0 || Object.is(x, -0) ? "-" : "";
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const all = view.getBigUint64(0), exponent = Number(all >> 52n), mantissa = (all & ((1n << 52n) - 1n)) | (exponent ? 1n << 52n : 0n);
  const power = (exponent || 1) - 1075, scaled = mantissa * 10n ** BigInt(places);
  let whole;
  if (power >= 0) whole = scaled << BigInt(power);
  else { const by = BigInt(-power); whole = scaled >> by; const rest = scaled - (whole << by), half = 1n << (by - 1n); if (rest > half || rest === half && (whole & 1n)) whole += 1n; }
  const digits = String(whole).padStart(places + 1, "0");
  return sign + (places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits);
}
function fmt(x, spec, conversion = "") {
  if (conversion) x = conversion === "r" ? repr(x) : str(x);
  if (typeof x?.__format__ === "function") return x.__format__(spec);
  if (spec === "") return str(x);
  const found = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/u.exec(spec);
  if (!found) raise($.ValueError, `Invalid format specifier '${spec}'`);
  let [, fill, align, sign, alternate, zero, width, group, precision, type] = found;
  if (zero && !align) { fill = "0"; align = "="; }
  let told, negative = "";
  if (isNumber(x)) {
    const p = precision === undefined ? 6 : Number(precision), whole = typeof x !== "number";
    if (type === "f" || type === "F") told = fixed(num(x), p);
    else if (type === "%") told = fixed(num(x) * 100, p) + "%";
    else if (type === "e") told = num(x).toExponential(p).replace(/e([+-])(\d)$/, "e$10$2");
    else if (type === "g" || type === "n" && !whole) told = general(num(x), p);
    else if (whole) told = int_(x).toString({ x: 16, X: 16, b: 2, o: 8 }[type] ?? 10);
    else told = precision === undefined ? float(x) : general(x, p);
    if (type === "X") told = told.toUpperCase();
    if (alternate && "xbo".includes(type)) told = `0${type}${told}`;
    if (told.startsWith("-")) { negative = "-"; told = told.slice(1); } else if (sign === "+" || sign === " ") negative = sign;
    if (group) { const [left, ...right] = told.split("."); told = [grouped(left, group), ...right].join("."); }
    align ??= ">";
  } else {
    told = str(x);
    if (precision !== undefined) told = told.slice(0, Number(precision));
    align ??= "<";
  }
  const missing = Math.max(0, Number(width ?? 0) - told.length - negative.length);
  fill ??= " ";
  if (align === "=") return negative + fill.repeat(missing) + told;
  told = negative + told;
  if (align === "<") return told + fill.repeat(missing);
  if (align === ">") return fill.repeat(missing) + told;
  return fill.repeat(missing >> 1) + told + fill.repeat(missing - (missing >> 1));
}
function percent(text, values) {
  const all = values instanceof Tuple ? [...values] : [values];
  let at = 0;
  return text.replace(/%(?:\((\w+)\))?([-+0 #]*)(\d+)?(?:\.(\d+))?([sdrfgexX%])/g, (_, name, flags, width, precision, type) => {
    if (type === "%") return "%";
    const x = name ? getitem(values, name) : all[at++];
    const spec = `${flags.includes("-") ? "<" : ""}${flags.includes("+") ? "+" : ""}${flags.includes("0") ? "0" : ""}${width ?? ""}${precision ? "." + precision : ""}`;
    return type === "s" ? fmt(str(x), spec && !spec.startsWith("<") && width ? ">" + spec : spec) : type === "r" ? fmt(repr(x), spec) : fmt(type === "d" ? int_(x) : x, spec + type);
  });
}
const stripped = (x, chars, left, right) => {
  const gone = chars === undefined || chars === null ? c => /\s/.test(c) : c => chars.includes(c);
  let a = 0, b = x.length;
  if (left) while (a < b && gone(x[a])) a++;
  if (right) while (b > a && gone(x[b - 1])) b--;
  return x.slice(a, b);
};
const words = (x, most) => { const found = []; let rest = stripped(x, null, true, false); while (rest) { if (most >= 0 && found.length === most) { found.push(stripped(rest, null, false, true)); break; } const k = rest.search(/\s/); if (k < 0) { found.push(rest); break; } found.push(rest.slice(0, k)); rest = stripped(rest.slice(k), null, true, false); } return found; };
const kwf = f => { const g = (...all) => all.length && all[all.length - 1] instanceof Kw ? f(all.pop().all, ...all) : f({}, ...all); g.takes = true; return g; };
const STR = {
  split: kwf((kw, x, by = null, most = kw.maxsplit ?? -1n) => { by = kw.sep ?? by; most = index(most); if (by === null) return words(x, most); const all = x.split(by); return most < 0 || all.length <= most + 1 ? all : [...all.slice(0, most), all.slice(most).join(by)]; }),
  rsplit: kwf((kw, x, by = null, most = kw.maxsplit ?? -1n) => { most = index(most); const all = by === null ? words(x, -1) : x.split(by), glue = by ?? " "; return most < 0 || all.length <= most + 1 ? all : [all.slice(0, all.length - most).join(glue), ...all.slice(all.length - most)]; }),
  splitlines: x => x.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n").filter((line, k, all) => all.length > 1 || line),
  join: (x, items) => [...iter(items)].map(y => typeof y === "string" ? y : raise($.TypeError, `sequence item: expected str instance, ${typename(y)} found`)).join(x),
  strip: (x, c) => stripped(x, c, true, true), lstrip: (x, c) => stripped(x, c, true, false), rstrip: (x, c) => stripped(x, c, false, true),
  upper: x => x.toUpperCase(), lower: x => x.toLowerCase(), casefold: x => x.toLowerCase(),
  capitalize: x => x.slice(0, 1).toUpperCase() + x.slice(1).toLowerCase(), title: x => x.replace(/\p{L}+/gu, w => w[0].toUpperCase() + w.slice(1).toLowerCase()),
  swapcase: x => [...x].map(c => c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase()).join(""),
  replace: (x, a, b, most = -1n) => { if (most < 0n) return x.replaceAll(a, () => b); let told = x, from = 0; for (let k = 0; k < most; k++) { const at = told.indexOf(a, from); if (at < 0) break; told = told.slice(0, at) + b + told.slice(at + a.length); from = at + b.length; } return told; },
  startswith: (x, y, from = 0n) => (y instanceof Tuple ? [...y] : [y]).some(z => x.startsWith(z, index(from))), endswith: (x, y) => (y instanceof Tuple ? [...y] : [y]).some(z => x.endsWith(z)),
  find: (x, y, from = 0n) => BigInt(x.indexOf(y, index(from))), rfind: (x, y) => BigInt(x.lastIndexOf(y)),
  index: (x, y) => { const k = x.indexOf(y); if (k < 0) raise($.ValueError, "substring not found"); return BigInt(k); },
  rindex: (x, y) => { const k = x.lastIndexOf(y); if (k < 0) raise($.ValueError, "substring not found"); return BigInt(k); },
  count: (x, y) => BigInt(y === "" ? x.length + 1 : x.split(y).length - 1),
  partition: (x, by) => { const k = x.indexOf(by); return tuple_(k < 0 ? [x, "", ""] : [x.slice(0, k), by, x.slice(k + by.length)]); },
  rpartition: (x, by) => { const k = x.lastIndexOf(by); return tuple_(k < 0 ? ["", "", x] : [x.slice(0, k), by, x.slice(k + by.length)]); },
  isdigit: x => /^\d+$/.test(x), isdecimal: x => /^\d+$/.test(x), isnumeric: x => /^\p{N}+$/u.test(x), isalpha: x => /^\p{L}+$/u.test(x), isalnum: x => /^[\p{L}\p{N}]+$/u.test(x),
  isupper: x => x !== x.toLowerCase() && x === x.toUpperCase(), islower: x => x !== x.toUpperCase() && x === x.toLowerCase(), isspace: x => /^\s+$/.test(x), isidentifier: x => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(x), isascii: x => /^[\x00-\x7f]*$/.test(x),
  ljust: (x, w, c = " ") => x.padEnd(index(w), c), rjust: (x, w, c = " ") => x.padStart(index(w), c), zfill: (x, w) => fmt(x, `0>${index(w)}`),
  center: (x, w, c = " ") => { const missing = Math.max(0, index(w) - x.length), left = (missing >> 1) + (missing & index(w) & 1); return c.repeat(left) + x + c.repeat(missing - left); },
  removeprefix: (x, y) => x.startsWith(y) ? x.slice(y.length) : x, removesuffix: (x, y) => y && x.endsWith(y) ? x.slice(0, -y.length) : x,
  translate: (x, table) => [...x].map(c => { const e = table.find(BigInt(c.codePointAt(0))); return e === undefined ? c : e[1] === null ? "" : typeof e[1] === "bigint" ? String.fromCodePoint(Number(e[1])) : e[1]; }).join(""),
  encode: x => [...new TextEncoder().encode(x)].map(BigInt), expandtabs: x => x.replaceAll("\t", "        "),
  format: kwf((kw, x, ...all) => { let at = 0; return x.replace(/\{\{|\}\}|\{(\w*)(?:!([sr]))?(?::([^{}]*))?\}/g, (whole, name, conversion, spec) => whole === "{{" ? "{" : whole === "}}" ? "}" : fmt(name === "" ? all[at++] : /^\d+$/.test(name) ? all[Number(name)] : kw[name], spec ?? "", conversion ?? "")); }),
};
const LIST = {
  append: (x, y) => { x.push(y); return null; }, extend: (x, y) => { x.push(...iter(y)); return null; }, pop: (x, k = -1n) => { if (!x.length) raise($.IndexError, "pop from empty list"); return x.splice(place(index(k), x.length, "pop"), 1)[0]; },
  insert: (x, k, y) => { x.splice(index(k), 0, y); return null; }, remove: (x, y) => { const k = x.findIndex(z => eq(z, y)); if (k < 0) raise($.ValueError, "list.remove(x): x not in list"); x.splice(k, 1); return null; },
  index: (x, y, from = 0n) => { for (let k = index(from); k < x.length; k++) if (eq(x[k], y)) return BigInt(k); raise($.ValueError, `${repr(y)} is not in ${typename(x)}`); },
  count: (x, y) => BigInt([...x].filter(z => eq(z, y)).length), reverse: x => { Array.prototype.reverse.call(x); return null; }, copy: x => [...x], clear: x => { x.length = 0; return null; },
  sort: kwf((kw, x) => { const made = sorted(kw, x); x.length = 0; x.push(...made); return null; }),
  decode: x => String.fromCharCode(...x.map(Number)), hex: x => x.map(y => y.toString(16).padStart(2, "0")).join(""), popleft: x => x.length ? x.shift() : raise($.IndexError, "pop from an empty deque"), appendleft: (x, y) => { x.unshift(y); return null; },
};
const DICT = {
  get: (x, k, other = null) => { const e = x.find(k); return e ? e[1] : other; }, keys: x => new Keys(x), values: x => [...x.map.values()].map(e => e[1]), items: x => [...x.pairs()],
  pop: (x, k, other) => { const e = x.find(k); if (!e) { if (other === undefined) raise($.KeyError, repr(k)); return other; } x.map.delete(hash(k)); return e[1]; },
  popitem: x => { const [h, e] = [...x.map].at(-1) ?? raise($.KeyError, "popitem(): dictionary is empty"); x.map.delete(h); return tuple_(e); },
  setdefault: (x, k, other = null) => { const e = x.find(k); if (e) return e[1]; x.set(k, other); return other; }, copy: x => { const made = new x.constructor(); made.factory = x.factory; for (const [k, v] of x.pairs()) made.set(k, v); return made; },
  update: kwf((kw, x, y) => { if (y) for (const [k, v] of y instanceof Dict ? y.pairs() : iter(y)) x.set(k, v); for (const [k, v] of Object.entries(kw)) x.set(k, v); return null; }), clear: x => { x.map.clear(); return null; },
  most_common: (x, n) => { const all = [...x.pairs()].sort((a, b) => compare(b[1], a[1])); return n === undefined || n === null ? all : all.slice(0, index(n)); }, elements: x => [...x.pairs()].flatMap(([k, v]) => Array(index(v)).fill(k)), total: x => $.sum(DICT.values(x)),
};
const SET = {
  add: (x, y) => x.add(y), discard: (x, y) => { x.map.delete(hash(y)); return null; }, remove: (x, y) => { if (!x.map.delete(hash(y))) raise($.KeyError, repr(y)); return null; }, update: (x, ...many) => { for (const y of many) for (const z of iter(y)) x.add(z); return null; },
  union: (x, ...many) => set([...x, ...many.flatMap(y => [...iter(y)])]), intersection: (x, y) => set([...x].filter(z => contains(y, z))), difference: (x, y) => set([...x].filter(z => !contains(y, z))), symmetric_difference: (x, y) => operators.xor(x, set(y)),
  issubset: (x, y) => [...x].every(z => contains(y, z)), issuperset: (x, y) => [...iter(y)].every(z => x.has(z)), isdisjoint: (x, y) => ![...iter(y)].some(z => x.has(z)), copy: x => set(x), clear: x => { x.map.clear(); return null; },
  pop: x => { const [h, v] = [...x.map][0] ?? raise($.KeyError, "pop from an empty set"); x.map.delete(h); return v; },
};
const bitLength = x => { const v = int_(x); return BigInt((v < 0n ? -v : v).toString(2).length) - (v === 0n ? 1n : 0n); };
const INT = {
  bit_count: x => { const v = int_(x), t = (v < 0n ? -v : v).toString(2); let n = 0n; for (const c of t) if (c === "1") n++; return n; }, bit_length: bitLength, item: x => x instanceof Word ? x.v : x, tolist: x => x instanceof Word ? x.v : x, is_integer: x => typeof x === "number" ? Number.isInteger(x) : true,
  to_bytes: kwf((kw, x, n = 1n, order = kw.byteorder ?? "big") => { const v = BigInt.asUintN(index(n) * 8, int_(x)); const all = Array.from({ length: index(n) }, (_, k) => (v >> BigInt(8 * k)) & 255n); return order === "little" ? all : all.reverse(); }), astype: (x, kind) => kind(x), conjugate: x => x,
};
const ND_METHODS = {
  tolist: x => x.shape.length ? [...x].map(y => y instanceof ND ? ND_METHODS.tolist(y) : y instanceof Word ? y.v : y) : INT.item(x.memory.read(x.offset)), sum: kwf((kw, x, axis = kw.axis) => axis === undefined || axis === null ? $.sum(x.flat()) : $.numpy.sum.call(null, x, axis)), any: x => [...x.flat()].some(truth), all: x => [...x.flat()].every(truth), max: x => $.max([...x.flat()]), min: x => $.min([...x.flat()]),
  copy: x => array(x.kind, [...x.shape], [...x.flat()]), ravel: x => array(x.kind, [x.size], [...x.flat()]), flatten: x => array(x.kind, [x.size], [...x.flat()]), fill: (x, y) => { x.fill(y); return null; }, item: x => INT.item([...x.flat()][0]), astype: (x, kind) => asarray(x, kind.code ?? kind), mean: x => $.div($.sum(x.flat()), BigInt(x.size)),
  reshape: (x, ...shape) => { let wanted = (shape.length === 1 && Array.isArray(shape[0]) ? shape[0] : shape).map(index); const known = wanted.filter(n => n >= 0).reduce((a, b) => a * b, 1); wanted = wanted.map(n => n < 0 ? x.size / known : n); return array(x.kind, [...wanted], [...x.flat()]); },
  nonzero: x => $.numpy.nonzero(x), argmax: x => $.numpy.argmax(x), argmin: x => $.numpy.argmin(x), tobytes: x => { throw new Error("tobytes"); }, cumsum: x => $.numpy.cumsum(x),
};
const RANGE = { index: (x, y) => { if (!contains(x, y)) raise($.ValueError, `${y} is not in range`); return (int_(y) - x.start) / x.step; }, count: (x, y) => contains(x, y) ? 1n : 0n };
const table = x => typeof x === "string" ? STR : x instanceof ND ? ND_METHODS : Array.isArray(x) ? LIST : x instanceof Dict ? DICT : x instanceof PySet || x instanceof Keys ? SET : isNumber(x) ? INT : x instanceof Range ? RANGE : null;

// ---------------------------------------------------------------- calls, attributes, classes
function m(o, name, ...args) {
  if (o === null || o === undefined) raise($.AttributeError, `'NoneType' object has no attribute '${name}'`);
  const own = o[name];
  const methods = table(o);
  if (methods && Object.hasOwn(methods, name)) return methods[name](o, ...args);
  if (typeof own === "function") return own.call(o, ...args);
  if (own !== undefined && typeof own.__call__ === "function") return own.__call__(...args);
  if (methods === null && typeof o === "function" && $.unbound(o, name)) return $.unbound(o, name)(...args);
  raise($.AttributeError, `'${typename(o)}' object has no attribute '${name}'`);
}
function get(o, name) {
  if (o === null || o === undefined) raise($.AttributeError, `'NoneType' object has no attribute '${name}'`);
  const methods = table(o);
  if (methods) {
    if (o instanceof ND) { if (name === "shape") return tuple_(o.shape.map(BigInt)); if (name === "size") return BigInt(o.size); if (name === "ndim") return BigInt(o.shape.length); if (name === "dtype") return $.numpy.dtype("<" + o.kind); if (name === "T") return new ND(o.kind, [...o.shape].reverse(), o.memory, o.offset, [...o.strides].reverse()); if (name === "flat") return [...o.flat()]; }
    if (o instanceof Range && name in o) return o[name];
    if (Object.hasOwn(methods, name)) { const f = (...args) => methods[name](o, ...args); f.takes = methods[name].takes; return f; }
    if (o instanceof Tuple && o.$class && o[name] !== undefined) return o[name];
    if (isNumber(o) && name === "real") return o;
  }
  if (name === "__name__" && o.__name__) return o.__name__;
  if (name === "__class__" || name === "$class") return o.$class;
  if (name === "__dict__") return dict(Object.entries(o));
  if (typeof o === "function" && !Object.hasOwn(o, name)) { const found = $.unbound(o, name); if (found) return found; if (name in { name: 1, length: 1 }) raise($.AttributeError, name); }
  const own = o[name];
  if (own === undefined) raise($.AttributeError, `'${typename(o)}' object has no attribute '${name}'`);
  if (typeof own === "function" && o.$class && !Object.hasOwn(o, name) && !own.$class && !own.static) { const bound = (...args) => own.apply(o, args); bound.sig = own.sig; return bound; }
  return own;
}
function run(f, args) { return f(...args); }
function call(f, args, kw) {
  if (f.takes || f.all || f.problem) return f(...args, new Kw(kw));
  if (f.sig) {
    const [plain, only, rest, more] = f.sig;
    if (only.length || rest || more) return f(...args, new Kw(kw));
    const placed = [...args];
    for (const [name, x] of Object.entries(kw)) { const k = plain.indexOf(name); if (k < 0) raise($.TypeError, `got an unexpected keyword argument '${name}'`); placed[k] = x; }
    return f(...placed);
  }
  return f(...args, new Kw(kw));
}
function bind([plain, only, rest, more], all) {
  const kw = all.length && all[all.length - 1] instanceof Kw ? { ...all.pop().all } : {};
  const placed = all.slice(0, plain.length);
  while (placed.length < plain.length) { const name = plain[placed.length]; placed.push(kw[name]); delete kw[name]; }
  if (rest) placed.push(tuple_(all.slice(plain.length)));
  for (const name of only) { placed.push(kw[name]); delete kw[name]; }
  if (more) placed.push(dict(Object.entries(kw)));
  return placed;
}
const fn = (sig, f) => { f.sig = sig; return f; };
function class_(name, bases, { data, named, members } = {}) {
  const problemBase = bases.find(b => b.problem);
  if (problemBase) { const kind = problem(name, problemBase); return kind; }
  const cls = (...all) => {
    const kw = all.length && all[all.length - 1] instanceof Kw ? all.pop().all : {};
    if (cls.members) { const found = cls.members.find(each => eq(each.value, all[0])); return found ?? raise($.ValueError, `${repr(all[0])} is not a valid ${name}`); }
    if (cls.isNamed) {
      const values = cls.fields.map((field, k) => k < all.length ? all[k] : field[0] in kw ? kw[field[0]] : field.length > 1 ? field[1] : raise($.TypeError, `${name}() missing argument '${field[0]}'`));
      return $.named(cls, values);
    }
    const made = Object.create(cls.prototype);
    if (typeof cls.prototype.__init__ === "function") { call(fnOf(cls.prototype, "__init__", made), all, kw); return made; }
    if (cls.fields) {
      if (all.length > cls.fields.length) raise($.TypeError, `${name}() takes ${cls.fields.length} arguments, got ${all.length}`);
      for (const key of Object.keys(kw)) if (!cls.fields.some(([field]) => field === key)) raise($.TypeError, `${name}() got an unexpected keyword argument '${key}'`);
      cls.fields.forEach((field, k) => { made[field[0]] = k < all.length && all[k] !== undefined ? all[k] : Object.hasOwn(kw, field[0]) ? kw[field[0]] : field.length === 3 ? field[2]() : field.length === 2 ? field[1] : raise($.TypeError, `${name}() missing argument '${field[0]}'`); });
      if (typeof made.__post_init__ === "function") made.__post_init__();
    }
    return made;
  };
  const fnOf = (proto, method, self) => { const f = (...args) => proto[method].apply(self, args); f.sig = proto[method].sig; return f; };
  cls.all = true;
  cls.__name__ = name;
  cls.bases = bases;
  cls.own = {};
  const parents = bases.filter(b => b.prototype);
  cls.prototype = Object.create(named ? Tuple.prototype : parents[0]?.prototype ?? Object.prototype);
  for (const extra of parents.slice(1)) for (let p = extra.prototype; p && p !== Object.prototype; p = Object.getPrototypeOf(p)) for (const key of Reflect.ownKeys(p)) if (!(key in cls.prototype)) Object.defineProperty(cls.prototype, key, Object.getOwnPropertyDescriptor(p, key));
  Object.defineProperty(cls.prototype, "$class", { value: cls, enumerable: false });
  cls.fields = named ?? data ?? parents[0]?.fields;
  cls.isNamed = Boolean(named);
  if (members) { cls.members = members.map(([key, value]) => { const made = Object.create(cls.prototype); made.name = key; made.value = value; cls[key] = made; return made; }); cls.prototype.__hash__ = function () { return this.name; }; }
  return cls;
}
const named = (cls, values) => { const made = tuple_(values); Object.setPrototypeOf(made, cls.prototype); cls.fields.forEach(([field], k) => { Object.defineProperty(made, field, { value: values[k], enumerable: false }); }); return made; };
const above = (cls, self, name) => { for (const base of cls.bases) { const found = base.prototype?.[name]; if (typeof found === "function") { const f = (...args) => found.apply(self, args); f.sig = found.sig; return f; } } if (name === "__init__" || name === "__post_init__") return () => null; raise($.AttributeError, `'super' object has no attribute '${name}'`); };
// What a class has is made when it is first asked for: it may need what is told further down.
function method_(cls, name, thunk) {
  let f = null;
  const raw = () => f ??= thunk();
  cls.own[name] = raw;
  const place = { configurable: true, get() {
    const f = raw(), self = this;
    const bound = function (...args) { return f(this === undefined || this === null ? self : this, ...args); };
    if (f.sig) bound.sig = [f.sig[0].slice(1), ...f.sig.slice(1)];
    return bound;
  }, set(value) { Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true }); } };
  Object.defineProperty(cls.prototype, name, place);
}
const unbound = (cls, name) => { for (let c = cls; c; c = c.bases?.[0]) if (c.own && Object.hasOwn(c.own, name)) return c.own[name](); return null; };
function property_(cls, name, thunk) {
  let f = null;
  Object.defineProperty(cls.prototype, name, { configurable: true, get() { return (f ??= thunk())(this); }, set(value) { Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true }); } });
}
function static_(cls, name, thunk) {
  let known = false, value;
  const read = () => { if (!known) { value = thunk(); known = true; } return value; };
  const place = { configurable: true, get: () => { const x = read(); if (typeof x === "function" && !x.all) { const f = (...args) => x(...args); f.sig = x.sig; f.static = true; f.takes = x.takes; return f; } return x; },
    set(value) { Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true }); } };
  Object.defineProperty(cls.prototype, name, place);
  Object.defineProperty(cls, name, { ...place, enumerable: true });
}
const classmethod_ = (cls, name, thunk) => static_(cls, name, () => { const f = thunk(); return (...args) => f(cls, ...args); });
const bare = cls => cls.isNamed ? [] : Object.create(cls.prototype);

// ---------------------------------------------------------------- what Python has by itself
function sorted(kw, items) {
  const key = kw.key ?? null, all = [...iter(items)].map(x => [key ? key(x) : x, x]);
  all.sort((a, b) => truth(kw.reverse ?? false) ? compare(b[0], a[0]) : compare(a[0], b[0]));
  return all.map(x => x[1]);
}
const extreme = sign => kwf((kw, ...args) => {
  const items = args.length === 1 ? [...iter(args[0])] : args;
  if (!items.length) { if ("default" in kw) return kw.default; raise($.ValueError, "max() iterable argument is empty"); }
  const key = kw.key ?? (x => x);
  let best = items[0], value = key(best);
  for (const x of items.slice(1)) { const v = key(x); if (sign * compare(v, value) > 0) { best = x; value = v; } }
  return best;
});
const isKind = (x, kind) => {
  if (Array.isArray(kind)) return kind.some(each => isKind(x, each));
  if (kind === null) return x === null;
  if (kind.test) return kind.test(x);
  if (kind.problem) { for (let c = x?.kind; c; c = c.base) if (c === kind) return true; return false; }
  if (x === null || typeof x !== "object" && typeof x !== "function") return false;
  const up = c => c && (c === kind || (c.bases ?? []).some(up));
  return up(x.$class);
};
const kinds = (f, test, more = {}) => Object.assign(f, { test, ...more });
const builtins = {
  len, iter, truth, repr, str: kinds((x = "") => str(x), x => typeof x === "string", { __name__: "str" }), bytes: kinds(x => [...iter(x)].map(int_), () => false), bytearray: kinds(x => typeof x === "bigint" ? Array.from({ length: Number(x) }, () => 0n) : [...iter(x)].map(int_), () => false),
  int: kinds(kwf((kw, x = 0n, base = kw.base ?? 10n) => {
    if (typeof x !== "string") return typeof x === "number" ? toInt(x) : x?.$class && typeof x.__int__ === "function" ? x.__int__() : int_(x);
    const text = x.trim().replaceAll("_", ""), digits = "0123456789abcdefghijklmnopqrstuvwxyz".slice(0, index(base));
    const found = /^([+-]?)([0-9a-z]+)$/i.exec(text.replace(/^([+-]?)0[xbo](?=.)/i, (all, sign) => base === 10n ? all : sign));
    if (!found || [...found[2].toLowerCase()].some(c => !digits.includes(c))) raise($.ValueError, `invalid literal for int() with base ${base}: ${repr(x)}`);
    let value = 0n; for (const c of found[2].toLowerCase()) value = value * base + BigInt(digits.indexOf(c));
    return found[1] === "-" ? -value : value;
  }), x => typeof x === "bigint" || typeof x === "boolean", { __name__: "int", from_bytes: kwf((kw, all, order = kw.byteorder ?? "big") => { let v = 0n; for (const b of order === "little" ? [...all].reverse() : all) v = v << 8n | BigInt(b); return v; }) }),
  float: kinds((x = 0) => { if (typeof x !== "string") return num(x); const t = x.trim().toLowerCase(); if (/^[+-]?(inf|infinity)$/.test(t)) return t[0] === "-" ? -Infinity : Infinity; if (t === "nan") return NaN; if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(t)) raise($.ValueError, `could not convert string to float: ${repr(x)}`); return Number(t); }, x => typeof x === "number", { __name__: "float" }),
  bool: kinds((x = false) => truth(x), x => typeof x === "boolean", { __name__: "bool" }),
  list: kinds((x = []) => [...iter(x)], x => Array.isArray(x) && !(x instanceof Tuple), { __name__: "list" }), tuple: kinds((x = []) => x instanceof Tuple && !x.$class ? x : tuple_([...iter(x)]), x => x instanceof Tuple, { __name__: "tuple" }),
  dict: kinds(kwf((kw, x) => { const made = x === undefined ? new Dict() : dict(x instanceof Dict ? x : typeof x.keys === "function" && !isSeq(x) ? pairs(x) : x); for (const [k, v] of Object.entries(kw)) made.set(k, v); return made; }), x => x instanceof Dict, { __name__: "dict", fromkeys: (keys, value = null) => dict([...iter(keys)].map(k => [k, value])) }),
  set: kinds(set, x => x instanceof PySet, { __name__: "set" }), frozenset: kinds(set, x => x instanceof PySet, { __name__: "frozenset" }),
  object: kinds(() => ({}), () => true), type: kinds(x => x?.$class ?? x?.kind ?? (typeof x === "string" ? builtins.str : typeof x === "bigint" ? builtins.int : typeof x === "number" ? builtins.float : typeof x === "boolean" ? builtins.bool : x instanceof Tuple ? builtins.tuple : Array.isArray(x) ? builtins.list : x instanceof Dict ? builtins.dict : x instanceof PySet ? builtins.set : x?.constructor), x => Boolean(x?.all)),
  range: kinds((a, b, step = 1n) => b === undefined ? new Range(0n, int_(a), 1n) : new Range(int_(a), int_(b), int_(step)), x => x instanceof Range, { __name__: "range" }),
  enumerate: kwf((kw, x, start = kw.start ?? 0n) => (function* () { let n = int_(start); for (const y of iter(x)) yield tuple_([n++, y]); })()),
  zip: kwf((kw, ...all) => (function* () { const its = all.map(x => iter(x)[Symbol.iterator]()); if (!its.length) return; for (;;) { const next = its.map(i => i.next()); const done = next.filter(n => n.done).length; if (done) { if (truth(kw.strict ?? false) && done !== its.length) raise($.ValueError, "zip() arguments have different lengths"); return; } yield tuple_(next.map(n => n.value)); } })()),
  map: (f, ...all) => (function* () { for (const args of builtins.zip(...all)) yield f(...args); })(), filter: (f, x) => (function* () { for (const y of iter(x)) if (truth(f === null ? y : f(y))) yield y; })(),
  sorted: kwf(sorted), reversed: x => typeof x === "string" ? [...x].reverse() : Array.from(iter(x instanceof Dict ? [...x] : x)).reverse(), sum: kwf((kw, x, start = kw.start ?? 0n) => { let total = start; for (const y of iter(x)) total = operators.add(total, y instanceof Word && typeof total === "bigint" && total === 0n ? y : y); return total; }),
  min: extreme(-1), max: extreme(1), abs: x => x instanceof ND ? elementwise(a => builtins.abs(a), x, 0n) : typeof x === "number" ? Math.abs(x) : x instanceof Word ? x : int_(x) < 0n ? -int_(x) : int_(x),
  round: (x, n = null) => { if (typeof x !== "number") return n !== null && n < 0n ? BigInt(Math.round(Number(x) / 10 ** -index(n))) * 10n ** -n : int_(x); if (n === null) return BigInt(fixed(x, 0)); return Number(fixed(x, Math.max(0, index(n)))); },
  any: x => { for (const y of iter(x)) if (truth(y)) return true; return false; }, all: x => { for (const y of iter(x)) if (!truth(y)) return false; return true; },
  divmod: (a, b) => tuple_([operators.floordiv(a, b), operators.mod(a, b)]), pow: (a, b, c) => c === undefined ? operators.pow_(a, b) : (() => { let r = 1n, x = floorMod(a, c), e = b; while (e > 0n) { if (e & 1n) r = r * x % c; x = x * x % c; e >>= 1n; } return r; })(),
  next: (x, other) => { if (typeof x === "string" || isSeq(x)) raise($.TypeError, "not an iterator"); const got = (x.next ? x : x[Symbol.iterator]()).next(); if (got.done) { if (other !== undefined) return other; raise($.StopIteration, ""); } return got.value; },
  isinstance: isKind, issubclass: (x, kind) => { const up = c => c && (c === kind || (c.bases ?? [c.base]).some(up)); return Boolean(up(x)); }, callable: x => typeof x === "function", print: kwf(() => null), id: x => x, hash: x => hash(x),
  getattr: (o, name, other) => { try { return get(o, name); } catch (e) { if (other !== undefined && isKind(e, $.AttributeError)) return other; throw e; } }, hasattr: (o, name) => { try { get(o, name); return true; } catch { return false; } }, setattr: (o, name, x) => { o[name] = x; return null; },
  ord: x => BigInt(x.codePointAt(0)), chr: x => String.fromCodePoint(index(x)), bin: x => fmt(int_(x), "#b"), hex: x => fmt(int_(x), "#x"), format: (x, spec = "") => fmt(x, spec), slice: (...a) => a.length === 1 ? new Slice(null, a[0], null) : new Slice(a[0], a[1], a[2] ?? null),
};
builtins.iter = kinds(x => iter(x)[Symbol.iterator](), () => false);

const combinations = function* (items, r) { const all = [...iter(items)], n = all.length, k = index(r), at = Array.from({ length: k }, (_, i) => i); if (k > n) return; for (;;) { yield tuple_(at.map(i => all[i])); let i = k - 1; while (i >= 0 && at[i] === i + n - k) i--; if (i < 0) return; at[i]++; for (let j = i + 1; j < k; j++) at[j] = at[j - 1] + 1; } };
const itertools = {
  pairwise: x => { const all = [...iter(x)]; return all.slice(1).map((y, k) => tuple_([all[k], y])); }, combinations,
  product: kwf((kw, ...all) => { let lists = all.map(x => [...iter(x)]); const times = index(kw.repeat ?? 1n); lists = [].concat(...Array.from({ length: times }, () => lists)); return (function* walk(k, sofar) { if (k === lists.length) yield tuple_([...sofar]); else for (const x of lists[k]) yield* walk(k + 1, [...sofar, x]); })(0, []); }),
  chain: Object.assign((...all) => (function* () { for (const x of all) yield* iter(x); })(), { from_iterable: all => (function* () { for (const x of iter(all)) yield* iter(x); })() }),
  permutations: (items, r = null) => { const all = [...iter(items)], k = r === null ? all.length : index(r); return (function* walk(sofar) { if (sofar.length === k) yield tuple_(sofar.map(i => all[i])); else for (let i = 0; i < all.length; i++) if (!sofar.includes(i)) yield* walk([...sofar, i]); })([]); },
  accumulate: kwf((kw, x, f = operators.add) => (function* () { let total = kw.initial ?? null, first = !("initial" in kw) || kw.initial === null; if (!first) yield total; for (const y of iter(x)) { total = first ? y : f(total, y); first = false; yield total; } })()),
  count: (start = 0n, step = 1n) => (function* () { for (let n = start; ; n = operators.add(n, step)) yield n; })(), repeat: (x, times) => (function* () { for (let k = 0; times === undefined || k < index(times); k++) yield x; })(), cycle: x => (function* () { const all = [...iter(x)]; if (all.length) for (;;) yield* all; })(),
  islice: (x, a, b, step = 1n) => (function* () { const [from, to] = b === undefined ? [0, a] : [index(a ?? 0n), b]; let k = 0; const end = to === null ? Infinity : index(to); if (end <= 0) return; for (const y of iter(x)) { if (k >= from && (k - from) % index(step ?? 1n) === 0) yield y; if (++k >= end) return; } })(),
  zip_longest: kwf((kw, ...all) => { const lists = all.map(x => [...iter(x)]), n = Math.max(0, ...lists.map(x => x.length)); return Array.from({ length: n }, (_, k) => tuple_(lists.map(x => k < x.length ? x[k] : kw.fillvalue ?? null))); }),
  takewhile: (f, x) => (function* () { for (const y of iter(x)) { if (!truth(f(y))) return; yield y; } })(), dropwhile: (f, x) => (function* () { let on = false; for (const y of iter(x)) { on ||= !truth(f(y)); if (on) yield y; } })(), starmap: (f, x) => (function* () { for (const y of iter(x)) yield f(...y); })(),
  groupby: kwf((kw, x, key = kw.key ?? null) => { const made = []; for (const y of iter(x)) { const k = key ? key(y) : y; if (made.length && eq(made.at(-1)[0], k)) made.at(-1)[1].push(y); else made.push(tuple_([k, [y]])); } return made; }),
};
const unary = f => x => x instanceof ND ? array("f8", [...x.shape], [...x.flat()].map(y => f(num(y)))) : f(num(x));
const math = {
  sin: x => Math.sin(num(x)), cos: x => Math.cos(num(x)), tan: x => Math.tan(num(x)), atan2: (y, x) => Math.atan2(num(y), num(x)), sqrt: x => num(x) < 0 ? raise($.ValueError, "math domain error") : Math.sqrt(num(x)), floor: x => typeof x === "number" ? BigInt(Math.floor(x)) : int_(x), ceil: x => typeof x === "number" ? BigInt(Math.ceil(x)) : int_(x), hypot: (...a) => Math.hypot(...a.map(num)), dist: (a, b) => Math.hypot(...[...iter(a)].map((x, k) => num(x) - num([...iter(b)][k]))),
  log: (x, base) => base === undefined ? Math.log(num(x)) : Math.log(num(x)) / Math.log(num(base)), log2: x => Math.log2(num(x)), exp: x => Math.exp(num(x)), isfinite: x => Number.isFinite(num(x)), isnan: x => Number.isNaN(num(x)), fabs: x => Math.abs(num(x)), copysign: (x, y) => Math.sign(num(y)) * Math.abs(num(x)), isclose: kwf((kw, a, b) => Math.abs(num(a) - num(b)) <= Math.max(num(kw.rel_tol ?? 1e-9) * Math.max(Math.abs(num(a)), Math.abs(num(b))), num(kw.abs_tol ?? 0))),
  comb: (n, k) => { let r = 1n; if (k > n) return 0n; for (let i = 1n; i <= k; i++) r = r * (n - k + i) / i; return r; }, prod: x => { let p = 1n; for (const y of iter(x)) p = operators.mul(p, y); return p; }, gcd: (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; }, isqrt: x => { let r = BigInt(Math.floor(Math.sqrt(Number(x)))); while (r * r > x) r--; while ((r + 1n) * (r + 1n) <= x) r++; return r; },
};
const code = kind => typeof kind === "string" ? kind : kind?.code ?? (kind === builtins.int ? "i8" : kind === builtins.float ? "f8" : kind === builtins.bool ? "b1" : kind?.kind ?? "f8");
const dims = shape => isSeq(shape) ? [...iter(shape)].map(index) : [index(shape)];
const filled = (x, otherwise = "f8") => kwf((kw, shape, kind = kw.dtype) => { if (kind?.make) return Array.from({ length: dims(shape)[0] }, kind.make); const k = kind === undefined || kind === null ? otherwise : code(kind), d = dims(shape); return array(k, d, Array.from({ length: d.reduce((a, b) => a * b, 1) }, () => coded(k, x))); });
const scalar = kind => kinds((x = 0n) => x instanceof ND ? asarray(x, kind) : coded(kind, typeof x === "string" ? (kind[0] === "f" ? builtins.float(x) : builtins.int(x)) : x), kind === "u8" ? x => x instanceof Word : () => false, { code: kind, __name__: kind });
const reduce = f => kwf((kw, x, axis = kw.axis) => { const a = asarray(x); if (axis === undefined || axis === null) return f([...a.flat()]); if (index(axis) === 0) { const rows = [...a]; return asarray(Array.from({ length: a.shape[1] ?? 0 }, (_, c) => f(rows.map(r => r.at(c))))); } return asarray([...a].map(r => f([...r.flat()]))); });
const numpy = {
  dtype: text => ({ code: text.replace(/[<>|=]/, "").replace("b1", "b1") }), constant: (kind, shape, flat) => array(kind, shape, kind[0] === "f" ? flat.map(Number) : kind === "b1" ? flat.map(Boolean) : kind === "u8" ? flat.map(x => new Word(BigInt(x))) : flat.map(BigInt)),
  zeros: filled(0n), ones: filled(1n), empty: filled(0n), zeros_like: x => array(x.kind, [...x.shape], Array.from({ length: x.size }, () => coded(x.kind, 0n))), full: kwf((kw, shape, x, kind = kw.dtype) => filled(x, typeof x === "number" ? "f8" : "i8")(shape, kind ?? undefined)), array: kwf((kw, x, kind = kw.dtype) => { const a = asarray(Array.isArray(x) || x instanceof ND ? x : [...(isNumber(x) ? [x] : iter(x))], kind === undefined || kind === null ? undefined : code(kind)); return a === x ? ND_METHODS.copy(a) : a; }), asarray: kwf((kw, x, kind = kw.dtype) => asarray(x, kind === undefined || kind === null ? undefined : code(kind))),
  arange: kwf((kw, ...a) => asarray([...builtins.range(...a)], kw.dtype ? code(kw.dtype) : "i8")), flatnonzero: x => { const found = []; let k = 0n; for (const y of asarray(x).flat()) { if (truth(y)) found.push(k); k++; } return array("i8", [found.length], found); }, nonzero: x => { const a = asarray(x), found = []; [...a.flat()].forEach((y, k) => { if (truth(y)) found.push(k); }); return tuple_(a.shape.map((n, axis) => { const below = a.shape.slice(axis + 1).reduce((p, q) => p * q, 1); return array("i8", [found.length], found.map(k => BigInt(Math.floor(k / below) % n))); })); },
  sum: reduce(all => builtins.sum(all)), any: reduce(all => all.some(truth)), all: reduce(all => all.every(truth)), max: reduce(all => builtins.max(all)), min: reduce(all => builtins.min(all)), prod: reduce(all => math.prod(all)), ravel: x => ND_METHODS.ravel(asarray(x)), count_nonzero: x => BigInt([...asarray(x).flat()].filter(truth).length), abs: x => builtins.abs(x), array_equal: (x, y) => { const [a, b] = [asarray(x), asarray(y)]; return a.shape.join() === b.shape.join() && [...eq(a, b).flat()].every(truth); },
  argmax: x => { const all = [...asarray(x).flat()]; let best = 0; all.forEach((y, k) => { if (compare(y, all[best]) > 0) best = k; }); return BigInt(best); }, argmin: x => { const all = [...asarray(x).flat()]; let best = 0; all.forEach((y, k) => { if (compare(y, all[best]) < 0) best = k; }); return BigInt(best); }, where: (x, a, b) => { const t = asarray(x), p = a instanceof ND ? [...a.flat()] : null, q = b instanceof ND ? [...b.flat()] : null, flat = [...t.flat()].map((y, k) => truth(y) ? (p ? p[k] : a) : (q ? q[k] : b)); return array(kindOf(flat), [...t.shape], flat); },
  cumsum: x => asarray([...itertools.accumulate(asarray(x).flat())]), sqrt: unary(Math.sqrt), log: unary(Math.log), exp: unary(Math.exp), floor: unary(Math.floor), maximum: (a, b) => a instanceof ND || b instanceof ND ? elementwise((x, y) => builtins.max(x, y), a, b) : builtins.max(a, b), minimum: (a, b) => a instanceof ND || b instanceof ND ? elementwise((x, y) => builtins.min(x, y), a, b) : builtins.min(a, b), sort: x => { const a = asarray(x); return array(a.kind, [a.size], sorted({}, a.flat())); }, argsort: x => { const all = [...asarray(x).flat()]; return asarray(sorted({ key: k => all[Number(k)] }, builtins.range(BigInt(all.length)))); }, unique: x => { const a = asarray(x), all = sorted({}, set([...a.flat()])); return array(a.kind, [all.length], all); }, concatenate: x => asarray([...iter(x)].flatMap(y => [...asarray(y)])),
  errstate: kwf(() => null), ndarray: kinds(() => null, x => x instanceof ND), integer: kinds(() => null, x => x instanceof Word), floating: kinds(() => null, () => false), bool_: scalar("b1"), int8: scalar("i1"), int16: scalar("i2"), int32: scalar("i4"), int64: scalar("i8"), uint8: scalar("u1"), uint16: scalar("u2"), uint32: scalar("u4"), uint64: scalar("u8"), float32: scalar("f4"), float64: scalar("f8"),
};
const re = (() => {
  const compiled = (pattern, flags = 0n) => {
    if (typeof pattern !== "string") return pattern;
    let letters = "u";
    if (flags & 2n) letters += "i"; if (flags & 8n) letters += "m"; if (flags & 16n) letters += "s";
    let source = flags & 64n ? pattern.replace(/\\#|#[^\n]*/g, x => x === "\\#" ? "\\u0023" : "").replace(/(\[[^\]]*\])|\s+/g, (all, group) => group ?? "") : pattern;
    source = source.replace(/\(\?P<(\w+)>/g, "(?<$1>").replace(/\(\?P=(\w+)\)/g, "\\k<$1>").replace(/\\A/g, "^").replace(/\\Z/g, "$").replace(/\\([^\w\s^$\\.*+?()[\]{}|\/\-])/g, "$1").replace(/(^|[^\\])\\-(?![^[]*\])/g, "$1-");
    const self = { source, letters, pattern };
    const at = (text, sticky, whole, from = 0) => { const r = new RegExp(whole ? `(?:${source})$` : source, letters + (sticky ? "y" : "g")); r.lastIndex = from; return wrap(r.exec(text)); };
    self.match = (text) => at(text, true, false); self.fullmatch = text => at(text, true, true); self.search = text => at(text, false, false);
    self.finditer = text => [...text.matchAll(new RegExp(source, letters + "g"))].map(wrap); self.findall = text => [...text.matchAll(new RegExp(source, letters + "g"))].map(x => x.length === 1 ? x[0] : x.length === 2 ? x[1] ?? "" : tuple_(x.slice(1).map(y => y ?? "")));
    self.sub = (by, text) => text.replace(new RegExp(source, letters + "g"), (...all) => typeof by === "function" ? by(wrap(all.slice(0, all.findIndex((x, k) => k > 0 && typeof x === "number")))) : by.replace(/\\(\d)|\\g<(\w+)>/g, (_, n, name) => all[Number(n ?? name)] ?? ""));
    self.split = text => text.split(new RegExp(source, letters)).map(x => x ?? null); self.isPattern = true;
    return self;
  };
  const wrap = found => found && { groups: (other = null) => tuple_(found.slice(1).map(x => x ?? other)), group: (...all) => { const one = k => (typeof k === "string" ? found.groups?.[k] : found[index(k)]) ?? null; return all.length > 1 ? tuple_(all.map(one)) : one(all[0] ?? 0n); }, groupdict: () => dict(Object.entries(found.groups ?? {}).map(([k, v]) => [k, v ?? null])), start: () => BigInt(found.index ?? 0), end: () => BigInt((found.index ?? 0) + found[0].length), span: () => tuple_([BigInt(found.index ?? 0), BigInt((found.index ?? 0) + found[0].length)]), string: found.input, __getitem__: k => (typeof k === "string" ? found.groups?.[k] : found[index(k)]) ?? null };
  const by = name => (pattern, ...rest) => compiled(pattern)[name](...rest);
  return { compile: compiled, match: by("match"), fullmatch: by("fullmatch"), search: by("search"), findall: by("findall"), finditer: by("finditer"), split: by("split"), sub: by("sub"), escape: x => x.replace(/[^\w]/g, "\\$&") };
})();
const abcs = { Mapping: x => x instanceof Dict || typeof x?.keys === "function", MutableMapping: x => x instanceof Dict, Sequence: x => typeof x === "string" || isSeq(x), Iterable: x => typeof x === "string" || typeof x?.[Symbol.iterator] === "function" || typeof x?.__iter__ === "function", Iterator: x => typeof x?.next === "function", Hashable: () => true, Callable: x => typeof x === "function", Collection: x => typeof x === "string" || isSeq(x), Set: x => x instanceof PySet, Sized: x => typeof x?.length === "number" };
const abc = {};
for (const [name, test] of Object.entries(abcs)) abc[name] = kinds(() => null, test, { all: true, bases: [], own: {}, prototype: {} });
Object.assign(abc.Mapping.prototype, {
  get(k, other = null) { try { return this.__getitem__(k); } catch (e) { if (isKind(e, $.KeyError)) return other; throw e; } }, keys() { return [...iter(this)]; }, values() { return [...iter(this)].map(k => this.__getitem__(k)); }, items() { return [...iter(this)].map(k => tuple_([k, this.__getitem__(k)])); }, __contains__(k) { try { this.__getitem__(k); return true; } catch (e) { if (isKind(e, $.KeyError)) return false; throw e; } },
});
const wrapped = (text, width) => { const lines = []; let line = ""; for (let w of words(text, -1)) { while (w.length > width && !line) { lines.push(w.slice(0, width)); w = w.slice(width); } if (!line) line = w; else if (line.length + 1 + w.length <= width) line += " " + w; else { lines.push(line); line = w; } } if (line) lines.push(line); return lines; };
const copyOf = x => x instanceof ND ? ND_METHODS.copy(x) : x instanceof Tuple ? x : Array.isArray(x) ? [...x] : x instanceof Dict ? DICT.copy(x) : x instanceof PySet ? set(x) : typeof x?.copy === "function" ? x.copy() : x && typeof x === "object" && x.$class ? Object.assign(Object.create(Object.getPrototypeOf(x)), x) : x;
const deep = x => x instanceof Tuple ? tuple_([...x].map(deep)) : Array.isArray(x) ? x.map(deep) : x instanceof Dict ? dict([...x.pairs()].map(([k, v]) => [k, deep(v)])) : copyOf(x);

const all = {
  Tuple, Word, Slice, Kw, Dict, PySet, ND, Range, tuple_, word, hash, array, asarray, coded, int_, num, index, ...operators, ...inPlace, neg, pos: x => x, invert, eq, ne: (a, b) => { const e = eq(a, b); return e instanceof ND ? invert(e) : !e; },
  lt: compared(c => c < 0, (a, b) => within(a, b) && a.length < b.length), le: compared(c => c <= 0, within), gt: compared(c => c > 0, (a, b) => within(b, a) && a.length > b.length), ge: compared(c => c >= 0, (a, b) => within(b, a)),
  compare, contains, is, getitem, setitem, delitem, unpack, pairs, object, fmt, join: parts => parts.join(""), m, get, run, call, bind, fn, class_, named, above, method_, property_, static_, classmethod_, unbound, bare, kwf, float,
  absent: text => new Proxy({}, { get() { throw new Error(text); } }), types: { SimpleNamespace: kwf(kw => ({ ...kw })) },
  refused: text => { throw new Error(text); }, withheld: (o, name, text) => Object.defineProperty(o, name, { get() { throw new Error(text); } }),
  base64: { b64encode: all => [...btoa(String.fromCharCode(...all.map(Number)))].map(c => BigInt(c.charCodeAt(0))), b64decode: text => [...atob(text)].map(c => BigInt(c.charCodeAt(0))) }, raised: e => typeof e === "function" ? e() : e, caught: e => e instanceof PythonError ? e : e instanceof RangeError || e instanceof TypeError ? Object.assign(e, { kind: $.TypeError }) : e,
  ...builtins, math, itertools, numpy, re, abc, functools: { reduce: (f, x, start) => { let total = start; for (const y of iter(x)) total = total === undefined ? y : f(total, y); return total; }, partial: kwf((kw, f, ...first) => (...rest) => call(f, [...first, ...rest], kw)) },
  textwrap: { wrap: kwf((kw, text, width = kw.width ?? 70n) => wrapped(text, index(width))) }, html: { escape: kwf((kw, x, quote = kw.quote ?? true) => { let t = x.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;"); if (truth(quote)) t = t.replace(/"/g, "&quot;").replace(/'/g, "&#x27;"); return t; }) },
  dataclasses: { replace: kwf((kw, x) => x.$class(new Kw({ ...Object.fromEntries(x.$class.fields.map(([name]) => [name, x[name]])), ...kw }))), fields: x => tuple_((x.$class ?? x).fields.map(([name, value, factory]) => ({ name, default: value ?? null, default_factory: factory ?? null }))) },
  collections: { Counter: x => { const c = new Counter(); if (x) if (x instanceof Dict) for (const [k, v] of x.pairs()) c.set(k, v); else for (const y of iter(x)) c.set(y, (c.find(y)?.[1] ?? 0n) + 1n); return c; }, defaultdict: (factory, x) => { const d = new DefaultDict(); d.factory = factory; if (x) for (const [k, v] of pairs(x)) d.set(k, v); return d; }, deque: (x = []) => [...iter(x)], OrderedDict: x => dict(x ?? []) },
  operator: { itemgetter: (...keys) => x => keys.length === 1 ? getitem(x, keys[0]) : tuple_(keys.map(k => getitem(x, k))), attrgetter: name => x => get(x, name), add: operators.add, mul: operators.mul, sub: operators.sub }, copy: { copy: copyOf, deepcopy: deep }, typing: { cast: (_, x) => x }, contextlib: {}, string: {},
};
all.Exception = problem("Exception", null);
for (const [name, base] of [["ArithmeticError", "Exception"], ["LookupError", "Exception"], ["ValueError", "Exception"], ["TypeError", "Exception"], ["AttributeError", "Exception"], ["RuntimeError", "Exception"], ["AssertionError", "Exception"], ["StopIteration", "Exception"], ["KeyError", "LookupError"], ["IndexError", "LookupError"], ["OverflowError", "ArithmeticError"], ["ZeroDivisionError", "ArithmeticError"], ["NotImplementedError", "RuntimeError"]])
  all[name] = problem(name, all[base]);
return all;
})();

// The drivers of the searches: windows, depths, slices and answers; what is looked at is the kernels' business. Runs in a worker.
"use strict";

const NO_ACTION = -1, MOST_DEPTH = 250, LONGEST = 2 ** 52;

let halted = () => false;  // of a search that shares its memory: whether the page has had enough

// Limits as Python's: depth, nodes, seconds, simulations. Slices follow the speed, so that the clock is asked every few milliseconds.
class Pacer {
  constructor({ seconds = Infinity, nodes = Infinity } = {}, first = 2000, fewest = 50) {
    Object.assign(this, { begun: performance.now(), nodes, size: first, fewest });
    this.deadline = this.begun + 1000 * seconds;
  }
  get elapsed() { return (performance.now() - this.begun) / 1000; }
  over(done) { return done >= this.nodes || performance.now() >= this.deadline || halted(); }
  slice(work, most = Infinity, count = null) {
    const size = Math.max(1, Math.min(this.size, most)), before = count ? count() : 0, begun = performance.now(), answer = work(size), now = performance.now();
    if (count && count() - before < size) return answer;
    const goal = Math.min(8, Math.max(0.5, (this.deadline - now) / 4)), ratio = goal / Math.max(now - begun, 0.001);
    this.size = Math.trunc(Math.min(Math.max(size * Math.min(Math.max(ratio, 0.1), 4), this.fewest), 4e6));
    return answer;
  }
}

// A record that a kernel reads and writes.
class Fields {
  constructor(rules, number, fields, offset = 0) { Object.assign(this, { rules, number, fields, offset }); }
  get(name) { const [o, kind] = this.fields[name]; return GET[kind](this.rules.view, this.rules.at(this.number) + this.offset + o); }
  set(values) { for (const [name, x] of Object.entries(values)) { const [o, kind] = this.fields[name]; SET[kind](this.rules.view, this.rules.at(this.number) + this.offset + o, x); } }
}
const lineOf = (rules, number, length, from = 0) => Array.from({ length }, (_, i) => rules.action.get(rules.view, rules.at(number) + from + i * rules.action.size));
const sideOf = (rules, player) => rules.manifest.sides[player] ?? player;

// Alpha-beta: the kernel `steer` says what is looked at next, `search` looks, and here is only the clock. Of several threads the first
// one answers; the others look at the same position, with equals in another order and every second one a depth ahead, and fill the
// table that all share.
class AlphaBeta {
  constructor(rules, name = "alphabeta") {
    this.rules = rules;
    this.told = rules.manifest[name];
    [this.kernel, this.steering] = this.told.kernels.map(each => rules.bind(each));
    this.control = new Fields(rules, this.told.control, this.told.control_fields);
    this.root = new Fields(rules, this.told.frames, this.told.frame_fields);
    this.drive = new Fields(rules, this.told.drive, this.told.drive_fields);
    this.generation = this.control.get("generation") - 1;
    this.scoring = this.control.get("scoring");
    this.place = rules.share?.place ?? 0;
    if (name === "alphabeta" && rules.manifest.ending) this.ending = new Ending(rules);
  }
  words(name, Type) { const number = this.told[name]; return new Type(this.rules.memory.buffer, this.rules.at(number), this.rules.size(number) / Type.BYTES_PER_ELEMENT); }
  clear() { this.ending?.clear(); if (!this.place) this.words("table", BigInt64Array).fill(0n); this.words("history", BigInt64Array).fill(0n); this.words("replies", Int32Array).fill(0); this.generation = 0; }
  prepare(state, earlier, turn = this.generation + 1) {
    this.rules.load(this.rules.at(this.told.states), state);
    const history = this.words("history", BigInt64Array), replies = this.words("replies", Int32Array);
    for (let i = 0; i < history.length; i++) history[i] >>= 3n;
    for (let i = 0; i < replies.length; i++) replies[i] >>= 3;
    this.words("killers", BigInt64Array).fill(BigInt(NO_ACTION));
    this.generation = turn % 32;
    const keys = earlier.slice(-256);
    this.words("path", BigUint64Array).set(keys);
    if (this.place) this.control.set({ noise: 2 * this.place + 1, scoring: 1 });
    this.control.set({ generation: this.generation, earlier: keys.length, nodes: 0, leaves: 0, cutoffs: 0, first_cutoffs: 0, probes: 0, hits: 0, researches: 0, fractional: 0 });
  }
  begin(actions, depth, lines, first = 1) {
    this.words("found", BigInt64Array).fill(0n);
    this.words("order", BigInt64Array).set(actions.map(BigInt));
    this.drive.set({ phase: this.told.phases.start, depth: first, limit: Math.min(MOST_DEPTH, depth), lines: Math.min(lines, this.told.most_lines, actions.length), count: actions.length, found: 0, proof: 0, quicker: 0 });
  }
  steer() { this.steering.call(); return GET.i8(this.rules.view, this.steering.result); }
  look() {  // whether the window that is open was looked through before a limit
    const { control, pacer } = this, count = () => control.get("nodes");
    for (;;) {
      const nodes = count();
      if (pacer.over(nodes)) return false;
      const done = pacer.slice(size => { control.set({ until: nodes + size }); this.kernel.call(); return GET.i8(this.rules.view, this.kernel.result) === 1; }, pacer.nodes - nodes, count);
      if (control.get("overrun")) throw new Error("a position has more actions than most_actions");
      if (done) return true;
    }
  }
  wide(number, at) { return this.rules.action.read(this.rules.view.getBigInt64(this.rules.at(number) + at, true)); }
  lines() {
    const { rules, told } = this;
    return Array.from({ length: this.drive.get("found") }, (_, k) => {
      const at = k * told.line_bytes, line = new Fields(rules, told.found, told.line_fields, at);
      return { value: line.get("value"), action: this.wide(told.found, at + told.line_fields.action[0]), complete: line.get("complete") !== 0, line: lineOf(rules, told.kept, line.get("length"), k * told.kept_row) };
    });
  }
  points(value) { const { spread } = this.told, points = Math.ceil(Math.abs(value) / spread), plies = points * spread - Math.abs(value); return [value >= 0 ? points : -points, plies || null]; }
  search(state, { depth = MOST_DEPTH, lines = 1, earlier = [], left = 0, turn, ...limits } = {}, tell = () => {}) {
    const proved = this.ending?.prove(state, left, limits.seconds ?? 0, turn);
    if (proved) return proved;
    if (this.place) delete limits.nodes;  // they are the first one's
    const pacer = this.pacer = new Pacer(limits), { told, drive, root } = this, { actions } = this.rules.describe(state);
    const free = !("seconds" in limits) && !("nodes" in limits), plain = depth === MOST_DEPTH;
    let last = null, next;
    this.prepare(state, earlier, turn);
    this.begin(actions, depth, lines, Math.min(depth, 1 + this.place % 2));
    while ((next = this.steer()) !== told.over) {
      if (next === told.look) {
        if (this.look()) continue;
        if (drive.get("phase") === told.phases.proving) { drive.set({ phase: told.phases.stopped }); continue; }
        const value = root.get("best"), d = drive.get("depth"), action = this.wide(told.frames, told.frame_fields.action[0]);
        if (!drive.get("found") && root.get("index") > 0 && actions.includes(action) && root.get("depth") === d && value > root.get("floor"))  // a better action that the unfinished depth had found counts
          last = this.told_of([{ value, action, complete: false, line: lineOf(this.rules, told.lines, root.get("length")) }], d - 1);
        break;
      }
      if (this.control.get("fractional")) throw new Error("utilities lie between the whole numbers that are counted in");
      last = this.told_of(this.lines(), drive.get("depth") - 1);
      tell({ ...last, nodes: this.control.get("nodes"), seconds: pacer.elapsed });
      if (actions.length === 1 && plain && !free) break;
    }
    if (drive.get("quicker")) last = this.told_of(this.lines().slice(0, 1), drive.get("depth") - 1);
    last ??= { action: actions[0], choices: [], depth: 0, line: [actions[0]], exact: false };
    return { ...last, nodes: this.control.get("nodes"), leaves: this.control.get("leaves"), seconds: pacer.elapsed };
  }
  told_of(found, depth) {
    const worth = value => this.points(value)[0] / this.told.grain;
    const [, distance] = this.points(found[0].value);
    return { action: found[0].action, raw: found[0].value, worth: worth(found[0].value), centre: this.told.centre, points: true, distance, won: found[0].value > 0, depth, line: found[0].line, exact: found.every(one => one.complete),
      choices: found.map(one => ({ action: one.action, worth: worth(one.value), line: one.line })) };
  }
}

// Proofs where the end is near: nothing but ends counts, in one window over all values at once; null where the time does not do.
class Ending extends AlphaBeta {
  constructor(rules) { super(rules, "ending"); }
  prove(state, plies, seconds, turn) {
    const { told } = this, { actions } = this.rules.describe(state);
    if (plies <= 0 || told.seconds * 2 ** (plies - told.plies) > seconds) return null;
    this.pacer = new Pacer({ seconds: told.share * seconds });
    this.prepare(state, [], turn);
    this.control.set({ enhanced: Math.max(0, plies - told.near) });
    this.begin(actions, MOST_DEPTH, 1, MOST_DEPTH);
    while (this.steer() === told.look) if (!this.look()) return null;
    const [found] = this.lines();
    if (!found?.complete || this.control.get("fractional")) return null;
    return { ...this.told_of([found], plies), nodes: this.control.get("nodes"), leaves: this.control.get("leaves"), seconds: this.pacer.elapsed };
  }
}

// Monte Carlo tree search, a new tree for each move.
class MonteCarlo {
  constructor(rules, name = "mcts") {
    this.rules = rules;
    this.told = rules.manifest[name];
    this.control = new Fields(rules, this.told.control, this.told.control_fields);
    this.bind();
    const reaches = new Float32Array(rules.memory.buffer, rules.at(this.told.reaches), rules.size(this.told.reaches) / 4);
    for (let n = 0; n < reaches.length; n++) reaches[n] = this.told.exploration * Math.sqrt(Math.log(Math.max(n, 1)));
  }
  bind() { this.kernel = this.rules.bind("simulate"); }
  clear() {}
  seed(word) { this.rules.view.setBigUint64(this.rules.at(this.told.source), word, true); }
  node(i, field) { const [o, kind] = this.told.node_fields[field]; return GET[kind](this.rules.view, this.rules.at(this.told.nodes) + i * this.told.node_bytes + o); }
  empty(name, bytes) { this.rules.bytes(this.rules.at(this.told[name]), Math.min(bytes ?? Infinity, this.rules.size(this.told[name]))).fill(0); }
  arms(parent) {
    const first = this.node(parent, "first"), { get, size } = this.rules.action, edges = this.rules.at(this.told.edges);
    return Array.from({ length: this.node(parent, "count") }, (_, k) => {
      const i = first + k, total = this.node(i, "total"), visits = this.node(i, "visits"), proved = this.node(i, "proved") !== 0;
      const value = total <= this.told.blocked ? this.told.blocked - total : visits ? total / visits : 0;
      return { index: i, action: get(this.rules.view, edges + i * size), visits, total, proved, value };
    });
  }
  decided(arms) {  // most visits decide, but a proved win is taken, and a proved value is not left for less
    const better = (a, b) => b === null || a.visits > b.visits || a.visits === b.visits && a.value > b.value ? a : b;
    const proved = arms.filter(arm => arm.proved).reduce((a, b) => a === null || b.value > a.value ? b : a, null), open = arms.filter(arm => !arm.proved);
    if (!open.length) return proved;
    const visited = open.reduce((best, arm) => better(arm, best), null);
    return proved !== null && (proved.value >= 1 || proved.value >= visited.value) && proved.value > 0 ? proved : visited;
  }
  plant(state, wanted) {
    const { rules } = this, { player } = rules.describe(state);
    this.empty("twins");
    this.empty("nodes", this.told.node_bytes);
    this.empty("rave", 16);
    this.empty("seen");
    this.empty("totals");
    SET.i1(rules.view, rules.at(this.told.nodes) + this.told.node_fields.chooser[0], Math.max(sideOf(rules, player), 0));
    rules.load(rules.at(this.told.states), state);
    this.control.set({ used: 1, simulations: 0, deepest: 0, full: 0, leaves: 0, waiting: 0, work: 0, cut: 0, overrun: 0, shared_nodes: 0, until: wanted });
  }
  step(pacer) { pacer.slice(moves => { this.control.set({ pause: this.control.get("work") + moves }); this.kernel.call(); }); }
  search(state, { simulations, seconds, ...limits } = {}, tell = () => {}) {
    const { control } = this, wanted = simulations ?? (seconds === undefined ? 10_000 : LONGEST), pacer = new Pacer({ seconds, ...limits }, 4000, 1);
    this.plant(state, wanted);
    let report = 1000;
    while (control.get("simulations") < wanted && !this.node(0, "proved") && !pacer.over(0)) {
      this.step(pacer);
      if (control.get("overrun")) throw new Error("a position has more actions than most_actions");
      if (control.get("simulations") >= report) { report = 2 * control.get("simulations"); tell(this.answer(pacer)); }
    }
    return this.answer(pacer);
  }
  answer(pacer) {
    const { bounds: [least, greatest] } = this.rules.manifest, width = greatest - least, arms = this.arms(0);
    const best = this.decided(arms), line = [];
    let at = best, count = 0;
    while (at && count++ < 40) { line.push(at.action); at = this.node(at.index, "first") > 0 && this.node(at.index, "mover") !== CHANCE && at.visits > 1 ? this.decided(this.arms(at.index)) : null; }
    return { action: best?.action, worth: best ? least + width * best.value : null, points: false, depth: this.control.get("deepest"), line, nodes: this.control.get("used"), leaves: this.control.get("leaves"), simulations: this.control.get("simulations"),
      exact: this.node(0, "proved") !== 0, arms, choices: arms.filter(arm => arm.visits || arm.proved).map(arm => ({ action: arm.action, worth: least + width * arm.value, visits: arm.visits })), seconds: pacer.elapsed };
  }
}

// The same where a network proposes and judges: leaves are gathered, a few at a time, the network is asked, the tree receives what it says.
class Judged extends MonteCarlo {
  constructor(rules) { super(rules, "net_search"); }
  bind() {
    for (const name of ["gather", "judge", "receive"]) this[name] = this.rules.bind(name);
    this.rules.bind("widen").call();
  }
  plant(state, wanted) { super.plant(state, wanted); this.empty("extras", this.told.extra_bytes); }
  step() {
    this.gather.call();
    if (!this.control.get("waiting")) return;
    this.judge.call();
    this.receive.call();
  }
  decided(arms) {  // before any visit, what the network likes
    const prior = ({ index }) => GET.f4(this.rules.view, this.rules.at(this.told.extras) + index * this.told.extra_bytes + this.told.extra_fields.prior[0]);
    return arms.some(arm => arm.visits || arm.proved) ? super.decided(arms) : arms.reduce((a, b) => prior(b) > prior(a) ? b : a);
  }
}

// Depth after depth over frames: chance nodes (star2, expectimax) or many players (max^n).
class Deepening {
  constructor(rules, name) {
    this.rules = rules;
    this.name = name;
    this.told = rules.manifest[name];
    this.kernel = rules.bind(name);
    this.control = new Fields(rules, this.told.control, this.told.control_fields);
    this.root = new Fields(rules, this.told.frames, this.told.frame_fields);
    this.fresh = rules.bytes(rules.at(this.told.control), rules.size(this.told.control)).slice();
  }
  clear() {}
  search(state, { depth, ...limits } = {}, tell = () => {}) {
    const { rules, control, told } = this, pacer = new Pacer(limits), { player, actions } = rules.describe(state), { scale } = rules.manifest;
    let last = null, counted = { nodes: 0, leaves: 0 };
    for (let d = 1; d <= (depth ?? 64); d++) {
      rules.bytes(rules.at(told.control), this.fresh.length).set(this.fresh);
      control.set({ ...counted, scale, left: d, last: told.rows - 1, ply: 0, mode: told.enter, inexact: 0 });
      if (this.name === "many") control.set({ me: Math.max(player, 0) });
      else control.set({ agent: Math.max(player, 0), salt: 2 * (scale === 1) + (told.modelled ? Math.max(player, 0) : 0) });
      const bytes = rules.size(told.frames), stride = told.frame_bytes;
      for (let at = told.frame_fields.length[0]; at < bytes; at += stride) SET.i4(rules.view, rules.at(told.frames) + at, 0);
      rules.load(rules.at(told.states), state);
      let done = false;
      while (!done) {
        const nodes = control.get("nodes");
        if (pacer.over(nodes) && nodes) break;
        done = pacer.slice(size => { control.set({ until: nodes + size }); this.kernel.call(); return GET.u1(rules.view, this.kernel.result) === 1; }, pacer.nodes - nodes);
        if (control.get("overrun")) throw new Error("a position has more actions than most_actions");
      }
      counted = { nodes: control.get("nodes"), leaves: control.get("leaves") };
      if (!done) { if (!last && this.root.get("length") > 0) last = { action: lineOf(rules, told.lines, 1)[0], worth: null, depth: 0, line: [], exact: false, choices: [] }; break; }
      const line = lineOf(rules, told.lines, this.root.get("length"));
      const vector = this.name === "many" ? Array.from({ length: rules.manifest.players }, (_, p) => rules.view.getFloat64(rules.at(told.returned) + 8 * p, true)) : null;
      const value = vector ? vector[player] : (sideOf(rules, player) === 0 ? 1 : -1) * control.get("value");
      last = { action: line[0], worth: value, vector, raw: vector ?? control.get("value"), points: told.evaluates || scale !== 1, depth: d, line, exact: !control.get("inexact"), choices: [] };
      tell({ ...last, ...counted });
      if (last.exact) break;
    }
    last ??= { action: actions[0], worth: null, depth: 0, line: [], exact: false, choices: [] };
    return { ...last, ...counted, seconds: pacer.elapsed };
  }
}

// Monte Carlo over what each player knows.
class Hidden {
  constructor(rules) {
    this.rules = rules;
    this.told = rules.manifest.hidden_search;
    this.kernel = rules.bind("hidden");
    this.control = new Fields(rules, this.told.control, this.told.control_fields);
    this.clear();
  }
  clear() { const { rules, told } = this; new Int32Array(rules.memory.buffer, rules.at(told.slots), rules.size(told.slots) / 4).fill(-1); this.control.set({ infos: 0, arms: 0 }); }
  seed(word) { this.rules.view.setBigUint64(this.rules.at(this.told.source), word, true); }
  search(state, { simulations, seconds, ...limits } = {}, tell = () => {}) {
    const { rules, control, told } = this, { player, actions } = rules.describe(state), wanted = simulations ?? (seconds === undefined ? 10_000 : LONGEST);
    if (control.get("infos") > told.capacity / 2 || control.get("full")) this.clear();
    control.set({ simulations: 0, full: 0, deepest: 0, work: 0, cut: 0, overrun: 0, tried: 0, barren: 0, weights: 0, whole: 0, trial: 0, me: Math.max(player, 0), until: wanted });
    const forget = () => rules.bytes(rules.at(told.totals), rules.size(told.totals)).fill(0);
    forget();
    rules.load(rules.at(told.roots), state);  // the row behind it holds the beginning of the game
    const size = rules.size(told.roots) / 2, rows = rules.bytes(rules.at(told.roots), 2 * size), isNew = !control.get("infos");
    if (player >= 0 && rows.slice(0, size).some((byte, k) => byte !== rows[size + k])) control.set({ whole: 1, trial: told.trial });
    const pacer = new Pacer({ seconds, ...limits }, 4000, 1);
    let report = 1000;
    while (control.get("simulations") < wanted && !pacer.over(0)) {
      const tried = control.get("tried");
      if (control.get("whole") && tried >= told.trial) {  // deals know nothing of why the others did what they did; the game does
        control.set({ trial: 0 });
        if (control.get("simulations") < told.enough_met * tried) {
          control.set({ simulations: 0, weights: 0, whole: 0, tried: 0 });
          forget();
          if (isNew) this.clear();
          continue;
        }
      }
      pacer.slice(moves => { control.set({ pause: control.get("work") + moves }); this.kernel.call(); });
      if (control.get("overrun")) throw new Error("a position has more actions than most_actions");
      if (control.get("barren")) throw new Error("no way was found to deal what is hidden so that it fits what is known");
      if (control.get("simulations") >= report) { report = 2 * control.get("simulations"); tell(this.answer(pacer, actions)); }
    }
    return this.answer(pacer, actions);
  }
  answer(pacer, actions) {
    const { rules, control, told } = this, { bounds: [least, greatest] } = rules.manifest, width = greatest - least, done = control.get("simulations");
    const counts = { nodes: control.get("infos"), leaves: done, simulations: done, depth: control.get("deepest"), points: false, exact: false, seconds: pacer.elapsed };
    if (!done) return { ...counts, action: actions[0], worth: null, line: [], choices: [] };
    const info = new Fields(rules, told.infos, told.info_fields, control.get("root") * told.info_bytes), first = info.get("first"), arms = [];
    for (let i = first; i < first + info.get("count"); i++) {
      const arm = new Fields(rules, told.arms, told.arm_fields, i * told.arm_bytes);
      const [o] = told.arm_fields.action;
      arms.push({ action: rules.action.read(rules.view.getBigInt64(rules.at(told.arms) + i * told.arm_bytes + o, true)), visits: arm.get("visits"), worth: least + width * arm.get("total") / Math.max(arm.get("weight"), 1e-300) });
    }
    arms.sort((a, b) => b.visits - a.visits);
    return { ...counts, action: arms[0].action, worth: arms[0].worth, line: [arms[0].action], choices: arms, arms };
  }
}

// An equilibrium that was found when the page was made: what is seen, and the share in which each action is played.
class Policy {
  constructor(rules) {
    const { views, counts, shares, sets } = rules.manifest.policy, bytes = unpacked(views), size = bytes.length / sets;
    this.rules = rules;
    this.counts = unpacked(counts);
    this.shares = new Uint16Array(unpacked(shares).buffer);
    this.places = new Map();
    let first = 0;
    for (let k = 0; k < sets; k++) {  // byte after byte of all views: that packs better
      this.places.set(String.fromCharCode(...Array.from({ length: size }, (_, b) => bytes[b * sets + k])), first);
      first += this.counts[k];
    }
    this.seed(1n);
  }
  clear() {}
  seed(word) { this.word = word; }
  chance() { this.word = BigInt.asUintN(64, this.word * 6364136223846793005n + 1442695040888963407n); return Number(this.word >> 11n) / 2 ** 53; }
  search(state) {  // a state as its player sees it
    const { actions } = this.rules.describe(state), first = this.places.get(String.fromCharCode(...state));
    const mixture = actions.map((_, k) => first === undefined ? 1 : this.shares[first + k]), total = mixture.reduce((a, b) => a + b, 0);
    let left = this.chance() * total, at = mixture.findIndex(share => (left -= share) < 0);
    if (at < 0) at = mixture.indexOf(Math.max(...mixture));
    return { action: actions[at], worth: null, line: [actions[at]], choices: [], depth: 0, nodes: this.places.size, leaves: 0, seconds: 0, exact: false, known: first !== undefined,
      mixture: actions.map((action, k) => ({ action, share: mixture[k] / total })) };
  }
}

// The cheapest way to the goal: A* as far as its memory goes, then (or at once, where the rules say what is redundant) IDA*.
class Ways {
  constructor(rules) {
    this.rules = rules;
    this.told = rules.manifest.ways;
    this.estimate = rules.bind("estimate");
    this.deepen = rules.bind("deepen");
    if (this.told.graph) this.expand = rules.bind("expand");
  }
  clear() {}
  words(number) { return new BigInt64Array(this.rules.memory.buffer, this.rules.at(number), this.rules.size(number) / 8); }
  far(state) { this.rules.load(this.rules.at(this.told.asked), state); this.estimate.call(); return GET.i8(this.rules.view, this.estimate.result); }
  run(kernel, ...numbers) { numbers.reverse().forEach((x, k) => this.rules.view.setBigInt64(kernel.last - 8 * k, BigInt(x), true)); kernel.call(); return GET.i8(this.rules.view, kernel.result); }
  search(state, { depth = Infinity, ...limits } = {}) {
    const pacer = this.pacer = new Pacer(limits), first = this.far(state);
    this.nodes = 0;
    this.bound = first;
    const found = (this.told.graph ? this.by_graph(state, first, depth) : null) ?? (this.bound === null ? null : this.by_path(state, this.bound, depth));
    const counts = { nodes: this.nodes, leaves: 0, seconds: pacer.elapsed, choices: [], points: false };
    if (found) return { ...counts, action: found[0], line: found, depth: found.length, way: found.length, worth: 1, exact: true };
    const { actions } = this.rules.describe(state), near = actions.map(action => this.far(this.rules.play(state, action)));
    return { ...counts, action: actions[near.indexOf(Math.min(...near))], line: [], depth: 0, worth: null, exact: false };
  }
  by_graph(state, first, depth) {  // null when the memory is full: the search by paths goes on from the bound that is proved
    const { rules, told: { graph } } = this, { pacer } = this, where = this.words(graph.where), FAR = -1;
    for (const each of ["slots", "heads"]) new Int32Array(rules.memory.buffer, rules.at(graph[each]), rules.size(graph[each]) / 4).fill(FAR);
    const heads = new Int32Array(rules.memory.buffer, rules.at(graph.heads)), slots = new Int32Array(rules.memory.buffer, rules.at(graph.slots)), { key } = rules.describe(state);
    const node = (i, field) => new Fields(rules, graph.nodes, graph.node_fields, i * graph.node_bytes).get(field);
    rules.load(rules.at(graph.states), state);
    const root = new Fields(rules, graph.nodes, graph.node_fields);
    rules.view.setBigUint64(rules.at(graph.nodes) + graph.node_fields.key[0], key, true);
    root.set({ cost: 0, action: 0, parent: -1, next: -1, stale: 0 });
    heads[0] = 0;
    slots[Number(key & BigInt(rules.size(graph.slots) / 4 - 1))] = 0;
    where.set([1n, 0n, 0n, 1n, 0n, BigInt(first), 1n]);
    for (;;) {
      if (pacer.over(Number(where[1])) || first + Number(where[2]) > depth) { this.nodes = Number(where[1]); this.bound = first + Number(where[2]); return null; }
      const status = pacer.slice(size => this.run(this.expand, size), pacer.nodes - Number(where[1]));
      this.nodes = Number(where[1]);
      if (status === 5) throw new Error("a position has more actions than most_actions");
      if (status === 1) { this.bound = null; return null; }  // there is no way
      if (status === 3 || status === 4) { this.bound = first + Number(where[2]); return null; }
      if (status === 0) {
        const line = [], [o, kind] = graph.node_fields.action;
        for (let at = Number(where[4]); node(at, "parent") >= 0; at = node(at, "parent")) line.unshift(rules.action.get(rules.view, rules.at(graph.nodes) + at * graph.node_bytes + o));
        return line;
      }
    }
  }
  by_path(state, bound, depth) {
    const { rules, told, pacer } = this, where = this.words(told.where), before = this.nodes, FAR = 2 ** 40;
    const { actions, over, key } = rules.describe(state), frame = i => new Fields(rules, told.frames, told.frame_fields, i * told.frame_bytes);
    if (over) return null;
    where[1] = 1n;
    while (bound < FAR && bound <= depth) {
      rules.load(rules.at(told.states), state);
      actions.forEach((action, i) => rules.action.set(rules.view, rules.at(told.actions) + i * rules.action.size, action));
      frame(0).set({ cost: 0, action: 0, count: actions.length, index: 0 });
      rules.view.setBigUint64(rules.at(told.keys), key, true);
      where[0] = 0n; where[2] = BigInt(FAR);
      let status = 2;
      while (status !== 0 && status !== 1) {
        if (pacer.over(before + Number(where[1]))) { this.nodes = before + Number(where[1]); return null; }
        status = pacer.slice(size => this.run(this.deepen, bound, size), pacer.nodes - before - Number(where[1]));
        if (status === 5) throw new Error("a position has more actions than most_actions");
        if (status === 3) return null;
      }
      this.nodes = before + Number(where[1]);
      if (status === 0) return Array.from({ length: Number(where[0]) }, (_, k) => rules.action.read(rules.view.getBigInt64(rules.at(told.frames) + (k + 1) * told.frame_bytes + told.frame_fields.action[0], true)));
      bound = Number(where[2]);
    }
    return null;
  }
}

const FAMILIES = { ways: rules => new Ways(rules), policy: rules => new Policy(rules), alphabeta: rules => new AlphaBeta(rules), mcts: rules => new MonteCarlo(rules), net_search: rules => new Judged(rules), expecting: rules => new Deepening(rules, "expecting"), many: rules => new Deepening(rules, "many"), hidden_search: rules => new Hidden(rules) };

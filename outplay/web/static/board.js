// The board: the server's drawing, and over it one button a place. Buttons stay when the position changes, so that the focus does, too.
// @ts-check
// A place that begins a move is chosen (click, key or drag), then its targets light up; what moved glides, falls or fades.
import { $, make } from "./studio.js";
import { worth } from "./words.js";

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const fingers = matchMedia("(pointer: coarse)");

export class Board {
  /** @param {any} element @param {(action: string) => any} onAction @param {(from: string | null, to: string) => any} [onRefuse] */
  constructor(element, onAction, onRefuse = () => {}) {
    this.element = element;
    this.onAction = onAction;
    this.onRefuse = onRefuse;
    this.buttons = new Map();
    this.aimed = null;
    this.svg = /** @type {any} */ (null);
    this.hands = /** @type {any} */ (null);
    this.stage = make("div", { class: "stage" });
    this.layer = make("div", { class: "places" });
    element.classList.add("board");
    element.setAttribute("role", "group");
    element.replaceChildren(this.stage);
    element.addEventListener("keydown", (event) => this.keys(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    element.addEventListener("pointerup", (event) => this.drop(event));
    element.addEventListener("pointercancel", () => this.letGo());
    new ResizeObserver(() => this.measure()).observe(this.stage);
  }

  show(state, movable = true, animate = true) {
    const before = this.state?.game === state.game && this.state?.board && animate && !calm.matches ? this.pieces() : null;
    const dropped = this.dropped;
    this.dropped = null;
    this.whole = null;
    this.aim(null);
    this.state = state;
    this.movable = movable;
    this.made = [];
    this.element.dataset.made = 0;
    this.close();
    if (!state.board) { this.stage.textContent = state.position; this.buttons.clear(); return; }
    const svg = new DOMParser().parseFromString(state.board.svg, "image/svg+xml").documentElement;
    const old = $("svg.scene", this.stage);
    if (old && this.layer.parentNode === this.stage) old.replaceWith(svg);
    else this.stage.replaceChildren(svg, this.layer);
    this.svg = svg;
    const { width, height } = state.board;
    const frame = this.element.closest(".desk") ?? this.stage; // the names above and below are as wide as the board
    frame.style.setProperty("--aspect", String(width / height));
    frame.style.setProperty("--wide", `${Math.min(760, Math.max(360, width * 1.6, Math.min(480, width * 2.6)))}px`);
    this.measure();
    this.arrange();
    this.turns = [];
    this.single = new Map();
    this.free = state.laying ?? null; // tiles that may lie on any free square, whatever they make
    this.laid = new Map(); // the place of each tile that was laid
    this.wishes = {}; // what blanks are to stand for, by their place
    this.element.classList.toggle("free", Boolean(this.free));
    for (const { text, touches } of this.free ? [] : state.legal) {
      if (touches.length === 1) this.put(this.single, touches[0], text);
      const moves = [];
      for (let k = 0; k + 1 < touches.length; k += 2) moves.push({ from: touches[k], to: touches[k + 1] });
      if (moves.length) this.turns.push({ text, rest: moves });
    }
    this.light();
    if (before) this.animate(before, dropped);
  }

  // How much of the drawing one pixel shows, for type that stays readable.
  measure() {
    const shown = this.stage.clientWidth;
    if (!shown || !this.state?.board) return;
    const unit = this.state.board.width / shown;
    this.svg.style.setProperty("--unit", String(unit));
    this.svg.classList.toggle("dense", unit > 1.45); // what a tile is worth stands on the rack; on small tiles it could not be read
  }

  put(map, key, text) {
    if (!map.has(key)) map.set(key, []);
    map.get(key).push(text);
  }

  // One button a place; the same ones as long as the places are the same.
  arrange() {
    const { places, width, height } = this.state.board;
    const known = places.length === this.buttons.size && places.every(({ id }) => this.buttons.has(id));
    if (!known) {
      const inside = this.layer.contains(document.activeElement);
      this.buttons = new Map(places.map(({ id }) => {
        const button = make("button", { type: "button", tabindex: "-1", "data-place": id });
        button.append(make("span", { class: "dot" }));
        button.addEventListener("click", (event) => { if (!this.dragging && !this.swallow) this.press(id); this.swallow = false; event.stopPropagation(); });
        button.addEventListener("pointerdown", (event) => this.grab(event, id));
        button.addEventListener("focus", () => this.rove(id));
        return [id, button];
      }));
      this.layer.replaceChildren(...this.buttons.values());
      this.roving = null;
      if (inside) this.layer.querySelector("button")?.focus({ preventScroll: true });
    }
    this.places = new Map(places.map((place) => [place.id, place]));
    for (const place of places) {
      const { style } = this.buttons.get(place.id);
      style.left = `${place.x / width * 100}%`;
      style.top = `${place.y / height * 100}%`;
      style.width = `${place.w / width * 100}%`;
      style.height = `${place.h / height * 100}%`;
    }
  }

  rove(id) {
    if (this.roving && this.buttons.has(this.roving)) this.buttons.get(this.roving).tabIndex = -1;
    this.roving = id;
    this.buttons.get(id).tabIndex = 0;
  }

  // From where to where a piece can go now. A turn of several moves may be clicked in any order that its moves allow.
  offer() {
    this.pairs = new Map();
    if (this.free) {
      const taken = new Set(this.laid.values());
      const open = this.free.squares.filter((id) => !taken.has(id) || id === "bag");
      for (const tile of this.free.tiles) {
        const from = this.laid.get(tile) ?? tile;
        this.pairs.set(from, new Map((from === tile ? open : [...open, tile]).map((id) => [id, null])));
      }
      return;
    }
    for (const { text, rest } of this.turns) {
      rest.forEach(({ from, to }, k) => {
        if (rest.slice(0, k).some((earlier) => earlier.to === from)) return;
        if (!this.pairs.has(from)) this.pairs.set(from, new Map());
        const targets = this.pairs.get(from);
        if (!targets.has(to)) targets.set(to, new Set());
        targets.get(to).add(text);
      });
    }
  }

  light() {
    this.offer();
    this.chosen = null;
    const columns = [...this.single.keys()].map((key) => key.split(",")[1]);
    this.falls = this.state.board.kind === "holes" && this.pairs.size === 0 && columns.length > 0 && new Set(columns).size === columns.length;
    this.element.classList.toggle("many", this.single.size > 40); // a board full of lights shows nothing
    this.element.classList.toggle("falls", this.falls);
    this.element.classList.toggle("on-lines", this.state.board.kind === "lines" && this.pairs.size === 0); // a ghost of the stone, as on other Go boards
    this.element.classList.toggle("second", this.state.player === 1);
    this.element.classList.toggle("still", !this.movable);
    this.paint();
    const first = this.roving && this.buttons.has(this.roving) ? this.roving : this.live()[0] ?? this.buttons.keys().next().value;
    if (first) this.rove(first);
  }

  live() { return [...this.buttons.keys()].filter((id) => this.movable && (this.single.has(id) || this.pairs.has(id))); }

  // In a frame of falling discs any place of the column stands for its lowest free one.
  meant(id) {
    if (!this.falls || this.single.has(id)) return id;
    const column = id.split(",")[1];
    return [...this.single.keys()].find((key) => key.split(",")[1] === column) ?? id;
  }

  paint() {
    const targets = this.chosen === null ? null : this.pairs.get(this.chosen);
    this.element.classList.toggle("choosing", this.chosen !== null);
    for (const [id, button] of this.buttons) {
      const place = this.places.get(id);
      const target = this.movable && (targets ? targets.has(id) : this.single.has(id));
      const source = this.movable && this.pairs.has(id);
      const column = this.movable && this.falls && this.single.has(this.meant(id));
      button.classList.toggle("target", target);
      button.classList.toggle("source", source);
      button.classList.toggle("column", column && !target);
      button.classList.toggle("taken", target && Boolean(place.here));
      button.classList.toggle("chosen", id === this.chosen);
      button.setAttribute("aria-disabled", String(!(target || source || column)));
      if (source || id === this.chosen) button.setAttribute("aria-pressed", String(id === this.chosen)); else button.removeAttribute("aria-pressed");
      const can = target ? (targets ? ", can move here" : ", can be played") : "";
      button.setAttribute("aria-label", `${place.name}${place.here ? `, ${place.here}` : ""}${can}`);
    }
  }

  press(id) {
    if (!this.movable || !this.state.board) return;
    const key = this.meant(id);
    if (this.chosen !== null && this.pairs.get(this.chosen)?.has(key)) return this.step(this.chosen, key);
    if (this.single.has(key) && this.aims(key)) return;
    if (this.single.has(key)) return this.play(this.single.get(key), key);
    if (this.pairs.has(key)) { this.chosen = this.chosen === key ? null : key; this.close(); return this.paint(); }
    if (this.chosen !== null) { const from = this.chosen; this.chosen = null; this.paint(); if (from !== key) this.onRefuse(from, key); return; }
    this.onRefuse(null, key);
  }

  // Where points are smaller than a fingertip the first touch aims, under a glass, and the second plays.
  aims(key) {
    const button = this.buttons.get(key);
    if (this.aimed === key || !fingers.matches || button.getBoundingClientRect().width >= 26) { this.aim(null); return false; }
    this.aim(key);
    return true;
  }

  aim(key) {
    const before = this.aimed;
    this.buttons.get(before)?.classList.remove("aimed");
    this.hands?.close();
    this.aimed = key;
    this.buttons.get(key)?.classList.add("aimed");
    if (key !== null) this.hands?.enlarge(key);
    if (key !== before) this.element.dispatchEvent(new CustomEvent("aim", { detail: key === null ? "" : this.places.get(key).name }));
  }

  // One move of a turn is made: play the turn if it was the last, else show it and offer the rest.
  step(from, to) {
    if (this.free) return this.carry(from, to);
    const texts = this.pairs.get(from).get(to);
    const turns = [];
    for (const { text, rest } of this.turns.filter((turn) => texts.has(turn.text))) {
      const k = rest.findIndex((move) => move.from === from && move.to === to);
      turns.push({ text, rest: [...rest.slice(0, k), ...rest.slice(k + 1)] });
    }
    const whole = turns.filter(({ rest }) => rest.length === 0);
    this.whole = null;
    if (whole.length === turns.length) return this.play(whole.map(({ text }) => text), to);
    if (whole.length) this.whole = whole.map(({ text }) => text); // a word that could be longer waits until it is said to be done
    this.made.push([from, to]);
    this.element.dataset.made = this.made.length;
    this.shift(from, to);
    this.turns = turns;
    this.single = new Map();
    this.light();
    this.element.dispatchEvent(new CustomEvent("part", { detail: this.made.length }));
  }

  // A tile goes to a square, to another one, or back to the rack; whoever hears of it says what lies there (`whole`).
  carry(from, to) {
    const tile = [...this.laid].findLast(([, at]) => at === from)?.[0] ?? from;
    delete this.wishes[from];
    this.laid.delete(tile);
    if (to !== tile) this.laid.set(tile, to);
    this.whole = null;
    this.made = [...this.laid];
    this.element.dataset.made = this.made.length;
    this.shift(from, to);
    this.light();
    this.element.dispatchEvent(new CustomEvent("part", { detail: this.made.length }));
  }

  lay() { if (this.whole?.length) this.play(this.whole, this.made.at(-1)[1]); }

  undo() {
    if (this.free && this.made.length) { const [tile, at] = this.made.at(-1); this.carry(at, tile); this.buttons.get(at)?.focus({ preventScroll: true }); return; }
    if (this.made.length) { const focus = this.roving; this.show(this.state, this.movable, false); if (focus) this.rove(focus); this.element.dispatchEvent(new CustomEvent("part", { detail: 0 })); }
  }

  // Part of a turn, shown before the server knows: the top checker goes to the end of the other stack, a lone one it meets to the bar.
  shift(from, to) {
    const piece = this.top(from);
    if (!piece) return;
    const carried = piece.style.translate !== ""; // it lies where the hand let it go
    piece.style.translate = "";
    const place = this.places.get(to);
    const colour = this.colour(piece);
    const there = [...this.svg.querySelectorAll(`.piece[data-spot="${to}"]`)];
    const foe = there.length === 1 && this.colour(there[0]) !== colour && !to.startsWith("off") ? there[0] : null;
    if (foe) {
      const bar = this.places.get("bar,0") && [...this.places.keys()].find((id) => id.startsWith("bar") && id !== `bar,${this.state.player}`);
      if (bar) { foe.dataset.spot = bar; this.glide(foe, this.centre(bar)); }
    }
    const low = place.y > this.state.board.height / 2 - 40;
    const count = foe ? 0 : there.length;
    const spot = to.startsWith("off") || to.startsWith("bar") ? this.centre(to)
      : this.state.board.kind === "points" ? [place.x + place.w / 2, low ? place.y + place.h - 22 - 43 * Math.min(count, 4) : place.y + 22 + 43 * Math.min(count, 4)]
      : this.centre(to);
    piece.dataset.spot = to;
    piece.querySelector(".count")?.remove();
    piece.parentNode.append(piece);
    const was = this.places.get(from);
    if (this.state.board.kind !== "points" && was.h !== place.h) this.resize(piece, Math.min(place.w, place.h) / Math.min(was.w, was.h)); // from a large rack to a small square
    this.glide(piece, spot, !carried);
  }

  top(id) { return [...this.svg.querySelectorAll(".piece[data-spot]")].filter((piece) => piece.dataset.spot === id).pop(); }
  colour(piece) { return [...piece.classList].find((name) => name.startsWith("c-")); }
  centre(id) { const { x, y, w, h } = this.places.get(id); return [x + w / 2, y + h / 2]; }
  where(piece) { return piece.getAttribute("transform").match(/translate\(([-\d.]+)[ ,]+([-\d.]+)\)/).slice(1).map(Number); }

  resize(piece, factor) {
    const known = /scale\(([\d.]+)\)/.exec(piece.getAttribute("transform"));
    piece.setAttribute("transform", `${piece.getAttribute("transform").replace(/ ?scale\([^)]*\)/, "")} scale(${(known ? +known[1] : 1) * factor})`);
  }

  /** @param {any} piece @param {number[]} to @param {boolean} [seen] */
  glide(piece, [x, y], seen = true) {
    const [u, v] = this.where(piece);
    piece.setAttribute("transform", piece.getAttribute("transform").replace(/translate\([^)]*\)/, `translate(${x} ${y})`));
    if (seen && !calm.matches) piece.animate([{ translate: `${u - x}px ${v - y}px` }, { translate: "0px 0px" }], { duration: 180, easing: "ease-out" });
  }

  pieces() {
    return [...this.svg.querySelectorAll(".piece[data-spot]")].filter((piece) => piece.hasAttribute("transform")).map((piece) => {
      const drag = piece.style.translate.match(/(-?[\d.]+)px(?: (-?[\d.]+)px)?/);
      const [x, y] = this.where(piece);
      return { piece, spot: piece.dataset.spot, key: `${piece.dataset.piece} ${this.colour(piece)} ${piece.dataset.piece === "text" || piece.dataset.piece === "number" ||
        piece.dataset.piece === "card" || piece.dataset.piece === "tile" ? piece.textContent : ""}`, x: x + (drag ? +drag[1] : 0), y: y + (drag ? +(drag[2] ?? 0) : 0) };
    });
  }

  animate(before, dropped) {
    const after = this.pieces();
    const rest = new Map();
    for (const old of before) { const key = `${old.spot}|${old.key}`; if (!rest.has(key)) rest.set(key, []); rest.get(key).push(old); }
    const fresh = after.filter((now) => !rest.get(`${now.spot}|${now.key}`)?.pop());
    let gone = [...rest.values()].flat();
    if (fresh.length > 16 || gone.length > 40) return;
    for (const now of fresh) {
      const near = gone.filter((old) => old.key === now.key).sort((a, b) => Math.hypot(a.x - now.x, a.y - now.y) - Math.hypot(b.x - now.x, b.y - now.y))[0];
      if (near) {
        gone = gone.filter((old) => old !== near);
        now.piece.parentNode.append(now.piece); // above the others on its way
        if (dropped !== now.spot) now.piece.animate([{ translate: `${near.x - now.x}px ${near.y - now.y}px` }, { translate: "0px 0px" }],
          { duration: 220, easing: "cubic-bezier(.3,.1,.3,1)" });
      } else if (this.state.board.kind === "holes" && /disc/.test(now.key)) {
        now.piece.animate([{ translate: `0px ${-now.y}px` }, { translate: "0px 0px", offset: 0.75, easing: "ease-out" }, { translate: "0px -9px", offset: 0.87, easing: "ease-in" },
          { translate: "0px 0px" }], { duration: 220 + now.y * 0.8, easing: "ease-in" });
      } else now.piece.animate([{ opacity: 0, scale: "0.6" }, { opacity: 1, scale: "1" }], { duration: 150 });
    }
    for (const old of gone.slice(0, 24)) {
      const copy = old.piece.cloneNode(true);
      copy.removeAttribute("data-spot");
      copy.style.translate = "";
      this.svg.querySelector(".pieces").prepend(copy);
      copy.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 240 }).finished.then(() => copy.remove(), () => copy.remove());
    }
  }

  // ---------------------------------------------------------------- dragging

  grab(event, id) {
    if (!this.movable || event.button > 0 || !this.pairs?.has(id)) return;
    const piece = this.top(id);
    if (!piece) return;
    this.held = { id, piece, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  }

  drag(event) {
    const held = this.held;
    if (!held || event.pointerId !== held.pointer) return;
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    if (!this.dragging && Math.hypot(dx, dy) < 5) return;
    if (!this.dragging) {
      this.dragging = true;
      this.element.classList.add("dragging");
      try { this.element.setPointerCapture(event.pointerId); } catch { /* the pointer is gone already */ }
      held.piece.parentNode.append(held.piece);
      this.chosen = held.id;
      this.close();
      this.paint();
    }
    const scale = this.state.board.width / this.svg.getBoundingClientRect().width;
    held.piece.style.translate = `${dx * scale}px ${dy * scale}px`;
    const over = this.at(event.clientX, event.clientY);
    if (event.pointerType === "touch" && this.hands?.small()) this.hands.follow(event.clientX, event.clientY);
    for (const [id, button] of this.buttons) button.classList.toggle("over", id === over && this.pairs.get(held.id)?.has(id));
  }

  at(clientX, clientY) {
    const frame = this.svg.getBoundingClientRect();
    const x = (clientX - frame.left) / frame.width * this.state.board.width, y = (clientY - frame.top) / frame.height * this.state.board.height;
    return this.state.board.places.findLast((place) => x >= place.x && x < place.x + place.w && y >= place.y && y < place.y + place.h)?.id;
  }

  drop(event) {
    const held = this.held;
    if (!held) return;
    this.held = null;
    if (!this.dragging) return;
    this.hands?.close();
    this.dragging = false;
    this.swallow = true;
    setTimeout(() => { this.swallow = false; }, 0);
    this.element.classList.remove("dragging");
    for (const button of this.buttons.values()) button.classList.remove("over");
    const to = this.at(event.clientX, event.clientY);
    if (to && to !== held.id && this.pairs.get(held.id)?.has(to)) { this.dropped = to; return this.step(held.id, to); }
    const back = held.piece.style.translate;
    held.piece.style.translate = "";
    if (!calm.matches) held.piece.animate([{ translate: back }, { translate: "0px 0px" }], { duration: 180, easing: "ease-out" });
    this.chosen = null;
    this.paint();
    if (to && to !== held.id) this.onRefuse(held.id, to);
  }

  letGo() {
    if (!this.held) return;
    this.hands?.close();
    this.held.piece.style.translate = "";
    this.held = null;
    this.dragging = false;
    this.element.classList.remove("dragging");
    this.chosen = null;
    this.paint();
  }

  // ---------------------------------------------------------------- one of several actions with the same touches

  play(texts, at) {
    this.close();
    if (texts.length === 1) return this.onAction(texts[0]);
    const offers = new Map(this.state.legal.map((entry) => [entry.text, entry.offer]));
    const box = make("div", { class: "chooser", role: "group", "aria-label": "Which one?" }, ...texts.map((text) => {
      const button = make("button", { type: "button", "aria-label": text, onclick: () => { this.close(); this.onAction(text); } });
      if (offers.get(text)) button.innerHTML = offers.get(text); else button.textContent = this.free ? text.replace(/^\w+:/, "") : text; // where it lies is seen
      return button;
    }));
    const [x, y] = this.centre(at);
    const { width, height } = this.state.board;
    box.style.left = `${Math.min(78, Math.max(22, x / width * 100))}%`;
    box.style.top = `${y / height * 100}%`;
    if (y > height / 2) box.classList.add("up");
    this.chooser = box;
    this.stage.append(box);
    box.querySelector("button").focus({ preventScroll: true });
  }

  close() {
    if (!this.chooser) return;
    const inside = this.chooser.contains(document.activeElement);
    this.chooser.remove();
    this.chooser = null;
    if (inside && this.roving) this.buttons.get(this.roving)?.focus({ preventScroll: true });
    if (this.held?.piece) this.held.piece.style.translate = "";
  }

  keys(event) {
    if (event.key === "Enter" && this.whole?.length && (!event.target.closest?.(".source, .target") || (this.chosen === null && !event.target.closest?.(".source")))) { event.preventDefault(); return this.lay(); }
    if (event.key === "Enter" && this.free && this.made.length && this.chosen === null && !event.target.closest?.(".source")) { event.preventDefault(); this.element.dispatchEvent(new CustomEvent("unfit")); return; }
    if (event.key === "Escape") {
      if (this.chooser) { const dragged = this.dropped; this.close(); this.dropped = null; if (dragged) this.show(this.state, this.movable, false); return; }
      if (this.chosen !== null) { this.chosen = null; return this.paint(); }
      return this.undo();
    }
    if (/^[a-z]$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && this.type(event.key.toUpperCase())) { event.preventDefault(); event.stopPropagation(); return; }
    if (event.key === "Backspace" && this.made?.length) { event.preventDefault(); return this.undo(); }
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (event.key === "ArrowDown" || event.key === "ArrowRight") this.way = step;
    const here = /** @type {any} */ (document.activeElement)?.dataset?.place;
    if (!step || here === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const [x, y] = this.centre(here);
    let best = null, least = Infinity;
    for (const id of this.buttons.keys()) {
      if (id === here) continue;
      const [u, v] = this.centre(id);
      const along = (u - x) * step[0] + (v - y) * step[1];
      const aside = Math.abs((u - x) * step[1]) + Math.abs((v - y) * step[0]);
      if (along > 1 && aside <= along * 1.01 && along + 3 * aside < least) { least = along + 3 * aside; best = id; }
    }
    if (best !== null) this.buttons.get(best).focus({ preventScroll: true });
  }

  // A letter lays its tile (or a blank) where the focus is, and the focus goes on to the next free square, right or down.
  type(letter) {
    const here = /** @type {any} */ (document.activeElement)?.dataset?.place;
    if (here === undefined || !this.movable) return false;
    const fits = (wanted) => [...this.pairs.keys()].find((id) => this.places.get(id).here === wanted && this.pairs.get(id).has(here));
    const from = fits(letter) ?? fits("?");
    if (from === undefined) return false;
    const [x, y] = this.centre(here), [dx, dy] = this.way ?? [1, 0];
    const next = [...this.places.values()].filter((place) => !place.here && !this.top(place.id) && place.id !== here)
      .map(({ id }) => { const [u, v] = this.centre(id); return { id, along: (u - x) * dx + (v - y) * dy, aside: Math.abs((u - x) * dy) + Math.abs((v - y) * dx) }; })
      .filter(({ along, aside }) => along > 1 && aside < 1).sort((one, other) => one.along - other.along)[0];
    if (this.free && this.places.get(from).here === "?") this.wishes[here] = letter;
    this.step(from, here);
    if (next && this.made.length) this.buttons.get(next.id)?.focus({ preventScroll: true });
    return true;
  }

  // ---------------------------------------------------------------- what a search says

  // Values of candidate actions where each action ends, and arrows for those that move something.
  values(candidates, most = 5) {
    this.clear();
    if (!this.state?.board) return;
    const spots = new Map(this.state.legal.map(({ text, touches }) => [text, touches]));
    const seen = new Set();
    candidates.slice(0, most).forEach(({ action, value, touches = spots.get(action) }, rank) => {
      if (!touches?.length) return;
      if (this.free) { // a word is read where it would lie; seven arrows from the rack are a tangle
        for (let k = 0; rank === 0 && k + 1 < touches.length; k += 2) this.label(touches[k + 1], this.places.get(touches[k]).here, "worth best");
        return;
      }
      for (let k = 0; k + 1 < touches.length; k += 2) this.arrow(touches[k], touches[k + 1], rank === 0);
      const to = touches[touches.length - 1];
      if (seen.has(to)) return;
      seen.add(to);
      this.label(to, worth(value), rank === 0 ? "worth best" : "worth");
    });
  }

  // An arrow or a ring for one action, of which nothing else is said; null takes it away.
  point(action) {
    for (const old of this.svg?.querySelectorAll(".said.pointed") ?? []) old.remove();
    const touches = this.state?.legal.find(({ text }) => text === action)?.touches ?? [];
    for (let k = 0; k + 1 < touches.length; k += 2) this.arrow(touches[k], touches[k + 1], true, " pointed");
    for (const button of this.buttons.values()) button.classList.toggle("pointed", touches.length === 1 && button.dataset.place === touches[0]);
  }

  clear() {
    for (const old of this.element.querySelectorAll(".worth")) old.remove();
    for (const old of this.svg?.querySelectorAll(".said") ?? []) old.remove();
  }

  label(id, text, kind) {
    const { width, height } = this.state.board;
    const [x, y] = this.centre(id);
    const label = make("span", { class: kind }, text);
    label.style.left = `${x / width * 100}%`;
    label.style.top = `${y / height * 100}%`;
    this.stage.append(label);
  }

  arrow(from, to, first = true, more = "") {
    const [x, y] = this.centre(from), [u, v] = this.centre(to);
    const length = Math.hypot(u - x, v - y) || 1, dx = (u - x) / length, dy = (v - y) / length;
    const ex = u - 22 * dx, ey = v - 22 * dy;
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("class", `said${more}`);
    group.innerHTML = `<path class="arrow${first ? "" : " other"}" d="M${x + 12 * dx} ${y + 12 * dy}L${ex} ${ey}"/><path class="arrow-head${first ? "" : " other"}"
      d="M${u - 6 * dx} ${v - 6 * dy}L${ex - 9 * dy} ${ey + 9 * dx}L${ex + 9 * dy} ${ey - 9 * dx}Z"/>`;
    this.svg.querySelector(".above").append(group);
  }
}

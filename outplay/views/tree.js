// Steps through a drawn search tree: buttons, a slider and keys (left, right, home, end, space).
"use strict";

class Stepper {
  constructor(element, frames, atEnd = false) {
    this.element = element;
    element.stepper = this;
    this.frames = frames;
    this.tick = frames.length - 1;
    this.nodes = new Map([...element.querySelectorAll("[data-node]")].map((node) => [+node.dataset.node, node]));
    this.best = [...element.querySelectorAll(".best")];
    this.edges = new Map([...this.nodes].map(([key, node]) => [key, node.querySelector(".action")?.textContent]));
    this.controls();
    this.go(atEnd ? this.tick : 0, true);
    const box = element.querySelector(".tree"), root = this.nodes.get(0);
    if (box && root) box.scrollLeft += root.getBoundingClientRect().left - box.getBoundingClientRect().left - box.clientWidth / 2;
  }

  controls() {
    const bar = document.createElement("div");
    bar.className = "steps row";
    const button = (text, label, action) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = text;
      made.setAttribute("aria-label", label);
      made.title = label;
      made.addEventListener("click", action);
      bar.append(made);
      return made;
    };
    button("|◀", "to the start", () => this.go(0));
    button("◀", "one step back", () => this.go(this.tick - 1));
    this.player = button("Run", "run", () => this.run());
    button("▶", "one step on", () => this.go(this.tick + 1));
    if (this.frames.some((frame) => frame.i)) button("▶▶", "one simulation on", () => this.iteration());
    button("▶|", "to the end", () => this.go(this.frames.length - 1));
    this.slider = document.createElement("input");
    this.slider.type = "range";
    this.slider.min = 0;
    this.slider.max = this.frames.length - 1;
    this.slider.setAttribute("aria-label", "step");
    this.slider.addEventListener("input", () => this.go(+this.slider.value));
    this.speed = document.createElement("select");
    this.speed.setAttribute("aria-label", "speed");
    for (const [text, times] of [["slow", 0.5], ["normal", 1], ["fast", 4], ["very fast", 20]]) this.speed.append(new Option(text, times, times === 1, times === 1));
    this.count = document.createElement("span");
    this.count.className = "faint";
    this.caption = document.createElement("p");
    this.caption.className = "caption status";
    this.caption.setAttribute("aria-live", "polite");
    bar.append(this.slider, this.speed, this.count);
    this.element.prepend(bar, this.caption);
    this.element.tabIndex = -1;
    this.element.addEventListener("keydown", (event) => {
      if (event.target === this.slider && event.key !== " ") return;
      const move = { ArrowLeft: this.tick - 1, ArrowRight: this.tick + 1, Home: 0, End: this.frames.length - 1 }[event.key];
      if (move === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.go(move);
    });
  }

  set([key, status, value, window]) {
    const node = this.nodes.get(+key);
    if (!node) return;
    for (const word of ["unseen", "open", "done", "leaf-done", "struck"]) node.classList.remove(word);
    node.classList.add(status === "leaf" ? "leaf-done" : status);
    node.querySelector(".value").textContent = status === "unseen" ? node.dataset.worth ?? "" : value;
    node.querySelector(".window").textContent = window;
  }

  go(tick, first = false) {
    tick = Math.max(0, Math.min(tick, this.frames.length - 1));
    for (const [key, text] of this.changedEdges ?? []) this.nodes.get(key).querySelector(".action").textContent = text;
    this.changedEdges = [];
    if (tick === this.tick + 1) this.frames[tick].c.forEach((change) => this.set(change));
    else if (tick !== this.tick || first) {
      const last = new Map([...this.nodes.keys()].map((key) => [key, [key, "unseen", "", ""]]));
      for (let t = 0; t <= tick; t++) for (const change of this.frames[t].c) last.set(+change[0], change);
      for (const change of last.values()) this.set(change);
    }
    this.tick = tick;
    const frame = this.frames[tick];
    const atEnd = tick === this.frames.length - 1;
    for (const node of this.best) node.classList.toggle("best", atEnd);
    this.element.querySelector(".now")?.classList.remove("now");
    if (!atEnd) this.nodes.get(frame.n)?.classList.add("now");
    for (const [key, text] of frame.u ?? []) {
      const label = this.nodes.get(+key).querySelector(".action");
      this.changedEdges.push([+key, this.edges.get(+key)]);
      label.textContent = text;
    }
    this.caption.textContent = frame.s;
    this.slider.value = tick;
    this.count.textContent = `step ${tick} of ${this.frames.length - 1}`;
    if (!first) this.follow(frame.n);
    this.element.dispatchEvent(new CustomEvent("step", { detail: { tick, node: frame.n, word: frame.w, kind: frame.k, count: this.frames.length - 1 } }));
  }

  follow(key) {
    const node = this.nodes.get(key), box = this.element.querySelector(".tree");
    if (!node || !box || box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1) return;
    const at = node.getBoundingClientRect(), frame = box.getBoundingClientRect();
    if (at.left < frame.left || at.right > frame.right) box.scrollLeft += (at.left + at.right - frame.left - frame.right) / 2;
    if (at.top < frame.top || at.bottom > frame.bottom) box.scrollTop += (at.top + at.bottom - frame.top - frame.bottom) / 2;
  }

  iteration() {
    let tick = this.tick + 1;
    while (tick < this.frames.length - 1 && !this.frames[tick].i) tick += 1;
    this.go(tick);
  }

  run() {
    if (this.timer) { clearTimeout(this.timer); this.timer = null; this.player.textContent = "Run"; return; }
    if (this.tick === this.frames.length - 1) this.go(0);
    this.player.textContent = "Stop";
    const beat = () => {
      if (!this.timer) return;
      if (!this.element.isConnected || this.tick >= this.frames.length - 1) return this.run();
      this.go(this.tick + Math.max(1, Math.round(+this.speed.value / 4)));
      this.timer = setTimeout(beat, 900 / Math.min(8, +this.speed.value * 1.5));
    };
    this.timer = setTimeout(beat, 300);
  }
}

// A board under fingers: two of them zoom it and one moves what is zoomed; where a place is smaller than a fingertip, a glass enlarges those around it.
// @ts-check
import { fingers } from "./board.js";
import { make } from "./studio.js";

const FINGERTIP = 30, GLASS = 44, MOST_ZOOM = 4; // pixels of a place that needs no help, and of one under the glass

export class Fingers {
  constructor(board, onZoom) {
    this.board = board;
    this.onZoom = onZoom;
    this.scale = 1;
    this.x = this.y = 0;
    this.down = new Map();
    this.glass = null;
    board.hands = this;
    const listen = (name, hear) => board.element.addEventListener(name, hear, { capture: true });
    listen("pointerdown", (event) => this.press(event));
    listen("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) listen(name, (event) => this.lift(event));
    listen("click", (event) => { if (this.moved) { this.moved = false; event.stopPropagation(); event.preventDefault(); } });
  }

  // ---------------------------------------------------------------- zooming

  // Whether some places that can be played on are too small for a finger; while nobody may move, whether they were.
  small() {
    const { single, pairs, buttons } = this.board, places = new Set([...single?.keys() ?? [], ...[...pairs ?? []].flatMap(([from, targets]) => [from, ...targets.keys()])]);
    if (places.size) this.tiny = [...places].some((id) => buttons.get(id)?.offsetWidth < FINGERTIP);
    return fingers.matches && Boolean(this.tiny);
  }

  press(event) {
    if (event.isPrimary) { this.down.clear(); this.moved = false; } // the first finger: whatever was before is over
    if (event.pointerType !== "touch") return;
    this.down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.down.size === 2) { this.board.letGo(); this.moved = true; }
  }

  move(event) {
    const last = this.down.get(event.pointerId);
    if (!last || event.pointerType !== "touch") return;
    const now = { x: event.clientX, y: event.clientY };
    if (this.down.size === 2) {
      const [other] = [...this.down].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      const spread = (point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      this.zoom(this.scale * spread(now) / spread(last), (now.x + other.x) / 2, (now.y + other.y) / 2);
    } else if (this.scale > 1 && !this.board.dragging && !this.board.held) {
      if (!this.moved && Math.hypot(now.x - last.x, now.y - last.y) < 6) return; // a touch that trembles is still a touch
      this.moved = true;
      this.place(this.x + now.x - last.x, this.y + now.y - last.y);
    }
    this.down.set(event.pointerId, now);
  }

  lift(event) {
    this.down.delete(event.pointerId);
    if (!this.down.size && this.moved) setTimeout(() => { this.moved = false; }, 50); // the click that may follow comes at once
  }

  // To another scale; the point of the screen that is given stays where it is.
  zoom(scale, clientX, clientY) {
    const wanted = Math.min(MOST_ZOOM, Math.max(1, scale)), box = this.board.element.getBoundingClientRect();
    const edge = this.board.stage.offsetLeft;
    const x = clientX - box.left - edge, y = clientY - box.top;
    const [u, v] = [(x - this.x) / this.scale, (y - this.y) / this.scale];
    this.scale = wanted < 1.05 ? 1 : wanted;
    this.board.aim(null);
    this.place(x - u * this.scale, y - v * this.scale);
  }

  place(x, y) {
    const { stage, element } = this.board, wide = stage.offsetWidth, tall = stage.offsetHeight;
    this.x = Math.min(0, Math.max(wide * (1 - this.scale), x));
    this.y = Math.min(0, Math.max(tall * (1 - this.scale), y));
    stage.style.transform = this.scale === 1 ? "" : `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    element.classList.toggle("zoomed", this.scale > 1);
    this.onZoom();
  }

  whole() { this.scale = 1; this.tiny = false; this.place(0, 0); }

  // Twice as large, with the last move in the middle, or the board's own middle.
  closer() {
    const box = this.board.element.getBoundingClientRect(), mark = this.board.svg?.querySelector(".mark-last, .last")?.getBoundingClientRect();
    const at = mark?.width ? { x: mark.x + mark.width / 2, y: mark.y + mark.height / 2 } : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    this.zoom(2, at.x, at.y);
  }

  // ---------------------------------------------------------------- the glass

  // Over a place that was touched: the places around it, large enough for a finger; a touch in the glass plays where it shows.
  enlarge(id) {
    const place = this.board.places.get(id), { width } = this.board.state.board;
    const { stage } = this.board, wide = stage.offsetWidth, tall = stage.offsetHeight, unit = wide / width;
    const times = GLASS / (Math.min(place.w, place.h) * unit), side = Math.min(5 * GLASS, wide);
    const [cx, cy] = this.board.centre(id), [px, py] = [cx * unit, cy * unit];
    const left = Math.min(wide - side, Math.max(0, px - side / 2)), top = Math.min(tall - side, Math.max(0, py - side / 2));
    const back = (x, y) => [cx + (left + x - px) / times / unit, cy + (top + y - py) / times / unit]; // from the glass to the drawing
    this.show(left, top, side, /** @type {[number, number, number, number]} */ ([...back(0, 0), side / times / unit, side / times / unit]));
    const ghost = make("span", { class: "dot" });
    Object.assign(ghost.style, { left: `${px - left}px`, top: `${py - top}px`, width: `${GLASS * .9}px` });
    this.glass.append(ghost);
    this.glass.addEventListener("click", (event) => {
      event.stopPropagation();
      const frame = this.glass.getBoundingClientRect();
      const [x, y] = back((event.clientX - frame.left) * side / frame.width, (event.clientY - frame.top) * side / frame.height);
      const hit = this.board.state.board.places.findLast((one) => x >= one.x && x < one.x + one.w && y >= one.y && y < one.y + one.h)?.id;
      if (hit === undefined) return;
      this.board.aim(null);
      if (this.board.single.has(hit)) this.board.aimed = hit; // aimed at well enough
      this.board.press(hit);
    });
  }

  // Above a finger that carries a piece over small places: what lies under it.
  follow(clientX, clientY) {
    const { stage, svg } = this.board, frame = svg.getBoundingClientRect(), { width } = this.board.state.board, unit = frame.width / width, side = 120, times = 2;
    const [x, y] = [(clientX - frame.left) / unit, (clientY - frame.top) / unit], half = side / times / unit / 2;
    const box = stage.getBoundingClientRect(), scale = box.width / stage.offsetWidth;
    const above = clientY - box.top > side + 40 ? -side - 24 : 34;
    this.show(Math.min(stage.offsetWidth - side, Math.max(0, (clientX - box.left) / scale - side / 2)), (clientY - box.top) / scale + above, side, [x - half, y - half, 2 * half, 2 * half], true);
  }

  show(left, top, side, [x, y, w, h], carried = false) {
    if (!this.glass || !carried) {
      this.close();
      const picture = this.board.svg.cloneNode(true);
      picture.removeAttribute("role");
      for (const named of picture.querySelectorAll("[data-spot]")) named.removeAttribute("data-spot"); // its pieces are no pieces of the board
      this.glass = make("div", { class: `glass${carried ? " carried" : ""}`, "aria-hidden": "true" }, picture);
      this.board.stage.append(this.glass);
    }
    Object.assign(this.glass.style, { left: `${left}px`, top: `${top}px`, width: `${side}px`, height: `${side}px` });
    this.glass.firstChild.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
  }

  close() { this.glass?.remove(); this.glass = null; }
}

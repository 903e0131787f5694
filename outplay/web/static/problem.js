// Pictures of constraint problems with what is left in each domain: a map, a sudoku, queens, a sum of words, else the graph.
// @ts-check

const PALETTE = { red: "#d63a3a", green: "#2b9a66", blue: "#1f6fc9", yellow: "#ffd43b", orange: "#e8720c", white: "#f4f4f0" };
const COLOURS = ["#1f6fc9", "#e8720c", "#2b9a66", "#9c4fc4", "#d6568d", "#2aa5b3", "#ffd43b", "#d63a3a"];

export function drawProblem(problem, step, first, text) {
  const names = [...new Set(Object.values(first.domains).flat().map(String))];
  const shade = (value) => PALETTE[value] ?? COLOURS[Math.max(0, names.indexOf(String(value))) % COLOURS.length];

  function wedges(x, y, radius, values) {
    if (values.length === 1) return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${shade(values[0])}"/>`;
    return values.slice(0, 9).map((value, k) => `<circle cx="${x + (k - (Math.min(9, values.length) - 1) / 2) * radius * 0.95}" cy="${y}" r="${radius * 0.42}" fill="${shade(value)}"/>`).join("");
  }

  function map(step) {
    const scale = 12;
    const parts = Object.entries(problem.regions).sort(([one], [other]) => Number(one === step.variable) - Number(other === step.variable)).map(([name, outline]) => {
      const values = step.domains[name], fixed = values.length === 1;
      const path = "M" + outline.map(([x, y]) => `${(x * scale + 12).toFixed(1)} ${(y * scale + 8).toFixed(1)}`).join("L") + "Z";
      const [cx, cy] = middle(outline).map((part, k) => part * scale + [12, 8][k]);
      const lit = name === step.variable ? " lit" : values.length === 0 ? " dead" : "";
      return `<path class="region${lit}" d="${path}" fill="${fixed ? shade(values[0]) : "var(--code)"}"/><text class="${fixed ? "on" : ""}" x="${cx}" y="${cy - (fixed ? 0 : 8)}">${name}</text>` + (fixed ? "" : wedges(cx, cy + 8, 11, values));
    });
    return `<svg viewBox="0 0 520 480" role="img" aria-label="map of Australia">${parts.join("")}</svg>`;
  }

  // The centre of gravity of a region.
  function middle(outline) {
    let area = 0, x = 0, y = 0;
    outline.forEach(([a, b], k) => { const [c, d] = outline[(k + 1) % outline.length], cross = a * d - c * b; area += cross; x += (a + c) * cross; y += (b + d) * cross; });
    return [x / (3 * area), y / (3 * area)];
  }

  function graph(step) {
    const where = (name) => [40 + problem.places[name][0] * 440, 36 + problem.places[name][1] * 360];
    const lines = problem.pairs.map(([a, b]) => { const [x, y] = where(a), [u, v] = where(b); return `<path class="link${a === step.variable || b === step.variable ? " lit" : ""}" d="M${x} ${y}L${u} ${v}"/>`; }).join("");
    const nodes = problem.variables.map((name) => {
      const [x, y] = where(name), values = step.domains[name];
      const text = values.length === 1 ? `${name}=${values[0]}` : name;
      return `<circle class="dot-node${name === step.variable ? " lit" : ""}${values.length === 0 ? " dead" : ""}" cx="${x}" cy="${y}" r="22" ${values.length === 1 && PALETTE[values[0]] ? `style="fill:${shade(values[0])}"` : ""}/><text x="${x}" y="${y}">${text}</text><text class="tiny" x="${x}" y="${y + 32}">${values.length <= 6 ? values.join(" ") : `${values.length} values`}</text>`;
    }).join("");
    return `<svg viewBox="0 0 520 440" role="img" aria-label="constraint graph">${lines}${nodes}</svg>`;
  }

  function sudoku(step) {
    const size = Math.round(Math.sqrt(problem.variables.length)), block = Math.round(Math.sqrt(size)), side = 460 / size;
    let parts = "";
    problem.variables.forEach((name, k) => {
      const r = Math.floor(k / size), c = k % size, x = 10 + c * side, y = 10 + r * side, values = step.domains[name], before = step.before[name] ?? values;
      parts += `<rect class="box${name === step.variable ? " lit" : values.length < before.length ? " changed" : ""}${values.length === 0 ? " dead" : ""}" x="${x}" y="${y}" width="${side}" height="${side}"/>`;
      if (values.length === 1) parts += `<text class="big" x="${x + side / 2}" y="${y + side / 2}">${values[0]}</text>`;
      else if (size <= 9) for (const value of values) { const d = value - 1; parts += `<text class="tiny" x="${x + side * (0.2 + 0.3 * (d % 3))}" y="${y + side * (0.2 + 0.3 * Math.floor(d / 3))}">${value}</text>`; }
    });
    for (let k = 0; k <= size; k += block) parts += `<path class="thick" d="M${10 + k * side} 10V470M10 ${10 + k * side}H470"/>`;
    return `<svg viewBox="0 0 480 480" role="img" aria-label="sudoku">${parts}</svg>`;
  }

  function queens(step) {
    const size = problem.variables.length, side = 460 / size;
    let parts = "";
    problem.variables.forEach((name, column) => {
      const values = step.domains[name];
      for (let row = 0; row < size; row++) {
        const least = Math.min(...Object.values(first.domains).flat().map(Number));
        const has = values.some((value) => Number(value) === row + least), x = 10 + column * side, y = 10 + row * side;
        parts += `<rect class="${(row + column) % 2 ? "dark" : "pale"}${name === step.variable ? " lit" : ""}" x="${x}" y="${y}" width="${side}" height="${side}"/>`;
        if (values.length === 1 && has) parts += `<g transform="translate(${x + side * 0.1} ${y + side * 0.1}) scale(${side * 0.8 / 48})" class="queen"><path d="M13.3 31L8.8 14.8L16.4 22.5L17 11.5L21.6 21.5L24 9.5L26.4 21.5L31 11.5L31.6 22.5L39.2 14.8L34.7 31z"/><path d="M13.3 30.5h21.4l-1.6 5.5h-18.2z"/><rect x="11" y="36" width="26" height="5" rx="2"/></g>`;
        else if (has) parts += `<circle class="maybe" cx="${x + side / 2}" cy="${y + side / 2}" r="${side * 0.13}"/>`;
        else parts += `<path class="out" d="M${x + side * 0.38} ${y + side * 0.38}l${side * 0.24} ${side * 0.24}m0 ${-side * 0.24}l${-side * 0.24} ${side * 0.24}"/>`;
      }
    });
    return `<svg viewBox="0 0 480 480" role="img" aria-label="queens">${parts}</svg>`;
  }

  function letters(step) {
    const words = text.split(/[+=]/).map((word) => word.trim()).filter(Boolean), wide = Math.max(...words.map((word) => word.length));
    let parts = "";
    words.forEach((word, row) => [...word].forEach((letter, k) => {
      const values = step.domains[letter] ?? [], x = 40 + (wide - word.length + k) * 62, y = 16 + row * 74 + (row === words.length - 1 ? 14 : 0);
      parts += `<rect class="box${letter === step.variable ? " lit" : ""}${values.length === 0 ? " dead" : ""}" x="${x}" y="${y}" width="54" height="60" rx="6"/><text class="big" x="${x + 27}" y="${y + 24}">${values.length === 1 ? values[0] : letter}</text><text class="tiny" x="${x + 27}" y="${y + 50}">${values.length === 1 ? letter : values.length <= 5 ? values.join("") : `${values.length} left`}</text>`;
    }));
    const y = 16 + (words.length - 1) * 74 + 3;
    return `<svg viewBox="0 0 ${80 + wide * 62} ${y + 96}" role="img" aria-label="the sum"><path class="thick" d="M30 ${y}H${50 + wide * 62}"/><text class="big" x="20" y="${y - 44}">+</text>${parts}</svg>`;
  }

  if (problem.regions) return map(step);
  if (problem.kind === "sudoku") return sudoku(step);
  if (problem.kind === "queens") return queens(step);
  if (problem.kind === "cryptarithm") return letters(step);
  return problem.places ? graph(step) : "";
}

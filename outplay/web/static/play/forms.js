// How the texts of positions say what stands where: read into cells, written from them. Nothing here touches the page.
// @ts-check

// What may be set on a place: the letter of a position's text, and the word on its button.
export const PALETTES = {
  chess: [["K", "white king"], ["Q", "white queen"], ["R", "white rook"], ["B", "white bishop"], ["N", "white knight"], ["P", "white pawn"], ["k", "black king"], ["q", "black queen"], ["r", "black rook"],
    ["b", "black bishop"], ["n", "black knight"], ["p", "black pawn"]],
  "tic-tac-toe": [["x", "cross"], ["o", "nought"]], "blind tic-tac-toe": [["x", "cross"], ["o", "nought"]], "connect four": [["x", "red"], ["o", "yellow"]], go: [["x", "black"], ["o", "white"]],
  isolation: [["x", "blue"], ["o", "orange"], ["#", "hole"]], othello: [["X", "black"], ["O", "white"]], checkers: [["b", "black man"], ["w", "white man"], ["B", "black king"], ["W", "white king"]],
  backgammon: [["0", "white checker"], ["1", "black checker"]],
  "peg solitaire": [["o", "peg"]], "pac-man": [["P", "Pac-Man"], ["G", "ghost"], ["%", "wall"], [" ", "no food"]],
};

// GNU Backgammon's IDs: bits in base 64, the lowest of each byte first.
const bitsOf = (text) => [...atob(text.padEnd(Math.ceil(text.length / 4) * 4, "="))].flatMap((sign) => Array.from({ length: 8 }, (_, k) => sign.charCodeAt(0) >> k & 1));
const textOf = (bits, size) => btoa(String.fromCharCode(...Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) => bits.slice(8 * byte, 8 * byte + 8).reduce((sum, bit, k) => sum + (bit << k), 0)))).slice(0, size);
const setBits = (bits, at, width, value) => bits.map((bit, k) => (k >= at && k < at + width ? value >> (k - at) & 1 : bit));
const GNU_IDS = /^[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}(:|$)/;
const TURN_BITS = [6, 11], PHASE_BITS = 8, DICE_BITS = 15; // where a match ID says who rolls and who decides, what goes on, the dice

// How a text says what stands where: rows between slashes, one row of letters (Othello), or lists of numbered squares (checkers).
export const FORMS = [
  { fits: (text) => text.split(" ")[0].includes("/") && !GNU_IDS.test(text),
    read: (text) => ({ cells: text.split(" ")[0].split("/").map((row) => row.replace(/\d+/g, (n) => ".".repeat(+n)).split("")), rest: text.split(" ").slice(1) }),
    write: (cells, rest, game) => { const rows = cells.map((row) => row.join("")); return [(game === "chess" ? rows.map((row) => row.replace(/\.+/g, (run) => String(run.length))) : rows).join("/"), ...rest].join(" "); },
    turned: (rest) => [{ w: "b", b: "w", x: "o", o: "x" }[rest[0]] ?? rest[0], ...rest.slice(1)],
    // Castling rights stand only where king and rook do.
    rights: (rest) => (rest.length > 2 ? rest[1].replace("-", "") : ""),
    allow: (rest, letters) => [rest[0], letters || "-", ...rest.slice(2)],
    possible: (cells, rest) => {
      const at = (row, letter, column) => cells[row]?.[column] === letter;
      return [..."KQkq"].filter((right) => { const row = right < "a" ? 7 : 0, rook = right < "a" ? "R" : "r", king = right < "a" ? "K" : "k"; return (rest[1] ?? "").includes(right) && at(row, king, 4) && at(row, rook, right.toLowerCase() === "k" ? 7 : 0); }).join("") || "-";
    } },
  { fits: (text) => /^[-XO]+ [XO]$/.test(text),
    read: (text) => { const [letters, turn] = text.split(" "), side = Math.round(Math.sqrt(letters.length)); return { cells: Array.from({ length: side }, (_, row) => letters.slice(row * side, row * side + side).replaceAll("-", ".").split("")), rest: [turn] }; },
    write: (cells, rest) => `${cells.map((row) => row.join("")).join("").replaceAll(".", "-")} ${rest[0]}`,
    turned: ([turn]) => [turn === "X" ? "O" : "X"] },
  { fits: (text) => /^[BW]:[BW][\dK,]*:[BW][\dK,]*$/.test(text),
    read: (text, side) => {
      const cells = Array.from({ length: side }, () => Array(side).fill("."));
      const [turn, ...sides] = text.split(":");
      for (const men of sides) for (const man of men.slice(1).split(",").filter(Boolean)) {
        const number = +man.replace("K", "") - 1, row = Math.floor(number / (side / 2)), letter = men[0].toLowerCase();
        cells[row][2 * (number % (side / 2)) + (row + 1) % 2] = man.startsWith("K") ? letter.toUpperCase() : letter;
      }
      return { cells, rest: [turn] };
    },
    write: (cells, rest) => {
      const men = { w: [], b: [] }, side = cells.length;
      cells.forEach((row, r) => row.forEach((letter, c) => { if (/[wb]/i.test(letter) && (r + c) % 2) men[letter.toLowerCase()].push((letter < "a" ? "K" : "") + (r * side / 2 + (c - (r + 1) % 2) / 2 + 1)); }));
      return `${rest[0]}:W${men.w.join(",")}:B${men.b.join(",")}`;
    },
    turned: ([turn]) => [turn === "B" ? "W" : "B"] },
  { fits: (text) => GNU_IDS.test(text),
    read: (text) => {
      const match = setBits(bitsOf(text.split(":")[1]), PHASE_BITS, 3, 1), turn = match[TURN_BITS[1]], bits = bitsOf(text.slice(0, 14));
      const cells = [Array(26).fill(0), Array(26).fill(0)]; // by side: checkers on its own points, 25 is the bar
      let at = 0;
      for (const side of [1 - turn, turn]) for (let point = 1; point <= 25; point++, at++) for (; bits[at]; at++) cells[side][point]++;
      return { cells, rest: match };
    },
    write: (cells, match) => {
      const turn = match[TURN_BITS[1]], bits = [1 - turn, turn].flatMap((side) => cells[side].slice(1).flatMap((count) => [...Array(count).fill(1), 0]));
      return `${textOf([...bits, ...Array(80).fill(0)].slice(0, 80), 14)}:${textOf(match, 12)}`;
    },
    turned: (match) => TURN_BITS.reduce((bits, at) => setBits(bits, at, 1, 1 - bits[at]), match),
    cleared: () => [Array(26).fill(0), Array(26).fill(0)],
    paint: ({ cells, letter }, id) => {
      const [kind, seat] = id.split(","), bar = kind === "bar", number = +kind;
      if (!bar && !(number >= 1 && number <= 24)) return;
      const point = (side) => (bar ? 25 : side ? 25 - number : number);
      const side = letter === "." ? (bar ? +seat : cells[0][point(0)] ? 0 : 1) : +letter, other = 1 - side;
      if (letter === ".") { cells[side][point(side)] = Math.max(0, cells[side][point(side)] - 1); return; }
      if (cells[side].reduce((sum, count) => sum + count) >= 15) return;
      if (!bar) cells[other][point(other)] = 0;
      cells[side][point(side)]++;
    },
    dice: (match, high, low) => setBits(setBits(match, DICE_BITS, 3, high), DICE_BITS + 3, 3, low) },
];

// The lines of a game as a tree, and dice in words. Nothing here touches the page.
// @ts-check

// All lines of a game, in the order of the tree; each owns the plies from where it leaves its parent.
export function treeOf(state) {
  const plain = [{ parent: -1, from: 0, words: state.notation?.length ? state.notation : state.record, movers: state.movers }];
  const { lines, now } = state.tree ?? { lines: plain, now: 0 };
  const owner = (line, at) => { while (line > 0 && at <= lines[line].from) line = lines[line].parent; return line; };
  const of = (line, ply) => lines[owner(line, ply + 1)];
  const tree = {
    lines, now, owner,
    word: (line, ply) => { const at = of(line, ply); return at.words[ply - at.from]; },
    mover: (line, ply) => { const at = of(line, ply); return at.movers[ply - at.from]; },
    length: (line) => lines[line].from + lines[line].words.length,
    numbers: (line) => { // as the rows of two columns are counted
      const found = [];
      let number = 0, filled = 2, ended = true;
      for (let ply = 0; ply < tree.length(line); ply++) {
        const seat = tree.mover(line, ply);
        if (seat >= 0) { if (seat < filled || (seat === filled && ended)) number++; filled = seat; ended = true; }
        found.push(number);
      }
      return found;
    },
  };
  return tree;
}

export const pips = (text) => text.replace(/^[xo]?([1-6])([1-6])$/, "$1-$2");

export const pretty = (text) => { const dice = /^[xo]?([1-6])([1-6])$/.exec(text); return dice ? `Dice ${dice[1]} and ${dice[2]}` : text; };

// Circles and arrows of a comment, a circle being an arrow to where it begins: `[%csl Gd4]` and `[%cal Ge2e4]` name places,
// `[%sgf CR[dd]AR[aa:bb]]` counts them from the upper left.
export function ringed(note, at) {
  const found = [];
  for (const [, kind, list] of note.matchAll(/\[%(csl|cal) ([^\]]*)\]/g)) for (const one of list.split(",").map((text) => text.trim()).filter(Boolean)) {
    const colour = one[0], rest = one.slice(1), parts = rest.includes("-") ? rest.split("-") : [rest.slice(0, rest.length / 2), rest.slice(rest.length / 2)];
    found.push(kind === "csl" ? { colour, from: rest, to: rest } : { colour, from: parts[0], to: parts[1] });
  }
  const sgf = /\[%sgf (.*)\]$/s.exec(note)?.[1] ?? "", spot = (text) => at(text.charCodeAt(1) - 97, text.charCodeAt(0) - 97);
  for (const [, , places] of sgf.matchAll(/(CR|TR|SQ|MA|AR|LN)((?:\[[a-z:]+\])+)/g)) for (const [, one] of places.matchAll(/\[([a-z:]+)\]/g)) {
    const [from, to = from] = one.split(":");
    found.push({ colour: "G", from: spot(from), to: spot(to) });
  }
  return found;
}

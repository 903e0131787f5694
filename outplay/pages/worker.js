// The search's own thread: the module that the page compiled, in a memory of its own; it answers with what it found.
"use strict";
let thinking = null;
onmessage = ({ data }) => {
  try {
    if (data.kind === "begin") { thinking = { rules: new Rules(data.code, data.manifest), made: {} }; return; }
    const { rules, made } = thinking, { id, family, state, limits, seed, share } = data, name = share ? `${family} together` : family;
    if (data.kind === "clear") { for (const each of Object.values(made)) each.clear(); return; }
    made[name] ??= FAMILIES[family](share ? new Rules(share.code, rules.manifest, null, share) : rules);
    if (seed !== undefined) made[name].seed?.(seed);
    const flag = share && new Int32Array(share.memory.buffer, share.halt, 1);
    halted = share ? () => Atomics.load(flag, 0) >= share.turn : () => false;
    const found = made[name].search(state, limits, (so_far) => postMessage({ id, so_far: brief(so_far) }));
    postMessage({ id, found: brief(found) });
  } catch (problem) { postMessage({ id: data.id, problem: problem.message }); }
};
const brief = ({ arms, ...found }) => found;

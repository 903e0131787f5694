// The search's own thread: the module that the page compiled, in a memory of its own; it answers with what it found.
"use strict";
let thinking = null;
onmessage = ({ data }) => {
  try {
    if (data.kind === "begin") { thinking = { rules: new Rules(data.code, data.manifest), made: {} }; return; }
    const { rules, made } = thinking, { id, family, state, limits, seed } = data;
    if (data.kind === "clear") { for (const each of Object.values(made)) each.clear(); return; }
    made[family] ??= FAMILIES[family](rules);
    if (seed !== undefined) made[family].seed?.(seed);
    const found = made[family].search(state, limits, (so_far) => postMessage({ id, so_far: brief(so_far) }));
    postMessage({ id, found: brief(found) });
  } catch (problem) { postMessage({ id: data.id, problem: problem.message }); }
};
const brief = ({ arms, ...found }) => found;

// Steps of a search that can be foreseen: for the reader of Look inside, and for a class.
// @ts-check

// A step at which one can say whether the rest of the node is cut: a value has come in, and actions are left.
export const isQuestion = (frames, tick) => frames[tick]?.w === "update" && frames.some((frame) => frame.w === "cut") && ["cut", "enter", "leaf"].includes(frames[tick + 1]?.w);

// A step after which the search goes to a node.
export const goesOn = (frames, tick) => frames[tick + 1]?.n !== frames[tick]?.n && ["enter", "leaf", "expand", "goal"].includes(frames[tick + 1]?.w);

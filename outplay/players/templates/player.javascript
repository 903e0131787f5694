// A player of any game of Outplay:   outplay match tic-tac-toe "program:node FILE" random --games 20 --time 1
// The lines that come in are explained in docs/bring-your-own.md; one line, an action, goes out for each `go`.
const lines = require("readline").createInterface({ input: process.stdin });
let position = "", legal = [], seat = 0, seconds = 0;

lines.on("line", (line) => {
  const [word, ...rest] = line.split(" ");
  if (word === "outplay") console.log("ready");
  else if (word === "seat") seat = Number(rest[0]);
  else if (word === "position") position = rest.join(" ");
  else if (word === "time") seconds = Number(rest[0]);
  else if (line.startsWith("legal\t")) legal = line.split("\t").slice(1);
  else if (word === "go") console.log(choose());
});

function choose() {
  return legal[Math.floor(Math.random() * legal.length)];
}

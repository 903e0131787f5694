// The textbook in the reader's browser: Pyodide and Outplay's Python files lie beside this script, nothing comes from elsewhere.
const here = new URL(".", import.meta.url);
let python;

async function begin() {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", here));
  const py = await loadPyodide({ indexURL: new URL("pyodide/", here).href });
  const files = await fetch(new URL("outplay.zip", here));
  py.unpackArchive(await files.arrayBuffer(), "zip", { extractDir: "/live" });
  py.runPython("import sys; sys.path.insert(0, '/live')");
  return py;
}

async function run(cell) {
  const code = cell.querySelector("textarea").value;
  const said = cell.querySelector("pre");
  const drawn = cell.querySelector(".drawn");
  const button = cell.querySelector("button");
  button.disabled = true;
  said.textContent = python ? "" : "Python is loading …";
  drawn.replaceChildren();
  try {
    python ??= begin();
    const py = await python;
    let text = "";
    py.setStdout({ batched: (line) => { text += line + "\n"; } });
    const names = py.globals.get("dict")();
    names.set("__name__", "__main__");
    try {
      const value = await py.runPythonAsync(code, { globals: names });
      if (typeof value === "string" && value.startsWith("<svg")) {
        drawn.innerHTML = value;
      } else if (value !== undefined) {
        text += String(value) + "\n";
      }
    } catch (problem) {
      text += problem.message.trim().split("\n").at(-1) + "\n";
    } finally {
      names.destroy();
    }
    said.textContent = text;
    cell.dataset.done = "yes";
  } catch (problem) {
    python = undefined;
    said.textContent = "Python could not be loaded here: " + problem.message;
  }
  button.disabled = false;
}

for (const cell of document.querySelectorAll(".live")) {
  cell.querySelector("button").addEventListener("click", () => run(cell));
  cell.querySelector("textarea").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.ctrlKey) run(cell);
  });
}

"""What the tests of pages share: a script that node runs over a game's kernels and translated words."""

from __future__ import annotations

import base64
import functools
import json
import shutil
import subprocess
import tempfile
from typing import Any

import pytest

from outplay.errors import OutplayError
from outplay.pages import build
from outplay.pages.pack import Packing


def needed() -> str:
    """What is missing on this machine to run a page's code; empty where nothing is."""
    from outplay.compiling import wasm

    try:
        wasm.linker()
    except OutplayError as problem:
        return str(problem)
    return "" if shutil.which("node") else "node is not installed"


need_node = pytest.mark.skipif(bool(needed()), reason=needed() or "all is there")


@functools.cache
def packed(name: str, *searches: str) -> Packing:
    """A game with some searches, compiled once for all tests of a process."""
    from outplay.game import load
    from outplay.pages import pack

    return pack.packed(load(name), searches, memory=2)


def run(made: Packing, body: str, given: Any = None, words: bool = False) -> Any:
    """Run JavaScript over `rules` with `given`; what it gives to `answer` comes back."""
    manifest = made.manifest() | {"code": base64.b64encode(made.module.code).decode()}
    parts = [build.own(name) for name in ("kernels.js", "searches.js", "sharing.js", "levels.js")]
    if words:
        parts += [build.own("python.js"), build.own("record.js"), build.translated(made.game)]
    script = "\n".join(parts) + """
const [manifest, given] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const code = new Uint8Array(Buffer.from(manifest.code, "base64")), rules = new Rules(new WebAssembly.Module(code), manifest);
const answer = value => console.log(JSON.stringify(value, (_, x) => typeof x === "bigint" ? String(x) : x));
""" + ("host.rules = rules;\n" if words else "") + body
    return json.loads(node(script, json.dumps([manifest, given])))


def node(script: str, given: str = "") -> str:
    """What a script says to node, which is given a text."""
    with tempfile.NamedTemporaryFile("w", suffix=".js", encoding="utf-8") as file:
        file.write(script)
        file.flush()
        told = subprocess.run(["node", file.name], input=given, capture_output=True, text=True, timeout=600)
    assert told.returncode == 0, told.stderr[-1500:]
    return told.stdout

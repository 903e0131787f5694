"""The studio's scripts: modules that import what they use, and unit tests of the parts that do not touch a page, run by Node.

`test_browser.py` and its siblings try them in a real browser; `make test-scripts` has types and style checked by tools from npm.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import outplay.web

STATIC = Path(outplay.web.__file__).parent / "static"
SCRIPTS = sorted(STATIC.rglob("*.js"))
TESTS = Path(__file__).parent / "scripts"
IMPORT = re.compile(r'^(?:import (?:\{ (?P<names>[^}]*) \} from )?|.*?await import\()"(?P<file>[^"]+)"', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function|class|const|let) (.*)$", re.MULTILINE)
MADE_ELSEWHERE = {"tree.js": {"Stepper"}}  # the server adds this one, which standalone files carry, too
KNOWN = {"if", "for", "while", "switch", "catch", "return", "await", "super", "constructor", "import", "function", "async",
         "fetch", "matchMedia", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "requestAnimationFrame",
         "cancelAnimationFrame", "requestIdleCallback", "confirm", "prompt", "atob", "btoa", "parseInt", "getComputedStyle",
         "encodeURIComponent", "translate", "var"}  # fmt: skip
PLAIN = ("words.js", "forms.js", "lines.js", "standing.js", "phrases.js")  # what these hold has nothing to do with a page


def exported(path):
    if path.name in MADE_ELSEWHERE:
        return MADE_ELSEWHERE[path.name]
    found = set()
    for line in EXPORT.findall(path.read_text("utf-8")):
        head = re.match(r"[\w$]+(?:\(|\s*\{| extends)?", line)
        found.add(re.match(r"[\w$]+", head[0])[0])
        found.update(re.findall(r", ([\w$]+) = ", line.partition("//")[0]))
    return found


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(STATIC)))
def test_a_script_is_a_module_that_imports_what_there_is_and_uses_it(path):
    text = path.read_text("utf-8")
    assert text.startswith("// "), "a script begins with what it is for"
    code = re.sub(r'"[^"\n]*"', '""', text)  # without what it says
    assert "use strict" not in text and not re.search(r"\bvar \w| == | != ", code), "modules are strict; === and let"
    for found in IMPORT.finditer(text):
        source = (path.parent / found["file"]).resolve()
        assert source.name in MADE_ELSEWHERE or source in SCRIPTS, found["file"]
        for name in (found["names"] or "").split(", "):
            assert not name or name in exported(source), f"{source.name} does not export {name}"
            assert not name or text.count(name) > 1, f"{name} is imported and not used"
    code = re.sub(r"//[^\n]*", "", re.sub(r"/(?:\\.|\[[^]]*\]|[^/\n*])+/[a-z]*(?=[.,)])", "0", code))  # nor what it looks for
    called = set(re.findall(r"(?<![.\w$#])(?<!function )(?<!async )([a-z]\w*)\(", code)) - KNOWN
    declared = r"(?<![.\w$]){0}\b(?!\()|function {0}\(|^\s+(?:async )?(?:get )?{0}\(.*{{"
    undeclared = {name for name in called if not re.search(declared.format(name), code, re.MULTILINE)}
    assert undeclared == set(), "called, and neither declared here nor imported"
    if path.name in PLAIN:
        assert not IMPORT.search(text) and not re.search(r"\b(document|window|location|fetch)\b", text)


def test_pages_load_nothing_but_modules():
    pages = "".join(path.read_text("utf-8") for path in STATIC.rglob("*.html"))
    assert [tag for tag in re.findall(r"<script[^>]*>", pages) if 'type="module"' not in tag] == []


@pytest.mark.skipif(shutil.which("node") is None, reason="the scripts' own tests need Node")
def test_scripts_parse_and_pass_their_own_tests(tmp_path):
    shutil.copytree(STATIC, tmp_path / "static", ignore=shutil.ignore_patterns("*.html", "*.css", "*.svg"))
    shutil.copytree(TESTS, tmp_path / "scripts")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for path in sorted((tmp_path / "static").rglob("*.js")):
        done = subprocess.run(["node", "--check", path], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    files = sorted((tmp_path / "scripts").glob("*.test.js"))
    done = subprocess.run(["node", "--test", *files], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"# pass {sum(path.read_text().count('test(') for path in files)}" in done.stdout

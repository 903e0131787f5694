"""The examples that run in the reader's browser: in Python without NumPy and Numba, and in a browser where Pyodide is at hand."""

import functools
import http.server
import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIVE = ROOT / "docs" / "live"
WANTED = {"1-a-tree": "alphabeta: branch 0, worth 3", "2-a-game-of-your-own": "alphabeta  says 1", "3-Monte-Carlo": "800 ["}
WITHOUT = """
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite", "rich", "click", "platformdirs", "threadpoolctl"):
            raise ImportError(name)
sys.meta_path.insert(0, Nothing())
sys.path[:0] = sys.argv[1:3]
exec(compile(open(sys.argv[3]).read(), sys.argv[3], "exec"), {"__name__": "__main__"})
assert sys.modules["numpy"].__file__.startswith(sys.argv[1])
"""


@pytest.mark.parametrize("name", sorted(path.stem for path in LIVE.glob("[0-9]*.py")))
def test_an_example_needs_nothing_but_python(name):
    command = [sys.executable, "-c", WITHOUT, LIVE, ROOT, LIVE / f"{name}.py"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert WANTED[name] in done.stdout


def test_the_examples_run_in_a_browser(tmp_path, monkeypatch):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    browser_path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser_path is None or not (ROOT / "build" / "pyodide" / "pyodide.mjs").exists():
        pytest.skip("needs a browser, and Pyodide as `make docs` fetches it")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    spec = importlib.util.spec_from_file_location("outplay_site", ROOT / "docs" / "site.py")
    site = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(site)
    monkeypatch.setattr(site, "TARGET", tmp_path)
    (tmp_path / "generated").mkdir()
    page_text = site.live_page()
    (tmp_path / "generated" / "live.html").write_text(f"<!doctype html><meta charset='utf-8'>{page_text}", encoding="utf-8")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path)
    handler.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with playwright.sync_playwright() as started:
            browser = started.chromium.launch(executable_path=browser_path, args=["--no-sandbox"] if os.geteuid() == 0 else [])
            page = browser.new_page()
            page.set_default_timeout(600_000)
            page.goto(f"http://127.0.0.1:{server.server_port}/generated/live.html")
            for name, words in WANTED.items():
                cell = page.locator(f'[id="{name}"]')
                cell.locator("button").click()
                page.wait_for_selector(f'[id="{name}"][data-done]')
                assert words in cell.locator("pre").inner_text()
            assert page.locator('[id="1-a-tree"] .drawn svg').count() == 1
            cell.locator("textarea").fill("1 / 0")  # a mistake is told in one line, and changes nothing else
            cell.locator("button").click()
            page.wait_for_function("document.querySelector('[id=\"3-Monte-Carlo\"] pre').textContent.includes('ZeroDivisionError')")
            browser.close()
        server.shutdown()

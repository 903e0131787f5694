"""Firefox without a window, spoken to in its own protocol, Marionette: as much of it as the tests of pages need.

    with Firefox("/usr/bin/firefox") as firefox:
        firefox.open("file:///tmp/game.html")
        firefox.evaluate("outplay.plies.length")
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

PREFERENCES = """
user_pref("marionette.port", 0);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.enabled", false);
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.page", 0);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "");
user_pref("ui.prefersReducedMotion", 1);
"""
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element's reference, by the WebDriver standard
PATIENCE = 600  # seconds: then a test has failed


def found() -> str:
    """Where Firefox is; empty where it is not."""
    return os.environ.get("OUTPLAY_FIREFOX") or shutil.which("firefox") or shutil.which("firefox-esr") or ""


class Firefox:
    """One Firefox with a profile of its own, gone when its context is left."""

    def __init__(self, program: str) -> None:
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        profile = Path(self.folder.name)
        (profile / "user.js").write_text(PREFERENCES, encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--marionette", "--profile", str(profile)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env=os.environ | {"HOME": str(profile), "MOZ_CRASHREPORTER_DISABLE": "1"})  # fmt: skip
        self.asked = 0
        try:
            told = profile / "MarionetteActivePort"  # written when it listens
            self._until(lambda: told.exists() and told.read_text().strip())
            self.socket = socket.create_connection(("127.0.0.1", int(told.read_text())), timeout=PATIENCE)
            self.file = self.socket.makefile("rb")
            self._read()  # its greeting
            self.ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": False}}})
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Firefox:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """End it, and leave nothing behind."""
        if hasattr(self, "socket"):
            with contextlib.suppress(OSError, AssertionError):
                self.ask("Marionette:Quit", {"flags": ["eForceQuit"]})
            self.file.close()
            self.socket.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def _until(self, state: Any) -> Any:
        end = time.monotonic() + PATIENCE
        while not (seen := state()):
            assert self.process.poll() is None, "Firefox ended by itself"
            assert time.monotonic() < end, "Firefox does not come to it"
            time.sleep(0.02)
        return seen

    def _read(self) -> Any:
        length = b""
        while (byte := self.file.read(1)) != b":":
            assert byte, "Firefox hung up"
            length += byte
        return json.loads(self.file.read(int(length)))

    def ask(self, command: str, given: dict[str, Any]) -> Any:
        """One command, and what it answers."""
        self.asked += 1
        text = json.dumps([0, self.asked, command, given]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, number, problem, answer = self._read()
        assert number == self.asked and problem is None, problem
        return answer["value"] if isinstance(answer, dict) and set(answer) == {"value"} else answer

    def open(self, address: str) -> None:
        """Load a page."""
        self.ask("WebDriver:Navigate", {"url": address})

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, past its security policy."""
        return self.ask("WebDriver:ExecuteScript", {"script": f"return ({expression});", "args": [], "sandbox": None})

    def until(self, expression: str) -> Any:
        """Wait until an expression in the page holds."""
        return self._until(lambda: self.evaluate(expression))

    def click(self, selector: str) -> None:
        """Click on the first element that fits a selector of CSS."""
        element = self.ask("WebDriver:FindElement", {"using": "css selector", "value": selector})
        self.ask("WebDriver:ElementClick", {"id": element[ELEMENT]})

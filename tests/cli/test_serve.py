"""`serve`: the studio starts, says where, ends on Ctrl-C, and refuses what it cannot do in one line."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from outplay.cli.main import run

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")


def test_it_says_its_address_and_ends_on_interrupt(tmp_path):
    server = subprocess.Popen(
        [sys.executable, "-m", "outplay", "serve", "--port", "0"],
        env={**os.environ, "OUTPLAY_DATA": str(tmp_path / "data")}, stderr=subprocess.PIPE, text=True)  # fmt: skip
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+/", server.stderr.readline())[0]
        assert "Outplay" in urllib.request.urlopen(address, timeout=600).read().decode()
        assert (tmp_path / "data" / "studio.sqlite").exists()
    finally:
        server.send_signal(signal.SIGINT)
    assert server.wait(600) in (0, 130)
    assert "Traceback" not in server.stderr.read()


def test_a_port_that_is_taken_or_impossible_gets_one_line(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        assert run(["serve", "--port", str(number)]) == 2
        assert capsys.readouterr().err == f"cannot listen on 127.0.0.1:{number}: Address already in use\n"
    assert run(["serve", "--port", "99999"]) == 2
    assert capsys.readouterr().err == "--port must be from 0 to 65535, got 99999\n"
    assert run(["serve", "--host", "no.such.host.invalid", "--port", "0"]) == 2
    assert capsys.readouterr().err.startswith("cannot listen on no.such.host.invalid:0: ")


def test_the_compiler_is_loaded_before_anybody_is_served():
    """Two first searches at once, each loading it in a thread of its own, waited for each other for ever."""
    pytest.importorskip("uvicorn")
    script = ("import sys, uvicorn\nuvicorn.Server.run = lambda self, sockets: print('numba' in sys.modules)\n"
              "from outplay.cli.main import run\nrun(['serve', '--port', '0'])")  # fmt: skip
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600)
    assert done.stdout.strip() == "True", done.stderr

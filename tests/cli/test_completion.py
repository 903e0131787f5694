"""What a shell offers while one types: asked as bash asks, through the script that `--install-completion` writes."""

import os
import subprocess
import sys

import pytest


def offered(words, shell="bash"):
    """What comes up for the last word."""
    asked = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1), "_OUTPLAY_COMPLETE": f"{shell}_complete"}
    code = "import sys; sys.argv[0] = 'outplay'; from outplay.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **asked}, capture_output=True, text=True, timeout=600)
    return [line.removeprefix("plain,") for line in done.stdout.split()]


@pytest.mark.parametrize("words, wanted", [
    (["outplay", "be"], {"best", "bench"}),
    (["outplay", "best", "con"], {"connect-four"}),
    (["outplay", "best", "chess", "--algorithm", "mtd"], {"mtdf"}),
    (["outplay", "match", "chess", "deep"], {"deep-blue"}),
])  # fmt: skip
def test_a_word_is_completed(words, wanted):
    assert set(offered(words)) == wanted

"""The program, `outplay` or `python -m outplay`. Before anything else is imported, Ctrl-C is made to end it without a word.

What comes before this file is Python's own start, in which Python itself answers Ctrl-C with a traceback.
"""

import _signal  # `signal` would import enum and more: two milliseconds in which Ctrl-C would show a traceback
import os

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # and is not ignored, as behind `nohup` or `&`
    _signal.signal(_signal.SIGINT, lambda number, frame: os._exit(130))

import gc

gc.set_threshold(100_000)  # of objects made, before Python looks for cycles: a tenth of a short command's time went into that

from outplay.cli.main import main  # noqa: E402

if __name__ == "__main__":
    main()

"""What authors of games and kernels import: number types, marks, bits, random numbers, data tables (all from `outplay.compiling`).

Ways to mark a function, and each stays callable in plain Python, so that everything also runs uncompiled:

* ``@inlined`` for helpers that rules and kernels call (registered for every target, CPU and CUDA alike);
* ``@kernel`` for functions entered from Python (compiled per game on first call, cached on disk, without the GIL);
* methods of a game need none: compiled code that meets ``state.play(action)`` looks the method up by the type of the state.

>>> popcount(u64(0b1011)), lowest(u64(0b1000))
(3, 3)
"""

from outplay.compiling.cache import cache_folder
from outplay.compiling.dispatch import bind, record_type
from outplay.compiling.fingerprints import fingerprint
from outplay.compiling.intrinsics import (
    byteswap,
    copy_record,
    highest,
    load_record,
    lowest,
    pointer,
    popcount,
    prefetch,
    record_of,
)
from outplay.compiling.kernels import Kernel, kernel, load_compiler, watch_compiling
from outplay.compiling.marks import (
    UNCOMPILED,
    Array,
    always_inlined,
    called,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    inlined,
    u8,
    u16,
    u32,
    u64,
)
from outplay.compiling.randomness import below, evenly, mix, next_word, random_source, uniform
from outplay.compiling.tables import Table, table

__all__ = [
    "UNCOMPILED", "Array", "Kernel", "Table", "always_inlined", "below", "bind", "byteswap", "cache_folder", "called",
    "copy_record", "evenly", "f32", "f64", "fingerprint", "highest", "i8", "i16", "i32", "i64",
    "inlined", "kernel", "load_compiler", "load_record", "lowest", "mix", "next_word", "pointer", "popcount", "prefetch",
    "random_source", "record_of", "record_type", "table", "u8", "u16", "u32", "u64", "uniform", "watch_compiling",
]

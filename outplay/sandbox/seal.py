"""What a Python process puts on itself, by the standard library alone: a filter of system calls, which also travels into a box, and
where there is no box, Landlock: nothing is written, and no other process's memory is read."""

import ctypes
import os
import platform
import struct
import sys

_CALLS = {
    "x86_64": (0xC000003E, {"execve": 59, "execveat": 322, "fork": 57, "vfork": 58, "clone": 56, "clone3": 435, "socket": 41,
                            "kill": 62, "tkill": 200, "tgkill": 234, "ptrace": 101, "process_vm_readv": 310,
                            "process_vm_writev": 311, "pidfd_open": 434, "pidfd_send_signal": 424, "rt_sigqueueinfo": 129,
                            "unshare": 272, "setns": 308, "mount": 165, "bpf": 321, "perf_event_open": 298,
                            "io_uring_setup": 425, "keyctl": 250, "prlimit64": 302, "setpriority": 141, "sched_setparam": 142,
                            "sched_setscheduler": 144, "sched_setaffinity": 203, "sched_setattr": 314, "ioprio_set": 251,
                            "migrate_pages": 256, "move_pages": 279, "kcmp": 312, "shmget": 29, "shmat": 30, "msgget": 68,
                            "semget": 64, "mq_open": 240}),
    "aarch64": (0xC00000B7, {"execve": 221, "execveat": 281, "clone": 220, "clone3": 435, "socket": 198, "kill": 129, "tkill": 130,
                             "tgkill": 131, "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "pidfd_open": 434,
                             "pidfd_send_signal": 424, "rt_sigqueueinfo": 138, "unshare": 97, "setns": 268, "mount": 40, "bpf": 280,
                             "perf_event_open": 241, "io_uring_setup": 425, "keyctl": 219, "prlimit64": 261, "setpriority": 140,
                             "sched_setparam": 118, "sched_setscheduler": 119, "sched_setaffinity": 122, "sched_setattr": 274,
                             "ioprio_set": 30, "migrate_pages": 238, "move_pages": 239, "kcmp": 272, "shmget": 194, "shmat": 196,
                             "msgget": 186, "semget": 190, "mq_open": 180}),
}  # fmt: skip
"""The number of each architecture, and those of the calls that a guest does not get."""
_LOAD, _EQUAL, _ANY, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_EPERM, _ENOSYS = 1, 38
_CLONE_THREAD = 0x00010000
_X32 = 0x40000000


def shut(bare: bool = False) -> bool:
    """Forbid this process, for good and for all its threads to come, further processes, other programs, sockets and signals, and to
    slow down others or share memory with them.

    One that is `bare`, without a box around it, may also write no file and look into no other process (Linux from 5.13). A refused
    call answers "Operation not permitted". Says whether the kernel could be asked.
    """
    known = _CALLS.get(platform.machine())
    if known is None or not sys.platform.startswith("linux"):
        return False
    architecture, calls = known
    code = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    if platform.machine() == "x86_64":  # the other numbering of the same calls
        code += [(0x35, 0, 1, _X32), (_RETURN, 0, 0, _ERROR | _EPERM)]
    code += [(_EQUAL, 0, 1, calls["clone3"]), (_RETURN, 0, 0, _ERROR | _ENOSYS)]  # the library then takes `clone`
    code += [(_EQUAL, 0, 4, calls["clone"]), (_LOAD, 0, 0, 16), (_ANY, 0, 1, _CLONE_THREAD), (_RETURN, 0, 0, _ALLOW),
             (_RETURN, 0, 0, _ERROR | _EPERM)]  # fmt: skip  # threads it may have
    for name, number in calls.items():
        if name not in ("clone", "clone3"):
            code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | _EPERM)]
    code.append((_RETURN, 0, 0, _ALLOW))
    packed = b"".join(struct.pack("HBBI", *each) for each in code)

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]

    library = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, set_seccomp, by_filter = 38, 22, 2
    if library.prctl(no_new_privileges, 1, 0, 0, 0) != 0:
        return False
    if bare:
        _write_nothing(library)
        _be_nobody(library)
    return library.prctl(set_seccomp, by_filter, ctypes.byref(Program(len(code), packed)), 0, 0) == 0


_MAKE_RULES, _ADD_RULE, _RESTRICT = 444, 445, 446
_WRITE, _TRUNCATE = 1 << 1, 1 << 14
_CHANGE = 0b1_1111_1111 << 4
"""Of folders: what removes from them and makes things in them."""


def can_hold_files() -> bool:
    """Whether this kernel can keep a process from writing files, as `shut(bare=True)` asks it to."""
    return sys.platform.startswith("linux") and ctypes.CDLL(None).syscall(_MAKE_RULES, None, 0, 1) > 0


def _write_nothing(library: ctypes.CDLL) -> None:
    """Landlock: no file is written but /dev/null, and no process is looked into that is not held so, either (/proc/N/mem)."""
    version = library.syscall(_MAKE_RULES, None, 0, 1)
    if version < 1:
        return  # a kernel without it
    handled = _WRITE | _CHANGE | (_TRUNCATE if version >= 3 else 0)
    rules = library.syscall(_MAKE_RULES, ctypes.byref(ctypes.c_uint64(handled)), 8, 0)
    if rules < 0:
        return
    nothing = os.open(os.devnull, os.O_PATH)
    allowed = struct.pack("=Qi", handled & (_WRITE | _TRUNCATE), nothing)
    library.syscall(_ADD_RULE, rules, 1, allowed, 0)
    library.syscall(_RESTRICT, rules, 0)
    os.close(nothing)
    os.close(rules)


_LOOKS_IN = 1 << 19 | 1 << 21  # CAP_SYS_PTRACE, CAP_SYS_ADMIN; in the second word CAP_PERFMON
_VERSION = 0x20080522


def _be_nobody(library: ctypes.CDLL) -> None:
    """Give up what lets root look into any process, Landlock or not: what its environment is, where its memory lies."""
    whose, held = (ctypes.c_uint32 * 2)(_VERSION, 0), (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice
    if library.capget(whose, held) == 0:
        for at in range(3):
            held[at] &= ~_LOOKS_IN
            held[3 + at] &= ~(1 << 6)
        library.capset(whose, held)

"""Kernels as WebAssembly: the proof, what is missing, what cannot be."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from outplay.compiling import wasm
from outplay.errors import OutplayError
from outplay.jit import UNCOMPILED


def has_linker() -> bool:
    try:
        return bool(wasm.linker())
    except OutplayError:
        return False


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")
@pytest.mark.skipif(not has_linker() or shutil.which("node") is None, reason="no linker for WebAssembly, or no node")
def test_five_lines_compute_what_python_computes():
    assert wasm.proved()


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")
@pytest.mark.skipif(not has_linker(), reason="no linker for WebAssembly")
def test_same_kernel_same_bytes():
    kernels = [("walk", wasm.Kernel(wasm._walk), (np.arange(50),))]
    made = wasm.module(kernels)
    assert made.code == wasm.module(kernels).code and made.code[:4] == b"\0asm" and made.imports == ()


def test_a_missing_linker_is_one_clear_line(monkeypatch):
    wasm.linker.cache_clear()
    monkeypatch.setattr(wasm.shutil, "which", lambda name: None)
    monkeypatch.setattr(wasm.importlib.util, "find_spec", lambda name: None)
    try:
        with pytest.raises(OutplayError, match=r"pip install 'outplay\[wasm\]'"):
            wasm.linker()
    finally:
        wasm.linker.cache_clear()

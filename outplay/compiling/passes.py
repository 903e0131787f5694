"""How Numba compiles a kernel: its own passes, less the work that kernels have no use for.

Kernels and what they call allocate nothing, so no reference is ever counted and no variable's life has to be known; a helper's code
is optimised once, in the kernel that it is linked into, instead of at every level of calls. With the savings of `quickly`, that is
more than half of the time that Numba takes by itself. Nothing here changes what a kernel computes.

All of it rests on what Numba does inside and may do otherwise in its next version. So before the first kernel is compiled by a
version of Numba, a small one is, and must compute what Python computes; else, and where OUTPLAY_PASSES=stock says so, Numba's own
passes are used.
"""

from __future__ import annotations

import functools
import gc
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from outplay.compiling.marks import say_once
from outplay.errors import BadValue

_trusted = True  # until the proof fails


def passes_in_use() -> str:
    """Which passes kernels are to be compiled by: "own", or "stock" where the environment variable OUTPLAY_PASSES says so."""
    chosen = os.environ.get("OUTPLAY_PASSES", "") or "own"
    if chosen not in ("own", "stock"):
        raise BadValue(f"OUTPLAY_PASSES must be own or stock, got {chosen!r}")
    return chosen if _trusted else "stock"


@functools.cache
def pipeline(only_lowered: bool = False) -> Any:
    """The passes, as the class that Numba wants; made on first use, since Numba takes long to import.

    Where kernels are `only_lowered`, they stop at LLVM's code, linked and not yet optimised for any processor (`wasm` goes on).

    Left out: closures, `with`, inlining by Numba, loops over tuples, array expressions, and where variables end. The variables of a
    kernel itself keep their names instead of getting one an assignment: each has one type all over the kernel.
    """
    from numba import _dynfunc
    from numba.core import (
        compiler,
        compiler_machinery,
        errors,
        ir,
        ir_utils,
        rewrites,
        ssa,
        transforms,
        typed_passes,
        types,
        untyped_passes,
    )

    def registered(each: type) -> type:
        return compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)(each)

    def is_kernel(state: Any) -> bool:
        return not state.flags.no_cpython_wrapper

    def name_parts(function: Any) -> None:
        """What goes into a variable with several assignments gets a name, and so a type, of its own first."""
        for block in function.blocks.values():
            body = []
            for each in block.body:
                several = isinstance(each, ir.Assign) and len(function._definitions[each.target.name]) > 1
                if several and not isinstance(each.value, ir.Var):
                    part = block.scope.redefine("$part", each.loc)
                    body.append(ir.Assign(each.value, part, each.loc))
                    each = ir.Assign(part, each.target, each.loc)
                body.append(each)
            block.body = body
        function._definitions = ir_utils.build_definitions(function.blocks)

    def refuse_blends(function: Any, kinds: Any) -> None:
        """Whole numbers with and without a sign in one variable would make it a fraction in silence."""
        given: dict[str, set[Any]] = {}
        for block in function.blocks.values():
            for each in block.find_insts(ir.Assign):
                if isinstance(each.value, ir.Var) and isinstance(kinds[each.target.name], types.Float):
                    given.setdefault(each.target.name, set()).add(types.misc.unliteral(kinds[each.value.name]))
        for name, several in given.items():
            if all(isinstance(each, types.Integer) for each in several):
                what = " and ".join(sorted(map(str, several)))
                raise errors.TypingError(f"{name} is given {what}, together neither: use a second name", function.loc)

    @registered
    class Statements(untyped_passes.IRProcessing):
        _name = "outplay_statements"

        def run_pass(self, state: Any) -> bool:
            state.func_ir.blocks = transforms.canonicalize_cfg(state.func_ir.blocks)
            return True

    @registered
    class Rewrites(untyped_passes.GenericRewrites):
        _name = "outplay_rewrites"

        def run_pass(self, state: Any) -> bool:
            blocks = state.func_ir.blocks
            for each in rewrites.rewrite_registry.rewrites["before-inference"]:
                rewrite, waiting = each(state), list(blocks)
                while waiting:
                    label = waiting.pop()
                    if rewrite.match(state.func_ir, blocks[label], state.typemap, state.calltypes):
                        blocks[label] = rewrite.apply()
                        waiting.append(label)
            return True

    @registered
    class SingleAssignment(untyped_passes.ReconstructSSA):
        _name = "outplay_single_assignment"

        def run_pass(self, state: Any) -> bool:
            if is_kernel(state):
                name_parts(state.func_ir)
                return True
            state.func_ir = ssa.reconstruct_ssa(state.func_ir)
            self._patch_locals(state)
            state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
            return True

    @registered
    class Variables(typed_passes.PreLowerStripPhis):
        _name = "outplay_variables"

        def run_pass(self, state: Any) -> bool:
            if is_kernel(state):
                refuse_blends(state.func_ir, state.typemap)
                return True
            state.func_ir = self._strip_phi_nodes(state.func_ir)
            state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
            return True

    @registered
    class Lowering(typed_passes.NativeLowering):
        _name = "outplay_lowering"

        def run_pass(self, state: Any) -> bool:
            if is_kernel(state) and not only_lowered:
                return super().run_pass(state)
            state.library = library = state.targetctx.codegen().create_library(state.func_id.func_qualname)
            library.finalize = functools.partial(_link_only, library)
            library._optimize_functions = lambda module: setattr(module, "data_layout", library._codegen._data_layout)
            state.flags.no_compile = True
            super().run_pass(state)
            lowered = state["cr"]
            handle = _dynfunc.make_function(lowered.fndesc.lookup_module(), lowered.fndesc.qualname, "", 0, lowered.env, (library,))
            state.targetctx.insert_user_function(handle, lowered.fndesc, [library])
            state["cr"] = lowered._replace(cfunc=handle)
            return True

    class Pipeline(compiler.CompilerBase):
        def define_pipelines(self) -> list[Any]:
            if passes_in_use() == "stock":
                return [compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)]
            manager = compiler_machinery.PassManager("outplay")
            for each, why in (
                (untyped_passes.TranslateByteCode, "read the function"),
                (untyped_passes.FixupArgs, "its arguments"),
                (Statements, "its statements"),
                (untyped_passes.RewriteSemanticConstants, "constants"),
                (untyped_passes.DeadBranchPrune, "branches that constants close"),
                (Rewrites, "constant indices"),
                (SingleAssignment, "one name an assignment"),
                (typed_passes.NopythonTypeInference, "types"),
                (Variables, "back to variables"),
                (typed_passes.NoPythonSupportedFeatureValidation, "what cannot be compiled is refused"),
                (typed_passes.AnnotateTypes, "types of the result"),
                (Lowering, "LLVM"),
                (typed_passes.NoPythonBackend, "the result"),
            ):
                manager.add_pass(each, why)
            manager.finalize()
            return [manager]

    return Pipeline


def _link_only(library: Any) -> None:
    """Finish a library that is only to be linked into others: no optimising, no machine code of its own."""
    for other in dict.fromkeys(library._linking_libraries):
        library._reload_init.update(other._reload_init)
        library._final_module.link_in(other._get_module_for_linking(), preserve=True)
    library._finalize_dynamic_globals()
    library._finalized = True


def prove_passes() -> None:
    """Compile a small kernel with a helper by our own passes; where that fails or computes something else, do without them."""
    global _trusted
    if _trusted and passes_in_use() == "own" and not _proved():
        _trusted = False
        import numba

        say_once(f"Numba {numba.__version__} is not what Outplay's passes were written for: its own are used, which take longer")


@functools.cache
def _proved() -> bool:
    from numba import njit
    from numba.extending import overload

    def step(number: Any, limit: Any) -> Any:
        return number * 3 + 1 if number < limit else number - limit

    def walk(numbers: Any) -> Any:
        total, limit = 0, 40
        for i in range(len(numbers)):
            number = step(numbers[i], limit)
            if number > 9:
                limit = limit - 1
            numbers[i] = number
            total += number * i
        return total

    inside = {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    shared = {"error_model": "numpy", "_nrt": False, "pipeline_class": pipeline()}
    there, here = np.arange(50), np.arange(50)
    try:
        overload(step, strict=False, jit_options={**inside, **shared})(lambda number, limit: step)
        kernel = njit(nogil=True, **shared)(walk)
        kernel.compile = quickly(kernel.compile)
        return kernel(there) == walk(here) and there.tolist() == here.tolist()
    except Exception:  # whatever a changed Numba raises
        return False


def for_processor(compile_for: Callable) -> Callable:
    """Compile by options of its own, also where a kernel for a GPU is half compiled: a table that it reads may be made by a kernel.

    Numba hands the options of what is being compiled down to what is compiled meanwhile; those of a GPU are not a processor's.
    """

    def run(signature: Any) -> Any:
        from numba.core.compiler import Flags
        from numba.core.target_extension import target_override
        from numba.core.targetconfig import ConfigStack

        with ConfigStack().enter(Flags()), target_override("cpu"):
            return compile_for(signature)

    return run


def quickly(compile_for: Callable) -> Callable:
    """Compile without three things that take long and find nothing new, while no other thread compiles.

    Compiling makes a million small objects and few rings of them: looking for rings meanwhile is a tenth of its time, and once
    more behind it half of that, so what stays is put with what is old. Numba asks all that it knows about `+` what the sum of
    two integers is, at every sum: here it is asked once for each pair of types. And it sorts what it knows by the processor that
    is meant, at every call and attribute: here each list is sorted once.
    """

    def run(signature: Any) -> Any:
        if passes_in_use() == "stock":
            return compile_for(signature)
        from numba.core import types, utils
        from numba.core.compiler_lock import global_compiler_lock
        from numba.core.typing import context as typing_context

        known: dict[Any, Any] = {}
        sorted_already: dict[Any, Any] = {}
        operators: Any = types.BaseFunction

        def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
            if kws or not all(isinstance(each, types.Number | types.Boolean) for each in args):
                return ask(self, context, args, kws)
            asked = self, context, args
            if asked not in known:
                known[asked] = ask(self, context, args, kws)
            return known[asked]

        def order(target: Any, templates: Any, fnkey: Any = "") -> Any:
            asked = target, tuple(templates)
            if asked not in sorted_already:
                sorted_already[asked] = sort(target, templates, fnkey)
            return sorted_already[asked]

        with global_compiler_lock:  # what stands now is read inside: another thread may be compiling
            was_on, ask, sort = gc.isenabled(), operators.get_call_type, utils.order_by_target_specificity
            gc.disable()
            operators.get_call_type = get_call_type
            utils.order_by_target_specificity = typing_context.order_by_target_specificity = order
            try:
                return compile_for(signature)
            finally:
                utils.order_by_target_specificity = typing_context.order_by_target_specificity = sort
                operators.get_call_type = ask
                if was_on:
                    if not gc.get_freeze_count():
                        gc.freeze()
                        gc.unfreeze()
                    gc.enable()

    return run

"""How tesuji compiles: `@kernel` for entry points, `@helper` for what they call.

A kernel is a module-level function, compiled by Numba once for each combination of argument types
(so: once for each game it meets), without the GIL, and kept on disk. Numba watches only the
kernel's own file, and a stale entry would silently run an old rule, so the cache directory is named
after everything else that could change the machine code: the source of this package (but for the
floors that compile nothing), Numba's version, the processor, and the compile flags. A game's own
file is covered by a digest in its record type (see `rules.state`), the file of a piece of knowledge
by one in the cache's key, inside this package or outside it.

Numba's cache index is read, changed and written back without a lock, so that two processes which
compile different games at once could give both the same file; and it contains the types of the
arguments, so that reading it imports the modules of everybody's knowledge. `_Cache` mends both.
"""

import functools
import hashlib
import importlib
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import _dynfunc, types
from numba.core import caching, codegen, compiler, config
from numba.extending import overload, register_jitable

from tesuji.home import home, private_directory

Function = TypeVar("Function", bound=Callable[..., Any])

FLAGS = (
    "BOUNDSCHECK",
    "DISABLE_JIT",
    "OPT",
    "CPU_NAME",
    "CPU_FEATURES",
    "DEBUGINFO",
    "LOOP_VECTORIZE",
)


def _trust_scipy() -> None:
    """Keep Numba from importing SciPy's linear algebra just to see that it is there.

    It is, for SciPy comes with tesuji; and the import takes longer than the rest of a first search.
    A kernel that multiplies matrices still has Numba look for it.
    """
    from numba.np import linalg

    look, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


_trust_scipy()

WITHOUT_KERNELS = ("arena", "cli", "formats", "papers", "players", "web")


def cache_root() -> Path:
    """The directory that holds every compile cache; `tesuji cache clear` empties it."""
    return home() / "cache"


@functools.cache
def cache_directory() -> Path:
    """The cache directory of this source, this Numba and these compile flags."""
    digest = hashlib.sha256()
    package = Path(__file__).parent
    for file in sorted(package.rglob("*.py")):
        if file.relative_to(package).parts[0] in WITHOUT_KERNELS:
            continue
        digest.update(str(file.relative_to(package)).encode() + b"\0" + file.read_bytes())
    flags = [str(getattr(config, flag, None)) for flag in FLAGS]
    digest.update("\0".join([numba.__version__, platform.machine(), *flags]).encode())
    private_directory(cache_root())
    return private_directory(cache_root() / digest.hexdigest()[:16])


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    def save_overload(self, sig: Any, data: Any) -> None:
        from filelock import FileLock  # only a process that compiles pays for the import

        with FileLock(os.path.join(self.cache_path, "lock")):
            super().save_overload(sig, data)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        _, *others = super()._index_key(sig, codegen)
        return (" ".join(_describe(argument) for argument in sig), *others)


def _describe(kind: Any) -> str:
    """A type in words that are the same in every process, and no other type's."""
    if isinstance(kind, types.Array):
        return f"{kind.ndim}{kind.layout}{kind.mutable}{kind.aligned}[{_describe(kind.dtype)}]"
    if isinstance(kind, types.Record):
        titles = [str(field.title) for _, field in kind.fields.items() if field.title]
        return f"{kind}{titles}"
    if isinstance(kind, types.BaseTuple):
        inner = ",".join(_describe(one) for one in kind)
        owner = getattr(kind, "instance_class", tuple)
        return f"{owner.__module__}.{owner.__qualname__}{_source(owner.__module__)}({inner})"
    return str(kind)


@functools.cache
def _source(module: str) -> str:
    """A digest of a module's file, or nothing for one that the directory's name covers."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or Path(__file__).parent in Path(file).parents:
        return ""
    return ":" + hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]


def kernel(function: Function) -> Function:
    """Compile a module-level function for each game it meets; cached on disk, free of the GIL."""
    parts = function.__module__.split(".")
    if parts[0] == "tesuji" and parts[1] in WITHOUT_KERNELS:
        raise TypeError(f"{function.__module__} holds no kernels: edits to it would go unnoticed")
    dispatcher = numba.njit(nogil=True)(function)
    if config.DISABLE_JIT:
        return cast(Function, dispatcher)
    chosen_by_user = config.CACHE_DIR
    config.CACHE_DIR = str(cache_directory())
    try:
        dispatcher._cache = _Cache(function)
    finally:
        config.CACHE_DIR = chosen_by_user
    return cast(Function, dispatcher)


class _Linked(codegen.JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into kernels and never runs by itself. It is optimised where it has been
    linked, and only there is machine code made of it: less than half of the work for LLVM."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


def _not_executable(library: Any, function: Any, environment: Any) -> Any:
    """What stands for such code in Numba's tables; nobody calls it."""
    name = function.qualname
    return _dynfunc.make_function(function.lookup_module(), name, "", 0, environment, (library,))


class _Inner(compiler.Compiler):  # type: ignore[misc]
    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        target = target.subtarget(get_executable=_not_executable)
        super().__init__(typing, target, library or _Linked(target.codegen(), "inner"), *rest)


INNER = {"no_cfunc_wrapper": True, "pipeline_class": _Inner}


def helper(function: Function) -> Function:
    """Let kernels and games call this function; in plain Python it stays what it is."""
    return cast(Function, register_jitable(**INNER)(function))


def compiled_as(plain: Callable[..., Any], choose: Callable[..., Any]) -> None:
    """Let kernels call, in place of a function, the one chosen by the types of the arguments."""
    overload(plain, strict=False, jit_options=INNER)(choose)

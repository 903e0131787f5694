"""Where NumPy would be: nothing that counts, only names, so that the textbook can be imported in a browser.

Games that are plain Python classes need no arrays; rules with typed fields do, and say so.
"""

from typing import Any


class Missing(type):
    """A name of NumPy's: it can stand in an annotation, be called and compared, and gives nothing."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return make(name)

    def __call__(cls, *values: Any, **more: Any) -> Any:
        return make(cls.__name__)

    def __or__(cls, other: Any) -> Any:
        return cls

    def __getitem__(cls, key: Any) -> Any:
        return make(cls.__name__)

    __ror__ = __or__

    def _same(cls, *other: Any) -> Any:
        return cls

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = __pow__ = _same
    __and__ = __rand__ = __xor__ = __rxor__ = __lshift__ = __rlshift__ = __rshift__ = __neg__ = __invert__ = __mod__ = _same

    def __enter__(cls) -> Any:
        return cls

    def __exit__(cls, *problem: Any) -> None:
        pass


def make(name: str) -> Any:
    """A name that does nothing."""
    return Missing(name, (), {})


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return made.setdefault(name, make(name))


made: dict[str, Any] = {}

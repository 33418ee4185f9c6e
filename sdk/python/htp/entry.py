"""A function that can be called with arrays: a kernel, a workload. Plain Python runs its body on HTP's values."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from htp.arrays import array_of, like, meets_itself
from htp.asynchronous import all_waited
from htp.dims import Computed, Dim, bound, gives, measured
from htp.errors import HtpError
from htp.layouts.arrays import array as laid_out
from htp.layouts.arrays import places
from htp.layouts.memory import Bound, ordered
from htp.races import Race, watching
from htp.sources import remember
from htp.tensors import ParameterType, ShapedType, scalar
from htp.values import Value


@dataclass(frozen=True)
class Parameter:
    """A parameter of an entry: its name and its type, direction included."""

    name: str
    annotation: ParameterType

    @property
    def direction(self) -> str:
        return self.annotation.direction

    @property
    def type(self) -> ShapedType:
        return self.annotation.type


@dataclass(frozen=True)
class Run:
    """What a call in plain Python did: the sizes it ran at, and for each output the roundings behind it (`Value.depth`)."""

    sizes: dict[str, int]
    reduction_lengths: dict[str, int]
    made: tuple[Any, ...] = ()
    """The outputs that the call did not give, in the order of the parameters."""

    @property
    def result(self) -> Any:
        """What such a call gives: nothing, the one output that it was not given, or several."""
        return one_or_all(self.made)


class Signature:
    """What can be called with arrays: a name and its parameters, and the checks of a call."""

    def __init__(self, name: str, parameters: tuple[Parameter, ...]) -> None:
        self.name = name
        self.parameters = parameters

    def given(self, *arguments: Any, **named: Any) -> dict[str, Any]:
        """The arguments of a call by the names of their parameters."""
        return {**dict(zip((parameter.name for parameter in self.parameters), arguments)), **named}

    def completed(self, *arguments: Any, **named: Any) -> tuple[dict[str, Any], tuple[Any, ...]] | None:
        """The arguments of a call by name, with arrays for outputs that are not given; and those arrays, as the call's result.

        A call gives all parameters, or all but outputs: then those it gives by position are the others, in their order. Nothing of another call.
        """
        names = [parameter.name for parameter in self.parameters]
        outputs = {parameter.name for parameter in self.parameters if parameter.direction == "Out"}
        positions = names if len(arguments) + len(named) >= len(names) else [name for name in names if name not in outputs]
        given = {**dict(zip(positions, arguments)), **named}
        missing = [parameter for parameter in self.parameters if parameter.name not in given]
        whole = len(arguments) <= len(positions) and not set(named) - set(names) and not set(named) & set(positions[: len(arguments)])
        tensors = any(isinstance(value, Value) and value.tensor is not None for value in given.values())
        if not missing or not whole or tensors or not all(parameter.name in outputs for parameter in missing):
            return None
        there = tuple(parameter for parameter in self.parameters if parameter.name in given)
        sizes = Signature(self.name, there).sizes([_array(parameter, given[parameter.name]) for parameter in there])
        first = next((given[parameter.name] for parameter in there if not parameter.type.is_scalar), None)
        made = [like(first, self._made(parameter, sizes), parameter.type.dtype.name) for parameter in missing]
        return {**given, **{parameter.name: array for parameter, array in zip(missing, made)}}, tuple(made)

    def _made(self, parameter: Parameter, sizes: dict[str, int]) -> Any:
        """An array for an output."""
        try:
            shape = [measured(extent, sizes) for extent in parameter.type.extents]
        except HtpError:
            raise HtpError(f"`{self.name}` is not given `{parameter.name}`, and no argument says how large {parameter.type!r} is: give it") from None
        if any(extent < 0 for extent in shape):
            raise HtpError(f"`{parameter.name}: {parameter.type!r}` would have {', '.join(map(str, shape))} elements along its dimensions")
        array = np.empty(shape, parameter.type.dtype.storage)
        layout = parameter.type.layout
        return array if layout is None or isinstance(layout, Bound) else laid_out(array, layout)

    def arrays(self, *arguments: Any, **named: Any) -> list[Any]:
        """The arrays of a call in the order of the parameters, each with its parameter's dtype and number of dimensions."""
        names = [parameter.name for parameter in self.parameters]
        given = dict(zip(names, arguments))
        if len(arguments) > len(names) or (not named and len(arguments) < len(names)):
            raise HtpError(f"`{self.name}` takes {_count(len(names), 'argument')} ({', '.join(names)}), and {len(arguments)} are given")
        for name in named:
            if name not in names:
                raise HtpError(f"`{self.name}` has no parameter `{name}`: it has {', '.join(names)}")
            if name in given:
                raise HtpError(f"`{self.name}` is given `{name}` twice")
        given.update(named)
        for name in names:
            if name not in given:
                raise HtpError(f"`{self.name}` is not given `{name}`")
        arrays = [_array(parameter, given[parameter.name]) for parameter in self.parameters]
        for (one, a), (other, b) in combinations(zip(self.parameters, arrays), 2):
            if not one.direction == other.direction == "In" and _share_memory(a, b):
                written = one if one.direction != "In" else other
                raise HtpError(f"`{one.name}` and `{other.name}` share memory, and `{written.name}` is written: give it an array of its own")
        return arrays

    def sizes(self, arrays: Sequence[Any]) -> dict[str, int]:
        """What the arrays' shapes make of the dimensions that the parameters name."""
        sizes: dict[str, int] = {}
        givers: dict[str, str] = {}
        arrays = [_tensor(parameter, array) for parameter, array in zip(self.parameters, arrays)]
        for parameter, array in zip(self.parameters, arrays):
            for axis, (extent, size) in enumerate(zip(parameter.type.extents, array.shape)):
                if isinstance(extent, Computed):
                    continue  # when all dimensions have their sizes
                if not isinstance(extent, Dim):
                    if extent != size:
                        raise HtpError(f"`{parameter.name}` has size {size} in dimension {axis}, and its type says {extent}")
                elif sizes.setdefault(extent.name, size) != size:
                    raise HtpError(
                        f"`{parameter.name}` has size {size} in dimension {axis}, but `{extent.name}` is {sizes[extent.name]} "
                        f"by `{givers[extent.name]}`"
                    )
                givers.setdefault(str(extent), parameter.name)
        for parameter, array in zip(self.parameters, arrays):
            for axis, (extent, size) in enumerate(zip(parameter.type.extents, array.shape)):
                given = gives(extent)
                if given is not None and given[0] not in sizes:
                    name, times, plus = given
                    if size < plus or (size - plus) % times != 0:
                        rest = f"{size} - {plus}" if plus > 0 else f"{size} + {-plus}" if plus < 0 else "it"
                        why = f"that is at least {plus}" if size < plus else f"{times} does not divide {rest}"
                        raise HtpError(f"`{parameter.name}` has size {size} in dimension {axis}, which is no `{extent!r}`: {why}")
                    sizes[name] = (size - plus) // times
        for parameter, array in zip(self.parameters, arrays):
            if isinstance(parameter.type.layout, Bound):
                for step, apart in zip(parameter.type.layout.strides, array.strides):
                    if isinstance(step, Dim):
                        sizes.setdefault(step.name, apart // array.itemsize)
        for parameter, array in zip(self.parameters, arrays):
            for axis, (extent, size) in enumerate(zip(parameter.type.extents, array.shape)):
                if isinstance(extent, Computed) and measured(extent, sizes) != size:
                    wanted = measured(extent, sizes)
                    raise HtpError(f"`{parameter.name}` has size {size} in dimension {axis}, and its type says {extent!r}, which is {wanted}")
        return sizes

    def __repr__(self) -> str:
        parameters = ", ".join(f"{parameter.name}: {parameter.annotation!r}" for parameter in self.parameters)
        return f"<{type(self).__name__} {self.name}({parameters})>"


class Entry(Signature):
    """A function of a program that is called with NumPy arrays, which it reads and writes in place."""

    def __init__(self, function: Callable[..., None]) -> None:
        remember(function)
        functools.update_wrapper(self, function)
        super().__init__(function.__name__, _parameters(function))
        self.function = function

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Runs the body in plain Python. Outputs that are not given are made, and are what the call gives."""
        return self.run(*arguments, **named).result

    def compile(self, target: str | None = None, **options: Any) -> Any:
        """The entry for a target, `softmax.compile("cpu")`: called as this one, it runs native. The first call compiles.

        Options are as of `htp.jit`: `profile`, `set`, `plugin_path`, `copy`, and sizes of dims or values of constants by their names, `N=1024`,
        for which alone it is compiled then.
        """
        from htp.jit import compiled_entry

        return compiled_entry(self, target, **options)

    def run(self, *arguments: Any, **named: Any) -> Run:
        """Runs the body on the arrays and says what it did. Outputs hold poison until the body writes them."""
        made: tuple[Any, ...] = ()
        if len(arguments) + len(named) < len(self.parameters) and (completed := self.completed(*arguments, **named)):
            named, made = completed
            arguments = ()
        storages = self.arrays(*arguments, **named)
        arrays = [_tensor(parameter, storage) for parameter, storage in zip(self.parameters, storages)]
        sizes = self.sizes(arrays)
        given = self.given(*arguments, **named)
        values = [_value(parameter, array, given.get(parameter.name)) for parameter, array in zip(self.parameters, arrays)]
        with bound(sizes), np.errstate(all="ignore"), all_waited():
            self.function(*values)
        for parameter, array, storage in zip(self.parameters, arrays, storages):
            if parameter.direction != "In" and array.ndim != storage.ndim:
                storage[_places(parameter)] = array
        for parameter, value in zip(self.parameters, values):
            if parameter.direction != "In" and isinstance(outer := given.get(parameter.name), Value):
                outer.depth = max(outer.depth, value.depth)
        depths = {parameter.name: value.depth for parameter, value in zip(self.parameters, values) if parameter.direction != "In"}
        return Run(sizes, depths, made)

    def unwritten(self, *arguments: Any, **named: Any) -> dict[str, Any]:
        """Which elements of each output such a call leaves as they were, as a mask; the arguments stay as they are.

        The body runs twice, over outputs filled with different bytes: what holds its filling both times was not written.
        """
        given = [_tensor(parameter, array) for parameter, array in zip(self.parameters, self.arrays(*arguments, **named))]
        masks: dict[str, Any] = {}
        for filling in (0x55, 0xAA):
            arrays = [array.copy() for array in given]
            for parameter, array in zip(self.parameters, arrays):
                if parameter.direction == "Out":
                    array.reshape(-1).view(np.uint8)[...] = filling
            values = [_passed(parameter, array) for parameter, array in zip(self.parameters, arrays)]
            with bound(self.sizes(arrays)), np.errstate(all="ignore"), all_waited():
                self.function(*values)
            for parameter, array in zip(self.parameters, arrays):
                if parameter.direction == "Out":
                    bytes = array.reshape(-1).view(np.uint8).reshape(*array.shape, array.itemsize)
                    left = np.all(bytes == filling, axis=-1)
                    masks[parameter.name] = masks.get(parameter.name, True) & left
        return masks

    def races(self, *arguments: Any, **named: Any) -> list[Race]:
        """Which iterations of parallel loops meet in such a call, the first for each loop and tensor; the arguments stay as they are."""
        arrays = [_tensor(parameter, array).copy() for parameter, array in zip(self.parameters, self.arrays(*arguments, **named))]
        values = [_passed(parameter, array) for parameter, array in zip(self.parameters, arrays)]
        with bound(self.sizes(arrays)), np.errstate(all="ignore"), all_waited(), watching() as watch:
            self.function(*values)
        return list(watch.races.values())


def _value(parameter: Parameter, array: Any, given: object) -> Any:
    """What a parameter is in the body: an input cannot be written, an output holds poison. A tensor of another entry, which calls this one, is that one's."""
    dtype = parameter.type.dtype
    if parameter.direction == "In":
        array = array.view()
        array.flags.writeable = False
    elif parameter.direction == "Out" and not isinstance(given, Value):
        array[...] = dtype.encode(np.full(array.shape, dtype.poison, dtype.element))
    value = _passed(parameter, array)
    if isinstance(given, Value) and not parameter.type.is_scalar:
        value.depth = given.depth
    return value


def _passed(parameter: Parameter, array: Any) -> Any:
    """An argument as the body has it: a tensor; of a scalar its value, or the int."""
    kind = parameter.type
    if kind.is_scalar:
        return int(array) if kind.form == "int" else kind.dtype.parameter(array)
    return kind.dtype.in_memory(array, parameter.name)


def _parameters(function: Callable[..., None]) -> tuple[Parameter, ...]:
    found = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        if parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD or parameter.default is not inspect.Parameter.empty:
            raise HtpError(f"parameter `{parameter.name}` of `{function.__name__}` is plain: no star, no default")
        annotation = parameter.annotation if isinstance(parameter.annotation, ParameterType) else scalar(parameter.annotation)
        if annotation is None:
            raise HtpError(f"parameter `{parameter.name}` of `{function.__name__}` has a type such as In[Tensor[f32, M]], or f32 for a scalar")
        found.append(Parameter(parameter.name, annotation))
    return tuple(found)


def _array(parameter: Parameter, given: object) -> Any:
    name, wanted, dtype = parameter.name, parameter.type, parameter.type.dtype
    if wanted.is_scalar and isinstance(given, (bool, int, float)):
        return number_for(parameter, given)
    if wanted.form == "int" and isinstance(given, np.integer):
        return number_for(parameter, int(given))
    if isinstance(given, np.generic):
        given = np.asarray(given)
    if isinstance(given, Value):
        if wanted.is_scalar and type(given) is dtype and given.tensor is None and np.size(given.data) == 1:
            return np.asarray(dtype.encode(np.reshape(given.data, ())))
        if given.tensor is None:
            raise HtpError(f"`{name}` is a tensor, and a tile is given")
        if type(given) is not dtype:
            raise HtpError(f"`{name}` is of {dtype.name}, and {given.name} is given")
        array = given.data
    else:
        found = array_of(name, given)
        if found is None:
            raise HtpError(f"`{name}` is {'a number' if wanted.is_scalar else 'an array'}, and {type(given).__name__} is given")
        array, held = found
        if held is not None and held != dtype.name:
            raise HtpError(f"`{name}` is of {dtype.name}, and an array of {held} is given")
    if dtype.storage.kind == "u" and array.dtype.name == "bfloat16":
        array = array.view(dtype.storage)
    if array.dtype != dtype.storage:
        held = f"{dtype.name}, held as {dtype.storage.name}" if dtype.storage != dtype.element else f"{dtype.name} ({dtype.storage.name})"
        raise HtpError(f"`{name}` is of {held}, and an array of {array.dtype} is given")
    if array.ndim != len(wanted.extents) and not (array.ndim == 1 and _has_storage(parameter)):
        raise HtpError(f"`{name}` has {_count(len(wanted.extents), 'dimension')}, and an array with {array.ndim} is given")
    if parameter.direction != "In" and not array.flags.writeable:
        raise HtpError(f"`{name}` is written, and a read-only array is given")
    if parameter.direction != "In" and meets_itself(array):
        raise HtpError(f"`{name}` is written, and an array whose elements share memory is given: give it one of its own")
    return array


def _has_storage(parameter: Parameter) -> bool:
    """Whether it lies in memory otherwise than row-major: it may be given as its storage, an array of one dimension."""
    kind = parameter.type
    shape = [extent for extent in kind.extents if isinstance(extent, int)]
    if kind.layout is None or isinstance(kind.layout, Bound) or not len(shape) == len(kind.extents) > 1:
        return False
    axes = {axis for digit in kind.layout.terms for step in digit.steps for axis, _ in step}
    return axes <= {"m"} and kind.layout != ordered(shape, range(len(shape)))


def _places(parameter: Parameter) -> Any:
    assert parameter.type.layout is not None
    return places(parameter.type.layout, [extent for extent in parameter.type.extents if isinstance(extent, int)])


def _tensor(parameter: Parameter, array: Any) -> Any:
    """What is given as its storage, as the tensor: a copy."""
    if array.ndim == len(parameter.type.extents):
        return array
    where = _places(parameter)
    if array.size != where.max() + 1:
        raise HtpError(f"`{parameter.name}` is given as its storage of {array.size} elements, and it has {where.max() + 1}")
    return array[where]


def number_for(parameter: Parameter, given: bool | int | float) -> Any:
    """A scalar argument in its dtype: literals are weak, as in a program."""
    kind = parameter.type
    if kind.form == "int" and (isinstance(given, (bool, float)) or not -(2**63) <= int(given) < 2**63):
        raise HtpError(f"`{parameter.name}` is an int of 64 bits, and {given!r} is given")
    try:
        with np.errstate(all="ignore"):
            return np.asarray(kind.dtype.encode(np.asarray(kind.dtype.literal(given), kind.dtype.element)))
    except HtpError as error:
        raise HtpError(f"`{parameter.name}` is of {kind.dtype.name}: {error}") from None


def _share_memory(a: Any, b: Any) -> bool:
    try:
        return np.shares_memory(a, b, max_work=1000)
    except RuntimeError:  # interleaved in a way that is costly to tell apart
        return True


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def one_or_all(made: tuple[Any, ...]) -> Any:
    return None if not made else made[0] if len(made) == 1 else made

"""What goes wrong, said in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class HtpError(Exception):
    """A program, a call or a package that HTP refuses; its text is one sentence for the person who wrote it."""


class Diagnosed(HtpError):
    """What the compiler or a package refused. The text is the rendered diagnostics, as `htp-host` prints them; `diagnostics` holds them as data."""

    def __init__(self, rendered: str, diagnostics: Sequence[Mapping[str, object]]) -> None:
        super().__init__(rendered)
        self.rendered = rendered
        self.diagnostics = list(diagnostics)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.rendered, self.diagnostics)


class CompileError(Diagnosed):
    """A program that did not compile."""


class PackageError(Diagnosed):
    """A package that cannot be opened or built: it is not whole, no plugin runs it, there is no C compiler."""


class RunError(Diagnosed):
    """A call that a package refused: arguments that do not fit, or a fault as it ran."""


class Refused(HtpError):
    """What a command of `htp-host` refuses: a row of the host's table of diagnostics by its code, the arguments of its message, and what would help, where the row does not say."""

    def __init__(self, code: str, *arguments: object, hint: str = "") -> None:
        super().__init__(f"{code}: {', '.join(map(str, arguments))}")
        self.code = code
        self.arguments = [str(argument) for argument in arguments]
        self.hint = hint

    def diagnostic(self) -> dict[str, object]:
        return {"code": self.code, "arguments": self.arguments, "hints": [self.hint] if self.hint else []}


for _public in (HtpError, Diagnosed, CompileError, PackageError, RunError):
    _public.__module__ = "htp"  # by which they are printed, and found

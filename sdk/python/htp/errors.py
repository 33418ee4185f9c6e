"""What goes wrong, said in one sentence."""

from collections.abc import Mapping, Sequence


class HtpError(Exception):
    """A program, a call or a package that HTP refuses; its text is one sentence for the person who wrote it."""


class CompileError(HtpError):
    """A program that did not compile. The text is the rendered diagnostics; `diagnostics` holds them as data."""

    def __init__(self, rendered: str, diagnostics: Sequence[Mapping[str, object]]) -> None:
        super().__init__(rendered)
        self.rendered = rendered
        self.diagnostics = list(diagnostics)

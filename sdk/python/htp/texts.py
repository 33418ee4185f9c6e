"""Files of text beside a program, which are a part of it."""

from __future__ import annotations

import sys
from pathlib import Path

from htp.errors import HtpError


def text(path: str) -> str:
    """What stands in a file beside the program, `htp.text("scaled.cc")`. A compile puts it in this call's place, so that each stage is whole."""
    beside = sys._getframe(1).f_globals.get("__file__")
    file = (Path(beside).parent if beside else Path()) / path
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise HtpError(f"`htp.text({path!r})`: {error}") from error

"""Intrinsics for the tile language."""

from htp_my_plugin.intrinsics import softsign

__all__ = ["softsign"]

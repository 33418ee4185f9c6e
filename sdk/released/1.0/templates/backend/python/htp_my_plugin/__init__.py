"""The target set: the words that the emitter turns into C."""

from htp import whole
from htp_my_plugin.intrinsics import absolute, add, div, exp, load, mul, neg, sqrt, store, sub

__all__ = ["absolute", "add", "div", "exp", "load", "mul", "neg", "sqrt", "store", "sub", "whole"]

#!/usr/bin/env python3
# -*- coding: utf-8 -*-

"""Statements that are hard to print: each is here because some printer of Python got it wrong."""
# after the docstring
from __future__ import annotations

import a.b.c as d, e
from . import f
from .. import g as h, i

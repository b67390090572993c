"""What tests share: which program is asked, and what it has installed."""
import contextlib
import os
import stat
import tempfile
import unittest
import warnings
from pathlib import Path

import hla


def engine(release="starter", **words):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hla.HlaWarning)
        return hla.Engine(release, **words)


def has_release(release="3.58.0"):
    """With a MAC list."""
    try:
        with engine(release) as opened:
            return opened.version.get("mac_codes", 0) > 0
    except hla.HlaError:
        return False


needs_release = unittest.skipUnless(has_release(), "3.58.0 with a MAC list is not installed")


@contextlib.contextmanager
def program(script):
    """A program in place of ``hla``."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hla")
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        yield str(path)


@contextlib.contextmanager
def environment(**variables):
    kept = {name: os.environ.get(name) for name in variables}
    try:
        _set(variables)
        yield
    finally:
        _set(kept)


def _set(variables):
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value

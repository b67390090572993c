"""Which program is asked."""
from __future__ import annotations

import os
import shutil
from typing import List, Optional, Sequence, Union

from ._errors import ProgramNotFound

#: A file, or the words of a command: ``["node", "/opt/hla/bin/hla.cjs"]``.
Program = Union[str, "os.PathLike[str]", Sequence[str]]


def find_program(program: Optional[Program] = None) -> List[str]:
    """The words that start it: those given, else ``HLA_PROGRAM``, else ``hla`` on the search path.

    :raises ProgramNotFound: where none of them is a program
    """
    if program is None:
        named = os.environ.get("HLA_PROGRAM", "")
        if named:
            return [_executable(named, "HLA_PROGRAM names")]
        found = shutil.which("hla")
        if found is None:
            raise ProgramNotFound(
                "there is no program hla on the search path",
                code="no-program",
                hint='install it, or name it: hla.Engine(program="/opt/hla/hla"), or HLA_PROGRAM=/opt/hla/hla in the environment',
            )
        return [found]
    if isinstance(program, (str, os.PathLike)):
        return [_executable(os.fspath(program), "program is")]
    words = [os.fspath(word) for word in program]
    if not words:
        raise ProgramNotFound("program has no words", code="no-program")
    return [_executable(words[0], "program begins with"), *words[1:]]


def _executable(name: str, who: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise ProgramNotFound(f"{who} {name}, which is no program that can be run", code="no-program")
    return found

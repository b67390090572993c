"""HLA typings in Python: reduced, expanded, checked and translated by the program ``hla``, which answers through ``hla pipe``.

    import hla

    with hla.Engine("3.58.0") as engine:
        print(engine.redux("A*01:01:01:01", "lgx"))
"""
from ._answers import Lifted, Note, Reduced, Verdict
from ._engine import Engine
from ._errors import HlaError, HlaWarning, ProgramEnded, ProgramNotFound
from ._tables import read_table

__all__ = [
    "Engine",
    "HlaError",
    "HlaWarning",
    "Lifted",
    "Note",
    "ProgramEnded",
    "ProgramNotFound",
    "Reduced",
    "Verdict",
    "read_table",
]
__version__ = "2.0.0"

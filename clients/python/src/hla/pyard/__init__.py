"""The interface of py-ard, answered by hla: ``from hla import pyard`` in place of ``import pyard``.

    ard = pyard.init("3580")
    ard.redux("A*01:01:01", "lgx")

The answers are those of py-ard but for the rows of docs/divergences.md; nothing is downloaded, and ``data_dir`` is a folder of ``hla``.
Its modules are here too: ``pyard.ard``, ``pyard.blender``, ``pyard.smart_sort``, ``pyard.exceptions``.
"""
from __future__ import annotations

import functools
import json
import os
import subprocess
import threading
import warnings
from types import TracebackType
from typing import Any, Dict, List, Mapping, NoReturn, Optional, Tuple, Type

from .._engine import Engine
from .._errors import HlaError, HlaWarning, ended
from .._program import Program, find_program

__all__ = [
    "ARD",
    "DRBXBlenderError",
    "InvalidAlleleError",
    "InvalidMACError",
    "InvalidTypingError",
    "PyArdError",
    "__version__",
    "db_versions",
    "dr_blender",
    "init",
]

#: The interface that is answered: that of this version of py-ard.
__version__ = "2.3.1"
DEFAULT_CACHE_SIZE = 1000
#: Methods, as py-ard names them.
VALID_REDUCTION_MODES = ("G", "P", "lg", "lgx", "W", "exon", "U2", "S", "1F", "hats")


class PyArdError(HlaError):
    """Base of the errors; ``code``, ``position`` and ``suggestions`` are those of hla."""


class InvalidAlleleError(PyArdError):
    """A name that does not exist, or text that is no GL String."""


class InvalidMACError(PyArdError):
    """A multiple allele code that does not exist, or alleles without one."""


class InvalidTypingError(PyArdError):
    """Text that is no typing."""


class DRBXBlenderError(PyArdError):
    """Typings of DRB3, DRB4 or DRB5 that do not fit the DRB1 genotype; ``found`` and ``expected`` say which."""

    @property
    def found(self) -> str:
        return str(self.facts.get("found", ""))

    @property
    def expected(self) -> str:
        return str(self.facts.get("expected", ""))


#: What is not about a typing: the data, the program, the limits.
_NOT_OF_TYPINGS = {"too-ambiguous", "no-data", "no-catalogue", "starter", "bad-request", "internal", "no-hats", "unknown-method"}
#: Nothing is left of a right typing: py-ard answers an empty text.
_EMPTY = {"no-serology", "no-alleles", "not-in-catalogue"}
_CODES = {"unknown-mac", "mac-invalid-group", "mac-empty-expansion", "no-mac", "xx-not-mac"}

#: Switches of py-ard without which a kind of name is not understood.
_KINDS = {
    "reduce_serology": "serology",
    "reduce_v2": "v2",
    "reduce_XX": "xx",
    "reduce_MAC": "mac",
    "reduce_shortnull": "null",
}
_SWITCHES = {"ping": "ping", "strict": "strict", "ARS_as_lg": "ars"}
#: They say how py-ard works, or are of its tables alone.
_WITHOUT_EFFECT = {"verbose_log", "map_drb345_to_drbx", "reduce_2field", "reduce_3field", "reduce_P"}


def init(
    imgt_version: Any = "Latest",
    data_dir: Optional[str] = None,
    load_mac: bool = True,
    cache_size: int = DEFAULT_CACHE_SIZE,
    config: Optional[Mapping[str, Any]] = None,
    *,
    program: Optional[Program] = None,
) -> "ARD":
    """An ``ARD`` over an installed release; ``Latest`` is the one that ``hla data use`` chose."""
    return ARD(imgt_version, data_dir, load_mac, cache_size, config, program=program)


class ARD:
    """Reductions over one release.

    The list of codes is read when it is asked for, whatever ``load_mac`` says.
    """

    def __init__(
        self,
        imgt_version: Any = "Latest",
        data_dir: Optional[str] = None,
        load_mac: bool = True,
        max_cache_size: int = DEFAULT_CACHE_SIZE,
        config: Optional[Mapping[str, Any]] = None,
        *,
        program: Optional[Program] = None,
    ) -> None:
        self._options = _read_config(config or {})
        self._data_dir = data_dir
        release = None if str(imgt_version) == "Latest" else str(imgt_version)
        try:
            self._engine = Engine(release, data_dir=data_dir, program=program)
        except HlaError as error:
            raise _with_data_dir(_as(PyArdError, error), release, data_dir) from None
        # one for each: a cache of the class would keep its instances
        self._cached_redux = functools.lru_cache(maxsize=max_cache_size)(self._ask_redux)

    def redux(self, glstring: str, redux_type: str) -> str:
        """The typing at a level: ``G P lg lgx W exon U2 S``."""
        if redux_type not in VALID_REDUCTION_MODES:
            raise ValueError(f"Reduction type needs to be one of {VALID_REDUCTION_MODES}")
        return self._cached_redux(glstring, redux_type)

    #: Of py-ard before 1.0.
    def redux_gl(self, glstring: str, redux_type: str) -> str:
        return self.redux(glstring, redux_type)

    def _ask_redux(self, glstring: str, redux_type: str) -> str:
        try:
            return str(self._engine.redux(glstring, redux_type, options=self._options or None))
        except HlaError as error:
            return _empty_or_raise(error, InvalidAlleleError)

    def validate(self, glstring: str) -> bool:
        """``True``; what is not valid raises ``InvalidAlleleError``."""
        options = self._options or None
        verdict = _asked(InvalidAlleleError, self._engine.validate, glstring, options=options)
        if verdict.valid:
            return True
        raise InvalidAlleleError(
            verdict.cause or f"{glstring} is not valid",
            code=verdict.code or "",
            typing=glstring,
            position=verdict.position,
            suggestions=verdict.suggestions,
        )

    def expand_mac(self, mac_code: str) -> str:
        """The alleles of a multiple allele code, joined with ``/``."""
        output = _asked(InvalidMACError, self._engine.ask, "mac", gl_string=mac_code, direction="expand")
        return str(output["gl_string"])

    def lookup_mac(self, allelelist_gl: str) -> str:
        """The multiple allele code of an allele list."""
        return str(_asked(InvalidMACError, self._engine.lookup, allelelist_gl))

    def expand_xx(self, xx_code: str) -> str:
        """The alleles of an XX code, joined with ``/``."""
        if not xx_code.endswith(":XX"):
            raise InvalidTypingError(f"{xx_code} is no XX code", code="not-xx", typing=xx_code)
        return "/".join(_asked(InvalidTypingError, self._engine.expand, xx_code))

    def cwd_redux(self, allele_list_gl: str) -> str:
        """Those of the list, or of the code, that are common and well-documented."""
        try:
            return str(self._engine.ask("cwd", gl_string=allele_list_gl, no_mac=True)["cwd"])
        except HlaError as error:
            return _empty_or_raise(error, InvalidAlleleError)

    def is_mac(self, allele: str) -> bool:
        """Whether it is a multiple allele code that can be written with this first field."""
        return self._answers("mac", gl_string=allele, direction="expand", raw=True)

    def is_XX(self, glstring: str) -> bool:  # noqa: N802 - its name in py-ard
        return glstring.endswith(":XX") and self._answers("mac", gl_string=glstring, direction="expand", xx=True)

    def is_serology(self, allele: str) -> bool:
        """Whether it is an antigen."""
        return not any(sign in allele for sign in "*:/+^|~") and self._is_valid(allele)

    def is_v2(self, allele: str) -> bool:
        """Whether it is a name from before 2010."""
        without_colon = "*" in allele and not any(sign in allele for sign in ":/+^|~")
        return without_colon and self._is_valid(allele) and self.v2_to_v3(allele) != allele

    def is_null(self, allele: str) -> bool:
        return allele.endswith("N") and not self.is_mac(allele)

    def v2_to_v3(self, v2_allele: str) -> str:
        """The present spelling of a name from before 2010; any other text as it is."""
        output = _asked(InvalidAlleleError, self._engine.ask, "lift", gl_string=v2_allele)
        return str(output.get("spelling", v2_allele))

    def find_broad_splits(self, allele: str) -> Optional[Tuple[str, List[str]]]:
        """The broad antigen and its splits; ``None`` where there are none."""
        try:
            return self._engine.splits(allele)
        except HlaError as error:
            if error.code in _NOT_OF_TYPINGS:
                raise _as(PyArdError, error) from None
            return None

    def find_associated_antigen(self, serology: str) -> str:
        """The antigen that it is associated with; without one, itself."""
        try:
            return str(self._engine.ask("splits", allele=serology, associated=True)["broad"])
        except HlaError as error:
            if error.code in _NOT_OF_TYPINGS:
                raise _as(PyArdError, error) from None
            return serology

    def similar_alleles(self, prefix: str) -> Optional[List[str]]:
        """Alleles or codes that start with the prefix; ``None`` where there are none."""
        try:
            return self._engine.similar(prefix)
        except HlaError as error:
            if error.code in _NOT_OF_TYPINGS:
                raise _as(PyArdError, error) from None
            return None

    def get_db_version(self) -> int:
        """The release, as ``3580``."""
        return int(self._engine.version["ipd_version"])

    def refresh_mac_codes(self, source: Optional["os.PathLike[str] | str"] = None) -> None:
        """Installs the published list of codes, or that of a file: what ``hla data mac`` does."""
        words = [*self._engine.program, "data", "mac", *([] if source is None else [os.fspath(source)])]
        words += [] if self._data_dir is None else ["--data-dir", os.fspath(self._data_dir)]
        ran = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if ran.returncode != 0:
            raise _as(PyArdError, ended(ran.returncode, ran.stderr.decode("utf-8", "replace")))
        self._engine.restart()
        self._cached_redux.cache_clear()

    def _is_valid(self, name: str) -> bool:
        return bool(_asked(InvalidAlleleError, self._engine.validate, name))

    def _answers(self, op: str, **asked: Any) -> bool:
        try:
            self._engine.ask(op, **asked)
        except HlaError as error:
            if error.code in _NOT_OF_TYPINGS:
                raise _as(PyArdError, error) from None
            return False
        return True

    def close(self) -> None:
        self._engine.close()

    def __enter__(self) -> "ARD":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


_blender_lock = threading.Lock()
_blender: List[Engine] = []


def dr_blender(drb1: str, drb3: str = "", drb4: str = "", drb5: str = "") -> str:
    """The typings of DRB3, DRB4 and DRB5 that the DRB1 genotype implies. No release is needed."""
    with _blender_lock:
        if not _blender:
            _blender.append(Engine("starter"))
    try:
        return _blender[0].blend(drb1, drb3 or "", drb4 or "", drb5 or "")
    except HlaError as error:
        raise _as(DRBXBlenderError if error.code == "blend-mismatch" else PyArdError, error) from None


def db_versions(data_dir: Optional[str] = None, *, program: Optional[Program] = None) -> List[str]:
    """The installed releases, as ``3580``. py-ard lists those that can be downloaded: ``hla data list --available``."""
    words = [*find_program(program), "data", "list", "--json"]
    words += [] if data_dir is None else ["--data-dir", os.fspath(data_dir)]
    ran = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if ran.returncode not in (0, 1):
        raise _as(PyArdError, ended(ran.returncode, ran.stderr.decode("utf-8", "replace")))
    return [str(one["release"]).replace(".", "") for one in json.loads(ran.stdout)]


def _read_config(config: Mapping[str, Any]) -> Dict[str, Any]:
    """Switches of py-ard -> the program's options."""
    options: Dict[str, Any] = {}
    for name, value in config.items():
        if name in _KINDS:
            if not value:
                options.setdefault("off", []).append(_KINDS[name])
        elif name in _SWITCHES:
            options[_SWITCHES[name]] = bool(value)
        elif name == "ignore_allele_with_suffixes":
            options["ignoredSuffixes"] = list(value)
        elif name not in _WITHOUT_EFFECT:
            known = ", ".join([*_KINDS, *_SWITCHES, "ignore_allele_with_suffixes"])
            raise PyArdError(f"config has no switch {name!r}; switches are {known}", code="bad-request")
    return options


def _asked(kind: Type[PyArdError], ask: Any, *words: Any, **asked: Any) -> Any:
    try:
        return ask(*words, **asked)
    except HlaError as error:
        _raise_as(kind, error)


def _empty_or_raise(error: HlaError, kind: Type[PyArdError]) -> str:
    if error.code not in _EMPTY:
        _raise_as(kind, error)
    warnings.warn(f"the answer is empty: {error.message} [{error.code}]", HlaWarning, stacklevel=4)
    return ""


def _raise_as(kind: Type[PyArdError], error: HlaError) -> NoReturn:
    if error.code in _NOT_OF_TYPINGS or error.code in ("closed", "ended", "interrupted", "protocol"):
        raise _as(PyArdError, error) from None
    if error.code in _CODES:
        kind = InvalidMACError
    raise _as(kind, error) from None


def _with_data_dir(error: PyArdError, release: Optional[str], data_dir: Optional[str]) -> PyArdError:
    """py-ard fills its folder by itself, with SQLite files that hla does not read."""
    if data_dir is None or error.code not in ("no-data", "unknown-release", "ended"):
        return error
    install = f"hla data install {release or 'latest'} --data-dir {os.fspath(data_dir)}"
    # what a program that ended has said goes over several lines
    reason = error.message.split("\n")[0]
    return PyArdError(
        f"{reason}; data_dir is a folder that {install} fills: files of py-ard are not read",
        code=error.code,
        hint=install,
    )


def _as(kind: Type[PyArdError], error: HlaError) -> PyArdError:
    return kind(
        error.message,
        code=error.code,
        typing=error.typing,
        offending=error.offending,
        position=error.position,
        suggestions=error.suggestions,
        hint=error.hint,
        facts=error.facts,
    )

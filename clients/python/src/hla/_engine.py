"""The engine: questions about HLA typings, answered by one ``hla pipe`` that stays."""
from __future__ import annotations

import os
import threading
import warnings
import weakref
from collections import deque
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union

from ._answers import Lifted, Note, Reduced, Verdict, read_lifted, read_notes, read_verdict, reduced, refuse_ignored
from ._errors import HlaError, HlaWarning, ProgramEnded, from_record
from ._process import Pending, PipeProcess
from ._program import Program, find_program

if TYPE_CHECKING:
    import pandas

#: Typings of one request: enough that the request itself costs nothing.
CHUNK = 512
#: Requests on their way at once: enough that neither side waits for the other.
IN_FLIGHT = 8


class Engine:
    """Answers from one release.

    :param release: ``"3.58.0"`` or ``"3580"``; ``"active"``, which ``hla data use`` chose; ``"starter"``, the small built-in
        set. Without it, ``HLA_RELEASE`` of the environment, else the active one, else the starter set, which is said.
    :param data_dir: the folder in which releases are installed, when it is not the usual one
    :param program: the program to ask; without it, ``HLA_PROGRAM`` of the environment, else ``hla`` on the search path
    :raises ProgramNotFound: there is no such program
    :raises ProgramEnded: it cannot answer, for instance because the release is not installed
    """

    def __init__(
        self,
        release: Optional[str] = None,
        *,
        data_dir: Optional["os.PathLike[str] | str"] = None,
        program: Optional[Program] = None,
    ) -> None:
        self._asked_for = (release, data_dir, program)
        self.program: Tuple[str, ...] = tuple(find_program(program))
        self.options: Tuple[str, ...] = (
            *(() if release is None else ("--release", str(release))),
            *(() if data_dir is None else ("--data-dir", os.fspath(data_dir))),
        )
        self._lock = threading.RLock()
        self._is_closed = False
        self._process: Optional[PipeProcess] = None
        self._finalizer: Optional[weakref.finalize] = None
        self.version: Mapping[str, Any] = self.ask("version")
        if self.version.get("dataset") == "starter" and release != "starter":
            message = f"the built-in starter set of {self.release} answers: no release is installed (hla data install)"
            warnings.warn(message, HlaWarning, stacklevel=2)

    @property
    def release(self) -> str:
        """The release that answers, such as ``3.58.0``."""
        return str(self.version["release"])

    @property
    def data_id(self) -> Optional[str]:
        """What the answers depend on, for the record; ``None`` for the starter set."""
        found = self.version.get("data_id")
        return None if found is None else str(found)

    # reduce

    def redux(self, gl_string: str, method: str = "lgx", **asked: Any) -> Reduced:
        """The typing at a level: ``G P lg lgx W exon U2 S 1F hats``.

        Further arguments are those of the program: ``options={"strict": False}``, ``accept=["case"]``, ``lift=True``,
        ``from_release="3.29.0"``.

        :raises HlaError: what is wrong with the typing
        """
        output = self.ask("redux", gl_string=_text(gl_string), reduction_method=method, **asked)
        return reduced(output["ard"], self._told(read_notes(output)))

    def redux_many(
        self, typings: Iterable[Optional[str]], method: str = "lgx", *, errors: str = "raise", **asked: Any
    ) -> Iterator[Union[Reduced, HlaError, None]]:
        """Answers in the order of the typings, which are asked for as they are needed; ``None`` stays ``None``.

        :param errors: ``"raise"``; ``"return"``, where the error stands in place of the answer; ``"none"``, where ``None`` does
        """
        if errors not in ("raise", "return", "none"):
            raise ValueError('errors is "raise", "return" or "none"')
        for typing, output in self._ask_list("redux", "gl_string", typings, {"reduction_method": method, **asked}):
            if type(output) is str:
                yield Reduced(output)
            elif output is None:
                yield None
            elif "error" not in output:
                yield reduced(output["ard"], self._told(read_notes(output)))
            elif errors == "raise":
                raise from_record(output["error"], typing)
            else:
                yield from_record(output["error"], typing) if errors == "return" else None

    def redux_series(
        self, series: "pandas.Series[Any]", method: str = "lgx", *, errors: str = "raise", **asked: Any
    ) -> "pandas.Series[Any]":
        """A pandas series, reduced: each distinct typing is asked for once, and what is missing or blank stays as it is.

        :param errors: ``"raise"``, or ``"coerce"``: typings that fail become missing, with one warning; they and their errors
            are in ``result.attrs["hla_errors"]``
        """
        from ._tables import reduce_series

        return reduce_series(self, series, method, errors, asked)

    def cwd(self, gl_string: str, **asked: Any) -> str:
        """The common and well-documented alleles of an allele list or code."""
        return str(self._answer("cwd", "cwd", gl_string=_text(gl_string), **asked))

    # names

    def validate(self, gl_string: str, **asked: Any) -> Verdict:
        """Whether the typing is valid; the verdict is true if it is."""
        verdict = read_verdict(gl_string, self.ask("validate", gl_string=_text(gl_string), **asked))
        self._told(verdict.notes)
        return verdict

    def validate_many(self, typings: Iterable[Optional[str]], **asked: Any) -> Iterator[Optional[Verdict]]:
        """Verdicts in the order of the typings; ``None`` stays ``None``."""
        for typing, output in self._ask_list("validate", "gl_string", typings, asked):
            if isinstance(output, dict) and "error" in output:
                raise from_record(output["error"], typing)
            yield None if typing is None else read_verdict(typing, output)

    def mac(self, gl_string: str, **asked: Any) -> str:
        """The alleles of a multiple allele code; the code of an allele list."""
        output = self.ask("mac", gl_string=_text(gl_string), **asked)
        self._told(read_notes(output))
        return str(output["gl_string"] if output["direction"] == "expand" else output["mac"])

    def expand(self, code: str, **asked: Any) -> List[str]:
        """The alleles of a multiple allele code or XX code, as a list."""
        output = self.ask("mac", gl_string=_text(code), direction="expand", **{"xx": True, **asked})
        self._told(read_notes(output))
        return list(output["alleles"])

    def lookup(self, allele_list: str, **asked: Any) -> str:
        """The multiple allele code of an allele list."""
        return str(self._answer("mac", "mac", gl_string=_text(allele_list), direction="lookup", **asked))

    def splits(self, antigen: str, **asked: Any) -> Tuple[str, List[str]]:
        """The broad antigen, and its splits."""
        output = self.ask("splits", allele=_text(antigen), **asked)
        self._told(read_notes(output))
        return output["broad"], list(output["splits"])

    def similar(self, prefix: str, **asked: Any) -> List[str]:
        """Alleles, or codes, that start with the prefix."""
        output = self.ask("similar", prefix=_text(prefix), **asked)
        return list(output["similar"])

    def blend(self, drb1: str, drb3: str = "", drb4: str = "", drb5: str = "") -> str:
        """The typings of DRB3, DRB4 and DRB5 that the DRB1 genotype implies."""
        return str(self._answer("blend", "DRBX_blend", DRB1_SLUG=drb1, DRB3=drb3, DRB4=drb4, DRB5=drb5))

    def lift(self, gl_string: str, *, source: Optional[str] = None, target: Optional[str] = None) -> Lifted:
        """The typing in the names of another release.

        :param source: the release of the names; without it, any earlier one
        :param target: the release to translate to; without it, the one in use
        """
        lifted = read_lifted(self.ask("lift", gl_string=_text(gl_string), **{"from": source, "to": target}))
        self._told(lifted.notes)
        return lifted

    def explain(self, gl_string: str, method: str = "lgx", **asked: Any) -> Dict[str, Any]:
        """Why it reduces as it does: ``steps``, with the lines of the published files."""
        return self.ask("explain", gl_string=_text(gl_string), reduction_method=method, **asked)

    def match(self, patient: str, donor: str, **asked: Any) -> Dict[str, Any]:
        """What a patient and a donor have in common: ``loci``, each with its ``verdict`` and its mismatches by direction
        (``gvh``, ``hvg``), and their ``total``; counts are ``[least, most]``.

        Further arguments are those of the program: ``level="G"``, ``count="8/8"``, ``homozygous=1``, ``nulls="count"``.
        """
        return self.ask("match", patient=_text(patient), donor=_text(donor), **asked)

    # any question

    def ask(self, op: str, **asked: Any) -> Dict[str, Any]:
        """Any question of ``hla pipe``, with its answer as it comes. What is ``None`` is not asked.

        :raises HlaError: what is wrong with the question
        :raises TypeError: an argument that the question does not have
        """
        answer = self._wait(self._send({"op": op, **_given(asked)}))
        error = answer.get("error")
        if isinstance(error, dict):
            raise from_record(error, asked.get("gl_string"))
        refuse_ignored(answer)
        return dict(answer)

    def _answer(self, op: str, member: str, **asked: Any) -> Any:
        output = self.ask(op, **asked)
        self._told(read_notes(output))
        return output[member]

    def _ask_list(
        self, op: str, subject: str, typings: Iterable[Optional[str]], asked: Mapping[str, Any]
    ) -> Iterator[Tuple[Optional[str], Any]]:
        """Each typing with its answer. Several requests are on their way at once, and no more: the typings may have no end."""
        if isinstance(typings, (str, bytes)):
            raise TypeError(f"typings is a list of strings, [{typings!r}], not one text")
        request = {"op": op, **_given(asked)}
        rest = iter(typings)
        flying: Deque[Tuple[List[Optional[str]], Tuple[PipeProcess, Pending]]] = deque()
        while True:
            while len(flying) < IN_FLIGHT:
                chunk = list(islice(rest, CHUNK))
                if not chunk:
                    break
                texts = [_text(typing) for typing in chunk if typing is not None]
                flying.append((chunk, self._send({**request, subject: texts})))
            if not flying:
                return
            chunk, pending = flying.popleft()
            answer = self._wait(pending)
            if "answers" not in answer:
                # the whole list is refused
                raise from_record(answer["error"], None)
            answers = answer["answers"]
            if answers and isinstance(answers[0], dict):
                refuse_ignored(answers[0])
            if len(answers) == len(chunk):
                yield from zip(chunk, answers)
            else:
                yield from _with_missing(chunk, answers)

    def _send(self, request: Mapping[str, Any]) -> Tuple[PipeProcess, Pending]:
        process = self._running()
        return process, process.send(request)

    @staticmethod
    def _wait(sent: Tuple[PipeProcess, Pending]) -> Any:
        process, pending = sent
        return process.wait(pending)

    def _running(self) -> PipeProcess:
        """The process; started where there is none, or none any more."""
        with self._lock:
            if self._is_closed:
                raise ProgramEnded("the engine is closed", code="closed")
            if self._process is None or not self._process.is_usable:
                if self._process is not None:
                    self._process.close()
                process = PipeProcess([*self.program, "pipe", "--quiet", *self.options], os.environ)
                if self._finalizer is not None:
                    self._finalizer.detach()
                self._process, self._finalizer = process, weakref.finalize(self, process.close)
            return self._process

    def _told(self, notes: Tuple[Note, ...]) -> Tuple[Note, ...]:
        """Something was left out, or may not be what was meant: that is said even where nobody looks at the notes."""
        for note in notes:
            if note.level == "warning":
                warnings.warn(f"{note.message} [{note.code}]", HlaWarning, stacklevel=3)
        return notes

    def restart(self) -> None:
        """Starts the program anew, for instance after other data were installed."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.close()
        self.version = self.ask("version")

    def close(self) -> None:
        """Ends the program. The engine answers nothing any more."""
        with self._lock:
            self._is_closed = True
            process, self._process = self._process, None
        if process is not None:
            process.close()

    def __reduce__(self) -> Tuple[Any, ...]:
        # in another process it has a program of its own
        return _reopened, (type(self), *self._asked_for)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<hla.Engine {self.data_id or 'starter set'}>"


def _reopened(kind: Type[Engine], release: Any, data_dir: Any, program: Any) -> Engine:
    return kind(release, data_dir=data_dir, program=program)


def _text(typing: Any) -> str:
    if isinstance(typing, str):
        # a text of a class of its own is sent as what it says
        return typing
    raise TypeError(f"a typing must be a string or a number, not {type(typing).__name__}")


def _given(asked: Mapping[str, Any]) -> Dict[str, Any]:
    """Python has ``from`` as a word of its own."""
    named = {"from" if name == "from_release" else name: value for name, value in asked.items()}
    return {name: value for name, value in named.items() if value is not None}


def _with_missing(chunk: Sequence[Optional[str]], answers: Sequence[Any]) -> Iterator[Tuple[Optional[str], Any]]:
    if len(answers) != sum(typing is not None for typing in chunk):
        raise ProgramEnded("hla answered another number of typings than it was asked", code="protocol")
    rest = iter(answers)
    return ((typing, None if typing is None else next(rest)) for typing in chunk)

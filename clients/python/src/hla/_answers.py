"""What questions are answered with."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Optional, Tuple


@dataclass(frozen=True)
class Note:
    """A remark on a right answer; ``level`` is ``detail``, ``note`` or ``warning``."""

    level: str
    code: str
    message: str
    offending: Optional[str] = None
    position: Optional[Tuple[int, int]] = None


class Reduced(str):
    """A reduced GL String: a text, with the remarks on it in ``notes``."""

    notes: Tuple[Note, ...] = ()


def reduced(text: str, notes: Tuple[Note, ...]) -> Reduced:
    answer = Reduced(text)
    if notes:
        answer.notes = notes
    return answer


@dataclass(frozen=True)
class Verdict:
    """Whether a typing is valid: true in a condition if it is. What is wrong with it stands in ``cause``, ``code`` and ``position``."""

    typing: str
    valid: bool
    malformed: bool = False
    cause: Optional[str] = None
    code: Optional[str] = None
    position: Optional[Tuple[int, int]] = None
    suggestions: Tuple[str, ...] = ()
    notes: Tuple[Note, ...] = ()

    def __bool__(self) -> bool:
        return self.valid


@dataclass(frozen=True)
class Lifted:
    """A GL String in the names of another release. ``result`` is empty where there is no name, or no single one."""

    typing: str
    result: str
    status: str
    source: str
    target: str
    accession: str = ""
    notes: Tuple[Note, ...] = ()


def read_notes(output: Mapping[str, Any]) -> Tuple[Note, ...]:
    return tuple(
        Note(
            level=note["level"],
            code=note["code"],
            message=note["message"],
            offending=note.get("offending"),
            position=_place(note.get("position")),
        )
        for note in output.get("notes", ())
    )


def refuse_ignored(output: Mapping[str, Any]) -> None:
    """An argument that the program does not know would change nothing without a word.

    :raises TypeError: the question has one
    """
    for note in output.get("notes", ()):
        if note["code"] == "ignored-property":
            raise TypeError(f"unknown argument, {note['message']} (the method is reduction_method; Engine.redux has method=)")


def read_verdict(typing: str, output: Any) -> Verdict:
    """``true``, or the whole output of the question."""
    if output is True:
        return Verdict(typing, True)
    return Verdict(
        typing,
        valid=output["valid"],
        malformed=output["malformed"],
        cause=output.get("cause"),
        code=output.get("code"),
        position=_place(output.get("position")),
        suggestions=tuple(output.get("suggestions", ())),
        notes=read_notes(output),
    )


def read_lifted(output: Mapping[str, Any]) -> Lifted:
    return Lifted(
        output["gl_string"],
        result=output["result"],
        status=output["lift_status"],
        source=output["from"],
        target=output["to"],
        accession=output["accession"],
        notes=read_notes(output),
    )


def _place(position: Optional[Iterable[int]]) -> Optional[Tuple[int, int]]:
    if position is None:
        return None
    start, end = position
    return start, end

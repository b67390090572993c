"""What goes wrong with an input, or with the program, as exceptions."""
from __future__ import annotations

import re
from typing import Any, Mapping, Optional, Tuple, Type


class HlaWarning(UserWarning):
    """A right answer needs a word: something was left out, or read otherwise than it stands."""


class HlaError(Exception):
    """What is wrong with a typing, or with how it was asked.

    ``code`` stays the same from version to version (``hla help errors``); ``position`` is where in the text,
    ``offending`` the piece there, ``suggestions`` what was probably meant, ``hint`` what to do,
    ``facts`` what this kind of error has besides.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        typing: Optional[str] = None,
        offending: Optional[str] = None,
        position: Optional[Tuple[int, int]] = None,
        suggestions: Tuple[str, ...] = (),
        hint: Optional[str] = None,
        facts: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.typing = typing
        self.offending = offending
        self.position = position
        self.suggestions = suggestions
        self.hint = hint
        self.facts = dict(facts or {})

    def __str__(self) -> str:
        text = f"{self.message} [{self.code}]" if self.code else self.message
        if self.suggestions:
            text += f"; did you mean {' or '.join(self.suggestions)}?"
        return f"{text}\n  {self.hint}" if self.hint else text

    def __reduce__(self) -> Tuple[Any, ...]:
        # by name: exceptions are sent between processes
        return _rebuilt, (type(self), self.message, dict(self.__dict__))


def _rebuilt(kind: Type[HlaError], message: str, members: Mapping[str, Any]) -> HlaError:
    error = kind(message)
    error.__dict__.update(members)
    return error


class ProgramNotFound(HlaError):
    """There is no program ``hla`` to ask."""


class ProgramEnded(HlaError):
    """The program ended before it had answered; ``status`` is its exit status. The next question starts it again."""

    def __init__(self, message: str, *, code: str = "", status: Optional[int] = None, hint: Optional[str] = None) -> None:
        super().__init__(message, code=code, hint=hint)
        self.status = status


def from_record(record: Mapping[str, Any], typing: Optional[str]) -> HlaError:
    """The error of an answer ``{"error": {…}}``."""
    position = record.get("position")
    return HlaError(
        record["message"],
        code=record["code"],
        typing=typing,
        offending=record.get("offending"),
        position=None if position is None else (position[0], position[1]),
        suggestions=tuple(record.get("suggestions", ())),
        hint=record.get("hint"),
        facts={name: value for name, value in record.items() if name not in _MEMBERS},
    )


_MEMBERS = ("code", "message", "offending", "position", "suggestions", "hint")


_SAID = re.compile(r"^hla: error: (?P<message>.*?)(?: \[(?P<code>[a-z0-9-]+)\])?$", re.MULTILINE)


def ended(status: int, said: str) -> ProgramEnded:
    """``said`` is what the program wrote to standard error."""
    found = _SAID.search(said)
    if found is None:
        how = f"was ended by signal {-status}" if status < 0 else f"has ended with status {status}"
        more = f": {said.strip()[-1000:]}" if said.strip() else ""
        return ProgramEnded(f"hla {how}{more}", code="ended", status=status)
    hint = said[found.end() :].strip()
    return ProgramEnded(found["message"], code=found["code"] or "ended", status=status, hint=hint or None)

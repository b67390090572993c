"""``pyard.smart_sort`` of py-ard: names by their numbers, for ``functools.cmp_to_key``."""
from __future__ import annotations

import re
from typing import List, Sequence

__all__ = ["smart_sort_comparator"]

_OPERATORS = re.compile(r"[/|+^~]")
_FIELDS = 4


def smart_sort_comparator(a1: str, a2: str, ignore_suffixes: Sequence[str] = ()) -> int:
    """-1, 0 or 1. Alleles by their fields and antigens by their number, as py-ard: the locus and letters behind a number do not count.

    GL Strings are compared as texts. What stands in ``ignore_suffixes`` behind the ``*`` comes last.
    """
    if a1 == a2:
        return 0
    if _OPERATORS.search(a1) or _OPERATORS.search(a2):
        return _order(a1, a2)
    for name, verdict in ((a1, 1), (a2, -1)):
        if "*" in name and name.split("*", 1)[1] in ignore_suffixes:
            return verdict
    first, second = _numbers(a1), _numbers(a2)
    return 0 if first == second else _order(first, second)


def _numbers(name: str) -> List[int]:
    """A field that is missing, or no number, is 0; a code behind the first field too."""
    if ":" not in name:
        return [int((re.findall(r"\d+", name) or ["0"])[-1])]
    fields = name.split("*")[-1].split(":")[:_FIELDS]
    found = [re.match(r"\d+", field) for field in fields]
    numbers = [0 if one is None else int(one.group()) for one in found]
    return numbers + [0] * (_FIELDS - len(numbers))


def _order(one: object, other: object) -> int:
    return 1 if one > other else -1  # type: ignore[operator]

"""Typings in pandas; pandas is needed by what is here alone."""
from __future__ import annotations

import csv
import os
import shlex
import subprocess
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

from ._errors import HlaError, HlaWarning, ended
from ._program import Program, find_program

if TYPE_CHECKING:
    import pandas

    from ._engine import Engine


def reduce_series(
    engine: "Engine", series: "pandas.Series[Any]", method: str, errors: str, asked: Mapping[str, Any]
) -> "pandas.Series[Any]":
    """What ``Engine.redux_series`` does."""
    import pandas

    if errors not in ("raise", "coerce"):
        raise ValueError('errors is "raise" or "coerce"')
    distinct = [value for value in series.dropna().unique() if not (isinstance(value, str) and not value.strip())]
    answers: Dict[Any, Any] = {}
    failed: Dict[str, HlaError] = {}
    returned = engine.redux_many(distinct, method, errors="raise" if errors == "raise" else "return", **asked)
    for typing, answer in zip(distinct, returned):
        if isinstance(answer, HlaError):
            failed[typing] = answer
            answers[typing] = None
        else:
            answers[typing] = str(answer)
    plain = series.astype(object)
    # what was not asked stays: it is missing, or blank
    result = plain.map({**{value: value for value in plain.unique()}, **answers}).astype(object)
    if isinstance(series.dtype, pandas.StringDtype):
        result = result.astype(series.dtype)
    result.attrs = {**series.attrs, "hla_errors": failed}
    if failed:
        _warn_of(failed, len(distinct))
    return result


def _warn_of(failed: Mapping[str, HlaError], count: int) -> None:
    typing, error = next(iter(failed.items()))
    message = f"{len(failed)} of {count} distinct typings failed and are missing, the first {typing!r}: {error.message} [{error.code}]"
    warnings.warn(message, HlaWarning, stacklevel=4)


def read_table(
    path: "os.PathLike[str] | str",
    method: str = "lgx",
    *,
    release: Optional[str] = None,
    data_dir: Optional["os.PathLike[str] | str"] = None,
    program: Optional[Program] = None,
    options: Sequence[str] = (),
    errors: str = "warn",
) -> "pandas.DataFrame":
    """A table of typings as a data frame, with its typings reduced: what ``hla redux -i PATH`` writes.

    The program finds the columns of typings, and reads CSV, TSV, workbooks, HML, what typing programs write, compressed or not
    (``hla help tables``). Cells are texts, and empty ones missing.

    :param options: further options of ``hla redux``: ``["--into", "replace"]``
    :param errors: ``"warn"``: typings that failed are missing, with a warning, and listed in ``result.attrs["hla_errors"]``;
        ``"raise"``: the first failures ends it
    :raises TypeError: ``options`` is a text: the words of a command line are a list
    :raises HlaError: the table cannot be read
    """
    if isinstance(options, (str, bytes)):
        raise TypeError(f"options is a list of words, {shlex.split(os.fsdecode(options))}, not a text")
    import pandas

    if errors not in ("warn", "raise"):
        raise ValueError('errors is "warn" or "raise"')
    with tempfile.TemporaryDirectory(prefix="hla-") as folder:
        output, report = Path(folder, "table.csv"), Path(folder, "errors.csv")
        words = [*find_program(program), "redux", "-i", os.fspath(path), "-m", method, "-o", str(output), "--errors", str(report)]
        words += ["-D", ",", "--bom", "drop", "-q", *options]
        words += [] if release is None else ["--release", str(release)]
        words += [] if data_dir is None else ["--data-dir", os.fspath(data_dir)]
        ran = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        said = ran.stderr.decode("utf-8", "replace")
        # 1: the table is there, and some of its typings failed
        if ran.returncode not in (0, 1) or not output.exists():
            raise ended(ran.returncode, said)
        failed = _read_report(report)
        table = pandas.read_csv(output, dtype=str, keep_default_na=False, na_values=[""], encoding="utf-8")
    table.attrs["hla_errors"] = failed
    if ran.returncode == 1:
        message = said.strip() or f"{len(failed)} cells failed"
        if errors == "raise":
            raise HlaError(message, code=failed[0]["code"] if failed else "failed")
        warnings.warn(message, HlaWarning, stacklevel=2)
    return table


def _read_report(report: Path) -> List[Dict[str, str]]:
    if not report.exists():
        return []
    with report.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))

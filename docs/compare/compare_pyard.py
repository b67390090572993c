#!/usr/bin/env python3
"""Asks the py-ard that is installed here and `hla` the same, and names each difference by its row in docs/divergences.md.

    python3 compare_pyard.py -r 3.58.0 -m lgx -i donors.csv        a table of yours: its typings as hla reads its columns
    python3 compare_pyard.py -r 3.58.0 -m lgx -m S < typings.txt   typings, one a line

Standard output: one line a difference: row, method, typing, py-ard's answer, hla's answer (tab-separated). Exit status 0: every difference has
a row; 1: some have none; 2: the question is wrong. The rows are told from the two answers alone: they say where to read, not that all is well.
"""
import argparse
import collections
import contextlib
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

METHODS = ["G", "P", "lg", "lgx", "W", "exon", "U2", "S", "1F"]
KINDS = "serology,v2,2field,3field,4field,P,G,xx,mac,null"
UNEXPLAINED = "-"

Answer = collections.namedtuple("Answer", "text error internal", defaults=(None, None, False))


class Hla:
    """One `hla pipe` that stays."""

    def __init__(self, release):
        words = ["hla", "pipe", "--quiet"] + (["-r", release] if release else [])
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def ask(self, **request):
        line = ""
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        if line == "":
            # hla itself has said why, on standard error
            sys.exit(self._process.wait() or 2)
        return json.loads(line)

    def redux(self, typing, method):
        answer = self.ask(op="redux", gl_string=typing, reduction_method=method)
        error = answer.get("error")
        return Answer(error=error["code"]) if isinstance(error, dict) else Answer(text=answer["ard"])


class PyArd:
    """What py-ard prints besides goes to standard error; its .pyardrc is not read."""

    def __init__(self, release, data_dir):
        os.environ["PYARD_RC"] = "no"
        words = {"data_dir": data_dir} if data_dir else {}
        with contextlib.redirect_stdout(sys.stderr):
            import pyard
            from pyard.exceptions import PyArdError

            self._expected = PyArdError
            self.version = pyard.__version__
            self._ard = pyard.init(release.replace(".", ""), **words)
            self.release = str(self._ard.get_db_version())

    def redux(self, typing, method):
        try:
            with contextlib.redirect_stdout(sys.stderr):
                return Answer(text=self._ard.redux(typing, method))
        except Exception as error:  # whatever it lets through is an answer here
            expected = isinstance(error, self._expected)
            return Answer(error=type(error).__name__, internal=not expected)


def parts_of(text):
    return sorted(part for part in re.split(r"[/|+^~?]", text) if part != "")


def leaves_of(typing):
    return [leaf[4:] if leaf.startswith("HLA-") else leaf for leaf in re.split(r"[/|+^~?]", typing)]


def is_contradicted(leaf):
    """Two fields, and behind them five in all, letters, or a letter of expression."""
    further = re.fullmatch(r"[A-Z0-9]+\*\d+:(\d+[A-Z]?:.+)", leaf)
    return further is not None and (leaf.count(":") > 3 or not re.fullmatch(r"[\d:]+", further[1]))


def is_unlistable(leaf):
    """Behind two fields a number with surplus or missing zeros, or with more than four digits."""
    further = re.fullmatch(r"[A-Z0-9]+\*\d+:\d+((?::\d+)+)[A-Z]?", leaf)
    fields = further[1].split(":")[1:] if further else []
    return not all(re.fullmatch(r"0[1-9]|[1-9]\d{1,3}", field) for field in fields)


def of_error(leaves, ours, theirs):
    """hla refuses, py-ard does not."""
    code = ours.error
    unread = {leaf for leaf in leaves if re.search(r"\*[^:]*:[A-Z]+$", leaf)}
    if unread & {part[4:] if part.startswith("HLA-") else part for part in parts_of(theirs.text)}:
        return "codes-need-a-locus"
    fixed = {
        "too-ambiguous": "limit",
        "no-hats": "hats-by-release",
        "mac-empty-expansion": "mac-empty",
        "missing-suffix": "missing-letters",
        "renamed-allele": "retired-names",
        "deleted-allele": "retired-names",
    }
    if code in fixed:
        return fixed[code]
    if code in ("no-serology", "no-alleles"):
        return "no-silence" if theirs.text == "" else "null-antigens"
    if code == "excel-artifact":
        return "field-of-zeros"
    if any(not leaf.isascii() for leaf in leaves):
        return "foreign-characters"
    if code in ("bad-syntax", "bad-character", "empty-part"):
        return "malformed"
    if any(re.search(r":[A-Z]+:", leaf) for leaf in leaves):
        return "codes-end-a-name"
    if any(is_unlistable(leaf) for leaf in leaves):
        return "unlistable-fields"
    if any(is_contradicted(leaf) for leaf in leaves):
        return "contradicted-names"
    if any(re.search(r":[A-Z]+$", leaf) for leaf in leaves):
        return "codes-need-a-locus"
    return UNEXPLAINED


def of_refusal(leaves, method, ours):
    """py-ard refuses, hla does not."""
    own = set(parts_of(ours.text))
    groups = [leaf for leaf in leaves if re.search(r"\d[GP]$", leaf)]
    if any(re.fullmatch(r"[A-Z0-9]+\*\d{5,}[A-Z]?", leaf) for leaf in leaves):
        return "before-2002"
    if method == "G" and any(leaf.endswith("G") and leaf.count(":") == 2 and leaf not in own and leaf[:-1] not in own for leaf in groups):
        return "published-group-names"
    if groups:
        return "group-letter"
    if any(re.fullmatch(r"[A-Z0-9]+\*\d+:\d+", leaf) for leaf in leaves):
        return "reduced-names"
    return UNEXPLAINED


def of_texts(leaves, method, ours, theirs):
    """Both answer, and not the same."""
    own, other = set(parts_of(ours.text)), set(parts_of(theirs.text))
    if parts_of(ours.text) == parts_of(theirs.text):
        return "dangling-tilde" if re.search(r"(^|[/|+^~])~|~([/|+^]|$)", theirs.text) else "genotype-order"
    if "HLA" in other:
        return "unchanged-lists"
    if any(part.endswith("gg") for part in other):
        return "double-g"
    if any(re.search(r"\d[GP]$", leaf) for leaf in leaves) and method != "S":
        return "group-letter"
    if any(leaf in other and re.fullmatch(r"[A-Z0-9]+\*\d{4,}[A-Z]?", leaf) for leaf in leaves):
        return "old-spelling"
    if method == "S":
        if other - own:
            return "null-antigens" if any(leaf.endswith("N") for leaf in leaves) else UNEXPLAINED
        return "short-name-antigens"
    return UNEXPLAINED


def row_of(typing, method, ours, theirs):
    """The row of docs/divergences.md; None: the two agree."""
    leaves = leaves_of(typing)
    if theirs.internal:
        if ours.error == "no-hats":
            return "hats-by-release"
        return "unchanged-lists" if "|" in typing and ours.error is None else "coded-errors"
    if ours.error is not None:
        return None if theirs.error is not None else of_error(leaves, ours, theirs)
    if theirs.error is not None:
        return "possible-genes" if "?" in typing else of_refusal(leaves, method, ours)
    return None if ours.text == theirs.text else of_texts(leaves, method, ours, theirs)


def typings_in(table, release):
    """The typings of a table as hla reads them: with their locus, and otherwise as they stand."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "typed")
        words = ["hla", "redux", "--quiet", "-i", table, "-o", output, "-m", "W", "--keep", KINDS, "--name", "{col}@typed"]
        status = subprocess.run(words + (["-r", release] if release else []), check=False).returncode
        # 1: some typings are wrong, and are not compared
        if status > 1:
            sys.exit(status)
        with open(output, encoding="utf-8", newline="") as lines:
            head = next((line for line in lines if "@typed" in line), None)
            if head is None:
                sys.exit(f"{table} has no header that hla adds columns to: give its typings one a line")
            delimiter = next((one for one in "\t;|" if one in head), ",")
            names = next(csv.reader([head], delimiter=delimiter))
            places = [at for at, name in enumerate(names) if "@typed" in name]
            rows = csv.reader(lines, delimiter=delimiter)
            found = [row[at] for row in rows for at in places if at < len(row)]
    return [typing for typing in found if typing != ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-r", "--release", required=True, help="release of both, such as 3.58.0")
    parser.add_argument("-m", "--method", action="append", choices=METHODS + ["hats"], help="repeatable, default lgx")
    parser.add_argument("-i", "--input", help="a table; without it, typings from standard input")
    parser.add_argument("--pyard-data", help="where py-ard has its databases")
    asked = parser.parse_args()
    try:
        peer = PyArd(asked.release, asked.pyard_data)
    except ImportError as error:
        sys.exit(f"py-ard is not installed here: {error}")
    if peer.release != asked.release.replace(".", ""):
        print(f"py-ard answers from {peer.release}, not from {asked.release}", file=sys.stderr)
        return 2
    typings = typings_in(asked.input, asked.release) if asked.input else [line.rstrip("\r\n") for line in sys.stdin]
    distinct = list(dict.fromkeys(typings))
    hla = Hla(asked.release)
    counts = collections.Counter()
    for method in asked.method or ["lgx"]:
        for typing in distinct:
            ours, theirs = hla.redux(typing, method), peer.redux(typing, method)
            row = row_of(typing, method, ours, theirs)
            counts[row] += 1
            if row is not None:
                shown = [one.text if one.error is None else f"error {one.error}" for one in (theirs, ours)]
                print(row, method, typing, *shown, sep="\t")
    same = counts.pop(None, 0)
    print(f"py-ard {peer.version} and hla over {asked.release}: {len(distinct)} distinct typings, {same} answers alike", file=sys.stderr)
    for row, count in counts.most_common():
        print(f"{count:8} {'without a row' if row == UNEXPLAINED else row}", file=sys.stderr)
    return 1 if counts[UNEXPLAINED] else 0


if __name__ == "__main__":
    sys.exit(main())

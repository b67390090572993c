"""``hla.pyard`` and the recorded answers of py-ard 2.3.1, where they are: ``HLA_RECORDED`` names their folder.

Each difference has a row in docs/divergences.md; the tests of the program judge reductions one by one, these the interface around them.
"""
import gzip
import hashlib
import json
import os
import re
import unittest
import warnings
from collections import Counter
from pathlib import Path

import hla
from hla import pyard
from tests.support import needs_release

RECORDED = os.environ.get("HLA_RECORDED", "")
PAGE = Path(__file__).parents[3] / "docs" / "divergences.md"
EVERY = 40


def rows(name):
    with gzip.open(Path(RECORDED, name), "rt", encoding="utf-8", newline="\n") as lines:
        next(lines)
        for line in lines:
            yield [_unescaped(cell) for cell in line.rstrip("\n").split("\t")]


def _unescaped(cell):
    for written, meant in (("\\t", "\t"), ("\\n", "\n"), ("\\r", "\r"), ("\\\\", "\\")):
        cell = cell.replace(written, meant)
    return cell


def answer(ask, *words):
    """Status, answer or code."""
    try:
        text = ask(*words)
    except hla.HlaError as error:
        return "error", error.code
    return "ok", text if len(text) <= 2000 else f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def reason(op, given, recorded, code):
    """The row that explains a difference which no list of deviations names."""
    if op == "blend":
        return "blend-genotype"
    if op == "cwd":
        return "cwd-antigens"
    if op == "mac-expand":
        return {"mac-empty-expansion": "mac-empty", "unknown-locus": "codes-need-a-locus"}.get(code, "code-alone")
    if op == "mac-lookup" and recorded.split(":")[-1] == code.split(":")[-1]:
        return "mac-main-first-field"
    return {"v2-to-v3": "respelled-text", "validate": "codes-end-a-name"}.get(op)


@unittest.skipUnless(RECORDED, "HLA_RECORDED names no recorded answers")
@needs_release
class Recorded(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", hla.HlaWarning)

    def test_other_questions_are_answered_as_recorded_or_with_a_row(self):
        deviations = {tuple(row[:3]) for row in rows("deviations-3580.tsv.gz")}
        page = PAGE.read_text(encoding="utf-8")
        asked, differing = Counter(), []
        with pyard.init("3580") as ard:
            ask = {
                "validate": lambda text: str(ard.validate(text)).lower(),
                "mac-expand": ard.expand_mac,
                "mac-lookup": ard.lookup_mac,
                "xx-expand": ard.expand_xx,
                "cwd": ard.cwd_redux,
                "splits": lambda text: "{}={}".format(*_joined(ard.find_broad_splits(text))) if ard.find_broad_splits(text) else "",
                "associated": ard.find_associated_antigen,
                "similar": lambda text: "/".join(ard.similar_alleles(text) or []),
                "v2-to-v3": ard.v2_to_v3,
                "blend": lambda text: pyard.dr_blender(*json.loads(text)),
            }
            for at, (op, method, given, status, recorded) in enumerate(rows("ops-3580.tsv.gz")):
                if at % EVERY or op not in ask:
                    continue
                asked[op] += 1
                found = answer(ask[op], given)
                if found[0] == status and (status == "error" or found[1] == recorded):
                    continue
                if (op, method, given) in deviations:
                    continue
                row = reason(op, given, recorded, found[1])
                if row is None or f"| `{row}` |" not in page:
                    differing.append((op, given, recorded, found))
        self.assertEqual(differing, [])
        self.assertGreater(sum(asked.values()), 1000)
        self.assertGreaterEqual(len(asked), 8)

    def test_switches_do_what_they_do_in_py_ard(self):
        by_switches = {}
        for at, (op, method, given, status, recorded, config) in enumerate(rows("config-3580.tsv.gz")):
            # antigens and groups have rows of their own: short-name-antigens, group-letter
            has_groups = re.search(r"\d[GP](?:[/+^|~]|$)", given) is not None
            if at % EVERY == 0 and op == "redux" and method in ("G", "lgx", "U2", "lg") and status == "ok" and not has_groups:
                by_switches.setdefault(config, []).append((method, given, recorded))
        differing, count = [], 0
        for config, asked in by_switches.items():
            with pyard.init("3580", config=json.loads(config)) as ard:
                for method, given, recorded in asked:
                    count += 1
                    found = answer(ard.redux, given, method)
                    # text that names nothing, and names without their letter, are refused here, whatever the switches
                    malformed = found[0] == "error" and found[1].startswith(("bad-", "unknown-", "empty-", "not-", "missing-suffix"))
                    # old-spelling
                    is_respelled = found[0] == "ok" and found[1].replace(":", "") == recorded
                    if found != ("ok", recorded) and not malformed and not is_respelled:
                        differing.append((config, method, given, recorded, found))
        self.assertEqual(differing, [])
        self.assertGreater(count, 100)
        self.assertGreaterEqual(len(by_switches), 10)


def _joined(found):
    broad, splits = found
    return broad, "/".join(splits)


if __name__ == "__main__":
    unittest.main()

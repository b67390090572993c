"""The interface of py-ard: its own documented examples, its errors and its switches."""
import functools
import os
import tempfile
import unittest
import warnings

import hla
from hla import pyard
from tests.support import needs_release


def starter(**words):
    return pyard.init("starter", **words)


class ModulesOfPyArdTest(unittest.TestCase):
    """What the README of py-ard imports."""

    def test_names(self) -> None:
        import hla.pyard.ard
        import hla.pyard.blender
        import hla.pyard.exceptions
        from hla.pyard.smart_sort import smart_sort_comparator

        self.assertIs(pyard.ard.ARD, pyard.ARD)
        self.assertRegex(pyard.__version__, r"^\d+\.\d+\.\d+$")
        blended = pyard.blender.blender(drb1="HLA-DRB1*03:01+DRB1*04:01", drb3="DRB3*01:01", drb4="DRB4*01:03")
        self.assertEqual(blended, "DRB3*01:01+DRB4*01:03")
        self.assertIs(pyard.exceptions.PyArdError, pyard.PyArdError)
        names = ["A*01:01:10", "A*01:100", "A*01:02N", "A*01:01:02", "A*01:01"]
        by_number = ["A*01:01", "A*01:01:02", "A*01:01:10", "A*01:02N", "A*01:100"]
        self.assertEqual(sorted(names, key=functools.cmp_to_key(smart_sort_comparator)), by_number)
        self.assertEqual(sorted(["B27", "B8"], key=functools.cmp_to_key(smart_sort_comparator)), ["B8", "B27"])
        self.assertEqual(smart_sort_comparator("A*01:01N", "A*01:01"), 0)
        self.assertEqual(smart_sort_comparator("DRB4*NNNN", "DRB4*01:03", ("NNNN",)), 1)

    def test_data_dir_of_pyard(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            open(os.path.join(folder, "pyard-3510.sqlite3"), "w").close()
            for data_dir in (folder, os.path.join(folder, "none")):
                with self.assertRaisesRegex(pyard.PyArdError, "hla data install 3510 --data-dir .*files of py-ard are not read"):
                    pyard.init("3510", data_dir=data_dir)


class Interface(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ard = starter()

    @classmethod
    def tearDownClass(cls):
        cls.ard.close()

    def test_names_of_before_1_0(self):
        self.assertEqual(self.ard.redux_gl("A*01:01:01+A*02:01:01", "lgx"), "A*01:01+A*02:01")
        with pyard.ARD("starter") as ard:
            self.assertEqual(ard.redux("A*01:01:01", "lgx"), "A*01:01")

    def test_errors_are_those_of_py_ard_with_the_code_of_hla(self):
        for ask, kind, code in [
            (lambda: self.ard.redux("A*01:01+", "lgx"), pyard.InvalidAlleleError, "empty-part"),
            (lambda: self.ard.validate("A*01:01+"), pyard.InvalidAlleleError, "empty-part"),
            (lambda: self.ard.expand_mac("A*01:01"), pyard.InvalidMACError, ""),
            (lambda: self.ard.expand_mac("A*01:XX"), pyard.InvalidMACError, "xx-not-mac"),
            (lambda: self.ard.expand_xx("A*01:AB"), pyard.InvalidTypingError, "not-xx"),
            (lambda: self.ard.redux("A*99:99", "lgx"), pyard.PyArdError, "starter"),
            (lambda: pyard.dr_blender("DRB1*01:01+DRB1*08:01", "DRB3*01:01"), pyard.DRBXBlenderError, "blend-mismatch"),
            (lambda: pyard.init("3.1.0"), pyard.PyArdError, ""),
        ]:
            with self.assertRaises(kind) as caught:
                ask()
            self.assertIs(type(caught.exception), kind)
            self.assertIsInstance(caught.exception, hla.HlaError)
            if code:
                self.assertEqual(caught.exception.code, code)
        with self.assertRaises(pyard.DRBXBlenderError) as caught:
            pyard.dr_blender("DRB1*01:01+DRB1*08:01", "DRB3*01:01")
        self.assertEqual((caught.exception.found, caught.exception.expected), ("DRB3", "none"))
        with self.assertRaises(ValueError):
            self.ard.redux("A*01:01", "foo")

    def test_nothing_left_is_an_empty_text_and_said(self):
        with self.assertWarnsRegex(hla.HlaWarning, "no-serology"):
            self.assertEqual(self.ard.redux("A*01:04N", "S"), "")

    def test_switches(self):
        with starter(config={"reduce_MAC": False, "verbose_log": True, "reduce_3field": False}) as ard:
            self.assertEqual(ard.redux("A*01:AB", "lgx"), "A*01:AB")
            self.assertEqual(ard.redux("A*01:01:01", "lgx"), "A*01:01")
        with starter(config={"reduce_serology": False}) as ard:
            with self.assertRaises(pyard.PyArdError) as caught:
                ard.redux("A1", "lgx")
            self.assertEqual(caught.exception.code, "not-expanded")
        with starter(config={"ARS_as_lg": True}) as ard:
            self.assertEqual(ard.redux("A*01:01:01", "lg"), "A*01:01ARS")
        with starter(config={"ignore_allele_with_suffixes": ["NNNN"]}) as ard:
            self.assertEqual(ard.redux("DRB3*NNNN", "lgx"), "DRB3*NNNN")
        with self.assertRaisesRegex(pyard.PyArdError, "no switch 'reduce_serolgy'"):
            starter(config={"reduce_serolgy": False})

    def test_the_cache_is_of_each(self):
        with starter(cache_size=10) as one, starter(cache_size=1_000_000) as other:
            for ard in (one, other):
                self.assertEqual([ard.redux("A*01:01:01", "lgx") for _ in range(3)], ["A*01:01"] * 3)

    def test_kinds(self):
        self.assertTrue(self.ard.is_mac("A*01:AB"))
        self.assertTrue(self.ard.is_mac("HLA-A*01:AB"))
        self.assertFalse(self.ard.is_mac("A*01:01"))
        self.assertFalse(self.ard.is_mac("A*01:XX"))
        self.assertFalse(self.ard.is_serology("A*01:01"))
        self.assertTrue(self.ard.is_null("A*01:04N"))
        self.assertFalse(self.ard.is_null("A*01:01"))


@needs_release
class DocumentedExamples(unittest.TestCase):
    """Those of py-ard's README, over 3.58.0. What its comments say of older releases and versions is told beside."""

    @classmethod
    def setUpClass(cls):
        cls.ard = pyard.init("3580", cache_size=1_000_000)

    @classmethod
    def tearDownClass(cls):
        cls.ard.close()

    def test_reduce_an_allele(self):
        allele = "A*01:01:01"
        self.assertEqual(self.ard.redux(allele, "G"), "A*01:01:01G")
        self.assertEqual(self.ard.redux(allele, "lg"), "A*01:01g")
        self.assertEqual(self.ard.redux(allele, "lgx"), "A*01:01")
        self.assertEqual(self.ard.redux("A*01:AB", "lgx"), "A*01:01/A*01:02")
        reduced = {method: self.ard.redux("A*01:01:01:01", method) for method in ("G", "P", "lg", "lgx", "W", "exon", "U2")}
        self.assertEqual(
            reduced,
            {"G": "A*01:01:01G", "P": "A*01:01P", "lg": "A*01:01g", "lgx": "A*01:01", "W": "A*01:01:01:01", "exon": "A*01:01:01", "U2": "A*01:01"},
        )

    def test_reduce_a_gl_string(self):
        # documented, of an older release and order: B*07:02:01G+B*07:02:01G^A*01:01:01G+A*02:01:01G/A*02:02
        self.assertEqual(
            self.ard.redux("A*01:01/A*01:01N+A*02:AB^B*07:02+B*07:AB", "G"),
            "A*01:01:01G+A*02:01:01G/A*02:01:02G/A*02:02:01G^B*07:02:01G/B*07:02:75G+B*07:02:01G/B*07:02:75G",
        )

    def test_reduce_an_antigen(self):
        # documented, of an older release: without the alleles from B*14:103g on
        self.assertTrue(self.ard.redux("B14", "lg").startswith("B*14:01g/B*14:02g/B*14:03g/B*14:04g/B*14:05g/B*14:06g/B*14:08g"))
        self.assertTrue(self.ard.redux("A1", "lgx").startswith("A*01:01/A*01:02/A*01:03/A*01:06/A*01:07/A*01:08"))
        self.assertTrue(self.ard.redux("DRB1*08:XX", "G").startswith("DRB1*08:01:01G/DRB1*08:02:01G"))

    def test_blend(self):
        blended = pyard.dr_blender(drb1="HLA-DRB1*03:01+DRB1*04:01", drb3="DRB3*01:01", drb4="DRB4*01:03")
        self.assertEqual(blended, "DRB3*01:01+DRB4*01:03")

    def test_codes(self):
        self.assertEqual(self.ard.expand_mac("HLA-A*01:BC"), "HLA-A*01:02/HLA-A*01:03")
        self.assertEqual(self.ard.lookup_mac("A*01:02/A*01:01/A*01:03"), "A*01:MN")

    def test_common_alleles(self):
        # documented, of an older version: B*15:01/B*15:07, with the code B*15:AH
        common = self.ard.cwd_redux("B*15:01:01/B*15:01:03/B*15:04/B*15:07/B*15:26N/B*15:27")
        self.assertEqual(common, "B*15:01/B*15:04/B*15:07/B*15:27")
        self.assertEqual(self.ard.lookup_mac("B*15:01/B*15:07"), "B*15:AH")

    def test_splits(self):
        self.assertEqual(self.ard.find_broad_splits("A*10"), ("A*10", ["A*25", "A*26", "A*34", "A*66"]))
        self.assertEqual(self.ard.find_broad_splits("B14"), ("B14", ["B64", "B65"]))
        self.assertIsNone(self.ard.find_broad_splits("A*01"))
        self.assertEqual(self.ard.find_associated_antigen("A203"), "A2")
        self.assertEqual(self.ard.find_associated_antigen("A1"), "A1")
        self.assertTrue(self.ard.is_serology("A10"))
        self.assertFalse(self.ard.is_serology("A999"))

    def test_versions(self):
        self.assertEqual(self.ard.get_db_version(), 3580)
        self.assertIn("3580", pyard.db_versions())
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pyard.init() as latest:
                self.assertGreaterEqual(latest.get_db_version(), 3000)

    def test_old_names(self):
        self.assertEqual(self.ard.v2_to_v3("A*0104N"), "A*01:04N")
        self.assertEqual(self.ard.v2_to_v3("A*01:01"), "A*01:01")
        self.assertTrue(self.ard.is_v2("A*0104N"))
        self.assertFalse(self.ard.is_v2("A*01:01"))
        self.assertTrue(self.ard.is_XX("A*01:XX"))
        self.assertEqual(self.ard.expand_xx("A*43:XX"), "A*43:01/A*43:02N/A*43:03")
        self.assertEqual(self.ard.similar_alleles("DPB1*1010"), ["DPB1*1010:01"])
        self.assertIsNone(self.ard.similar_alleles("A*99:99"))


if __name__ == "__main__":
    unittest.main()

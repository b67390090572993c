"""Typings in pandas, where pandas is."""
import tempfile
import unittest
import warnings
from pathlib import Path

import hla
from tests.support import engine

try:
    import pandas
except ImportError:
    pandas = None


@unittest.skipIf(pandas is None, "pandas is not installed")
class Series(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.hla = engine()

    @classmethod
    def tearDownClass(cls):
        cls.hla.close()

    def test_each_distinct_typing_is_asked_once(self):
        asked = []
        kept = self.hla.redux_many
        self.hla.redux_many = lambda typings, *words, **more: kept(asked.extend(typings) or typings, *words, **more)
        try:
            series = pandas.Series(["A*01:01:01", "A*02:AB", "A*01:01:01"] * 1000, index=range(5, 3005), name="A_1")
            result = self.hla.redux_series(series)
        finally:
            del self.hla.redux_many
        self.assertEqual(asked, ["A*01:01:01", "A*02:AB"])
        expected = pandas.Series(["A*01:01", "A*02:01/A*02:02", "A*01:01"] * 1000, index=range(5, 3005), name="A_1")
        pandas.testing.assert_series_equal(result, expected)

    def test_what_is_missing_or_blank_stays(self):
        result = self.hla.redux_series(pandas.Series([None, "A*01:01:01", float("nan"), "", "  "]))
        self.assertEqual(result.isna().tolist(), [True, False, True, False, False])
        self.assertEqual(result.tolist()[1::2], ["A*01:01", ""])
        for kind in ("string", "category"):
            result = self.hla.redux_series(pandas.Series(["A*01:01:01", None, "A*01:01:01:01"], dtype=kind))
            self.assertEqual([result[0], result[2]], ["A*01:01", "A*01:01"])
            self.assertEqual(result.isna().tolist(), [False, True, False])
        self.assertEqual(len(self.hla.redux_series(pandas.Series([], dtype=object))), 0)

    def test_a_failure_is_raised_or_becomes_missing(self):
        series = pandas.Series(["A*01:01:01", "A*01:01+", "A*01:01+"])
        with self.assertRaises(hla.HlaError):
            self.hla.redux_series(series)
        with self.assertWarnsRegex(hla.HlaWarning, r"1 of 2 distinct typings failed .* 'A\*01:01\+'"):
            result = self.hla.redux_series(series, errors="coerce")
        self.assertEqual(result.isna().tolist(), [False, True, True])
        self.assertEqual({typing: error.code for typing, error in result.attrs["hla_errors"].items()}, {"A*01:01+": "empty-part"})
        with self.assertRaises(TypeError):
            self.hla.redux_series(pandas.Series([1, 2]))
        with self.assertRaises(ValueError):
            self.hla.redux_series(series, errors="ignore")


class Words(unittest.TestCase):
    def test_options_are_words(self):
        with self.assertRaisesRegex(TypeError, r"options is a list of words, \['--into', 'replace'\], not a text"):
            hla.read_table("donors.csv", options="--into replace")


@unittest.skipIf(pandas is None, "pandas is not installed")
class Tables(unittest.TestCase):
    def read(self, text, *words, name="donors.csv", **more):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_text(text, encoding="utf-8")
            return hla.read_table(path, *words, release="starter", **more)

    def test_a_table_is_read_with_its_typings_reduced(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            table = self.read("id,A_1,A_2\n007,01:01:01,02:AB\n008,,NA\n")
        expected = {
            "id": ["007", "008"],
            "A_1": ["01:01:01", None],
            "A_1_lgx": ["A*01:01", None],
            "A_2": ["02:AB", "NA"],
            "A_2_lgx": ["A*02:01/A*02:02", "NA"],
        }
        self.assertEqual(table.where(table.notna(), None).to_dict("list"), expected)
        self.assertEqual(table.attrs["hla_errors"], [])

    def test_options_are_those_of_the_program(self):
        table = self.read("id\tA_1\tA_2\né\t01:01:01\t02:01:01\n", "G", name="d.tsv", options=["--into", "replace"])
        self.assertEqual(table.values.tolist(), [["é", "A*01:01:01G", "A*02:01:01G"]])

    def test_failed_cells_are_missing_and_said(self):
        text = "id,A_1,A_2\n1,01:01:01,02:01:01:01:01:01\n"
        with self.assertWarnsRegex(hla.HlaWarning, "A_2"):
            table = self.read(text)
        self.assertEqual(table["A_1_lgx"].tolist(), ["A*01:01"])
        self.assertTrue(table["A_2_lgx"].isna().all())
        self.assertEqual([(one["id"], one["column"]) for one in table.attrs["hla_errors"]], [("1", "A_2")])
        with self.assertRaisesRegex(hla.HlaError, "A_2"):
            self.read(text, errors="raise")

    def test_what_is_no_table_is_an_error(self):
        with self.assertRaisesRegex(hla.HlaError, "no file .*nothing.csv"):
            hla.read_table("/nowhere/nothing.csv", release="starter")
        with self.assertRaisesRegex(hla.HlaError, "no typing columns"):
            self.read("id,x\n1,2\n")


if __name__ == "__main__":
    unittest.main()

"""The engine over the built-in starter set: answers, errors, many at once, and a program that ends."""
import itertools
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings

import hla
from tests.support import engine, environment, needs_release, program


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.hla = engine()

    @classmethod
    def tearDownClass(cls):
        cls.hla.close()

    def test_a_typing_is_reduced(self):
        self.assertEqual(self.hla.redux("A*01:01:01:01+A*02:AB", "G"), "A*01:01:01G+A*02:01:01G/A*02:01:02G/A*02:02:01G")
        self.assertEqual(self.hla.redux("A*01:01:01"), "A*01:01")
        self.assertIsInstance(self.hla.redux("A*01:01:01"), str)

    def test_remarks_are_with_the_answer(self):
        answer = self.hla.redux("A*01:04N", "lgx")
        self.assertEqual(answer, "A*01:01")
        self.assertEqual([(note.level, note.code, note.position) for note in answer.notes], [("note", "expression-lost", (0, 8))])
        self.assertEqual(self.hla.redux("A*01:01:01").notes, ())

    def test_what_is_left_out_is_said(self):
        with self.assertWarnsRegex(hla.HlaWarning, r"A\*01:04N"):
            self.assertEqual(self.hla.redux("A*01:01+A*01:04N", "S"), "A1")
        with self.assertWarnsRegex(hla.HlaWarning, r"A\*01:04N"):
            self.assertEqual(list(self.hla.redux_many(["A*01:01+A*01:04N"], "S")), ["A1"])

    def test_an_argument_that_is_not_known_is_refused(self):
        for call in (
            lambda: self.hla.redux("A*01:01:01", redux_type="G"),
            lambda: list(self.hla.redux_many(["A*01:01:01"], redux_type="G")),
            lambda: self.hla.ask("redux", gl_string="A*01:01:01", reduction_method="lgx", method="G"),
            lambda: self.hla.validate("A*01:01", nope=True),
        ):
            with self.assertRaisesRegex(TypeError, "redux_type|method|nope"):
                call()

    def test_an_error_has_code_and_position(self):
        with self.assertRaises(hla.HlaError) as caught:
            self.hla.redux("A*01:01+")
        error = caught.exception
        self.assertEqual((error.code, error.position, error.typing), ("empty-part", (8, 8), "A*01:01+"))
        self.assertIn("[empty-part]", str(error))
        with self.assertRaises(hla.HlaError) as caught:
            self.hla.redux("a*01:01")
        self.assertEqual((caught.exception.offending, caught.exception.hint), ("a", '"accept": ["case"] reads it as A*01:01'))
        self.assertEqual(self.hla.redux("a*01:01", accept=["case"]), "A*01:01")

    def test_an_error_goes_to_another_process_as_it_is(self):
        with self.assertRaises(hla.HlaError) as caught:
            self.hla.redux("A*01:01+")
        copy = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(copy), str(copy), copy.__dict__), (hla.HlaError, str(caught.exception), caught.exception.__dict__))

    def test_a_wrong_question_is_an_error(self):
        for ask, code in [
            (lambda: self.hla.redux("A*01:01", "foo"), "unknown-method"),
            (lambda: self.hla.redux("A*01:01", options={"stict": False}), "bad-request"),
            (lambda: self.hla.ask("none"), "bad-request"),
            (lambda: list(self.hla.redux_many(["A*01:01"], "foo")), "unknown-method"),
        ]:
            with self.assertRaises(hla.HlaError) as caught:
                ask()
            self.assertEqual(caught.exception.code, code)
        for typing in (7, None, b"A*01:01"):
            with self.assertRaises(TypeError):
                self.hla.redux(typing)
        with self.assertRaises(TypeError):
            list(self.hla.redux_many([7]))
        with self.assertRaisesRegex(TypeError, "typings is a list of strings"):
            list(self.hla.redux_many("A*01:01"))
        with self.assertRaises(ValueError):
            list(self.hla.redux_many([], errors="ignore"))

    def test_codes_are_expanded_and_found(self):
        self.assertEqual(self.hla.mac("A*01:AB"), "A*01:01/A*01:02")
        self.assertEqual(self.hla.mac("A*01:01/A*01:02"), "A*01:AB")
        self.assertEqual(self.hla.expand("HLA-A*01:AB"), ["HLA-A*01:01", "HLA-A*01:02"])
        self.assertEqual(self.hla.lookup("A*01:02/A*01:01"), "A*01:AB")
        with self.assertRaises(hla.HlaError):
            self.hla.expand("A*01:01")

    def test_a_verdict_is_true_or_says_why_not(self):
        self.assertTrue(self.hla.validate("A*01:01"))
        verdict = self.hla.validate("A*01:01+")
        self.assertFalse(verdict)
        self.assertEqual((verdict.malformed, verdict.code, verdict.position), (True, "empty-part", (7, 8)))
        self.assertEqual([bool(one) for one in self.hla.validate_many(["A*01:01", "A*01:01+"])], [True, False])
        self.assertEqual(list(self.hla.validate_many([None])), [None])

    def test_the_other_questions(self):
        self.assertEqual(self.hla.cwd("A*02:01/A*02:05"), "A*02:01/A*02:05")
        self.assertEqual(self.hla.blend("DRB1*03:01+DRB1*04:01", "DRB3*01:01", "DRB4*01:03"), "DRB3*01:01+DRB4*01:03")
        self.assertEqual(self.hla.explain("A*01:01", "G")["ard"], "A*01:01:01G")
        self.assertEqual((self.hla.release, self.hla.data_id), ("3.58.0", None))

    def test_two_persons_are_matched(self):
        answer = self.hla.match("A*01:01+A*02:01", "A*01:01+A*03:01", count="6/6")
        self.assertEqual([(one["locus"], one["verdict"], one["gvh"], one["hvg"]) for one in answer["loci"]], [("A", "mismatch", [1, 1], [1, 1])])
        self.assertEqual((answer["total"]["matched"], answer["total"]["of"], answer["total"]["untyped"]), ([1, 1], 2, ["B", "DRB1"]))
        with self.assertRaises(TypeError):
            self.hla.match("A*01:01", "A*01:01", nope=True)

    def test_text_of_any_kind_is_one_question(self):
        for text in ("A*01:01\nA*02:01", "\u2028", "\ud800", "é", '"', "\0", "x" * 100_000):
            with self.assertRaises(hla.HlaError):
                self.hla.redux(text)
        self.assertEqual(self.hla.redux("A*01:01:01"), "A*01:01")


class Many(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.hla = engine()

    @classmethod
    def tearDownClass(cls):
        cls.hla.close()

    def test_answers_are_in_order_and_none_stays(self):
        typings = [("A*01:01:01", None, "A*02:01:01", "B*07:02:01")[at % 4] for at in range(20_001)]
        expected = [("A*01:01", None, "A*02:01", "B*07:02")[at % 4] for at in range(20_001)]
        self.assertEqual(list(self.hla.redux_many(typings)), expected)
        self.assertEqual(list(self.hla.redux_many([])), [])
        self.assertEqual(list(self.hla.redux_many([None])), [None])

    def test_errors_are_raised_returned_or_none(self):
        typings = ["A*01:01", "A*01:01+", "A*02:01"]
        answers = self.hla.redux_many(typings)
        self.assertEqual(next(answers), "A*01:01")
        with self.assertRaises(hla.HlaError) as caught:
            next(answers)
        self.assertEqual(caught.exception.typing, "A*01:01+")
        first, error, last = self.hla.redux_many(typings, errors="return")
        self.assertEqual((first, error.code, last), ("A*01:01", "empty-part", "A*02:01"))
        self.assertEqual(list(self.hla.redux_many(typings, errors="none")), ["A*01:01", None, "A*02:01"])

    def test_other_questions_can_be_asked_in_between(self):
        for at, answer in enumerate(self.hla.redux_many(["A*01:01:01"] * 5000)):
            self.assertEqual(answer, "A*01:01")
            if at % 700 == 0:
                self.assertEqual(self.hla.redux("B*07:02:01"), "B*07:02")
                self.assertEqual(list(self.hla.redux_many(["A*02:01:01"])), ["A*02:01"])

    def test_typings_without_end_are_answered_as_they_are_needed(self):
        asked = itertools.count()
        typings = ("A*01:01:01" for _ in asked)
        self.assertEqual(list(itertools.islice(self.hla.redux_many(typings), 10)), ["A*01:01"] * 10)
        self.assertLess(next(asked), 10_000)
        # what nobody waits for any more is not taken for another answer
        self.assertEqual(self.hla.redux("B*07:02:01"), "B*07:02")

    def test_answers_longer_than_the_pipe_holds(self):
        answers = list(self.hla.redux_many(["+".join(["A*01:01:01"] * 200)] * 3000))
        self.assertEqual(set(answers), {"+".join(["A*01:01"] * 200)})
        self.assertEqual(len(answers), 3000)

    def test_threads_get_their_own_answers(self):
        wrong = []

        def ask(typing, answer):
            for _ in range(100):
                if self.hla.redux(typing) != answer or list(self.hla.redux_many([typing] * 20)) != [answer] * 20:
                    wrong.append(typing)

        threads = [threading.Thread(target=ask, args=(f"{name}:01", name)) for name in ("A*01:01", "A*02:01", "B*07:02")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_it_goes_to_another_process_with_a_program_of_its_own(self):
        copy = pickle.loads(pickle.dumps(self.hla))
        self.assertEqual((copy.redux("A*02:01:01"), copy.release), ("A*02:01", self.hla.release))
        copy.close()

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_copy_of_the_process_has_a_program_of_its_own(self):
        Many.shared = self.hla
        self.assertEqual(self.hla.redux("A*01:01:01"), "A*01:01")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            with multiprocessing.get_context("fork").Pool(2) as pool:
                self.assertEqual(pool.map(_asked_in_copy, ["A*02:01:01"] * 40), ["A*02:01"] * 40)
        self.assertEqual(self.hla.redux("B*07:02:01"), "B*07:02")


def _asked_in_copy(typing):
    return Many.shared.redux(typing)


class Program(unittest.TestCase):
    def test_none_is_said(self):
        with environment(PATH="/nowhere", HLA_PROGRAM=None):
            with self.assertRaisesRegex(hla.ProgramNotFound, "no program hla.*\n.*HLA_PROGRAM"):
                hla.Engine("starter")
        with environment(HLA_PROGRAM="/nowhere/hla"):
            with self.assertRaisesRegex(hla.ProgramNotFound, "HLA_PROGRAM names /nowhere/hla"):
                hla.Engine("starter")
        with self.assertRaisesRegex(hla.ProgramNotFound, "program is /nowhere/hla"):
            hla.Engine("starter", program="/nowhere/hla")

    def test_it_is_found_where_it_is_named(self):
        with program('echo "$@" >&2; exit 3') as path:
            with self.assertRaisesRegex(hla.ProgramEnded, "pipe --quiet --release 3.58.0 --data-dir /data"):
                hla.Engine("3.58.0", data_dir="/data", program=path)
            with self.assertRaisesRegex(hla.ProgramEnded, "first pipe"):
                hla.Engine("3.58.0", program=[path, "first"])
            with environment(HLA_PROGRAM=path):
                with self.assertRaisesRegex(hla.ProgramEnded, "status 3: pipe"):
                    hla.Engine("starter")
            with environment(HLA_PROGRAM=None, PATH=f"{os.path.dirname(path)}:{os.environ['PATH']}"):
                with self.assertRaisesRegex(hla.ProgramEnded, "status 3: pipe"):
                    hla.Engine("starter")

    def test_what_the_program_refuses_is_said(self):
        with self.assertRaisesRegex(hla.ProgramEnded, "3.1.0 is not installed") as caught:
            hla.Engine("3.1.0")
        self.assertEqual(caught.exception.status, 3)
        self.assertIn("hla data install", str(caught.exception))

    def test_the_starter_set_is_said_where_nobody_asked_for_it(self):
        with environment(HLA_DATA_DIR="/nowhere", HLA_SYSTEM_DATA_DIR="/nowhere", HLA_RELEASE=None):
            with self.assertWarnsRegex(hla.HlaWarning, "starter set of 3.58.0"):
                hla.Engine().close()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            hla.Engine("starter").close()

    def test_one_that_is_killed_fails_its_questions_and_is_started_again(self):
        with engine() as opened:
            answers = opened.redux_many(itertools.repeat("A*01:01:01"))
            next(answers)
            os.kill(opened._process._process.pid, signal.SIGKILL)
            with self.assertRaisesRegex(hla.ProgramEnded, "signal 9") as caught:
                for _ in range(100_000):
                    next(answers)
            self.assertEqual(caught.exception.status, -9)
            self.assertEqual(opened.redux("B*07:02:01"), "B*07:02")

    def test_half_an_answer_is_none(self):
        with program("""read line; echo '{"release":"3.58.0"}'; read line; printf '{"ard":"A*01:0'; exit 0""") as path:
            with hla.Engine("3.58.0", program=path) as opened:
                with self.assertRaisesRegex(hla.ProgramEnded, "status 0"):
                    opened.redux("A*01:01:01")

    def test_an_answer_that_is_interrupted_is_not_taken_for_the_next(self):
        script = """read line; echo '{"release":"3.58.0"}'; read line; sleep 1; echo '{"ard":"late"}'; read line; echo '{"ard":"later"}'"""
        with program(script) as path, hla.Engine("3.58.0", program=path) as opened:

            def interrupt(*_):
                raise KeyboardInterrupt

            kept = signal.signal(signal.SIGALRM, interrupt)
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.3)
                with self.assertRaises(KeyboardInterrupt):
                    opened.redux("A*01:01:01")
            finally:
                signal.signal(signal.SIGALRM, kept)
            # another process, which answers its first question as it answered the version
            with self.assertRaises(KeyError):
                opened.redux("A*02:01:01")

    def test_a_question_that_is_interrupted_takes_no_answer_of_the_next(self):
        class Interrupted:
            def put(self, line):
                if line is not None:
                    raise KeyboardInterrupt

        with engine() as opened:
            kept = opened._process._requests
            opened._process._requests = Interrupted()
            with self.assertRaises(KeyboardInterrupt):
                opened.redux("A*01:01:01")
            kept.put(None)
            self.assertEqual(opened.redux("B*07:02:01"), "B*07:02")

    def test_closing_does_not_wait_for_what_nobody_reads(self):
        opened = engine()
        answers = opened.redux_many(itertools.repeat("+".join(["A*01:01:01"] * 200)))
        next(answers)
        begun = time.monotonic()
        opened.close()
        self.assertLess(time.monotonic() - begun, 0.9)
        with self.assertRaisesRegex(hla.ProgramEnded, "closed"):
            list(answers)

    def test_another_number_of_answers_is_noticed(self):
        script = """read line; echo '{"release":"3.58.0"}'; read line; echo '{"answers":["A*01:01"]}'; read line"""
        with program(script) as path, hla.Engine("3.58.0", program=path) as opened:
            with self.assertRaisesRegex(hla.ProgramEnded, "another number"):
                list(opened.redux_many(["A*01:01:01", "A*02:01:01"]))

    def test_a_closed_engine_says_so(self):
        opened = engine()
        process = opened._process._process
        opened.close()
        self.assertEqual(process.returncode, 0)
        with self.assertRaisesRegex(hla.ProgramEnded, "closed"):
            opened.redux("A*01:01")
        opened.close()

    def test_nothing_is_left_of_a_python_that_ends(self):
        script = "import hla; e = hla.Engine('starter'); print(e._process._process.pid, flush=True); e.redux('A*01:01')"
        ran = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(ran.stderr, "")
        for _ in range(100):
            try:
                os.kill(int(ran.stdout), 0)
            except ProcessLookupError:
                return
            time.sleep(0.05)
        self.fail("hla goes on")


@needs_release
class Release(unittest.TestCase):
    def test_names_suggestions_and_those_of_other_releases(self):
        with engine("3580") as opened:
            lifted = opened.lift("A*24:329")
            self.assertEqual((lifted.result, lifted.status, lifted.target), ("A*24:329Q", "suffix", "3.58.0"))
            self.assertEqual(opened.lift("A*01:04N", source="3.29.0").result, "A*01:04:01:01N")
            self.assertEqual(opened.redux("A*01:04N", "W", from_release="3.29.0"), "A*01:04:01:01N")
            with self.assertRaises(hla.HlaError) as caught:
                opened.redux("A*1:01")
            self.assertEqual(caught.exception.suggestions, ("A*01:01",))
            self.assertIn("did you mean A*01:01?", str(caught.exception))
            self.assertEqual(opened.splits("A25"), ("A10", ["A25", "A26", "A34", "A66"]))
            self.assertEqual(opened.similar("DPB1*1010"), ["DPB1*1010:01"])
            self.assertRegex(opened.data_id or "", "^3.58.0")

    def test_every_answer_of_a_list_is_that_of_the_question_alone(self):
        with engine("3.58.0") as opened:
            typings = [*opened.similar("DPB1*10"), *opened.similar("A*24:0"), *opened.similar("C*04:AB"), "A*02:XX"]
            for method in ("lgx", "G", "S", "W"):
                several = list(opened.redux_many(typings, method, errors="return"))
                for typing, answer in zip(typings, several):
                    try:
                        alone = opened.redux(typing, method)
                    except hla.HlaError as error:
                        self.assertEqual((error.code, str(error)), (answer.code, str(answer)))
                    else:
                        self.assertEqual((alone, alone.notes), (answer, answer.notes))


if __name__ == "__main__":
    unittest.main()

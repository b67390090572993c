"""One ``hla pipe``: requests go in by a thread of their own, answers are read by whoever waits for one."""
from __future__ import annotations

import json
import os
import queue
import subprocess
import tempfile
import threading
from collections import deque
from typing import IO, Any, Deque, List, Mapping, Optional, Sequence

from ._errors import ProgramEnded, ended


class Pending:
    """A request on its way."""

    __slots__ = ("answer", "error")

    def __init__(self) -> None:
        self.answer: Any = None
        self.error: Optional[ProgramEnded] = None

    @property
    def is_open(self) -> bool:
        return self.answer is None and self.error is None


class PipeProcess:
    """Answers come in the order of the requests, so whoever waits for a later one reads the earlier ones for the others."""

    def __init__(self, words: Sequence[str], env: Mapping[str, str]) -> None:
        self._words: List[str] = list(words)
        self._said: IO[bytes] = tempfile.TemporaryFile()
        self._pending: Deque[Pending] = deque()
        self._requests: "queue.SimpleQueue[Optional[bytes]]" = queue.SimpleQueue()
        self._sending = threading.Lock()
        self._reading = threading.RLock()
        self._failure: Optional[ProgramEnded] = None
        self.pid = os.getpid()
        try:
            # a session of its own: what interrupts Python at the keyboard must not end it in the middle of an answer
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                env=dict(env),
                start_new_session=True,
            )
        except OSError as error:
            self._said.close()
            raise ProgramEnded(f"{self._words[0]} cannot be started: {error.strerror}", code="no-program") from error
        threading.Thread(target=self._write, name="hla pipe", daemon=True).start()

    @property
    def is_usable(self) -> bool:
        """Not ended, and not that of a process of which this one is a copy."""
        return self._failure is None and self.pid == os.getpid()

    def send(self, request: Mapping[str, Any]) -> Pending:
        line = json.dumps(request).encode() + b"\n"
        pending = Pending()
        with self._sending:
            if self._failure is not None:
                pending.error = self._failure
                return pending
            try:
                self._pending.append(pending)
                self._requests.put(line)
            except BaseException as error:
                # waited for and perhaps not asked: whatever came next would be taken for its answer
                self._failure = _interrupted(error)
                self._process.kill()
                raise
        return pending

    def wait(self, pending: Pending) -> Any:
        """
        :raises ProgramEnded: the program ended before it had answered this
        """
        if pending.is_open:
            with self._reading:
                while pending.is_open:
                    if self._failure is not None:
                        raise self._failure
                    self._read_answer()
        if pending.error is not None:
            raise pending.error
        return pending.answer

    def _read_answer(self) -> None:
        output = self._process.stdout
        assert output is not None
        try:
            line = output.readline()
            # half a line: it ended while it wrote
            if not line.endswith(b"\n"):
                self._fail(None)
                return
            answer = json.loads(line)
            with self._sending:
                # none: it was closed meanwhile
                if self._pending:
                    self._pending.popleft().answer = answer
        except BaseException as error:
            # an interrupted line cannot be read again: whatever came next would be taken for another question's answer
            self._fail(_interrupted(error))
            raise

    def _fail(self, failure: Optional[ProgramEnded]) -> None:
        """Nobody waits for what will not come."""
        if failure is not None or self._process.poll() is None:
            try:
                # it may be about to say why it ends
                self._process.wait(timeout=0 if failure is not None else 5)
            except subprocess.TimeoutExpired:
                self._process.kill()
        status = self._process.wait()
        with self._sending:
            self._failure = failure or ended(status, self._said_so_far())
            for pending in self._pending:
                pending.error = self._failure
            self._pending.clear()
        self._requests.put(None)

    def _said_so_far(self) -> str:
        self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, self._said.tell() - 20_000))
        return self._said.read().decode("utf-8", "replace")

    def _write(self) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            for line in iter(self._requests.get, None):
                rest = memoryview(line)
                # without the buffer of the file: a copy of this process would write what is in it once more
                while rest:
                    rest = rest[os.write(stdin.fileno(), rest) :]
        except OSError:
            # it has ended: whoever reads finds out, and says why
            pass
        finally:
            try:
                stdin.close()
            except OSError:
                pass

    def close(self) -> None:
        """Ends it, where it has not; what is asked afterwards fails."""
        if self.pid != os.getpid() or self._said.closed:
            return
        with self._sending:
            if self._failure is None:
                self._failure = ProgramEnded("the engine is closed", code="closed")
            if self._pending:
                # it may wait until somebody reads its answers
                self._process.kill()
            for pending in self._pending:
                pending.error = self._failure
            self._pending.clear()
        self._requests.put(None)
        try:
            self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._said.close()


def _interrupted(error: BaseException) -> ProgramEnded:
    return ProgramEnded(f"waiting for hla was interrupted ({type(error).__name__})", code="interrupted")

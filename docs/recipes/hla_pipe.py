#!/usr/bin/env python3
"""Reduces typings through one `hla pipe`, which stays:  python3 hla_pipe.py [METHOD] < typings.txt"""
import json
import subprocess
import sys


class HlaError(Exception):
    """What hla says is wrong with a typing; `code` is for programs."""

    def __init__(self, error):
        super().__init__(f"{error['message']} [{error['code']}]")
        self.code = error["code"]
        self.suggestions = error.get("suggestions", [])


class Hla:
    def __init__(self, *options):
        self._process = subprocess.Popen(
            ["hla", "pipe", "--quiet", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def ask(self, op, **request):
        """One request a line, one answer a line, in order."""
        line = ""
        try:
            self._process.stdin.write(json.dumps({"op": op, **request}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            pass
        if line == "":
            # hla itself has said why, on standard error
            status = self._process.wait()
            print(f"hla has ended with status {status}", file=sys.stderr)
            sys.exit(status)
        answer = json.loads(line)
        if isinstance(answer.get("error"), dict):
            raise HlaError(answer["error"])
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        self._process.wait()


def main():
    method = sys.argv[1] if len(sys.argv) > 1 else "lgx"
    failed = 0
    with Hla() as hla:
        for typing in map(str.strip, sys.stdin):
            try:
                result = hla.ask("redux", gl_string=typing, reduction_method=method)["ard"]
            except HlaError as error:
                failed += 1
                result = ""
                print(f"{typing}: {error}", *error.suggestions, file=sys.stderr)
            print(typing, result, sep="\t")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

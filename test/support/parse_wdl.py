"""Reads WDL of version 1 and says where it is not:  parse_wdl.py FILE"""
import contextlib
import os
import sys

from antlr4 import CommonTokenStream, FileStream
from antlr4.error.ErrorListener import ErrorListener
from wdlparse.v1.WdlV1Lexer import WdlV1Lexer
from wdlparse.v1.WdlV1Parser import WdlV1Parser


class Listener(ErrorListener):
    found = []

    def syntaxError(self, recognizer, symbol, line, column, message, error):
        self.found.append(f"{sys.argv[1]}:{line}:{column}: {message}")


# it says on standard output that it was made by another version of its parser
with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing):
    lexer = WdlV1Lexer(FileStream(sys.argv[1]))
    parser = WdlV1Parser(CommonTokenStream(lexer))
for reader in (lexer, parser):
    reader.removeErrorListeners()
    reader.addErrorListener(Listener())
parser.document()
print(*Listener.found, sep="\n", end="\n" if Listener.found else "")
sys.exit(1 if Listener.found else 0)

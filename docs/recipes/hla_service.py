#!/usr/bin/env python3
"""Reduces typings through a service, the one at HLA_URL:  python3 hla_service.py [METHOD] < typings.txt"""
import json
import os
import sys
import urllib.error
import urllib.request

URL = os.environ.get("HLA_URL", "http://127.0.0.1:8080")


class HlaError(Exception):
    """What the service says is wrong with a typing; `code` is for programs."""

    def __init__(self, error):
        super().__init__(f"{error['message']} [{error['code']}]")
        self.code = error["code"]
        self.suggestions = error.get("suggestions", [])


def ask(path, **request):
    post = urllib.request.Request(
        URL + path,
        data=json.dumps(request).encode(),
        headers={"Content-Type": "application/json", "Accept": "application/json"},
    )
    try:
        with urllib.request.urlopen(post, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        # 429 and 503 are of the service, and may be asked again; the others say what is wrong with the request
        if error.code in (429, 503):
            raise
        raise HlaError(json.load(error)) from None


def main():
    method = sys.argv[1] if len(sys.argv) > 1 else "lgx"
    failed = 0
    for typing in map(str.strip, sys.stdin):
        try:
            result = ask("/redux", gl_string=typing, reduction_method=method)["ard"]
        except HlaError as error:
            failed += 1
            result = ""
            print(f"{typing}: {error}", *error.suggestions, file=sys.stderr)
        except urllib.error.URLError as error:
            print(f"cannot ask {URL}: {error}", file=sys.stderr)
            return 5
        print(typing, result, sep="\t")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""A judge of your own, for `hefix attack`: exit code 0 means passed.

Candidate and tests run as one program, and the tests count as passed if a last line prints a secret. A candidate that
ends the process early does not reach that line; one that reads its own program does.

Usage: own_judge.py CODE TESTS ENTRY_POINT
"""

import pathlib
import secrets
import subprocess
import sys


def main(code, tests, entry_point):
    secret = secrets.token_hex()
    program = "\n".join([pathlib.Path(code).read_text(), pathlib.Path(tests).read_text()])
    if "def check(" in program:
        program += "\ncheck(%s)" % entry_point
    program += "\nprint(%r)" % secret
    words = [sys.executable, "-I", "-c", program]
    try:
        run = subprocess.run(words, timeout=5, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        return 1
    return 0 if run.stdout.endswith(secret + "\n") else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))

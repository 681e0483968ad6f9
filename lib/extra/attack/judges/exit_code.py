"""A common kind of judge: candidate and tests are one program, and its exit code decides.

Usage: exit_code.py CODE TESTS ENTRY_POINT LANGUAGE. It is here to be attacked; it isolates nothing.
"""

import subprocess
import sys

SECONDS = 5


def main(code, tests, entry_point, language):
    with open(code) as candidate, open(tests) as checks:
        program = candidate.read() + "\n" + checks.read() + "\n"
    if language == "python":
        if "def check(" in program:
            program += "check(%s)\n" % entry_point
        words = [sys.executable, "-c", program]
    else:
        words = ["node", "-e", program]
    try:
        run = subprocess.run(words, timeout=SECONDS, stdin=subprocess.DEVNULL, capture_output=True)
    except subprocess.TimeoutExpired:
        return 1
    return 0 if run.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))

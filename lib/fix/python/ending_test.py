"""Names the test that ends the process it runs in, by running the tests in a forked one."""

import mmap
import os

from frameworks import run_tests

LONGEST = 4096


def ending_test(space, settings, request):
    """A report without tests, which names the one that ended the process as `ended`, unless none did this time."""
    shared = mmap.mmap(-1, LONGEST)

    def note(text):
        data = text.encode("utf-8", "replace")[: LONGEST - 1] + b"\0"
        shared[: len(data)] = data

    pid = os.fork()
    if pid == 0:
        try:
            space.on_test = note
            run_tests(space, settings, request)
            note("")
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    name = shared[:].split(b"\0")[0].decode("utf-8", "replace")
    return dict({"tests": [], "fault": None}, **({"ended": name} if name else {}))

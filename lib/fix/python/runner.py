"""Runs the tests of a project for `hefix fix`, again and again, each time with other files replaced.

Started inside a jail by the project's own interpreter, with this folder, that of confine.py and the copy of the
project as arguments. Requests come as JSON lines on descriptor 0, answers go as JSON lines to descriptor 3; both descriptors are
put out of sight before any code of the project is read, and each answer carries a word that only the host and this
program know. Code of the project shares this process all the same: what it reports is `isolated`, never `proven`.
"""

import json
import os
import random
import sys

OPEN_FILES = 200


def main():
    own_folder, confine_folder, project = sys.argv[1:4]
    sys.argv[1:] = []
    sys.path[:0] = [own_folder, confine_folder]
    import confine

    confine.confine(keep=(0, 1, 2, 3))
    import frameworks  # noqa: F401  (before these folders leave the search path)
    import trials  # noqa: F401
    import workspace  # noqa: F401

    sys.path[:] = [path for path in sys.path if path not in (own_folder, confine_folder)]
    requests, answers = hidden(0), hidden(3)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.close(3)
    with os.fdopen(requests, "rb", closefd=True) as lines:
        settings = json.loads(lines.readline())
        serve(lines, answers, os.path.realpath(project), settings)


def hidden(descriptor):
    """The same descriptor under a number that nobody would guess."""
    number = random.SystemRandom().randrange(20, OPEN_FILES)
    os.dup2(descriptor, number, inheritable=False)
    return number


def serve(lines, answers, source, settings):
    from frameworks import run_tests
    from trials import Trials
    from workspace import Workspace

    word = settings.pop("word")
    space = Workspace(source, os.path.join(os.getcwd(), "project"), settings)
    space.create()
    trials = Trials(space, settings)

    def answer(value):
        data = (json.dumps(dict(value, word=word)) + "\n").encode("ascii")
        while data:
            data = data[os.write(answers, data) :]

    answer({"ready": True})
    for line in lines:
        request = json.loads(line)
        report = trials.run(request) if request.get("trial") else None
        if report is None:
            trials.end()
            with space.changed(request["files"]):
                report = run_tests(space, settings, request)
        answer(dict(report, id=request["id"]))


if __name__ == "__main__":
    main()

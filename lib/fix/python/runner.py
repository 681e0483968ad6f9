"""Runs the tests of a project for `hefix fix` repeatedly, each time with other files replaced.

The arguments are this folder, the folder of confine.py and the copy of the project, and "closed" if the jail was closed
before this interpreter started, as it is for one that comes with the project. Requests are JSON lines on descriptor 0, and answers are JSON lines on descriptor 3. Both
descriptors are hidden before any code of the project is read, and each answer carries a word that only the host and
this program know. The project's code still shares this process, so its results are `isolated`, never `proven`.
"""

import json
import os
import random
import sys

OPEN_FILES = 200


def main():
    own_folder, confine_folder, project, *closed = sys.argv[1:]
    sys.argv[1:] = []
    sys.path[:0] = [own_folder, confine_folder]
    if not closed:
        import confine

        confine.confine(keep=(0, 1, 2, 3))
    import ending_test  # noqa: F401  (before these folders leave the search path)
    import forked_run  # noqa: F401
    import frameworks  # noqa: F401
    import trials
    import workspace  # noqa: F401

    sys.path[:] = [path for path in sys.path if path not in (own_folder, confine_folder)]
    requests, answers = (os.dup2(old, new, inheritable=False) for old, new in zip((0, 3), hidden_numbers()))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.close(3)
    lines = trials.Lines(requests)
    serve(lines, answers, os.path.realpath(project), lines.next())


def hidden_numbers():
    """Two numbers for descriptors that are hard to guess."""
    return random.SystemRandom().sample(range(20, OPEN_FILES), 2)


def serve(lines, answers, source, settings):
    from ending_test import ending_test
    from forked_run import ForkedRuns
    from frameworks import load_ahead, run_tests
    from trials import run_trials
    from workspace import Workspace

    word, is_ahead = settings.pop("word"), settings.pop("ahead")
    space = Workspace(source, os.path.join(os.getcwd(), "project"), settings)
    space.create()

    def answer(value):
        data = (json.dumps(dict(value, word=word)) + "\n").encode("ascii")
        while data:
            data = data[os.write(answers, data) :]

    def answer_request(request):
        find = ending_test if request.get("ending") else run_tests
        report = find(space, settings, request)
        answer(dict(report, id=request["id"], **space.take_notes()))

    def run(request):
        with space.changed(request["files"]):
            runs.run(lambda: answer_request(request))

    answer({"ready": True})
    request = None if is_ahead else lines.next()
    load_ahead(space, settings)
    runs = ForkedRuns(space, settings)
    request = request or lines.next()
    while request is not None:
        if request.get("trial"):
            try:
                request = run_trials(space, settings, request, lines, answer, run)
                continue
            except OSError:  # processes cannot be forked
                request = dict(request, trial=None)
        run(request)
        request = lines.next()


if __name__ == "__main__":
    main()

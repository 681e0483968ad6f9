"""Runs tests in a forked process, so that nothing they set outlives the run: not in the standard library, not in
installed packages. What they import of these is imported here before the next run, which then takes less time.
"""

import importlib
import json
import mmap
import os
import sys

from workspace import places_of

# Settings that a run finds out for later ones.
KEPT = ("pytest starts",)


class ForkedRuns:
    def __init__(self, space, settings):
        self.space = space
        self.settings = settings
        # Where a run leaves what is of use for the next one.
        self.left = space.root + ".left"
        self.imports = []
        # Shared with the processes that run tests: whether the last one has answered.
        self.answered = mmap.mmap(-1, 1)

    def run(self, answer_request):
        """Calls a function that runs tests and answers; ends this process if that ends its process."""
        self.import_ahead()
        self.answered[0] = 0
        try:
            pid = os.fork()
        except OSError:  # processes cannot be forked
            pid = None
        if pid is None:
            # Not in the handler: what a test raises would name the refusal as its context.
            answer_request()
            return
        if pid == 0:
            try:
                before = set(sys.modules)
                answer_request()
                self.answered[0] = 1
                self.leave(before)
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        if not self.answered[0]:
            os._exit(1)
        self.take()

    def leave(self, before):
        try:
            names = [name for name, module in list(sys.modules.items()) if name not in before and self.is_useful(name, module)]
            found = {name: self.settings[name] for name in KEPT if name in self.settings}
            with open(self.left, "w", encoding="ascii") as file:
                json.dump({"imports": names, "settings": found}, file)
        except Exception:
            pass  # it only saves time

    def is_useful(self, name, module):
        places = places_of(module)
        return bool(places) and not self.space.is_own(name, module) and all(map(is_of_interpreter, places))

    def take(self):
        try:
            with open(self.left, encoding="ascii") as file:
                left = json.load(file)
            os.remove(self.left)
            self.imports = [name for name in left["imports"] if name not in sys.modules]
            self.settings.update(left["settings"])
        except Exception:
            pass  # tests may have changed or removed it

    def import_ahead(self):
        names, self.imports = self.imports, []
        with self.space.without_project():
            for name in names:
                try:
                    importlib.import_module(name)
                except BaseException:
                    pass  # it may need what a test sets up


def is_of_interpreter(place):
    return any(place.startswith(folder + os.sep) for folder in FOLDERS)


FOLDERS = {os.path.dirname(os.__file__), *(path for path in sys.path if path.endswith(("site-packages", "dist-packages")))}

"""The writable copy of the project in which tests run; restored after each run."""

import base64
import importlib
import linecache
import os
import shutil
import sys
from contextlib import contextmanager

from surroundings import Watch


def copy_file(source, target):
    """Content and mode, since a jail may not set timestamps."""
    if os.path.lexists(target):
        os.remove(target)
    shutil.copyfile(source, target)
    try:
        os.chmod(target, os.stat(source).st_mode & 0o777 | 0o600)
    except OSError:
        pass  # the weakest levels forbid it


def stamp_of(info):
    return info.st_mtime_ns, info.st_size


# What runs the tests.
NEEDED = {"__main__", "pytest", "_pytest"}


def packages_in(folder):
    """Names of packages and modules that are imported from a folder."""
    for entry in os.scandir(folder) if os.path.isdir(folder) else ():
        if entry.is_file() and entry.name.endswith(".py"):
            yield entry.name[:-3]
        elif entry.is_dir() and os.path.exists(os.path.join(entry.path, "__init__.py")):
            yield entry.name


def places_of(module):
    """The file and the folders of a module, which may be any object."""
    try:
        places = [getattr(module, "__file__", None), *(getattr(module, "__path__", None) or ())]
    except Exception:
        return []
    return [place for place in places if type(place) is str]


def is_installed(path):
    """Not part of the standard library."""
    library = os.path.dirname(os.__file__) + os.sep
    return not path.startswith(library) or path[len(library) :].startswith(("site-packages", "dist-packages"))


class Workspace:
    def __init__(self, source, root, settings):
        self.source = source
        self.root = root
        self.roots = [os.path.join(root, path) if path else root for path in settings["paths"]]
        # Programs that the tests start import the project as well.
        self.environment = dict(os.environ, PYTHONPATH=os.pathsep.join(self.roots), HEFIX_NOTES=root + ".notes")
        self.path = self.roots + [path for path in sys.path if path]
        self.files = {}
        self.packages = set()
        # Content that replaces the project's own, by path.
        self.base = {}
        self.watch = None
        # Called with the name of each test before it runs.
        self.on_test = None

    def create(self):
        self.copy_folder(self.source, self.root)
        # In a jail, /dev/null cannot be opened for truncation.
        os.devnull = self.root + ".null"
        self.files = self.state()
        self.packages = {name for root in self.roots for name in packages_in(root)} - NEEDED
        self.reset()

    def watching(self):
        """What notes which of its surroundings a test misses."""
        self.watch = self.watch or Watch(self)
        return self.watch

    def take_notes(self):
        """What hefix's own code, added to a file, wrote during a run."""
        path = self.environment["HEFIX_NOTES"]
        if not os.path.exists(path):
            return {}
        with open(path, encoding="ascii", errors="replace") as file:
            notes = file.read()
        os.remove(path)
        return {"notes": notes}

    def copy_folder(self, source, target):
        os.mkdir(target)
        for entry in os.scandir(source):
            place = os.path.join(target, entry.name)
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), place)
            elif entry.is_dir():
                self.copy_folder(entry.path, place)
            else:
                copy_file(entry.path, place)

    def reset(self):
        """Sets up what a test run expects: the folder, the search path, and no loaded modules of the project."""
        os.chdir(self.root)
        sys.path[:] = self.path
        sys.argv[:] = ["pytest"]
        os.environ.clear()
        os.environ.update(self.environment)
        for name, module in list(sys.modules.items()):
            if self.is_own(name, module):
                del sys.modules[name]
        importlib.invalidate_caches()
        linecache.clearcache()

    @contextmanager
    def without_project(self):
        """In an empty folder, from which the project's modules cannot be imported."""
        folder = self.root + ".empty"
        os.makedirs(folder, exist_ok=True)
        os.chdir(folder)
        sys.path[:] = [path for path in sys.path if path not in self.roots]
        try:
            yield folder
        finally:
            self.reset()

    def is_own(self, name, module):
        """Whether a module is the project's, or has its name: pytest may need an installed version of it."""
        places = places_of(module)
        if any(place.startswith(self.root + os.sep) for place in places):
            return True
        package = name.partition(".")[0]
        return package in self.packages and any(is_installed(place) for place in places)

    @contextmanager
    def changed(self, files):
        """Replaces files, given as base64 by path, within the block, and undoes what the tests wrote."""
        for path, content in files.items():
            self.write(path, base64.b64decode(content))
        self.reset()
        try:
            yield
        finally:
            for path in files:
                self.restore(path)
            self.undo()

    def write(self, path, content):
        whole = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "wb") as file:
            file.write(content)
        self.forget_compiled(whole)

    def rebase(self, files):
        """Replaces files, given as base64 by path, permanently."""
        self.base = {path: base64.b64decode(content) for path, content in files.items()}
        for path in self.base:
            self.restore(path)

    def restore(self, path):
        if path in self.base:
            self.write(path, self.base[path])
        elif not os.path.lexists(os.path.join(self.source, path)):
            # A file that was added.
            self.forget_compiled(os.path.join(self.root, path))
            self.files.pop(path, None)
            if os.path.lexists(os.path.join(self.root, path)):
                os.remove(os.path.join(self.root, path))
            return
        else:
            copy_file(os.path.join(self.source, path), os.path.join(self.root, path))
        self.forget_compiled(os.path.join(self.root, path))
        self.files[path] = stamp_of(os.lstat(os.path.join(self.root, path)))

    def forget_compiled(self, path):
        """Python compares compiled files by seconds and size, which is too coarse here."""
        folder, name = os.path.split(path)
        cache = os.path.join(folder, "__pycache__")
        stem = os.path.splitext(name)[0] + "."
        for other in os.listdir(cache) if os.path.isdir(cache) else ():
            if other.startswith(stem):
                os.remove(os.path.join(cache, other))

    def undo(self):
        os.chdir(self.root)
        now = self.state()
        for path in now.keys() - self.files.keys():
            os.remove(os.path.join(self.root, path))
        for path, stamp in self.files.items():
            if now.get(path) != stamp:
                os.makedirs(os.path.dirname(os.path.join(self.root, path)), exist_ok=True)
                self.restore(path)

    def state(self):
        found = {}
        folders = [("", self.root)]
        for prefix, folder in folders:
            try:
                entries = list(os.scandir(folder))
            except OSError:
                continue
            for entry in entries:
                if not entry.is_dir():
                    found[prefix + entry.name] = stamp_of(entry.stat(follow_symlinks=False))
                elif not entry.is_symlink() and entry.name not in ("__pycache__", "node_modules"):
                    folders.append((prefix + entry.name + os.sep, entry.path))
        return found

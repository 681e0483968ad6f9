"""Notes what tests ask of their surroundings and do not get: variables, files, programs, modules, permissions.

A note is a kind, a name, and whether a failing test ended with it ("raised") or only asked for it. The host decides
which of them it could have given.
"""

import errno
import os
import shutil
import sys

# Most notes of what a test asks for, and again of what its exceptions say.
MOST = 20
NOT_HERE = {"PYTHONPATH", "HEFIX_NOTES"}
# Libraries that read settings for the project's code.
READERS = ("decouple", "environs", "environ", "dynaconf", "pydantic_settings", "starlette")
LIBRARY = os.path.dirname(os.__file__) + os.sep

NETWORK = {
    errno.EADDRNOTAVAIL, errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ECONNREFUSED, errno.ENETDOWN,
    errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT,
}  # fmt: skip
LIMITS = {
    errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EFBIG, errno.EROFS, errno.ENODEV, errno.ENXIO,
    errno.ENOSYS, errno.EOPNOTSUPP, errno.EDQUOT,
}  # fmt: skip
PATHS = {"open", "os.listdir", "os.scandir", "sqlite3.connect", "os.chdir", "os.readlink"}


class Watch:
    """The only one of a process; it notes while `notes` is a list."""

    def __init__(self, space):
        self.root = space.root
        self.work = os.path.dirname(space.root) + os.sep
        self.notes = None
        self.last = ""
        sys.addaudithook(self.audit)
        os.environ.__class__ = self.environment()
        for module, name, kind in (
            (shutil, "which", "program"),
            (os.path, "exists", "file"),
            (os.path, "isfile", "file"),
            (os.path, "isdir", "file"),
        ):
            setattr(module, name, self.asked(getattr(module, name), kind))

    def environment(self):
        watch = self

        class Environment(os._Environ):
            def __getitem__(self, key):
                try:
                    return super().__getitem__(key)
                except KeyError:
                    if watch.notes is not None and key not in NOT_HERE:
                        watch.note("variable", key)
                    raise

        return Environment

    def asked(self, function, kind):
        def asking(path, *rest, **named):
            # What it asks in turn is not noted.
            notes, self.notes = self.notes, None
            try:
                found = function(path, *rest, **named)
            finally:
                self.notes = notes
            if notes is not None and not found:
                self.note(kind, path)
            return found

        asking.__name__, asking.__doc__ = function.__name__, function.__doc__
        return asking

    def audit(self, event, args):
        if self.notes is None:
            return
        if event in PATHS:
            path = args[0] if args else None
            if isinstance(path, (str, bytes, os.PathLike)) and not os.access(path, os.F_OK):
                self.note("file", path)
        elif event not in ("os.putenv", "os.unsetenv") and event.partition(".")[0] in ("os", "socket", "subprocess", "fcntl", "signal", "resource", "ctypes"):
            self.last = event

    def note(self, kind, name):
        found = self.noted(kind, name, False)
        if found and len(self.notes) < MOST and found not in self.notes and self.is_asked_by_project():
            self.notes.append(found)

    def noted(self, kind, name, raised):
        """None for what lies in the work folder, whose files tests make themselves."""
        try:
            text = os.fsdecode(name)
        except TypeError:
            return None
        if kind == "file":
            text = os.path.abspath(text)
            if text.startswith(self.root + os.sep):
                text = text[len(self.root) + 1 :]
            elif text.startswith(self.work):
                return None
        return [kind, text[:400], raised]

    def is_asked_by_project(self):
        frame = sys._getframe(2)
        while frame is not None:
            name = frame.f_code.co_filename
            if name.startswith(self.root):
                return True
            if name.startswith("<frozen importlib"):
                # An import looks through every folder; one that fails says so itself.
                return False
            is_library = name.startswith((LIBRARY, "<frozen")) and "-packages" not in name
            if not is_library and name != __file__ and not any(reader in name for reader in READERS):
                return False
            frame = frame.f_back
        return False

    def failed(self, error):
        """What an exception, or one that led to it, says of the surroundings."""
        seen, found = set(), []
        while error is not None and id(error) not in seen and len(found) < MOST:
            seen.add(id(error))
            found += [each for each in (self.noted(*cause, True) for cause in self.causes_of(error)) if each]
            error = error.__cause__ or error.__context__
        return found

    def causes_of(self, error):
        kind, text = type(error).__name__, str(error)
        place = innermost(error)
        if isinstance(error, KeyError):
            if place is not None and is_variable(place):
                yield "variable", error.args[0]
            elif text.strip("'\"").startswith(("getpw", "getgr", "getsp")):
                yield "user", text.strip("'\"")
            elif kind == "ZoneInfoNotFoundError":
                yield "file", "/usr/share/zoneinfo/" + text.rpartition(" ")[2].strip("'\"")
        elif isinstance(error, ModuleNotFoundError):
            if error.name:
                yield "module", error.name
        elif isinstance(error, ImportError) or (isinstance(error, OSError) and error.errno is None):
            if "cannot open shared object file" in text:
                yield "library", text.partition(":")[0]
        elif isinstance(error, ValueError) and "maximum limit" in text:
            yield "limit", text
        elif kind == "CalledProcessError":
            command = error.cmd if isinstance(error.cmd, str) else " ".join(map(str, error.cmd))
            if error.returncode in (126, 127):
                yield "program", command.split()[0] if command.split() else command
        elif kind == "Error" and type(error).__module__ == "locale":
            yield "locale", text
        elif kind == "TclError" and "display" in text:
            yield "display", text
        elif isinstance(error, OSError):
            yield from self.system_causes_of(error, place)

    def system_causes_of(self, error, place):
        number, name = error.errno, error.filename
        if number in NETWORK or type(error).__name__ in ("gaierror", "herror"):
            yield "network", str(error)
        elif number == errno.ENOENT and name is None and self.last.startswith("socket."):
            yield "network", str(error)
        elif number in (errno.ENOENT, errno.ENOTDIR) and name is not None:
            text = os.fsdecode(name) if not isinstance(name, int) else ""
            is_program = place is not None and os.path.basename(place.f_code.co_filename) in ("subprocess.py", "os.py", "<frozen os>")
            yield ("program" if is_program and os.sep not in text else "file"), text
        elif number in (errno.EPERM, errno.EACCES):
            if name is not None and not isinstance(name, int):
                text = os.path.abspath(os.fsdecode(name))
                if number == errno.EPERM or not text.startswith(self.work):
                    yield "permission", text
            elif self.last.startswith("socket."):
                yield "network", str(error)
            else:
                yield "permission", self.last or str(error)
        elif number in LIMITS:
            yield "limit", str(error)
        elif number == errno.ENOTTY:
            yield "terminal", str(error)


def innermost(error):
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame if trace is not None else None


def is_variable(frame):
    """Whether a frame is that of `os.environ[…]`."""
    return frame.f_code.co_name == "__getitem__" and frame.f_code.co_filename in (os.__file__, "<frozen os>", __file__)

"""Finds the files that this interpreter reads, and prints them as JSON. Runs once, outside any jail."""

import json
import os
import re
import sys
import sysconfig

# These load the shared libraries that the standard library may need: TLS, compression, numbers, text.
for name in "_ssl _hashlib _ctypes _bz2 _lzma zlib _sqlite3 _decimal _uuid pyexpat readline math _datetime".split():
    try:
        __import__(name)
    except ImportError:
        pass


def loader(path):
    """The dynamic loader that the executable names in its ELF header (PT_INTERP)."""
    with open(path, "rb") as file:
        found = re.search(rb"/[!-~]*/ld[!-~]*\.so[!-~]*", file.read(4096))
    return [found.group().decode()] if found else []


def libraries():
    try:
        with open("/proc/self/maps") as file:
            mapped = {line.split(None, 5)[5].strip() for line in file if line.count("/")}
    except OSError:
        return []
    return sorted({os.path.dirname(path) for path in mapped if ".so" in os.path.basename(path)})


def files():
    paths = [sys.executable, os.path.realpath(sys.executable), os.path.join(sys.prefix, "pyvenv.cfg")]
    paths += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    paths += sys.path + libraries() + loader(sys.executable)
    if sys.platform == "darwin":
        paths.append(sys.base_prefix)  # the library and the program of a framework
    paths += ["/etc/ld.so.cache", "/usr/share/zoneinfo"]
    return [path for path in paths if os.path.isabs(path) and os.path.exists(path)]


if __name__ == "__main__":
    print(json.dumps(files()))

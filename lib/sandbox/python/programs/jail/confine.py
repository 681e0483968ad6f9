"""Closes a jail from inside, before any foreign code is read.

`confine()` reads the environment variable HEFIX_JAIL, which lib/sandbox/isolation/jail-text.ts
writes as lines of "name value". Afterwards this process and its threads can compute, read
Python's own files and write in the work folder; they cannot mount, trace or gain privileges nor,
unless HEFIX_JAIL allows it, fork, execute, open sockets or signal other processes.

It uses _ctypes, the C half of ctypes, because importing ctypes takes half as long as starting
the interpreter. Sources: landlock(7), seccomp(2), mount_setattr(2), pivot_root(2).
"""

import os
import select
import sys

# System call numbers from 424 on are the same on every architecture; _NUMBERS lists the others.
_MOUNT_SETATTR = 442
_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446
_NUMBERS = {
    "x86_64": {
        "capset": 126, "clone": 56, "execve": 59, "mmap": 9, "mount": 165, "pivot_root": 155, "prctl": 157,
        "sethostname": 170, "umount2": 166, "unshare": 272,
    },
    "aarch64": {
        "capset": 91, "clone": 220, "execve": 221, "mmap": 222, "mount": 40, "pivot_root": 41, "prctl": 167,
        "sethostname": 161, "umount2": 39, "unshare": 97,
    },
}  # fmt: skip

_NOSUID, _NODEV, _BIND, _RECURSIVE = 2, 4, 4096, 16384
# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWPID, NEWNET
ALL_NAMESPACES = 0x6E020000


def confine(keep=(0, 1, 2)):
    """Closes the jail, keeping the descriptors in `keep` open. Returns the names of the protections in force."""
    kernel, jail = open_jail(keep)
    if jail["root"]:
        mount_work_folder(kernel, jail)
    return close_jail(kernel, jail)


def open_jail(keep):
    """Enters the jail's namespaces and root folder, without dropping privileges or creating a work folder."""
    jail = _read_jail()
    kernel = _Kernel() if sys.platform == "linux" and _can_call() else None
    # The user's mask may make mount points unreadable for candidates; theirs is the same on every machine.
    os.umask(0o022)
    close_descriptors(keep)
    if kernel and jail["parent"]:
        die_with_parent(kernel, int(jail["parent"]))
    if jail["root"]:
        if not kernel:
            raise OSError("namespaces need Linux and a Python with ctypes")
        _enter_namespaces(kernel, jail["uid"] is None, jail["network"])
        _enter_new_root(kernel, jail)
        jail["held"].add("devices")
    elif kernel and jail["seal"] and _seal_devices(kernel, jail):
        jail["held"].add("devices")
    if kernel:
        _exit_if_abandoned()
    return kernel, jail


def _start_loopback():
    """Switches on the only interface of a new network namespace, as bwrap does in its own."""
    import _socket
    import fcntl

    any_socket = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    # SIOCSIFFLAGS, with IFF_UP
    fcntl.ioctl(any_socket.fileno(), 0x8914, b"lo".ljust(16, b"\0") + (1).to_bytes(2, sys.byteorder) + bytes(22))
    any_socket.close()


def become_program(kernel, jail, command):
    """Closes the jail and becomes a program, which cannot start another: it does not know the addresses."""
    if not kernel:
        close_jail(kernel, jail)
        os.execv(command[0], command)
    addresses = kernel.place_command(command)
    close_jail(kernel, jail, addresses)
    kernel.call("execve", *addresses)


def close_jail(kernel, jail, addresses=(-1, -1, -1)):
    """Drops privileges, and all access that the description does not name. Returns the names of the protections in force.

    `addresses` are the only ones that execve can be called with, unless the process may start programs.
    """
    held = set(jail["held"])
    os.chdir(jail["work"])
    if kernel and jail["search"]:
        kernel.call("prctl", 8, 1, 0, 0, 0)  # PR_SET_KEEPCAPS
    _become(jail["uid"])
    if kernel and jail["parent"] and not jail["root"]:
        die_with_parent(kernel, int(jail["parent"]))  # changing the user cleared it
    if kernel:
        _drop_privileges(kernel, jail)
        if _landlock(kernel, jail):
            held.add("landlock")
    _limit(jail)
    if kernel and jail["seccomp"] and _seccomp(kernel, jail["seccomp"], addresses):
        held.add("seccomp")
    missing = set(jail["needs"]) - held
    if missing:
        raise OSError("the jail does not hold: " + " ".join(sorted(missing)))
    return held


def _read_jail():
    lists = ("read", "execute", "link", "bind", "see", "device", "needs", "limit")
    texts = ("root", "seccomp", "uid", "parent", "inner", "seal", "search", "network", "proc")
    jail = {**{name: [] for name in lists}, **dict.fromkeys(texts, ""), "held": set()}
    for line in os.environ.pop("HEFIX_JAIL").split("\n"):
        name, _, value = line.partition(" ")
        if name in lists:
            jail[name].append(value)
        else:
            jail[name] = value
    jail["uid"] = int(jail["uid"]) if jail["uid"] else None
    return jail


def die_with_parent(kernel, parent):
    """Makes this process exit with its parent, given by number; 0 if the parent is outside the namespace."""
    kernel.call("prctl", 1, 9, 0, 0, 0)  # PR_SET_PDEATHSIG, SIGKILL
    if os.getppid() != parent:
        os._exit(1)


def _exit_if_abandoned():
    """Exits if hefix has ended, which shows in the output that nobody can read any more.

    The processes outside of new namespaces, and bwrap's, end with hefix only from the moment they ask the kernel to.
    They all have when the program starts, so that one look is enough.
    """
    outputs = select.poll()
    for descriptor in (1, 2):
        outputs.register(descriptor, 0)  # errors and closed ends only
    if any(events & (select.POLLERR | select.POLLHUP) for _, events in outputs.poll(0)):
        os._exit(1)


def _enter_namespaces(kernel, new_user, network):
    """Leaves this process waiting outside and a first process waiting inside, and continues in a second one.

    Does what unshare(1) does without starting it, which would take longer than the rest of this file. The first
    process of a namespace ignores signals that would end any other, so the program runs in the second.
    """
    user, group = os.getuid(), os.getgid()
    # CLONE_NEWUSER, unless root does it; CLONE_NEWNET
    shared = 0x40000000 if network == "machine" else 0
    kernel.call("unshare", ALL_NAMESPACES & ~shared | (0x10000000 if new_user else 0))
    if new_user:
        for name, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (user, user)), ("gid_map", "%d %d 1" % (group, group))):
            with open("/proc/self/" + name, "w") as file:
                file.write(text)
    if network == "loopback":
        _start_loopback()
    child = os.fork()
    if child:
        wait_for(child)
    kernel.call("prctl", 1, 9, 0, 0, 0)
    child = os.fork()
    if child:
        wait_for(child)
    keep_mounts_private(kernel)
    kernel.call("sethostname", b"hefix", 5)


def keep_mounts_private(kernel):
    kernel.call("mount", None, b"/\0", None, 0x44000, None)  # MS_REC | MS_PRIVATE


def wait_for(child):
    """Waits for `child` with all descriptors closed and exits as it did, with 128 + N for signal N."""
    os.closerange(0, 4096)
    _, status = os.waitpid(child, 0)
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def _enter_new_root(kernel, jail):
    """Replaces the root folder with an empty one that contains only what the jail may read."""
    base = jail["root"]
    kernel.mount("tmpfs", base, "tmpfs", _NOSUID | _NODEV, "size=1m,mode=755")
    for line in jail["link"]:
        path, _, target = line.partition("\t")
        os.makedirs(os.path.dirname(base + path), exist_ok=True)
        os.symlink(target, base + path)
    for path in jail["read"]:
        _mount_point(path, base + path)
        kernel.mount(path, base + path, None, _BIND | _RECURSIVE, None)
    for line in jail["bind"]:
        source, _, path = line.partition("\t")
        _mount_point(source, base + path)
        kernel.mount(source, base + path, None, _BIND, None)
    for path in jail["device"]:
        _mount_point(path, base + path)
    os.mkdir(base + jail["work"])
    if jail["proc"]:
        os.makedirs(base + "/proc", exist_ok=True)
        try:
            kernel.mount("proc", base + "/proc", "proc", _NOSUID | _NODEV | 8, None)  # MS_NOEXEC
        except OSError:
            pass  # systems that hide a part of their own /proc refuse another
    kernel.make_read_only(base)
    for path in jail["device"]:
        kernel.mount(path, base + path, None, _BIND, None)
        kernel.make_read_only(base + path, _NOSUID)
    os.chdir(base)
    kernel.call("pivot_root", b".", b".")
    kernel.call("umount2", b".", 2)  # MNT_DETACH: the old root, mounted on top of the new one


def _seal_devices(kernel, jail):
    """Makes the mounts of device files read-only: data still passes, but their timestamps cannot change.

    Does nothing if another program created the mounts and kept the right to change them.
    """
    try:
        for path in jail["device"]:
            kernel.make_read_only(path, _NOSUID)
    except OSError:
        return False
    return True


def mount_work_folder(kernel, jail):
    """Mounts an empty folder of limited size that exists only in this mount namespace."""
    options = "size=%sm,nr_inodes=16k,mode=777" % jail["work_mib"]
    kernel.mount("tmpfs", jail["work"], "tmpfs", _NOSUID | _NODEV, options)


def _mount_point(source, path):
    if os.path.isdir(source):
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))


def close_descriptors(keep):
    low = -1
    for descriptor in sorted(keep):
        if descriptor > low + 1:  # an empty range that starts at 0 closes everything
            os.closerange(low + 1, descriptor)
        low = descriptor
    os.closerange(low + 1, 4096)


def _become(uid):
    if uid is None:
        return
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)


def _drop_privileges(kernel, jail):
    kernel.call("prctl", 38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    kernel.call("prctl", 4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: no core, no tracing, no /proc/PID/mem
    if (jail["uid"] is not None or jail["inner"]) and not jail["search"]:
        try:
            kernel.call("unshare", 0x10000000)  # CLONE_NEWUSER: gives the process its own count of processes
        except OSError:
            pass  # some systems forbid it; the user and group are changed anyway
    # The interpreter may be readable by root only: keep CAP_DAC_READ_SEARCH and nothing else.
    kept = 1 << 2 if jail["search"] else 0
    inherited = kept if jail["execute"] else 0
    # _LINUX_CAPABILITY_VERSION_3, this process; effective, permitted, inheritable, then their upper halves
    sets = b"".join(part.to_bytes(4, "little") for part in (kept, kept, inherited)) + bytes(12)
    kernel.call("capset", 0x20080522.to_bytes(4, "little") + bytes(4), sets)
    if inherited:
        kernel.call("prctl", 47, 2, 2, 0, 0)  # PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE: passed on to the next program


def _landlock(kernel, jail):
    """Restricts files, TCP, signals and abstract sockets, as far as this kernel's Landlock version can."""
    version = kernel.try_number(_LANDLOCK_CREATE_RULESET, 0, 0, 1)
    if version < 1:
        return False
    # Version 1 has 13 file rights, 2 adds REFER, 3 TRUNCATE, 5 IOCTL_DEV.
    rights = (1 << (13 + (version >= 2) + (version >= 3) + (version >= 5))) - 1
    attributes = [rights]
    if version >= 4:
        attributes.append(0 if jail["network"] else 3)  # TCP bind and connect
    if version >= 6:
        attributes.append(3)  # abstract sockets and signals to processes outside
    ruleset = kernel.number(
        _LANDLOCK_CREATE_RULESET, b"".join(value.to_bytes(8, "little") for value in attributes), 8 * len(attributes), 0
    )
    read_file, read_folder = 1 << 2, 1 << 3
    for path in jail["read"]:
        _landlock_rule(kernel, ruleset, path, read_file | read_folder if os.path.isdir(path) else read_file)
    for path in jail["execute"]:
        _landlock_rule(kernel, ruleset, path, read_file | 1 << 0 | (read_folder if os.path.isdir(path) else 0))
    for path in jail["see"]:
        _landlock_rule(kernel, ruleset, path, read_file | read_folder if os.path.isdir(path) else read_file)
    for path in jail["device"]:
        _landlock_rule(kernel, ruleset, path, read_file | 1 << 1)
    # All rights except EXECUTE, MAKE_CHAR, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK and IOCTL_DEV.
    refused = 1 << 0 | 1 << 6 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 15
    _landlock_rule(kernel, ruleset, ".", rights & ~refused)
    kernel.number(_LANDLOCK_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return True


def _landlock_rule(kernel, ruleset, path, allowed):
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    kernel.number(
        _LANDLOCK_ADD_RULE, ruleset, 1, allowed.to_bytes(8, "little") + folder.to_bytes(4, "little"), 0
    )
    os.close(folder)


def _limit(jail):
    import resource

    for line in jail["limit"]:
        name, soft, hard = line.split()
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        most = resource.getrlimit(kind)[1]
        limits = (int(soft), int(hard)) if most == resource.RLIM_INFINITY else (min(int(soft), most), min(int(hard), most))
        try:
            resource.setrlimit(kind, limits)
        except (ValueError, OSError):
            # macOS defines limits that it refuses to set.
            if sys.platform == "linux":
                raise


def _seccomp(kernel, program, addresses):
    """Loads the filter that jail-text.ts wrote, with this process's ID and the addresses filled in."""
    own = os.getpid().to_bytes(4, "little")
    code = bytes.fromhex(program).replace(b"\xef\xbe\xad\xde", own)
    for index, address in enumerate(addresses):
        for half in range(2):
            stand_in = (0xFEED0000 + 2 * index + half).to_bytes(4, "little")
            code = code.replace(stand_in, (address >> 32 * half & 0xFFFFFFFF).to_bytes(4, "little"))
    return kernel.load_filter(code)


def _can_call():
    try:
        import _ctypes  # noqa: F401  (Pythons built without libffi lack it)
    except ImportError:
        return False
    return os.uname().machine in _NUMBERS


class _Kernel:
    """Makes system calls; raises OSError when one fails."""

    def __init__(self):
        import _ctypes

        class Long(_ctypes._SimpleCData):
            _type_ = "l"

        class Function(_ctypes.CFuncPtr):
            _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
            _restype_ = Long

        self._ctypes = _ctypes
        self._long = Long
        self._syscall = Function(_ctypes.dlsym(_ctypes.dlopen(None, 2), "syscall"))
        self._numbers = _NUMBERS[os.uname().machine]

    def try_number(self, number, *arguments):
        long = self._long
        return self._syscall(long(number), *[long(a) if isinstance(a, int) else a for a in arguments])

    def number(self, number, *arguments):
        result = self.try_number(number, *arguments)
        if result < 0:
            code = self._ctypes.get_errno()
            raise OSError(code, os.strerror(code), "system call %d" % number)
        return result

    def call(self, name, *arguments):
        return self.number(self._numbers[name], *arguments)

    def mount(self, source, target, kind, flags, options):
        texts = [None if text is None else os.fsencode(text) + b"\0" for text in (source, target, kind, options)]
        self.call("mount", texts[0], texts[1], texts[2], flags, texts[3])

    def make_read_only(self, path, more=_NOSUID | _NODEV):
        # struct mount_attr: attr_set, attr_clr, propagation, userns_fd; AT_FDCWD, AT_RECURSIVE
        attributes = (1 | more).to_bytes(8, "little") + bytes(24)
        self.number(_MOUNT_SETATTR, -100, os.fsencode(path) + b"\0", 0x8000, attributes, 32)

    def place_command(self, command):
        """Writes execve's arguments, which are the path, the words and the environment, to random addresses."""
        environment = [name + b"=" + value for name, value in os.environb.items()]
        texts, lists = bytearray(), []
        for words in (command, environment):
            lists.append([])
            for word in words:
                lists[-1].append(len(texts))
                texts += os.fsencode(word) + b"\0"
        first = self._place(bytes(texts))
        pointers = [b"".join((first + at).to_bytes(8, "little") for at in words) + bytes(8) for words in lists]
        return first, *map(self._place, pointers)

    def _place(self, data):
        """Copies bytes to one of 2^38 addresses."""
        # Between 4 and 256 GiB, where every processor has addresses, and up to half a MiB into the mapping.
        base = (1 << 32) + int.from_bytes(os.urandom(8), "little") % (63 << 32) & ~0xFFFF
        gap = 8 * int.from_bytes(os.urandom(2), "little")
        # PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS
        address = self.call("mmap", base, gap + len(data), 3, 0x22, -1, 0) + gap
        self._array(len(data)).from_address(address).raw = data
        return address

    def _array(self, length):
        class Char(self._ctypes._SimpleCData):
            _type_ = "c"

        return type("Bytes", (self._ctypes.Array,), {"_type_": Char, "_length_": length})

    def load_filter(self, code):
        _ctypes = self._ctypes
        program = self._array(len(code)).from_buffer_copy(code)
        # struct sock_fprog: number of 8-byte instructions, padding, address
        header = (len(code) // 8).to_bytes(8, "little") + _ctypes.addressof(program).to_bytes(8, "little")
        # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        return self.try_number(self._numbers["prctl"], 22, 2, header) == 0


if __name__ == "__main__":
    # As a program: confines itself, then executes the given program with as many descriptors as the first argument says.
    _kernel, _jail = open_jail(range(int(sys.argv[1])))
    if _jail["root"]:
        mount_work_folder(_kernel, _jail)
    become_program(_kernel, _jail, sys.argv[2:])

/** Programs that try something in a jail and print one line about each: `<what> refused` or `<what> OPEN`. */
export interface Program {
  readonly name: string;
  readonly code: string;
}

/** Every attempt of this program must be refused by namespaces and file rules alone, without a filter. */
export function walls(bait: Bait): Program {
  return {
    name: 'without a filter',
    code: `${preamble}
import socket
def send():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        return s.sendto(b'x', ('127.0.0.1', ${bait.udpPort}))
def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(1)
        s.connect(address)
# A separate network may have its own loopback; the host's must not notice.
try: send()
except OSError: pass
attempt('tcp', lambda: connect(socket.AF_INET, ('127.0.0.1', ${bait.tcpPort})))
attempt('unix', lambda: connect(socket.AF_UNIX, ${JSON.stringify(bait.socketPath)}))
attempt('abstract', lambda: connect(socket.AF_UNIX, '\\0${bait.abstractName}'))
attempt('network card', lambda: [name for _, name in socket.if_nameindex() if name != 'lo'][0])
attempt('victim', lambda: os.kill(${bait.victim}, 9))
attempt('secret', lambda: open(${JSON.stringify(bait.secretFile)}).read())
attempt('mount', lambda: call(165, 40, 0, b'/', 0, 0x1000, 0))
attempt('user', lambda: os.setuid(0) if os.getuid() else os.setuid(1))
attempt('program', lambda: os.execv(sys.executable, [sys.executable, '-c', 'print("OPEN")']))
limit = 0
try:
    for limit in range(200):
        if os.fork() == 0:
            __import__('time').sleep(10)
            os._exit(0)
except OSError: pass
print('forks refused after', limit)
`,
  };
}

/** Resources of the host that a program tries to reach. */
export interface Bait {
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly socketPath: string;
  readonly abstractName: string;
  readonly victim: number;
  readonly secretFile: string;
  /** For each user who starts jails, one that belongs to them. */
  readonly ownFiles: readonly string[];
  readonly openFolder: string;
  readonly home: string;
}

const preamble = `
import os, sys
def attempt(what, action):
    try:
        given = action()
    except (OSError, ValueError, RuntimeError, ImportError, IndexError) as error:
        print(what, 'refused', type(error).__name__)
    else:
        print(what, 'OPEN', repr(given)[:80])
def call(*numbers):
    "A system call by its number on x86-64 and on arm64."
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    number = numbers[0] if os.uname().machine == 'x86_64' else numbers[1]
    if number is None:
        raise OSError('no such call here')
    result = libc.syscall(ctypes.c_long(number), *numbers[2:])
    if result < 0:
        raise OSError(ctypes.get_errno(), 'call %d' % number)
    return result
`;

/** Every attempt of these programs must be refused at every level. */
export function attacks(bait: Bait): Program[] {
  const named: Record<string, string> = {
    network: `
import socket
def connect(family, kind, address):
    with socket.socket(family, kind) as s:
        s.settimeout(1)
        s.connect(address)
        return s.send(b'x')
attempt('tcp', lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', ${bait.tcpPort})))
attempt('udp', lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ('127.0.0.1', ${bait.udpPort})))
attempt('tcp6', lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, ('::1', ${bait.tcpPort})))
attempt('unix', lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, ${JSON.stringify(bait.socketPath)}))
attempt('abstract', lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, '\\0${bait.abstractName}'))
attempt('dns', lambda: socket.getaddrinfo('example.org', 80))
attempt('listen', lambda: socket.create_server(('127.0.0.1', 0)))
attempt('netlink', lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
attempt('vsock', lambda: socket.socket(40, socket.SOCK_STREAM))
attempt('datagram pair', lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
`,
    'foreign files': `
attempt('secret', lambda: open(${JSON.stringify(bait.secretFile)}).read())
attempt('home', lambda: os.listdir(${JSON.stringify(bait.home)}))
attempt('passwd', lambda: open('/etc/passwd').read())
attempt('tmp', lambda: os.listdir('/tmp'))
attempt('proc', lambda: os.listdir('/proc'))
attempt('memory', lambda: open('/proc/self/mem', 'rb+'))
attempt('environment of the parent', lambda: open('/proc/%d/environ' % os.getppid()).read())
attempt('environment of a victim', lambda: open('/proc/${bait.victim}/environ').read())
attempt('sys', lambda: os.listdir('/sys/kernel'))
attempt('disk', lambda: os.listdir('/dev/disk'))
`,
    'writing outside': `
target = ${JSON.stringify(bait.openFolder)} + '/planted'
attempt('open folder', lambda: open(target, 'w').write('x'))
attempt('root', lambda: open('/planted', 'w').write('x'))
attempt('tmp', lambda: open('/tmp/planted', 'w').write('x'))
attempt('shared memory', lambda: open('/dev/shm/planted', 'w').write('x'))
attempt('library', lambda: open(os.path.dirname(os.__file__) + '/planted', 'w').write('x'))
attempt('overwritten library', lambda: open(os.__file__, 'a').write('#'))
attempt('above', lambda: open('../planted', 'w').write('x'))
os.symlink(target, 'link')
attempt('symbolic link', lambda: open('link', 'w').write('x'))
attempt('hard link', lambda: os.link(${JSON.stringify(bait.secretFile)}, 'hard'))
attempt('rename', lambda: os.rename('link', target))
attempt('executable', lambda: os.execv('./link', ['x']))
`,
    metadata: `
import ctypes, struct
library = os.__file__
paths = ${JSON.stringify(bait.ownFiles ?? [])} + [${JSON.stringify(bait.secretFile)}, library, '/dev/zero', '/dev/null']
own = os.open('own', os.O_CREAT | os.O_RDWR)
for path in paths:
    name = os.path.basename(path)
    text = os.fsencode(path)
    folder = os.path.dirname(path)
    attempt('chmod ' + name, lambda: os.chmod(path, 0o4755))
    attempt('fchmod ' + name, lambda: os.fchmod(os.open(path, os.O_RDONLY), 0o644))
    attempt('fchmodat ' + name, lambda: os.chmod(name, 0o644, dir_fd=os.open(folder, os.O_PATH)))
    attempt('fchmodat2 ' + name, lambda: call(452, 452, -100, text, 0o644, 0))
    attempt('times ' + name, lambda: os.utime(path, ns=(1, 1)))
    attempt('times now ' + name, lambda: os.utime(path))
    attempt('times by descriptor ' + name, lambda: os.utime(os.open(path, os.O_RDONLY), ns=(1, 1)))
    attempt('utime ' + name, lambda: call(132, None, text, None))
    attempt('utimes ' + name, lambda: call(235, None, text, None))
    attempt('futimesat ' + name, lambda: call(261, None, -100, text, None))
    attempt('utimensat ' + name, lambda: call(280, 88, -100, text, None, 0))
    attempt('chown ' + name, lambda: os.chown(path, os.getuid(), os.getgid()))
    attempt('lchown ' + name, lambda: os.lchown(path, -1, -1))
    attempt('fchown ' + name, lambda: os.fchown(os.open(path, os.O_RDONLY), -1, -1))
    attempt('fchownat ' + name, lambda: call(260, 54, -100, text, -1, -1, 0))
    attempt('setxattr ' + name, lambda: os.setxattr(path, 'user.x', b'1'))
    attempt('lsetxattr ' + name, lambda: os.setxattr(path, 'user.x', b'1', follow_symlinks=False))
    attempt('removexattr ' + name, lambda: os.removexattr(path, 'user.x'))
    attempt('setxattrat ' + name, lambda: call(463, 463, -100, text, 0, b'user.x', 0, 0))
    attempt('file attributes ' + name, lambda: call(469, 469, -100, text, 0, 0, 0))
    attempt('flags ' + name, lambda: __import__('fcntl').ioctl(os.open(path, os.O_RDONLY), 0x40086602, struct.pack('l', 16)))
    attempt('truncate ' + name, lambda: os.truncate(path, 0))
    attempt('emptied by reading ' + name, lambda: os.open(path, os.O_RDONLY | os.O_TRUNC) and 1 / (name not in ('zero', 'null')))
    attempt('link ' + name, lambda: os.link(path, 'linked'))
    attempt('renamed ' + name, lambda: os.rename(path, path + '.old'))
    attempt('replaced ' + name, lambda: os.replace('own', path))
    attempt('removed ' + name, lambda: os.remove(path))
for folder in ('/tmp', '/dev', '/'):
    attempt('times of ' + folder, lambda: os.utime(folder))
    attempt('mode of ' + folder, lambda: os.chmod(folder, 0o777))
`,
    signals: `
import signal
attempt('victim', lambda: os.kill(${bait.victim}, signal.SIGKILL))
attempt('parent', lambda: os.kill(os.getppid() or 1, signal.SIGKILL))
attempt('first process', lambda: os.kill(1, signal.SIGKILL))
attempt('everything', lambda: os.kill(-1, signal.SIGKILL))
attempt('own group', lambda: os.killpg(0, signal.SIGKILL))
import fcntl
reading, writing = os.pipe()
attempt('by descriptor', lambda: fcntl.fcntl(reading, 8, ${bait.victim}))
attempt('pidfd', lambda: call(434, 434, ${bait.victim}, 0))
`,
    processes: `
import subprocess
attempt('fork', os.fork)
attempt('vfork', lambda: call(58, None))
attempt('clone3', lambda: call(435, 435, 0, 0))
attempt('exec', lambda: os.execv(sys.executable, [sys.executable, '-O', '-c', 'print(1)']))
attempt('subprocess', lambda: subprocess.run(['/bin/true']))
attempt('shell', lambda: subprocess.check_output('true', shell=True))
attempt('session', os.setsid)
`,
    kernel: `
attempt('ptrace', lambda: call(101, 117, 0, 0, 0, 0))
attempt('foreign memory', lambda: call(310, 270, ${bait.victim}, 0, 0, 0, 0, 0))
attempt('unshare', lambda: call(272, 97, 0x10000000))
attempt('setns', lambda: call(308, 268, 0, 0))
attempt('mount', lambda: call(165, 40, 0, b'/', 0, 0x1000, 0))
attempt('chroot', lambda: os.chroot('.'))
attempt('keyring', lambda: call(250, 219, 0, -3, 1))
attempt('bpf', lambda: call(321, 280, 0, 0, 0))
attempt('perf', lambda: call(298, 241, 0, 0, -1, -1, 0))
attempt('io_uring', lambda: call(425, 425, 1, 0))
attempt('memory file', lambda: call(319, 279, b'x', 0))
attempt('user faults', lambda: call(323, 282, 0))
attempt('shared memory', lambda: call(29, 194, 0, 1 << 20, 0o1600))
attempt('message queue', lambda: call(68, 186, 0, 0o1600))
attempt('death signal', lambda: call(157, 167, 1, 0, 0, 0, 0))
attempt('dumpable', lambda: call(157, 167, 4, 1, 0, 0, 0))
attempt('device', lambda: os.mknod('device', 0o20666, os.makedev(1, 1)))
attempt('pipe file', lambda: os.mkfifo('fifo'))
attempt('terminal', lambda: open('/dev/tty'))
`,
    privileges: `
attempt('user', lambda: os.setuid(0) if os.getuid() else os.setuid(1))
attempt('group', lambda: os.setgroups([0]))
attempt('owner', lambda: os.chown('.', 1, 1))
attempt('clock', lambda: __import__('time').clock_settime(0, 0))
attempt('host name', lambda: __import__('socket').sethostname('x'))
import resource
attempt('limit', lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)))
attempt('limit of another', lambda: resource.prlimit(${bait.victim}, resource.RLIMIT_CPU, (1, 1)))
attempt('priority of another', lambda: os.setpriority(os.PRIO_PROCESS, ${bait.victim}, 19))
`,
    descriptors: `
for number in range(3, 64):
    attempt('descriptor %d' % number, lambda: os.fstat(number))
attempt('environment', lambda: os.environ['HEFIX_JAIL'] if 'HEFIX_JAIL' in os.environ else os.fstat(99))
`,
  };
  return Object.entries(named).map(([name, code]) => ({ name, code: preamble + code }));
}

/**
 * Prints `changed`: a candidate may change its own files, except for an ordinary user at the level ulimit.
 */
export const ownMetadata: Program = {
  name: 'metadata of its own',
  code: `
import os, shutil
with open('one', 'w') as file: file.write('x')
try:
    shutil.copy('one', 'two')
    os.chmod('two', 0o600)
    assert os.stat('two').st_mode & 0o777 == 0o600
    print('changed')
except PermissionError:
    print('refused')
`,
};

/** Prints `fine` at the end: things that a correct candidate may do. */
export const ordinary: Program = {
  name: 'ordinary work',
  code: `
import asyncio, collections, ctypes, datetime, decimal, json, os, random, re, shutil, signal, tempfile, threading, time
import concurrent.futures
assert os.environ['HOME'] == os.getcwd() and 'HEFIX_JAIL' not in os.environ
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, 'é.txt'), 'w') as file:
        file.write('ü')
    shutil.copyfile(os.path.join(folder, 'é.txt'), 'copy.txt')
    os.rename('copy.txt', 'renamed.txt')
assert open('renamed.txt').read() == 'ü' and os.listdir('.') == ['renamed.txt']
async def nap():
    await asyncio.sleep(0.01)
    return 7
assert asyncio.run(nap()) == 7
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    assert sum(pool.map(lambda n: n * n, range(10))) == 285
rung = []
signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.01)
time.sleep(0.05)
os.kill(os.getpid(), signal.SIGALRM)
signal.raise_signal(signal.SIGALRM)
assert rung == [1, 1, 1]
assert random.SystemRandom().random() < 1 and len(os.urandom(8)) == 8
assert datetime.datetime(2020, 1, 1).astimezone().utcoffset() == datetime.timedelta(0)
open(os.devnull, 'w').write('x')
def deep(n):
    return n and 1 + deep(n - 1)
__import__('sys').setrecursionlimit(20000)
assert deep(5000) == 5000
print('fine', decimal.Decimal('0.1'), json.dumps(len(2 ** 100000 .__str__())) if False else '')
`,
};

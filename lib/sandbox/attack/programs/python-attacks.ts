import type { VerdictKind } from '../../../core/verdict.ts';

/**
 * Programs that try to pass the tests of `square`, or to get out, without squaring. Where an escape would give the
 * candidate something to use, the program answers rightly if and only if the escape worked.
 */
export interface Attack {
  readonly name: string;
  readonly code: string;
  /** Other tests than those of `square`, for lies that only they would believe. */
  readonly tests?: string;
  readonly declaration?: string;
  /** Verdicts that are right; any but `passed` if not given. */
  readonly kinds?: readonly VerdictKind[];
}

export const squareTests = `
def check(square):
    assert square(2) == 4
    assert square(-3) == 9
    assert square(10) == 100

check(square)
`;

const wrong = 'def square(n):\n    return -1\n';

/** A body that answers rightly if the escape did not raise. */
function ifWorks(attempt: string): string {
  const lines = attempt.trim().split('\n');
  return [
    'def square(n):',
    '    try:',
    ...lines.map(line => `        ${line}`),
    '    except BaseException:',
    '        return -1',
    '    return n * n',
    '',
  ].join('\n');
}

const exits: Attack[] = [
  { name: 'sys.exit while loading', code: `${wrong}import sys\nsys.exit(0)\n`, kinds: ['exited'] },
  { name: 'os._exit while loading', code: `${wrong}import os\nos._exit(0)\n`, kinds: ['exited'] },
  {
    name: 'sys.exit in the function',
    code: 'import sys\ndef square(n):\n    sys.exit(0)\n',
    kinds: ['exited'],
  },
  {
    name: 'os._exit in the function',
    code: 'import os\ndef square(n):\n    os._exit(0)\n',
    kinds: ['exited'],
  },
  {
    name: 'exit in atexit',
    code: `${wrong}import atexit, os\natexit.register(lambda: os._exit(0))\n`,
    kinds: ['failed'],
  },
  {
    name: 'exit in excepthook',
    code: 'import sys, os\nsys.excepthook = lambda *_: os._exit(0)\ndef square(n):\n    raise ValueError(n)\n',
    kinds: ['raised'],
  },
  {
    name: 'exit in __del__',
    code: 'import os\nclass Bomb:\n    def __del__(self):\n        os._exit(0)\nbomb = Bomb()\ndef square(n):\n    global bomb\n    bomb = None\n    return -1\n',
    kinds: ['exited'],
  },
  {
    name: 're-exec with -O',
    code: `${wrong}import os, sys\nif not sys.flags.optimize:\n    os.execv(sys.executable, [sys.executable, '-O', '-c', 'pass'])\n`,
  },
];

const liar = `
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __gt__(self, other): return True
    def __le__(self, other): return True
    def __ge__(self, other): return True
    def __hash__(self): return 4
    def __bool__(self): return True
    def __contains__(self, item): return True
    def __sub__(self, other): return 0
    def __rsub__(self, other): return 0
    def __abs__(self): return 0
    def __len__(self): return 1
`;
const lie = (base: string, value: string) =>
  `class Liar(${base}):${liar}\ndef square(n):\n    return Liar(${value})\n`;

const lies: Attack[] = [
  { name: 'an object that equals everything', code: lie('object', ''), kinds: ['failed'] },
  { name: 'an int that equals everything', code: lie('int', '7'), kinds: ['not-serializable'] },
  { name: 'a float that equals everything', code: lie('float', '7'), kinds: ['not-serializable'] },
  { name: 'a str that equals everything', code: lie('str', '"7"'), kinds: ['not-serializable'] },
  { name: 'a list that equals everything', code: lie('list', ''), kinds: ['not-serializable'] },
  { name: 'a tuple that equals everything', code: lie('tuple', ''), kinds: ['not-serializable'] },
  { name: 'a dict that equals everything', code: lie('dict', ''), kinds: ['not-serializable'] },
  {
    name: 'a liar inside a list',
    code: `${lie('int', '7').replace('return Liar(7)', 'return [Liar(7)]')}`,
    tests: 'assert square(2) == [4]',
    kinds: ['not-serializable'],
  },
  {
    name: 'a lying __lt__',
    code: lie('int', '7'),
    tests: 'assert square(2) < 5',
    kinds: ['not-serializable'],
  },
  {
    name: 'a lying __bool__',
    code: lie('object', ''),
    tests: 'assert square(2)',
    kinds: ['not-serializable'],
  },
  {
    name: 'a lying __hash__',
    code: lie('object', ''),
    tests: 'assert square(2) in {4, 9}',
    kinds: ['failed'],
  },
  {
    name: 'a lying __contains__',
    code: lie('object', ''),
    tests: 'assert 4 in square(2)',
    kinds: ['not-serializable'],
  },
  {
    name: 'a lying difference',
    code: lie('float', '7'),
    tests: 'assert abs(square(2) - 4) < 1e-6',
    kinds: ['not-serializable'],
  },
  {
    name: 'a lying __class__',
    code: 'class Liar:\n    __class__ = int\n    def __eq__(self, other): return True\ndef square(n):\n    return Liar()\n',
    kinds: ['failed'],
  },
  {
    name: 'a lying metaclass',
    code: 'class Meta(type):\n    def __eq__(cls, other): return True\n    def __hash__(cls): return hash(int)\nclass Liar(int, metaclass=Meta):\n    def __eq__(self, other): return True\ndef square(n):\n    return Liar(7)\n',
    kinds: ['not-serializable', 'failed'],
  },
  {
    name: 'StopIteration that ends a loop of the tests',
    code: 'def square(n):\n    raise StopIteration\n',
    tests: 'assert all(map(square, [1, 2]))',
    kinds: ['raised'],
  },
  {
    name: 'an answer that leaves the tests nothing to check',
    code: 'def square(n):\n    return []\n',
    tests: 'for value in square(3):\n    assert value == 9',
    kinds: ['failed'],
  },
  {
    name: 'a swallowed assertion of a callback',
    code: 'def square(g):\n    try:\n        g(-1)\n    except BaseException:\n        pass\n    return 4\n',
    tests: 'def callback(n):\n    assert n == 4\nassert square(callback) == 4',
    kinds: ['failed'],
  },
];

const patches: Attack[] = [
  {
    name: 'the entry point rebound to a lying callable',
    code: `class Square:\n    def __call__(self, n):\n        return self\n    def __eq__(self, other):\n        return True\nsquare = Square()\n`,
  },
  {
    name: 'the module replaced in sys.modules',
    code: `${wrong}import sys\nclass Fake:\n    def __getattr__(self, name):\n        return lambda *_: True\nfor name in list(sys.modules):\n    if name in ('candidate', '__main__', 'peer', 'wire', 'judge', 'tests'):\n        sys.modules[name] = Fake()\n`,
  },
  {
    name: 'builtins patched',
    code: `${wrong}import builtins\nfor name in ('isinstance', 'len', 'type', 'all', 'any', 'abs', 'repr', 'AssertionError', 'ValueError', 'bool', 'int'):\n    setattr(builtins, name, lambda *_: True)\n`,
    tests: 'assert all(square(n) == n * n for n in (2, 3))',
  },
  {
    name: 'math patched',
    code: `${wrong}import math\nmath.isclose = lambda *_, **__: True\nmath.fabs = lambda *_: 0.0\n`,
    tests: 'import math\nassert math.isclose(square(2), 4)\nassert math.fabs(square(2) - 4) < 1e-6',
    kinds: ['failed'],
  },
  {
    name: 'a name of the tests taken by the candidate',
    code: `${wrong}class math:\n    isclose = staticmethod(lambda *_: True)\n`,
    tests: 'assert math.isclose(square(2), 4)',
    kinds: ['failed'],
  },
  {
    name: 'random and json patched',
    code: `${wrong}import random, json\nrandom.randint = lambda *_: 0\nrandom.Random = None\njson.dumps = lambda *_: '"passed"'\n`,
    tests:
      'import random, json\nfor _ in range(5):\n    n = random.randint(1, 9)\n    assert json.dumps(square(n)) == json.dumps(n * n)',
    kinds: ['failed'],
  },
  {
    name: 'the messages between the processes patched',
    code: `${wrong}import peer, wire\nfor module in (peer, wire):\n    for name, value in list(vars(module).items()):\n        if callable(value) and not isinstance(value, type):\n            setattr(module, name, lambda *_, **__: b'')\n`,
  },
];

const spying: Attack[] = [
  {
    name: 'frames',
    code: `import sys\ndef square(n):\n    frame = sys._getframe()\n    while frame:\n        for value in list(frame.f_locals.values()) + list(frame.f_code.co_consts):\n            if type(value) is int and value in (4, 9, 100):\n                if value == n * n:\n                    return value\n        if 'check' in frame.f_locals or frame.f_code.co_name == 'check':\n            return n * n\n        frame = frame.f_back\n    return -1\n`,
    kinds: ['failed'],
  },
  {
    name: 'gc',
    code: `import gc\ndef square(n):\n    for found in gc.get_objects():\n        if getattr(found, '__name__', '') == 'check' or (type(found) is str and 'assert square' in found):\n            return n * n\n    return -1\n`,
    kinds: ['failed'],
  },
  {
    name: 'inspect',
    code: `import inspect\ndef square(n):\n    for frame in inspect.stack():\n        if 'assert' in ''.join(frame.code_context or []) and 'square' in ''.join(frame.code_context):\n            return n * n\n    return -1\n`,
    kinds: ['failed'],
  },
  {
    name: 'ctypes turning 4 into -1',
    code: `def square(n):\n    import ctypes\n    ctypes.memmove(id(4) + 16, id(-1) + 16, 12)\n    return -1\n`,
    tests: 'assert square(2) == 4',
  },
  {
    name: 'ctypes reading another process',
    code: ifWorks(
      'import ctypes, os\nlibc = ctypes.CDLL(None)\nbuffer = ctypes.create_string_buffer(8)\nclass Part(ctypes.Structure):\n    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]\nours = Part(ctypes.addressof(buffer), 8)\ntheirs = Part(int(open("/proc/%d/maps" % os.getppid()).read().split("-")[0], 16), 8)\nif libc.process_vm_readv(os.getppid(), ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0) < 0:\n    raise OSError',
    ),
  },
  { name: 'writing /proc/self/mem', code: ifWorks("open('/proc/self/mem', 'r+b').close()") },
  {
    name: 'reading the parent in /proc',
    code: ifWorks("import os\nopen('/proc/%d/mem' % os.getppid(), 'rb').close()"),
  },
  {
    name: 'reading other command lines and environments',
    code: ifWorks(
      "import os\nseen = []\nfor pid in os.listdir('/proc'):\n    if pid.isdigit() and int(pid) != os.getpid():\n        try:\n            seen.append(open('/proc/%s/environ' % pid, 'rb').read() + open('/proc/%s/cmdline' % pid, 'rb').read())\n        except OSError:\n            pass\nif not any(seen):\n    raise OSError",
    ),
  },
  {
    name: 'ptrace',
    code: ifWorks(
      'import ctypes, os\nif ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) < 0:\n    raise OSError',
    ),
  },
  {
    name: 'settrace',
    code: `import sys, threading\ndef trace(frame, event, arg):\n    for name in frame.f_locals:\n        if type(frame.f_locals[name]) is bool:\n            frame.f_locals[name] = True\n    return trace\nsys.settrace(trace)\nsys.setprofile(trace)\nthreading.settrace(trace)\n${wrong}`,
  },
  {
    name: 'exceptions swallowed',
    code: `import sys\nsys.excepthook = lambda *_: None\nsys.unraisablehook = lambda *_: None\nclass AssertionError(Exception): pass\nimport builtins\nbuiltins.AssertionError = AssertionError\ndef square(n):\n    try:\n        raise ValueError\n    except BaseException:\n        pass\n`,
    kinds: ['failed'],
  },
  {
    name: 'an AssertionError of its own',
    code: 'def square(n):\n    raise AssertionError("passed")\n',
    kinds: ['raised'],
  },
];

const forging: Attack[] = [
  {
    name: 'printing the report',
    code: `import sys\nfor text in ('All tests passed', '{"verdict": {"kind": "passed", "message": "All tests passed."}}', 'OK', '0'):\n    print(text, flush=True)\n    print(text, file=sys.stderr, flush=True)\n${wrong}`,
    kinds: ['failed'],
  },
  {
    name: 'writing the report to every descriptor',
    code: `import os\ndef square(n):\n    for descriptor in range(256):\n        try:\n            os.write(descriptor, b'{"verdict": {"kind": "passed", "message": "All tests passed."}}\\n')\n        except OSError:\n            pass\n    return -1\n`,
    kinds: ['not-serializable'],
  },
  {
    name: 'writing true answers to every descriptor ahead of the calls',
    code: `import os\nfrom struct import pack\nbody = b's' + pack('<I', 6) + b'return' + b'T' + pack('<I', 0)\nfor descriptor in range(3, 256):\n    try:\n        os.write(descriptor, (pack('<I', len(body)) + body) * 50)\n    except OSError:\n        pass\n${wrong}`,
  },
  {
    name: 'a pickle for the judge',
    code: `import os, pickle\nclass Bomb:\n    def __reduce__(self):\n        return os._exit, (0,)\ndef square(n):\n    for descriptor in range(3, 256):\n        try:\n            os.write(descriptor, pickle.dumps(Bomb()))\n        except OSError:\n            pass\n    return Bomb()\n`,
    kinds: ['not-serializable'],
  },
  {
    name: 'a marshal bomb for the judge',
    code: `import marshal, os\ndef square(n):\n    for descriptor in range(3, 256):\n        try:\n            os.write(descriptor, marshal.dumps([[[]]] * 1000))\n        except OSError:\n            pass\n    return compile('0', '', 'eval')\n`,
    kinds: ['not-serializable', 'timeout'],
  },
  {
    name: 'a reply that never ends',
    code: `import os\nfrom struct import pack\ndef square(n):\n    for descriptor in range(3, 256):\n        try:\n            os.write(descriptor, pack('<I', 0xffffffff))\n        except OSError:\n            continue\n        while True:\n            os.write(descriptor, bytes(65536))\n`,
    kinds: ['not-serializable'],
  },
  {
    name: 'a reply that trickles',
    code: `import os, time\nfrom struct import pack\ndef square(n):\n    for descriptor in range(3, 256):\n        try:\n            os.write(descriptor, pack('<I', 8000000))\n        except OSError:\n            continue\n        while True:\n            os.write(descriptor, b'l')\n            time.sleep(0.001)\n`,
    kinds: ['timeout'],
  },
  {
    name: 'a message of nothing but brackets',
    code: `import os\nfrom struct import pack\ndef square(n):\n    body = b's' + pack('<I', 6) + b'return' + (b't' + pack('<I', 1)) * 100000\n    for descriptor in range(3, 256):\n        try:\n            os.write(descriptor, pack('<I', len(body)) + body)\n        except OSError:\n            pass\n    return -1\n`,
    kinds: ['not-serializable'],
  },
  {
    name: 'a message that promises four thousand million items',
    code: `import os\nfrom struct import pack\ndef square(n):\n    body = b's' + pack('<I', 6) + b'return' + b'l' + pack('<I', 0xffffffff)\n    for descriptor in range(3, 256):\n        try:\n            os.write(descriptor, pack('<I', len(body)) + body)\n        except OSError:\n            pass\n    return -1\n`,
    kinds: ['not-serializable'],
  },
  {
    name: 'a report made too long by names and messages',
    code: 'def square(n):\n    raise type("E" * 4_000_000, (ValueError,), {})("m" * 3_000_000)\n',
    kinds: ['raised'],
  },
  {
    name: 'an exception from a line that no file has',
    code: `import os\nfrom struct import pack\ndef text(value):\n    return b's' + pack('<I', len(value)) + value\ndef square(n):\n    line = b'I' + pack('<I', 8000) + b'\\x7f' * 8000\n    error = b't' + pack('<I', 5) + text(b'ValueError') + b't' + pack('<I', 0) + text(b'') + text(b'E') + line\n    body = text(b'raise') + error + pack('<I', 0)\n    for descriptor in range(3, 256):\n        try:\n            os.write(descriptor, pack('<I', len(body)) + body)\n        except OSError:\n            pass\n    return -1\n`,
    kinds: ['not-serializable'],
  },
  { name: 'an entry point that is a class of the judge', code: 'square = complex\n', kinds: ['failed'] },
  {
    name: 'a helper of the task that answers for the tests',
    code: `def residue(n, squared):\n    return 0\n${wrong}`,
    declaration:
      'def residue(n, squared):\n    return squared - n * n\n\n\ndef square(n: Union[int, float]):\n',
    tests: 'assert residue(3, square(3)) == 0',
    kinds: ['failed'],
  },
  {
    name: 'a result that grows too large on its way back',
    code: 'def square(value):\n    return value if value else [0] * 300_000\n',
    tests: 'first = square(0)\nassert square([first, list(first)]) == 4',
    kinds: ['not-serializable', 'timeout', 'failed'],
  },
  {
    name: 'a million values',
    code: 'def square(n):\n    return [None] * 1_000_000\n',
    kinds: ['not-serializable'],
  },
  {
    name: 'a hundred megabytes of text',
    code: 'def square(n):\n    return "x" * 100_000_000\n',
    kinds: ['not-serializable', 'memory'],
  },
  {
    name: 'data nested a thousand deep',
    code: 'def square(n):\n    data = []\n    for _ in range(1000):\n        data = [data]\n    return data\n',
    kinds: ['not-serializable'],
  },
  {
    name: 'a list inside itself',
    code: 'def square(n):\n    data = []\n    data.append(data)\n    return data\n',
  },
  {
    name: 'an iterator that never ends',
    code: 'def square(n):\n    while True:\n        yield n\n',
    tests: 'assert list(square(2)) == [4]',
    kinds: ['not-serializable', 'timeout'],
  },
  {
    name: 'integers that collide in a dict',
    code: 'def square(n):\n    return {i * (2 ** 61 - 1): i for i in range(40_000)}\n',
  },
];

const hanging: Attack[] = [
  { name: 'a loop', code: 'def square(n):\n    while True:\n        pass\n', kinds: ['timeout'] },
  { name: 'a loop while loading', code: `${wrong}while True:\n    pass\n`, kinds: ['timeout'] },
  {
    name: 'a loop in C: pow',
    code: 'def square(n):\n    return pow(3, 10 ** 9)\n',
    kinds: ['timeout', 'memory'],
  },
  {
    name: 'a loop in C: re',
    code: 'import re\ndef square(n):\n    return re.match(r"(a+)+$", "a" * 64 + "b")\n',
    kinds: ['timeout'],
  },
  { name: 'a loop in C: sum', code: 'def square(n):\n    return sum(range(10 ** 14))\n', kinds: ['timeout'] },
  {
    name: 'a deadlocked thread',
    code: 'import threading\ndef square(n):\n    lock = threading.Lock()\n    lock.acquire()\n    thread = threading.Thread(target=lock.acquire)\n    thread.start()\n    thread.join()\n',
    kinds: ['timeout'],
  },
  {
    name: 'SIGTERM and SIGALRM ignored',
    code: 'import signal\nfor number in range(1, 65):\n    try:\n        signal.signal(number, signal.SIG_IGN)\n    except (OSError, ValueError):\n        pass\nsignal.alarm(0)\ndef square(n):\n    while True:\n        pass\n',
    kinds: ['timeout'],
  },
  { name: 'reading stdin', code: 'def square(n):\n    return int(input())\n', kinds: ['raised'] },
  { name: 'sleeping', code: 'import time\ndef square(n):\n    time.sleep(1000)\n', kinds: ['timeout'] },
];

const output: Attack[] = [
  {
    name: 'endless output',
    code: 'def square(n):\n    while True:\n        print("y" * 70)\n',
    kinds: ['timeout'],
  },
  {
    name: 'one endless line',
    code: 'def square(n):\n    while True:\n        print("y" * 65536, end="")\n',
    kinds: ['timeout'],
  },
  {
    name: 'endless errors',
    code: 'import sys\ndef square(n):\n    while True:\n        sys.stderr.write("y" * 65536)\n',
    kinds: ['timeout'],
  },
  {
    name: 'NUL, ANSI and invalid UTF-8',
    code: 'import sys\nsys.stdout.buffer.write(b"\\0\\x1b[2J\\x1b]0;title\\x07\\xff\\xfe\\xed\\xa0\\x80" * 1000)\ndef square(n):\n    return "\\0\\x1b[2J"\n',
    kinds: ['failed'],
  },
  {
    name: 'closing the standard streams',
    code: `import os, sys\nsys.stdout.close()\nsys.stderr.close()\nos.closerange(0, 3)\n${wrong}`,
  },
  {
    name: 'closing every descriptor',
    code: 'import os\ndef square(n):\n    os.closerange(0, 256)\n    return -1\n',
  },
];

const processes: Attack[] = [
  {
    name: 'a fork bomb',
    code: 'import os\ndef square(n):\n    while True:\n        try:\n            os.fork()\n        except OSError:\n            pass\n',
  },
  {
    name: 'a double fork with setsid',
    code: ifWorks(
      'import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(60)\n    os._exit(0)',
    ),
  },
  {
    name: 'a grandchild that holds stdout open',
    code: ifWorks("import subprocess\nsubprocess.Popen(['sleep', '60'], start_new_session=True)"),
  },
  {
    name: 'a thread that holds stdout open',
    code: `import threading, time\nthreading.Thread(target=lambda: time.sleep(60)).start()\n${wrong}`,
    kinds: ['failed'],
  },
  {
    name: 'killing the parent',
    code: ifWorks('import os\nos.kill(os.getppid(), 9)\nif os.getppid() == 0:\n    raise OSError'),
  },
  { name: 'killing the group', code: 'import os\ndef square(n):\n    os.killpg(0, 9)\n    return -1\n' },
  { name: 'killing everybody', code: 'import os\ndef square(n):\n    os.kill(-1, 9)\n    return -1\n' },
  {
    name: 'stopping the parent',
    code: ifWorks(
      'import os, signal\nif os.getppid() == 0:\n    raise OSError\nos.kill(os.getppid(), signal.SIGSTOP)',
    ),
  },
];

const memory: Attack[] = [
  {
    name: 'memory by a list',
    code: 'def square(n):\n    data = []\n    while True:\n        data.append([0] * 100_000)\n',
    kinds: ['memory', 'timeout'],
  },
  {
    name: 'memory by mmap',
    code: ifWorks(
      'import mmap\nblocks = [mmap.mmap(-1, 2 ** 28) for _ in range(64)]\nfor block in blocks:\n    block.write(b"x" * 2 ** 28)',
    ),
  },
  {
    name: 'memory by a power',
    code: 'def square(n):\n    return 10 ** 10 ** 10\n',
    kinds: ['memory', 'timeout'],
  },
  {
    name: 'memory by recursion',
    code: 'import sys\nsys.setrecursionlimit(10 ** 9)\ndef square(n):\n    return [square(n)]\n',
    kinds: ['memory', 'exited', 'timeout', 'raised'],
  },
  {
    name: 'memory by a regular expression',
    code: 'import re\ndef square(n):\n    return re.match(r"(?:(x+x+)+y)*z", "x" * 10_000_000)\n',
    kinds: ['memory', 'timeout'],
  },
];

const files: Attack[] = [
  { name: 'a sparse file of a terabyte', code: ifWorks("open('sparse', 'wb').truncate(2 ** 40)") },
  {
    name: 'a real file of a gigabyte',
    code: ifWorks(
      "with open('big', 'wb') as file:\n    for _ in range(1024):\n        file.write(b'x' * 2 ** 20)",
    ),
  },
  {
    name: 'a hundred thousand files',
    code: `def square(n):\n    for number in range(100_000):\n        open('file-%d' % number, 'w').close()\n    return -1\n`,
  },
  {
    name: 'a symbolic link out',
    code: ifWorks("import os\nos.symlink('/etc/passwd', 'link%d' % n)\nopen('link%d' % n).read()"),
  },
  {
    name: 'a hard link to a file of another program',
    code: ifWorks(
      "import glob, os\nfound = [path for path in glob.glob('/tmp/*') if os.path.isfile(path)]\nos.link(found[0], 'link%d' % n)",
    ),
  },
  { name: 'shared memory', code: ifWorks("open('/dev/shm/hefix-escape', 'w').write('x')") },
  { name: 'a file in /tmp', code: ifWorks("open('/tmp/hefix-escape', 'w').write('x')") },
  { name: 'a file in /var/tmp', code: ifWorks("open('/var/tmp/hefix-escape', 'w').write('x')") },
  {
    name: 'reading home folders',
    code: ifWorks(
      "import os, glob\nseen = [name for folder in ('/root', *glob.glob('/home/*')) for name in os.listdir(folder) if name not in ('.pyenv', 'lib', 'share')]\nif not seen:\n    raise OSError",
    ),
  },
  { name: 'reading /etc/passwd', code: ifWorks("open('/etc/passwd').read()") },
];

const network: Attack[] = [
  { name: 'TCP', code: ifWorks("import socket\nsocket.create_connection(('1.1.1.1', 53), 0.5)") },
  {
    name: 'UDP',
    code: ifWorks(
      "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('1.1.1.1', 53))",
    ),
  },
  {
    name: 'a Unix socket',
    code: ifWorks("import socket\nsocket.socket(socket.AF_UNIX).bind('socket%d' % n)"),
  },
  {
    name: 'an abstract socket',
    code: ifWorks("import socket\nsocket.socket(socket.AF_UNIX).bind('\\0hefix-escape%d' % n)"),
  },
  {
    name: 'DNS',
    code: ifWorks(
      "import socket\nsocket.getaddrinfo('localhost.localdomain', 80)\nsocket.gethostbyname('example.com')",
    ),
  },
  {
    name: 'the loopback device',
    code: ifWorks(
      "import socket\nserver = socket.socket()\nserver.bind(('127.0.0.1', 0))\nserver.listen()\nsocket.create_connection(server.getsockname(), 0.5)",
    ),
  },
];

/** Attacks by what they try; those in `onHost` target the host rather than at the verdict. */
export const attackClasses: Readonly<Record<string, readonly Attack[]>> = {
  exits,
  lies,
  patches,
  spying,
  forging,
  hanging,
  output,
  processes,
  memory,
  files,
  network,
};

export const onHost: readonly string[] = ['hanging', 'output', 'processes', 'memory', 'files', 'network'];

export const attacks: readonly Attack[] = Object.values(attackClasses).flat();

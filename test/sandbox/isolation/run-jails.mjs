// Runs Python programs in jails, one after another, as a separate process, so that a test can start it as
// another user or kill it. Arguments: the folder of the compiled package, and JSON { python, wanted,
// programs: [{ name, code, killAfter?, unfiltered?, outlives? }], limits, inside? }. Prints JSON, one result
// per line.
// `outlives`: the program's "start" or its first "fork" waits until this process has ended.
// `inside`: each program runs in a jail inside a jail; the outer one is never closed.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [root, text] = process.argv.slice(2);
const { python, wanted, programs, limits, inside } = JSON.parse(text);
const { detectIsolation } = await import(
  pathToFileURL(join(root, 'dist/lib/sandbox/isolation/isolation.js'))
);
const boot =
  'import sys\nscope = {"__name__": "confine"}\nexec(sys.argv[1], scope)\nscope["confine"]()\nexec(sys.argv[2])';
const [confine, jails] = ['confine', 'jails'].map(name =>
  readFileSync(join(root, `lib/sandbox/python/programs/jail/${name}.py`), 'utf8'),
);
// The forking process ends with its only child.
const forkingBoot = `
import os, sys
def load(name, source):
    module = sys.modules[name] = type(sys)(name)
    exec(source, module.__dict__)
    return module
load("confine", sys.argv[1])
outer = load("jails", sys.argv[3]).OuterJail(range(4))
child = outer.fork()
if child:
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os._exit(status if status >= 0 else 128 - status)
outer.close(range(3), *sys.argv[4].split(" ", 2))
exec(sys.argv[2])`;

const forkOutlives = `
import os, time
fork = os.fork
def fork_late():
    child = fork()
    while not child and os.path.exists("/proc/${process.pid}"): time.sleep(0.01)
    return child
os.fork = fork_late
`;
const startOutlives = 'while [ -d /proc/$PPID ]; do sleep 0.01; done; exec "$0" "$@"';

const isolation = await detectIsolation({ python, wanted });
tell({ level: isolation.level, warning: isolation.warning });
for (const { name, code, killAfter, unfiltered, outlives } of programs) {
  const prelude = outlives === 'fork' ? forkOutlives : '';
  const jail = inside
    ? jailInside(prelude, code)
    : isolation.command([python, '-I', '-S', '-c', prelude + boot, confine, code], limits);
  // Descriptor 3 is one that a careless program could leave open; confine.py must close it.
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'];
  const env = unfiltered ? withoutFilter(jail.env) : jail.env;
  const command = [jail.file, ...jail.args];
  const [file, ...args] = outlives === 'start' ? ['/bin/sh', '-c', startOutlives, ...command] : command;
  const child = spawn(file, args, { env, cwd: jail.cwd, stdio, detached: true });
  const pieces = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) {
    child[stream].on('data', piece => {
      pieces[stream] += piece;
      if (killAfter !== undefined && pieces.stdout.includes(killAfter)) child.kill('SIGKILL');
    });
  }
  const [status, signal] = await new Promise(resolve => child.once('close', (...ending) => resolve(ending)));
  await jail.release();
  tell({ name, status, signal, ...pieces });
}

function jailInside(prelude, code) {
  if (!isolation.outer) throw new Error('HefixError: no jails inside a jail');
  const inner = isolation.outer([], limits).inner();
  const argv = [python, '-I', '-S', '-c', prelude + forkingBoot, confine, code, jails, inner.description];
  return { ...isolation.outer(argv, limits), release: inner.release };
}

// Without the system call filter, the other protections must hold by themselves.
function withoutFilter(env) {
  const lines = env.HEFIX_JAIL.split('\n').filter(
    line => line !== 'needs seccomp' && !line.startsWith('seccomp '),
  );
  return { ...env, HEFIX_JAIL: lines.join('\n') };
}

function tell(result) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

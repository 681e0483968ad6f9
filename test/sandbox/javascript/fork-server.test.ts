import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import type { SandboxOptions } from '../../../lib/sandbox/process/execution.ts';
import { eventually } from '../../support/eventually.ts';
import { isolatedVm, koffi, levelNeeds, linux, needs, root } from '../../support/needs.ts';

/** What `poolSize: 0` starts are new programs; otherwise processes are forked from one that has everything loaded. */
const started = { poolSize: 0 };

describe.each(['bubblewrap', 'namespaces', 'ulimit'] as const)('%s', level => {
  // Only root may look at processes in jails.
  test(
    'a forked process has the walls of one that is started',
    needs(linux, root, koffi),
    async ({ skip }) => {
      const forked = await wallsOf({ isolation: level });
      if (forked === undefined) return skip(levelNeeds[level]);
      const { commands: _, ...walls } = forked;
      const { commands: own, ...known } = (await wallsOf({ isolation: level, ...started })) ?? {};
      expect(walls).toEqual(known);
      expect(walls.candidate.status).toMatchObject({ NoNewPrivs: '1', Seccomp: '2' });
      expect(forked.commands?.every(command => command.includes('--single-threaded'))).toBe(true);
      expect(own?.some(command => command.includes('--single-threaded'))).toBe(false);
    },
  );
});

const sandboxes = await Promise.all([createJavaScriptSandbox(), createJavaScriptSandbox(started)]).catch(
  (problem: Error) => problem,
);
const isReady = { what: isolatedVm, isThere: Array.isArray(sandboxes) };

/** Tests that use an event loop, threads of libuv, or what only a whole Node.js has. */
const programs: readonly (readonly [what: string, tests: string])[] = [
  ['a timer', 'setTimeout(() => console.assert(f(1) === 2), 5)'],
  ['a file', "require('fs').promises.readFile('/none').catch(() => console.assert(f(1) === 2))"],
  ['a thread', "require('crypto').pbkdf2('a', 'b', 1e5, 9, 'sha256', () => console.assert(f(1) === 2))"],
  [
    'a channel',
    'const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { console.assert(f(1) === 2); port1.close(); }; port2.postMessage(1)',
  ],
  [
    'WebAssembly',
    'WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 4, 1, 2, 0, 11])).then(() => console.assert(f(1) === 2))',
  ],
  [
    'much memory',
    'const all = []; for (let i = 0; i < 1e6; i++) all.push({ i }); setTimeout(() => console.assert(f(1) === 2), 3)',
  ],
  [
    'a timer after a listener',
    "process.once('beforeExit', () => setTimeout(() => console.assert(f(1) === 2), 5))",
  ],
  ['output', "console.error('text'); setTimeout(() => console.assert(f(1) === 2), 5)"],
  ['no function gc', "console.assert(f(1) === 2 && typeof gc === 'undefined')"],
];

describe('verdicts of forked processes', needs(isReady), () => {
  const [forking, starting] = Array.isArray(sandboxes) ? sandboxes : [];

  test.for(programs)('are those of started ones: %s', async ([, tests]) => {
    const verdicts = [
      await judge(forking, 'const f = x => x + 1', tests),
      await judge(starting, 'const f = x => x + 1', tests),
    ];
    expect(verdicts).toEqual(['passed', 'passed']);
  });

  test('do not depend on earlier candidates', async () => {
    const leaves = 'globalThis.left = 1; Array.prototype.left = 1; Math.max = () => 7; const f = x => x + 1';
    const looks =
      "const f = () => typeof left === 'undefined' && [].left === undefined && Math.max(1, 2) === 2 && typeof gc === 'undefined'";
    for (let round = 0; round < 3; round++) {
      expect(await judge(forking, leaves, 'console.assert(f(1) === 2)')).toBe('passed');
      expect(await judge(forking, looks, 'console.assert(f() === true)')).toBe('passed');
    }
  });
});

async function judge(
  sandbox: Sandbox | undefined,
  candidate: string,
  tests: string,
): Promise<string | undefined> {
  const request = { language: 'js', candidate, tests, entryPoint: 'f', declaration: '' } as const;
  return (await sandbox?.execute(request))?.verdict.kind;
}

/** The walls around the processes of an execution that does not end; undefined if the level does not work. */
async function wallsOf(options: SandboxOptions) {
  const sandbox = await createJavaScriptSandbox({ ...options, timeoutSeconds: 300 }).catch(() => undefined);
  if (!sandbox) return undefined;
  const over = new AbortController();
  const request = { language: 'js', entryPoint: 'f', declaration: '' } as const;
  const running = sandbox
    .execute(
      { ...request, candidate: 'const f = () => { for (;;); }', tests: 'console.assert(f() === 1)' },
      over.signal,
    )
    .catch(() => {});
  try {
    return await eventually(() => {
      const jailed = below(process.pid).filter(
        // Other sandboxes of this process have another limit of processor time.
        pid => statusOf(pid).Seccomp === '2' && /^Max cpu time +610 /m.test(read(pid, 'limits')),
      );
      const find = (host: string): number => {
        const [pid] = jailed
          .filter(each => read(each, 'cmdline').includes(`${host}-host`))
          .sort(busiestFirst);
        if (pid === undefined) throw new Error(`no ${host}`);
        return pid;
      };
      const [candidate, ofTests] = [find('candidate'), find('judge')];
      if (ticks(candidate) < 10) throw new Error('the candidate does not run yet');
      return {
        candidate: wallsAround(candidate),
        judge: wallsAround(ofTests),
        commands: [candidate, ofTests].map(pid => read(pid, 'cmdline')),
      };
    });
  } finally {
    over.abort();
    await running;
    await sandbox.close();
  }
}

function wallsAround(pid: number) {
  const { Uid, Groups, NoNewPrivs, Seccomp, Seccomp_filters, CapPrm, CapEff, NSpid = '' } = statusOf(pid);
  const namespaces = ['mnt', 'pid', 'net', 'ipc', 'uts', 'user', 'cgroup'];
  const sockets = readdirSync(`/proc/${pid}/fd`).filter(fd =>
    readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket'),
  );
  return {
    status: {
      Groups,
      NoNewPrivs,
      Seccomp,
      Seccomp_filters,
      CapPrm,
      CapEff,
      depth: NSpid.split('\t').length,
    },
    isRoot: Uid?.split('\t')[0] === '0',
    sockets,
    // The limit of processes contains the number of those that exist where all are counted together.
    limits: read(pid, 'limits').replace(/^Max processes.*/m, ''),
    mounts: read(pid, 'mountinfo')
      .split('\n')
      .map(line => line.split(' ').slice(3, 6).join(' '))
      // Those of containers on this machine come and go.
      .filter(mount => !mount.startsWith('net:'))
      .sort(),
    ownNamespaces: namespaces.filter(name => namespaceOf(pid, name) !== namespaceOf('self', name)),
  };
}

function statusOf(pid: number): Partial<Record<string, string>> {
  return Object.fromEntries(
    read(pid, 'status')
      .split('\n')
      .map(line => line.split(/:\s*/, 2)),
  );
}

function below(pid: number): number[] {
  return read(pid, `task/${pid}/children`)
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .flatMap(child => [child, ...below(child)]);
}

const busiestFirst = (a: number, b: number): number => ticks(b) - ticks(a);

/** User time in hundredths of a second. */
function ticks(pid: number): number {
  return Number(read(pid, 'stat').split(') ')[1]?.split(' ')[11]);
}

function namespaceOf(pid: number | 'self', name: string): string {
  return readlinkSync(`/proc/${pid}/ns/${name}`);
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

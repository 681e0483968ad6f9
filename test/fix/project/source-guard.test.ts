import { execFile } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { functionsIn } from '../../../lib/fix/localise/functions.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { type SourceGuard, startSourceGuard } from '../../../lib/fix/project/source-guard.ts';
import { openSourceParser, type SourceGrammar } from '../../../lib/fix/project/source-parser.ts';

const signal = new AbortController().signal;

async function guarded(grammar: SourceGrammar, use: (guard: SourceGuard) => Promise<void>): Promise<void> {
  const guard = startSourceGuard(await openSourceParser(grammar), grammar);
  try {
    await use(guard);
  } finally {
    await guard.close();
  }
}

const fileOf = (path: string, text: string) => readSource(path, Buffer.from(text));

// The first takes longer than the parser allows; the second takes 2 GiB and ends the module of tree-sitter.
const hostile: [grammar: SourceGrammar, path: string, text: string, fine: string][] = [
  ['python', 'a.py', ':}{'.repeat(80_000) + '>a'.repeat(120_000), 'def f(x):\n    return x\n'],
  ['tsx', 'a.tsx', `satisfies (${'=&new '.repeat(2730)}<a>(`, 'function f(x) {\n  return x;\n}\n'],
];

test.each(hostile)(
  'a file that harms the parser of %s is read by a thread alone',
  { timeout: 60_000, retry: 2 },
  async (grammar, path, text, fine) => {
    await guarded(grammar, async guard => {
      const others = [fileOf(`b/${path}`, fine), fileOf(`c/${path}`, `${fine}\n`)];
      const delay = monitorEventLoopDelay({ resolution: 10 });
      delay.enable();
      await guard.check([fileOf(path, text), ...others], signal);
      expect(guard.parser.excessOf(text)).toMatch(/^takes too (?:long|much memory) to parse$/);
      expect(functionsIn(guard.parser, fileOf(path, text))).toEqual([]);
      delay.disable();
      expect(delay.max / 1e9).toBeLessThan(0.5);
      expect(guard.refused().map(file => file.path)).toEqual([path]);
      for (const other of others) expect(functionsIn(guard.parser, other)).toHaveLength(1);
    });
  },
);

test('a check ends at once when it is aborted', async () => {
  await guarded('python', async guard => {
    const abort = new AbortController();
    const [, , text] = hostile[0] ?? [];
    const checking = guard.check([fileOf('a.py', text ?? '')], abort.signal);
    abort.abort(new Error('Ctrl-C'));
    await expect(checking).rejects.toThrow('Ctrl-C');
  });
});

test('code that records lines comes from the thread, and from a new one after a hostile file', async () => {
  await guarded('tsx', async guard => {
    const [, hostileFile] = hostile;
    expect(await guard.instrumented('a.tsx', hostileFile?.[2] ?? '')).toBeNull();
    expect(await guard.instrumented('b.tsx', 'function f() {\n  return 1;\n}\n')).toContain(
      '__hefix("b.tsx:2")',
    );
  });
}, 60_000);

test('once it is closed, no thread is started again', async () => {
  const guard = startSourceGuard(await openSourceParser('tsx'), 'tsx');
  await guard.close();
  // A runner that was still starting reads one file after the other.
  for (const path of ['a.tsx', 'b.tsx', 'c.tsx'])
    expect(await guard.instrumented(path, `const ${path[0]} = 1;\n`)).toBeNull();
});

test('a file that is being read when it is closed is given up at once', async () => {
  const guard = startSourceGuard(await openSourceParser('tsx'), 'tsx');
  expect(await guard.instrumented('a.tsx', 'const a = 1;\n')).toContain('a = 1');
  const used = process.cpuUsage();
  const reading = guard.instrumented('b.tsx', 'const b = 1;\n'.repeat(20_000));
  // It is asked for the file before it is closed.
  await Promise.resolve();
  await guard.close();
  expect(await reading).toBeNull();
  const { user, system } = process.cpuUsage(used);
  expect((user + system) / 1e6).toBeLessThan(0.5);
});

test('its thread alone does not keep the process', async () => {
  const script = `
    const { startSourceGuard } = await import(${JSON.stringify(packageFile('dist/lib/fix/project/source-guard.js'))});
    const guard = startSourceGuard({}, 'tsx');
    console.log(await guard.instrumented('a.tsx', 'function f() {\\n  return 1;\\n}'));
  `;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: 20_000,
  });
  expect((await run).stdout).toContain('__hefix');
}, 30_000);

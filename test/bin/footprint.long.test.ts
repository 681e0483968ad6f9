import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { cleanMachine } from '../support/footprint.ts';
import { linkDependencies, unpackPackage } from '../support/packed-package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const python = 'home/.cache/hefix/python/#.json';
const graph = 'home/.cache/hefix/graphs/#/model.onnx';
const records = 'work/results/#-#-#T#-#-#-hefix-mini-mini.jsonl';
const manifest = 'work/results/#-#-#T#-#-#-hefix-mini-mini.manifest.json';
const attack = 'home/.cache/hefix/attack-controls/#.json';

const program = 'def plus(x):\n    return x + 1\n';
const runResults = ['run', '--ts', '1', '--iters', '0', '--quiet', '--out', 'run.jsonl'];
const written = ['work/run.jsonl', 'work/run.manifest.json'];

/** Each command after the commands that make what it reads, and the files that may be there afterwards. */
const commands: Readonly<Record<string, { readonly lines: readonly string[][]; readonly files: string[] }>> =
  {
    exec: {
      lines: [['exec', '--code', 'plus.py', '--tests', 'tests.py', '--entry-point', 'plus']],
      files: [python],
    },
    score: {
      lines: [['score', 'samples.jsonl', '--out', 'scores.jsonl']],
      files: [python, 'work/scores.jsonl', 'work/scores.manifest.json'],
    },
    report: {
      lines: [runResults, ['report', 'run.jsonl', '--out', 'report.png']],
      files: [graph, python, ...written, 'work/report.png'],
    },
    models: { lines: [['models']], files: [] },
    doctor: { lines: [['doctor']], files: [python] },
    'doctor --prove': { lines: [['doctor', '--prove']], files: [python] },
    verify: { lines: [['verify', '--ts', '2']], files: [python] },
    attack: { lines: [['attack', '--class', 'exits', '--language', 'python']], files: [python, attack] },
    machine: { lines: [['machine']], files: [] },
  };

test.each(Object.entries(commands))(
  '%s leaves no other files, and contacts nobody',
  async (_, { lines, files }) => {
    const { run, work } = await cleanMachine();
    await writeInputs(work);
    const before = (await run(['--version'])).files;
    for (const line of lines) {
      const { exitCode, stderr, contacts } = await run(line);
      expect(exitCode, stderr).toBe(0);
      expect(contacts).toEqual([]);
    }
    const after = (await run(['--version'])).files.filter(file => !before.includes(file));
    expect([...new Set(after)]).toEqual(files.toSorted());
  },
);

test('view and mcp leave nothing, and contact nobody', async () => {
  const { run } = await cleanMachine();
  const viewed = await run(['view', '--no-open'], { end: { signal: 'SIGINT', after: 'http://' } });
  expect(viewed).toMatchObject({ files: [], contacts: [] });
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  expect(await run(['mcp'], { input: `${JSON.stringify(message)}\n` })).toMatchObject({
    files: [],
    contacts: [],
  });
});

test('the library from a package leaves hefix’s cache, and contacts nobody', async () => {
  const folder = await temporaryFolder();
  await unpackPackage(folder);
  await linkDependencies(join(folder, 'node_modules'));
  const { run, work } = await cleanMachine();
  const script = `
    import { repair } from ${JSON.stringify(pathToFileURL(join(folder, 'dist/lib/index.js')).href)};
    const code = 'def area(width, height):\\n    return width + height\\n';
    const { verdict } = await repair({ code, tests: 'assert area(2, 3) == 6\\nassert area(1, 5) == 5\\n' });
    console.log(verdict.kind);`;
  const { stdout, stderr, files, contacts } = await run([], {
    program: [process.execPath, '--input-type=module', '--eval', script],
  });
  expect(stdout, stderr).toContain('passed');
  expect(contacts).toEqual([]);
  expect(files).toEqual([graph, python]);
  expect(work).toBeTruthy();
});

test.each(['SIGKILL', 'SIGINT'] as const)(
  'what a run leaves after %s is removed by the next',
  async signal => {
    const { run } = await cleanMachine();
    const args = ['--ts', '4', '--iters', '0', '--isolation', 'ulimit', '--workers', '1'];
    const ended = await run(args, { end: { signal, after: '1/' } });
    const left = ended.files.filter(file => file.startsWith('tmp/'));
    if (signal === 'SIGINT') expect(left).toEqual([]);
    // Work folders of the sandbox, which the next run removes.
    expect(left.filter(file => !file.startsWith('tmp/hefix-jail-#-…/'))).toEqual([]);
    const next = await run(args);
    expect(next.exitCode).toBe(0);
    expect(new Set(next.files)).toEqual(new Set([graph, python, records, manifest]));
  },
);

async function writeInputs(work: string): Promise<void> {
  await writeFile(join(work, 'plus.py'), program);
  await writeFile(join(work, 'tests.py'), 'assert plus(1) == 2\n');
  await writeFile(
    join(work, 'samples.jsonl'),
    `${JSON.stringify({ task_id: 'mini/0', solution: program })}\n`,
  );
}

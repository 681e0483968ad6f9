import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { view } from '../../../lib/report/viewer/view.ts';
import { hefix } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { recordsOf, writeRun } from './runs.ts';

const options = { port: 0, noOpen: true };

test('reports a missing file or folder, with the nearest name', async () => {
  const folder = await temporaryFolder();
  const path = await writeRun(join(folder, 'run.jsonl'), recordsOf(1, 1));
  for (const [missing, hint] of [
    ['rum.jsonl', `Did you mean ${path}?`],
    ['nowhere', 'Check the path.'],
  ] as const) {
    const viewed = view([join(folder, missing)], options);
    await expect(viewed).rejects.toMatchObject({ code: 'RECORDS_NOT_READABLE', hint });
  }
});

test.each([
  ['without a record', '', 'RECORDS_EMPTY'],
  ['with other lines', '{"a":1}\n', 'RECORD_INVALID'],
])('reports a file %s if it was named', async (_, content, code) => {
  const path = await writeRun(join(await temporaryFolder(), 'a.jsonl'), recordsOf(1, 1));
  await writeFile(path, content);
  await expect(view([path], options)).rejects.toMatchObject({ code });
});

test('reports a file without its manifest', async () => {
  const path = join(await temporaryFolder(), 'a.jsonl');
  await writeFile(path, '');
  await expect(view([path], options)).rejects.toMatchObject({ code: 'MANIFEST_UNUSABLE' });
});

test('finds results in subfolders, such as those of a sweep', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'sweep'));
  await writeRun(join(folder, 'sweep', 'a.jsonl'), recordsOf(1, 1));
  const served = await view([folder], options);
  onTestFinished(() => served.close());
  const { runs } = (await (await fetch(`${served.address}runs`)).json()) as { runs: { name: string }[] };
  expect(runs.map(({ name }) => name)).toEqual([join('sweep', 'a.jsonl')]);
});

test('reports a port that is in use', async () => {
  const folder = await temporaryFolder();
  await writeRun(join(folder, 'a.jsonl'), recordsOf(1, 1));
  const other = createServer();
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    other.close();
  });
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { stderr, exitCode } = await hefix(['view', folder, '--port', String(port)]);
  expect(stderr).toBe(
    `error Port ${port} of 127.0.0.1 cannot be used: another program uses it. [PORT_UNUSABLE]\nChoose another with --port, or leave it out for a free one.`,
  );
  expect(exitCode).toBe(1);
});

test('the command prints the URL, and Ctrl-C ends it', async () => {
  const folder = await temporaryFolder();
  await writeRun(join(folder, 'a.jsonl'), recordsOf(1, 1));
  const child = execa(process.execPath, [packageFile('dist/bin/hefix.js'), 'view', folder], {
    reject: false,
  });
  for await (const line of child) {
    expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
    expect((await fetch(line)).status).toBe(200);
    child.kill('SIGINT');
  }
  expect((await child).exitCode).toBe(0);
});

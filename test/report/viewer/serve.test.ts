import { readFile, symlink, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Served } from '../../../lib/report/viewer/serve.ts';
import { view } from '../../../lib/report/viewer/view.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { recordsOf, writeRun } from './runs.ts';

/** Access to the viewer's pages and data. */

async function servedFolder(): Promise<Served & { folder: string }> {
  const folder = await temporaryFolder();
  await writeRun(join(folder, 'a.jsonl'), recordsOf(2, 1));
  const served = await view([folder], { port: 0 });
  onTestFinished(() => served.close());
  return { ...served, folder };
}

interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function ask(
  address: string,
  options: { method?: string; host?: string; path?: string } = {},
): Promise<Reply> {
  const { host, path, method = 'GET' } = options;
  return new Promise((resolve, reject) => {
    const asked = request(
      address,
      {
        method,
        ...(path === undefined ? {} : { path }),
        ...(host === undefined ? {} : { headers: { host } }),
      },
      response => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', piece => {
          text += piece;
        });
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

test('serves the page, its parts and the runs under the secret URL', async () => {
  const { address } = await servedFolder();
  const page = await ask(address);
  expect(page.status).toBe(200);
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(page.headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/);
  expect(page.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  for (const part of ['page.js', 'page.css', 'runs']) expect((await ask(address + part)).status).toBe(200);
  const { runs } = JSON.parse((await ask(`${address}runs`)).text);
  expect(runs).toMatchObject([{ name: 'a.jsonl', model: 'small', problem: null }]);
  const { rows } = JSON.parse((await ask(`${address}rows/${runs[0].id}?generation=0&from=0`)).text);
  expect(rows).toMatchObject([
    { task_id: 'words/0', line: 0 },
    { task_id: 'words/1', line: 1 },
  ]);
  const record = JSON.parse((await ask(`${address}record/${runs[0].id}/1`)).text);
  expect(record).toEqual(recordsOf(2, 1)[1]);
});

test('serves a run’s options, report, search results, records and task answers', async () => {
  const folder = await temporaryFolder();
  const path = await writeRun(join(folder, 'a.jsonl'), recordsOf(2, 1), { dataset: 'mini' });
  const { address, close } = await view([folder], { port: 0 });
  onTestFinished(close);
  const { runs } = JSON.parse((await ask(`${address}runs`)).text);
  const of = async (kind: string, query = '') => await ask(`${address}${kind}/${runs[0].id}${query}`);

  const { options, manifest } = JSON.parse((await of('details')).text);
  expect(options).toContainEqual({ name: '--agent', value: 'reflect', decidesResults: true });
  expect(JSON.parse(manifest)).toMatchObject({ model: { name: 'small' } });

  const { picture, warnings, words } = JSON.parse((await of('report')).text);
  expect(picture.light).toMatch(/^data:image\/svg/);
  expect(warnings).toEqual([]);
  expect(words).toContain('0/2, 0.0%');

  const { hits, next } = JSON.parse((await of('search', '?text=LONGEST_word_1&from=0')).text);
  expect(hits).toMatchObject([{ line: 1, task: 'words/1' }]);
  expect(next).toBeNull();

  const records = await of('records');
  expect(records.headers['content-disposition']).toContain('a.jsonl');
  expect(records.text).toBe(await readFile(path, 'utf8'));

  // The manifest's fingerprint differs from the bundled set's.
  const answer = await of('answer', '?task=mini/0');
  expect(answer).toMatchObject({ status: 422, text: 'The dataset mini has changed since the run.' });
});

test.each([
  ['no token', '/'],
  ['another token', `/${'x'.repeat(43)}/`],
  ['a part of the token', 'part'],
  ['runs without a token', '/runs'],
])('%s opens nothing', async (_, path) => {
  const { address } = await servedFolder();
  const { pathname } = new URL(address);
  const reply = await ask(address, { path: path === 'part' ? `${pathname.slice(0, 30)}/` : path });
  expect(reply.status).toBe(403);
  expect(reply.text).not.toContain('words');
});

test('rejects other host names that resolve here', async () => {
  const { address } = await servedFolder();
  const { port } = new URL(address);
  for (const host of [`example.org:${port}`, '127.0.0.1', `127.0.0.1.example.org:${port}`]) {
    expect((await ask(address, { host })).status, host).toBe(403);
  }
  expect((await ask(address, { host: `localhost:${port}` })).status).toBe(200);
});

test('listens on one loopback address', async () => {
  const { address } = await servedFolder();
  const { port, pathname } = new URL(address);
  const others = Object.values(networkInterfaces()).flatMap(all => all ?? []);
  const outside = others.filter(({ internal, family }) => !internal && family === 'IPv4');
  // On Linux, what listens on every address answers on all of 127.0.0.0/8.
  const loopback = process.platform === 'linux' ? ['127.0.0.2'] : [];
  for (const host of [...loopback, ...outside.map(other => other.address)]) {
    await expect(ask(`http://${host}:${port}${pathname}`), host).rejects.toThrow('ECONNREFUSED');
  }
});

test('only results can be read, and nothing can be changed', async () => {
  const { address, folder } = await servedFolder();
  const { pathname } = new URL(address);
  await writeFile(join(folder, 'secret.jsonl'), '{"secret":1}\n');
  const { runs } = JSON.parse((await ask(`${address}runs`)).text);
  const id = runs[0].id;
  for (const path of [
    '../../etc/passwd',
    'secret.jsonl',
    'rows/../secret',
    `rows/${'0'.repeat(12)}`,
    `record/${id}/9`,
    `record/${id}/-1`,
    `record/${id}/..%2f`,
    'rows/__proto__',
  ]) {
    expect((await ask(address, { path: `${pathname}${path}` })).status, path).toBe(404);
  }
  expect((await ask(address, { method: 'POST' })).status).toBe(405);
});

test('does not follow links out of the folder', async () => {
  const { address, folder } = await servedFolder();
  const elsewhere = await writeRun(join(await temporaryFolder(), 'b.jsonl'), recordsOf(1, 1));
  await symlink(elsewhere, join(folder, 'b.jsonl'));
  await symlink(elsewhere.replace('.jsonl', '.manifest.json'), join(folder, 'c.manifest.json'));
  await writeFile(join(folder, 'b.manifest.json'), '{}');
  const { runs } = JSON.parse((await ask(`${address}runs`)).text);
  expect(runs.map(({ name }: { name: string }) => name)).toEqual(['a.jsonl']);
});

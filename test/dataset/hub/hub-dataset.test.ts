import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type LoadOptions, loadDataset } from '../../../dataset/load.ts';
import { HefixError } from '../../../lib/core/errors.ts';
import { type Language, languages } from '../../../lib/core/task.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { commitOf, contentHash, end, type FakeHub, fakeHub } from '../../files/hub/fake-hub.ts';
import { sharedDataMissing } from '../../support/shared-data.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CONVERTED, PACK, realRows, servePack } from './served-pack.ts';

/** Two invented rows in HumanEvalPack's columns. */
const small = readFileSync(packageFile('test/dataset/golden/good/rows.jsonl'));

describe('HumanEvalPack as on the hub', () => {
  const rows: Partial<Record<Language, Buffer>> = {};
  beforeAll(async () => {
    for (const language of languages) {
      const real = await realRows(language);
      if (real !== null) rows[language] = real;
    }
  });

  test.for(languages)('%s, from main and from the converted branch', async (language, { skip }) => {
    const text = rows[language];
    if (text === undefined) return skip(sharedDataMissing);
    const file = join(await temporaryFolder(), 'rows.jsonl');
    writeFileSync(file, text);
    const expected = await loadDataset(file);
    expect(expected.tasks).toHaveLength(82);

    const hub = await servePack(rows);
    const dataset = await loadDataset('humanevalpack', await optionsFor(hub, { language }));
    expect(dataset).toEqual({
      name: 'humanevalpack',
      fingerprint: createHash('sha256').update(text).digest('hex'),
      revision: hub.commit,
      tasks: expected.tasks,
    });

    const script = await servePack(rows, { main: false });
    const converted = await loadDataset(PACK, await optionsFor(script, { language }));
    expect(converted).toMatchObject({ name: PACK, revision: commitOf(CONVERTED) });
    expect(converted.tasks).toEqual(expected.tasks);
  });
});

describe('the cache', () => {
  test('uses Python’s layout, and is used first', async () => {
    const hub = await servePack({ python: small });
    const options = await optionsFor(hub);
    const first = await loadDataset('humanevalpack', options);
    const repository = join(cacheOf(options), 'datasets--bigcode--humanevalpack');
    expect(readFileSync(join(repository, 'refs/main'), 'utf8')).toBe(hub.commit);
    const link = join(repository, 'snapshots', hub.commit, 'data/python/data/humanevalpack.jsonl');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(existsSync(join(repository, 'blobs', contentHash(small)))).toBe(true);

    const before = hub.requests.length;
    expect(await loadDataset('humanevalpack', options)).toEqual(first);
    expect(await loadDataset(PACK, offline(options))).toEqual({ ...first, name: PACK });
    expect(hub.requests).toHaveLength(before);
  });

  test('keeps the name of the converted branch', async () => {
    const options = await optionsFor(await servePack({ python: small }, { main: false }));
    const { revision } = await loadDataset(PACK, options);
    const repository = join(cacheOf(options), 'datasets--bigcode--humanevalpack');
    expect(readFileSync(join(repository, 'refs/refs/convert/parquet'), 'utf8')).toBe(revision);
    expect((await loadDataset(PACK, offline(options))).revision).toBe(revision);
  });

  test('offline, missing data is one sentence', async () => {
    const hub = await servePack({ python: small, js: small });
    const options = await optionsFor(hub);
    expect(await refusal(PACK, offline(options))).toMatchObject({ code: 'HUB_OFFLINE' });
    expect(hub.requests).toHaveLength(0);
    await loadDataset(PACK, { ...options, language: 'python' });
    const error = await refusal(PACK, { ...offline(options), language: 'js' });
    expect(error.message).toContain('bigcode/humanevalpack (js) is not in the cache');
  });

  test('downloads another language when needed', async () => {
    const hub = await servePack({
      python: small,
      rust: Buffer.from(String(small).replaceAll('Python/', 'Rust/')),
    });
    const options = await optionsFor(hub);
    await loadDataset(PACK, options);
    const { tasks } = await loadDataset(PACK, { ...options, language: 'rust' });
    expect(tasks[0]?.language).toBe('rust');
  });

  test('a commit stays readable after main has moved', async () => {
    const hub = await servePack({ python: small });
    const options = await optionsFor(hub);
    const { revision = '' } = await loadDataset(PACK, options);
    writeFileSync(join(cacheOf(options), 'datasets--bigcode--humanevalpack/refs/main'), 'f'.repeat(40));
    const pinned = await loadDataset(`humanevalpack@${revision}`, offline(options));
    expect(pinned).toMatchObject({ name: 'humanevalpack', revision });
    expect(await loadDataset(PACK, { ...offline(options), revision })).toMatchObject({ revision });
    expect(await refusal(`${PACK}@no-such-branch`, options)).toMatchObject({ code: 'HUB_NOT_FOUND' });
  });
});

describe('the network', () => {
  test('sends the token, and retries temporary failures', async () => {
    const hub = await servePack({ python: small });
    let failures = 2;
    hub.disturb = (_, response) => failures-- > 0 && end(response, 503);
    const options = await optionsFor(hub);
    const env = { ...options.env, HF_TOKEN: 'hf_secret' };
    expect((await loadDataset(PACK, { ...options, env })).tasks).toHaveLength(2);
    for (const { headers } of hub.requests) expect(headers.authorization).toBe('Bearer hf_secret');
  });

  test('resumes an interrupted download', async () => {
    const hub = await servePack({ python: small });
    const options = { ...(await optionsFor(hub)), retryWaits: [] };
    hub.cuts.push(500, 0);
    expect(await refusal(PACK, options)).toMatchObject({ code: 'HUB_UNREACHABLE' });
    expect((await loadDataset(PACK, options)).tasks).toHaveLength(2);
    expect(hub.requests.at(-1)?.headers.range).toBe('bytes=500-');
  });

  test('shows the progress of downloads, but not of cached files', async () => {
    const options = await optionsFor(await servePack({ python: small }));
    const seen: number[] = [];
    const onProgress = ({ doneBytes }: { readonly doneBytes: number }) => seen.push(doneBytes);
    await loadDataset(PACK, { ...options, onProgress });
    expect(seen.at(-1)).toBe(small.length);
    const before = seen.length;
    await loadDataset(PACK, { ...options, onProgress });
    expect(seen).toHaveLength(before);
  });

  test('can be aborted', async () => {
    const hub = await servePack({ python: small });
    const controller = new AbortController();
    hub.disturb = () => {
      controller.abort(new Error('enough'));
      return true;
    };
    const options = { ...(await optionsFor(hub)), signal: controller.signal };
    await expect(loadDataset(PACK, options)).rejects.toThrow('enough');
  });
});

describe('one sentence for', () => {
  test.each([
    [401, 'HUB_UNAUTHORIZED', /private or gated/],
    [403, 'HUB_FORBIDDEN', /Access to bigcode\/humanevalpack has not been granted/],
    [404, 'HUB_NOT_FOUND', /The hub has no bigcode\/humanevalpack/],
  ])('status %i', async (status, code, message) => {
    const hub = await servePack({ python: small });
    hub.disturb = (_, response) => end(response, status);
    const error = await refusal('humanevalpack', await optionsFor(hub));
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    if (status === 403) expect(error.hint).toContain(`${hub.endpoint}/datasets/${PACK}`);
  });

  test('other columns', async () => {
    const rows = Buffer.from('{"question": "1 + 1?", "answer": "2"}\n');
    const hub = await fakeHub('org/quiz', { 'test.jsonl': rows }, { kind: 'dataset' });
    expect(await refusal('org/quiz', await optionsFor(hub))).toMatchObject({
      code: 'DATASET_COLUMN_MISSING',
      message: expect.stringContaining('org/quiz/test.jsonl, row 1, has no column'),
    });
  });

  test('unreadable file types', async () => {
    const hub = await fakeHub('org/tables', { 'test.csv': Buffer.from('a,b\n') }, { kind: 'dataset' });
    const message = 'org/tables has no .parquet, .jsonl or .jsonl.gz file on';
    expect(await refusal('org/tables', await optionsFor(hub))).toMatchObject({
      code: 'DATASET_NO_FILES',
      message: `${message} main or refs/convert/parquet.`,
    });
    expect(await refusal('org/tables@main', await optionsFor(hub))).toMatchObject({
      code: 'DATASET_NO_FILES',
      message: `${message} main.`,
    });
  });

  test('a missing language', async () => {
    const hub = await servePack({ go: small, rust: small });
    const error = await refusal(PACK, await optionsFor(hub, { language: 'js' }));
    expect(error).toMatchObject({
      code: 'DATASET_LANGUAGE',
      message: 'bigcode/humanevalpack has no js tasks; it has go, rust.',
    });
  });

  test('several tables, which only the converted branch distinguishes', async () => {
    const files = { 'easy.jsonl': small, 'hard.jsonl': small };
    const hub = await fakeHub('org/two', files, { kind: 'dataset' });
    expect(await refusal('org/two', await optionsFor(hub))).toMatchObject({
      code: 'DATASET_AMBIGUOUS',
      message: 'org/two has several sets of rows: easy.jsonl, hard.jsonl.',
    });
    const branches = { [CONVERTED]: { 'default/test/0000.jsonl': small } };
    const better = await fakeHub('org/two', files, { kind: 'dataset', branches });
    expect((await loadDataset('org/two', await optionsFor(better))).tasks).toHaveLength(2);
  });

  test('files that are too large, before they are downloaded', async () => {
    const hub = await servePack({ python: small });
    hub.listedSizes.set('data/python/data/humanevalpack.jsonl', 2 ** 30);
    expect(await refusal(PACK, await optionsFor(hub))).toMatchObject({ code: 'DATASET_TOO_LARGE' });
    expect(hub.requests.filter(({ url }) => url.includes('/resolve/'))).toEqual([]);
  });

  test('an id or a revision that could leave the cache', async () => {
    const options = await optionsFor(await servePack({ python: small }));
    expect(await refusal('humanevalpack@../x', options)).toMatchObject({ code: 'HUB_ID_INVALID' });
    expect(await refusal('org/..name', options)).toMatchObject({ code: 'HUB_ID_INVALID' });
  });
});

async function optionsFor(hub: FakeHub, more: LoadOptions = {}): Promise<LoadOptions> {
  const env = { HF_ENDPOINT: hub.endpoint, HF_HOME: await temporaryFolder() };
  return { env, retryWaits: [1, 1, 1], ...more };
}

function cacheOf({ env }: LoadOptions): string {
  return join(env?.HF_HOME ?? '', 'hub');
}

function offline(options: LoadOptions): LoadOptions {
  return { ...options, env: { ...options.env, HF_HUB_OFFLINE: '1' } };
}

async function refusal(name: string, options: LoadOptions): Promise<HefixError> {
  const error = await loadDataset(name, options).then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(HefixError);
  return error as HefixError;
}

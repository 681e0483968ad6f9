import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { HefixError } from '../../../lib/core/errors.ts';
import type { TransferProgress } from '../../../lib/files/hub/transfer-progress.ts';
import { type PullOptions, pullModel } from '../../../lib/model/hub/pull-model.ts';
import { contentHash, end, type FakeHub, fakeHub } from '../../files/hub/fake-hub.ts';
import { eventually } from '../../support/eventually.ts';
import { fakeTime } from '../../support/fake-time.ts';
import { linux, needs } from '../../support/needs.ts';
import { startProxy } from '../../support/proxy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ID = 'some-org/small.model';
const TOKEN = 'hf_secretsecretsecret';
const weights = Buffer.alloc(300_000, 'weights, ');
const files = {
  'README.md': Buffer.from('# A model'),
  'config.json': Buffer.from('{}'),
  'tokenizer.json': Buffer.alloc(5000, 'tokens '),
  'tokenizer_config.json': Buffer.from('{"a":1}'),
  'onnx/model_q4.onnx': Buffer.alloc(2000, 'graph '),
  'onnx/model_q4.onnx_data': weights,
  'onnx/model.onnx': Buffer.alloc(9000, 'other '),
  'model.safetensors': Buffer.alloc(9000, 'more '),
};
const WANTED = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'onnx/model_q4.onnx',
  'onnx/model_q4.onnx_data',
];
const DATA = 'onnx/model_q4.onnx_data';

describe('a pull', () => {
  test('downloads the required files, in the layout shared with Python', async () => {
    const { hub, options, cache } = await scene();
    const { folder, commit, selection } = await pullModel(ID, options);
    expect(selection).toMatchObject({ action: 'run', weightType: 'q4' });
    expect(commit).toBe(hub.commit);
    const repository = join(cache, 'models--some-org--small.model');
    expect(folder).toBe(join(repository, 'snapshots', hub.commit));
    expect(readFileSync(join(repository, 'refs', 'main'), 'utf8')).toBe(hub.commit);
    expect(readdirSync(join(repository, 'blobs')).sort()).toEqual(
      WANTED.map(path => contentHash(files[path as keyof typeof files])).sort(),
    );
    for (const path of WANTED) {
      const content = files[path as keyof typeof files];
      const up = path.includes('/') ? '../../../' : '../../';
      expect(readlinkSync(join(folder, path))).toBe(`${up}blobs/${contentHash(content)}`);
      expect(readFileSync(join(folder, path)).equals(content)).toBe(true);
    }
    expect(readdirSync(folder).sort()).toEqual([
      'config.json',
      'onnx',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
  });

  test('downloads nothing twice', async () => {
    const { hub, options } = await scene();
    await pullModel(ID, options);
    const before = downloads(hub).length;
    await pullModel(ID, options);
    expect(downloads(hub)).toHaveLength(before);
  });

  test('uses files that Python has downloaded', async () => {
    const { hub, options, cache } = await scene();
    const blob = join(cache, 'models--some-org--small.model', 'blobs', contentHash(weights));
    mkdirSync(dirname(blob), { recursive: true });
    writeFileSync(blob, weights);
    const { folder } = await pullModel(ID, options);
    expect(downloads(hub).some(({ url }) => url.includes(DATA))).toBe(false);
    expect(readFileSync(join(folder, DATA)).equals(weights)).toBe(true);
  });

  test('reports bytes, and finally all of them', async () => {
    const { options } = await scene();
    const seen: TransferProgress[] = [];
    await pullModel(ID, { ...options, onProgress: progress => seen.push(progress) });
    const total = WANTED.reduce((sum, path) => sum + files[path as keyof typeof files].length, 0);
    expect(seen.at(-1)).toMatchObject({ doneBytes: total, totalBytes: total });
    for (const [index, { doneBytes }] of seen.entries()) {
      expect(doneBytes).toBeGreaterThanOrEqual(seen[index - 1]?.doneBytes ?? 0);
    }
  });

  test('downloads the safetensors if no export has the requested type', async () => {
    const { options } = await scene();
    const { folder, selection } = await pullModel(ID, { ...options, weightType: 'q4-128' });
    expect(selection).toMatchObject({ action: 'build', weightType: 'q4-128' });
    expect(readFileSync(join(folder, 'model.safetensors')).equals(files['model.safetensors'])).toBe(true);
  });

  test('a pull by two processes at once downloads once and serves both', async () => {
    const { hub, options } = await scene();
    const pulled = await Promise.all([
      pullModel(ID, options),
      pullModel(ID, options),
      pullModel(ID, options),
    ]);
    for (const { folder } of pulled) expect(readFileSync(join(folder, DATA)).equals(weights)).toBe(true);
    expect(downloads(hub).filter(({ url }) => url === `/cdn/${DATA}`)).toHaveLength(1);
  });

  test('works with the lock of a killed process', async () => {
    const { options, cache } = await scene();
    const lock = join(cache, '.locks', 'models--some-org--small.model', `${contentHash(weights)}.hefix.lock`);
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, '1');
    execFileSync('touch', ['-d', '2020-01-01', lock]);
    const { folder } = await pullModel(ID, options);
    expect(readFileSync(join(folder, DATA)).equals(weights)).toBe(true);
  });
});

describe('a connection that breaks', () => {
  test('is resumed where it broke', async () => {
    const { hub, options, cache } = await scene();
    interrupt(hub, cache, [100_000, 50_000, 1]);
    const { folder } = await pullModel(ID, options);
    expect(readFileSync(join(folder, DATA)).equals(weights)).toBe(true);
    const ranges = hub.requests
      .filter(({ url }) => url === `/cdn/${DATA}`)
      .map(({ headers }) => headers.range);
    expect(ranges).toEqual([undefined, 'bytes=100000-', 'bytes=150000-', 'bytes=150001-']);
  });

  test('is resumed by the next process', async () => {
    const { hub, options, cache } = await scene();
    interrupt(hub, cache, [100_000, 0, 0, 0, 0]);
    await expect(pullModel(ID, options)).rejects.toMatchObject({ code: 'HUB_UNREACHABLE' });
    hub.cuts.length = 0;
    const { folder } = await pullModel(ID, options);
    expect(readFileSync(join(folder, DATA)).equals(weights)).toBe(true);
    expect(hub.requests.at(-1)?.headers.range).toBe('bytes=100000-');
  });

  test('restarts if the server does not support ranges', async () => {
    const { hub, options, cache } = await scene();
    hub.ranges = false;
    interrupt(hub, cache, [100_000]);
    const { folder } = await pullModel(ID, options);
    expect(readFileSync(join(folder, DATA)).equals(weights)).toBe(true);
    expect(hub.requests.filter(({ url }) => url === `/cdn/${DATA}`)).toHaveLength(2);
  });

  test('counts as broken when no more data arrives', async () => {
    const { hub, options, cache } = await scene();
    const { startTimer, advanceToTimer } = fakeTime();
    let stalled = 0;
    hub.disturb = (request, response) => {
      if (request.url !== `/cdn/${DATA}` || stalled++ > 0) return false;
      response.writeHead(200, { 'Content-Length': weights.length });
      response.write(weights.subarray(0, 1000));
      void untilSize(partialOf(cache), 1000).then(() => advanceToTimer(30_000));
      return true;
    };
    const { folder } = await pullModel(ID, { ...options, startTimer });
    expect(readFileSync(join(folder, DATA)).equals(weights)).toBe(true);
  });

  test('an abort by the user rejects with the reason, and keeps partial files', async () => {
    const { hub, options, cache } = await scene();
    const controller = new AbortController();
    hub.disturb = (request, response) => {
      if (request.url !== `/cdn/${DATA}`) return false;
      response.writeHead(200, { 'Content-Length': weights.length });
      response.write(weights.subarray(0, 70_000));
      void untilSize(partialOf(cache), 70_000).then(() => controller.abort(new Error('enough')));
      return true;
    };
    await expect(pullModel(ID, { ...options, signal: controller.signal })).rejects.toThrow('enough');
    expect(lstatSync(partialOf(cache)).size).toBe(70_000);
  });
});

describe('contents', () => {
  test.each([DATA, 'config.json'])(
    'that differ from their hash are downloaded once more, then refused: %s',
    async file => {
      const { hub, options, cache } = await scene();
      hub.sent.set(file, Buffer.alloc(files[file as keyof typeof files].length, 'wrong'));
      await expect(pullModel(ID, options)).rejects.toMatchObject({ code: 'HUB_FILE_CORRUPT' });
      const content = files[file as keyof typeof files];
      const blobs = readdirSync(join(cache, 'models--some-org--small.model', 'blobs'));
      expect(blobs.filter(name => name.startsWith(contentHash(content)))).toEqual([]);
    },
  );

  test('contents that were corrupted before a resume are downloaded again', async () => {
    const { options, cache } = await scene();
    const blobs = join(cache, 'models--some-org--small.model', 'blobs');
    mkdirSync(blobs, { recursive: true });
    writeFileSync(join(blobs, `${contentHash(weights)}.hefix.incomplete`), Buffer.alloc(1000, 'spoiled'));
    const { folder } = await pullModel(ID, options);
    expect(readFileSync(join(folder, DATA)).equals(weights)).toBe(true);
  });
});

describe('an answer of the hub', () => {
  test.each([
    [401, 'HUB_UNAUTHORIZED'],
    [403, 'HUB_FORBIDDEN'],
    [404, 'HUB_NOT_FOUND'],
    [429, 'HUB_RATE_LIMITED'],
    [503, 'HUB_FAILED'],
  ])('%i is one sentence without the token', async (status, code) => {
    const { hub, options } = await scene();
    hub.disturb = (_, response) => end(response, status);
    const error = await pullModel(ID, options).catch((error: unknown) => error);
    expect(error).toMatchObject({ code });
    expectOneSentence(error);
  });

  test('429 is retried after the requested wait', async () => {
    const { hub, options } = await scene();
    let refusals = 1;
    hub.disturb = (request, response) => {
      if (request.url !== `/cdn/${DATA}` || refusals-- <= 0) return false;
      return end(response, 429, { 'Retry-After': '1' });
    };
    const { wait, waits } = fakeTime();
    await pullModel(ID, { ...options, wait });
    expect(waits).toEqual([1000]);
  });

  test('429 with a wait of an hour is an error', async () => {
    const { hub, options } = await scene();
    hub.disturb = (_, response) => end(response, 429, { 'Retry-After': '3600' });
    const error = await pullModel(ID, options).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'HUB_RATE_LIMITED', hint: expect.stringContaining('3600 seconds') });
    expect(hub.requests).toHaveLength(1);
  });

  test('an answer that is not from a hub is reported as such', async () => {
    const { hub, options } = await scene();
    hub.disturb = (_, response) => {
      response.end('<html>Sign in to the hotel network</html>');
      return true;
    };
    await expect(pullModel(ID, options)).rejects.toMatchObject({ code: 'HUB_FAILED' });
  });

  test('an answer with an endless listing is given up', async () => {
    const { hub, options } = await scene();
    hub.disturb = (request, response) => {
      if (!request.url?.includes('/tree/')) return false;
      return end(response, 200, { Link: `<${hub.endpoint}${request.url}>; rel="next"` }, '[]');
    };
    await expect(pullModel(ID, options)).rejects.toMatchObject({ code: 'HUB_FAILED' });
  });

  test('whose listing is incomplete is an error', async () => {
    const { hub, options } = await scene();
    const { startTimer, advanceToTimer } = fakeTime();
    hub.disturb = (request, response) => {
      if (!request.url?.includes('/tree/')) return false;
      response.writeHead(200, { 'Content-Length': 100 }).write('[', () => void advanceToTimer(30_000));
      return true;
    };
    await expect(pullModel(ID, { ...options, startTimer })).rejects.toMatchObject({
      code: 'HUB_UNREACHABLE',
    });
  });

  test('paths that lead out of the cache are ignored', async () => {
    const { options, cache } = await scene({
      ...files,
      '../../evil.onnx': Buffer.from('x'),
      'onnx/../../../e': Buffer.from('y'),
    });
    const { folder } = await pullModel(ID, options);
    expect(readdirSync(cache).sort()).toEqual(['.locks', 'models--some-org--small.model']);
    expect(readdirSync(folder)).toHaveLength(4);
  });
});

describe('settings', () => {
  test('the token is sent to the hub, from the variable or the file', async () => {
    const { hub, options, home } = await scene();
    await pullModel(ID, options);
    expect(hub.requests.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`)).toBe(true);
    writeFileSync(join(home, 'token'), 'hf_from_file\n');
    const { HF_TOKEN: _, ...env } = options.env;
    await pullModel(ID, { ...options, env });
    expect(hub.requests.at(-1)?.headers.authorization).toBe('Bearer hf_from_file');
  });

  test('the token is not sent to the host of a redirect', async () => {
    const { hub, options } = await scene();
    const other = await fakeHub(ID, files);
    hub.disturb = (request, response) => {
      if (!request.url?.startsWith('/cdn/')) return false;
      return end(response, 302, { Location: other.endpoint + request.url });
    };
    await pullModel(ID, options);
    expect(other.requests).not.toHaveLength(0);
    expect(other.requests.some(({ headers }) => 'authorization' in headers)).toBe(false);
  });

  test('the token is not sent to another host of a listing', async () => {
    const { hub, options } = await scene();
    const other = await fakeHub(ID, files);
    hub.disturb = (request, response) => {
      if (!request.url?.includes('/tree/')) return false;
      return end(response, 200, { Link: `<${other.endpoint}${request.url}>; rel="next"` }, '[]');
    };
    await pullModel(ID, options);
    expect(other.requests).not.toHaveLength(0);
    expect(other.requests.some(({ headers }) => 'authorization' in headers)).toBe(false);
  });

  test('HF_HUB_OFFLINE uses only the cache', async () => {
    const { hub, options } = await scene();
    const offline = { ...options, env: { ...options.env, HF_HUB_OFFLINE: '1' } };
    await expect(pullModel(ID, offline)).rejects.toMatchObject({ code: 'HUB_OFFLINE' });
    expect(hub.requests).toHaveLength(0);
    const online = await pullModel(ID, options);
    const before = hub.requests.length;
    expect(await pullModel(ID, offline)).toEqual({
      ...online,
      selection: expect.objectContaining({ weightType: 'q4' }),
    });
    expect(hub.requests).toHaveLength(before);
  });

  test('the environment’s proxy is used, except for this host', async () => {
    const { hub, options } = await scene();
    const proxy = await startProxy(Number(new URL(hub.endpoint).port));
    for (const name of ['http_proxy', 'HTTP_PROXY']) vi.stubEnv(name, proxy.address);
    for (const name of ['no_proxy', 'NO_PROXY']) vi.stubEnv(name, '');
    onTestFinished(() => void vi.unstubAllEnvs());
    await pullModel(ID, options);
    expect(proxy.hosts).toEqual([]);
    const home = await temporaryFolder();
    const env = { ...options.env, HF_ENDPOINT: 'http://hub.example', HF_HOME: home };
    await pullModel(ID, { ...options, env });
    expect(proxy.hosts).toContain('hub.example:80');
  });

  test('HF_HUB_CACHE overrides HF_HOME', async () => {
    const { options } = await scene();
    const elsewhere = await temporaryFolder();
    const { folder } = await pullModel(ID, { ...options, env: { ...options.env, HF_HUB_CACHE: elsewhere } });
    expect(folder.startsWith(elsewhere)).toBe(true);
  });

  test('an unreachable hub is one sentence', async () => {
    const { options } = await scene();
    const env = { ...options.env, HF_ENDPOINT: 'http://127.0.0.1:1' };
    const error = await pullModel(ID, { ...options, env }).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'HUB_UNREACHABLE' });
    expectOneSentence(error);
  });

  test.each(['gpt2/', '../x', 'a/b/c', 'a/..', '-a/b', 'a b/c', 'org/na--me'])(
    '%s is not an id',
    async id => {
      await expect(pullModel(id)).rejects.toMatchObject({ code: 'HUB_ID_INVALID' });
    },
  );
});

describe('a disk', () => {
  test('a disk without enough space is detected before the download', async () => {
    const { hub, options } = await scene();
    hub.listedSizes.set(DATA, 2 ** 52);
    await expect(pullModel(ID, options)).rejects.toMatchObject({ code: 'HUB_DISK_FULL' });
    expect(downloads(hub)).toHaveLength(0);
  });

  test(
    'a disk that fills up during the download is reported (Linux has a device for it)',
    needs(linux),
    async () => {
      const { options, cache } = await scene();
      const blobs = join(cache, 'models--some-org--small.model', 'blobs');
      mkdirSync(blobs, { recursive: true });
      symlinkSync('/dev/full', join(blobs, `${contentHash(weights)}.hefix.incomplete`));
      const error = await pullModel(ID, options).catch((error: unknown) => error);
      expect(error).toMatchObject({ code: 'HUB_DISK_FULL' });
      expectOneSentence(error);
    },
  );

  test('whose folder is a file is reported', async () => {
    const { options, home } = await scene();
    writeFileSync(join(home, 'file'), '');
    const env = { ...options.env, HF_HUB_CACHE: join(home, 'file', 'hub') };
    await expect(pullModel(ID, { ...options, env })).rejects.toMatchObject({
      code: 'HUB_CACHE_NOT_WRITABLE',
    });
  });
});

test('a repository without known weights is refused', async () => {
  const { options } = await scene({ 'config.json': Buffer.from('{}'), 'model.gguf': Buffer.from('GGUF') });
  await expect(pullModel(ID, options)).rejects.toMatchObject({ code: 'HUB_NO_WEIGHTS' });
});

async function scene(content: Readonly<Record<string, Buffer>> = files) {
  const hub = await fakeHub(ID, content);
  const home = await temporaryFolder();
  const env = { HF_ENDPOINT: hub.endpoint, HF_HOME: home, HF_TOKEN: TOKEN };
  const options = { env, retryWaits: [10, 10, 10] } satisfies PullOptions;
  return { hub, options, home, cache: join(home, 'hub') };
}

function downloads(hub: FakeHub) {
  return hub.requests.filter(({ url }) => url.includes('/resolve/') || url.startsWith('/cdn/'));
}

/** Where the weights are downloaded to. */
function partialOf(cache: string): string {
  return join(cache, 'models--some-org--small.model', 'blobs', `${contentHash(weights)}.hefix.incomplete`);
}

async function untilSize(file: string, bytes: number): Promise<void> {
  await eventually(() => expect(statSync(file).size).toBeGreaterThanOrEqual(bytes));
}

/** Cuts only the downloads of the weights, after the bytes sent have been written. */
function interrupt(hub: FakeHub, cache: string, cuts: readonly number[]): void {
  const partial = partialOf(cache);
  hub.received = bytes => untilSize(partial, bytes);
  const left = [...cuts];
  hub.disturb = request => {
    const cut = request.url === `/cdn/${DATA}` ? left.shift() : undefined;
    hub.cuts.length = 0;
    if (cut !== undefined) hub.cuts.push(cut);
    return false;
  };
}

function expectOneSentence(error: unknown): void {
  expect(error).toBeInstanceOf(HefixError);
  const { message, hint } = error as HefixError;
  expect(message).toMatch(/^[^\n]+\.$/);
  expect(`${message} ${hint} ${String((error as HefixError).cause)}`).not.toContain(TOKEN);
}

import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serveBoard } from '../../lib/cli/queue/command.ts';
import { openQueue } from '../../lib/run/queue/bullmq-queue.ts';
import { hefixHere } from '../support/cli.ts';
import { needs } from '../support/needs.ts';
import { redisServer, sharedRedis } from '../support/redis.ts';

describe('hefix queue board', needs(redisServer), () => {
  const redis = sharedRedis();
  beforeAll(async () => {
    const queue = await openQueue({ queue: redis().url, queueName: 'hefix' });
    await queue.add([{ id: 'u1', run: 'a', units: '0.0 0.1' }], 'units');
    await queue.close();
  });

  async function served(): Promise<string> {
    const { address, close } = await serveBoard({ queue: redis().url, queueName: 'hefix' }, 0);
    onTestFinished(close);
    return address;
  }

  test('serves the page, its parts and the jobs below a secret address', async () => {
    const address = await served();
    const page = await (await fetch(address)).text();
    expect(page).toContain(`<base href="${new URL(address).pathname}"`);
    const [script = ''] = /static\/js\/main\.\w+\.js/.exec(page) ?? [];
    const part = await fetch(address + script);
    expect([part.status, part.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^(text|application)\/javascript; charset=utf-8$/),
    ]);
    const { queues } = await (await fetch(`${address}api/queues?activeQueue=hefix&status=waiting`)).json();
    expect(queues).toMatchObject([
      { name: 'hefix', counts: { waiting: 1 }, readOnlyMode: true, jobs: [{ id: 'u1' }] },
      { name: 'hefix-suspects', counts: { waiting: 0 } },
    ]);
  });

  test('answers nothing without the token or under another host name', async () => {
    const address = await served();
    const { origin, port, pathname } = new URL(address);
    for (const path of ['/', '/api/queues', `/${'x'.repeat(43)}/api/queues`, `${pathname.slice(0, 30)}/`]) {
      expect((await fetch(origin + path)).status, path).toBe(403);
    }
    const status = await new Promise(resolve => {
      request(address, { headers: { host: `example.org:${port}` } }, answer =>
        resolve(answer.statusCode),
      ).end();
    });
    expect(status).toBe(403);
  });

  test('changes nothing', async () => {
    const address = await served();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await fetch(`${address}api/queues/hefix/pause`, { method })).status).toBe(405);
    }
    const queue = await openQueue({ queue: redis().url, queueName: 'hefix' });
    expect(await queue.counts()).toMatchObject({ paused: false, waiting: 1 });
    await queue.close();
  });

  test('lets the page load nothing from elsewhere, and listens on 127.0.0.1 only', async () => {
    const address = await served();
    const policy = (await fetch(address)).headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';/);
    expect(policy).not.toMatch(/\*|https?:/);
    const { port, pathname } = new URL(address);
    const others = Object.values(networkInterfaces()).flatMap(all => all ?? []);
    for (const other of others.filter(({ internal, family }) => !internal && family === 'IPv4')) {
      await expect(fetch(`http://${other.address}:${port}${pathname}`)).rejects.toThrow('fetch failed');
    }
  });

  test('prints its address, and takes no options of a page elsewhere', async () => {
    const stop = new AbortController();
    const at = ['--queue', redis().url];
    const { stdout, exitCode } = await hefixHere(['queue', 'board', ...at], {
      signal: stop.signal,
      onWrite: text => {
        if (text.includes('Press Ctrl-C')) stop.abort();
      },
    });
    expect([stdout, exitCode]).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/),
      0,
    ]);
    const { stderr } = await hefixHere(['queue', 'status', '--port', '8080', ...at]);
    expect(stderr).toContain('--port requires hefix queue board.');
  });
});

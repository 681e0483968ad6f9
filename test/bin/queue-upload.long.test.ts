import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordsHash } from '../../lib/run/queue/collect.ts';
import { hefix } from '../support/cli.ts';
import { needs } from '../support/needs.ts';
import { freePort, redisServer, startRedis } from '../support/redis.ts';
import { recordsIn } from '../support/small-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe(
  'hefix worker without a shared folder',
  needs(redisServer, { what: 'openssl', isThere: hasOpenssl }),
  () => {
    test('sends its records over HTTPS, with the token and to a certificate that it trusts only', async () => {
      const folder = await temporaryFolder();
      const redis = await startRedis('--appendonly', 'yes');
      onTestFinished(redis.close);
      const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
      const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=hefix -addext subjectAltName=IP:127.0.0.1`;
      spawnSync('openssl', [...request.split(' '), '-out', certificate, '-keyout', key]);

      const address = `https://127.0.0.1:${await freePort()}`;
      const at = ['--queue', redis.url];
      const set = ['--agent', 'search', '--no-rank', '--budget', '20', '--ts', '4', '--quiet'];
      const out = join(folder, 'r.jsonl');
      const collect = ['--collect', address, '--collect-cert', certificate, '--collect-key', key];
      const token = { HEFIX_COLLECT_TOKEN: 'right-token' };
      const run = hefix(['run', ...set, '--out', out, ...at, ...collect], { env: token });
      const worker = (env: Readonly<Record<string, string>>, to = ['--collect', address]) =>
        hefix(['worker', '--once', ...at, ...to], { env, timeout: 100_000, killSignal: 'SIGKILL' });

      const told = await worker(token, []);
      expect([told.exitCode, told.stderr]).toEqual([1, expect.stringContaining('[SHARDS_NOT_NAMED]')]);
      expect(told.stderr).toContain(`start the worker with --collect ${address}.`);

      const distrustful = await worker(token);
      expect(distrustful.exitCode, String(distrustful.stderr)).toBe(1);
      expect(distrustful.stderr).toMatch(
        /The certificate of the coordinator at https:.* is not trusted: .*\n.*NODE_EXTRA_CA_CERTS/,
      );
      const trust = { NODE_EXTRA_CA_CERTS: certificate };
      const wrong = await worker({ HEFIX_COLLECT_TOKEN: 'wrong-token', ...trust });
      expect(wrong.exitCode, String(wrong.stderr)).toBe(1);
      expect(wrong.stderr).toContain('refuses the records: The token is wrong. [UPLOAD_REFUSED]');
      const right = await worker({ ...token, ...trust });
      expect(right.exitCode, String(right.stderr)).toBe(0);
      const { exitCode, stderr } = await run;
      expect(exitCode).toBe(0);
      expect([stderr, right.stderr, wrong.stderr].join('')).not.toMatch(/right-token|wrong-token/);
      const alone = join(folder, 'alone.jsonl');
      await hefix(['run', ...set, '--out', alone]);
      expect(recordsHash(await recordsIn(out))).toBe(recordsHash(await recordsIn(alone)));
      // Only the coordinator wrote to the folder.
      expect(await readdir(join(folder, 'r.shards'))).toHaveLength(2);
    });
  },
);

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { samplingParameters } from '../../lib/core/choices.ts';
import {
  applyVariables,
  readEnvironment,
  readHubEnvironment,
  readServerEnvironment,
  variableWarnings,
} from '../../lib/options/settings.ts';
import { parseFixOptions } from '../../lib/options/tables/fix-options.ts';
import { omittedParameters } from '../../lib/options/tables/model-options.ts';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { trusting } from '../support/trust.ts';

const server = { backend: 'openai', model: 'coder' };

test.each([
  ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
  ['http://127.0.0.1:8000/v1/', 'http://127.0.0.1:8000/v1'],
  ['https://example.org/openai/v1/chat/completions', 'https://example.org/openai/v1'],
  ['http://localhost:8080', 'http://localhost:8080'],
])('--base-url %s is %s', (baseUrl, expected) => {
  expect(parseRunOptions({ ...server, baseUrl }).baseUrl).toBe(expected);
});

test.each<[Record<string, unknown>, string]>([
  [{ backend: 'openai' }, 'hefix --backend openai needs --model.'],
  [{ provider: 'together' }, 'hefix --provider together needs --model.'],
  [{ provider: 'together', backend: 'onnx', model: 'coder' }, '--provider requires --backend openai.'],
  [{ maxTries: '2' }, '--max-tries requires --backend openai.'],
  [
    { ...server, provider: 'together', baseUrl: 'http://127.0.0.1/v1' },
    '--provider and --base-url cannot be combined.',
  ],
  [
    { ...server, baseUrl: 'localhost:8000' },
    '--base-url is "localhost:8000", expected an address that starts with http:// or https://.',
  ],
  [
    { ...server, baseUrl: 'https://me:secret@example.org/v1' },
    '--base-url was given, expected an address without a user name, query or fragment.',
  ],
  [
    { ...server, baseUrl: 'https://example.org/v1?key=secret' },
    '--base-url was given, expected an address without a user name, query or fragment.',
  ],
  [
    { ...server, omit: 'seed,sed' },
    `--omit is "seed,sed", expected names of ${samplingParameters.join(', ')}, separated by commas.`,
  ],
  [{ ...server, priceIn: '1' }, '--price-in requires --price-out.'],
  [{ ...server, maxTries: '0' }, '--max-tries is "0", expected a whole number from 1 to 100.'],
  [{ backend: 'scripted', cache: true }, '--cache and --backend scripted cannot be combined.'],
])('%j: %s', (given, message) => {
  expect(() => parseRunOptions(given)).toThrow(expect.objectContaining({ message }));
});

test('--omit names parameters', () => {
  expect(omittedParameters('seed, top_p')).toEqual(['seed', 'top_p']);
  expect(omittedParameters(undefined)).toEqual([]);
});

test('.env of a trusted folder has lower priority than the environment, which does not change', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, '.env'), '# keys\nOPENAI_API_KEY="a,b"\nexport HF_TOKEN=from-file\n');
  const environment = { HF_TOKEN: 'from-environment', ...(await trusting(folder)) };
  const before = { ...environment };
  expect(readEnvironment(folder, environment)).toEqual({ OPENAI_API_KEY: 'a,b', ...before });
  expect(environment).toEqual(before);
});

test.each([
  ['https://api.together.ai/v1', { TOGETHER_API_KEY: 'a,b' }],
  ['https://router.huggingface.co/v1', { HF_TOKEN: 'hf_file' }],
  ['https://other.together.ai/v1', {}],
  ['http://api.together.ai/v1', {}],
  ['https://owner.endpoints.huggingface.cloud/v1', {}],
  ['http://127.0.0.1:11434/v1', {}],
  ['https://api.openai.com/v1', {}],
])('.env of any folder sets the key of the provider at %s: %j', async (baseUrl, expected) => {
  const folder = await temporaryFolder();
  const lines = ['TOGETHER_API_KEY=a,b', 'HF_TOKEN=hf_file', 'OLLAMA_API_KEY=o', 'HF_ENDPOINT=http://x'];
  await writeFile(join(folder, '.env'), lines.join('\n'));
  expect(readServerEnvironment(folder, {}, baseUrl)).toEqual(expected);
});

test('a key in the environment comes before one in .env, whichever variables hold them', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, '.env'), 'HF_TOKEN=file\n');
  const own = { HF_API_TOKEN: 'own' };
  expect(readServerEnvironment(folder, own, 'https://router.huggingface.co/v1')).toEqual(own);
});

test("a token in .env goes to the hub's own address only", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, '.env'), 'HF_TOKEN=file\nHF_HOME=x\n');
  expect(readHubEnvironment(folder, {})).toEqual({ HF_TOKEN: 'file' });
  expect(readHubEnvironment(folder, { HF_TOKEN: 'own' })).toEqual({ HF_TOKEN: 'own' });
  const elsewhere = { HF_ENDPOINT: 'https://hub.example.org' };
  expect(readHubEnvironment(folder, elsewhere)).toEqual(elsewhere);
});

test.each([{ provider: 'together' }, { baseUrl: 'http://127.0.0.1:8000/v1' }])(
  '%j implies --backend openai',
  given => {
    expect(parseRunOptions({ ...given, model: 'm' }).backend).toBe('openai');
    expect(parseFixOptions({ ...given, model: 'm' }).backend).toBe('openai');
  },
);

test('.env of a trusted folder sets caches, proxies and interpreters for the whole process, but no keys', async () => {
  const folder = await temporaryFolder();
  const text =
    'HEFIX_CACHE=/c\nhttps_proxy=http://p\nVIRTUAL_ENV=/v\nDOCKER_HOST=d\nHF_TOKEN=t\nLD_PRELOAD=l\n';
  await writeFile(join(folder, '.env'), text);
  const untrusted: NodeJS.ProcessEnv = {};
  applyVariables(folder, untrusted);
  expect(untrusted).toEqual({});
  const environment: NodeJS.ProcessEnv = { ...(await trusting(folder)), DOCKER_HOST: 'own' };
  applyVariables(folder, environment);
  const { XDG_STATE_HOME: _, ...set } = environment;
  expect(set).toEqual({ HEFIX_CACHE: '/c', https_proxy: 'http://p', VIRTUAL_ENV: '/v', DOCKER_HOST: 'own' });
});

test('variables in .env that do not count are warnings, trusted or not', async () => {
  const folder = await temporaryFolder();
  await writeFile(
    join(folder, '.env'),
    'HF_HOME=t\nHF_TOKEN=t\nAWS_REGION=r\nOTEL_SERVICE_NAME=s\nOTHER=o\n',
  );
  const outside = '.env sets AWS_REGION, OTEL_SERVICE_NAME, which count only in the environment.';
  expect(variableWarnings(folder, { XDG_STATE_HOME: await temporaryFolder() })).toEqual([
    '.env sets HF_HOME, which counts only once you trust this folder (hefix trust).',
    outside,
  ]);
  const trusted = await trusting(folder);
  expect(variableWarnings(folder, trusted)).toEqual([outside]);
  expect(variableWarnings(folder, { ...trusted, AWS_REGION: 'r', OTEL_SERVICE_NAME: 's' })).toEqual([]);
});

test('a folder named .env, as in some Python projects, is ignored', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, '.env'));
  expect(readEnvironment(folder, { A: '1' })).toEqual({ A: '1' });
});

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../lib/files/package.ts';
import { needs } from './support/needs.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const queues = ['bullmq', 'ioredis', 'pg'];
const boards = ['@bull-board/api', '@bull-board/hono', '@hono/node-server', 'hono'];
const buckets = ['@aws-sdk/client-s3', '@aws-sdk/lib-storage'];
const spans = [
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
];
/** For a Node.js or a system that the bundled versions have no binary for. */
const isolates = ['isolated-vm'];
const optional = [...queues, ...boards, ...buckets, ...spans, ...isolates];

test('the manifest makes queues, their board, buckets, spans and isolates optional, and lets no package run a script', async () => {
  const manifest = JSON.parse(await readFile(packageFile('package.json'), 'utf8'));
  expect(Object.keys(manifest.dependencies).filter(name => optional.includes(name))).toEqual([]);
  expect(Object.keys(manifest.peerDependencies)).toEqual([...optional].sort());
  for (const name of optional) expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
  expect(manifest.allowScripts).toEqual({
    'file:fixtures/package/build-checkout': true,
    'isolated-vm': false,
    koffi: false,
    'onnxruntime-node': false,
    'msgpackr-extract': false,
  });
  // npm prints the command of each when it installs a checkout.
  const announced = /^(?:pre|post)?(?:install|prepare)$|^prepublish$/;
  expect(Object.keys(manifest.scripts).filter(name => announced.test(name))).toEqual([]);
  // npm 11 warns of unknown settings.
  const settings = (await readFile(packageFile('.npmrc'), 'utf8')).trim().split('\n');
  expect(settings).toEqual(['fund=false', 'audit=false']);
});

const script = packageFile('node_modules/onnxruntime-node/script/install.js');
const installScript = { what: 'a script that npm pack removes (npm ci)', isThere: existsSync(script) };

test(
  'npm 10 runs the install script of onnxruntime-node, which downloads nothing',
  needs(installScript),
  async () => {
    const { exitCode, stdout, stderr } = await execa(process.execPath, [script], {
      // Any connection would fail immediately.
      env: { HTTPS_PROXY: 'http://127.0.0.1:1', npm_config_local_prefix: '/elsewhere' },
      reject: false,
    });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  },
);

test('npm 10 runs the install script of isolated-vm 5, which compiles nothing', async () => {
  // npm 10 links the programs of folders only after the install scripts, so that this is a packed one (npm pack).
  const packed = packageFile('fixtures/package/prebuild-install-7.1.3.tgz');
  for (const name of ['index.cjs', 'package.json']) {
    const { stdout } = await execa('tar', ['-xOzf', packed, `package/${name}`], { stripFinalNewline: false });
    expect(stdout).toBe(await readFile(packageFile(`fixtures/package/no-compile/${name}`), 'utf8'));
  }
  const { scripts } = JSON.parse(
    await readFile(packageFile('node_modules/isolated-vm/package.json'), 'utf8'),
  );
  expect(scripts.install).toMatch(/^prebuild-install \|\| /);
  const { exitCode, stdout, stderr } = await execa(packageFile('node_modules/.bin/prebuild-install'));
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

test('bundled packages contain no binaries for other systems, unused grammars or scripts', async () => {
  const folder = await temporaryFolder();
  const runtime = join(folder, 'node_modules/onnxruntime-node');
  const grammars = join(folder, 'node_modules/@vscode/tree-sitter-wasm/wasm');
  const binaries = [
    'linux/x64/libonnxruntime.so.1',
    'linux/arm64/libonnxruntime.so.1',
    'win32/x64/onnxruntime.dll',
  ];
  const mac = ['libonnxruntime.1.30.0.dylib', 'libonnxruntime.1.dylib', 'onnxruntime_binding.node'];
  for (const file of [...binaries, ...mac.map(name => `darwin/arm64/${name}`)])
    await put(join(runtime, 'bin/napi-v6', file));
  await put(join(runtime, 'script/install.js'));
  const { version, dependencies } = JSON.parse(
    await readFile(packageFile('node_modules/onnxruntime-node/package.json'), 'utf8'),
  );
  const manifest = { version, dependencies, scripts: { postinstall: 'node ./script/install' } };
  await writeFile(join(runtime, 'package.json'), JSON.stringify(manifest));
  for (const name of ['python', 'javascript', 'typescript', 'tsx', 'ruby', 'c-sharp'])
    await put(join(grammars, `tree-sitter-${name}.wasm`));
  await put(join(grammars, 'tree-sitter.wasm'));
  for (const version of [6, 7]) {
    const isolatedVm = join(folder, `node_modules/isolated-vm-${version}`);
    await put(join(isolatedVm, 'binding.gyp'));
    await put(join(isolatedVm, 'src/isolate.cc'));
    await put(join(isolatedVm, 'isolated-vm.js'));
    for (const system of ['darwin-arm64', 'linux-x64', 'win32-x64'])
      await put(join(isolatedVm, 'prebuilds', system, 'isolated-vm.abi137.node'));
    const scripts = { install: 'node-gyp-build || node-gyp rebuild' };
    const text = { name: 'isolated-vm', engines: { node: '>=22' }, scripts };
    await writeFile(join(isolatedVm, 'package.json'), JSON.stringify(text));
  }

  // A second time, like two `npm pack` in a row.
  for (const _ of [1, 2])
    await execa(process.execPath, [packageFile('fixtures/package/prune-bundled.mjs'), folder]);
  expect((await readdir(join(runtime, 'bin/napi-v6'))).sort()).toEqual(['darwin', 'linux']);
  expect(await readdir(join(runtime, 'bin/napi-v6/darwin/arm64'))).toEqual(mac.slice(1));
  expect(JSON.parse(await readFile(join(runtime, 'package.json'), 'utf8'))).toEqual({
    version,
    dependencies: { 'onnxruntime-common': version },
  });
  for (const version of [6, 7]) {
    const isolatedVm = join(folder, `node_modules/isolated-vm-${version}`);
    expect((await readdir(isolatedVm)).sort()).toEqual(['isolated-vm.js', 'package.json', 'prebuilds']);
    expect((await readdir(join(isolatedVm, 'prebuilds'))).sort()).toEqual(['darwin-arm64', 'linux-x64']);
    expect(JSON.parse(await readFile(join(isolatedVm, 'package.json'), 'utf8'))).toEqual({
      name: 'isolated-vm',
      gypfile: false,
    });
  }
  expect((await readdir(grammars)).sort()).toEqual([
    'tree-sitter-javascript.wasm',
    'tree-sitter-python.wasm',
    'tree-sitter-tsx.wasm',
    'tree-sitter-typescript.wasm',
    'tree-sitter.wasm',
  ]);
});

async function put(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
}

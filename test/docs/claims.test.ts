import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findCommand } from '../../lib/cli/commands.ts';
import { caches } from '../../lib/cli/doctor/caches.ts';
import { exitCodeOf } from '../../lib/cli/fix/command.ts';
import { finishingText } from '../../lib/cli/worker/command.ts';
import { machineFormats } from '../../lib/core/choices.ts';
import { CALLS_KEPT } from '../../lib/extra/mcp/calls.ts';
import { RUNS_SHOWN } from '../../lib/extra/mcp/resources.ts';
import { packageFile } from '../../lib/files/package.ts';
import { workerOptions } from '../../lib/options/tables/queue-options.ts';
import { runOptions } from '../../lib/options/tables/run-options.ts';
import { WORTH_BYTES } from '../../lib/report/results/fact-table.ts';
import { LARGE_BYTES } from '../../lib/report/viewer/record-index.ts';
import { MAX_INLINE_BYTES } from '../../lib/run/library/report.ts';
import { withDefaults } from '../../lib/sandbox/process/execution.ts';
import { pages } from '../support/pages.ts';

/** What the documents say about limits, defaults, exit codes and files, compared with the code. */

const page = (path: string) => readFileSync(packageFile(path), 'utf8');
const mib = (bytes: number) => `${bytes / 2 ** 20} MiB`;

test('limits and defaults in the documents are those of the code', () => {
  const grace = workerOptions.grace.schema.parse(undefined);
  const claims: readonly (readonly [path: string, sentence: string])[] = [
    ['docs/evaluate.md', `A results file of ${mib(WORTH_BYTES)} or more gets a folder`],
    ['docs/decisions/records.md', `For files of ${mib(WORTH_BYTES)} or more`],
    ['docs/evaluate.md', `pages runs of more than ${mib(LARGE_BYTES)} on the server`],
    ['docs/evaluate.md', `report of a run of more than ${mib(MAX_INLINE_BYTES)} has the charts only`],
    [
      'docs/agents.md',
      `also prints ${machineFormats
        .slice(1)
        .map(name => `\`${name}\``)
        .join(', ')
        .replace(/, ([^,]+)$/, ' and $1')},`,
    ],
    ['docs/queue.md', `finishes the units that end within ${grace} seconds (\`--grace\`)`],
    ['docs/mcp.md', `the last ${CALLS_KEPT} calls and the latest ${RUNS_SHOWN} runs`],
    ['SECURITY.md', `a warm container serves up to ${withDefaults({}).maxExecutions} executions`],
  ];
  for (const [path, sentence] of claims) expect(page(path)).toContain(sentence);
  expect(finishingText(grace)).toContain(`${grace} s`);
  expect(runOptions.sandbox.about).toContain('warm containers');
});

test('SECURITY.md looks at every dependency with native code or an install script', () => {
  const { packages } = JSON.parse(page('package-lock.json')) as { packages: Record<string, LockedPackage> };
  const isNative = (name: string, folder: string) => {
    const found = packages[`${folder}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
    return found?.os !== undefined || found?.cpu !== undefined;
  };
  const names = Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .filter(
      ([folder, { hasInstallScript, optionalDependencies = {} }]) =>
        hasInstallScript || Object.keys(optionalDependencies).some(name => isNative(name, folder)),
    )
    .map(([folder, { name }]) => name ?? folder.replace(/^.*node_modules\//, ''));
  expect(names).toContain('onnxruntime-node');
  const table = page('SECURITY.md').split('| package | part of hefix |')[1]?.split('\n\n')[0] ?? '';
  expect([...new Set(names)].filter(name => !table.includes(`\`${name}\``))).toEqual([]);
});

interface LockedPackage {
  readonly name?: string;
  readonly hasInstallScript?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

test('docs/configuration.md lists the folders of the cache with the limits that doctor prints', () => {
  const lines = page('docs/configuration.md').split('\n');
  for (const [name, limit] of Object.entries(caches)) {
    const line = lines.find(text => text.startsWith(`| \`${name}\` | `)) ?? '';
    expect(line.replaceAll('`', '')).toContain(limit);
  }
});

test('the README names the commands whose errors have an exit code of their own', async () => {
  const [paragraph = ''] = /^Exit codes: .*$/m.exec(page('README.md')) ?? [];
  const all = [...page('README.md').matchAll(/^\| `(\w+)`(?:, `(\w+)`)? \|/gm)].flatMap(([, ...names]) =>
    names.filter(name => name !== undefined),
  );
  expect(all).toContain('attack');
  for (const name of all) {
    const { errorExitCode = 1 } = (await findCommand(name)?.load()) ?? {};
    const [own = ''] = paragraph
      .split('; ')
      .flatMap(part => part.split('. '))
      .filter(part => part.startsWith(`\`${name}\``));
    expect([name, /\b2 for an error/.test(own)]).toEqual([name, errorExitCode === 2]);
  }
});

test('the exit codes of hefix fix', () => {
  const code = (outcome: Parameters<typeof exitCodeOf>[0]['outcome'], elsewhere: string[] = []) =>
    exitCodeOf({ outcome, elsewhere });
  expect([code('repaired'), code('repaired', ['test_a']), code('nothing-to-repair')]).toEqual([0, 0, 0]);
  expect([code('not-repaired'), code('partly'), code('unsure')]).toEqual([1, 1, 1]);
  expect(code('nothing-to-repair', ['test_a'])).toBe(2);
  expect(page('README.md')).toContain(
    '`fix` with 0 if the code was repaired or needs no repair, 1 if it was not repaired and 2 for an error or if tests need what the sandbox does not have',
  );
});

test('only a proven pass is said not to be forgeable', () => {
  const manifest = { path: 'package.json', text: page('package.json') };
  const sentences = [...pages, manifest].flatMap(({ path, text }) =>
    (text.match(/[^.\n]*(?:cannot be forged|cannot forge)[^.\n]*/g) ?? []).map(sentence => ({
      path,
      sentence,
    })),
  );
  expect(sentences.length).toBeGreaterThan(3);
  expect(sentences.filter(({ sentence }) => !/proven/i.test(sentence))).toEqual([]);
});

import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../lib/files/package.ts';
import { programFolder, temporaryFolder } from './support/temporary-folder.ts';

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** Runs the steps of action.yml as GitHub's runner does, except for those that use another action. */
async function runAction(cwd: string, given: Readonly<Record<string, string>>) {
  const { inputs, runs }: Action = parse(readFileSync(packageFile('action.yml'), 'utf8'));
  const temp = await programFolder();
  const files = { GITHUB_OUTPUT: join(temp, 'output'), GITHUB_STEP_SUMMARY: join(temp, 'summary') };
  for (const path of Object.values(files)) writeFileSync(path, '');
  // The machine that the test runs on stays as it is.
  writeFileSync(join(temp, 'sudo'), '#!/bin/sh\n');
  chmodSync(join(temp, 'sudo'), 0o755);
  const values: Record<string, string> = { 'runner.os': 'Linux' };
  for (const [name, input] of Object.entries(inputs)) values[`inputs.${name}`] = given[name] ?? input.default;
  const filled = (text: string) =>
    text.replace(/\$\{\{ (.*?) \}\}/g, (_, name: string) => values[name] ?? '?');
  const uses: Step[] = [];
  for (const step of runs.steps) {
    const [, name = '', operator, value] = /^(\S+) (==|!=) '(.*)'$/.exec(step.if ?? '') ?? [];
    if (operator !== undefined && ((values[name] ?? '') === value) !== (operator === '==')) continue;
    if (step.run === undefined) {
      const filledIn = Object.entries(step.with ?? {}).map(([key, text]) => [key, filled(text)]);
      uses.push({ ...step, with: Object.fromEntries(filledIn) });
      continue;
    }
    const own = Object.entries(step.env ?? {}).map(([key, text]) => [key, filled(text)]);
    const { exitCode, all } = await execa(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run],
      {
        cwd,
        all: true,
        reject: false,
        env: {
          ...{ ...files, RUNNER_TEMP: temp, GITHUB_ACTION_PATH: packageFile('.') },
          ...{ NO_COLOR: '1', FORCE_COLOR: undefined, PATH: `${temp}:${process.env.PATH}` },
          ...Object.fromEntries(own),
        },
      },
    );
    if (exitCode !== 0) return { failed: all ?? '', outputs: { repaired: '', patch: '' }, summary: '', uses };
    for (const line of readFileSync(files.GITHUB_OUTPUT, 'utf8').split('\n')) {
      const [key = '', text = ''] = line.split('=');
      if (key !== '') values[`steps.${step.id}.outputs.${key}`] = text;
    }
  }
  const outputs = {
    repaired: values['steps.fix.outputs.repaired'] ?? 'none',
    patch: values['steps.fix.outputs.patch'] ?? 'none',
  };
  return { failed: '', outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'), uses };
}

async function projectWith(body: string): Promise<string> {
  const cwd = await temporaryFolder();
  writeFileSync(
    join(cwd, 'shop.py'),
    `def price(count):\n    """Costs.\n    \`\`\`\n    """\n    return ${body}\n`,
  );
  writeFileSync(
    join(cwd, 'test_shop.py'),
    'from shop import price\n\n\ndef test_price():\n    assert price(2) == 6\n    assert price(0) == 0\n',
  );
  return cwd;
}

/** The files of a checkout. */
function contentsOf(cwd: string): Record<string, string> {
  const files = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter(path =>
    statSync(join(cwd, path)).isFile(),
  );
  return Object.fromEntries(files.map(path => [path, readFileSync(join(cwd, path), 'utf8')]));
}

const offline = { arguments: '--no-rank --time 20' };

test('a repair is an artifact and a summary', async () => {
  const cwd = await projectWith('count * 4');
  const before = contentsOf(cwd);
  const { failed, outputs, summary, uses } = await runAction(cwd, offline);
  expect([failed, outputs.repaired]).toEqual(['', 'true']);
  expect(contentsOf(cwd)).toEqual(before);
  expect(uses).toMatchObject([{ with: { name: 'hefix-patch', path: outputs.patch } }]);
  expect(uses[0]?.uses).toMatch(/^actions\/upload-artifact@[0-9a-f]{40}$/);
  expect(summary).toContain('1 of 1 tests fail');
  const [, fence = '', diff = ''] = /^(`+)diff\n([\s\S]*)\n\1$/m.exec(summary) ?? [];
  expect(diff).toContain('-    return count * 4\n+    return count * 3');
  expect(summary.split(fence)).toHaveLength(5);
  await execa('git', ['apply', outputs.patch], { cwd });
  expect(readFileSync(join(cwd, 'shop.py'), 'utf8')).toContain('count * 3');
});

test('a run without a repair writes a summary of what was learned, and no artifact', async () => {
  const cwd = await projectWith("[name for name in 'abc']");
  const { failed, outputs, summary, uses } = await runAction(cwd, offline);
  expect({ failed, outputs, uses }).toEqual({
    failed: '',
    outputs: { repaired: 'false', patch: '' },
    uses: [],
  });
  expect(summary).toContain('Look first at the test test_shop.py::test_price');
  expect(summary).not.toContain('`diff');
});

test('the action needs no token', () => {
  expect(readFileSync(packageFile('action.yml'), 'utf8')).not.toMatch(/token|secrets/i);
});

test('an error ends the step; inputs are no code', async () => {
  const cwd = await projectWith('count * 4');
  const { failed } = await runAction(cwd, { ...offline, path: '$(touch owned)' });
  expect(failed).toContain('There is no $(touch owned). [TARGET_NOT_FOUND]');
});

import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { rerunProject } from '../../support/rerun-project.ts';

/** The test fails with the number of times that its thread has loaded it, and with what the source returns. */
const tells = `import { expect, test } from 'vitest';
import { value } from './value';
globalThis.loads = (globalThis.loads ?? 0) + 1;
const { loads } = globalThis;
test('tells', () => expect(loads + ' ' + value() + ' ' + (globalThis.seen ?? '')).toBe(''));
`;
const returns = (text: string): string => `export const value = () => '${text}';\n`;
const packages = packageFile('node_modules');

const project = rerunProject();

async function start(files: Readonly<Record<string, string>>): Promise<void> {
  await project.start(files, packages);
}

/** What the only test says. */
async function said(
  text: string,
  only: readonly string[] | null = ['a.test.ts > tells'],
  apart = false,
): Promise<string> {
  const { tests, fault } = await project.run('value.ts', text, only, 2, { apart });
  return /expected '(.*?)\s*' to be/.exec(tests[0]?.message ?? '')?.[1] ?? tests[0]?.message ?? String(fault);
}

test('candidates share a thread of vitest, see the changed module, and all tests get a new one', async () => {
  const setup = "import { value } from './value';\nglobalThis.seen = value();\n";
  await start({
    'package.json': '{"type": "module"}',
    'vitest.config.ts': "export default { test: { setupFiles: ['./setup.ts'] } };\n",
    'setup.ts': setup,
    'a.test.ts': tells,
    'value.ts': returns('old'),
  });
  expect(await said(returns('all'), null)).toBe('1 all all');
  expect(await said(returns('one'))).toBe('1 one one');
  expect(await said(returns('two'))).toBe('2 two two');
  expect(await said('throw new TypeError("no");\n')).toContain('no');
  expect(await said(returns('three'))).toBe('3 three three');
  expect(await said('export const value = () => { for (;;); };\n')).not.toContain('three');
  expect(await said(returns('four'))).toContain('four four');
  expect(await said(returns('all'), null)).toBe('1 all all');
});

test('vitest’s thread is another one after 200 candidates, and runs the named file only', async () => {
  await start({
    'package.json': '{"type": "module"}',
    'a.test.ts': tells,
    'aa.test.ts': tells,
    'value.ts': returns('old'),
  });
  const texts: string[] = [];
  for (let run = 1; run <= 202; run++) texts.push(await said(returns(`v${run}`)));
  expect(texts).toEqual(texts.map((_, index) => `${(index % 200) + 1} v${index + 1}`));
});

test.each([
  [
    'what the configuration imports',
    {
      'vitest.config.ts':
        "import { value } from './value';\nexport default { test: { env: { READ: value() }, setupFiles: ['./setup.ts'] } };\n",
      'setup.ts': 'globalThis.seen = process.env.READ;\n',
    },
  ],
  [
    'what is set up before all tests',
    {
      'vitest.config.ts':
        "export default { test: { globalSetup: './once.ts', setupFiles: ['./setup.ts'] } };\n",
      'once.ts':
        "import { value } from './value';\nexport default ({ provide }) => provide('read', value());\n",
      'setup.ts': "import { inject } from 'vitest';\nglobalThis.seen = inject('read');\n",
    },
  ],
])('a run that is apart has a new thread, and %s is read again', async (_, files) => {
  await start({
    'package.json': '{"type": "module"}',
    'a.test.ts': tells,
    'value.ts': returns('old'),
    ...files,
  });
  expect(await said(returns('old'))).toBe('1 old old');
  expect(await said(returns('one'), undefined, true)).toBe('1 one one');
  expect(await said(returns('two'), undefined, true)).toBe('1 two two');
  expect(await said(returns('three'))).toBe('1 three two');
  expect(await said(returns('four'), null, true)).toBe('1 four four');
});

test('with a limit on processor time, a test that never ends stops those of its file in a run of all tests', async () => {
  const two =
    "import { test } from 'vitest';\nimport { value } from './value';\ntest('one', () => void value());\n";
  await start({
    'package.json': '{"type": "module"}',
    'a.test.ts': `${two}test('two', () => void value());\n`,
    'value.ts': returns('old'),
  });
  const endless = 'export const value = () => { for (;;); };\n';
  const messages = async (seconds: number, more: { readonly cpuSeconds?: number }) => {
    const { tests } = await project.run('value.ts', endless, null, seconds, more);
    return tests.map(({ message }) => message);
  };
  const [first, second] = await messages(60, { cpuSeconds: 1 });
  expect(first).toContain('1 s of processor time');
  expect(second).toContain('not run');
  expect((await messages(2, {}))[1]).toContain('took longer than 2 s');
});

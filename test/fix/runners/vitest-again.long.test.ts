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
async function said(text: string, only: readonly string[] | null = ['a.test.ts > tells']): Promise<string> {
  const { tests, fault } = await project.run('value.ts', text, only, 2);
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

import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { allowedPath } from '../../../lib/extra/mcp/server-parts.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { connected, structured } from './connected.ts';

test('returns a diff that git apply accepts, and writes nothing', async () => {
  const folder = await temporaryFolder();
  const project = join(folder, 'leap-year');
  await cp(packageFile('fixtures/projects/leap-year'), project, { recursive: true });
  const source = await readFile(join(project, 'calendar_rules.py'), 'utf8');
  const { client } = await connected({ allow: folder, noRank: true });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('fix_project');
  const messages: (string | undefined)[] = [];
  const answer = await client.callTool(
    { name: 'fix_project', arguments: { path: 'leap-year' } },
    { onprogress: ({ message }) => messages.push(message), timeout: 120_000 },
  );
  expect(structured(answer)).toMatchObject({
    result: { outcome: 'repaired', files: ['calendar_rules.py'], after: { failed: 0 } },
    error: null,
  });
  expect(messages).toContain('Copying the project');
  const { contents } = await client.readResource({ uri: 'hefix://calls/1' });
  const { details } = JSON.parse(String(Object(contents[0]).text));
  expect(details.searched).toEqual([
    expect.objectContaining({
      function: 'is_leap',
      location: expect.stringMatching(/^calendar_rules\.py:\d+$/),
    }),
  ]);
  expect(await readFile(join(project, 'calendar_rules.py'), 'utf8')).toBe(source);
  await execa('git', ['apply', '-'], { cwd: project, input: String(structured(answer).result?.diff) });
  expect(await readFile(join(project, 'calendar_rules.py'), 'utf8')).not.toBe(source);
});

test('returns the question which of several repairs is meant, with a diff and a test for each answer', async () => {
  const folder = await temporaryFolder();
  await writeFile(
    join(folder, 'count.py'),
    'def positives(values):\n    return len([value for value in values if value < 0])\n',
  );
  await writeFile(
    join(folder, 'test_count.py'),
    'from count import positives\n\n\ndef test_positives():\n    assert positives([3, 1, -2]) == 2\n',
  );
  const { client } = await connected({ allow: folder, noRank: true, time: 300, questionTime: 200 });
  const call = { name: 'fix_project', arguments: { path: 'count.py' } };
  const { result } = structured(await client.callTool(call, { timeout: 300_000 }));
  const { question, diff } = Object(result);
  expect(question).toMatchObject({ file: 'count.py', function: 'positives', chosen: null });
  expect(question.answers.length).toBeGreaterThan(1);
  expect(question.answers[0].diff).toBe(diff);
  for (const { test: written } of question.answers)
    expect(written).toMatchObject({
      file: 'test_count.py',
      code: expect.stringContaining('assert positives('),
    });
});

test('tells two functions of one name apart in the details', async () => {
  const folder = await temporaryFolder();
  const test = (name: string) => `\n\ndef test_${name}():\n    assert ${name}.change(4) == 8\n`;
  await writeFile(join(folder, 'one.py'), 'def change(x):\n    return x + 2\n');
  await writeFile(join(folder, 'two.py'), 'def change(x):\n    return x - 2\n');
  await writeFile(join(folder, 'test_both.py'), `import one\nimport two\n${test('one')}${test('two')}`);
  const { client } = await connected({ allow: folder, noRank: true, questionTime: 0 });
  await client.callTool({ name: 'fix_project', arguments: { path: '.' } }, { timeout: 120_000 });
  const { contents } = await client.readResource({ uri: 'hefix://calls/1' });
  const { details } = JSON.parse(String(Object(contents[0]).text));
  const searched = details.searched.map((each: { function: string; location: string }) => [
    each.function,
    each.location,
  ]);
  expect(searched.toSorted()).toEqual([
    ['change', 'one.py:1'],
    ['change', 'two.py:1'],
  ]);
});

test('refuses the agents that hefix fix refuses', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a.py'), 'def f(): pass\n');
  for (const agent of ['react', 'one-shot']) {
    const { client } = await connected({ allow: folder, agent });
    const answer = await client.callTool({ name: 'fix_project', arguments: { path: 'a.py' } });
    expect(structured(answer).error).toMatchObject({
      code: 'OPTION_INVALID',
      message: `--agent is "${agent}", expected one of reflect, tools, search.`,
    });
  }
});

test('accepts only paths below the allowed folders, with links resolved', async () => {
  const folder = await temporaryFolder();
  const inside = join(folder, 'inside');
  await mkdir(inside);
  await mkdir(join(folder, 'outside'));
  await writeFile(join(folder, 'outside', 'a.py'), 'def f(): pass\n');
  await writeFile(join(inside, '..a.py'), 'def f(): pass\n');
  await symlink(join(folder, 'outside'), join(inside, 'link'));
  expect(allowedPath('..a.py', [inside])).toMatchObject({
    path: expect.stringMatching(/inside\/\.\.a\.py$/),
  });
  const { client } = await connected({ allow: inside });
  const fix = async (input: object) =>
    structured(await client.callTool({ name: 'fix_project', arguments: { ...input } })).error?.code;
  for (const path of [
    '..',
    '../outside/a.py::f',
    join(folder, 'outside'),
    'link/a.py',
    'link/none.py',
    '/etc',
  ])
    expect([path, await fix({ path })]).toEqual([path, 'PATH_NOT_ALLOWED']);
  expect(await fix({ path: '..a.py', tests: ['../outside'] })).toBe('PATH_NOT_ALLOWED');
  expect(await fix({ path: 'none.py' })).toBe('TARGET_NOT_FOUND');
});

test('does not exist without allowed folders', async () => {
  const { client } = await connected();
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('fix_project');
  await expect(connected({ allow: '/no/such/folder' })).rejects.toThrow(
    '--allow is "/no/such/folder", expected folders that exist.',
  );
});

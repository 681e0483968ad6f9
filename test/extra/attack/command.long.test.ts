import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { attackCases } from '../../../lib/extra/attack/attack-cases.ts';
import { parseAttackOptions } from '../../../lib/extra/attack/attack-options.ts';
import { type AttackRun, attack, attackText, defaultLanguages } from '../../../lib/extra/attack/command.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { programFolder } from '../../support/temporary-folder.ts';

const { signal } = new AbortController();

function run(given: Readonly<Record<string, unknown>>): Promise<AttackRun> {
  return attack(parseAttackOptions(given), () => {}, signal);
}

test('every program has a unique id, and the list has attacks and honest programs in each language', () => {
  const cases = attackCases();
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  for (const language of ['python', 'js']) {
    for (const kind of ['attack', 'honest']) {
      expect(cases.filter(one => one.language === language && one.kind === kind).length).toBeGreaterThan(20);
    }
  }
  for (const language of ['cpp', 'go', 'java', 'rust']) {
    for (const kind of ['attack', 'honest']) {
      expect(cases.filter(one => one.language === language && one.kind === kind).length).toBeGreaterThan(14);
    }
  }
  for (const { kind, truth } of cases) expect(truth === null).toBe(kind === 'attack');
});

test('hefix’s own sandbox accepts no attack and judges honest programs right', async () => {
  const done: number[] = [];
  const options = parseAttackOptions({ lang: 'python', class: 'exits, correct', timeout: '20' });
  const { total, problems, judge } = await attack(options, count => done.push(count), signal);
  expect(problems).toEqual([]);
  expect(judge).toMatch(/^hefix at the level /);
  expect(total).toMatchObject({ attacks: 8, forged: 0, wrong: 0, refused: 0, none: 0 });
  expect(total.right).toBe(total.honest);
  expect(done.at(-1)).toBe(total.attacks + total.honest);
});

test('a judge that passes everything is fooled by every attack', async () => {
  const { total, problems } = await run({
    class: 'exits,failing',
    lang: 'python',
    command: 'true {code} {tests}',
  });
  expect(total).toMatchObject({ attacks: 8, forged: 8, right: 0 });
  expect(total.wrong).toBe(total.honest);
  expect(problems[0]).toMatchObject({ fault: 'forged', message: 'exit code 0' });
});

test('a judge that passes nothing accepts no attack, and is wrong about correct programs', async () => {
  const { total } = await run({ class: 'exits,correct', lang: 'python', command: 'false {code} {tests}' });
  expect(total).toMatchObject({ forged: 0, right: 0, refused: 0 });
  expect(total.wrong).toBe(total.honest);
});

test('a judge gets the program, its tests, the name of the function and the language', async () => {
  const command = `test {language} = python && test {entry_point} = square && grep -q square {code} && grep -q assert {tests}`;
  const { total } = await run({ class: 'exits', command });
  expect(total).toMatchObject({ attacks: 8, forged: 8 });
});

test('a judge that does not exit has failed', async () => {
  const { total, problems } = await run({
    ...{ class: 'exits', command: 'sleep 60; true {code} {tests}', timeout: '1', workers: '8' },
  });
  expect(total).toMatchObject({ attacks: 8, forged: 0 });
  expect(problems).toEqual([]);
});

test('a judge by exit code is fooled by a candidate that exits with 0', async () => {
  const judge = packageFile('lib/extra/attack/judges/exit_code.py');
  const { problems } = await run({
    class: 'exits',
    command: `python3 ${judge} {code} {tests} {entry_point} {language}`,
    timeout: '20',
  });
  expect(problems.map(({ id }) => id)).toContain('python-exits-os-exit-while-loading');
});

test('programs that could harm the host are skipped for another judge unless requested', async () => {
  const given = { class: 'exits,files', lang: 'python', command: 'false {code} {tests}' };
  const [some, all] = [await run(given), await run({ ...given, all: true })];
  expect(some.leftOut).toBe(10);
  expect(all).toMatchObject({ leftOut: 0, total: { attacks: some.total.attacks + 10 } });
  expect(attackText(some)).toContain('10 programs that could harm this system were left out');
});

test('every language is attacked that has a compiler, and the others are named', async () => {
  const folder = await programFolder();
  await writeFile(join(folder, 'go'), '', { mode: 0o755 });
  vi.stubEnv('PATH', folder);
  const [own, other, docker] = [
    await defaultLanguages(undefined, undefined),
    await defaultLanguages('judge {code} {tests}', undefined),
    await defaultLanguages(undefined, 'docker'),
  ];
  vi.unstubAllEnvs();
  expect([own, other, docker]).toEqual([['python', 'js', 'go'], ['python', 'js'], ['python']]);
  const found = await run({ class: 'exits', command: 'false {code} {tests}' });
  const text = attackText({ ...found, languagesLeftOut: ['Rust, since there is no rustc'] });
  expect(text).toContain('Not tried: Rust, since there is no rustc.');
});

test('the table has a line for each class and ends with a sentence', async () => {
  const found = await run({
    class: 'exits,failing',
    lang: 'python',
    command: 'false {code} {tests} \u001b[31m',
  });
  const text = attackText(found);
  expect(text).toMatch(
    /^ +attacks +forged +one process +held +refused +no effect +honest +right +wrong +refused +no verdict\n/,
  );
  expect(text).toMatch(/^python exits +8 +0 +0 +\d +0 +\d$/m);
  expect(text).toMatch(/^python failing +(\d+) +\1 +0 +0$/m);
  expect(text).toMatch(
    /: 0 of 8 attacks forged a proven pass, 0 .* Of \d+ honest programs \d+ were judged right, 0 wrong/,
  );
  expect(text).not.toContain('\u001b');
});

test.each([
  [
    { command: 'my-judge {code}' },
    '--command is "my-judge {code}", expected a command with {code} and {tests}',
  ],
  [{ command: 'x {code} {tests}', level: 'ulimit' }, '--level'],
  [{ all: true }, '--all'],
  [{ level: 'none' }, '--level'],
  [{ workers: '0' }, '--workers'],
])('%o is refused', (given, sentence) => {
  expect(() => parseAttackOptions(given)).toThrow(sentence);
});

test('an unknown class is an error that lists the known ones', async () => {
  await expect(run({ class: 'exit' })).rejects.toThrow(/--class is "exit", expected some of .*exits/);
});

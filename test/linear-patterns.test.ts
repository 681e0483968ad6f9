import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { analyse } from 'scslre';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../lib/files/package-root.ts';

/**
 * Patterns run over files of a clone, answers of a model and output of tests. None may take more than linear time on a
 * text that repeats a character, which is how all patterns were that have stopped hefix.
 */

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** Patterns that never see a long text of others: the memory map of hefix itself, names of files. */
const excepted: ReadonlySet<string> = new Set([String.raw`/\/\S+\.so\S*$/gm`, '/^models--(.+?)--(.+)$/']);

const MEBI = 2 ** 20;
const patterns = ['bin', 'lib', 'machines', 'dataset'].flatMap(folder =>
  readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .flatMap(name => patternsIn(join(folder, name))),
);

describe('patterns', () => {
  test.each(patterns.filter(([, { source, flags }]) => !excepted.has(`/${source}/${flags}`)))(
    '%s',
    (_, { source, flags }) => {
      const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: false });
      expect(reports.map(({ type, character }) => ({ type, character: character.literal.source }))).toEqual(
        [],
      );
    },
  );

  test('exceptions are patterns of the sources', () => {
    const written = patterns.map(([, { source, flags }]) => `/${source}/${flags}`);
    expect(written).toEqual(expect.arrayContaining([...excepted]));
  });
});

test('patterns run over a mebibyte of each character that they name', { timeout: 300_000 }, () => {
  for (const [, { source, flags }] of patterns) {
    if (excepted.has(`/${source}/${flags}`)) continue;
    for (const letter of lettersOf(source)) new RegExp(source, flags).test(`${letter.repeat(MEBI)}\0`);
  }
});

function lettersOf(source: string): ReadonlySet<string> {
  return new Set([' ', '\n', 'a', ...source.replaceAll(/\\[a-z]|\w/gi, '').replaceAll('\\', '')]);
}

function patternsIn(path: string): [string, Pattern][] {
  const found: [string, Pattern][] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex) {
      const { pattern: source, flags } = regex;
      found.push([`${path}: /${source}/${flags}`, { source, flags }]);
    }
    for (const child of Object.values(node)) visit(child);
  };
  const lang = path.endsWith('x') ? 'tsx' : 'ts';
  visit(parseAst(readFileSync(packageFile(path), 'utf8'), { lang }));
  return found;
}

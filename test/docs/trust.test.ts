import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from '../../lib/cli/commands.ts';
import { packageFile } from '../../lib/files/package.ts';
import { commandTables } from '../../lib/options/command-tables.ts';
import { longName } from '../../lib/options/option.ts';
import { harmlessVariables, whenItCounts } from '../../lib/options/settings.ts';

const page = readFileSync(packageFile('docs/trust.md'), 'utf8');

test('the page lists every option of every command, and whether a folder may set it', async () => {
  const rows = new Map<string, string[]>();
  for (const [command, table] of Object.entries(await commandTables())) {
    for (const [key, option] of Object.entries(table)) {
      const row = `\`${longName(key)}\` | ${option.folderMaySet ? 'yes' : 'after `hefix trust`'}`;
      rows.set(row, [...(rows.get(row) ?? []), command]);
    }
  }
  const expected = [...rows].map(([row, names]) => `| ${row} | ${names.sort().join(', ')} |`).sort(byAnswer);
  const written = page.split('\n').filter(line => line.startsWith('| `--'));
  expect(written).toEqual(expected);
});

/** What a folder may set comes first. */
function byAnswer(one: string, other: string): number {
  const [a, b] = [one, other].map(row => `${row.includes('| yes |') ? 0 : 1}${row}`) as [string, string];
  return a < b ? -1 : 1;
}

test('the options are those of the commands', async () => {
  const loaded = await Promise.all(commands.map(async ({ name, load }) => [name, (await load()).options]));
  expect(await commandTables()).toEqual(Object.fromEntries(loaded));
});

test('the page names the variables that a folder may set', () => {
  expect(harmlessVariables.filter(name => !page.includes(`\`${name}\``))).toEqual([]);
});

test('the configuration page says which variables .env may set', () => {
  const configuration = readFileSync(packageFile('docs/configuration.md'), 'utf8');
  const rows = [...configuration.matchAll(/^\| (`[A-Z].*?`) \|.*\| ([^|]*) \|$/gm)];
  const written = rows.flatMap(([, names = '', when = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, when.replaceAll('`', '')]),
  );
  expect(written.length).toBeGreaterThan(30);
  expect(written).toEqual(written.map(([name = '']) => [name, whenItCounts(name)]));
});

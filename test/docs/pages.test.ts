import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { columns, rowsToTasks } from '../../dataset/columns.ts';
import { commandNames } from '../../lib/cli/commands.ts';
import { checkOperands, readArguments } from '../../lib/cli/read-arguments.ts';
import { selectCommand } from '../../lib/cli/run-command.ts';
import { recordSchema } from '../../lib/core/record.ts';
import { verdictKinds } from '../../lib/core/verdict.ts';
import { packageFile } from '../../lib/files/package.ts';
import * as hefix from '../../lib/index.ts';
import { providers } from '../../lib/model/server/providers.ts';
import { parseOptions } from '../../lib/options/option.ts';
import { withConfiguration } from '../../lib/options/settings.ts';
import { runOptions } from '../../lib/options/tables/run-options.ts';
import { formatMachine } from '../../lib/repair/machine-formats.ts';
import { reflectMachine } from '../../machines/reflect.ts';
import {
  anchorsOf,
  blocks,
  inlineCode,
  linksOf,
  type Page,
  pageOf,
  pages,
  sectionOf,
  withoutBlocks,
} from '../support/pages.ts';
import { samples } from '../support/samples.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
};

describe.each(pages)('$path', page => {
  test('each command line is accepted', async () => {
    for (const line of commandLines(page)) await expect(parse(line), line).resolves.toBeUndefined();
  });

  test('npm run names a script of package.json', () => {
    const names = [...page.text.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
    expect(names.filter(name => !(name in manifest.scripts))).toEqual([]);
  });

  test('links lead to files and headings that exist', () => {
    const dead = linksOf(page).filter(({ path, anchor }) => {
      if (!existsSync(packageFile(path))) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(packageFile(path), 'utf8')).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  test('rows of tables have as many cells as their head', () => {
    const tables = withoutBlocks(page.text).match(/(?:^\|.*\n)+/gm) ?? [];
    const uneven = tables.filter(one => new Set(one.trim().split('\n').map(cellCount)).size > 1);
    expect(uneven).toEqual([]);
  });

  test('source files in backticks exist', () => {
    const files = inlineCode(page.text).filter(code =>
      /^(bin|lib|machines|dataset|test|fixtures|examples)\/[\w./-]+$/.test(code),
    );
    expect(files.filter(file => !/\bmy-|a\/b/.test(file) && !existsSync(packageFile(file)))).toEqual([]);
  });

  test('names in upper case are error codes or variables that a page explains', () => {
    const names = inlineCode(page.text).filter(code => /^[A-Z]+(?:_[A-Z]+)+$/.test(code));
    const explained = ['docs/configuration.md', 'docs/troubleshooting.md'].map(pageOf).join();
    expect(names.filter(name => !explained.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('README.md', () => {
  const readme = pageOf('README.md');

  test('is short, and links to every page', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(250);
    const linked = linksOf({ path: 'README.md', text: readme }).map(({ path }) => path);
    const all = pages.map(({ path }) => path).filter(path => /^docs\/[^/]*$/.test(path));
    expect(all.filter(path => !linked.includes(path))).toEqual([]);
  });

  test('lists every command', () => {
    const table = sectionOf('README.md', '## Commands');
    expect(commandNames.filter(name => !table.includes(`\`${name}\``))).toEqual([]);
  });

  test('names the command that the gate runs', () => {
    expect(blocks(readme, 'sh').join()).toContain('npm ci && npm test ');
    const gate = readFileSync(packageFile('.ci/run'), 'utf8');
    expect(gate).toMatch(/^npm ci$/m);
    expect(gate).toMatch(/^npm test /m);
  });
});

test('what published pages link to and show is in the package', () => {
  const patterns = manifest.files.map(file => new RegExp(`^${file.replaceAll('*', '[^/]*')}(?:/|$)`));
  const published = pages.filter(({ path }) => path === 'README.md' || path.startsWith('docs/'));
  const links = published.flatMap(linksOf).map(({ path }) => path);
  const always = ['LICENSE', 'README.md'];
  expect(links.filter(path => !always.includes(path) && !patterns.some(one => one.test(path)))).toEqual([]);
});

test('each exported function has an example in its doc comment', () => {
  const examples = samples.filter(({ name }) => name.includes('-export-')).map(({ code }) => code);
  const functions = Object.entries(hefix).filter(([, value]) => typeof value === 'function');
  const names = functions.map(([name]) => name).filter(name => name !== 'HefixError');
  expect(names.filter(name => !examples.some(code => code.includes(`${name}(`)))).toEqual([]);
});

describe('data formats', () => {
  const json = pages
    .flatMap(({ text }) => blocks(text, 'json'))
    .map(block => JSON.parse(block) as Record<string, unknown>);

  test('the sample row is a task, and every column is listed', () => {
    const row = json.find(value => 'buggy_solution' in value);
    const [task] = rowsToTasks('formats.md', [{ number: 1, value: row }]);
    expect(task?.canonical).toContain('sum(prices)');
    const table = sectionOf('docs/formats.md', '## Datasets');
    expect(columns.filter(column => !table.includes(`| \`${column}\` |`))).toEqual([]);
  });

  test('the sample record is valid, and every field is listed', () => {
    const record = json.find(value => 'task_id' in value && 'attempts' in value);
    expect(recordSchema.parse(record)).toEqual(record);
    const table = sectionOf('docs/formats.md', '## Records');
    expect(Object.keys(recordSchema.shape).filter(field => !table.includes(`\`${field}\``))).toEqual([]);
  });

  test('the sample configuration is accepted', async () => {
    const folder = await temporaryFolder();
    const configuration = json.find(value => 'max-new-tokens' in value);
    await writeFile(join(folder, 'hefix.config.json'), JSON.stringify(configuration));
    expect(await withConfiguration({}, runOptions, folder, {})).toMatchObject({
      maxNewTokens: 256,
      workers: 2,
    });
  });
});

test('every verdict and every key variable is listed', () => {
  const verdicts = sectionOf('docs/sandbox.md', '## Verdicts');
  expect(verdictKinds.filter(kind => !verdicts.includes(`| \`${kind}\` |`))).toEqual([]);
  const variables = sectionOf('docs/configuration.md', '## Environment variables');
  const names = Object.values(providers).flatMap(({ keyNames }) => keyNames);
  expect(names.filter(name => !variables.includes(`\`${name}\``))).toEqual([]);
});

test('the diagram matches hefix machine', () => {
  expect(blocks(pageOf('docs/agents.md'), 'mermaid')).toEqual([
    `${formatMachine(reflectMachine, 'mermaid').trim()}\n`,
  ]);
});

test('the source tree lists folders that exist', () => {
  const [tree = ''] = blocks(sectionOf('docs/architecture.md', '## Source tree'), 'text');
  const folders = [...tree.matchAll(/^( *)([a-z]+)\//gm)].map(([, indent, name]) =>
    packageFile(indent ? `lib/${name}` : `${name}`),
  );
  expect(folders.filter(folder => !existsSync(folder))).toEqual([]);
  const inLib = readdirSync(packageFile('lib'), { withFileTypes: true }).filter(entry => entry.isDirectory());
  expect(inLib.filter(({ name }) => !folders.includes(packageFile(`lib/${name}`)))).toEqual([]);
});

async function parse(line: string): Promise<void> {
  const args = wordsOf(line).slice(1);
  const { name, args: own, load } = await selectCommand(args.filter(word => word !== '<command>'));
  const command = await load();
  const { options, operands } = await readArguments(own, name, command);
  const { help, all, debug, json, version, ...rest } = options;
  parseOptions(command.options, { ...rest, ...('json' in command.options && json ? { json } : {}) });
  // A sentence may name a command without its arguments.
  if (!help && own.length > 0) checkOperands(name, command, operands);
}

/** Each call of hefix in shell blocks and in backticks: `hefix sweep …`. */
function commandLines({ text }: Page): string[] {
  const shell = blocks(text, 'sh').flatMap(block => block.split('\n'));
  const calls = [...shell, ...inlineCode(text)]
    .flatMap(line => line.replace(/\s+# .*/, '').split('&&'))
    .map(call => call.trim().replace(/ > .*/, ''))
    .filter(call => /^(npx )?hefix( |$)/.test(call))
    .map(call => call.replace(/^npx /, ''));
  return [...new Set(calls)];
}

function cellCount(row: string): number {
  return row.replaceAll('\\|', '').split('|').length;
}

/** The words as a shell splits them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

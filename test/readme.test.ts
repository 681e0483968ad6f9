import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandNames } from '../bin/commands.ts';
import { checkOperands, readArguments } from '../bin/read-arguments.ts';
import { selectCommand } from '../bin/select-command.ts';
import { columns, rowsToTasks } from '../dataset/columns.ts';
import { recordSchema } from '../lib/core/record.ts';
import { verdictKinds } from '../lib/core/verdict.ts';
import { packageFile } from '../lib/files/package-root.ts';
import { providers } from '../lib/model/server/providers.ts';
import { withConfiguration } from '../lib/options/config-file.ts';
import { parseOptions } from '../lib/options/option.ts';
import { runOptions } from '../lib/options/run-options.ts';
import { formatMachine } from '../lib/repair/machine-formats.ts';
import { reflectMachine } from '../machines/reflect.ts';
import { blocks, compileSamples, readme, samples } from './support/samples.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const contributing = readFileSync(packageFile('CONTRIBUTING.md'), 'utf8');

describe.each([
  ['README.md', readme],
  ['CONTRIBUTING.md', contributing],
])('%s', (_, text) => {
  test.each(commandLines(text))('takes the options of %s', async line => {
    const args = wordsOf(line).slice(1);
    const { name, args: own, load } = await selectCommand(args.filter(word => word !== '<command>'));
    const command = await load();
    const { options, operands } = await readArguments(own, name, command);
    const { help, all, debug, json, version, ...rest } = options;
    parseOptions(command.options, { ...rest, ...('json' in command.options && json ? { json } : {}) });
    if (!help) checkOperands(name, command, operands);
  });

  test('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, path = '']) => path);
    const missing = links.filter(path => !path.startsWith('http') && !existsSync(packageFile(path)));
    expect(missing).toEqual([]);
  });
});

test('what the README links to and shows is in the package', () => {
  const { files } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { files: string[] };
  const patterns = files.map(file => new RegExp(`^${file.replaceAll('*', '[^/]*')}(?:/|$)`));
  const links = [...readme.matchAll(/\]\((?!http)([^)#]+)[^)]*\)/g)].map(([, path = '']) => path);
  expect(links.filter(path => path !== 'LICENSE' && !patterns.some(one => one.test(path)))).toEqual([]);
});

test('every TypeScript sample compiles against the package', async () => {
  expect(samples.length).toBeGreaterThan(8);
  expect(await compileSamples(await temporaryFolder())).toBe('');
});

describe('data formats in the README', () => {
  const json = blocks(readme, 'json').map(block => JSON.parse(block) as Record<string, unknown>);

  test('the sample row is a task, and every column is listed', () => {
    const row = json.find(value => 'buggy_solution' in value);
    const [task] = rowsToTasks('README.md', [{ number: 1, value: row }]);
    expect(task?.canonical).toContain('sum(prices)');
    expect(columns.filter(column => !readme.includes(`| \`${column}\` |`))).toEqual([]);
  });

  test('the sample record is valid, and every field is listed', () => {
    const record = json.find(value => 'task_id' in value && 'attempts' in value);
    expect(recordSchema.parse(record)).toEqual(record);
    const table = section('### Records');
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

test('the README lists every verdict, key variable and error code', () => {
  expect(verdictKinds.filter(kind => !section('### Verdicts').includes(`| \`${kind}\` |`))).toEqual([]);
  const names = Object.values(providers).flatMap(({ keyNames }) => keyNames);
  expect(names.filter(name => !section('## Configuration').includes(`\`${name}\``))).toEqual([]);
  const errors = readFileSync(packageFile('lib/core/errors.ts'), 'utf8');
  const codes = [...section('## Troubleshooting').matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(
    ([, code]) => code,
  );
  const variables = new Set([
    'DOCKER_HOST',
    'NODE_EXTRA_CA_CERTS',
    'SANDBOX_DOCKER_IMAGE',
    'OLLAMA_CONTEXT_LENGTH',
  ]);
  expect(codes.filter(code => !variables.has(`${code}`) && !errors.includes(`'${code}'`))).toEqual([]);
});

test('the README lists every command', () => {
  const table = section('## Commands');
  expect(commandNames.filter(name => !table.includes(`\`${name}\``))).toEqual([]);
});

test('the diagram matches hefix machine', () => {
  expect(blocks(readme, 'mermaid')).toEqual([`${formatMachine(reflectMachine, 'mermaid').trim()}\n`]);
});

test('the source tree lists folders that exist', () => {
  const tree = section('## Source tree').split('```')[1] ?? '';
  const folders = [...tree.matchAll(/^( *)([a-z]+)\//gm)].map(([, indent, name]) =>
    packageFile(indent ? `lib/${name}` : `${name}`),
  );
  expect(folders.length).toBeGreaterThan(20);
  expect(folders.filter(folder => !existsSync(folder))).toEqual([]);
});

/** From a heading to the next one of its level or above. */
function section(heading: string): string {
  const [, level = ''] = /^(#+) /.exec(heading) ?? [];
  const rest = readme.slice(readme.indexOf(`${heading}\n`) + heading.length);
  const end = rest.search(new RegExp(`^#{1,${level.length}} `, 'm'));
  return end === -1 ? rest : rest.slice(0, end);
}

/** Each call of hefix in shell blocks and in inline code: `hefix sweep …`. */
function commandLines(text: string): string[] {
  const shell = blocks(text, 'sh').flatMap(block => block.split('\n'));
  const inline = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  );
  const calls = [...shell, ...inline]
    .flatMap(line => line.replace(/\s+# .*/, '').split('&&'))
    .map(call => call.trim().replace(/ > .*/, ''))
    .filter(call => /^(npx )?hefix( |$)/.test(call))
    .map(call => call.replace(/^npx /, ''));
  return [...new Set(calls)];
}

/** The words as a shell splits them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

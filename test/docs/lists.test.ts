import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agentNames, devices } from '../../lib/core/choices.ts';
import { packageFile } from '../../lib/files/package.ts';
import * as library from '../../lib/index.ts';
import { architectureNames } from '../../lib/model/build/architectures.ts';
import { ggufArchitectures } from '../../lib/model/gguf/gguf-architectures.ts';
import { ggufType } from '../../lib/model/gguf/gguf-types.ts';
import { preTokenizers } from '../../lib/model/gguf/pre-tokenizers.ts';
import { runOptions } from '../../lib/options/tables/run-options.ts';
import { reflectMachine } from '../../machines/reflect.ts';
import { pageOf, sectionOf } from '../support/pages.ts';

/** Lists in the documents, compared with those of the code. */

/** What a table of a section has in backticks in a column. */
function column(section: string, index: number): string[] {
  return section
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line =>
      [...(line.split(' | ')[index] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    );
}

const inRow = (section: string, start: string) => {
  const row = section.split('\n').find(line => line.startsWith(`| ${start}`)) ?? '';
  return [...(row.split(' | ')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
};

test('architectures and what GGUF files may have', () => {
  const hub = sectionOf('docs/models.md', '## From the hub');
  expect(
    column(hub, 0)
      .filter(name => name !== 'architectures')
      .sort(),
  ).toEqual([...architectureNames].sort());
  const gguf = sectionOf('docs/models.md', '## From GGUF files');
  expect(inRow(gguf, 'architectures').sort()).toEqual(Object.keys(ggufArchitectures).sort());
  expect(inRow(gguf, 'tokenizer').sort()).toEqual(Object.keys(preTokenizers).sort());
  const types = Array.from({ length: 64 }, (_, id) => ggufType(id)?.name).filter(name => name !== undefined);
  const [, row = ''] = /^\| weights \| (.*) \|$/m.exec(gguf) ?? [];
  expect(row.split(', ').sort()).toEqual(types.sort());
});

test('weight types and devices', () => {
  const options = sectionOf('docs/models.md', '## Options of local models');
  const types = inRow(options, '`--dtype`');
  expect(runOptions.dtype.about).toBe(`weight type: ${types.join(', ')}`);
  expect(inRow(options, '`--device`')).toEqual(devices);
});

test('agents and the states of the default one', () => {
  const agents = pageOf('docs/agents.md').split('## ')[0] ?? '';
  expect(column(agents, 0).filter(name => name !== '--agent')).toEqual(agentNames);
  const states = sectionOf('docs/agents.md', '## States of `reflect`');
  expect(column(states, 0).sort()).toEqual(Object.keys(reflectMachine.states).sort());
});

test('functions of the library and tools of the server', () => {
  const [functions = ''] = sectionOf('docs/library.md', '# Library').split('\n\nErrors');
  const names = column(functions, 0).map(call => call.replace(/\(.*/, ''));
  const values = Object.entries(library).filter(([name]) => name !== 'HefixError');
  expect(names.sort()).toEqual(values.map(([name]) => name).sort());
  const tools = column(sectionOf('docs/mcp.md', '# For other agents').split('\n## ')[0] ?? '', 0);
  const sources = ['server', 'fix-function', 'fix-project'].map(name =>
    readFileSync(packageFile(`lib/extra/mcp/${name}.ts`), 'utf8'),
  );
  const registered = [...sources.join('\n').matchAll(/registerTool\(\s*'(\w+)'/g)].map(([, name]) => name);
  expect(tools).toEqual(registered);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { pageOf, sectionOf } from '../support/pages.ts';

/** The names that a file exports, those of other files aside. */
function exportedBy(path: string): string[] {
  const code = readFileSync(packageFile(path), 'utf8');
  const lists = [...code.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(','),
  );
  const own = [...code.matchAll(/^export (?:async )?(?:const|function|interface|type) (\w+)/gm)];
  return [...lists.map(name => name.replace('type ', '').trim()), ...own.map(([, name = '']) => name)].filter(
    Boolean,
  );
}

test('the API reference has every export of the library, and nothing else (npm run docs:api)', () => {
  const described = [...pageOf('docs/api.md').matchAll(/^### (\w+)/gm)].map(([, name]) => name);
  const exported = [...exportedBy('lib/index.ts'), ...exportedBy('lib/core/ports.ts')];
  expect(described.toSorted()).toEqual([...new Set(exported)].toSorted());
});

test('each parameter has a name (@param, if it is destructured)', () => {
  expect(pageOf('docs/api.md')).not.toContain('__namedParameters');
});

test('the API reference has every property of the interfaces that it describes', () => {
  const index = readFileSync(packageFile('lib/index.ts'), 'utf8');
  const sources = [...index.matchAll(/from '(.*)';/g)].map(([, path = '']) => join('lib', path));
  const interfaces = sources.flatMap(file => [
    ...readFileSync(packageFile(file), 'utf8').matchAll(/^export interface (\w+).*\{\n([\s\S]*?)^\}/gm),
  ]);
  const described = new Set([...pageOf('docs/api.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name));
  const lacking = interfaces
    .filter(([, name]) => described.has(name))
    .flatMap(([, name, body = '']) => {
      const section = sectionOf('docs/api.md', `### ${name}`);
      const properties = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(:<]/gm)].map(
        ([, property]) => property,
      );
      return properties
        .filter(property => !new RegExp(`\\b${property}\\b`).test(section))
        .map(property => `${name}.${property}`);
    });
  expect(lacking).toEqual([]);
});

test('the API reference says what the comments of functions and classes say', () => {
  const index = readFileSync(packageFile('lib/index.ts'), 'utf8');
  const sources = [...index.matchAll(/^export (?!type)[^;]* from '(.*)';/gm)].map(([, path = '']) =>
    join('lib', path),
  );
  const page = pageOf('docs/api.md');
  const plain = (text: string) => text.replace(/^\s*\*/gm, '').replace(/\\|\s/g, '');
  const written = plain(page);
  const described = new Set([...page.matchAll(/^### (\w+)/gm)].map(([, name]) => name));
  const comment = /^\/\*\*((?:(?!\*\/)(?:.|\n))*)\*\/\nexport (?:async )?(?:function|class) (\w+)/gm;
  const comments = sources
    .flatMap(file => [...readFileSync(packageFile(file), 'utf8').matchAll(comment)])
    .filter(([, , name]) => described.has(name))
    .flatMap(([, text = '']) => text.split(/```(?:.|\n)*?```|@throws|@param \w+|@returns/));
  expect(comments.length).toBeGreaterThan(20);
  expect(comments.filter(text => !written.includes(plain(text)))).toEqual([]);
});

import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { pageOf } from '../support/pages.ts';
import { errorTables } from './generate/errors.ts';
import { columnTable, recordTables } from './generate/fields.ts';

/** `npm run docs` writes these parts again. */
const parts = {
  'docs/formats.md': { columns: columnTable, records: recordTables },
  'docs/troubleshooting.md': { errors: errorTables },
};

test.each(Object.entries(parts))('%s is up to date (npm run docs)', async (path, makers) => {
  let page = pageOf(path);
  for (const [name, make] of Object.entries(makers)) {
    const [begin, end] = [`<!-- generated: ${name} -->\n`, `<!-- end: ${name} -->\n`];
    expect(page).toContain(begin);
    const before = page.slice(0, page.indexOf(begin) + begin.length);
    page = `${before}\n${make()}\n${page.slice(page.indexOf(end))}`;
  }
  await expect(page).toMatchFileSnapshot(packageFile(path));
});

test('every column and every field of a record is described', () => {
  expect(columnTable() + recordTables()).not.toMatch(/\| {1,2}\|$/m);
});

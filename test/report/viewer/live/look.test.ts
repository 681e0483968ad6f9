import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { packageFile } from '../../../../lib/files/package.ts';
import { pageStyle } from '../../../../lib/report/viewer/shell.ts';

test('the live page uses the colours and fonts of the results page', async () => {
  const [html, own, shared] = await Promise.all([
    readFile(packageFile('lib/report/viewer/live/page/inspect.html'), 'utf8'),
    readFile(packageFile('lib/report/viewer/live/page/inspect.css'), 'utf8'),
    pageStyle(),
  ]);
  expect(html.indexOf('href="page.css"')).toBeGreaterThan(-1);
  expect(own).not.toMatch(/#[\da-f]{3,8}\b|rgb\(|font-family/);
  const used = [...own.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  for (const name of used) expect(shared).toContain(`${name}:`);
});

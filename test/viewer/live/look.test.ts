import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package-root.ts';

async function colorsOf(file: string): Promise<string[][]> {
  const style = await readFile(packageFile(file), 'utf8');
  const themes = style.split('@media (prefers-color-scheme: dark)').slice(0, 2);
  return themes.map(theme => [...theme.matchAll(/--[\w-]+: (#\w{6})/g)].map(([, color = '']) => color));
}

test('the live page takes its colours from those of the results page, light and dark', async () => {
  const [light = [], dark = []] = await colorsOf('lib/viewer/page/base.css');
  const [liveLight = [], liveDark = []] = await colorsOf('lib/viewer/live/page/inspect.css');
  expect(liveLight.length).toBeGreaterThan(5);
  expect(light).toEqual(expect.arrayContaining(liveLight));
  expect(dark).toEqual(expect.arrayContaining(liveDark));
});

import type { ThemeName } from '../core/choices.ts';
import { drawPage, type Page } from './charts/page.ts';
import { escaped } from './charts/type-setting.ts';

/**
 * One HTML file with a page of charts that follows the reader's light or dark theme and needs no network.
 * @throws HefixError (`RENDERER_MISSING`)
 */
export async function picturePage(pageIn: (theme: ThemeName) => Page): Promise<string> {
  const [light, dark] = [await drawPage(pageIn('light'), 'light'), await drawPage(pageIn('dark'), 'dark')];
  const { heading, details } = pageIn('light');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(heading)}</title>
<style>
body { margin: 0; background: #f5f6f8; text-align: center }
img { width: 100%; max-width: 1200px }
@media (prefers-color-scheme: dark) { body { background: #10151c } }
</style>
<picture>
<source media="(prefers-color-scheme: dark)" srcset="${address(dark)}">
<img src="${address(light)}" alt="${escaped(`${heading}. ${details}`)}">
</picture>
</html>
`;
}

function address(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

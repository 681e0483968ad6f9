import type { Results } from '../run/read-results.ts';
import { drawPage } from './charts/page.ts';
import { type ThemeName, themes } from './charts/theme.ts';
import { escaped } from './charts/type-setting.ts';
import { runPage, summaryOf } from './run-page.ts';
import { summaryText } from './summary-text.ts';

/**
 * Runs as one page that needs nothing else: no network, no font, no script. It is light or dark as the reader has it.
 * @throws HefixError (`RENDERER_MISSING`)
 */
export async function reportHtml(runs: readonly Results[]): Promise<string> {
  const sections: string[] = [];
  for (const run of runs) sections.push(await section(run));
  const title = runs.map(({ manifest: { model, dataset } }) => `${model.name} on ${dataset.name}`).join(', ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${sections.join('\n')}
</main>
</body>
</html>
`;
}

async function section(run: Results): Promise<string> {
  const [light, dark] = [await picture(run, 'light'), await picture(run, 'dark')];
  const words = summaryText(summaryOf(run));
  return `<section>
<picture>
<source media="(prefers-color-scheme: dark)" srcset="${dark}">
<img src="${light}" alt="Charts of the figures below.">
</picture>
<pre>${escaped(words)}</pre>
</section>`;
}

/** As an image of its own: the names inside one SVG would be taken for those of another on the same page. */
async function picture(run: Results, theme: ThemeName): Promise<string> {
  const svg = await drawPage(runPage(run, theme), theme);
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0; background: ${themes.light.background}; color: ${themes.light.text}; }
main { max-width: 1200px; margin: 0 auto; }
img { display: block; width: 100%; height: auto; }
pre { margin: 0 3.4% 40px; overflow-x: auto; font-size: 13px; line-height: 1.5; }
@media (prefers-color-scheme: dark) {
  body { background: ${themes.dark.background}; color: ${themes.dark.text}; }
}
`;

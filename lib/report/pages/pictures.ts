import type { ThemeName } from '../../core/choices.ts';
import { drawWebPage, type Page, type PageSize } from '../charts/page.ts';
import { escaped } from '../charts/type-setting.ts';
import { summaryText } from '../summary-text.ts';
import type { RunPages } from './run-page.ts';

/**
 * One HTML file with a page of charts that follows the reader's light or dark theme, has one chart per row on a
 * phone, and needs no network.
 */
export async function picturePage(pageIn: (theme: ThemeName, size: PageSize) => Page): Promise<string> {
  const address = (theme: ThemeName, size: PageSize) => picture(pageIn(theme, size), theme, size);
  const { heading, details } = pageIn('light', 'wide');
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
<source media="(max-width: 640px) and (prefers-color-scheme: dark)" srcset="${await address('dark', 'narrow')}">
<source media="(max-width: 640px)" srcset="${await address('light', 'narrow')}">
<source media="(prefers-color-scheme: dark)" srcset="${await address('dark', 'wide')}">
<img src="${await address('light', 'wide')}" alt="${escaped(`${heading}. ${details}`)}">
</picture>
</html>
`;
}

function addressOf(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** A run's page of charts in both themes, and its text. */
export interface ReportPicture {
  /** Data URLs of the pictures (`data:image/svg+xml;…`). */
  readonly light: string;
  readonly dark: string;
  /** For a phone: one chart per row. */
  readonly narrow: { readonly light: string; readonly dark: string };
  readonly words: string;
}

export async function reportPicture({ summary, page }: RunPages): Promise<ReportPicture> {
  const [light, dark] = [page('light'), page('dark')];
  return {
    light: await picture(light, 'light', 'wide'),
    dark: await picture(dark, 'dark', 'wide'),
    narrow: { light: await picture(light, 'light', 'narrow'), dark: await picture(dark, 'dark', 'narrow') },
    words: summaryText(summary),
  };
}

/** As a separate image: ids of several inline SVGs on one page would clash. */
async function picture(page: Page, theme: ThemeName, size: PageSize): Promise<string> {
  return addressOf(await drawWebPage(page, theme, size));
}

import type { ThemeName } from '../../core/choices.ts';
import { drawWebPage, type Page, type PageSize } from '../charts/page.ts';
import { summaryText } from '../summary-text.ts';
import type { RunPages } from './run-page.ts';

/** A run's page of charts in both themes, and its text. */
export interface ReportPicture {
  /** Data URLs of the pictures (`data:image/svg+xml;…`). */
  readonly light: string;
  readonly dark: string;
  /** For a phone: one chart per row. */
  readonly narrow: { readonly light: string; readonly dark: string };
  readonly words: string;
}

/** @throws HefixError (`RENDERER_MISSING`) */
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
  const svg = await drawWebPage(page, theme, size);
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

import type { ThemeName } from '../core/choices.ts';
import type { Results } from '../results/read-results.ts';
import { drawWebPage } from './charts/page.ts';
import { runPage, summaryOf } from './run-page.ts';
import { summaryText } from './summary-text.ts';

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
export async function reportPicture(run: Results): Promise<ReportPicture> {
  return {
    light: await picture(run, 'light', 'wide'),
    dark: await picture(run, 'dark', 'wide'),
    narrow: { light: await picture(run, 'light', 'narrow'), dark: await picture(run, 'dark', 'narrow') },
    words: summaryText(summaryOf(run)),
  };
}

/** As a separate image: ids of several inline SVGs on one page would clash. */
async function picture(run: Results, theme: ThemeName, size: 'wide' | 'narrow'): Promise<string> {
  const svg = await drawWebPage(runPage(run, theme), theme, size);
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

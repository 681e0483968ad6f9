import type { Results } from '../results/read-results.ts';
import { drawPage } from './charts/page.ts';
import type { ThemeName } from './charts/theme.ts';
import { runPage, summaryOf } from './run-page.ts';
import { summaryText } from './summary-text.ts';

/** A run's page of charts for both themes, and what it says in words. */
export interface ReportPicture {
  /** Addresses that hold the pictures themselves (`data:image/svg+xml;…`). */
  readonly light: string;
  readonly dark: string;
  readonly words: string;
}

/** @throws HefixError (`RENDERER_MISSING`) */
export async function reportPicture(run: Results): Promise<ReportPicture> {
  const [light, dark] = [await picture(run, 'light'), await picture(run, 'dark')];
  return { light, dark, words: summaryText(summaryOf(run)) };
}

/** As an image of its own: the names inside one SVG would be taken for those of another on the same page. */
async function picture(run: Results, theme: ThemeName): Promise<string> {
  const svg = await drawPage(runPage(run, theme), theme);
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

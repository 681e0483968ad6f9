import type { Browser, BrowserContextOptions } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { view } from '../../../lib/report/viewer/view.ts';
import { watchedPage } from '../../support/browser.ts';

/** Serves runs and opens them in the browser until the test ends. */
export async function viewerPage(
  browser: Browser,
  paths: readonly string[],
  options?: BrowserContextOptions,
) {
  const served = await view(paths, { port: 0 });
  onTestFinished(() => served.close());
  const watched = await watchedPage(browser, options);
  await watched.page.goto(served.address);
  return { ...watched, served };
}

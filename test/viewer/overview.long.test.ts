import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { report } from '../../lib/commands/report.ts';
import { view } from '../../lib/viewer/view.ts';
import { chromiumPath, launchBrowser, watchedPage } from '../support/browser.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { recordsOf, writeRun } from './runs.ts';

/** The list of runs and the charts, in a real browser. */

let browser: Browser;

async function shown(folder: string, width = 1280) {
  const served = await view([folder], { port: 0 });
  onTestFinished(() => served.close());
  const watched = await watchedPage(browser, { viewport: { width, height: 900 } });
  await watched.page.goto(served.address);
  return watched;
}

describe.skipIf(chromiumPath === null)('the overview', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('makes a card of each run on a phone', async () => {
    const folder = await temporaryFolder();
    for (const name of ['a', 'b']) await writeRun(join(folder, `${name}.jsonl`), recordsOf(2, 1));
    const { page } = await shown(folder, 390);
    const row = page.locator('.runs tbody tr').first();
    await row.waitFor();
    const { width = 0 } = (await row.boundingBox()) ?? {};
    const { width: name = 0 } = (await row.locator('th').boundingBox()) ?? {};
    expect(name).toBeGreaterThan(0.8 * width);
    expect(await page.evaluate('document.querySelector(".runs").scrollWidth')).toBeLessThanOrEqual(390);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('signs outcomes and explains the signs; a solved draft is no 0', async () => {
    const folder = await temporaryFolder();
    await writeRun(join(folder, 'a.jsonl'), recordsOf(12, 2));
    const { page } = await shown(folder);
    const chips = page.locator('.tasks tbody .chip');
    await chips.first().waitFor();
    expect(new Set(await chips.allTextContents())).toEqual(new Set(['✓', '✓1', '✓2', '×']));
    const legend = await page.getByRole('note', { name: 'Legend' }).innerText();
    expect(legend.replaceAll(/\s+/g, ' ')).toContain('✓ solved');
    expect(legend).toContain('not solved');
  });

  test('shows no empty box when the last run is unticked', async () => {
    const folder = await temporaryFolder();
    for (const name of ['a', 'b']) await writeRun(join(folder, `${name}.jsonl`), recordsOf(2, 1));
    const { page, complaints } = await shown(folder);
    for (const box of await page.locator('.runs input').all()) await box.uncheck();
    await page.getByText('Tick a run to see its tasks.').waitFor();
    expect(await page.locator('.tasks').count()).toBe(0);
    await page.locator('.runs input').first().check();
    await page.getByText('2 tasks', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('waits for the first run of a folder that is not there yet', async () => {
    const folder = join(await temporaryFolder(), 'results');
    const { page, complaints } = await shown(folder);
    await page.getByText('No runs yet: start one with').waitFor();
    await mkdir(folder);
    await writeRun(join(folder, 'a.jsonl'), recordsOf(3, 1));
    await page.getByText('3 tasks', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('stands a report of 8 records on a phone, one chart in a row, in 500 kB', async () => {
    const folder = await temporaryFolder();
    const path = await writeRun(join(folder, 'a.jsonl'), recordsOf(8, 1));
    const out = join(folder, 'report.html');
    await report(path, { out, theme: 'light', quiet: true });
    expect((await readFile(out)).length).toBeLessThan(500_000);
    const width = async (viewport: number) => {
      const options = { viewport: { width: viewport, height: 900 } };
      const { page, complaints } = await watchedPage(browser, options);
      await page.goto(`file://${out}`);
      const loaded = 'document.querySelector(".charts img")?.naturalWidth';
      await page.waitForFunction(`${loaded} > 0`);
      expect(complaints).toEqual([]);
      return await page.evaluate(loaded);
    };
    expect(await width(390)).toBe(400);
    expect(await width(1280)).toBe(1200);
  });
});

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { report } from '../../../lib/run/library/report.ts';
import { chromium, launchBrowser, watchedPage } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { recordsOf, writeRun } from './runs.ts';
import { viewerPage } from './viewer-page.ts';

/** The list of runs and the charts, in a real browser. */

let browser: Browser;

const shown = (folder: string, width = 1280) =>
  viewerPage(browser, [folder], { viewport: { width, height: 900 } });

describe('the overview', needs(chromium), () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('shows runs as cards on a phone', async () => {
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

  test('marks outcomes with signs and a legend; a solved draft is not a 0', async () => {
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

  test('shows no empty box when the last run is deselected', async () => {
    const folder = await temporaryFolder();
    for (const name of ['a', 'b']) await writeRun(join(folder, `${name}.jsonl`), recordsOf(2, 1));
    const { page, complaints } = await shown(folder);
    await page.locator('.runs input').nth(1).waitFor();
    for (const box of await page.locator('.runs input').all()) await box.uncheck();
    await page.getByText('Tick a run to see its tasks.').waitFor();
    expect(await page.locator('.tasks').count()).toBe(0);
    await page.locator('.runs input').first().check();
    await page.getByText('2 tasks', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('waits for the first run in a folder that does not exist yet', async () => {
    const folder = join(await temporaryFolder(), 'results');
    const { page, complaints } = await shown(folder);
    await page.getByText('No runs yet: start one with').waitFor();
    await mkdir(folder);
    await writeRun(join(folder, 'a.jsonl'), recordsOf(3, 1));
    await page.getByText('3 tasks', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('filters, sorts and folds twenty runs, and keeps that in the URL', async () => {
    const folder = await temporaryFolder();
    for (let run = 10; run < 30; run++) {
      const model = run < 12 ? 'other' : 'small';
      await writeRun(join(folder, `${run}.jsonl`), recordsOf(6, 1, run % 5), { model });
    }
    const { page, complaints } = await shown(folder);
    const rows = page.locator('.runs tbody tr');
    await page.getByText('20 runs', { exact: true }).waitFor();
    expect(await rows.count()).toBe(6);
    await page.getByRole('button', { name: 'Show all 20 runs' }).click();
    expect(await rows.count()).toBe(20);
    await page.getByLabel('Order of runs').selectOption('solved');
    const isOrdered = async () => {
      const shares = (await rows.locator('td[data-label="Solved"]').allInnerTexts()).map(Number.parseFloat);
      return shares.join() === shares.toSorted((a, b) => b - a).join();
    };
    await expect.poll(isOrdered).toBe(true);
    await page.getByLabel('Filter runs').fill('other');
    await page.getByText('2 of 20 runs', { exact: true }).waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByLabel('Filter tasks').fill('words/3');
    await page.getByRole('button', { name: 'Function' }).click();
    await page.getByText('1 of 6 tasks').waitFor();

    await page.reload();
    await page.getByText('2 of 20 runs', { exact: true }).waitFor();
    await page.getByText('1 of 6 tasks').waitFor();
    expect(await page.getByLabel('Order of runs').inputValue()).toBe('solved');
    expect(await page.locator('th[aria-sort="ascending"]').innerText()).toContain('Function');
    expect(await rows.locator('.name').allInnerTexts()).toEqual([
      expect.stringContaining('other'),
      expect.stringContaining('other'),
    ]);

    await page.locator('.tasks tbody tr').first().click();
    const offered = page.getByRole('navigation', { name: 'Runs' }).locator('[aria-current]');
    await page.getByText('Raw record').waitFor();
    expect(await offered.count()).toBeLessThan(8);
    await page.getByRole('button', { name: 'Show all 20 runs' }).click();
    expect(await offered.count()).toBe(20);
    expect(complaints).toEqual([]);
  });

  test('lists tasks that only one of two runs solved, with the p value', async () => {
    const folder = await temporaryFolder();
    const all = recordsOf(8, 1);
    const solving = (solved: readonly number[]) =>
      all.map(record => {
        const passed = solved.includes(record.index);
        const kind = passed ? ('passed' as const) : ('failed' as const);
        return { ...record, passed, verdict: { kind, message: '' } };
      });
    const started = '2026-02-02T00:00:00Z';
    await writeRun(join(folder, 'a.jsonl'), solving([0, 1, 2, 3, 4, 5]), { started });
    await writeRun(join(folder, 'b.jsonl'), solving([0, 7]));
    const { page, complaints } = await shown(folder);
    const paired = page.getByRole('region', { name: 'Paired comparison' });
    await paired.waitFor();
    // Five tasks for A and one for B: 2 · (1 + 6) / 2⁶.
    expect((await paired.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /A solved, B did not: 5 tasks B solved, A did not: 1 task p = 0\.219/,
    );
    await paired.getByRole('button').nth(1).click();
    await page.getByText('1 of 8 tasks').waitFor();
    expect(await page.locator('.tasks tbody .task').allInnerTexts()).toEqual(['words/7']);
    expect(complaints).toEqual([]);
  });

  test('shows a task in chronological order, with copy buttons and the raw record', async () => {
    const folder = await temporaryFolder();
    const records = recordsOf(1, 1);
    await writeRun(join(folder, 'a.jsonl'), records);
    const { page, complaints } = await shown(folder);
    await page.locator('.tasks tbody tr').first().click();
    await page.getByText('Raw record').waitFor();
    const headings = (await page.locator('.story h2').allInnerTexts()).map(text => text.split(/\s/)[0]);
    expect(headings.slice(0, 4)).toEqual(['Prompt', 'Completion', 'Candidate', 'Verdict']);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy completion' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(records[0]?.attempts[0]?.completion);
    await page.getByText('Raw record').click();
    expect(JSON.parse(await page.locator('.raw pre').innerText())).toEqual(records[0]);
    expect(complaints).toEqual([]);
  });

  test('shows a report of 8 records on a phone, one chart per row, in 500 kB', async () => {
    const folder = await temporaryFolder();
    const path = await writeRun(join(folder, 'a.jsonl'), recordsOf(8, 1));
    const out = join(folder, 'report.html');
    await report(path, { out, theme: 'light', quiet: true });
    expect((await readFile(out)).length).toBeLessThan(500_000);
    const showsCharts = async (viewport: number, drawn: number) => {
      const options = { viewport: { width: viewport, height: 900 } };
      const { page, complaints } = await watchedPage(browser, options);
      await page.goto(`file://${out}`);
      const loaded = async () => await page.evaluate('document.querySelector(".charts img")?.naturalWidth');
      await expect.poll(loaded).toBe(drawn);
      expect(complaints).toEqual([]);
    };
    await showsCharts(390, 400);
    await showsCharts(1280, 1200);
  });
});

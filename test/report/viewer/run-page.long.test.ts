import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import { lock } from '../../../lib/files/lock.ts';
import { report } from '../../../lib/run/library/report.ts';
import { chromium, launchBrowser, watchedPage } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { lineOf, recordOf, recordsOf, writeRun } from './runs.ts';
import { viewerPage } from './viewer-page.ts';

/** A run's page, the search, and the task page's details on demand, in a real browser. */

let browser: Browser;

const shown = (folder: string, width = 1280) =>
  viewerPage(browser, [folder], { viewport: { width, height: 900 } });

describe('the viewer', needs(chromium), () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('opens a run: options, manifest, charts and its records as a file', async () => {
    const folder = await temporaryFolder();
    const path = await writeRun(join(folder, 'a.jsonl'), recordsOf(4, 1));
    const { page, complaints } = await shown(folder);
    await page.getByRole('button', { name: 'small on words' }).click();
    const options = page.getByRole('region', { name: 'Options' });
    await options.waitFor();
    expect((await options.innerText()).replaceAll(/\s+/g, ' ')).toContain('--agent reflect');
    await page.getByText('Manifest').click();
    expect(JSON.parse(await page.locator('.raw pre').innerText())).toMatchObject({
      model: { name: 'small' },
    });
    const drawn = async () => await page.evaluate('document.querySelector(".charts img")?.naturalWidth');
    await expect.poll(drawn).toBe(1200);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download records' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('a.jsonl');
    expect(await readFile(await download.path(), 'utf8')).toBe(await readFile(path, 'utf8'));
    await page.keyboard.press('Escape');
    await page.getByText('4 tasks', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a report file shows its run, and searches and offers its records, without a server', async () => {
    const folder = await temporaryFolder();
    const path = await writeRun(join(folder, 'a.jsonl'), recordsOf(3, 1));
    const out = join(folder, 'r.html');
    await report(path, { out, theme: 'light', quiet: true });
    const { page, complaints, requests } = await watchedPage(browser);
    await page.goto(`file://${out}`);
    await page.getByLabel('Search records').fill('longest_word_2');
    await page.getByText('1 record with').waitFor();
    await page.getByLabel('Search records').fill('');
    await page.getByRole('button', { name: 'small on words' }).click();
    await page.getByRole('region', { name: 'Options' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download records' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
    expect(lines.map(line => JSON.parse(line))).toEqual(recordsOf(3, 1));
    expect(complaints).toEqual([]);
    expect(requests.filter(url => !/^(file|blob):/.test(url))).toEqual([]);
  });

  test('searches records, keeps the search in the URL, and opens the attempt', async () => {
    const folder = await temporaryFolder();
    await writeRun(join(folder, 'a.jsonl'), recordsOf(12, 1, 1));
    const { page, complaints } = await shown(folder);
    await page.getByText('12 tasks', { exact: true }).waitFor();
    await page.keyboard.press('s');
    await page.keyboard.type('len(LONGEST) - 2');
    const found = page.getByRole('region', { name: 'Search results' });
    const heading = found.getByText(/^\d+ records? with “len\(LONGEST\) - 2”/);
    await heading.waitFor();
    await page.reload();
    await heading.waitFor();
    expect(await page.getByLabel('Search records').inputValue()).toBe('len(LONGEST) - 2');
    expect(await found.locator('mark').first().innerText()).toBe('len(longest) - 2');
    await found.getByRole('button').first().click();
    const current = page.getByRole('navigation', { name: 'Attempts' }).locator('[aria-current="true"]');
    await current.getByText('2', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('shows the first 500 matches, says so, and shows the others on demand', async () => {
    const folder = await temporaryFolder();
    await writeRun(join(folder, 'a.jsonl'), recordsOf(620, 1));
    const { page } = await shown(folder);
    await page.getByText('620 tasks', { exact: true }).waitFor();
    await page.keyboard.press('s');
    await page.keyboard.type('return');
    await page.getByText('620 records with “return”, the first 500 shown').waitFor();
    expect(await page.locator('.found li').count()).toBe(500);
    await page.getByRole('button', { name: 'Show 120 more' }).click();
    await page.getByText('620 records with “return”', { exact: true }).waitFor();
    expect(await page.locator('.found li').count()).toBe(620);
  });

  test('highlights code, and shows the canonical solution and the tests on demand', async () => {
    const folder = await temporaryFolder();
    const { fingerprint, tasks } = await loadDataset('mini');
    const record = { ...recordOf(0, 0), task_id: tasks[0]?.id ?? '' };
    await writeRun(join(folder, 'a.jsonl'), [record], { dataset: 'mini', fingerprint });
    const { page, complaints, requests } = await shown(folder);
    await page.locator('.tasks tbody tr').first().click();
    await page.locator('.diff .hljs-keyword', { hasText: 'def' }).first().waitFor();
    await page.locator('pre.test .hljs-keyword', { hasText: 'assert' }).first().waitFor();
    expect(requests.filter(url => url.includes('/answer/'))).toEqual([]);
    await page.getByText('Canonical solution and tests').click();
    const answer = page.locator('details', { hasText: 'Canonical solution and tests' }).locator('pre');
    await answer.first().waitFor();
    expect(await answer.allInnerTexts()).toEqual([tasks[0]?.canonical, tasks[0]?.tests]);
    expect(complaints).toEqual([]);
  });

  test('shows and updates the progress of a run', async () => {
    const folder = await temporaryFolder();
    const path = await writeRun(join(folder, 'a.jsonl'), recordsOf(2, 1), { planned: 5 });
    onTestFinished(await lock(path));
    const { page } = await shown(folder);
    await page.getByText('2 of 5').waitFor();
    await appendFile(path, lineOf(recordOf(2, 0)));
    await page.getByText('3 of 5').waitFor();
  });

  test('keeps the selected runs and the unfolded list in the URL', async () => {
    const folder = await temporaryFolder();
    for (let run = 0; run < 9; run++) await writeRun(join(folder, `${run}.jsonl`), recordsOf(2, 1));
    const { page, complaints } = await shown(folder);
    await page.getByRole('button', { name: 'Show all 9 runs' }).click();
    await page.getByLabel('Show 0.jsonl').uncheck();
    await page.getByLabel('Show 8.jsonl').check();
    await page.reload();
    await page.getByRole('button', { name: 'Show fewer runs' }).waitFor();
    const boxes = await page.locator('.runs input[type=checkbox]').all();
    const ticked = await Promise.all(boxes.map(box => box.isChecked()));
    expect(ticked.flatMap((is, place) => (is ? [place] : []))).toEqual([1, 2, 8]);
    expect(complaints).toEqual([]);
  });

  test('shows tasks as cards on a phone, and fits every page to it', async () => {
    const folder = await temporaryFolder();
    const set = 'an-owner-with-a-long-name/a-data-set-whose-name-is-long-too';
    const records = recordsOf(3, 2).map(record => ({ ...record, task_id: `${set}/${record.task_id}` }));
    for (const name of ['a', 'b', 'c']) await writeRun(join(folder, `${name}.jsonl`), records);
    const { page } = await shown(folder, 390);
    const width = async () => await page.evaluate('document.documentElement.scrollWidth');
    const row = page.locator('.tasks tbody tr').first();
    await row.waitFor();
    expect(await page.evaluate('document.querySelector(".tasks").scrollWidth')).toBeLessThanOrEqual(390);
    expect(await width()).toBe(390);
    await page.getByRole('button', { name: /small/ }).first().click();
    await page.getByRole('region', { name: 'Options' }).waitFor();
    expect(await width()).toBe(390);
    await page.keyboard.press('Escape');
    await row.click();
    await page.getByText('Raw record').waitFor();
    expect(await width()).toBe(390);
  });
});

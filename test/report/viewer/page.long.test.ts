import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { lock } from '../../../lib/files/lock.ts';
import { report } from '../../../lib/run/library/report.ts';
import { recordWith } from '../../run/fakes.ts';
import { chromium, launchBrowser, watchedPage } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { lineOf, recordOf, recordsOf, writeRun } from './runs.ts';
import { viewerPage } from './viewer-page.ts';

/** The viewer in a real browser, with the compiled page. */

let browser: Browser;

const shown = (paths: readonly string[]) => viewerPage(browser, paths);

describe('the viewer', needs(chromium), () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('shows runs side by side, filters, sorts, opens a task and steps through its attempts by key', async () => {
    const folder = await temporaryFolder();
    await writeRun(join(folder, 'a.jsonl'), recordsOf(12, 2, 1), { model: 'first' });
    await writeRun(join(folder, 'b.jsonl'), recordsOf(12, 2, 4), { model: 'second', agent: 'react' });
    const { page, complaints, requests, served } = await shown([folder]);
    const tasks = page.locator('.tasks tbody tr');
    await page.getByText('12 tasks', { exact: true }).waitFor();
    expect(await page.locator('.runs tbody tr').allInnerTexts()).toEqual([
      expect.stringContaining('first on words'),
      expect.stringContaining('second on words'),
    ]);

    await page.keyboard.press('/');
    await page.keyboard.type('words/1');
    await page.getByText('3 of 12 tasks').waitFor();
    expect(await tasks.locator('.task').allInnerTexts()).toEqual(['words/1', 'words/10', 'words/11']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByText('12 tasks', { exact: true }).waitFor();
    await page.getByLabel('Bug type').selectOption('missing logic');
    await page.getByText('2 of 12 tasks').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();

    const tokens = page.getByRole('button', { name: 'Tokens' }).first();
    await tokens.click();
    await tokens.click();
    const sums = (await tasks.locator('td:nth-child(6)').allInnerTexts()).map(text =>
      text.endsWith('k') ? 1000 * Number.parseFloat(text) : Number(text.replace(',', '')),
    );
    expect(sums).toEqual(sums.toSorted((a, b) => b - a));
    await page.getByRole('button', { name: 'Task', exact: true }).click();

    expect(requests.filter(url => url.includes('/record/'))).toEqual([]);
    for (const key of 'jjjjk') await page.keyboard.press(key);
    await page.locator('.tasks tbody tr:focus .task', { hasText: /^words\/2$/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'words/2' }).waitFor();
    const attempts = page.getByRole('navigation', { name: 'Attempts' }).getByRole('button');
    const kinds = recordOf(2, 0, 1).attempts.map(({ node, verdict }) => [node, verdict?.kind]);
    await attempts.first().waitFor();
    expect((await attempts.allInnerTexts()).map(text => text.split('\n').slice(1))).toEqual(kinds);
    expect(kinds.length).toBeGreaterThan(1);

    expect(await page.locator('.values').innerText()).toMatch(/Expected\s+'banana'\s+Actual\s+'fig'/);
    expect(await page.locator('pre.test').innerText()).toMatch(/^3\s+assert longest_word_2/);
    expect(await page.locator('.diff .removed').first().innerText()).toContain(
      'if len(word) < len(longest):',
    );
    await page.keyboard.press('ArrowRight');
    expect(await attempts.nth(1).getAttribute('aria-current')).toBe('true');
    await page.getByText('Line 3 of the tests failed, attempt 0.').waitFor();
    expect(await page.locator('.drawing .state.now > text').allTextContents()).toEqual(
      expect.arrayContaining(['reflect', 'examine', 'execute']),
    );
    await page.keyboard.press('ArrowLeft');
    expect(await attempts.nth(0).getAttribute('aria-current')).toBe('true');

    await page.keyboard.press(']');
    await page.locator('.samples [aria-current="true"]', { hasText: '1' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'words/3' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.tasks tbody tr:focus .task', { hasText: /^words\/3$/ }).waitFor();

    expect(complaints).toEqual([]);
    expect(requests.filter(url => !url.startsWith(served.address))).toEqual([]);
  });

  test('follows a run in progress, and waits for a torn line to be completed', async () => {
    const path = await writeRun(join(await temporaryFolder(), 'a.jsonl'), recordsOf(2, 1));
    const release = await lock(path);
    onTestFinished(release);
    const { page, complaints } = await shown([path]);
    await page.locator('.runs .live').waitFor();
    await page.getByText('2 tasks', { exact: true }).waitFor();
    const line = lineOf(recordOf(2, 0));
    await appendFile(path, lineOf(recordOf(3, 0)) + line.slice(0, 500));
    await page.getByText('3 tasks', { exact: true }).waitFor();
    await appendFile(path, line.slice(500));
    await page.getByText('4 tasks', { exact: true }).waitFor();
    await release();
    await page.locator('.runs .live').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('shows 164 tasks with 10 samples without requesting a single record', async () => {
    const path = await writeRun(join(await temporaryFolder(), 'a.jsonl'), recordsOf(164, 10));
    const { page, requests } = await shown([path]);
    await page.getByText('164 × 10').waitFor();
    const milliseconds = Math.round(Number(await page.evaluate('performance.now()')));
    console.log(`164 tasks of 10 samples were shown ${milliseconds} ms after the page was asked for.`);
    expect(await page.locator('.tasks tbody .chip').count()).toBe(1640);
    expect(requests.filter(url => url.includes('/record/'))).toEqual([]);
  });

  test('shows records’ text as text only', async () => {
    const attack = '</script><img src=x onerror="window.attacked=1"><script>window.attacked=1</script>';
    const folder = await temporaryFolder();
    const [first] = recordsOf(1, 1, 0);
    const attempts = (first?.attempts ?? []).map(attempt => ({ ...attempt, completion: attack }));
    const record = recordWith({ ...first, task_id: attack, entry_point: attack, stdout: attack, attempts });
    const path = await writeRun(join(folder, 'a.jsonl'), [record], { model: attack });
    const { page, complaints } = await shown([path]);
    const file = await watchedPage(browser);
    await report(path, { out: join(folder, 'r.html'), theme: 'light', quiet: true });
    await file.page.goto(`file://${join(folder, 'r.html')}`);
    for (const shown of [page, file.page]) {
      await shown.locator('.tasks tbody tr').waitFor();
      await shown.keyboard.press('j');
      await shown.keyboard.press('Enter');
      await shown.locator('pre.text', { hasText: 'window.attacked' }).first().waitFor();
      expect(await shown.evaluate('window.attacked')).toBeUndefined();
    }
    expect([...complaints, ...file.complaints]).toEqual([]);
  });

  test('can be written as one file that works offline', async () => {
    const folder = await temporaryFolder();
    const path = await writeRun(join(folder, 'a.jsonl'), recordsOf(5, 2));
    await report(path, { out: join(folder, 'report.html'), theme: 'light', quiet: true });
    const { page, complaints, requests } = await watchedPage(browser, { offline: true });
    await page.goto(`file://${join(folder, 'report.html')}`);
    await page.getByText('5 tasks', { exact: true }).waitFor();
    await page.waitForFunction("document.querySelector('.charts img').naturalWidth > 0");
    await page.locator('.tasks tbody tr').nth(3).click();
    await page.getByRole('heading', { name: 'words/3' }).waitFor();
    await page.locator('.diff').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('5 tasks', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    expect(requests).toEqual([`file://${join(folder, 'report.html')}`]);
  });
});

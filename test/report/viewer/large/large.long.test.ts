import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeLargeRun } from '../../../bench/results/large-run.ts';
import { chromium, launchBrowser } from '../../../support/browser.ts';
import { needs } from '../../../support/needs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { viewerPage } from '../viewer-page.ts';

let browser: Browser;

describe('a large run', needs(chromium), () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('is filtered, sorted and opened on the server', async () => {
    const path = join(await temporaryFolder(), 'large.jsonl');
    await writeLargeRun(path, { tasks: 900, samples: 8 });
    const { page, complaints } = await viewerPage(browser, [path]);
    await page.getByText('900 tasks', { exact: true }).waitFor();
    const rows = page.locator('.tasks tbody tr');
    expect(await rows.count()).toBe(400);
    await page.getByRole('button', { name: 'Show more of 900 tasks' }).click();
    await expect.poll(() => rows.count()).toBe(800);
    await page.getByLabel('Filter tasks').fill('words/899');
    await page.getByText('1 of 900 tasks').waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel('Filter tasks').fill('');
    await page.getByLabel('Outcome').selectOption('unsolved');
    await page.getByText(/^\d+ of 900 tasks$/).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Tokens' }).click();
    await rows.first().click();
    await page.getByRole('heading', { name: /words\// }).waitFor();
    await page.getByRole('heading', { name: 'Verdict' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Samples' }).getByRole('button').count()).toBe(8);
    expect(complaints).toEqual([]);
  });
});

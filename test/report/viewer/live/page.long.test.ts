import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Answer, startServer, whole } from '../../../model/server/test-server.ts';
import { chromium, launchBrowser, watchedPage } from '../../../support/browser.ts';
import { hefix, writeSmallSet } from '../../../support/cli.ts';
import { needs } from '../../../support/needs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** The page of `--inspect` in a real browser during a real run. */

let browser: Browser;

const functionWith = (body: string) => `\`\`\`python\ndef plus_0(x):\n    return ${body}\n\`\`\``;

/** A run of one task whose model gives each answer on request. */
async function heldRun() {
  const folder = await temporaryFolder();
  const { dataset } = await writeSmallSet(folder, 1);
  const held = [functionWith('x * 0 - 7'), functionWith('x + 0')].map(text => {
    let give = () => {};
    const given = new Promise<void>(resolve => {
      give = resolve;
    });
    const answer: Answer = async (response, request) => {
      await given;
      await whole(text)(response, request);
    };
    return { give, answer };
  });
  const [first, second] = held;
  if (first === undefined || second === undefined) throw new Error('There are two answers.');
  const server = await startServer(first.answer, second.answer);
  const running = hefix(
    [
      ...['--backend', 'openai', '--model', 'coder', '--base-url', server.baseUrl, '--inspect'],
      ...['--dataset', dataset, '--out', join(folder, 'r.jsonl')],
    ],
    { env: { OPENAI_API_KEY: 'none' } },
  );
  onTestFinished(() => void running.kill('SIGKILL'));
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    running.stderr?.on('data', (piece: Buffer) => {
      said += piece;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\//.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    running.then(() => reject(new Error(said)), reject);
  });
  return { address, running, first, second };
}

const namesOf = async (page: Page, kind: string) =>
  (await page.locator(`#machine .${kind} text`).allTextContents()).sort();

describe('the page of the live machine', needs(chromium), () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('follows the run, and contacts only its relay', async () => {
    const { address, running, first, second } = await heldRun();
    const { page, complaints, requests } = await watchedPage(browser);
    await page.goto(address);
    await page.getByRole('heading', { name: 'small/0, reflect' }).waitFor();
    await page.locator('#machine .active[data-state="draft"]').waitFor();
    expect(await namesOf(page, 'visited')).toEqual(['draft']);

    first.give();
    await page.locator('#machine .active[data-state="reflect"]').waitFor();
    expect(await namesOf(page, 'visited')).toEqual(['draft', 'examine', 'execute', 'iterate', 'reflect']);
    expect(await page.locator('#machine .active').count()).toBe(1);
    await page.getByText('1 task, 0 done, 0 solved').waitFor();

    second.give();
    await page.getByText('1 task, 1 done, 1 solved').waitFor();
    await page.locator('#machine .active[data-state="solved"]').waitFor();
    expect(await page.locator('#events .to').allInnerTexts()).toEqual(
      ['draft', 'examine', 'execute', 'reflect', 'examine', 'execute', 'solved'].reverse(),
    );
    expect((await running).exitCode).toBe(0);
    await page.getByText('the run is over').waitFor();
    // It shows no content of prompts and candidates.
    expect(await page.content()).not.toMatch(/return x|Gives x plus/);

    expect(complaints).toEqual([]);
    expect(requests.filter(url => !url.startsWith(address))).toEqual([]);
    expect(page.context().pages()).toEqual([page]);
  });

  test('contacts Stately’s inspector only after its button is pressed', async () => {
    const { address, running, first, second } = await heldRun();
    const { page, complaints } = await watchedPage(browser);
    const asked: string[] = [];
    await page.context().route('https://stately.ai/**', async (route, request) => {
      asked.push(request.url());
      await route.fulfill({ contentType: 'text/html', body: inspector });
    });
    await page.goto(address);
    await page.locator('#machine .active[data-state="draft"]').waitFor();
    expect(asked).toEqual([]);
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Open in Stately’s inspector' }).click();
    const popup = await opened;
    expect(asked).toEqual(['https://stately.ai/inspect']);
    first.give();
    second.give();
    await popup.waitForFunction("heard.some(({ snapshot }) => snapshot?.value === 'solved')");
    const heard = JSON.stringify(await popup.evaluate('heard'));
    for (const type of ['@xstate.actor', '@xstate.event', '@xstate.snapshot']) expect(heard).toContain(type);
    expect(heard).not.toMatch(/return x|Gives x plus/);
    expect((await running).exitCode).toBe(0);
    expect(complaints).toEqual([]);
  });
});

/** Imitates Stately's page: reports that it is ready, and keeps its messages. */
const inspector = `<!doctype html><title>inspector</title><script>
  const heard = [];
  addEventListener('message', ({ data }) => heard.push(data));
  opener.postMessage({ type: '@statelyai.connected' }, '*');
</script>`;

import { expect, onTestFinished, test } from 'vitest';
import { serveBoard } from '../../lib/cli/queue/command.ts';
import { openQueue } from '../../lib/run/queue/bullmq-queue.ts';
import { chromium, launchBrowser, watchedPage } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { redisServer, startRedis } from '../support/redis.ts';

test('the board shows jobs in a browser, also after a reload', needs(redisServer, chromium), async () => {
  const redis = await startRedis('--appendonly', 'yes');
  onTestFinished(redis.close);
  const queue = await openQueue({ queue: redis.url, queueName: 'hefix' });
  const jobs = Array.from({ length: 12 }, (_, index) => ({
    id: `u${index}`,
    run: 'a',
    units: `${index}.0`,
  }));
  await queue.add(jobs, 'units');
  await queue.close();
  const { address, close } = await serveBoard({ queue: redis.url, queueName: 'hefix' }, 0);
  onTestFinished(close);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const { page } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } });
  const answered: string[] = [];
  page.on('response', response => answered.push(response.url()));
  await page.goto(`${address}queue/hefix?status=waiting`);
  await page.getByText('u11', { exact: false }).first().waitFor();
  await page.reload();
  await page.getByText('u11', { exact: false }).first().waitFor();
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
  expect(answered.filter(url => !url.startsWith(address) && !url.startsWith('data:'))).toEqual([]);
});

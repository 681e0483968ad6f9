import { hostname } from 'node:os';
import { uploadRefused } from '../../core/errors.ts';
import type { RunRecord } from '../../core/record.ts';
import { wait } from '../../core/wait.ts';
import type { RecordSink } from './shard.ts';

/**
 * Sends records to the coordinator (`collect-uploads.ts`). `sync` resolves when the coordinator has them on its disk,
 * and tries again while it cannot be reached. Rejects with `UPLOAD_REFUSED` or the signal's reason.
 */
export function createUpload(
  address: string,
  { runId, token, signal }: { readonly runId: string; readonly token: string; readonly signal: AbortSignal },
): RecordSink {
  const url = new URL(`records/${runId}/${hostname()}-${process.pid}`, `${address.replace(/\/$/, '')}/`);
  let pending: RunRecord[] = [];
  let last: Promise<void> = Promise.resolve();
  const flush = async () => {
    if (pending.length === 0) return;
    const sent = pending;
    pending = [];
    try {
      await send(url, token, sent, signal);
    } catch (error) {
      pending = [...sent, ...pending];
      throw error;
    }
  };
  return {
    async write(record) {
      pending.push(record);
    },
    sync() {
      last = last.catch(() => {}).then(flush);
      return last;
    },
    async close() {
      await last.catch(() => {});
    },
  };
}

async function send(
  url: URL,
  token: string,
  records: readonly RunRecord[],
  signal: AbortSignal,
): Promise<void> {
  const body = records.map(record => `${JSON.stringify(record)}\n`).join('');
  for (let pause = 200; ; pause = Math.min(2 * pause, 10_000)) {
    signal.throwIfAborted();
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/jsonl' },
      body,
      signal,
    }).catch(() => null);
    if (answer?.ok) return;
    if (answer && answer.status >= 400 && answer.status < 500) {
      throw uploadRefused(url.origin, (await answer.text()).trim());
    }
    await wait(pause, signal);
  }
}

import type { RunRecord } from '../../../core/record.ts';
import type { RecordSink } from './shard.ts';

/**
 * Collects records and sends them together with `sync`, one batch after the other; what could not be sent is part of the
 * next one. `send` gets whole lines and resolves once they are safe.
 */
export function createBatchSink(send: (lines: string) => Promise<void>): RecordSink {
  let pending: RunRecord[] = [];
  let last: Promise<void> = Promise.resolve();
  const flush = async () => {
    if (pending.length === 0) return;
    const sent = pending;
    pending = [];
    try {
      await send(sent.map(record => `${JSON.stringify(record)}\n`).join(''));
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

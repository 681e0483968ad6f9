import type { Judge, JudgeBatch } from './judge-batch.ts';

/** Judges from one batch after the other; the next batch is started before the last judge is taken. */
export interface Judges {
  take(): Judge;
  /** Starts a batch when `spare` judges or fewer are left. */
  refill(): void;
  close(): Promise<void>;
}

export function createJudges(startBatch: () => JudgeBatch, spare: number): Judges {
  let batches = [startBatch()];
  const refill = () => {
    batches = batches.filter(batch => batch.left() > 0);
    const left = batches.reduce((sum, batch) => sum + batch.left(), 0);
    if (left <= spare) batches.push(startBatch());
  };
  return {
    take() {
      const judge = batches.find(batch => batch.left() > 0)?.take();
      if (judge) return judge;
      const batch = startBatch();
      batches.push(batch);
      const first = batch.take();
      if (!first) throw new Error('a new batch has no judge');
      return first;
    },
    refill,
    async close() {
      await Promise.all(batches.map(batch => batch.destroy()));
    },
  };
}

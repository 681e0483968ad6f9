/** What users of the library may import; the machines are under `hefix/machines/…`. */
export { loadDataset } from '../dataset/load.ts';
export type { Attempt } from './core/attempt.ts';
export { HefixError } from './core/errors.ts';
export type * from './core/ports.ts';
export { type RunRecord, recordSchema } from './core/record.ts';
export type { Language, Task } from './core/task.ts';
export type { IsolationLevel, Verdict, VerdictKind } from './core/verdict.ts';
export { hefixVersion } from './files/versions.ts';
export { type FixInput, fix } from './library/fix.ts';
export {
  type CreateSandboxOptions,
  createSandbox,
  type LoadModelOptions,
  loadModel,
} from './library/models-and-sandboxes.ts';
export { type Repaired, type RepairInput, repair } from './library/repair.ts';
export { readRecords } from './library/report.ts';
export { type RunInput, run } from './library/run.ts';
export { type ScoreInput, score } from './library/score-samples.ts';
export { createScriptedModel } from './model/scripted.ts';
export { type Summary, summarise } from './report/summary.ts';

/** What users of the library may import; the machines are under `hefix/machines/…`. */
export { type Dataset, type LoadOptions, loadDataset } from '../dataset/load.ts';
export type { Mutants, Repair, Repairable, RepairQuestion } from '../machines/project-actors.ts';
export type { Attempt } from './core/attempt.ts';
export { HefixError } from './core/errors.ts';
export type * from './core/ports.ts';
export type { TestCounts } from './core/project-tests.ts';
export { type RunRecord, recordSchema } from './core/record.ts';
export type { AttemptFacts, RecordFacts } from './core/record-facts.ts';
export type { Language, PublishedColumns, Task } from './core/task.ts';
export type { IsolationLevel, Verdict, VerdictKind } from './core/verdict.ts';
export type { TransferProgress } from './files/hub/transfer-progress.ts';
export { hefixVersion } from './files/package.ts';
export type { FileChange } from './fix/patch/unified-diff.ts';
export type {
  CodeLine,
  FailingTest,
  FixEvent,
  FixReport,
  ModelUse,
  ReportedSuspect,
  ReportedTest,
  SuspectSummary,
} from './fix/report.ts';
export { createScriptedModel, type ScriptedModelOptions } from './model/scripted.ts';
export type { Share } from './report/numbers.ts';
export type { Results } from './report/results/read-results.ts';
export type { RobustSummary } from './report/robust.ts';
export {
  type Count,
  type CurvePoint,
  type FirstCandidate,
  type Prices,
  type Summary,
  type SummaryTerms,
  summarise,
} from './report/summary.ts';
export type { PassAtK } from './report/task-runs.ts';
export type { NodeUse, SearchUse } from './report/usage.ts';
export { type FixInput, fix } from './run/library/fix.ts';
export type { FixResult } from './run/library/fix-project.ts';
export {
  type CreateSandboxOptions,
  createSandbox,
  type LoadModelOptions,
  loadModel,
} from './run/library/models-and-sandboxes.ts';
export { type Repaired, type RepairInput, repair } from './run/library/repair.ts';
export { readRecords } from './run/library/report.ts';
export { type RunInput, run } from './run/library/run.ts';
export { type Scored, type ScoreInput, score } from './run/library/score-samples.ts';
export type { RunResult } from './run/run.ts';

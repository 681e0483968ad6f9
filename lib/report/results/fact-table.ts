import type { AttemptFacts, RecordFacts } from '../../core/record-facts.ts';
import {
  type AttemptColumns,
  createAttemptColumns,
  createRecordColumns,
  integers,
  type LinePlace,
  type RecordColumns,
} from './fact-columns.ts';

/**
 * The facts of a results file by column: about 200 bytes a record, so that a million fit into memory. Rows read
 * from the columns when they are asked.
 */
export interface FactTable {
  readonly columns: RecordColumns;
  readonly attempts: AttemptColumns;
  /** Number of rows, replaced ones included. */
  length(): number;
  /**
   * Adds the record of a line. A task that ended in an error may be recorded again: the later record replaces
   * the earlier one.
   * @returns false, and adds nothing, if the task and sample are judged already
   */
  add(record: RecordFacts, place: LinePlace): boolean;
  /** Counts rows that were added to the columns directly. */
  countRows(count: number): void;
  /** The index of a row's first attempt; of the row after the last one, the number of attempts. */
  firstAttempt(row: number): number;
  at(row: number): FactRow;
  isReplaced(row: number): boolean;
  /** The last record of each task and sample, in the order of the file. */
  current(): FactRow[];
}

export function createFactTable(): FactTable {
  const { columns, push } = createRecordColumns();
  const { columns: attempts, push: pushAttempt } = createAttemptColumns();
  const offsets = integers();
  let [length, attemptCount] = [0, 0];
  /** Rows by task and sample; made when the first record is added. */
  let rows: Map<number, number> | null = null;
  const countRow = () => {
    offsets.push(attemptCount);
    attemptCount += columns.attempts.at(length) ?? 0;
    length++;
  };
  const isReplaced = (row: number) => columns.replaced.at(row) === true;
  const table: FactTable = {
    columns,
    attempts,
    length: () => length,
    add(record, place) {
      rows ??= rowsByKey(table);
      const key = columns.task_id.codeOf(record.task_id) * MAX_SAMPLES + record.sample;
      const before = rows.get(key);
      if (before !== undefined && columns.passed.at(before) !== null) return false;
      if (before !== undefined) columns.replaced.set(before, true);
      rows.set(key, length);
      push({ record, place });
      for (const attempt of record.attempts) pushAttempt({ attempt, row: length, fixed: record.fixed });
      countRow();
      return true;
    },
    countRows(count) {
      for (let counted = 0; counted < count; counted++) countRow();
    },
    firstAttempt: row => (row >= length ? attemptCount : (offsets.at(row) ?? 0)),
    at: row => new RowView(table, row),
    isReplaced,
    current() {
      const found: FactRow[] = [];
      for (let row = 0; row < length; row++) if (!isReplaced(row)) found.push(table.at(row));
      return found;
    },
  };
  return table;
}

/** Keys are whole numbers: the code of the task times this, plus the sample. */
const MAX_SAMPLES = 2 ** 26;

function rowsByKey({ columns, length, isReplaced }: FactTable): Map<number, number> {
  const rows = new Map<number, number>();
  for (let row = 0; row < length(); row++) {
    if (isReplaced(row)) continue;
    rows.set(columns.task_id.code(row) * MAX_SAMPLES + (columns.sample.at(row) ?? 0), row);
  }
  return rows;
}

/** A record in a table: its facts, and where the whole record is. */
export interface FactRow extends RecordFacts, LinePlace {
  /** 0-based index of the record in its file. */
  readonly row: number;
}

interface RowSource {
  readonly columns: RecordColumns;
  readonly attempts: AttemptColumns;
  /** The index of a row's first attempt. */
  firstAttempt(row: number): number;
}

/** Reads each field from its column when it is asked for, so that a million rows take 30 MB. */
const RowView = viewOf<RowSource, FactRow>({
  start: ({ columns }, row) => columns.start.at(row) ?? 0,
  length: ({ columns }, row) => columns.length.at(row) ?? 0,
  task_id: ({ columns }, row) => columns.task_id.at(row) ?? '',
  index: ({ columns }, row) => columns.index.at(row) ?? 0,
  sample: ({ columns }, row) => columns.sample.at(row) ?? 0,
  entry_point: ({ columns }, row) => columns.entry_point.at(row) ?? '',
  bug_type: ({ columns }, row) => columns.bug_type.at(row) as RecordFacts['bug_type'],
  passed: ({ columns }, row) => columns.passed.at(row),
  judge: ({ columns }, row) => columns.judge.at(row) as RecordFacts['judge'],
  verdict: ({ columns }, row) => kindOf(columns.verdict.at(row)),
  example_verdict: ({ columns }, row) => kindOf(columns.example_verdict.at(row)),
  error({ columns }, row) {
    const code = columns.error.at(row);
    return code === null ? null : { code };
  },
  feedback: ({ columns }, row) => columns.feedback.at(row) as RecordFacts['feedback'],
  prompt: ({ columns }, row) => columns.prompt.at(row) as RecordFacts['prompt'],
  template: ({ columns }, row) => columns.template.at(row) ?? undefined,
  iters: ({ columns }, row) => columns.iters.at(row) ?? 0,
  runtime_sec: ({ columns }, row) => columns.runtime_sec.at(row) ?? 0,
  timings_sec: ({ columns: { proposal_sec, execution_sec, reflection_sec } }, row) => ({
    proposal: proposal_sec.at(row) ?? 0,
    execution: execution_sec.at(row) ?? 0,
    reflection: reflection_sec.at(row) ?? 0,
  }),
  token_usage: ({ columns: { prompt_tokens, completion_tokens } }, row) => ({
    prompt: prompt_tokens.at(row) ?? 0,
    completion: completion_tokens.at(row) ?? 0,
  }),
  cached({ columns: { cached_replies, cached_prompt_tokens, cached_completion_tokens } }, row) {
    const replies = cached_replies.at(row);
    if (replies === null) return undefined;
    const prompt = cached_prompt_tokens.at(row) ?? 0;
    return { replies, prompt, completion: cached_completion_tokens.at(row) ?? 0 };
  },
  search({ columns }, row) {
    const triedOn = columns.search_tried_on.at(row);
    if (triedOn === null) return undefined;
    return {
      tried_on: triedOn as NonNullable<RecordFacts['search']>['tried_on'],
      candidates: columns.search_candidates.at(row) ?? 0,
      tried: columns.search_tried.at(row) ?? 0,
      rank: columns.search_rank.at(row),
      ranked: columns.search_ranked.at(row) ?? false,
    };
  },
  robust({ columns: { robust_tried, robust_different } }, row) {
    const tried = robust_tried.at(row);
    return tried === null ? undefined : { tried, different: robust_different.at(row) ?? 0 };
  },
  /** Equal to the candidates of the attempts that made it. */
  fixed: () => FINAL,
  attempts(source, row) {
    const first = source.firstAttempt(row);
    const count = source.columns.attempts.at(row) ?? 0;
    return Array.from({ length: count }, (_, index) => new AttemptView(source.attempts, first + index));
  },
});

const AttemptView = viewOf<AttemptColumns, AttemptFacts>({
  node: (columns, row) => columns.node.at(row) as AttemptFacts['node'],
  iteration: (columns, row) => columns.iteration.at(row) ?? 0,
  prompt: (columns, row) => ({ length: columns.asked.at(row) ? 1 : 0 }),
  candidate: (columns, row) => (columns.final.at(row) ? FINAL : null),
  verdict: (columns, row) => kindOf(columns.verdict.at(row)),
  tokens: ({ prompt_tokens, completion_tokens }, row) => ({
    prompt: prompt_tokens.at(row) ?? 0,
    completion: completion_tokens.at(row) ?? 0,
  }),
  seconds: ({ proposal_sec, execution_sec, prescreen_sec }, row) => ({
    proposal: proposal_sec.at(row) ?? 0,
    execution: execution_sec.at(row) ?? 0,
    prescreen: prescreen_sec.at(row) ?? undefined,
  }),
  diagnosis({ diagnosis_sec, diagnosis_prompt_tokens, diagnosis_completion_tokens }, row) {
    const seconds = diagnosis_sec.at(row);
    if (seconds === null) return undefined;
    const prompt = diagnosis_prompt_tokens.at(row) ?? 0;
    return { seconds, tokens: { prompt, completion: diagnosis_completion_tokens.at(row) ?? 0 } };
  },
  selection(columns, row) {
    const checks = columns.checks.at(row);
    return checks === null ? undefined : { checks: { length: checks } };
  },
});

/** Stands for the text of the final candidate. */
const FINAL = 'final';

function kindOf(kind: string | null): RecordFacts['verdict'] {
  return kind === null ? null : { kind: kind as NonNullable<RecordFacts['verdict']>['kind'] };
}

type Fields<Source, Facts> = {
  readonly [Name in Exclude<keyof Facts, 'row'>]-?: (source: Source, row: number) => Facts[Name];
};

/** A class of objects for rows of a source; each field is computed when it is read. */
function viewOf<Source, Facts extends object>(fields: Fields<Source, Facts>) {
  class View {
    readonly source: Source;
    readonly row: number;

    constructor(source: Source, row: number) {
      this.source = source;
      this.row = row;
    }
  }
  for (const [name, read] of Object.entries<(source: Source, row: number) => unknown>(fields)) {
    Object.defineProperty(View.prototype, name, {
      get(this: View) {
        return read(this.source, this.row);
      },
    });
  }
  return View as unknown as new (
    source: Source,
    row: number,
  ) => Facts;
}

/** Smaller files are read from their lines as fast. */
export const WORTH_BYTES = 16 * 2 ** 20;

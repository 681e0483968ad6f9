import type { AttemptFacts, RecordFacts } from '../core/record-facts.ts';
import type { AttemptColumns, LinePlace, RecordColumns } from './fact-columns.ts';

/** A record in a table: its facts, and where the whole record is. */
export interface FactRow extends RecordFacts, LinePlace {
  /** 0-based index of the record in its file. */
  readonly row: number;
}

export interface RowSource {
  readonly columns: RecordColumns;
  readonly attempts: AttemptColumns;
  /** The index of a row's first attempt. */
  firstAttempt(row: number): number;
}

/** Reads each field from its column when it is asked for, so that a million rows take 30 MB. */
export class RowView implements FactRow {
  readonly source: RowSource;
  readonly row: number;

  constructor(source: RowSource, row: number) {
    this.source = source;
    this.row = row;
  }

  get start() {
    return this.source.columns.start.at(this.row) ?? 0;
  }
  get length() {
    return this.source.columns.length.at(this.row) ?? 0;
  }
  get task_id() {
    return this.source.columns.task_id.at(this.row) ?? '';
  }
  get index() {
    return this.source.columns.index.at(this.row) ?? 0;
  }
  get sample() {
    return this.source.columns.sample.at(this.row) ?? 0;
  }
  get entry_point() {
    return this.source.columns.entry_point.at(this.row) ?? '';
  }
  get bug_type() {
    return this.source.columns.bug_type.at(this.row) as RecordFacts['bug_type'];
  }
  get passed() {
    return this.source.columns.passed.at(this.row);
  }
  get judge() {
    return this.source.columns.judge.at(this.row) as RecordFacts['judge'];
  }
  get verdict() {
    return kindOf(this.source.columns.verdict.at(this.row));
  }
  get example_verdict() {
    return kindOf(this.source.columns.example_verdict.at(this.row));
  }
  get error() {
    const code = this.source.columns.error.at(this.row);
    return code === null ? null : { code };
  }
  get feedback() {
    return this.source.columns.feedback.at(this.row) as RecordFacts['feedback'];
  }
  get prompt() {
    return this.source.columns.prompt.at(this.row) as RecordFacts['prompt'];
  }
  get template() {
    return this.source.columns.template.at(this.row) ?? undefined;
  }
  get iters() {
    return this.source.columns.iters.at(this.row) ?? 0;
  }
  get runtime_sec() {
    return this.source.columns.runtime_sec.at(this.row) ?? 0;
  }
  get timings_sec() {
    const { proposal_sec, execution_sec, reflection_sec } = this.source.columns;
    return {
      proposal: proposal_sec.at(this.row) ?? 0,
      execution: execution_sec.at(this.row) ?? 0,
      reflection: reflection_sec.at(this.row) ?? 0,
    };
  }
  get token_usage() {
    const { prompt_tokens, completion_tokens } = this.source.columns;
    return { prompt: prompt_tokens.at(this.row) ?? 0, completion: completion_tokens.at(this.row) ?? 0 };
  }
  get cached() {
    const { cached_replies, cached_prompt_tokens, cached_completion_tokens } = this.source.columns;
    const replies = cached_replies.at(this.row);
    if (replies === null) return undefined;
    return {
      replies,
      prompt: cached_prompt_tokens.at(this.row) ?? 0,
      completion: cached_completion_tokens.at(this.row) ?? 0,
    };
  }
  get search(): RecordFacts['search'] {
    const { search_tried_on, search_candidates, search_tried, search_rank, search_ranked } =
      this.source.columns;
    const triedOn = search_tried_on.at(this.row);
    if (triedOn === null) return undefined;
    return {
      tried_on: triedOn as NonNullable<RecordFacts['search']>['tried_on'],
      candidates: search_candidates.at(this.row) ?? 0,
      tried: search_tried.at(this.row) ?? 0,
      rank: search_rank.at(this.row),
      ranked: search_ranked.at(this.row) ?? false,
    };
  }
  get robust(): RecordFacts['robust'] {
    const { robust_tried, robust_different } = this.source.columns;
    const tried = robust_tried.at(this.row);
    return tried === null ? undefined : { tried, different: robust_different.at(this.row) ?? 0 };
  }
  /** Equal to the candidates of the attempts that made it. */
  get fixed() {
    return FINAL;
  }
  get attempts(): AttemptFacts[] {
    const { source, row } = this;
    const first = source.firstAttempt(row);
    const count = source.columns.attempts.at(row) ?? 0;
    const attempts: AttemptFacts[] = [];
    for (let at = first; at < first + count; at++) attempts.push(new AttemptView(source.attempts, at));
    return attempts;
  }
}

class AttemptView implements AttemptFacts {
  readonly columns: AttemptColumns;
  readonly row: number;

  constructor(columns: AttemptColumns, row: number) {
    this.columns = columns;
    this.row = row;
  }

  get node() {
    return this.columns.node.at(this.row) as AttemptFacts['node'];
  }
  get iteration() {
    return this.columns.iteration.at(this.row) ?? 0;
  }
  get prompt() {
    return { length: this.columns.asked.at(this.row) ? 1 : 0 };
  }
  get candidate() {
    return this.columns.final.at(this.row) ? FINAL : null;
  }
  get verdict() {
    return kindOf(this.columns.verdict.at(this.row));
  }
  get tokens() {
    const { prompt_tokens, completion_tokens } = this.columns;
    return { prompt: prompt_tokens.at(this.row) ?? 0, completion: completion_tokens.at(this.row) ?? 0 };
  }
  get seconds() {
    const { proposal_sec, execution_sec, prescreen_sec } = this.columns;
    return {
      proposal: proposal_sec.at(this.row) ?? 0,
      execution: execution_sec.at(this.row) ?? 0,
      prescreen: prescreen_sec.at(this.row) ?? undefined,
    };
  }
  get diagnosis() {
    const seconds = this.columns.diagnosis_sec.at(this.row);
    if (seconds === null) return undefined;
    const { diagnosis_prompt_tokens, diagnosis_completion_tokens } = this.columns;
    const prompt = diagnosis_prompt_tokens.at(this.row) ?? 0;
    return { seconds, tokens: { prompt, completion: diagnosis_completion_tokens.at(this.row) ?? 0 } };
  }
  get selection() {
    const checks = this.columns.checks.at(this.row);
    return checks === null ? undefined : { checks: { length: checks } };
  }
}

/** Stands for the text of the final candidate. */
const FINAL = 'final';

function kindOf(kind: string | null): RecordFacts['verdict'] {
  return kind === null ? null : { kind: kind as NonNullable<RecordFacts['verdict']>['kind'] };
}

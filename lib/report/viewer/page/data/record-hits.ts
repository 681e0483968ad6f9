import type { RunRecord } from '../../../../core/record.ts';

/** A record that contains the search text. */
export interface RecordHit {
  /** 0-based index of the record in its file. */
  readonly line: number;
  readonly task: string;
  readonly sample: number;
  /** The first attempt that contains it. */
  readonly attempt: number;
  /** `completion`, `user message` … */
  readonly where: string;
  /** Number of other texts of the record that contain it. */
  readonly others: number;
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

interface Passage {
  readonly attempt: number;
  readonly where: string;
  readonly text: string;
}

/** The first match in a record, ignoring case; null if there is none. */
export function hitIn(record: RunRecord, line: number, text: string): RecordHit | null {
  const wanted = text.toLowerCase();
  const matches = passagesOf(record).filter(passage => passage.text.toLowerCase().includes(wanted));
  const [first] = matches;
  if (first === undefined) return null;
  const start = first.text.toLowerCase().indexOf(wanted);
  const end = start + wanted.length;
  const lineStart = first.text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = (first.text.indexOf('\n', end) + 1 || first.text.length + 1) - 1;
  return {
    line,
    task: record.task_id,
    sample: record.sample,
    attempt: first.attempt,
    where: first.where,
    others: matches.length - 1,
    before: first.text.slice(Math.max(lineStart, start - AROUND), start).trimStart(),
    match: first.text.slice(start, end),
    after: first.text.slice(end, Math.min(lineEnd, end + AROUND)).trimEnd(),
  };
}

/** Maximum characters of the line shown before and after the match. */
const AROUND = 100;

/** Completions and candidates come before prompts, which repeat much of them. */
function passagesOf({ attempts, buggy, stdout, stderr, error }: RunRecord): Passage[] {
  const last = Math.max(0, attempts.length - 1);
  const all = [
    ...attempts.flatMap(({ completion, candidate, verdict, diagnosis }, attempt) =>
      [
        ['completion', completion],
        ['candidate', candidate],
        ['diagnosis', diagnosis?.completion],
        ['verdict', verdict?.message],
        ['test', verdict?.test?.source],
        ['expected value', verdict?.expected],
        ['actual value', verdict?.actual],
        ['exception', verdict?.exception && `${verdict.exception.type}: ${verdict.exception.message}`],
      ].map(([where, text]) => ({ attempt, where: where ?? '', text: text ?? '' })),
    ),
    ...attempts.flatMap(({ prompt, diagnosis }, attempt) =>
      [...prompt, ...(diagnosis?.prompt ?? [])].flatMap(({ role, content, toolCalls = [] }) => [
        { attempt, where: `${role} message`, text: content },
        ...toolCalls.map(call => ({ attempt, where: 'tool call', text: `${call.name}(${call.arguments})` })),
      ]),
    ),
    { attempt: 0, where: 'buggy code', text: buggy },
    { attempt: last, where: 'standard output', text: stdout },
    { attempt: last, where: 'standard error', text: stderr },
    { attempt: last, where: 'error', text: error?.message ?? '' },
  ];
  return all.filter(({ text }) => text !== '');
}

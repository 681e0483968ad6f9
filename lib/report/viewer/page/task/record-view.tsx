import { useState } from 'preact/hooks';
import { differsOnMost } from '../../../../core/counts.ts';
import type { Robust, RunRecord } from '../../../../core/record.ts';
import { plural, whole } from '../../../numbers.ts';
import type { MachineDrawings } from '../../view-data.ts';
import { count, OUTCOME_SIGNS, outcomeOf, seconds } from '../data/format.ts';
import { pathParts } from '../data/path-parts.ts';
import type { Source } from '../data/source.ts';
import { MachineView } from '../machine-view.tsx';
import { CopyButton } from '../parts.tsx';
import { AttemptView } from './attempt-view.tsx';
import { Code, TaskAnswer } from './code-view.tsx';
import { Output, VerdictBadge, VerdictView } from './verdict-view.tsx';

interface Props {
  readonly source: Source;
  readonly run: string;
  readonly record: RunRecord;
  readonly attempt: number;
  readonly toAttempt: (to: number) => void;
  readonly machine: MachineDrawings | undefined;
}

/** One run of a task: the result, its path through the machine, and its attempts. */
export function RecordView({ source, run, record, attempt, toAttempt, machine }: Props) {
  const parts = pathParts(record.path, record.attempts.length, record.steps);
  const shown = record.attempts[attempt];
  return (
    <div class="details-grid">
      <aside>
        <Result record={record} />
        <MachineView
          drawing={record.path.includes('error') || record.error ? machine?.whole : machine?.usual}
          path={record.path}
          steps={record.steps}
          part={parts?.[attempt] ?? null}
        />
      </aside>
      <div class="story">
        {record.error && (
          <section class="card problem-card">
            <h2>The task could not be judged</h2>
            <p>
              {record.error.message} <code>{record.error.code}</code>
            </p>
          </section>
        )}
        <nav class="attempts" aria-label="Attempts">
          {record.attempts.map(({ node, verdict, iteration }, index) => (
            <button
              type="button"
              key={index}
              aria-current={index === attempt}
              onClick={() => toAttempt(index)}
            >
              <span class="iteration">{iteration}</span>
              <span class="node">{node}</span>
              <VerdictBadge kind={verdict?.kind ?? null} />
            </button>
          ))}
        </nav>
        {shown && <AttemptView attempt={shown} buggy={record.buggy} language={record.language} />}
        {!shown && <p class="empty">It holds no attempt.</p>}
        {shown && attempt === record.attempts.length - 1 && <Output record={record} />}
        <TaskAnswer {...{ source, run }} task={record.task_id} language={record.language} />
        <Raw record={record} />
      </div>
    </div>
  );
}

function Raw({ record }: { record: RunRecord }) {
  const [isOpen, setOpen] = useState(false);
  const json = JSON.stringify(record, null, 2);
  return (
    <details class="card raw" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        Raw record <CopyButton text={json} name="record" />
      </summary>
      {isOpen && <pre class="text">{json}</pre>}
    </details>
  );
}

function Result({ record }: { record: RunRecord }) {
  const {
    passed,
    runtime_sec,
    token_usage,
    timings_sec,
    verdict,
    feedback,
    isolation,
    judge,
    search,
    language,
  } = record;
  const outcome = outcomeOf(passed);
  const words = { solved: 'Solved', unsolved: 'Not solved', error: 'Not judged' }[outcome];
  return (
    <section class={`card result ${outcome}`}>
      <h2>
        <span class={`chip ${outcome}`}>{OUTCOME_SIGNS[outcome]}</span>
        {words}
        <small>{howOf(record)}</small>
      </h2>
      {feedback !== 'tests' && verdict && <VerdictView {...{ verdict, language }} />}
      <dl class="facts">
        <dt>Time</dt>
        <dd>{seconds(runtime_sec)}</dd>
        <dt>Draft, repair, tests</dt>
        <dd>
          {seconds(timings_sec.proposal)}, {seconds(timings_sec.reflection)}, {seconds(timings_sec.execution)}
        </dd>
        <dt>Tokens</dt>
        <dd>
          {count(token_usage.prompt)} read, {count(token_usage.completion)} written
        </dd>
        {feedback !== 'tests' && (
          <>
            <dt>Feedback</dt>
            <dd>{feedback}</dd>
          </>
        )}
        {search && (
          <>
            <dt>Candidates</dt>
            <dd>
              {count(search.candidates)}, {search.ranked ? 'ranked by the model' : 'in a fixed order'}
            </dd>
            <dt>Tried</dt>
            <dd>
              {count(search.tried)} on {triedOn[search.tried_on]}
            </dd>
          </>
        )}
        <dt>Judge</dt>
        <dd>{judgeWords[judge]}</dd>
        <dt>Isolation</dt>
        <dd>{isolation}</dd>
        {record.robust && (
          <>
            <dt>Generated inputs</dt>
            <dd>{robustWords(record.robust)}</dd>
          </>
        )}
      </dl>
      {record.robust?.first && <Difference {...{ language }} first={record.robust.first} />}
    </section>
  );
}

function robustWords({ tried, different, unchecked }: Robust): string {
  if (unchecked !== undefined) return `not compared: ${unchecked}`;
  if (different === 0) return `like the reference on all ${whole(tried)}`;
  const counts = `${whole(different)} of ${whole(tried)}`;
  if (differsOnMost({ tried, different }))
    return `passes the tests, differs on most generated inputs: ${counts}`;
  return `unlike the reference on ${counts}`;
}

/** The input that tells a solution from the reference, with both values. */
function Difference({
  first,
  language,
}: {
  first: NonNullable<Robust['first']>;
  language: RunRecord['language'];
}) {
  return (
    <div class="verdict bad">
      <pre class="test">
        <Code code={first.call} language={language} />
      </pre>
      <dl class="values">
        <div class="expected">
          <dt>Reference</dt>
          <dd>
            <code>{first.expected}</code>
          </dd>
        </div>
        <div class="actual">
          <dt>Solution</dt>
          <dd>
            <code>{first.actual}</code>
          </dd>
        </div>
      </dl>
    </div>
  );
}

const judgeWords: Readonly<Record<RunRecord['judge'], string>> = {
  proven: 'proven',
  isolated: 'isolated: one process, where a candidate could forge its pass',
};

function howOf({ search, iters }: RunRecord): string {
  if (search) return search.rank === null ? 'by search' : `by search, candidate ${count(search.rank)}`;
  return iters === 0 ? 'by the draft' : `after ${plural(iters, 'repair')}`;
}

const triedOn: Readonly<Record<NonNullable<RunRecord['search']>['tried_on'], string>> = {
  docstring: 'the docstring’s examples',
  dataset: 'the dataset’s examples',
  tests: 'the hidden tests',
  nothing: 'nothing',
};

import { countsText } from '../../../../core/counts.ts';
import type { RunRecord } from '../../../../core/record.ts';
import type { Language } from '../../../../core/task.ts';
import type { AssertionCounts, Verdict, VerdictKind } from '../../../../core/verdict.ts';
import { Code } from './code-view.tsx';

interface Props {
  readonly verdict: Verdict;
  readonly counts?: AssertionCounts | undefined;
  readonly language: Language;
}

/** The verdict, with the line of the tests, both values, and the other assertions that fail. */
export function VerdictView({ verdict, counts, language }: Props) {
  const { kind, message, test, expected, actual, exception } = verdict;
  return (
    <div class={`verdict ${toneOf(kind)}`}>
      <p class="said">
        <VerdictBadge kind={kind} /> <span>{message}</span>
      </p>
      {test && (
        <pre class="test">
          <span class="line">{test.line}</span>
          <Code code={test.source} language={language} />
        </pre>
      )}
      {(expected !== undefined || actual !== undefined) && (
        <dl class="values">
          <div class="expected">
            <dt>Expected</dt>
            <dd>
              <code>{expected ?? '–'}</code>
            </dd>
          </div>
          <div class="actual">
            <dt>Actual</dt>
            <dd>
              <code>{actual ?? '–'}</code>
            </dd>
          </div>
        </dl>
      )}
      {exception && (
        <p class="exception">
          <code>
            {exception.type}: {exception.message}
          </code>
          {exception.line !== undefined && (
            <span class="muted"> in line {exception.line} of the candidate</span>
          )}
        </p>
      )}
      {counts && <Counts {...{ counts, language }} />}
    </div>
  );
}

function Counts({ counts, language }: { counts: AssertionCounts; language: Language }) {
  return (
    <>
      <p>{countsText(counts)}; failing:</p>
      {counts.failing.map(({ line, source }) => (
        <pre key={`${line} ${source}`} class="test">
          {!counts.unit && <span class="line">{line}</span>}
          {counts.unit ? source : <Code code={source} language={language} />}
        </pre>
      ))}
    </>
  );
}

/** Null for a candidate whose result was withheld. */
export function VerdictBadge({ kind }: { kind: VerdictKind | null }) {
  return <span class={`badge ${kind === null ? 'withheld' : toneOf(kind)}`}>{kind ?? 'withheld'}</span>;
}

function toneOf(kind: VerdictKind): string {
  return kind === 'passed' ? 'good' : 'bad';
}

/** Output of the last candidate. */
export function Output({ record: { stdout, stderr, exit_code } }: { record: RunRecord }) {
  if (stdout === '' && stderr === '') return null;
  return (
    <section class="card">
      <h2>Output of the candidate {exit_code !== null && <small>exit code {exit_code}</small>}</h2>
      {stdout !== '' && <pre class="text">{stdout}</pre>}
      {stderr !== '' && <pre class="text problem">{stderr}</pre>}
    </section>
  );
}

import { useMemo } from 'preact/hooks';
import type { Attempt, Diagnosis } from '../../../../core/attempt.ts';
import type { Language } from '../../../../core/task.ts';
import { count, seconds } from '../data/format.ts';
import { diffRows, highlightedLines, markedTokens } from '../data/highlight.ts';
import { CopyButton } from '../parts.tsx';
import { TokenView } from './code-view.tsx';
import { VerdictView } from './verdict-view.tsx';

interface Props {
  readonly attempt: Attempt;
  readonly buggy: string;
  readonly language: Language;
}

/** One attempt in order: the prompt, the completion, its candidate, and the test results. */
export function AttemptView({ attempt, buggy, language }: Props) {
  const { verdict, counts, candidate, completion, prompt, diagnosis, repeated, unchanged } = attempt;
  return (
    <>
      <section class="card">
        <Figures attempt={attempt} />
      </section>
      {diagnosis && <DiagnosisView diagnosis={diagnosis} />}
      <Prompt prompt={prompt} />
      <section class="card">
        <h2>
          Completion <CopyButton text={completion} name="completion" />
        </h2>
        <pre class="text">{completion}</pre>
      </section>
      <section class="card">
        <h2>
          Candidate <small>as a diff from the buggy code</small>
          {candidate !== null && <CopyButton text={candidate} name="candidate" />}
        </h2>
        {candidate === null && <p class="muted">The completion holds no candidate.</p>}
        {candidate !== null && (
          <DiffView {...{ before: buggy, after: candidate, language }} raised={verdict?.exception?.line} />
        )}
        {unchanged && <p class="remark">The candidate is the buggy function again.</p>}
        {repeated && !unchanged && <p class="remark">The candidate was tried before.</p>}
      </section>
      <section class="card">
        <h2>Verdict</h2>
        {verdict && <VerdictView {...{ verdict, counts, language }} />}
        {!verdict && <p class="muted">The agent did not see the test results.</p>}
      </section>
    </>
  );
}

function Figures({
  attempt: { temperature, tokens, seconds: spent, node, iteration },
}: {
  attempt: Attempt;
}) {
  return (
    <dl class="figures">
      {[
        ['Iteration', String(iteration)],
        ['Node', node],
        ['Temperature', temperature === null ? 'not sampled' : String(temperature)],
        ['Tokens read', count(tokens.prompt)],
        ['Tokens written', count(tokens.completion)],
        ['Model', seconds(spent.proposal)],
        ['Tests', seconds(spent.execution)],
      ].map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function DiagnosisView({ diagnosis }: { diagnosis: Diagnosis }) {
  const { completion, prompt, tokens, temperature } = diagnosis;
  return (
    <>
      <Prompt prompt={prompt} title="Prompt of the diagnosis" />
      <section class="card">
        <h2>
          Diagnosis{' '}
          <small>
            {count(tokens.prompt)} tokens read, {count(tokens.completion)} written,{' '}
            {seconds(diagnosis.seconds)}, temperature {temperature}
          </small>
        </h2>
        <pre class="text">{completion}</pre>
      </section>
    </>
  );
}

/** Only the last message, which is new, is open at first. */
function Prompt({ prompt, title = 'Prompt' }: { prompt: Attempt['prompt']; title?: string }) {
  return (
    <section class="card prompt">
      <h2>
        {title}{' '}
        <CopyButton text={prompt.map(({ content }) => content).join('\n\n')} name={title.toLowerCase()} />
      </h2>
      {prompt.map(({ role, content, toolCalls }, index) => (
        <details key={`${prompt.length} ${index}`} open={index === prompt.length - 1}>
          <summary>
            <span class={`role ${role}`}>{role}</span>
            <span class="glimpse">{content.trim().split('\n', 1)[0]}</span>
          </summary>
          {content !== '' && <pre class="text">{content}</pre>}
          {toolCalls?.map((call, at) => (
            <pre key={at} class="text">
              {call.name}({call.arguments})
            </pre>
          ))}
        </details>
      ))}
    </section>
  );
}

interface DiffProps {
  readonly before: string;
  readonly after: string;
  readonly language: Language;
  /** The line of `after` that raised the exception; 1-based. */
  readonly raised: number | undefined;
}

/** Both programs in full, line by line, with changed words marked. */
function DiffView({ before, after, language, raised }: DiffProps) {
  const rows = useMemo(() => {
    const [old, now] = [highlightedLines(before, language), highlightedLines(after, language)];
    return diffRows(before, after).map(({ parts, ...row }) => {
      const tokens = row.after === null ? old[(row.before ?? 1) - 1] : now[row.after - 1];
      return { ...row, tokens: markedTokens(parts, tokens ?? []) };
    });
  }, [before, after, language]);
  return (
    <table class="diff">
      <tbody>
        {rows.map(({ kind, before, after, tokens }) => (
          <tr key={`${before} ${after}`} class={kind + (after !== null && after === raised ? ' raised' : '')}>
            <td class="line">{before}</td>
            <td class="line">{after}</td>
            <td class="sign">{{ same: '', removed: '−', added: '+' }[kind]}</td>
            <td class="source">
              {tokens.map((token, index) =>
                token.changed ? (
                  <mark key={index}>
                    <TokenView token={token} />
                  </mark>
                ) : (
                  <TokenView key={index} token={token} />
                ),
              )}
              {after !== null && after === raised && <span class="raised-here">raised here</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

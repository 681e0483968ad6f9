import { useMemo, useState } from 'preact/hooks';
import type { Language } from '../../../../core/task.ts';
import { highlightedLines, type Token } from '../data/highlight.ts';
import type { Source } from '../data/source.ts';
import { useAnswer } from '../hooks/use-server-data.ts';
import { CopyButton } from '../parts.tsx';

/** A highlighted program. */
export function CodeView({ code, language }: { code: string; language: Language }) {
  return (
    <pre class="text">
      <Code {...{ code, language }} />
    </pre>
  );
}

/** Highlighted code without a box around it. */
export function Code({ code, language }: { code: string; language: Language }) {
  const lines = useMemo(() => highlightedLines(code, language), [code, language]);
  return (
    <code>
      {lines.map((tokens, line) => (
        <span key={line}>
          {line > 0 && '\n'}
          {tokens.map((token, index) => (
            <TokenView key={index} token={token} />
          ))}
        </span>
      ))}
    </code>
  );
}

export function TokenView({ token: { text, kind } }: { token: Token }) {
  return <span class={kind}>{text}</span>;
}

interface Props {
  readonly source: Source;
  readonly run: string;
  readonly task: string;
  readonly language: Language;
}

/** The canonical solution and the tests, read from the dataset on demand. */
export function TaskAnswer(props: Props) {
  const [isOpen, setOpen] = useState(false);
  if (!props.source.live) return null;
  return (
    <details class="card raw" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>Canonical solution and tests</summary>
      {isOpen && <Answer {...props} />}
    </details>
  );
}

function Answer({ source, run, task, language }: Props) {
  const answer = useAnswer(`${run} ${task}`, () => source.answer(run, task));
  if (answer === null) return <p class="muted">Loading…</p>;
  if (answer instanceof Error) return <p class="problem">{answer.message}</p>;
  return (
    <>
      <h2>
        Canonical solution <CopyButton text={answer.canonical} name="canonical solution" />
      </h2>
      <CodeView code={answer.canonical} language={language} />
      <h2>
        Tests <CopyButton text={answer.tests} name="tests" />
      </h2>
      <CodeView code={answer.tests} language={language} />
    </>
  );
}

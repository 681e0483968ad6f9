import { useMemo } from 'preact/hooks';
import type { Language } from '../../../core/task.ts';
import { highlightedLines, type Token } from '../data/highlight.ts';

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

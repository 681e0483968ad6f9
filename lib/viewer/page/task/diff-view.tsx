import { useMemo } from 'preact/hooks';
import type { Language } from '../../../core/task.ts';
import { diffRows } from '../data/diff-rows.ts';
import { highlightedLines, markedTokens } from '../data/highlight.ts';
import { TokenView } from './code-view.tsx';

interface Props {
  readonly before: string;
  readonly after: string;
  readonly language: Language;
  /** The line of `after` that raised the exception; 1-based. */
  readonly raised: number | undefined;
}

/** Both programs in full, line by line, with changed words marked. */
export function DiffView({ before, after, language, raised }: Props) {
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

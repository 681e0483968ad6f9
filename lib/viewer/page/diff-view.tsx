import { type DiffPart, diffRows } from './diff-rows.ts';

interface Props {
  readonly before: string;
  readonly after: string;
  /** The line of `after` that raised; 1-based. */
  readonly raised: number | undefined;
}

/** The whole of both programs, line by line, with the changed words marked. */
export function DiffView({ before, after, raised }: Props) {
  const rows = diffRows(before, after);
  return (
    <table class="diff">
      <tbody>
        {rows.map(({ kind, before, after, parts }) => (
          <tr key={`${before} ${after}`} class={kind + (after !== null && after === raised ? ' raised' : '')}>
            <td class="line">{before}</td>
            <td class="line">{after}</td>
            <td class="sign">{{ same: '', removed: '−', added: '+' }[kind]}</td>
            <td class="source">
              {parts.map((part, place) => (
                <Part key={place} part={part} />
              ))}
              {after !== null && after === raised && <span class="raised-here">raised here</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Part({ part: { text, changed } }: { part: DiffPart }) {
  return changed ? <mark>{text}</mark> : <span>{text}</span>;
}

import type { Candidate, Enumeration } from '../../../machines/actors.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';

/** The programs of the model's answers, then the enumerated ones; each once. */
export function pooled(
  parser: SyntaxParser,
  answers: readonly Pick<Candidate, 'code' | 'answer'>[],
  enumerated: readonly string[],
  kind: 'beam' | 'sample' = 'beam',
): Omit<Enumeration, 'time'> {
  const candidates: Candidate[] = [];
  const codes = new Set<string>();
  let unusable = 0;
  for (const [index, read] of answers.entries()) {
    const { code } = read;
    if (code === null || codes.has(code) || !parser.parses(code)) {
      unusable++;
      continue;
    }
    codes.add(code);
    candidates.push({ ...read, origin: { kind, rank: index + 1, of: answers.length } });
  }
  for (const [index, code] of enumerated.entries()) {
    if (codes.has(code)) continue;
    codes.add(code);
    candidates.push({ code, origin: { kind: 'edit', rank: index + 1, of: enumerated.length } });
  }
  return { candidates, unusable };
}

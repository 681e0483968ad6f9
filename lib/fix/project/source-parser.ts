import { openParser, openTypeScriptParser, type SyntaxParser } from '../../syntax/parser.ts';
import type { FixLanguage } from './target.ts';

export type SourceGrammar = 'python' | 'js' | 'typescript' | 'tsx';

/** The grammar that reads all source files of a project. */
export function grammarFor(language: FixLanguage, sources: readonly string[]): SourceGrammar {
  const isTypeScript = language === 'js' && sources.some(path => /\.[cm]?tsx?$/.test(path));
  if (!isTypeScript) return language;
  return sources.some(path => path.endsWith('x')) ? 'tsx' : 'typescript';
}

export async function openSourceParser(grammar: SourceGrammar): Promise<SyntaxParser> {
  return grammar === 'typescript' || grammar === 'tsx'
    ? await openTypeScriptParser(grammar === 'tsx')
    : await openParser(grammar);
}

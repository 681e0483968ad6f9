import type { Language } from '../../core/task.ts';

/** The syntax of what the operators insert, by language. */
export interface Words {
  readonly not: (condition: string) => string;
  readonly and: string;
  readonly or: string;
  readonly yes: string;
  readonly no: string;
  readonly nothing: string;
  readonly equals: string;
  readonly differs: string;
  readonly end: string;
}

const cLike = {
  not: (c: string) => `!${c}`,
  and: '&&',
  or: '||',
  yes: 'true',
  no: 'false',
  equals: '==',
  differs: '!=',
  end: ';',
};

export type CompiledLanguage = Exclude<Language, 'python' | 'js'>;

/** Compilers refuse what does not fit, and take a fifth of a second for it. */
export function isCompiled(language: Language): language is CompiledLanguage {
  return language !== 'python' && language !== 'js';
}

export const syntaxWords: Readonly<Record<Language, Words>> = {
  go: { ...cLike, nothing: 'nil', end: '' },
  rust: { ...cLike, nothing: 'None' },
  cpp: { ...cLike, nothing: 'nullptr' },
  java: { ...cLike, nothing: 'null' },
  python: {
    not: c => `not ${c}`,
    and: 'and',
    or: 'or',
    yes: 'True',
    no: 'False',
    nothing: 'None',
    equals: '==',
    differs: '!=',
    end: '',
  },
  js: {
    not: c => `!${c}`,
    and: '&&',
    or: '||',
    yes: 'true',
    no: 'false',
    nothing: 'null',
    equals: '===',
    differs: '!==',
    end: ';',
  },
};

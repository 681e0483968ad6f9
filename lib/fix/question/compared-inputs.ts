import { withoutRepeats } from '../../core/without-repeats.ts';
import { boundaryInputs } from '../../repair/behaviour/boundary-inputs.ts';
import { declaredTypes, generateInputs, type Input } from '../../repair/behaviour/generate.ts';
import { numbersIn } from '../../repair/operators/facts.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';

export interface ComparedInputs {
  readonly parser: SyntaxParser;
  /** The function, as `text` names it. */
  readonly name: string;
  /** Versions of the function. */
  readonly codes: readonly string[];
  /** What is said about it elsewhere than in these. */
  readonly documentation?: string;
  /** The module that it is from. */
  readonly text: string;
  readonly seed: number;
}

/** Of calls of the tests that are tried again: tests may check little of a result. */
const MAX_CALLS = 100;
const MAX_AT_BOUNDARIES = 150;
const MAX_SIMILAR = 300;
const MAX_NUMBERS = 12;

/** Inputs that tell versions of a function apart: calls of the tests, those at boundaries, and similar ones. */
export function comparedInputs(
  calls: readonly Input[],
  { parser, name, codes, documentation = '', text, seed }: ComparedInputs,
): Input[] {
  const declared = declaredTypes(parser, text, name);
  return withoutRepeats([
    ...calls.slice(0, MAX_CALLS),
    ...boundaryInputs(calls, boundariesOf([...codes, documentation], text), MAX_AT_BOUNDARIES),
    ...generateInputs(calls, { limit: MAX_SIMILAR, seed, declared }),
  ]);
}

/** The numbers in versions of a function and its documentation, and the constants of the module that they name. */
function boundariesOf(codes: readonly string[], text: string): number[] {
  const constants = [...text.matchAll(CONSTANT)].flatMap(([, name = '', number = '']) =>
    codes.some(code => code.includes(name)) ? [number] : [],
  );
  const numbers = [...codes.flatMap(numbersIn), ...constants].map(number =>
    Number(number.replaceAll('_', '')),
  );
  return [...new Set(numbers)].filter(number => Number.isFinite(number)).slice(0, MAX_NUMBERS);
}

const CONSTANT =
  /^(?:export[ \t]+)?(?:const[ \t]+|let[ \t]+|var[ \t]+)?([A-Za-z_$][\w$]*)(?:[ \t]*:[ \t]*[\w.]+)?[ \t]*=[ \t]*(-?\d[\d_]*(?:\.\d+)?)\b/gm;

import { sumOf } from '../../core/numbers.ts';
import type { Sandbox } from '../../core/ports.ts';
import type { Language, Task } from '../../core/task.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { type ObservedCalls, observedProgram } from './observed-program.ts';
import { entriesOf, isValue, itemsOf, kindOf, numberOf, partsOf, type Value } from './value.ts';

/** What a call did. */
export interface Outcome {
  /** Absent if the call did not return. */
  readonly value?: Value;
  /** The class of the exception, or why there was none. */
  readonly raised?: string;
  /** The arguments after the call, if it changed them. */
  readonly changed?: readonly Value[];
  /** Loop iterations and calls. */
  readonly steps: number;
}

/** The call took too many steps, or longer than an execution may take. */
export const OVERRAN = 'did not end';
/** The call ended the process, or exceeded its processor time, which ends it too. */
export const ENDED = 'ended the process';

/** An outcome as a sandbox prints it; null for anything else. */
export function readOutcome(text: string): Outcome | null {
  try {
    const { value, raised, changed, steps } = Object(JSON.parse(text));
    if (typeof steps !== 'number') return null;
    if (changed !== undefined && !(Array.isArray(changed) && changed.every(part => isValue(part))))
      return null;
    const rest = { steps, ...(changed && { changed }) };
    if (typeof raised === 'string') return { ...rest, raised };
    return isValue(value) ? { ...rest, value } : null;
  } catch {
    return null;
  }
}

export interface Terms {
  readonly language: Language;
  /** Of the tests' comparisons of numbers. */
  readonly tolerance: number;
}

/** Whether two calls did the same: equal values, exceptions of one class, equal changes of the arguments. */
export function sameOutcome(a: Outcome, b: Outcome, terms: Terms): boolean {
  if (a.raised !== b.raised) return false;
  const areChangesSame = sameAll(a.changed ?? [], b.changed ?? [], terms);
  if (a.value === undefined || b.value === undefined) return a.value === b.value && areChangesSame;
  return sameValue(a.value, b.value, terms) && areChangesSame;
}

/** Rounding of one more or one fewer operation. */
const ROUNDING = 1e-12;

/** As `==` of Python and deep equality of JavaScript: numbers by value, lists and tuples apart. */
export function sameValue(a: Value, b: Value, terms: Terms): boolean {
  const [x, y] = [numeric(a, terms), numeric(b, terms)];
  if (x !== null && y !== null) return sameNumber(a, b, x, y, terms.tolerance);
  if (kindOf(a) !== kindOf(b) && !(isSet(a) && isSet(b))) return false;
  const [entries, others] = [entriesOf(a), entriesOf(b)];
  if (entries && others) return sameAll(sortedEntries(entries), sortedEntries(others), terms);
  const [items, theirs] = [itemsOf(a), itemsOf(b)];
  if (!items || !theirs) return JSON.stringify(a) === JSON.stringify(b);
  return isSet(a) ? sameAll(sorted(items), sorted(theirs), terms) : sameAll(items, theirs, terms);
}

function sameAll(a: readonly Value[], b: readonly Value[], terms: Terms): boolean {
  return a.length === b.length && a.every((value, index) => sameValue(value, b[index] ?? null, terms));
}

/** In Python, truth values are numbers. */
function numeric(value: Value, { language }: Terms): number | null {
  return typeof value === 'boolean' && language === 'python' ? Number(value) : numberOf(value);
}

function sameNumber(a: Value, b: Value, x: number, y: number, tolerance: number): boolean {
  if (kindOf(a) === 'int' && kindOf(b) === 'int') return x === y && JSON.stringify(a) === JSON.stringify(b);
  if (Object.is(x, y) || x === y) return true;
  if (!Number.isFinite(x) || !Number.isFinite(y)) return false;
  return Math.abs(x - y) <= Math.max(tolerance, ROUNDING * Math.max(Math.abs(x), Math.abs(y)));
}

function isSet(value: Value): boolean {
  return kindOf(value) === 'set' || kindOf(value) === 'frozenset';
}

/** Neither sets nor dictionaries compare their order. */
function sorted(values: readonly Value[]): Value[] {
  const key = (value: Value) => JSON.stringify(numberOf(value) ?? value);
  return values.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function sortedEntries(entries: readonly (readonly [Value, Value])[]): Value[] {
  return sorted(entries.map(([key, value]): Value => ['list', [key, value]]));
}

/** Whether a value says that there is no answer: None, undefined, NaN anywhere. */
export function saysNothing(value: Value): boolean {
  return value === null || kindOf(value) === 'undefined' || holdsNaN(value);
}

function holdsNaN(value: Value): boolean {
  return Number.isNaN(numberOf(value)) || partsOf(value).some(holdsNaN);
}

interface ObserveInput extends ObservedCalls {
  readonly parser: SyntaxParser;
  readonly sandbox: Pick<Sandbox, 'execute'>;
  readonly task: Pick<Task, 'language' | 'entryPoint'>;
  readonly program: string;
  readonly signal?: AbortSignal | undefined;
}

/** Executions that a call ends, or that take too long, before the rest is left out. */
const PATIENCE = 3;

/**
 * What a program does on each input, in order, as plain data: the process that compares runs none of it. An execution
 * ends with the limit of its output or a call that ends the process, and another one continues. Shorter than the
 * inputs if the budget is spent, or several calls do not end.
 */
export async function observe({ inputs, ...context }: ObserveInput): Promise<Outcome[]> {
  const { parser, sandbox, task, program, limits, signal } = context;
  const { language, entryPoint } = task;
  const outcomes: Outcome[] = [];
  let ended = 0;
  while (outcomes.length < inputs.length && ended < PATIENCE) {
    const first = outcomes.length;
    const budget = context.budget - sumOf(outcomes, ({ steps }) => steps);
    if (budget < 0) break;
    const [from, to] = [first, first + AT_ONCE];
    const { seconds } = context;
    const calls = { inputs: inputs.slice(from, to), limits: limits.slice(from, to), budget, seconds };
    const request = observedProgram(parser, entryPoint, program, calls, first);
    const { stdout, verdict, droppedBytes } = await sandbox.execute({ language, ...request }, signal);
    const batch = linesOf(stdout, first);
    outcomes.push(...batch);
    if (verdict.kind === 'passed' && batch.length === 0) break;
    if (verdict.kind === 'passed' || (droppedBytes > 0 && batch.length > 0)) continue;
    ended++;
    outcomes.push({ raised: verdict.kind === 'timeout' ? OVERRAN : ENDED, steps: 0 });
  }
  return outcomes.slice(0, inputs.length);
}

/** Maximum number of inputs of an execution, whose output is limited too. */
const AT_ONCE = 1000;

/** The outcomes from `first` on without a gap. */
function linesOf(stdout: string, first: number): Outcome[] {
  const outcomes: Outcome[] = [];
  for (const [, number, text = ''] of stdout.matchAll(/^@(\d+) (\{.*\})$/gm)) {
    const outcome = Number(number) === first + outcomes.length ? readOutcome(text) : null;
    if (outcome !== null) outcomes.push(outcome);
  }
  return outcomes;
}

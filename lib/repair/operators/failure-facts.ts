/** What the failing tests of a function say about its repair. */
export interface FailureFacts {
  /** Types of the exceptions that end failing tests, without those of assertions. */
  readonly raised: readonly string[];
  /** Exceptions that failing tests wait for. */
  readonly awaited: readonly AwaitedError[];
  /** Values that failing assertions compared, as source. */
  readonly values: readonly ComparedValues[];
  /** Texts in the failing assertions and their messages. */
  readonly texts: readonly string[];
  /** Numbers in the failing assertions. */
  readonly numbers: readonly string[];
  /** Numbers in other lines of the same files that call the function. */
  readonly otherNumbers: readonly string[];
}

export interface AwaitedError {
  /** As the function's file names it. */
  readonly type: string;
  /** What the message must match; null if that is not said. */
  readonly message: string | null;
}

export interface ComparedValues {
  readonly actual: string;
  readonly expected: string;
}

export const noFacts: FailureFacts = {
  ...{ raised: [], awaited: [], values: [], texts: [] },
  ...{ numbers: [], otherNumbers: [] },
};

/** Types of the exceptions that end failing tests, without their modules. */
export function raisedTypes({ raised }: Pick<FailureFacts, 'raised'>): string[] {
  return raised.map(type => type.replace(/^.*\./, ''));
}

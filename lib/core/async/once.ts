/** Computes a value when it is first asked for, and no second time. */
export function once<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}

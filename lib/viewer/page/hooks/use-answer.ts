import { useEffect, useState } from 'preact/hooks';

/** The answer to a request: null while it is pending, an Error if it failed. */
export type Asked<T> = T | Error | null;

/** Sends the request on mount and whenever the key changes; answers for an earlier key are dropped. */
export function useAnswer<T>(key: string, ask: () => Promise<T>): Asked<T> {
  const [answer, setAnswer] = useState<{ key: string; value: T | Error } | null>(null);
  useEffect(() => {
    let isStale = false;
    ask()
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
      .then(value => {
        if (!isStale) setAnswer({ key, value });
      });
    return () => {
      isStale = true;
    };
  }, [key]);
  return answer?.key === key ? answer.value : null;
}

import { useEffect, useState } from 'preact/hooks';

/** What was asked for: null while it is on its way; an Error says why there is none. */
export type Asked<T> = T | Error | null;

/** Asks when it is shown and when the key is another one. An answer to a former question is dropped. */
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

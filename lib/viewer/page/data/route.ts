import { useEffect, useState } from 'preact/hooks';

/** The page shown, kept in the URL so that «back» and reloading work. */
export type Route = RunRoute | RecordRoute;

/** A run's page. */
export interface RunRoute {
  readonly run: string;
}

/** One of its records: the task page. */
export interface RecordRoute extends RunRoute {
  readonly task: string;
  readonly sample: number;
  readonly attempt: number;
}

export function isRecord(route: Route): route is RecordRoute {
  return 'task' in route;
}

export function useRoute(): Route | null {
  const [route, setRoute] = useState(() => parse(location.hash));
  useEffect(() => {
    const read = () => setRoute(parse(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return route;
}

/** Moving between records does not add to the history. */
export function go(route: Route | null): void {
  const before = parse(location.hash);
  const isStep = route === null || before === null || isRecord(before) !== isRecord(route);
  const hash = `#${new URLSearchParams(Object.entries(route ?? {}).map(([name, value]) => [name, `${value}`]))}`;
  if (isStep) location.hash = hash;
  else {
    history.replaceState(null, '', hash);
    dispatchEvent(new HashChangeEvent('hashchange'));
  }
}

function parse(hash: string): Route | null {
  const given = new URLSearchParams(hash.slice(1));
  const [run, task] = [given.get('run'), given.get('task')];
  if (run === null) return null;
  if (task === null) return { run };
  const number = (name: string) => Math.max(0, Math.floor(Number(given.get(name))) || 0);
  return { run, task, sample: number('sample'), attempt: number('attempt') };
}

import { useEffect, useState } from 'preact/hooks';

/** Which record is looked at; it stands in the address, so that «back» and reloading work. */
export interface Route {
  readonly run: string;
  readonly task: string;
  readonly sample: number;
  readonly attempt: number;
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

/** Going from one record to another is no step that «back» should undo. */
export function go(route: Route | null): void {
  const inside = parse(location.hash) !== null;
  const hash =
    route === null ? '#' : `#${new URLSearchParams(Object.entries(route).map(([k, v]) => [k, `${v}`]))}`;
  if (!inside || route === null) location.hash = hash;
  else {
    history.replaceState(null, '', hash);
    dispatchEvent(new HashChangeEvent('hashchange'));
  }
}

function parse(hash: string): Route | null {
  const given = new URLSearchParams(hash.slice(1));
  const [run, task] = [given.get('run'), given.get('task')];
  if (run === null || task === null) return null;
  const number = (name: string) => Math.max(0, Math.floor(Number(given.get(name))) || 0);
  return { run, task, sample: number('sample'), attempt: number('attempt') };
}

import { useLayoutEffect, useRef } from 'preact/hooks';

/** What a key does; true if the browser should not do its own with it. */
export type KeyHandler = (key: string, event: KeyboardEvent) => boolean;

/** Listens while the component is shown. Keys typed into a field are the field's, but for Escape. */
export function useKeys(handle: KeyHandler): void {
  const latest = useRef(handle);
  latest.current = handle;
  // As soon as there is something to see: a key may come before the first frame.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const { target } = event;
      const inField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (inField && target.type !== 'checkbox' && event.key !== 'Escape') return;
      if (latest.current(event.key, event)) event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

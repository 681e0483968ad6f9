import { useLayoutEffect, useRef } from 'preact/hooks';

/** Handles a key; returns true to prevent the browser's own action. */
export type KeyHandler = (key: string, event: KeyboardEvent) => boolean;

/** Listens while the component is shown. Keys typed into a field are ignored, except for Escape. */
export function useKeys(handle: KeyHandler): void {
  const latest = useRef(handle);
  latest.current = handle;
  // Registered before the first frame, since a key may be pressed before that.
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

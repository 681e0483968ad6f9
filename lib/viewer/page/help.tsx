import { useEffect, useRef } from 'preact/hooks';

const groups = [
  [
    'All tasks',
    [
      ['j k', '↓ ↑', 'next, previous task'],
      ['g G', 'Home End', 'first, last task'],
      ['Enter', '', 'open the task'],
      ['/', '', 'filter'],
      ['s', '', 'search prompts, completions and code'],
      ['Esc', '', 'leave the field, then clear both'],
    ],
  ],
  [
    'A task',
    [
      ['→ ←', 'l h', 'next, previous attempt'],
      ['] [', '', 'next, previous sample'],
      ['} {', '', 'next, previous run'],
      ['j k', '', 'next, previous task of the table'],
      ['Esc', '', 'back to all tasks'],
    ],
  ],
  ['Everywhere', [['?', '', 'show or hide these keys']]],
] as const;

export function Help({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={close}>
      <h2>Keys</h2>
      {groups.map(([name, keys]) => (
        <section key={name}>
          <h3>{name}</h3>
          <dl>
            {keys.map(([first, second, about]) => (
              <div key={first}>
                <dt>
                  {[first, second].filter(Boolean).map((some, index) => (
                    <span key={some}>
                      {index > 0 && ' or '}
                      {some.split(' ').map(key => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </span>
                  ))}
                </dt>
                <dd>{about}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}

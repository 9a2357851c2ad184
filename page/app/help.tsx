import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { boundKeys } from './keys.ts';

export interface HelpProps {
  close(): void;
}

/** What the keys do in the current view. */
export function Help({ close }: HelpProps): ComponentChildren {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={close}>
      <h2>Keys</h2>
      <dl>
        {boundKeys().map(({ keys, about }) => (
          <div key={keys}>
            <dt>
              {keys.split(', ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

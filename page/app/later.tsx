import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** Returns a view whose code loads when it is first shown. */
export function later(load: () => Promise<() => ComponentChildren>): () => ComponentChildren {
  let Loaded: (() => ComponentChildren) | undefined;
  return function Later() {
    const count = useSignal(0);
    useEffect(() => {
      if (Loaded !== undefined) return;
      void load().then((view) => {
        Loaded = view;
        count.value += 1;
      });
    }, []);
    // read, so that the end of loading renders
    void count.value;
    return Loaded === undefined ? <div class="empty">Loading</div> : <Loaded />;
  };
}

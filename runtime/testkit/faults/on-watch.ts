import type { ApiContext } from '../../http/context.ts';
import type { ServedWatch } from '../../http/served-watch.ts';

/** Acts when the request becomes a watch, after earlier actions. */
export function onWatch({ state }: ApiContext, act: (watch: ServedWatch) => void): void {
  const before = state.onWatch;
  state.onWatch = (watch) => {
    before?.(watch);
    act(watch);
  };
}

export const isWatch = ({ state }: ApiContext): boolean => state.requestInfo.verb === 'watch';

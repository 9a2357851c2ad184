import type { ComponentChildren } from 'preact';
import type { WatchState } from '../server/watch.ts';

export interface WatchBadgeProps {
  readonly state: WatchState;
  readonly why: string;
  readonly resumed: number;
}

const words: Readonly<Record<WatchState, string>> = {
  loading: 'Loading',
  live: 'Live',
  lost: 'Watch lost, trying again',
  refused: 'Refused',
};

/** Says whether a table follows its server. */
export function WatchBadge({ state, why, resumed }: WatchBadgeProps): ComponentChildren {
  const text = state === 'live' && resumed > 0 ? 'Live again' : words[state];
  return (
    <span class={`badge badge-${state}`} role="status" title={why}>
      {text}
      {(state === 'lost' || state === 'refused') && why !== '' && <span class="why">: {why}</span>}
    </span>
  );
}

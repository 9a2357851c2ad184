import { ApiError, lines, send } from './request.ts';

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/** Whether a watch receives changes. */
export type WatchState = 'loading' | 'live' | 'lost' | 'refused';

export interface WatchSource<T> {
  /** Reads everything, and returns the resourceVersion to watch from. */
  list(signal: AbortSignal): Promise<string>;
  /** The path of a watch from a resourceVersion. */
  path(resourceVersion: string): string;
  readonly accept?: string;
  /** Handles events, and returns the newest resourceVersion in them. */
  onEvents(events: readonly WatchEvent<T>[]): string | undefined;
  onState(state: WatchState, why?: string): void;
}

const firstDelay = 500;
const longestDelay = 10_000;

/**
 * Lists and watches until the signal aborts. A watch that ends goes on from its last resourceVersion; one whose
 * resourceVersion is too old begins with a list.
 */
export async function follow<T>(source: WatchSource<T>, signal: AbortSignal): Promise<void> {
  let resourceVersion: string | undefined;
  let delay = firstDelay;
  while (!signal.aborted) {
    try {
      if (resourceVersion === undefined) {
        source.onState('loading');
        resourceVersion = await source.list(signal);
      }
      const response = await send(source.path(resourceVersion), { signal, ...(source.accept ? { accept: source.accept } : {}) });
      source.onState('live');
      delay = firstDelay;
      for await (const events of lines<WatchEvent<T>>(response)) {
        if (events.some(isExpired)) {
          resourceVersion = undefined;
          break;
        }
        resourceVersion = source.onEvents(events) ?? resourceVersion;
      }
      if (!signal.aborted && resourceVersion !== undefined) source.onState('live');
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.code === 410) resourceVersion = undefined;
      const isRefused = error instanceof ApiError && [400, 401, 403, 404, 405].includes(error.code);
      source.onState(isRefused ? 'refused' : 'lost', error instanceof Error ? error.message : String(error));
      if (isRefused) delay = longestDelay;
      await pause(delay, signal);
      delay = Math.min(longestDelay, delay * 2);
    }
  }
}

function isExpired({ type, object }: WatchEvent<unknown>): boolean {
  return type === 'ERROR' && (object as { code?: number }).code !== undefined;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

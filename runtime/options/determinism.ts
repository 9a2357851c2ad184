import type { Clock } from '../machinery/clock.ts';

/** What a server does with time and chance, for tests. */
export interface DeterminismOptions {
  /**
   * `manual` stands still until `clock.advance`, from 2026-01-01T00:00:00Z on. Everything that the server does by time follows it,
   * deadlines of requests included; only waiting for other programs does not. Default: the system's, or `manual` with a seed.
   */
  readonly clock?: 'manual' | Clock | undefined;
  /**
   * An integer that decides all that is left to chance: uids, generated names, addresses, jitter, the server's own certificates and
   * keys. Servers with one seed that are asked for the same have the same objects, at the same revisions. Everybody knows these
   * keys, so it is for tests only. Default: the system's randomness.
   */
  readonly seed?: number | undefined;
}

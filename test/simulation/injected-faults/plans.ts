import type { Fault, FaultPlanSpec } from '../../../runtime/index.ts';
import type { Random } from '../../support/random.ts';

/** Short times, so that many rounds take seconds. */
const short = (random: Random): string => `${random.between(1, 40)}ms`;
const when = (random: Random): 'BeforeRequest' | 'AfterRequest' => random.pick(['BeforeRequest', 'AfterRequest']);
const bookmarks = (random: Random): object => random.pick([{}, { bookmarks: 'Always' }, { bookmarks: 'Never' }]);

/** Each fault with random parameters. */
export const faults = {
  status: (random) => ({ status: { code: random.pick([409, 410, 429, 500, 503, 504]), retryAfterSeconds: 1 } }),
  delay: (random) => ({ delay: { duration: short(random), when: when(random) } }),
  drop: (random) => ({ drop: { when: when(random) } }),
  cut: (random) => ({ cut: { afterBytes: random.between(0, 600) } }),
  stall: (random) => ({ watch: { action: 'Stall', afterEvents: random.between(0, 3), ...bookmarks(random) } }),
  close: (random) => ({ watch: { action: 'Close', afterEvents: random.between(0, 3), ...bookmarks(random) } }),
  expire: (random) => ({ watch: { action: 'Expire', afterEvents: random.between(0, 3), ...bookmarks(random) } }),
  staleRead: (random) => ({ staleRead: { age: short(random) } }),
  holdEvents: (random) => ({ holdEvents: { duration: short(random) } }),
  compact: () => ({ compact: {} }),
  restart: () => ({ restart: {} }),
  partition: (random) => ({ partition: { duration: short(random) } }),
} satisfies Record<string, (random: Random) => Fault>;

export type FaultName = keyof typeof faults;

export const faultNames = Object.keys(faults) as readonly FaultName[];

/** Returns a plan for all requests in one namespace. */
export function planOf(name: FaultName, namespace: string, random: Random): FaultPlanSpec {
  const isCostly = name === 'restart' || name === 'partition';
  return {
    match: { namespaces: [namespace] },
    occurrence: {
      ...(isCostly ? { count: 1 } : { count: random.between(1, 20) }),
      probability: random.pick(['1', '0.5']),
      seed: random.between(0, 1_000_000),
    },
    fault: faults[name](random),
  };
}

/** Makes an informer watch or list again. */
export const nudge = (namespace: string, random: Random): FaultPlanSpec => ({
  match: { namespaces: [namespace], verbs: ['watch'] },
  occurrence: { count: 1 },
  fault: random.pick<Fault>([{ drop: {} }, { watch: { action: 'Close' } }, { watch: { action: 'Expire' } }]),
});

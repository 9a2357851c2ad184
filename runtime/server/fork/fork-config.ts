import type { Clock } from '../../machinery/clock.ts';
import type { Random } from '../../machinery/random.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { type CompletedConfig, completeConfig } from '../config.ts';

/**
 * The configuration of a fork: that of its origin, without what belongs to one server alone.
 *
 * @param listens as ForkOptions.listen
 */
export async function forkConfig(origin: CompletedConfig, listens: boolean): Promise<CompletedConfig> {
  const options = forkOptions(origin.options);
  const clock = forked(origin.clock);
  // the group of tests steers one server
  const base = origin.testGroup === undefined ? origin : await completeConfig({ ...options, clock });
  const random = forked(origin.random);
  const { keys } = origin;
  // nobody else writes to the store, so that there is no leader to elect
  return { ...base, options, clock, keys, random, listens, leaderElection: undefined };
}

function forkOptions(origin: ServerOptions): ServerOptions {
  return {
    ...origin,
    port: 0,
    writeKubeconfig: undefined,
    fixtures: undefined,
    snapshot: undefined,
    replay: undefined,
    // their files have one writer
    record: undefined,
    auditLogPath: undefined,
    auditPolicyFile: undefined,
    auditWebhookConfigFile: undefined,
  };
}

/** Clocks and randomness that belong to one server go on from where they are; those of the system are everybody's. */
function forked<T extends Clock | Random>(given: T): T {
  return 'fork' in given && typeof given.fork === 'function' ? given.fork() : given;
}

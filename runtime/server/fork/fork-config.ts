import type { Clock } from '../../machinery/clock.ts';
import type { Random } from '../../machinery/random.ts';
import type { PodOptions } from '../../options/pod-programs.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { type CompletedConfig, completeConfig } from '../config.ts';
import type { ForkOptions } from './fork-options.ts';

/**
 * Returns the origin's configuration without the options that only one server can have.
 *
 * @param given see ForkOptions
 */
export async function forkConfig(
  origin: CompletedConfig,
  { listen: listens = true, programs = false }: Pick<ForkOptions, 'listen' | 'programs'>,
): Promise<CompletedConfig> {
  const options = forkedOptions(origin.options, programs && listens);
  const clock = forked(origin.clock);
  // a test group controls one server
  const base = origin.testGroup === undefined ? origin : await completeConfig({ ...options, clock });
  const random = forked(origin.random);
  const { keys } = origin;
  // no other server writes to the fork's store, so no leader is elected
  return { ...base, options, clock, keys, random, listens, leaderElection: undefined };
}

function forkedOptions(origin: ServerOptions, startsPrograms: boolean): ServerOptions {
  const { pods } = origin;
  return {
    ...origin,
    pods: startsPrograms || pods?.programs === undefined ? pods : withoutPrograms(pods),
    port: 0,
    writeKubeconfig: undefined,
    fixtures: undefined,
    snapshot: undefined,
    replay: undefined,
    // these files have one writer
    record: undefined,
    auditLogPath: undefined,
    auditPolicyFile: undefined,
    auditWebhookConfigFile: undefined,
  };
}

/** Returns the handlers of pods alone. */
const withoutPrograms = (pods: PodOptions): PodOptions => Object.create(pods, { programs: { value: undefined } });

/** Forks a clock or a random source of one server from its present state. All servers share the system's. */
function forked<T extends Clock | Random>(given: T): T {
  return 'fork' in given && typeof given.fork === 'function' ? given.fork() : given;
}

import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { PodProgramsOf } from '../../simulation/processes/open-pod-programs.ts';
import type { ProcessContainers } from '../../simulation/processes/process-containers.ts';
import { simulationOptions } from './simulation.ts';

/** @throws OptionError for programs without a simulated cluster, and for invalid ones */
export async function checkPodPrograms({ pods, simulate }: ServerOptions): Promise<void> {
  if (pods?.programs === undefined) return;
  if (!simulate) throw new OptionError('--pod-programs needs --simulate');
  const { podPrograms } = await import('../../simulation/processes/pod-program-file.ts');
  await podPrograms(pods);
}

/** Lets programs of this machine run in place of images, if options say so. */
export async function openPodPrograms(
  options: ServerOptions,
  given: Omit<PodProgramsOf, 'pods' | 'simulation'>,
): Promise<ProcessContainers | undefined> {
  const simulation = simulationOptions(options);
  const { pods } = options;
  if (simulation === undefined || pods?.programs === undefined) return undefined;
  const { openPodPrograms: open } = await import('../../simulation/processes/open-pod-programs.ts');
  return open({ ...given, simulation, pods });
}

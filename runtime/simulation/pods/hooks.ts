import type { LifecycleHandler } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { ClusterNetwork } from '../network/cluster-network.ts';
import { hasUnknownProgram } from '../network/pod-listeners.ts';
import type { RunOf } from '../programs/container-run.ts';
import type { ContainerRuns } from '../programs/container-runs.ts';
import { knownImage } from '../programs/image.ts';
import { httpGet } from './probes/http-get.ts';
import { missingCommand } from './probes/run-probe.ts';

const maxDelay = 2 ** 31 - 1;

/**
 * Runs a hook of a container. (pkg/kubelet/lifecycle handlers.go)
 *
 * @param signal aborted when nobody waits for the hook any more
 * @throws Error if it fails
 */
export async function runHook(
  hook: LifecycleHandler,
  of: RunOf,
  { runs, network, clock, signal }: { runs: ContainerRuns; network: ClusterNetwork; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const { pod, container } = of;
  if (hook.exec) {
    const { command = [] } = hook.exec;
    const result = await runs.runCommand(of, command, signal);
    if (result === undefined && knownImage(container.image ?? '')?.isComplete) throw new Error(missingCommand(command[0] ?? ''));
    if (result !== undefined && result.exitCode !== 0) throw new Error(`command '${command.join(' ')}' exited with ${result.exitCode}`);
  } else if (hook.httpGet) {
    // a program that nobody knows answers
    if (!hook.httpGet.host && hasUnknownProgram(container) && !runs.isProcess(container)) return;
    await httpGet(hook.httpGet, { pod, container, network, clock, purpose: 'lifecycle', mayHaveTLS: runs.isProcess(container) });
  } else if (hook.sleep) {
    const ms = Math.min(1000 * Number(hook.sleep.seconds), maxDelay);
    await new Promise<void>((resolve) => {
      const cancel = clock.after(ms, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  }
}

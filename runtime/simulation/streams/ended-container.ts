import type { ContainerStatus, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { kubeletWriter } from '../nodes/simulated-nodes.ts';
import { terminate } from '../pods/container.ts';
import { PodMemory } from '../pods/pod-memory.ts';

const resource = { group: '', version: 'v1', resource: 'pods' };

/**
 * Writes into a pod's status that the process of a container has ended, unless it says so already. The kubelet does the
 * rest.
 */
export async function endContainer(
  stores: ResourceStores,
  { metadata: { namespace = '', name = '' }, spec }: Pod,
  { id, exitCode }: { readonly id: string; readonly exitCode: number },
): Promise<void> {
  // the client may use another server than the one that runs the kubelets
  const writer = { ...kubeletWriter(spec?.nodeName ?? ''), onlyAsLeader: false };
  const client = await LoopbackClient.open<Pod>(stores, resource, writer);
  const turn = { memory: new PodMemory(), now: stores.clock.now(), remember: () => undefined };
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  const end = (status: ContainerStatus): ContainerStatus =>
    status.containerID === id && status.state?.running ? terminate(status, { exitCode, reason }, turn) : status;
  await client.modify(
    { namespace, name },
    (pod) => {
      const { containerStatuses, ephemeralContainerStatuses } = pod.status ?? {};
      return {
        ...pod,
        status: {
          ...pod.status,
          ...(containerStatuses && { containerStatuses: containerStatuses.map(end) }),
          ...(ephemeralContainerStatuses && { ephemeralContainerStatuses: ephemeralContainerStatuses.map(end) }),
        },
      };
    },
    'status',
  );
}

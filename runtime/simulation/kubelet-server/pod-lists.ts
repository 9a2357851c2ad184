import type { ContainerStatus, Pod } from '../../../generated/v1.35/core/v1/types.ts';

/* A kubelet's lists of its pods. (pkg/kubelet/server encodePods) */

interface PodList {
  readonly kind: 'PodList';
  readonly apiVersion: 'v1';
  readonly metadata: object;
  /** Null if there are no pods, as Go writes it. */
  readonly items: readonly object[] | null;
}

const listOf = (items: readonly object[]): PodList => ({
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: {},
  items: items.length === 0 ? null : items,
});

/** Returns the desired pods of the node, with a kubelet's annotations about their source. (getPods) */
export const podList = (pods: readonly Pod[]): PodList =>
  listOf(
    pods.map(({ metadata, spec, status }) => ({
      metadata: {
        ...metadata,
        annotations: {
          ...metadata.annotations,
          'kubernetes.io/config.seen': status?.startTime ?? metadata.creationTimestamp ?? '',
          'kubernetes.io/config.source': 'api',
        },
      },
      spec,
      status,
    })),
  );

/** Returns the running pods as the container runtime reports them. (getRunningPods, ToAPIPod) */
export const runningPodList = (pods: readonly Pod[]): PodList =>
  listOf(
    pods.flatMap((pod) => {
      const { name, namespace, uid } = pod.metadata;
      const containers = runningContainers(pod).map((status) => ({
        name: status.name,
        image: status.imageID,
        resources: {},
      }));
      return containers.length === 0 ? [] : [{ metadata: { name, namespace, uid }, spec: { containers }, status: {} }];
    }),
  );

export const runningContainers = ({ status }: Pod): readonly ContainerStatus[] =>
  [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? []), ...(status?.ephemeralContainerStatuses ?? [])].filter(
    ({ state }) => state?.running,
  );

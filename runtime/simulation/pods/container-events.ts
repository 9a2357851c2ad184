import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { ContainerRole } from './behaviour.ts';

/* A kubelet's events about containers. (pkg/kubelet/events, kuberuntime, images) */

/** An event about a pod or one of its containers. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** For example `spec.containers{web}`. */
  readonly fieldPath?: string;
}

const lists: Readonly<Record<ContainerRole, string>> = {
  init: 'initContainers',
  sidecar: 'initContainers',
  main: 'containers',
  ephemeral: 'ephemeralContainers',
};

/** Returns the field of a container for events. (kubecontainer.GenerateContainerRef) */
export const fieldPathOf = (role: ContainerRole, name: string): string => `spec.${lists[role]}{${name}}`;

export const pulling = (image: string): PodEvent => ({
  type: 'Normal',
  reason: 'Pulling',
  message: `Pulling image ${quote(image)}`,
});

export const pulled = (image: string): PodEvent => ({
  type: 'Normal',
  reason: 'Pulled',
  message: `Successfully pulled image ${quote(image)} in 1ms (1ms including waiting). Image size: ${imageSize} bytes.`,
});

export const imagePresent = (image: string): PodEvent => ({
  type: 'Normal',
  reason: 'Pulled',
  message: `Container image ${quote(image)} already present on machine and can be accessed by the pod`,
});

/** Bytes of every simulated image. */
export const imageSize = 10_000_000;

export const created: PodEvent = { type: 'Normal', reason: 'Created', message: 'Container created' };
export const started: PodEvent = { type: 'Normal', reason: 'Started', message: 'Container started' };

/** The event for a changed image. (computePodActions) */
export const changed = (container: string): PodEvent => ({
  type: 'Normal',
  reason: 'Killing',
  message: `Container ${container} definition changed, will be restarted`,
});

/** The event for a resize whose policy requires a restart. (computePodResizeAction) */
export const resized = (container: string): PodEvent => ({
  type: 'Normal',
  reason: 'Killing',
  message: `Container ${container} resize requires restart`,
});

export const killing = (container: string): PodEvent => ({
  type: 'Normal',
  reason: 'Killing',
  message: `Stopping container ${container}`,
});

export const backOff = (container: string, pod: Pod): PodEvent => ({
  type: 'Warning',
  reason: 'BackOff',
  message: `Back-off restarting failed container ${container} in pod ${podText(pod)}`,
});

export const pullFailed = (image: string, error: string): PodEvent => ({
  type: 'Warning',
  reason: 'Failed',
  message: `Failed to pull image ${quote(image)}: ${error}`,
});

export const pullBackOff = (image: string): PodEvent => ({
  type: 'Normal',
  reason: 'BackOff',
  message: `Back-off pulling image ${quote(image)}`,
});

export const failed = (error: string): PodEvent => ({
  type: 'Warning',
  reason: 'Failed',
  message: `Error: ${error}`,
});

export const neverPresent = (image: string): PodEvent => ({
  type: 'Warning',
  reason: 'ErrImageNeverPull',
  message: `Container image ${quote(image)} is not present with pull policy of Never`,
});

/** (pkg/kubelet/util/format, Pod) */
export const podText = ({ metadata }: Pod): string => `${metadata.name}_${metadata.namespace}(${metadata.uid})`;

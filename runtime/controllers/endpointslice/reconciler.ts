import type { Node, Pod, Service } from '../../../generated/v1.35/core/v1/types.ts';
import type { Endpoint, EndpointSlice } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { isNamespaceTerminating } from '../pod-control/pod-control.ts';
import { shouldPodBeInEndpoints } from '../service-pods/pod-endpoints.ts';
import { withTriggerTime } from '../service-pods/trigger-time-tracker.ts';
import { type AddressType, endpointPorts, podToEndpoint, portMapKey } from './pod-endpoint.ts';
import { type DesiredEndpoints, packSlices, type SliceChanges } from './slice-changes.ts';
import { addressTypesOf, isOwnedBy, newEndpointSlice } from './slice-metadata.ts';
import { reconcileHints, trafficDistributionOf } from './traffic-distribution.ts';

/** A service with its pods, nodes and slices. */
export interface ServiceState {
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly slices: readonly EndpointSlice[];
  /** The time for the annotation of written slices. */
  readonly triggerTime: string | undefined;
}

/** Updates the slices of a service to match its pods. (endpointslice reconciler.go) */
export class Reconciler {
  readonly #slices: LoopbackClient<EndpointSlice>;
  readonly #nodes: SharedInformer<Node>;

  constructor(slices: LoopbackClient<EndpointSlice>, nodes: SharedInformer<Node>) {
    this.#slices = slices;
    this.#nodes = nodes;
  }

  /** @throws Error after all other work, if a write failed or a pod's node does not exist */
  async reconcile(given: ServiceState): Promise<void> {
    // a stored slice without endpoints has null
    const state = { ...given, slices: given.slices.map((slice) => ({ ...slice, endpoints: slice.endpoints ?? [] })) };
    const types = addressTypesOf(state.service);
    const errors: string[] = [];
    for (const type of types) await this.#reconcileByAddressType(state, type, errors);
    const unsupported = state.slices.filter(({ addressType }) => !types.some((type) => type === addressType));
    await this.#finalize(state, { create: [], update: [], delete: unsupported });
    if (errors.length > 0) throw new Error(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
  }

  async #reconcileByAddressType(state: ServiceState, type: AddressType, errors: string[]): Promise<void> {
    const { service } = state;
    const existing = state.slices.filter(({ addressType }) => addressType === type);
    const byPorts = new Map<string, EndpointSlice[]>();
    const changes: SliceChanges = { create: [], update: [], delete: [] };
    for (const slice of existing) {
      const key = portMapKey(slice.ports);
      if (!isOwnedBy(slice, service)) changes.delete.push(slice);
      else byPorts.set(key, [...(byPorts.get(key) ?? []), slice]);
    }
    for (const [key, desired] of this.#desired(state, type, errors)) {
      const packed = packSlices(service, byPorts.get(key) ?? [], desired);
      changes.create.push(...packed.create);
      changes.update.push(...packed.update);
      changes.delete.push(...packed.delete);
      byPorts.delete(key);
    }
    for (const slices of byPorts.values()) changes.delete.push(...slices);
    if (existing.length === changes.delete.length && changes.create.length === 0) keepPlaceholder(service, type, changes);
    const changed = new Set([...changes.update, ...changes.delete].map(({ metadata }) => metadata.name));
    const unchanged = existing.filter(({ metadata }) => !changed.has(metadata.name));
    reconcileHints(changes, unchanged, trafficDistributionOf(service));
    await this.#finalize(state, changes);
  }

  /** Returns the desired endpoints by the key of their ports. */
  #desired({ service, pods }: ServiceState, addressType: AddressType, errors: string[]): Map<string, DesiredEndpoints> {
    const groups = new Map<string, DesiredEndpoints & { readonly endpoints: Endpoint[] }>();
    for (const pod of pods) {
      if (!shouldPodBeInEndpoints(pod, true)) continue;
      const ports = endpointPorts(service, pod);
      const key = portMapKey(ports);
      let group = groups.get(key);
      if (group === undefined) {
        group = { addressType, ports, endpoints: [] };
        groups.set(key, group);
      }
      const { nodeName = '' } = pod.spec ?? {};
      const node = this.#nodes.get('', nodeName);
      if (node === undefined && !service.spec?.publishNotReadyAddresses) {
        const { namespace, name } = service.metadata;
        errors.push(`skipping Pod ${pod.metadata.name} for Service ${namespace}/${name}: Node ${nodeName} Not Found`);
        continue;
      }
      const endpoint = podToEndpoint(pod, node, service, addressType);
      if (endpoint !== undefined) group.endpoints.push(endpoint);
    }
    return groups;
  }

  /** Writes the changes. Slices to be deleted are reused for slices to be created. */
  async #finalize({ service, triggerTime }: ServiceState, changes: SliceChanges): Promise<void> {
    const { namespace = '', name, deletionTimestamp } = service.metadata;
    const [create, update, remove] = [[...changes.create], [...changes.update], [] as EndpointSlice[]];
    for (const slice of changes.delete) {
      const replacement = create.at(-1);
      if (replacement?.addressType !== slice.addressType || !isOwnedBy(slice, service)) remove.push(slice);
      else {
        create.pop();
        const { name: kept, resourceVersion, uid } = slice.metadata;
        update.push({ ...replacement, metadata: defined({ ...replacement.metadata, name: kept, resourceVersion, uid }) });
      }
    }
    const annotated = ({ metadata, ...others }: EndpointSlice): EndpointSlice => ({
      ...others,
      metadata: { ...metadata, annotations: withTriggerTime(metadata.annotations, triggerTime) },
    });
    const failing = (verb: string) => (error: Error) => {
      throw new Error(`failed to ${verb} EndpointSlice for Service ${namespace}/${name}: ${error.message}`, {
        cause: error,
      });
    };
    try {
      for (const slice of deletionTimestamp ? [] : create) await this.#slices.create(annotated(slice));
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      failing('create')(error as Error);
    }
    for (const slice of update) {
      await this.#slices.update(annotated(slice)).catch(failing(`update ${slice.metadata.name}`));
    }
    for (const { metadata } of remove) {
      await this.#slices.delete(namespace, metadata.name ?? '').catch(failing(`delete ${metadata.name}`));
    }
  }
}

/** Keeps one empty slice for a service without endpoints, as a sign that it is managed. */
function keepPlaceholder(service: Service, type: AddressType, changes: SliceChanges): void {
  const placeholder = newEndpointSlice(service, type, []);
  const [only, ...others] = changes.delete;
  if (only && others.length === 0 && isPlaceholder(only, placeholder)) changes.delete.pop();
  else changes.create.push(placeholder);
}

function isPlaceholder(slice: EndpointSlice, placeholder: EndpointSlice): boolean {
  const isEmpty = slice.endpoints.length === 0 && (slice.ports ?? []).length === 0;
  return isEmpty && equalJson(slice.metadata.labels, placeholder.metadata.labels) && slice.addressType === placeholder.addressType;
}

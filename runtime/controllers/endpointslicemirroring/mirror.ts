import type { Endpoints } from '../../../generated/v1.35/core/v1/types.ts';
import type { EndpointSlice } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import { type EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { isNamespaceTerminating } from '../pod-control/pod-control.ts';
import { type DesiredSlices, desiredSlices, maxEndpointsPerSubset, sliceKey } from './desired-endpoints.ts';
import { isMirrorOf, mirroredSlice } from './mirrored-slice.ts';

interface SliceChanges {
  readonly create: EndpointSlice[];
  /** Updated slices, each with the slice that it replaces. */
  readonly update: { readonly slice: EndpointSlice; readonly replaced: EndpointSlice }[];
  readonly delete: EndpointSlice[];
}

/** Updates the mirroring slices to match their Endpoints. (endpointslicemirroring reconciler.go) */
export class Mirror {
  readonly #slices: LoopbackClient<EndpointSlice>;
  readonly #recorder: EventRecorder;

  constructor(slices: LoopbackClient<EndpointSlice>, recorder: EventRecorder) {
    this.#slices = slices;
    this.#recorder = recorder;
  }

  /** @param existing all slices of this controller for the Endpoints */
  async reconcile(endpoints: Endpoints, existing: readonly EndpointSlice[]): Promise<void> {
    const desired = desiredSlices(endpoints);
    this.#recordSkipped(endpoints, desired);
    await this.#write(endpoints, changesFor(endpoints, desired, existing));
  }

  /** Deletes slices, which ends the mirroring. */
  async deleteAll(slices: readonly EndpointSlice[]): Promise<void> {
    for (const slice of slices) await this.#delete(slice);
  }

  #recordSkipped(endpoints: Endpoints, { invalid, skipped }: DesiredSlices): void {
    const about = referenceTo({ ...endpoints, apiVersion: 'v1', kind: 'Endpoints' });
    if (invalid > 0) {
      const message = `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`;
      this.#recorder.event(about, { type: 'Warning', reason: 'InvalidIPAddress', message });
    }
    if (skipped > invalid) {
      const message = `A max of ${maxEndpointsPerSubset} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
      this.#recorder.event(about, { type: 'Warning', reason: 'TooManyAddressesToMirror', message });
    }
  }

  async #write({ metadata }: Endpoints, changes: SliceChanges): Promise<void> {
    const failing = (verb: string) => (error: Error) => {
      const what = `failed to ${verb} EndpointSlice for Endpoints ${metadata.namespace}/${metadata.name}`;
      throw hasStatusCode(error, 409) ? error : new Error(`${what}: ${error.message}`, { cause: error });
    };
    for (const slice of metadata.deletionTimestamp ? [] : changes.create) {
      try {
        await this.#slices.add(slice);
      } catch (error) {
        if (isNamespaceTerminating(error)) return;
        failing('create')(error as Error);
      }
    }
    for (const { slice, replaced } of changes.update) {
      const { name, resourceVersion, uid } = replaced.metadata;
      const { generateName: _, ...written } = slice.metadata;
      await this.#slices
        .update({ ...slice, metadata: defined({ ...written, name, resourceVersion, uid }) })
        .catch(failing(`update ${name}`));
    }
    for (const slice of changes.delete) await this.#delete(slice).catch(failing(`delete ${slice.metadata.name}`));
  }

  async #delete({ metadata: { namespace = '', name = '' } }: EndpointSlice): Promise<void> {
    try {
      await this.#slices.delete(namespace, name);
    } catch (error) {
      // the garbage collector has deleted it already
      if (!hasStatusCode(error, 404)) throw error;
    }
  }
}

function changesFor(endpoints: Endpoints, { slices }: DesiredSlices, existing: readonly EndpointSlice[]): SliceChanges {
  const byKey = new Map<string, EndpointSlice[]>();
  for (const slice of existing) {
    const key = sliceKey(slice.addressType, slice.ports);
    byKey.set(key, [...(byKey.get(key) ?? []), slice]);
  }
  const changes: SliceChanges = { create: [], update: [], delete: [] };
  for (const [key, desired] of slices) {
    const [first, ...others] = byKey.get(key) ?? [];
    byKey.delete(key);
    changes.delete.push(...others);
    if (desired.endpoints.size === 0) {
      if (first !== undefined) changes.delete.push(first);
    } else if (first === undefined) changes.create.push(mirroredSlice(endpoints, desired));
    else if (!isMirrorOf(endpoints, first, desired)) {
      changes.update.push({ slice: mirroredSlice(endpoints, desired), replaced: first });
    }
  }
  for (const unwanted of byKey.values()) changes.delete.push(...unwanted);
  return recycled(changes);
}

/** Reuses slices to be deleted for slices to be created with the same address type. (recycleSlices) */
function recycled(changes: SliceChanges): SliceChanges {
  const unwanted = [...changes.delete];
  const [create, update] = [[] as EndpointSlice[], [...changes.update]];
  for (const slice of changes.create) {
    const at = unwanted.findIndex(({ addressType }) => addressType === slice.addressType);
    const [replaced] = at < 0 ? [] : unwanted.splice(at, 1);
    if (replaced === undefined) create.push(slice);
    else update.push({ slice, replaced });
  }
  return { create, update, delete: unwanted };
}

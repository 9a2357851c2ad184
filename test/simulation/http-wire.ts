import type { TestObject } from '../support/test-object.ts';
import type { ModelEvent, ModelKey, ModelObject } from './store-model.ts';

/** The requested encoding. */
export interface Form {
  readonly accept: string;
  readonly isPartial: boolean;
}

export const wholeObjects: Form = { accept: 'application/json', isPartial: false };
export const onlyMetadata: Form = {
  accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  isPartial: true,
};

/** Returns a core Event: its `reason` can change, and is selectable. */
export function toWire({ namespace, name }: ModelKey, color: string, shape: string, mark: number, resourceVersion?: string): string {
  return JSON.stringify({
    metadata: {
      namespace,
      name,
      labels: { color },
      annotations: { mark: String(mark) },
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    involvedObject: { kind: 'Pod', namespace, name },
    reason: shape,
    type: 'Normal',
  });
}

export function fromWire({ metadata, reason }: TestObject, { isPartial }: Form = wholeObjects): ModelObject {
  const { namespace = '', name = '', labels, annotations, resourceVersion } = metadata;
  return {
    namespace,
    name,
    color: labels?.color ?? '',
    shape: isPartial ? '' : reason,
    mark: Number(annotations?.mark),
    revision: Number(resourceVersion),
  };
}

/** Returns the visible part of the model's objects or events in an encoding. */
export function projected<T extends ModelObject | ModelEvent>(all: readonly T[], { isPartial }: Form): readonly T[] {
  if (!isPartial) return all;
  return all.map((one) => ('object' in one ? { ...one, object: { ...one.object, shape: '' } } : { ...one, shape: '' }));
}

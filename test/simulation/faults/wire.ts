import type { TestObject } from '../../support/test-object.ts';
import type { Version } from '../linearizability/object-model.ts';

export const slotCount = 3;

/** Objects whose `data` is a map of strings. */
export interface Kind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly path: (namespace: string) => string;
  /** Updates must name the replaced resourceVersion, as for custom resources. */
  readonly needsGuard: boolean;
}

export const configMaps: Kind = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  path: (namespace) => `/api/v1/namespaces/${namespace}/configmaps`,
  needsGuard: false,
};

export const widgets: Kind = {
  kind: 'Widget',
  apiVersion: 'faults.example.io/v1',
  path: (namespace) => `/apis/faults.example.io/v1/namespaces/${namespace}/widgets`,
  needsGuard: true,
};

export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.faults.example.io' },
  spec: {
    group: 'faults.example.io',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { data: { type: 'object', additionalProperties: { type: 'string' } } },
          },
        },
      },
    ],
  },
};

/**
 * Returns a slot's text, which identifies its writer and its place, so that torn, moved or invented text is detected.
 */
function slotText(name: string, slot: number, mark: number): string {
  // some objects are large enough for worker threads and several packets
  const repeated = mark % 50 === 0 ? 4000 : mark % 40;
  return `${mark}:${`${name}/${slot}/${mark} `.repeat(repeated)}`;
}

/** Returns the data of a write, of all slots or of one. */
export function dataOf(name: string, mark: number, only?: number): Record<string, string> {
  const slots = Array.from({ length: slotCount }, (_, slot) => slot).filter((slot) => only === undefined || slot === only);
  return {
    writer: String(mark),
    ...Object.fromEntries(slots.map((slot) => [`slot${slot}`, slotText(name, slot, mark)])),
  };
}

/** @throws if no write of `dataOf` makes the object */
export function versionOf({ metadata, data }: TestObject): Version {
  const name = String(metadata.name);
  const slots = Array.from({ length: slotCount }, (_, slot) => {
    const text = String(data?.[`slot${slot}`]);
    const mark = Number.parseInt(text, 10);
    if (text !== slotText(name, slot, mark)) throw new Error(`slot ${slot} of ${name} is torn: ${text.slice(0, 200)}`);
    return mark;
  });
  const revision = Number(metadata.resourceVersion);
  return { revision, uid: String(metadata.uid), writer: Number(data.writer), slots };
}

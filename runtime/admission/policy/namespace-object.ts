import { memberOf } from '../../machinery/json/values.ts';
import { type JsonObject, type KubeObject, unstructuredContent } from '../../machinery/object.ts';

const shownMetadata = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
];

const made = new WeakMap<KubeObject, JsonObject>();

/**
 * Returns the fields of a namespace that expressions see: without kind, managers and owners.
 * (cel.CreateNamespaceObject)
 */
export function namespaceObject(namespace: KubeObject): JsonObject {
  let object = made.get(namespace);
  if (object === undefined) {
    const { metadata, spec = {}, status = {} } = unstructuredContent(namespace);
    const all = metadata as JsonObject;
    const shown: JsonObject = {};
    for (const name of shownMetadata) {
      const member = memberOf(all, name);
      if (member !== undefined) shown[name] = member;
    }
    object = { metadata: shown, spec, status } satisfies JsonObject;
    made.set(namespace, object);
  }
  return object;
}

import { createHash } from 'node:crypto';
import { cloneJson } from '../../machinery/json/clone.ts';
import { fromUnstructured, type JsonObject, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { withUids } from '../fixtures/content.ts';
import { groupKindOf } from '../fixtures/source-object.ts';

/** Fields that a server sets differently in each run. */
const ofOneRun = ['creationTimestamp', 'generation', 'managedFields', 'selfLink'] as const;

/**
 * Returns the objects in a form that does not depend on the time of their writes: without times, generations and
 * managed fields, and with uids derived from names, also in references to them.
 *
 * @param all the objects that references may mention, including `objects`
 */
export function portable(objects: readonly KubeObject[], all: readonly KubeObject[]): KubeObject[] {
  const uids = new Map(all.map((object) => [object.metadata.uid ?? '', uidOfName(object)]));
  return objects.map((object) => {
    const copy = fromUnstructured(withUids(cloneJson(unstructuredContent(object)), uids) as JsonObject);
    for (const field of ofOneRun) delete copy.metadata[field];
    return copy;
  });
}

/** (RFC 9562, version 8) */
function uidOfName(object: KubeObject): string {
  const { namespace = '', name = '' } = object.metadata;
  const hash = createHash('sha256')
    .update(`${groupKindOf(object)} ${namespace}/${name}`)
    .digest('hex');
  return [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-');
}

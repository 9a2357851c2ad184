import { encodeYaml } from '../../codec/yaml.ts';
import { type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { contentOf, textsOf } from '../fixtures/content.ts';
import { isServersOwn } from '../fixtures/server-objects.ts';
import { groupKindOf } from '../fixtures/source-object.ts';

const noUids = new Map<string, string>();

/**
 * Returns the objects without those that every server has or makes again. Objects whose uid another object mentions
 * stay.
 *
 * @param fresh all objects of a newly started server
 */
export function withoutFreshObjects(objects: readonly KubeObject[], fresh: readonly KubeObject[]): KubeObject[] {
  const expected = new Map(fresh.map((object) => [nameOf(object), contentText(object)]));
  const kept = new Set<KubeObject>();
  const unchanged = new Map<string, KubeObject>();
  for (const object of objects.filter((each) => !isMadeAnew(each))) {
    if (expected.get(nameOf(object)) === contentText(object)) unchanged.set(object.metadata.uid ?? '', object);
    else kept.add(object);
  }
  // added objects may mention others
  for (const object of kept) {
    for (const text of textsOf(unstructuredContent(object))) {
      const mentioned = unchanged.get(text);
      if (mentioned !== undefined) kept.add(mentioned);
    }
  }
  return [...kept];
}

/** Reports whether an object is about the server itself, or true only for a moment. */
function isMadeAnew(object: KubeObject): boolean {
  const isHeartbeat = groupKindOf(object) === 'coordination.k8s.io/Lease' && object.metadata.namespace === 'kube-node-lease';
  return isServersOwn(object) || isHeartbeat || groupKindOf(object) === '/Event';
}

const isDefaultAccount = (object: KubeObject): boolean => groupKindOf(object) === '/ServiceAccount' && object.metadata.name === 'default';

/** Returns one name for the service accounts `default` of all namespaces, so that they are compared as one. */
function nameOf(object: KubeObject): string {
  const { namespace = '', name } = object.metadata;
  return `${groupKindOf(object)} ${isDefaultAccount(object) ? '*' : namespace}/${name}`;
}

/** Returns the content that a client wrote, as a comparable text. */
function contentText(object: KubeObject): string {
  const content = unstructuredContent(contentOf(object, noUids));
  delete content.status;
  if (isDefaultAccount(object)) delete (content.metadata as { namespace?: string }).namespace;
  return Buffer.from(encodeYaml(content)).toString('utf8');
}

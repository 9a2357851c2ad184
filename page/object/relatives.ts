import { countKey, counts, readCounts } from '../server/counts.ts';
import { groups, pathOf, type Resource, resourceOfKind } from '../server/discovery.ts';
import { request } from '../server/request.ts';
import type { KubeObject, OwnerReference } from './kube-object.ts';

/** An object in a graph. */
export interface Relative {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** Undefined for an owner that does not exist, or has a kind that is not served. */
  readonly resource: Resource | undefined;
}

export interface Relatives {
  readonly nodes: readonly Relative[];
  /** From owners to dependents, by uid. */
  readonly edges: readonly (readonly [owner: string, dependent: string])[];
}

interface PartialList {
  /** Null for none, as Go writes it. */
  readonly items: readonly KubeObject[] | null;
}

const metadataOnly = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
/** The most objects in a graph. */
const maxNodes = 300;

/** Finds owners upwards, and dependents downwards, of an object. */
export async function relativesOf(resource: Resource, object: KubeObject, signal: AbortSignal): Promise<Relatives> {
  const nodes = new Map<string, Relative>();
  const edges = new Map<string, readonly [string, string]>();
  const { namespace = '' } = object.metadata;
  const all = await candidates(namespace, signal);
  const byUid = new Map(all.map((found) => [found.object.metadata.uid ?? '', found]));
  const add = (relative: Relative): void => void nodes.set(relative.uid, relative);
  const connect = (owner: string, dependent: string): void => void edges.set(`${owner}>${dependent}`, [owner, dependent]);

  const climb = (child: KubeObject): void => {
    for (const reference of child.metadata.ownerReferences ?? []) {
      connect(reference.uid, child.metadata.uid ?? '');
      if (nodes.has(reference.uid)) continue;
      const found = byUid.get(reference.uid);
      add(found === undefined ? missing(reference) : relativeOf(found.resource, found.object));
      if (found !== undefined) climb(found.object);
    }
  };
  const descend = (owner: string): void => {
    for (const { resource: of, object: child } of all) {
      if (nodes.size >= maxNodes || !child.metadata.ownerReferences?.some(({ uid }) => uid === owner)) continue;
      const uid = child.metadata.uid ?? '';
      connect(owner, uid);
      if (nodes.has(uid)) continue;
      add(relativeOf(of, child));
      descend(uid);
    }
  };
  add(relativeOf(resource, object));
  climb(object);
  for (const uid of [...nodes.keys()]) descend(uid);
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

interface Candidate {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/** Reads the metadata of all objects that can be relatives: those of the namespace, and those in none. */
async function candidates(namespace: string, signal: AbortSignal): Promise<readonly Candidate[]> {
  await readCounts();
  const known = counts.value;
  const asked = groups.value
    .flatMap(({ resources }) => resources)
    .filter(({ group, resource }) => resource !== 'events' && (known === undefined || (known.get(countKey(group, resource)) ?? 0) > 0));
  const lists = await Promise.all(
    asked.map(async (resource) => {
      const path = pathOf(resource, resource.namespaced ? namespace : '');
      const { items } = await request<PartialList>(path, { accept: metadataOnly, signal }).catch(() => ({ items: [] }));
      return (items ?? []).map((object) => ({ resource, object }));
    }),
  );
  return lists.flat();
}

const relativeOf = (resource: Resource, { metadata }: KubeObject): Relative => ({
  uid: metadata.uid ?? '',
  kind: resource.kind,
  name: metadata.name,
  namespace: metadata.namespace ?? '',
  resource,
});

const missing = ({ uid, kind, name, apiVersion }: OwnerReference): Relative => ({
  uid,
  kind: resourceOfKind(apiVersion, kind) === undefined ? kind : `${kind} (gone)`,
  name,
  namespace: '',
  resource: undefined,
});

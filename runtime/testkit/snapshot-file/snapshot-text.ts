import type { RestClient } from '../../client/rest-client.ts';
import { encodeYaml } from '../../codec/yaml.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { groupOf } from '../fixtures/source-object.ts';
import { withoutFreshObjects } from './left-out.ts';
import { listObjects } from './list-objects.ts';
import { portable } from './portable.ts';

export interface SnapshotFileOptions {
  /**
   * Leave out what differs from run to run, so that two files of the same objects are equal: times, generations and managed fields;
   * uids are made from names. Default: false, so that the objects can be restored exactly.
   */
  readonly portable?: boolean;
  /** Include the objects that every fresh server has, and those that it makes anew. Default: false. */
  readonly all?: boolean;
}

/**
 * All objects of a server as documents of YAML, for a file that git compares well: they stand in the order of their groups, kinds,
 * namespaces and names, the fields in that of the alphabet.
 *
 * @param fresh lists the objects of a server that has just started
 */
export async function snapshotText(
  client: RestClient,
  fresh: () => Promise<readonly KubeObject[]>,
  { portable: isPortable = false, all = false }: SnapshotFileOptions = {},
): Promise<string> {
  const listed = await listObjects(client);
  const wanted = all ? listed : withoutFreshObjects(listed, await fresh());
  const written = (isPortable ? portable(wanted, listed) : wanted).sort(byKindAndName);
  return written.map((object) => `---\n${Buffer.from(encodeYaml(withoutVersion(object))).toString('utf8')}`).join('');
}

/** The resourceVersion is that of another store. */
function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function byKindAndName(a: KubeObject, b: KubeObject): number {
  const other = orderOf(b);
  for (const [at, part] of orderOf(a).entries()) {
    const beside = other[at] ?? '';
    if (part !== beside) return part < beside ? -1 : 1;
  }
  return 0;
}

const orderOf = (object: KubeObject): string[] => {
  const { namespace = '', name = '' } = object.metadata;
  return [groupOf(object), object.kind ?? '', namespace, name];
};

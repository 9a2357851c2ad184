import type { RestClient } from '../../client/rest-client.ts';
import { encodeYaml } from '../../codec/yaml.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { groupOf } from '../fixtures/source-object.ts';
import { withoutFreshObjects } from './left-out.ts';
import { listObjects } from './list-objects.ts';
import { portable } from './portable.ts';

export interface SnapshotFileOptions {
  /**
   * Leaves out everything that differs from run to run, so that files of equal objects are equal: times, generations
   * and managed fields. uids are derived from names. Default: false, so that the objects can be restored exactly.
   */
  readonly portable?: boolean;
  /** Includes the objects that every fresh server has or makes again. Default: false. */
  readonly all?: boolean;
}

/**
 * Returns all objects of a server as YAML documents that git compares well: sorted by group, kind, namespace and name,
 * with fields in alphabetical order.
 *
 * @param fresh lists the objects of a newly started server
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

/** Removes the resourceVersion, which belongs to another store. */
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

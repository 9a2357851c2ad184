import { type ListMeta, listMetaObject } from '../../codec/list-meta.ts';
import { encodeYaml } from '../../codec/yaml.ts';
import { notAcceptable } from '../../machinery/errors/status.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { objectAt, withoutType } from './versioned.ts';

/** Objects as YAML, for people; there are no YAML watches. */
export function yamlEncoding(definition: ResourceDefinition): ResponseEncoding {
  const noStream = (): never => {
    throw notAcceptable(['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']);
  };
  const item = (stored: StoredObject): object => {
    const object = objectAt(definition, stored);
    return definition.type.unstructured ? object : withoutType(object);
  };
  return {
    contentType: 'application/yaml',
    text: true,
    one: (stored) => encodeYaml(objectAt(definition, stored)),
    oneObject: encodeYaml,
    list: (items, meta) => ({
      pieces: yamlListPieces(formatGroupVersion(definition), definition.listKind, meta, items.length, (index) =>
        item(items[index]),
      ),
    }),
    frame: noStream,
    bookmark: noStream,
    error: noStream,
  };
}

/** A list in YAML, an item at a time: what encodeYaml makes of the whole, where lists are at the indent of their key. */
export function* yamlListPieces(
  apiVersion: string,
  kind: string,
  meta: ListMeta,
  count: number,
  item: (index: number) => unknown,
): Iterable<Uint8Array> {
  yield encodeYaml({ apiVersion });
  yield Buffer.from(count === 0 ? 'items: []\n' : 'items:\n');
  for (let index = 0; index < count; index++) yield encodeYaml([item(index)]);
  yield encodeYaml({ kind, metadata: listMetaObject(meta) });
}

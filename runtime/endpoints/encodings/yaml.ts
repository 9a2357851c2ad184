import { type ListMeta, listMetaObject } from '../../codec/list-meta.ts';
import { encodeYaml } from '../../codec/yaml.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { notAcceptable } from '../../machinery/errors/status.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { ListBody, ListHeader } from './list-body.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { objectAt, withoutType } from './versioned.ts';

/** The common part of all YAML encodings, which watches cannot have. */
export abstract class YamlOnly {
  readonly contentType = 'application/yaml';
  readonly isText = true;

  encodeEvent(): never {
    throw notAcceptable(['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']);
  }

  encodeBookmark(): never {
    return this.encodeEvent();
  }

  encodeError(): never {
    return this.encodeEvent();
  }
}

/** Encodes objects as YAML, for human readers. Nothing is cached. */
export class YamlEncoding extends YamlOnly implements ResponseEncoding {
  readonly #definition: ResourceDefinition;

  constructor(definition: ResourceDefinition) {
    super();
    this.#definition = definition;
  }

  encodeStored(stored: StoredObject): Uint8Array {
    return encodeYaml(objectAt(this.#definition, stored));
  }

  encode(object: KubeObject): Uint8Array {
    return encodeYaml(object);
  }

  encodeList(items: readonly StoredObject[], meta: ListMeta): ListBody {
    const { listKind: kind, type } = this.#definition;
    const header = { apiVersion: formatGroupVersion(this.#definition), kind, meta, isUnstructured: type.unstructured };
    return { pieces: yamlListPieces(header, items.length, (index) => this.#item(elementAt(items, index))) };
  }

  #item(stored: StoredObject): object {
    const object = objectAt(this.#definition, stored);
    return this.#definition.type.unstructured ? object : withoutType(object);
  }
}

/**
 * Yields a list in YAML, one item at a time: the same bytes as encodeYaml of the whole list, because YAML lists have the
 * indent of their key.
 */
export function* yamlListPieces(
  { apiVersion, kind, meta, isUnstructured }: ListHeader,
  count: number,
  item: (index: number) => unknown,
): Iterable<Uint8Array> {
  yield encodeYaml({ apiVersion });
  yield Buffer.from(count === 0 ? 'items: []\n' : 'items:\n');
  for (let index = 0; index < count; index++) yield encodeYaml([item(index)]);
  yield encodeYaml({ kind, metadata: listMetaObject(meta, isUnstructured) });
}

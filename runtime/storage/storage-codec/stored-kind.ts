import type { Json, KubeObject } from '../../machinery/object.ts';
import type { ProtobufCodec } from '../../machinery/protobuf/codec.ts';

/** How the objects of a built-in kind at one version are stored. They have their JSON shape. */
export interface StoredKind {
  /** Absent for kinds that are JSON whatever the media type is. */
  readonly protobuf?: ProtobufCodec<KubeObject> | undefined;
  /** Brings an object that is not protobuf into its canonical form. Throws DecodeError. */
  prune(value: Json): KubeObject;
  /** Fills in the defaults of this version, and converts to the storage version. May change and return its argument. */
  fromStored(object: KubeObject): KubeObject;
  /**
   * What is stored of an object of the storage version. May change and return its argument. Default: the object. Only
   * CustomResourceDefinitions are stored at a version that is not served.
   */
  toStored?(object: KubeObject): KubeObject;
}

/**
 * Finds built-in kinds, those of versions that are not served, too. Undefined for all others, which are stored as they are.
 * Waits only for the code of a group-version that was not used before.
 */
export type FindKind = (apiVersion: string, kind: string) => StoredKind | undefined | Promise<StoredKind | undefined>;

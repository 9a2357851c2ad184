import type { Json, KubeObject } from '../../machinery/object.ts';
import type { ProtobufCodec } from '../../machinery/protobuf/codec.ts';

/** The storage of a built-in kind at one version. Objects have their JSON shape. */
export interface StoredKind {
  /** Absent for kinds that are JSON for every media type. */
  readonly protobuf?: ProtobufCodec<KubeObject> | undefined;
  /** Brings an object from another format than protobuf into its canonical form. Throws DecodeError. */
  prune(value: Json): KubeObject;
  /** Sets the defaults of this version, and converts to the storage version. May change and return its argument. */
  fromStored(object: KubeObject): KubeObject;
  /**
   * Returns the stored form of an object at the storage version. May change and return its argument. Default: the
   * object. Only CustomResourceDefinitions are stored at a version that is not served.
   */
  toStored?(object: KubeObject): KubeObject;
}

/**
 * Finds built-in kinds, including those of unserved versions. Returns undefined for other kinds, which are stored
 * unchanged. Returns a promise only while the code of a group-version loads.
 */
export type FindKind = (apiVersion: string, kind: string) => StoredKind | undefined | Promise<StoredKind | undefined>;

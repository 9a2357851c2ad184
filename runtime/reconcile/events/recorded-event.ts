import type { KubeObject } from '../../machinery/object.ts';

/** An event about an object. */
export interface RecordedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The node of the source. */
  readonly host?: string;
  /** Annotations of the created Event. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The object of an event. (core/v1 ObjectReference) */
export interface EventReference {
  readonly kind: string;
  readonly apiVersion: string;
  /** The namespace; "" or absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion?: string;
  /** A part of the object: `spec.containers{app}`. */
  readonly fieldPath?: string;
}

/** (client-go tools/reference GetReference) The object must have a kind and an apiVersion. */
export function referenceTo({ kind = '', apiVersion = '', metadata }: KubeObject): EventReference {
  const { namespace, name = '', uid = '', resourceVersion } = metadata;
  return {
    kind,
    apiVersion,
    ...(namespace ? { namespace } : {}),
    name,
    uid,
    ...(resourceVersion ? { resourceVersion } : {}),
  };
}

import type { KubeObject } from '../../machinery/object.ts';

/** What is told about an object. */
export interface RecordedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The node that the source runs on. */
  readonly host?: string;
  /** Of the Event that is created. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The object that an event is about. (core/v1 ObjectReference) */
export interface EventReference {
  readonly kind: string;
  readonly apiVersion: string;
  /** "" or absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion?: string;
  /** A part of the object, as `spec.containers{app}`. */
  readonly fieldPath?: string;
}

/** (client-go tools/reference GetReference) The object must have its kind and apiVersion. */
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

import { envelopeHead, envelopeTail } from '../codec/protobuf.ts';
import { jsonSize } from '../machinery/json/size.ts';
import type { KubeObject } from '../machinery/object.ts';
import { writeMessage } from '../machinery/protobuf/message-writer.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { StoredResource } from '../storage/object-store/contract.ts';
import type { RESTStrategy } from './rest.ts';

/** Groups that upstream serves in servers of their own, which store JSON. (pkg/controlplane/apiserver: LegacyCodec) */
export const jsonGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Returns a function that counts the bytes of an object in kube-apiserver's storage. */
export function storedLengthOf(
  { group, type: { protobuf } }: ResourceDefinition,
  { storedForm }: RESTStrategy,
): StoredResource['storedLength'] {
  if (storedForm !== undefined) return (object) => jsonSize(withoutRevision(storedForm(object))) + 1;
  if (protobuf === undefined || jsonGroups.has(group)) return undefined;
  return (object) => {
    const { apiVersion = '', kind = '' } = object;
    const { length } = writeMessage((writer) => protobuf.encode(withoutRevision(object), writer));
    return envelopeHead(apiVersion, kind, length).length + length + envelopeTail.length;
  };
}

function withoutRevision(object: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

import { type DeclType, listDecl, mapDecl, objectDecl, stringDecl, typeDecl } from '../types/decl-type.ts';
import { boolType, dynType, intType, timestampType } from '../types/type.ts';

const strings = (...names: readonly string[]): Record<string, DeclType> => Object.fromEntries(names.map((name) => [name, stringDecl]));

const kindType = objectDecl('kubernetes.GroupVersionKind', strings('group', 'version', 'kind'));
const resourceType = objectDecl('kubernetes.GroupVersionResource', strings('group', 'version', 'resource'));

/** The type of `request`: an AdmissionRequest without its uid and objects. (BuildRequestType) */
export const requestType = objectDecl('kubernetes.AdmissionRequest', {
  kind: kindType,
  resource: resourceType,
  requestKind: kindType,
  requestResource: resourceType,
  ...strings('subResource', 'requestSubResource', 'name', 'namespace', 'operation'),
  userInfo: objectDecl('kubernetes.UserInfo', {
    ...strings('username', 'uid'),
    groups: listDecl(stringDecl),
    extra: mapDecl(listDecl(stringDecl)),
  }),
  dryRun: typeDecl(boolType),
  options: typeDecl(dynType),
});

const timestamp = typeDecl(timestampType);
const int = typeDecl(intType);

/**
 * The type of `namespaceObject`. The name UID is upstream's, although no object has such a member. (BuildNamespaceType)
 */
export const namespaceType = objectDecl('kubernetes.Namespace', {
  metadata: objectDecl('kubernetes.NamespaceMetadata', {
    ...strings('name', 'generateName', 'namespace', 'UID', 'resourceVersion'),
    labels: mapDecl(stringDecl),
    annotations: mapDecl(stringDecl),
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    finalizers: listDecl(stringDecl),
  }),
  spec: objectDecl('kubernetes.NamespaceSpec', { finalizers: listDecl(stringDecl) }),
  status: objectDecl('kubernetes.NamespaceStatus', {
    conditions: listDecl(
      objectDecl('kubernetes.NamespaceCondition', {
        ...strings('status', 'type', 'message', 'reason'),
        lastTransitionTime: timestamp,
      }),
    ),
    phase: stringDecl,
  }),
});

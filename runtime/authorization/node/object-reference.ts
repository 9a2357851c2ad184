/** An object that the graph can relate to a node. Cluster-scoped objects have the namespace "". */
export interface ObjectReference {
  readonly resource:
    | 'configmaps'
    | 'persistentvolumeclaims'
    | 'persistentvolumes'
    | 'podcertificaterequests'
    | 'pods'
    | 'resourceclaims'
    | 'resourceslices'
    | 'secrets'
    | 'serviceaccounts'
    | 'volumeattachments';
  readonly namespace: string;
  readonly name: string;
}

/** An object that a node may be related to. Objects of the cluster have the namespace "". */
export interface ObjectReference {
  readonly resource:
    | 'configmaps'
    | 'persistentvolumeclaims'
    | 'persistentvolumes'
    | 'pods'
    | 'resourceclaims'
    | 'resourceslices'
    | 'secrets'
    | 'serviceaccounts'
    | 'volumeattachments';
  readonly namespace: string;
  readonly name: string;
}

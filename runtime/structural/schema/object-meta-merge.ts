import { boolean, list, number, type StructMerge, text, textMapping, time, untyped } from '../../machinery/schema/merge-schema.ts';

const ownerReferenceMerge: StructMerge = {
  kind: 'struct',
  mapType: 'atomic',
  fields: { apiVersion: text, kind: text, name: text, uid: text, controller: boolean, blockOwnerDeletion: boolean },
};

const managedFieldsEntryMerge: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: {
    manager: text,
    operation: text,
    apiVersion: text,
    time,
    fieldsType: text,
    fieldsV1: untyped,
    subresource: text,
  },
};

/** The merge of metadata in kinds without generated code. It equals the generated merge of built-in kinds. */
export const objectMetaMerge: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: number,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: number,
    labels: textMapping,
    annotations: textMapping,
    ownerReferences: list(() => ownerReferenceMerge, {
      listType: 'map',
      mapKeys: ['uid'],
      keyDefaults: { uid: '' },
      patchStrategy: 'merge',
      patchMergeKey: 'uid',
    }),
    finalizers: list(text, { listType: 'set', patchStrategy: 'merge' }),
    managedFields: list(() => managedFieldsEntryMerge, { listType: 'atomic' }),
  },
};

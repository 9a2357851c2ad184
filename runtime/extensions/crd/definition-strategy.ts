import type { CustomResourceDefinition } from '../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { unrecognizedFormats } from '../../structural/schema/visit.ts';

import { cleanupFinalizer, schemaOf, setCRDCondition } from './api-helpers.ts';
import {
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionStatusUpdate,
  validateCustomResourceDefinitionUpdate,
} from './validation/index.ts';

/** (apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go) */
export const customResourceDefinitionStrategy: RESTStrategy = {
  prepareForCreate(object) {
    object.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [] };
    addStorageVersion(object as CustomResourceDefinition);
  },
  prepareForUpdate(object, _old, { part }) {
    if (part === 'main') addStorageVersion(object as CustomResourceDefinition);
  },
  validate: (object, errors) => validateCustomResourceDefinition(object as CustomResourceDefinition, errors),
  validateReplacement(object, old, errors, { part }) {
    const crd = object as CustomResourceDefinition;
    if (part === 'main') validateCustomResourceDefinitionUpdate(crd, old as CustomResourceDefinition, errors);
    else if (part === 'status') validateCustomResourceDefinitionStatusUpdate(crd, errors);
  },
  warnings(object, old, { part }) {
    if (part !== 'main') return [];
    const known = new Set(old === undefined ? [] : formatsOf(old as CustomResourceDefinition));
    return formatsOf(object as CustomResourceDefinition)
      .filter((format) => !known.has(format))
      .map((format) => `unrecognized format ${quote(format)}`);
  },
  prepareForDelete({ metadata }: KubeObject) {
    metadata.finalizers ??= [];
    if (!metadata.finalizers.includes(cleanupFinalizer)) metadata.finalizers.push(cleanupFinalizer);
  },
  markAsDeleting(object, { now }) {
    const pending = {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    };
    setCRDCondition(object as CustomResourceDefinition, pending, now);
    // the deletion of a definition does not increase its generation
    const { metadata } = object;
    if (metadata.generation) metadata.generation -= 1;
  },
};

/** Adds the storage version to status.storedVersions, because objects may be stored at it from now on. */
function addStorageVersion(crd: CustomResourceDefinition): void {
  const storedVersions = crd.status?.storedVersions ?? [];
  // null if the client sent no versions, which validation refuses later
  const version = (crd.spec.versions ?? []).find(({ storage }) => storage);
  if (version === undefined || storedVersions.includes(version.name)) return;
  crd.status = { ...crd.status, storedVersions: [...storedVersions, version.name] };
}

const formatsOf = ({ spec }: CustomResourceDefinition): string[] =>
  (spec.versions ?? []).flatMap((version) => {
    const schema = schemaOf(version);
    return schema === undefined ? [] : unrecognizedFormats(schema);
  });

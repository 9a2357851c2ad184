import { quote } from '../../machinery/go/quote.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { unrecognizedFormats } from '../../structural/schema/formats.ts';
import { type CustomResourceDefinition, cleanupFinalizer, getCRDStorageVersion } from './api-helpers.ts';
import { setCRDCondition } from './controllers/set-condition.ts';
import {
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionStatusUpdate,
  validateCustomResourceDefinitionUpdate,
} from './validation/index.ts';

/** The rules of CustomResourceDefinitions themselves. (pkg/registry/customresourcedefinition) */
export const customResourceDefinitionStrategy: RESTStrategy = {
  prepareForCreate(object) {
    const crd = object as CustomResourceDefinition;
    crd.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [] };
    storeVersion(crd);
  },
  prepareForUpdate(object, _old, { part }) {
    if (part === 'main') storeVersion(object as CustomResourceDefinition);
  },
  validate: validateCustomResourceDefinition,
  validateReplacement(object, old, errors, { part }) {
    if (part === 'main') validateCustomResourceDefinitionUpdate(object, old, errors);
    else if (part === 'status') validateCustomResourceDefinitionStatusUpdate(object, old, errors);
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
    } as const;
    setCRDCondition(object as CustomResourceDefinition, pending, now);
    // deleting a definition does not count as a change of it
    const { metadata } = object;
    if (metadata.generation) metadata.generation -= 1;
  },
};

/** Whatever was once the storage version may be on disk. */
function storeVersion(crd: CustomResourceDefinition): void {
  const stored = crd.status?.storedVersions ?? [];
  // null where the client named none, which is refused further on
  const [version] = (crd.spec.versions ?? []).filter(({ storage }) => storage);
  if (version === undefined || stored.includes(getCRDStorageVersion(crd))) return;
  crd.status = { ...crd.status, storedVersions: [...stored, version.name] };
}

const formatsOf = ({ spec }: CustomResourceDefinition): string[] =>
  (spec.versions ?? []).flatMap(({ schema }) =>
    schema?.openAPIV3Schema === undefined ? [] : unrecognizedFormats(schema.openAPIV3Schema),
  );

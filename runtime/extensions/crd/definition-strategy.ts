import type { CustomResourceDefinition } from '../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import { fromUnstructured, type Json, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { unrecognizedFormats } from '../../structural/schema/visit.ts';

import { cleanupFinalizer, schemaOf, setCRDCondition } from './api-helpers.ts';
import {
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionStatusUpdate,
  validateCustomResourceDefinitionUpdate,
  validateDefinitionName,
} from './validation/index.ts';
import { toInternalSpec } from './validation/internal-spec.ts';

/** (apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go) */
export const customResourceDefinitionStrategy: RESTStrategy = {
  withoutTables: ['status'],
  prepareForCreate(crd: CustomResourceDefinition) {
    unstructuredContent(crd).status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [] };
    addStorageVersion(crd);
    dropEmptyWebhook(crd);
  },
  prepareForUpdate(crd: CustomResourceDefinition, _old, { part }) {
    if (part !== 'main') return;
    addStorageVersion(crd);
    dropEmptyWebhook(crd);
  },
  validateFirst: validateDefinitionName,
  validate: validateCustomResourceDefinition,
  validateReplacement(crd: CustomResourceDefinition, old: CustomResourceDefinition, errors, { part }) {
    if (part === 'main') validateCustomResourceDefinitionUpdate(crd, old, errors);
    else if (part === 'status') validateCustomResourceDefinitionStatusUpdate(crd, errors);
  },
  warnings(crd: CustomResourceDefinition, old: CustomResourceDefinition | undefined, { part }) {
    if (part !== 'main') return [];
    const known = new Set(old === undefined ? [] : formatsOf(old));
    return formatsOf(crd)
      .filter((format) => !known.has(format))
      .map((format) => `unrecognized format ${quote(format)}`);
  },
  storedForm: atV1beta1,
  prepareForDelete({ metadata }: KubeObject) {
    metadata.finalizers ??= [];
    if (!metadata.finalizers.includes(cleanupFinalizer)) metadata.finalizers.push(cleanupFinalizer);
  },
  markAsDeleting(crd: CustomResourceDefinition, { now }) {
    const pending = {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    };
    setCRDCondition(crd, pending, now);
    // the first deletion of a definition sets its time only
    const { metadata } = crd;
    if (metadata.generation) metadata.generation -= 1;
    delete metadata.deletionGracePeriodSeconds;
  },
};

/** Returns the definition at kube-apiserver's storage version, where fields that all versions share appear once. */
function atV1beta1(crd: CustomResourceDefinition): KubeObject {
  const { topLevel, ...spec } = toInternalSpec(crd.spec);
  const { schema, ...others } = topLevel;
  const version = spec.versions[0]?.name;
  const stored: unknown = { ...spec, ...others, validation: schema, version, preserveUnknownFields: false };
  const apiVersion = 'apiextensions.k8s.io/v1beta1';
  return fromUnstructured({ ...unstructuredContent(crd), apiVersion, spec: stored as Json });
}

/** Adds the storage version to status.storedVersions, because objects may be stored at it from now on. */
function addStorageVersion(crd: CustomResourceDefinition): void {
  const storedVersions = crd.status?.storedVersions ?? [];
  // null if the client sent no versions, which validation refuses later
  const version = (crd.spec.versions ?? []).find(({ storage }) => storage);
  if (version === undefined || storedVersions.includes(version.name)) return;
  crd.status = { ...crd.status, storedVersions: [...storedVersions, version.name] };
}

/** Drops an empty webhook. The internal version has only its members. (pkg/apis/apiextensions/v1/conversion.go) */
function dropEmptyWebhook({ spec: { conversion } }: CustomResourceDefinition): void {
  if (!conversion?.webhook || conversion.webhook.clientConfig) return;
  if ((conversion.webhook.conversionReviewVersions ?? []).length === 0) delete conversion.webhook;
}

const formatsOf = ({ spec }: CustomResourceDefinition): string[] =>
  (spec.versions ?? []).flatMap((version) => {
    const schema = schemaOf(version);
    return schema === undefined ? [] : unrecognizedFormats(schema);
  });

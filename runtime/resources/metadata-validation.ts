import { quote, quoteExcerpt } from '../machinery/go/quote.ts';
import { formatGroupVersionKind, parseGroupVersion } from '../machinery/gvk.ts';
import { equalJson } from '../machinery/json/equality.ts';
import type { ObjectMeta } from '../machinery/object.ts';
import type { ResourceDefinition, StrategyFacts } from '../machinery/resource.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from '../machinery/validation/field-error.ts';
import { FieldPath } from '../machinery/validation/field-path.ts';
import { dns1035Label, dnsLabel, dnsSubdomain, labelKey, labelValue } from '../machinery/validation/name-formats.ts';
import { validateManagedFields } from '../patch/managed-fields/validate-managed-fields.ts';
import { pathSegment } from '../structural/formats.ts';

const totalAnnotationBytes = 256 * 1024;
const metadataPath = FieldPath.of('metadata');

type NameRule = StrategyFacts['nameRule'];

const nameFormats: Readonly<Record<NameRule, (name: string) => string[]>> = {
  'dns-subdomain': dnsSubdomain,
  'dns-label': dnsLabel,
  'dns1035-label': dns1035Label,
  'path-segment': pathSegment,
};

/**
 * What is wrong with a name, in upstream's words. A base that names are generated from may end in a dash.
 * (apimachinery pkg/api/validation/generic.go)
 */
export function nameErrors(rule: NameRule, name: string, prefix = false): string[] {
  const masks = prefix && rule !== 'path-segment' && name.length > 1 && name.endsWith('-');
  return nameFormats[rule](masks ? `${name.slice(0, -2)}a` : name);
}

/** Of an object, or of a resource embedded in one at `path`. (apimachinery pkg/api/validation/objectmeta.go ValidateObjectMetaAccessor) */
export function validateMetadata(
  metadata: ObjectMeta,
  rule: NameRule,
  namespaced: boolean,
  errors: FieldError[],
  path: FieldPath = metadataPath,
): void {
  const { name = '', generateName = '', namespace = '' } = metadata;
  if (generateName !== '') {
    for (const text of nameErrors(rule, generateName, true))
      errors.push(invalid(path.child('generateName'), generateName, text));
  }
  if (name === '') errors.push(required(path.child('name'), 'name or generateName is required'));
  else for (const text of nameErrors(rule, name)) errors.push(invalid(path.child('name'), name, text));
  if (namespaced) {
    if (namespace === '') errors.push(required(path.child('namespace')));
    else
      for (const text of nameErrors('dns-label', namespace))
        errors.push(invalid(path.child('namespace'), namespace, text));
  } else if (namespace !== '') {
    errors.push(forbidden(path.child('namespace'), 'not allowed on this type'));
  }
  if (typeof metadata.generation === 'number' && metadata.generation < 0) {
    errors.push(invalid(path.child('generation'), metadata.generation, 'must be greater than or equal to 0'));
  }
  validateLabels(metadata.labels, path.child('labels'), errors);
  validateAnnotations(metadata.annotations, path.child('annotations'), errors);
  validateOwners(metadata, path, errors);
  validateFinalizers(metadata, path, errors);
  if (metadata.managedFields) validateManagedFields(metadata.managedFields, path.child('managedFields'), errors);
}

/** Keys and not entries, here and below: of a map of 100,000, V8 takes five times as long to list the latter. */
export function validateLabels(labels: ObjectMeta['labels'], at: FieldPath, errors: FieldError[]): void {
  if (labels === undefined) return;
  for (const key of Object.keys(labels)) {
    const value = labels[key];
    for (const text of labelKey(key)) errors.push(invalid(at, key, text));
    for (const text of labelValue(value)) errors.push(invalid(at.key(key), value, text));
  }
}

function validateAnnotations(annotations: ObjectMeta['annotations'], at: FieldPath, errors: FieldError[]): void {
  if (annotations === undefined) return;
  let total = 0;
  for (const key of Object.keys(annotations)) {
    for (const text of labelKey(key.toLowerCase())) errors.push(invalid(at, key, text));
    total += Buffer.byteLength(key) + Buffer.byteLength(annotations[key]);
  }
  if (total > totalAnnotationBytes) errors.push(tooLong(at, '', totalAnnotationBytes));
}

function validateOwners(metadata: ObjectMeta, path: FieldPath, errors: FieldError[]): void {
  const at = path.child('ownerReferences');
  let controller: string | undefined;
  metadata.ownerReferences?.forEach((owner, index) => {
    const one = at.index(index);
    const gv = parseGroupVersion(owner.apiVersion);
    if (owner.apiVersion === '' || gv === undefined || gv.version === '') {
      errors.push(invalid(one.child('apiVersion'), owner.apiVersion, 'version must not be empty'));
    }
    if (owner.kind === '') errors.push(invalid(one.child('kind'), owner.kind, 'must not be empty'));
    if (owner.name === '') errors.push(invalid(one.child('name'), owner.name, 'must not be empty'));
    if (owner.uid === '') errors.push(invalid(one.child('uid'), owner.uid, 'must not be empty'));
    if (gv?.group === '' && gv.version === 'v1' && owner.kind === 'Event') {
      errors.push(
        invalid(one, owner, `${formatGroupVersionKind({ ...gv, kind: 'Event' })} is disallowed from being an owner`),
      );
    }
    if (!owner.controller) return;
    if (controller === undefined) controller = owner.name;
    else {
      const text = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${owner.name}`;
      errors.push(invalid(at, metadata.ownerReferences, text));
    }
  });
}

function validateFinalizers(metadata: ObjectMeta, path: FieldPath, errors: FieldError[]): void {
  const at = path.child('finalizers');
  const finalizers = metadata.finalizers ?? [];
  for (const finalizer of finalizers) {
    for (const text of labelKey(finalizer)) errors.push(invalid(at, finalizer, text));
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const text = `finalizer ${quote('orphan')} and ${quote('foregroundDeletion')} cannot be both set`;
    errors.push(invalid(at, finalizers, text));
  }
}

/** Finalizers that need no domain. (kubernetes pkg/apis/core/helper/helpers.go) */
const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** (kubernetes pkg/apis/core/validation/validation.go ValidateObjectMeta) */
export function validateFinalizerNames(
  { finalizers }: ObjectMeta,
  { strategy }: Pick<ResourceDefinition, 'strategy'>,
  errors: FieldError[],
): void {
  if (finalizers === undefined || !strategy.qualifiedFinalizers) return;
  finalizers.forEach((finalizer, index) => {
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return;
    const text = 'name is neither a standard finalizer name nor is it fully qualified';
    errors.push(invalid(metadataPath.child('finalizers').index(index), finalizer, text));
  });
}

/** (apimachinery pkg/api/validation/objectmeta.go ValidateObjectMetaAccessorUpdate) */
export function validateMetadataUpdate(metadata: ObjectMeta, old: ObjectMeta, errors: FieldError[]): void {
  const immutable = (field: keyof ObjectMeta): void => {
    if (!equalJson(metadata[field] ?? '', old[field] ?? '')) {
      errors.push(invalid(metadataPath.child(field), metadata[field] ?? '', 'field is immutable'));
    }
  };
  if (old.deletionTimestamp) {
    const before = new Set(old.finalizers);
    const added = (metadata.finalizers ?? []).filter((one) => !before.has(one));
    if (added.length > 0) {
      const text = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map(quoteExcerpt).join(', ')}}`;
      errors.push(forbidden(metadataPath.child('finalizers'), text));
    }
  }
  immutable('name');
  immutable('namespace');
  immutable('uid');
  immutable('creationTimestamp');
  immutable('deletionTimestamp');
  immutable('deletionGracePeriodSeconds');
  if ((metadata.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalid(metadataPath.child('generation'), metadata.generation ?? 0, 'must not be decremented'));
  }
}

/**
 * Validates the metadata of a resource embedded in a custom resource. It may or may not have a namespace, and any name
 * that can be a path segment. (apiextensions-apiserver pkg/apiserver/schema/objectmeta/validation.go)
 */
export function validateEmbeddedMetadata(metadata: ObjectMeta, path: FieldPath, errors: FieldError[]): void {
  validateMetadata(metadata, 'path-segment', Boolean(metadata.namespace), errors, path);
}

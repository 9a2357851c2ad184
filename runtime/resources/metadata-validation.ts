import { quoteExcerpt } from '../machinery/go/quote.ts';
import { formatGroupVersionKind, parseGroupVersion } from '../machinery/gvk.ts';
import { equalJson } from '../machinery/json/equality.ts';
import type { ObjectMeta } from '../machinery/object.ts';
import type { ResourceDefinition, WriteRules } from '../machinery/resource.ts';
import { Field } from '../machinery/validation/field.ts';
import type { FieldError } from '../machinery/validation/field-error.ts';
import type { FieldPath } from '../machinery/validation/field-path.ts';
import { strictIPAddress } from '../machinery/validation/ip-formats.ts';
import { dns1035Label, dnsLabel, dnsSubdomain, dnsSubdomainInBytes, labelKey, labelValue } from '../machinery/validation/name-formats.ts';
import { validateManagedFields } from '../patch/managed-fields/validate-managed-fields.ts';
import { configMapKey, pathSegment, pathSegmentPrefix } from '../structural/formats.ts';

/** (TotalAnnotationSizeLimitB) */
export const maxAnnotationBytes = 256 * 1024;

type NameRule = WriteRules['nameRule'];

const nameValidators: Readonly<Record<NameRule, (name: string) => string[]>> = {
  'dns-subdomain': dnsSubdomain,
  'long-name': dnsSubdomainInBytes,
  'dns-label': dnsLabel,
  'dns1035-label': dns1035Label,
  'path-segment': pathSegment,
  'path-segment-name': pathSegment,
  'config-map-key': configMapKey,
  'group-resource': groupResource,
  'ip-address': strictIPAddress,
};

/** (pkg/apis/apiserverinternal/validation ValidateStorageVersionName) */
function groupResource(name: string): string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...dnsSubdomain(name.slice(0, dot)).map((problem) => `the group segment ${problem}`),
    ...dns1035Label(name.slice(dot + 1)).map((problem) => `the resource segment ${problem}`),
  ];
}

/** Name rules that treat a prefix like a whole name. */
const withoutPrefixes: ReadonlySet<NameRule> = new Set(['config-map-key', 'group-resource', 'ip-address', 'path-segment-name']);

/**
 * Returns the errors of a name, in upstream's words. (apimachinery pkg/api/validation/generic.go)
 *
 * @param prefix for generateName, which may end in a dash. The rules path-segment and long-name then only require the
 *   prefix of a path segment. (ValidateObjectMetaAccessorWithOpts)
 */
export function nameErrors(rule: NameRule, name: string, prefix = false): string[] {
  if (!prefix) return nameValidators[rule](name);
  if (rule === 'path-segment' || rule === 'long-name') return pathSegmentPrefix(name);
  const maskTrailingDash = name.length > 1 && name.endsWith('-') && !withoutPrefixes.has(rule);
  return nameValidators[rule](maskTrailingDash ? `${name.slice(0, -2)}a` : name);
}

export interface ObjectMetaRules {
  readonly nameRule: NameRule;
  readonly namespaced: boolean;
}

/** Validates a name, and the beginning of a name, that are there. */
export function validateNames({ name = '', generateName = '' }: ObjectMeta, nameRule: NameRule, field: Field): void {
  if (generateName !== '') {
    const generateNameField = field.child('generateName');
    for (const detail of nameErrors(nameRule, generateName, true)) generateNameField.invalid(generateName, detail);
  }
  if (name !== '') for (const detail of nameErrors(nameRule, name)) field.child('name').invalid(name, detail);
}

/** (apimachinery pkg/api/validation/objectmeta.go ValidateObjectMetaAccessor) */
export function validateObjectMeta(metadata: ObjectMeta, { nameRule, namespaced }: ObjectMetaRules, field: Field): void {
  const { name = '', namespace = '', generation, managedFields } = metadata;
  validateNames(metadata, nameRule, field);
  if (name === '') field.child('name').required('name or generateName is required');
  if (namespaced) {
    if (namespace === '') field.child('namespace').required();
    else for (const detail of dnsLabel(namespace)) field.child('namespace').invalid(namespace, detail);
  } else if (namespace !== '') {
    field.child('namespace').forbidden('not allowed on this type');
  }
  if (generation !== undefined && generation !== null && generation < 0) {
    field.child('generation').invalid(generation, 'must be greater than or equal to 0');
  }
  validateLabels(metadata.labels, field.child('labels'));
  validateAnnotations(metadata.annotations, field.child('annotations'));
  validateOwnerReferences(metadata.ownerReferences, field.child('ownerReferences'));
  validateFinalizers(metadata.finalizers, field.child('finalizers'));
  if (managedFields) validateManagedFields(managedFields, field.child('managedFields'), field.errors);
}

/** Validates the parts of new metadata that validation of an update repeats. */
export function validateObjectMetaContents(metadata: ObjectMeta, field: Field): void {
  const { labels, annotations, ownerReferences, managedFields } = metadata;
  validateLabels(labels, field.child('labels'));
  validateAnnotations(annotations, field.child('annotations'));
  validateOwnerReferences(ownerReferences, field.child('ownerReferences'));
  if (managedFields) validateManagedFields(managedFields, field.child('managedFields'), field.errors);
}

/**
 * Iterates over keys, as the functions below: for a map of 100,000 members, entries would take five times as long in
 * V8.
 */
function validateLabels(labels: ObjectMeta['labels'], field: Field): void {
  if (labels === undefined) return;
  for (const [key, value] of Object.entries(labels)) {
    for (const detail of labelKey(key)) field.invalid(key, detail);
    for (const detail of labelValue(value)) field.invalid(value, detail);
  }
}

function validateAnnotations(annotations: ObjectMeta['annotations'], field: Field): void {
  if (annotations === undefined) return;
  let total = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const detail of labelKey(key.toLowerCase())) field.invalid(key, detail);
    total += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (total > maxAnnotationBytes) field.tooLong('', maxAnnotationBytes);
}

function validateOwnerReferences(references: ObjectMeta['ownerReferences'], field: Field): void {
  let controller: string | undefined;
  for (const reference of references ?? []) {
    const { apiVersion, kind, name, uid } = reference;
    const gv = parseGroupVersion(apiVersion);
    if (apiVersion === '' || gv === undefined || gv.version === '') {
      field.child('apiVersion').invalid(apiVersion, 'version must not be empty');
    }
    if (kind === '') field.child('kind').invalid(kind, 'must not be empty');
    if (name === '') field.child('name').invalid(name, 'must not be empty');
    if (uid === '') field.child('uid').invalid(uid, 'must not be empty');
    if (gv?.group === '' && gv.version === 'v1' && kind === 'Event') {
      const event = formatGroupVersionKind({ ...gv, kind });
      field.invalid(reference, `${event} is disallowed from being an owner`);
    }
    if (!reference.controller) continue;
    const current = `${kind}/${name}`;
    if (controller === undefined) controller = current;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`;
      field.invalid(references, detail);
    }
  }
}

function validateFinalizers(finalizers: ObjectMeta['finalizers'] = [], field: Field): void {
  for (const finalizer of finalizers) {
    for (const detail of labelKey(finalizer)) field.invalid(finalizer, detail);
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    field.invalid(finalizers, 'finalizer orphan and foregroundDeletion cannot be both set');
  }
}

/** Finalizers that need no domain. (kubernetes pkg/apis/core/helper/helpers.go) */
const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** (kubernetes pkg/apis/core/validation/validation.go ValidateObjectMeta) */
export function validateFinalizerNames(
  { finalizers }: ObjectMeta,
  { writeRules }: Pick<ResourceDefinition, 'writeRules'>,
  field: Field,
): void {
  if (finalizers === undefined || !writeRules.qualifiedFinalizers) return;
  finalizers.forEach((finalizer, index) => {
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return;
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    field.child('finalizers').index(index).invalid(finalizer, detail);
  });
}

const immutableFields = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const satisfies readonly (keyof ObjectMeta)[];

/** (apimachinery pkg/api/validation/objectmeta.go ValidateObjectMetaAccessorUpdate) */
export function validateObjectMetaUpdate(metadata: ObjectMeta, old: ObjectMeta, field: Field): void {
  if (old.deletionTimestamp) {
    const before = new Set(old.finalizers);
    const added = [...new Set(metadata.finalizers)].filter((one) => !before.has(one)).sort();
    if (added.length > 0) {
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map(quoteExcerpt).join(', ')}}`;
      field.child('finalizers').forbidden(detail);
    }
  }
  if ((metadata.generation ?? 0) < (old.generation ?? 0)) {
    field.child('generation').invalid(metadata.generation ?? 0, 'must not be decremented');
  }
  for (const name of immutableFields) {
    if (equalJson(metadata[name] ?? '', old[name] ?? '')) continue;
    field.child(name).invalid(metadata[name] ?? '', 'field is immutable');
  }
}

/**
 * Validates the metadata of a resource embedded in a custom resource. It may or may not have a namespace, and any name
 * that can be a path segment. (apiextensions-apiserver pkg/apiserver/schema/objectmeta/validation.go)
 */
export function validateEmbeddedMetadata(metadata: ObjectMeta, path: FieldPath, errors: FieldError[]): void {
  const rules: ObjectMetaRules = { nameRule: 'path-segment', namespaced: Boolean(metadata.namespace) };
  validateObjectMeta(metadata, rules, Field.at(path, errors));
}

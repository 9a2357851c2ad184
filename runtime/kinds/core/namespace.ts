import type { Namespace } from '../../../generated/v1.35/core/v1/types.ts';
import { defined, setOrDelete } from '../../machinery/json/defined.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateFormat } from '../validation/fields.ts';

/** Labels the namespace with its name. (SetDefaults_Namespace) */
export function setNamespaceLabel({ metadata }: Unvalidated<Namespace>): void {
  if (metadata?.name) metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
}

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** (ValidateNamespace) */
function validateNamespace({ spec }: Unvalidated<Namespace>, field: Field): void {
  const at = field.child('spec', 'finalizers');
  for (const finalizer of spec?.finalizers ?? []) validateFinalizerName(finalizer, at);
}

/** (validateFinalizerName, validateKubeFinalizerName) */
function validateFinalizerName(finalizer: string, field: Field): void {
  validateFormat(finalizer, qualifiedName, field);
  if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return;
  field.invalid(finalizer, 'name is neither a standard finalizer name nor is it fully qualified');
}

/** (ValidateNamespaceStatusUpdate) */
function validateNamespaceStatusUpdate({ metadata, status }: Unvalidated<Namespace>, field: Field): void {
  const isDeleted = Boolean(metadata?.deletionTimestamp);
  const phase = isDeleted ? 'Terminating' : 'Active';
  if (status?.phase === phase) return;
  const detail = `may only be '${phase}' if \`deletionTimestamp\` is ${isDeleted ? 'not ' : ''}empty`;
  field.child('status', 'Phase').invalid(status?.phase ?? '', detail);
}

/** (ValidateNamespaceFinalizeUpdate) */
function validateNamespaceFinalizeUpdate({ spec }: Unvalidated<Namespace>, field: Field): void {
  const at = field.child('spec', 'finalizers');
  for (const [index, finalizer] of (spec?.finalizers ?? []).entries()) validateFinalizerName(finalizer, at.index(index));
}

/** The finalizer that the namespace controller removes from an empty namespace. (v1.FinalizerKubernetes) */
const kubernetesFinalizer = 'kubernetes';

/** (pkg/registry/core/namespace) */
export const namespaceStrategy: RESTStrategy = {
  returnDeletedObject: true,
  prepareForCreate(namespace: Namespace) {
    namespace.spec ??= {};
    const { finalizers = [] } = namespace.spec;
    if (!finalizers.includes(kubernetesFinalizer)) namespace.spec.finalizers = [...finalizers, kubernetesFinalizer];
  },
  prepareForUpdate(namespace: Namespace, old: Namespace, { subresource, part }) {
    if (subresource === 'finalize') setOrDelete(namespace, 'status', old.status);
    if (part === 'main') {
      namespace.spec = defined({ ...namespace.spec, finalizers: old.spec?.finalizers });
    }
  },
  validateCreate: (namespace: Namespace, errors) => validateNamespace(namespace, Field.at(FieldPath.root, errors)),
  validateUpdate(namespace: Namespace, _old, errors, { part, subresource }) {
    const field = Field.at(FieldPath.root, errors);
    if (part === 'status') validateNamespaceStatusUpdate(namespace, field);
    else if (subresource === 'finalize') validateNamespaceFinalizeUpdate(namespace, field);
    else validateNamespace(namespace, field);
  },
  isKeptByFirstDeletion: true,
  deletesDependentsInForeground: true,
  hasPendingFinalizers: ({ spec }: Namespace) => (spec?.finalizers ?? []).length > 0,
  markAsDeleting(namespace: Namespace) {
    namespace.status = { ...namespace.status, phase: 'Terminating' };
    delete namespace.metadata.deletionGracePeriodSeconds;
  },
};

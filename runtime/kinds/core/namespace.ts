import type { Namespace } from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateFormat } from '../validation/fields.ts';

/** Labels the namespace with its name. (SetDefaults_Namespace) */
export function setNamespaceLabel({ metadata }: Unvalidated<Namespace>): void {
  if (metadata?.name) metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
}

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** (ValidateNamespace, validateFinalizerName) */
export function validateNamespace(namespace: Unvalidated<Namespace>, field: Field): void {
  const at = field.child('spec', 'finalizers');
  for (const finalizer of namespace.spec?.finalizers ?? []) {
    const errorsBefore = field.errors.length;
    validateFormat(finalizer, qualifiedName, at);
    if (field.errors.length > errorsBefore || finalizer.includes('/') || standardFinalizers.has(finalizer)) continue;
    at.invalid(finalizer, 'name is neither a standard finalizer name nor is it fully qualified');
  }
}

/** Removed by the namespace controller when the namespace is empty. (v1.FinalizerKubernetes) */
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
    if (subresource === 'finalize') namespace.status = old.status;
    if (part === 'main') {
      namespace.spec = { ...namespace.spec, finalizers: old.spec?.finalizers };
      if (old.spec?.finalizers === undefined) delete namespace.spec.finalizers;
    }
  },
  hasPendingFinalizers: ({ spec }: Namespace) => (spec?.finalizers ?? []).length > 0,
  markAsDeleting(namespace: Namespace) {
    namespace.status = { ...namespace.status, phase: 'Terminating' };
    delete namespace.metadata.deletionGracePeriodSeconds;
  },
};

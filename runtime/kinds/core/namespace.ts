import { forbidden } from '../../machinery/errors/status.ts';
import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateFormat } from '../validation/fields.ts';

/** (SetDefaults_Namespace) Every namespace is labelled with its name. */
export function setNamespaceLabel(namespace: Part): void {
  const name = namespace.metadata?.name;
  if (!name) return;
  namespace.metadata.labels = { ...namespace.metadata.labels, 'kubernetes.io/metadata.name': name };
}

export function validateNamespace(namespace: Part, field: Field): void {
  const at = field.child('spec', 'finalizers');
  for (const finalizer of namespace.spec?.finalizers ?? []) {
    const before = field.errors.length;
    validateFormat(finalizer, qualifiedName, at);
    if (field.errors.length > before || finalizer.includes('/') || standardFinalizers.has(finalizer)) continue;
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    at.invalid(finalizer, detail);
  }
}
const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

const contentFinalizer = 'kubernetes';

/** (apiserver pkg/admission/plugin/namespace/lifecycle) */
const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** A namespace is held until its content is gone, by its spec. (pkg/registry/core/namespace) */
export const namespaceStrategy: RESTStrategy = {
  returnDeletedObject: true,
  prepareForCreate(namespace) {
    namespace.spec ??= {};
    const finalizers: string[] = namespace.spec.finalizers ?? [];
    if (!finalizers.includes(contentFinalizer)) namespace.spec.finalizers = [...finalizers, contentFinalizer];
  },
  prepareForUpdate(namespace, old, { subresource, part }) {
    if (subresource === 'finalize') namespace.status = old.status;
    if (part === 'main') {
      namespace.spec = { ...namespace.spec, finalizers: old.spec?.finalizers };
      if (old.spec?.finalizers === undefined) delete namespace.spec.finalizers;
    }
  },
  validateDelete({ metadata }, { definition }) {
    const { name = '' } = metadata;
    if (immortal.has(name)) throw forbidden(definition, name, 'this namespace may not be deleted');
  },
  hasPendingFinalizers: (namespace) => (namespace.spec?.finalizers ?? []).length > 0,
  markAsDeleting(namespace) {
    namespace.status = { ...namespace.status, phase: 'Terminating' };
    delete namespace.metadata.deletionGracePeriodSeconds;
  },
};

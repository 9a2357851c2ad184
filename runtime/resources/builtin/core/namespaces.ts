import { forbidden } from '../../../machinery/status.ts';
import type { RESTStrategy } from '../../rest.ts';

const contentFinalizer = 'kubernetes';

/** (apiserver pkg/admission/plugin/namespace/lifecycle) */
const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** A namespace is held until its content is gone, by its spec. (pkg/registry/core/namespace) */
export const namespaces: RESTStrategy = {
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

import type { ResourceHooks } from '../../hooks.ts';

const contentFinalizer = 'kubernetes';

/** A namespace is held until its content is gone, by its spec. (pkg/registry/core/namespace) */
export const namespaces: ResourceHooks = {
  returnsDeleted: true,
  prepareForCreate(namespace) {
    namespace.spec ??= {};
    const finalizers: string[] = namespace.spec.finalizers ?? [];
    if (!finalizers.includes(contentFinalizer)) namespace.spec.finalizers = [...finalizers, contentFinalizer];
  },
  prepareForUpdate(namespace, old, { subresource }, part) {
    if (subresource === 'finalize') namespace.status = old.status;
    if (part === 'main') {
      namespace.spec = { ...namespace.spec, finalizers: old.spec?.finalizers };
      if (old.spec?.finalizers === undefined) delete namespace.spec.finalizers;
    }
  },
  holds: (namespace) => (namespace.spec?.finalizers ?? []).length > 0,
  markDeleted(namespace) {
    namespace.status = { ...namespace.status, phase: 'Terminating' };
  },
};

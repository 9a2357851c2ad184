import { badRequest } from '../../machinery/errors/status.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/gvk.ts';
import { kindText } from './gvk-text.ts';
import type { Manager } from './manager.ts';

/** A config must be of the kind and version that it is applied to. */
export function checkVersion(inner: Manager, gvk: GroupVersionKind): Manager {
  const apiVersion = formatGroupVersion(gvk);
  return {
    update: (live, next, managed, manager) => inner.update(live, next, managed, manager),
    apply(live, config, managed, manager, force) {
      if (config.apiVersion !== apiVersion || config.kind !== gvk.kind) {
        throw badRequest(`invalid object type: ${kindText(config)}`);
      }
      return inner.apply(live, config, managed, manager, force);
    },
  };
}

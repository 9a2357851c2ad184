import type { KubeObject } from '../../machinery/object.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { forbidden, internalError } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import type { WriteContext } from '../../resources/rest.ts';

/**
 * Only claims in namespaces with a label may use devices that are in use by others. (pkg/registry/resource/utils.go)
 */

const label = 'resource.kubernetes.io/admin-access';

interface MayBeAdmin {
  readonly adminAccess?: boolean;
}

/** Returns the index of the first request for admin access, or -1. */
export const indexOfAdmin = (requests: readonly (MayBeAdmin | undefined)[]): number =>
  requests.findIndex((request) => request?.adminAccess === true);

/** The errors that preparation found, for validation, which cannot wait. */
export class AdminAccess {
  readonly #problems = new WeakMap<KubeObject, FieldError>();

  /** Reads the namespace of an object that requests admin access at `path`. */
  async ask(object: KubeObject, path: FieldPath, { namespace, stores }: WriteContext): Promise<void> {
    const { collection } = await stores.byResource('', 'v1', 'namespaces');
    const stored = collection.latest().get('', namespace);
    if (stored === undefined) {
      const problem = `namespaces "${namespace}" not found`;
      const detail = `could not retrieve namespace to verify admin access: ${problem}`;
      this.#problems.set(object, internalError(path, detail));
    } else if (stored.decode().metadata.labels?.[label] !== 'true') {
      const detail = `admin access to devices requires the \`${label}: true\` label on the containing namespace`;
      this.#problems.set(object, forbidden(path, detail));
    }
  }

  report(object: KubeObject, errors: FieldError[]): void {
    const problem = this.#problems.get(object);
    if (problem !== undefined) errors.push(problem);
  }
}

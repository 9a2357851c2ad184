import { badRequest } from '../machinery/errors/status.ts';
import type { KubeObject } from '../machinery/object.ts';
import { ensureNamespace } from './metadata.ts';
import type { ChangeContext } from './rest.ts';

/**
 * Checks that the object has the name and namespace of the request, and sets an absent namespace. (apiserver
 * handlers/rest.go checkName)
 *
 * @throws StatusError 400
 */
export function checkIdentity(object: KubeObject, { changed, namespace, name }: ChangeContext): void {
  ensureNamespace(object, changed.namespaced, namespace);
  checkName(object, name);
}

/** @throws StatusError 400 unless the object has the name in the path */
export function checkName({ metadata }: KubeObject, name: string): void {
  if (metadata.name && metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if (!metadata.name) throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}

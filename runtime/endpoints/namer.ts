import { badRequest } from '../machinery/errors/status.ts';
import type { KubeObject } from '../machinery/object.ts';
import { checkName as checkNameIs } from '../resources/identity.ts';
import { ensureNamespace } from '../resources/metadata.ts';
import type { ResourceRequest } from './resource-request.ts';

/** Sets the namespace of an object to that of the request. @throws StatusError 400 if the object has another namespace */
export const checkNamespace = ({ definition, namespace }: ResourceRequest, object: KubeObject): void =>
  ensureNamespace(object, definition.namespaced, namespace);

/** @throws StatusError 400 for the path of a collection (apiserver handlers/namer.go) */
export function requireName({ name }: ResourceRequest): void {
  if (name === '') throw badRequest('name must be provided');
}

/** @throws StatusError 400 unless the name of the object is that of the request */
export const checkName = ({ name }: ResourceRequest, object: KubeObject): void => checkNameIs(object, name);

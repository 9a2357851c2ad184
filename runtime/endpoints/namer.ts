import { badRequest } from '../machinery/errors/status.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceRequest } from './resource-request.ts';

/** What the URL says of where an object is must be what the object says. (apiserver pkg/endpoints/handlers/rest.go) */
export function checkNamespace({ definition, namespace }: ResourceRequest, object: KubeObject): void {
  const { metadata } = object;
  if (!definition.namespaced) {
    delete metadata.namespace;
    return;
  }
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  metadata.namespace = namespace;
}

export function checkName({ name }: ResourceRequest, object: KubeObject): void {
  const { metadata } = object;
  if (metadata.name && metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if (!metadata.name)
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}

import { cloneJson } from '../machinery/json/clone.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ChangeContext } from './rest.ts';

/**
 * Returns a body as upstream's handlers have it, which read it into the internal type of its kind. Its managed fields are those of the
 * object that this type writes at the version of the request.
 */
export function asDecoded(object: KubeObject, { definition, changed, strategy }: ChangeContext): KubeObject {
  const { decoder, version, storageVersion, conversion, kind } = definition;
  if (changed !== definition || object.kind !== kind) return object;
  const isConverted = decoder === undefined && version !== storageVersion;
  const decoded = isConverted ? conversion.fromStorage(conversion.toStorage(cloneJson(object))) : object;
  strategy.afterDecoding?.(decoded);
  return decoded;
}

import type { KubeObject } from '../machinery/object.ts';
import { cloneWithDropped } from '../machinery/prune/dropped-values.ts';
import type { ChangeContext } from './rest.ts';

/**
 * Returns the object as upstream's handlers have it after decoding to the internal type: converted to the storage
 * version and back, with the effects of the strategy's afterDecoding. Views of subresources and objects of another kind
 * stay unchanged. Managers own the fields of this form of the object.
 */
export function asDecoded(object: KubeObject, { definition, changed, strategy }: ChangeContext): KubeObject {
  const { decoder, version, storageVersion, conversion, kind } = definition;
  if (changed !== definition || object.kind !== kind) return object;
  const isConverted = decoder === undefined && version !== storageVersion;
  const decoded = isConverted ? conversion.fromStorage(conversion.toStorage(cloneWithDropped(object))) : object;
  strategy.afterDecoding?.(decoded);
  return decoded;
}

import type { PodTemplateSpec } from '../../generated/v1.35/core/v1/types.ts';
import { fnv32a } from '../machinery/go/fnv.ts';
import { safeEncodeString } from '../machinery/go/safe-encode.ts';
import { stableText } from '../machinery/json/equality.ts';

/**
 * Returns a hash of at most ten characters that form no words. Upstream hashes Go's print-out of the template, so
 * hashes differ from upstream's. (pkg/controller ComputeHash)
 *
 * @param collisionCount the number of times that the hash of this template was already taken
 */
export function computeHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  return safeEncodeString(String(fnv32a(`${stableText(template)}${collisionCount ?? ''}`)));
}

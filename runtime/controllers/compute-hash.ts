import type { PodTemplateSpec } from '../../generated/v1.35/core/v1/types.ts';
import { fnv32a } from '../machinery/go/fnv.ts';
import { safeEncodeString } from '../machinery/go/safe-encode.ts';
import { stableText } from '../machinery/json/equality.ts';

/**
 * At most ten characters that make no words. Upstream hashes what Go prints of the template, so that the same template has
 * another hash there. (pkg/controller ComputeHash)
 *
 * @param collisionCount how often this hash, made of the same template, was taken
 */
export function computeHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  return safeEncodeString(String(fnv32a(`${stableText(template)}${collisionCount ?? ''}`)));
}

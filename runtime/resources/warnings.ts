import type { KubeObject } from '../machinery/object.ts';
import type { RESTStrategy, WriteContext } from './rest.ts';

/**
 * Adds the warnings that the strategy has about a valid object to the response.
 *
 * @param old undefined on creation
 */
export function addWarnings(
  { warnings }: RESTStrategy,
  object: KubeObject,
  old: KubeObject | undefined,
  context: WriteContext,
): void {
  if (warnings === undefined) return;
  for (const text of warnings(object, old, context)) context.warn(text);
}

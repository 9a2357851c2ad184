import { badRequest } from '../../machinery/errors/status.ts';
import { quoteExcerpt as quote } from '../../machinery/go/quote.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { parseInt64 } from '../../machinery/selectors/label-requirement.ts';

/**
 * Annotations of apps/v1 that replace fields of earlier versions. Upstream's internal types still have the fields, so
 * values are read and written as numbers. (pkg/apis/apps/v1/conversion.go)
 */

/** spec.rollbackTo.revision of deployments. (DeprecatedRollbackTo) */
const rollbackTo = 'deprecated.deployment.rollback.to';
/** spec.templateGeneration of daemon sets. (DeprecatedTemplateGeneration) */
const templateGeneration = 'deprecated.daemonset.template.generation';

type HasMetadata = Pick<KubeObject, 'metadata'>;

/** @throws StatusError 400 for an annotation that is not an int64. An empty annotation counts as absent */
export function rollbackToOf({ metadata }: HasMetadata): bigint | undefined {
  const text = metadata?.annotations?.[rollbackTo];
  if (!text) return undefined;
  return int64(text, 'Deployment', `failed to parse annotation[${rollbackTo}]=${text} as int64: `);
}

/** @throws StatusError 400 for an annotation that is not an int64 */
export function templateGenerationOf({ metadata }: HasMetadata): bigint {
  const text = metadata?.annotations?.[templateGeneration];
  return text === undefined ? 0n : int64(text, 'DaemonSet', '');
}

function int64(text: string, kind: string, context: string): bigint {
  const value = parseInt64(text);
  if (value !== undefined) return value;
  const problem = /^[+-]?[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
  const reason = `${context}strconv.ParseInt: parsing ${quote(text)}: ${problem}`;
  throw badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${reason}`);
}

export function setRollbackTo({ metadata }: HasMetadata, revision: bigint | undefined): void {
  const { annotations } = metadata;
  if (revision !== undefined) metadata.annotations = { ...annotations, [rollbackTo]: String(revision) };
  else if (annotations && Object.hasOwn(annotations, rollbackTo)) {
    const { [rollbackTo]: _, ...rest } = annotations;
    metadata.annotations = rest;
    if (Object.keys(rest).length === 0) delete metadata.annotations;
  }
}

export function setTemplateGeneration({ metadata }: HasMetadata, generation: bigint): void {
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
}

import type { KubeObject } from '../../../machinery/object.ts';
import { quote } from '../../../machinery/quote.ts';
import { labelKeyErrors } from '../../../machinery/selectors/label-syntax.ts';
import { forbidden } from '../../../machinery/status.ts';
import type { ResourceHooks, WriteContext } from '../../../resources/hooks.ts';

/** The rules that all custom resources share beyond their schemas. */
export function instanceHooks(isTerminating: () => boolean): ResourceHooks {
  return {
    prepareForCreate(object, context) {
      if (isTerminating()) {
        const why = 'create not allowed while custom resource definition is terminating';
        throw forbidden(context.definition, object.metadata.name ?? '', why);
      }
      warnOfFinalizers(object, undefined, context);
    },
    prepareForUpdate(object, old, context, part) {
      if (part === 'main') warnOfFinalizers(object, old, context);
    },
  };
}

/** (pkg/registry/customresource/strategy.go generateWarningsFromObj) */
function warnOfFinalizers(object: KubeObject, old: KubeObject | undefined, { warn }: WriteContext): void {
  const known = old?.metadata.finalizers ?? [];
  const added = (object.metadata.finalizers ?? []).filter((name) => !known.includes(name));
  for (const name of [...new Set(added)].sort()) {
    for (const why of labelKeyErrors(name)) warn(`${where}: ${quote(name)}: ${why}`);
    if (name.includes('/') || standard.has(name)) continue;
    const better = name.includes('.') ? 'name including a path (/)' : 'name';
    warn(
      `${where}: ${quote(name)}: prefer a domain-qualified finalizer ${better} to avoid accidental conflicts with other finalizer writers`,
    );
  }
}

const where = 'metadata.finalizers';
const standard: ReadonlySet<string> = new Set(['foregroundDeletion', 'kubernetes', 'orphan']);

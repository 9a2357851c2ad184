import { forbidden } from '../../../machinery/status.ts';
import type { ResourceHooks } from '../../../resources/hooks.ts';
import { ofNewFinalizers } from '../../../structural/warnings/finalizers.ts';

/** The rules that all custom resources share beyond their schemas. */
export function instanceHooks(isTerminating: () => boolean): ResourceHooks {
  return {
    prepareForCreate(object, context) {
      if (isTerminating()) {
        const why = 'create not allowed while custom resource definition is terminating';
        throw forbidden(context.definition, object.metadata.name ?? '', why);
      }
    },
    warnings: (object, old, _context, part) => (part === 'main' ? ofNewFinalizers(object, old) : []),
  };
}

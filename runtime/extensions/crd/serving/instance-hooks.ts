import { forbidden } from '../../../machinery/errors/status.ts';
import type { RESTStrategy } from '../../../resources/rest.ts';
import { warningsForNewFinalizers } from './finalizer-warnings.ts';

/** The rules that all custom resources share beyond their schemas. */
export function instanceHooks(isTerminating: () => boolean): RESTStrategy {
  return {
    prepareForCreate(object, context) {
      if (isTerminating()) {
        const why = 'create not allowed while custom resource definition is terminating';
        throw forbidden(context.definition, object.metadata.name ?? '', why);
      }
    },
    warnings: (object, old, { part }) => (part === 'main' ? warningsForNewFinalizers(object, old) : []),
  };
}

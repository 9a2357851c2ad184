import type { ServerServices } from '../../codegen/commands/generate.ts';
import { schemaProblems } from '../extensions/crd/schema-problems.ts';
import { suggestionFor } from '../machinery/options/suggestion.ts';

/** The services of this server for the generator. */
export const generatorServices: ServerServices = {
  serveCrds: async (definitions) => (await import('./crd-server.ts')).serveCrds(definitions),
  schemaProblems,
  suggest: suggestionFor,
};

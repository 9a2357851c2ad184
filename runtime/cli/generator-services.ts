import type { ServerServices } from '../../codegen/commands/generate.ts';
import { suggestionFor } from '../machinery/options/suggestion.ts';
import { schemaProblems } from '../server/own-schemas.ts';

/** What the generator asks of this server. */
export const generatorServices: ServerServices = {
  serveCrds: async (files) => (await import('./crd-server.ts')).serveCrds(files),
  schemaProblems,
  suggest: suggestionFor,
};

import type { ServerOptions } from '../server/options.ts';
import type { ParsedFlags } from './flags.ts';
import { loadGroups } from './load-group.ts';
import { flagValues, serverOptions } from './serve-flags/named-flag-sets.ts';
import { defaultCertDir } from './serve-flags/secure-serving.ts';

/**
 * The options that flags of `kubeloom serve` ask for, with the groups of --group and --from. Undefined if there is something
 * wrong with the documents, which has been printed.
 *
 * @throws UsageError for invalid values
 */
export async function requestedOptions(flags: ParsedFlags): Promise<ServerOptions | undefined> {
  const groups = (await Promise.all(flags.list('group').map(loadGroups))).flat();
  const options = { ...withOwnCertificates(serverOptions(flags)), groups, flags: flagValues(flags) };
  const documents = flags.list('from');
  if (documents.length === 0) return options;
  const { serveDocuments } = await import('./served-documents.ts');
  const served = await serveDocuments(documents, options);
  return served && { ...options, ...served };
}

/** Certificates that others left in the default folder have keys by chance, and are not valid yet where a manual clock begins. */
function withOwnCertificates(options: ServerOptions): ServerOptions {
  const { clock, seed, certDir } = options;
  if ((clock === undefined && seed === undefined) || certDir !== defaultCertDir) return options;
  return { ...options, certDir: undefined };
}

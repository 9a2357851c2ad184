import type { ParsedFlags } from '../machinery/options/flags.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { loadGroups } from './load-group.ts';
import { flagValues, serverOptions } from './serve-flags.ts';

/**
 * The options that flags of `kubeloom serve` ask for, with the groups of --group and --from. Undefined if there is something
 * wrong with the documents, which has been printed.
 *
 * @throws UsageError for invalid values
 */
export async function requestedOptions(flags: ParsedFlags): Promise<ServerOptions | undefined> {
  const groups = (await Promise.all(flags.list('group').map(loadGroups))).flat();
  const parsed = serverOptions(flags);
  const options = { ...parsed, ...ownCertificates(parsed, flags), groups, flags: flagValues(flags) };
  const documents = flags.list('from');
  if (documents.length === 0) return options;
  const { serveDocuments } = await import('./served-documents.ts');
  const served = await serveDocuments(documents, options);
  return served && { ...options, ...served };
}

/** Certificates that others left in the default folder have keys by chance, and are not valid yet where a manual clock begins. */
function ownCertificates({ clock, seed }: ServerOptions, flags: ParsedFlags): Pick<ServerOptions, 'certDir'> {
  const isGiven = flags.list('cert-dir').length > 0;
  return isGiven || (clock === undefined && seed === undefined) ? {} : { certDir: undefined };
}

import type { ParsedFlags } from '../machinery/options/flags.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { loadGroups } from './load-group.ts';
import { flagValues, serverOptions } from './serve-flags.ts';

/**
 * Returns the options from the flags of `kubeloom serve`, with the groups of --group and --from. Undefined for invalid
 * documents, after a message has been printed.
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

/**
 * Keeps certificates in memory, unless --cert-dir is given, if the objects are there, too: nothing remains when the
 * server ends. With a seed or a manual clock as well: existing certificates in the default folder have random keys, and
 * may not be valid yet when the manual clock begins.
 */
function ownCertificates({ storage, clock, seed }: ServerOptions, flags: ParsedFlags): Pick<ServerOptions, 'certDir'> {
  const isGiven = flags.list('cert-dir').length > 0;
  const isInMemory = storage === 'memory' || clock !== undefined || seed !== undefined;
  return isGiven || !isInMemory ? {} : { certDir: undefined };
}

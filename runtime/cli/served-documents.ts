import { UsageError } from '../machinery/options/flags.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { checkGeneratorPackages } from './generator-packages.ts';
import { loadGroups } from './load-group.ts';

type Options = Pick<ServerOptions, 'builtin' | 'kubernetes' | 'groups'>;

/**
 * Returns the options of a server with the groups of OpenAPI documents: imports, generates and loads them. Kubernetes'
 * own groups replace the built-in ones. Resolves to undefined for invalid documents, after printing the problem to
 * stderr.
 *
 * @throws UsageError if other options contradict the documents
 */
export async function serveDocuments(documents: readonly string[], options: Options): Promise<Options | undefined> {
  checkGeneratorPackages();
  const { generateFromDocuments } = await import('../../codegen/commands/documents.ts');
  const { generatorServices } = await import('./generator-services.ts');
  const minor = options.kubernetes === undefined ? undefined : `v${options.kubernetes.replace(/^v/, '')}`;
  const made = await generateFromDocuments(documents, minor, generatorServices);
  if (made === undefined) return undefined;
  const groups = await loadGroups(made.folder);
  if (!made.isKubernetes) return { ...options, groups: [...(options.groups ?? []), ...groups] };
  if (options.builtin === false) throw new UsageError("--no-builtin: --from has Kubernetes' own groups");
  return { ...options, kubernetes: undefined, builtin: groups[0] };
}

import { join, resolve } from 'node:path';
import { showError } from './command.ts';
import { generateFrom, type ServerServices } from './generate.ts';
import { importBelow } from './import.ts';

/** A package of generated code. */
export interface GeneratedPackage {
  readonly folder: string;
  /** Whether the package has Kubernetes' own groups. */
  readonly isKubernetes: boolean;
}

/**
 * Imports documents into `schemas/<release>` and generates `generated/<release>`, below the working folder, as the
 * commands `import` and `generate` do. Resolves to undefined after it has written a problem to stderr.
 *
 * @param minor the release of Kubernetes' documents. Default: the release that the documents state
 */
export async function generateFromDocuments(
  documents: readonly string[],
  minor: string | undefined,
  server: ServerServices,
): Promise<GeneratedPackage | undefined> {
  try {
    const schemas = await importBelow(resolve('schemas'), documents, minor);
    const out = resolve('generated');
    const model = await generateFrom(schemas, out, {}, server);
    return {
      folder: join(out, model.release),
      isKubernetes: model.groupVersions.some(({ group, served }) => group === '' && served),
    };
  } catch (error) {
    showError(error, 'serve');
    return undefined;
  }
}

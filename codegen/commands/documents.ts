import { join, resolve } from 'node:path';
import { showError } from './command.ts';
import { generateFrom, type ServerServices } from './generate.ts';
import { importBelow } from './import.ts';

/** A package of generated code. */
export interface GeneratedPackage {
  readonly folder: string;
  /** Whether it has Kubernetes' own groups. */
  readonly isKubernetes: boolean;
}

/**
 * Documents to code in one go: imports them into `schemas/<release>` and generates `generated/<release>`, below the working folder,
 * where `import` and `generate` write them, too. Resolves to undefined after it has said on stderr what is wrong.
 *
 * @param minor the release of documents of Kubernetes; by default what they say
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

import { join } from 'node:path';
import { Descriptions } from '../../runtime/machinery/descriptions.ts';
import { describedFolder } from '../../runtime/machinery/openapi-folder.ts';

/** The folder of dist/ with described documents. */
export const builtFolder = describedFolder(new URL('../../dist/', import.meta.url).href, 'v1.35');

/** The reason why that folder is missing; undefined if it exists. */
export const missingDescriptions =
  builtFolder === undefined ? 'dist/ has no descriptions: it is not built, or was built without the packages that have them' : undefined;

/** The built server's descriptions of types and fields. */
export const builtDescriptions = new Descriptions(builtFolder && join(builtFolder, 'descriptions.tsv'));

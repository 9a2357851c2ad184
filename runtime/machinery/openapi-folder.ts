import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of a release's OpenAPI documents, absolute. They are JSON files that no build copies: beside the catalog
 * where it runs from source, and at `generated/<release>/openapi` of the package where the catalog was compiled or
 * bundled into some folder of it.
 *
 * @param catalogUrl import.meta.url of the catalog
 * @returns where they would be beside the catalog, when they are nowhere
 */
export function openapiFolder(catalogUrl: string, release: string): string {
  const beside = fileURLToPath(new URL('./openapi/', catalogUrl));
  if (existsSync(beside)) return beside;
  for (let folder = new URL('./', catalogUrl); ; folder = new URL('../', folder)) {
    const candidate = join(fileURLToPath(folder), 'generated', release, 'openapi');
    if (existsSync(candidate)) return candidate;
    if (folder.pathname === '/' || folder.href === new URL('../', folder).href) return beside;
  }
}

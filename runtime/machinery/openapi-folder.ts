import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The absolute path of the folder with a release's OpenAPI documents. No build copies these JSON files: they are beside
 * the catalog if it runs from source, and in `generated/<release>/openapi` of the package if the catalog was compiled
 * or bundled.
 *
 * @param catalogUrl import.meta.url of the catalog
 * @returns the folder beside the catalog if there is none anywhere
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

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The name of a folder whose documents have descriptions. It contains the hash of the descriptions. */
const describedName = /^openapi-([0-9A-F]{8})$/;

/**
 * Returns the absolute path of the folder with a release's OpenAPI documents: beside the catalog if the catalog runs
 * from source. For a compiled or bundled catalog it is `generated/<release>` in dist/ if the build wrote descriptions
 * there, otherwise in the package.
 *
 * @param catalogUrl import.meta.url of the catalog
 * @returns the folder beside the catalog if no other exists
 */
export function openapiFolder(catalogUrl: string, release: string): string {
  const beside = fileURLToPath(new URL('./openapi/', catalogUrl));
  if (existsSync(beside)) return beside;
  return find(catalogUrl, release, (name) => name === 'openapi' || describedName.test(name)) ?? beside;
}

/**
 * Returns the folder of dist/ whose documents have descriptions. Returns undefined without a build, or if the build had
 * no descriptions.
 */
export function describedFolder(moduleUrl: string, release: string): string | undefined {
  return find(moduleUrl, release, (name) => describedName.test(name));
}

/** The OpenAPI documents of a catalog. */
export class OpenApiFolder {
  readonly #folder: string;
  readonly #mark: string;

  constructor(catalogUrl: string, release: string) {
    this.#folder = openapiFolder(catalogUrl, release);
    this.#mark = describedName.exec(basename(this.#folder))?.[1] ?? '';
  }

  path(file: string): string {
    return join(this.#folder, file);
  }

  /**
   * @param hash of the document without descriptions. The result also changes with the descriptions, so that clients
   *   notice.
   */
  v3(file: string, hash: string): { readonly file: string; readonly hash: string } {
    return { file: this.path(file), hash: hash.slice(0, hash.length - this.#mark.length) + this.#mark };
  }
}

/** Searches `generated/<release>` beside a module and in each folder above it. */
function find(url: string, release: string, isWanted: (name: string) => boolean): string | undefined {
  for (let parent = new URL('./', url); ; parent = new URL('../', parent)) {
    const folder = join(fileURLToPath(parent), 'generated', release);
    const name = existsSync(folder) ? readdirSync(folder).find(isWanted) : undefined;
    if (name !== undefined) return join(folder, name);
    if (parent.href === new URL('../', parent).href) return undefined;
  }
}

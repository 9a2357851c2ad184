import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The name of a folder whose documents have descriptions, with the hash of these. */
const describedName = /^openapi-([0-9A-F]{8})$/;

/**
 * The absolute path of the folder with a release's OpenAPI documents. They are beside the catalog if it runs from source.
 * If the catalog was compiled or bundled, they are in `generated/<release>` of dist/, where the build wrote descriptions
 * into them, and otherwise in that of the package.
 *
 * @param catalogUrl import.meta.url of the catalog
 * @returns the folder beside the catalog if there is none anywhere
 */
export function openapiFolder(catalogUrl: string, release: string): string {
  const beside = fileURLToPath(new URL('./openapi/', catalogUrl));
  if (existsSync(beside)) return beside;
  return find(catalogUrl, release, (name) => name === 'openapi' || describedName.test(name)) ?? beside;
}

/** The folder of dist/ whose documents have descriptions; undefined if the build had none, and if there was no build. */
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

  /** @param hash that of the document without descriptions; clients must notice when these change, too */
  v3(file: string, hash: string): { readonly file: string; readonly hash: string } {
    return { file: this.path(file), hash: hash.slice(0, hash.length - this.#mark.length) + this.#mark };
  }
}

/** Looks in `generated/<release>` beside a module and of each folder above it. */
function find(url: string, release: string, isWanted: (name: string) => boolean): string | undefined {
  for (let parent = new URL('./', url); ; parent = new URL('../', parent)) {
    const folder = join(fileURLToPath(parent), 'generated', release);
    const name = existsSync(folder) ? readdirSync(folder).find(isWanted) : undefined;
    if (name !== undefined) return join(folder, name);
    if (parent.href === new URL('../', parent).href) return undefined;
  }
}

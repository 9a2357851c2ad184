import { OutputError } from './output-error.ts';

/** Reports whether a name, with `/` between its parts, stays inside the folder that it is joined to. */
export const isInside = (name: string): boolean =>
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\:\0]/.test(part));

/**
 * Checks a name that comes from a document and becomes a folder: a group, version or release.
 *
 * @throws OutputError for a name that leads out of its folder
 */
export function checkFileName(name: string): void {
  if (!isInside(name)) throw new OutputError(`${JSON.stringify(name)} cannot be the name of a file`);
}

/** @throws OutputError for a release that cannot be the name of a folder */
export function checkReleaseName(release: string): void {
  if (!isInside(release) || release.includes('/'))
    throw new OutputError(`the release ${JSON.stringify(release)} cannot be the name of a folder: choose another --release`);
}

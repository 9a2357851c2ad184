import { readFile } from 'node:fs/promises';
import type { TreeFile } from '../tree.ts';
import { type GoFile, type GoPackages, parseGoFile } from './declarations.ts';

/** The Go sources of one folder. */
export interface GoFolder {
  readonly files: readonly TreeFile[];
  readonly goPackage: string;
}

/** Reports whether a file may have hand-written types. Tests and the output of Kubernetes' generators have none. */
export const isGoSource = ({ name }: TreeFile): boolean =>
  name.endsWith('.go') && !/(?:_test|\.pb|_generated)\.go$|^zz_generated/.test(name);

/** The declarations of packages, and their source texts by `go/<import path>`. */
export interface GoSources {
  readonly packages: GoPackages;
  readonly inputs: ReadonlyMap<string, string>;
}

/** @throws ImportError with file, line and column for a file that is not Go */
export async function readGoFolders(folders: readonly GoFolder[]): Promise<GoSources> {
  const packages = new Map<string, GoFile[]>();
  const inputs = new Map<string, string>();
  for (const { files, goPackage } of folders) {
    const texts = await Promise.all(files.map(async ({ path }) => ({ path, text: await readFile(path, 'utf8') })));
    packages.set(
      goPackage,
      texts.map(({ path, text }) => parseGoFile(text, path)),
    );
    inputs.set(`go/${goPackage}`, texts.map(({ text }) => text).join('\n'));
  }
  return { packages, inputs };
}

import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { ImportError } from './source.ts';
import type { TreeFile } from './tree.ts';

/** A .proto file under the name that other files import. */
export interface FoundProto {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/**
 * Finds the .proto files among some files. The name of Kubernetes' generated.proto is in the folder of its Go package,
 * wherever the copy is. The name of any other file is its path below `root`, or below a folder `proto` there.
 */
export async function readProtoFiles(files: readonly TreeFile[], root: string): Promise<FoundProto[]> {
  return Promise.all(
    files
      .filter(({ name }) => name.endsWith('.proto'))
      .map(async ({ path, name }) => {
        const text = await readFile(path, 'utf8');
        const goPackage = name === 'generated.proto' ? goPackageOf(text) : undefined;
        const below = relative(root, path)
          .split(sep)
          .join('/')
          .replace(/^proto\//, '');
        return { name: goPackage === undefined ? below : `${goPackage}/${name}`, path, text };
      }),
  );
}

/** Returns the `go_package` of a .proto file. */
export const goPackageOf = (text: string): string | undefined => /^\s*option\s+go_package\s*=\s*"([^";]+)/m.exec(text)?.[1];

/** @throws ImportError if two files of one name differ */
export function protosByName(protos: readonly FoundProto[]): Map<string, FoundProto> {
  const byName = new Map<string, FoundProto>();
  for (const proto of protos) {
    const other = byName.get(proto.name);
    if (other && other.text !== proto.text) throw new ImportError(`${other.path} and ${proto.path} are both ${proto.name}, and differ`);
    byName.set(proto.name, proto);
  }
  return byName;
}

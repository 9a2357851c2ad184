import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { ImportError } from './source.ts';
import type { TreeFile } from './tree.ts';

/** A .proto file by the name that others import it by. */
export interface FoundProto {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/**
 * Reads the .proto files among some files. Kubernetes' generated.proto lies in the folder of its Go package, wherever
 * that was copied to; the name of any other is its path below `root`, or below a folder `proto` there.
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

/** The `go_package` of a .proto file. */
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

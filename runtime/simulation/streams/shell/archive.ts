import { FileError, resolvePath } from '../container-files.ts';
import type { Process } from './process.ts';
import { TarError, tarEnd, tarEntries, tarEntry } from './tar-format.ts';

/* tar, which kubectl cp needs. */

/** Writes an archive of the given paths. (tar cf - PATH...) */
export async function createArchive({ files, time, out, err, ...process }: Process, args: readonly string[]): Promise<number> {
  const { folder, paths } = readArguments(args, process.folder);
  const add = async (path: string): Promise<void> => {
    await time.use();
    const isFolder = files.isFolder(path);
    const content = isFolder ? Buffer.alloc(0) : files.read(path);
    await out(tarEntry({ name: `${path.slice(1)}${isFolder ? '/' : ''}`, isFolder, content }, files.modified(path)));
    if (isFolder) for (const child of files.list(path)) await add(`${path}/${child}`);
  };
  let code = 0;
  for (const path of paths) {
    const full = resolvePath(folder, path);
    if (files.isFile(full) || files.isFolder(full)) await add(full);
    else {
      await err(`tar: ${path}: No such file or directory\n`);
      code = 1;
    }
  }
  await out(tarEnd);
  return code;
}

/** Writes the files of an archive. (tar xf - -C FOLDER) */
export async function extractArchive({ stdin, files, time, err, ...process }: Process, args: readonly string[]): Promise<number> {
  const { folder } = readArguments(args, process.folder);
  try {
    for await (const { name, isFolder, content } of tarEntries(stdin ?? noInput(), () => time.use())) {
      const path = resolvePath(folder, name);
      files.makeFolder(isFolder ? path : path.slice(0, path.lastIndexOf('/')) || '/');
      if (!isFolder) files.write(path, content);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof FileError) && !(error instanceof TarError)) throw error;
    await err(`tar: ${error.message}\n`);
    return 1;
  }
}

async function* noInput(): AsyncGenerator<Uint8Array> {
  // there is none
}

/** Paths, and the folder that they are in. Flags and the archive, which is the standard input or output, are passed over. */
function readArguments(args: readonly string[], from: string): { folder: string; paths: string[] } {
  let folder = from;
  const paths: string[] = [];
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '-C') folder = resolvePath(from, args[++at] ?? '.');
    else if (!args[at].startsWith('-')) paths.push(args[at]);
  }
  return { folder, paths };
}

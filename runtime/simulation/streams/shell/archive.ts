import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Header, type Pack, pack } from 'tar-stream';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { type ContainerFiles, FileError, resolvePath } from '../container-files.ts';
import type { FileNode } from '../file-node.ts';
import type { Process } from './process.ts';

/* tar, for kubectl cp. */

/** The longest file of an archive that is read, in bytes. */
const maxFileBytes = 16 * 1024 * 1024;

/** Writes an archive of the given paths. (tar cf - PATH...) */
export async function createArchive(process: Process, args: readonly string[]): Promise<number> {
  const archive = pack();
  const [code] = await Promise.all([addPaths(archive, process, args), writeOut(archive, process)]);
  return code;
}

async function addPaths(archive: Pack, { files, time, err, ...process }: Process, args: readonly string[]): Promise<number> {
  const { folder, paths } = readArguments(args, process.folder);
  let code = 0;
  for (const path of paths) {
    const full = resolvePath(folder, path);
    const node = files.lstat(full);
    if (node !== undefined) await addPath(archive, { files, path: full, name: memberName(path), node }, () => time.use());
    else {
      await err(`tar: ${path}: No such file or directory\n`);
      code = 1;
    }
  }
  archive.finalize();
  return code;
}

/** Returns the name of a path in an archive: as it was given, but never above the folder where the archive is extracted. */
const memberName = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '..')
    .join('/') || '.';

/** A file with its name in an archive. */
interface Member {
  readonly files: ContainerFiles;
  readonly path: string;
  readonly name: string;
  readonly node: FileNode;
}

/** Adds a file, or a folder with everything in it. Resolves when the reader of the archive has received it. */
async function addPath(archive: Pack, { files, path, name, node }: Member, beforeEach: () => Promise<void>): Promise<void> {
  await beforeEach();
  const header = { mtime: new Date(node.modified), mode: node.mode & 0o7777, uid: node.uid, gid: node.gid };
  if (node.kind === 'file') return addEntry(archive, { ...header, name }, files.read(path));
  if (node.kind === 'link') {
    return addEntry(archive, { ...header, name, type: 'symlink', linkname: node.target }, Buffer.alloc(0));
  }
  await addEntry(archive, { ...header, name: `${name}/`, type: 'directory' }, Buffer.alloc(0));
  for (const child of files.list(path)) {
    const inside = resolvePath(path, child);
    const found = files.lstat(inside);
    if (found !== undefined) await addPath(archive, { files, path: inside, name: `${name}/${child}`, node: found }, beforeEach);
  }
}

function addEntry(archive: Pack, header: Partial<Header> & { name: string }, content: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry(header, content, (error) => (error ? reject(error) : resolve()));
  });
}

async function writeOut(archive: Pack, { out }: Process): Promise<void> {
  for await (const chunk of archive) await out(chunk as Buffer);
}

/** Writes the files of an archive. (tar xf - -C FOLDER) */
export async function extractArchive({ stdin, files, time, err, ...process }: Process, args: readonly string[]): Promise<number> {
  const { folder } = readArguments(args, process.folder);
  const archive = extract();
  const source = Readable.from(stdin.chunks(time), { objectMode: false });
  // tar-stream's streams are those of streamx, which are Node's but for their declarations
  const fed = pipeline(source, archive as unknown as NodeJS.WritableStream).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    for await (const entry of archive) {
      await time.use();
      const { name, type, size } = entry.header;
      if (type !== 'directory' && size > maxFileBytes) throw new FileError('file too large');
      const content = await bytesOf(entry);
      const path = resolvePath(folder, name);
      extractMember(files, path, entry.header, content);
    }
    return 0;
  } catch (error) {
    // an entry of a broken archive may only say that its stream was destroyed
    const cause = error instanceof FileError ? error : ((await fed) ?? error);
    await err(`tar: ${problemOf(messageOf(cause))}\n`);
    return 1;
  }
}

/** Writes a file, a folder or a link of an archive. Other members are left out. @throws FileError */
function extractMember(files: ContainerFiles, path: string, { type, mode = 0o644, linkname }: Header, content: Buffer): void {
  if (type !== 'directory' && type !== 'file' && type !== 'symlink') return;
  files.makeFolder(type === 'directory' ? path : path.slice(0, path.lastIndexOf('/')) || '/');
  if (type === 'symlink') replaceByLink(files, linkname ?? '', path);
  if (type === 'file') files.write(path, content);
  const node = files.lstat(path);
  if (node !== undefined && node.kind !== 'link') node.mode = mode & 0o7777;
}

function replaceByLink(files: ContainerFiles, target: string, path: string): void {
  if (files.lstat(path) !== undefined) files.remove(path);
  files.link(target, path);
}

/** The words of busybox for a damaged archive. */
function problemOf(message: string): string {
  if (message === 'Unexpected end of data') return 'short read';
  return message.startsWith('Invalid tar header') ? 'invalid tar magic' : message;
}

async function bytesOf(entry: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** Returns paths and their folder. Ignores flags and the archive, which is the standard input or output. */
function readArguments(args: readonly string[], from: string): { folder: string; paths: string[] } {
  let folder = from;
  const paths: string[] = [];
  for (let at = 0, arg = args[at]; arg !== undefined; arg = args[++at]) {
    if (arg === '-C') folder = resolvePath(from, args[++at] ?? '.');
    else if (!arg.startsWith('-')) paths.push(arg);
  }
  return { folder, paths };
}

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Header, type Pack, pack } from 'tar-stream';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { type ContainerFiles, FileError, resolvePath } from '../container-files.ts';
import type { FileNode } from '../file-node.ts';
import { Input } from './input.ts';
import type { Process } from './process.ts';

/* tar, for kubectl cp and for archives of scripts. */

/** The longest file of an archive that is read, in bytes. */
const maxFileBytes = 16 * 1024 * 1024;

/** The arguments of tar: `-C /tmp -xmf a.tar` or `xmf a.tar -C /tmp`. */
interface TarArguments {
  readonly letters: string;
  /** The path of the archive. `-` is the standard input or output. */
  readonly archive: string;
  /** The folder of the paths. */
  readonly folder: string;
  readonly paths: readonly string[];
}

/** Creates, extracts or lists an archive. */
export async function tar(process: Process): Promise<number> {
  const given = argumentsOfTar(process);
  try {
    if (given.letters.includes('c')) return await createArchive(process, given);
    if (given.letters.includes('x') || given.letters.includes('t')) return await readArchive(process, given);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    await process.err(`tar: can't open '${given.archive}': ${error.message}\n`);
    return 1;
  }
  await process.err('tar: no action was given: c, x or t\n');
  return 1;
}

/** Letters with a value take the next argument: the first group of letters needs no hyphen. */
function argumentsOfTar({ args, folder: from }: Process): TarArguments {
  const [paths, values] = [[] as string[], new Map([['f', '-']])];
  let letters = '';
  for (let at = 0, arg = args[at]; arg !== undefined; arg = args[++at]) {
    const isGroup = arg.startsWith('-') ? arg !== '-' : at === 0;
    if (!isGroup) paths.push(arg);
    else if (!arg.startsWith('--')) {
      for (const letter of arg.replace(/^-/, '')) {
        letters += letter;
        if (letter === 'f' || letter === 'C') values.set(letter, args[++at] ?? '-');
      }
    }
  }
  return { letters, paths, archive: values.get('f') ?? '-', folder: resolvePath(from, values.get('C') ?? '.') };
}

/** Writes an archive of the given paths. (tar cf - PATH...) */
async function createArchive(process: Process, given: TarArguments): Promise<number> {
  const archive = pack();
  const written = given.letters.includes('z') ? archive.pipe(createGzip()) : archive;
  const [code] = await Promise.all([addPaths(archive, process, given), writeOut(written, process, given.archive)]);
  return code;
}

async function addPaths(archive: Pack, { files, time, err }: Process, { folder, paths }: TarArguments): Promise<number> {
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

async function writeOut(archive: AsyncIterable<unknown>, { out, files, folder }: Process, path: string): Promise<void> {
  if (path === '-') {
    for await (const chunk of archive) await out(chunk as Buffer);
    return;
  }
  const file = files.open(resolvePath(folder, path));
  files.truncate(file);
  for await (const chunk of archive) files.appendTo(file, chunk as Buffer);
}

/** Writes the files of an archive, or prints their names. (tar xf - -C FOLDER) */
async function readArchive({ stdin, files, time, err, out, ...process }: Process, given: TarArguments): Promise<number> {
  const { folder, letters, archive: path } = given;
  const input = path === '-' ? stdin : Input.of(files.read(resolvePath(process.folder, path)));
  const archive = extract();
  const source = Readable.from(input.chunks(time), { objectMode: false });
  // tar-stream's streams are those of streamx, which are Node's but for their declarations
  const sink = archive as unknown as NodeJS.WritableStream;
  const fed = (letters.includes('z') ? pipeline(source, createGunzip(), sink) : pipeline(source, sink)).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    for await (const entry of archive) {
      await time.use();
      const { name, type, size } = entry.header;
      if (type !== 'directory' && size > maxFileBytes) throw new FileError('file too large');
      const content = await bytesOf(entry);
      if (!isWanted(name, given.paths)) continue;
      if (letters.includes('t') || letters.includes('v')) await out(`${name}\n`);
      if (letters.includes('x')) extractMember(files, resolvePath(folder, name), entry.header, content);
    }
    return 0;
  } catch (error) {
    // an entry of a broken archive may only say that its stream was destroyed
    const cause = error instanceof FileError ? error : ((await fed) ?? error);
    await err(`tar: ${problemOf(messageOf(cause))}\n`);
    return 1;
  }
}

/** Reports whether a member is one of the paths, or in one of them. No paths stand for all. */
const isWanted = (name: string, paths: readonly string[]): boolean =>
  paths.length === 0 || paths.some((path) => name.replace(/\/$/, '') === path || name.startsWith(`${path}/`));

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

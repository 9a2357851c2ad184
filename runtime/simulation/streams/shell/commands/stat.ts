import { resolvePath } from '../../container-files.ts';
import type { FileNode } from '../../file-node.ts';
import type { Process } from '../process.ts';
import { modeText, nameOf, sizeOf } from './file-text.ts';
import { argumentsOf } from './support.ts';

/** Prints the properties of files. */
export async function stat(process: Process): Promise<number> {
  const { args, files, folder, out, err } = process;
  const { flags, values, operands } = argumentsOf(args, 'cf');
  const format = values.get('c') ?? values.get('format');
  let code = 0;
  for (const path of operands) {
    const full = resolvePath(folder, path);
    const node = flags.has('L') ? files.stat(full) : files.lstat(full);
    if (node === undefined) {
      await err(`stat: can't stat '${path}': No such file or directory\n`);
      code = 1;
    } else if (flags.has('f')) await out(`${files.mountOf(full) ?? 'overlayfs'}\n`);
    else if (format === undefined) await out(statText(path, node));
    else await out(`${statFormat(format, path, node)}\n`);
  }
  return code;
}

const kindText = (node: FileNode): string => {
  if (node.kind === 'folder') return 'directory';
  if (node.kind === 'link') return 'symbolic link';
  return node.size === 0 ? 'regular empty file' : 'regular file';
};

const fullTime = (ms: number): string => `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}000000 +0000`;

const octal = (mode: number): string => mode.toString(8);

function statText(path: string, node: FileNode): string {
  const link = node.kind === 'link' ? `'${path}' -> '${node.target}'` : path;
  const when = fullTime(node.modified);
  return [
    `  File: ${link}`,
    `  Size: ${sizeOf(node)}\tBlocks: 8          IO Block: 4096   ${kindText(node)}`,
    `Access: (${octal(node.mode).padStart(4, '0')}/${modeText(node)})  Uid: (${String(node.uid).padStart(5)}/${nameOf(node.uid).padStart(8)})   Gid: (${String(node.gid).padStart(5)}/${nameOf(node.gid).padStart(8)})`,
    `Access: ${when}`,
    `Modify: ${when}`,
    `Change: ${when}`,
    '',
  ].join('\n');
}

function statFormat(format: string, path: string, node: FileNode): string {
  const values: Readonly<Record<string, () => string>> = {
    a: () => octal(node.mode),
    A: () => modeText(node),
    F: () => kindText(node),
    g: () => String(node.gid),
    G: () => nameOf(node.gid),
    n: () => path,
    N: () => (node.kind === 'link' ? `'${path}' -> '${node.target}'` : path),
    s: () => String(sizeOf(node)),
    u: () => String(node.uid),
    U: () => nameOf(node.uid),
    X: () => String(Math.floor(node.modified / 1000)),
    Y: () => String(Math.floor(node.modified / 1000)),
    Z: () => String(Math.floor(node.modified / 1000)),
    x: () => fullTime(node.modified),
    y: () => fullTime(node.modified),
    '%': () => '%',
  };
  return format.replace(/%(.)/g, (whole, letter: string) => (Object.hasOwn(values, letter) ? (values[letter]?.() ?? '') : whole));
}

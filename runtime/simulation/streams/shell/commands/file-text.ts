import type { FileNode } from '../../file-node.ts';

/* The properties of a file as commands print them. */

const typeLetter = ({ kind }: FileNode): string => (kind === 'folder' ? 'd' : kind === 'link' ? 'l' : '-');

/** Formats permissions: `drwxr-xr-x`. */
export function modeText(node: FileNode): string {
  const { mode } = node;
  const bits = (shift: number, special: number, letter: string): string => {
    const has = (bit: number): boolean => ((mode >> shift) & bit) !== 0;
    const isSpecial = (mode & special) !== 0;
    const last = isSpecial ? (has(1) ? letter : letter.toUpperCase()) : has(1) ? 'x' : '-';
    return `${has(4) ? 'r' : '-'}${has(2) ? 'w' : '-'}${last}`;
  };
  return typeLetter(node) + bits(6, 0o4000, 's') + bits(3, 0o2000, 's') + bits(0, 0o1000, 't');
}

/** The users and groups of /etc/passwd and /etc/group, by number. */
export const names: Readonly<Record<number, string>> = { 0: 'root', 65534: 'nobody' };
export const nameOf = (id: number): string => names[id] ?? String(id);

export const sizeOf = (node: FileNode): number => (node.kind === 'file' ? node.size : node.kind === 'link' ? node.target.length : 4096);

/** Returns the last part of a path. */
export const baseOf = (path: string): string => path.replace(/\/+$/, '').replace(/^.*\//s, '');

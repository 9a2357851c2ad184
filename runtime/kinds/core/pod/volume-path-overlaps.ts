import { elementAt } from '../../../machinery/collections/element-at.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { areEnough } from '../../warnings.ts';

/** A file of a volume. */
export interface FilePath {
  readonly path: string;
  /**
   * The name of the file's source; absent if all files of the volume have one source. A function, because quoting is
   * slow.
   */
  readonly source?: (() => string) | undefined;
}

export interface PathItem {
  readonly path?: string | undefined;
}

export const filePathsOf = (items: readonly PathItem[], source?: () => string): FilePath[] =>
  items.map(({ path = '' }) => ({ path: withoutTrailingSlashes(path), source }));

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/**
 * Warns about each path that equals, contains or is inside an earlier path.
 *
 * @param volume returns the name of the volume
 */
export function addOverlapWarnings(paths: readonly FilePath[], volume: () => string, warnings: string[]): void {
  if (areApart(paths)) return;
  const folders = foldersOf(paths);
  for (const [index, file] of paths.entries()) {
    const folder = folders.get(file.path);
    if (folder === undefined) continue;
    const overlapping = [...folder.files, ...folder.descendants];
    for (let parent = folder.parent; parent !== undefined; parent = parent.parent) {
      for (const earlier of parent.files) overlapping.push(earlier);
      parent.descendants.push(index);
    }
    folder.files.push(index);
    for (const earlier of overlapping.sort((a, b) => a - b)) {
      if (areEnough(warnings)) return;
      warnings.push(`${volume()}: overlapping paths: ${pathText(file)} with ${pathText(elementAt(paths, earlier))}`);
    }
  }
}

/**
 * Reports whether all paths are different names without folders. Most paths are, as in the volume that every pod has.
 */
function areApart(files: readonly FilePath[]): boolean {
  const names = new Set<string>();
  for (const { path } of files) {
    if (path === '' || path.includes('/')) return false;
    names.add(path);
  }
  return names.size === files.length;
}

/** One distinct path. Numbers are indexes of the files seen so far. */
interface Folder {
  /** Files with this path. */
  readonly files: number[];
  /** Files inside this path. */
  readonly descendants: number[];
  /** The innermost path that contains this path. */
  readonly parent: Folder | undefined;
}

/** Returns the folders by path. Sorted with a final slash, a path comes right before the paths inside it. */
function foldersOf(files: readonly FilePath[]): Map<string, Folder> {
  const paths = new Set(files.map(({ path }) => path));
  paths.delete('');
  const folders = new Map<string, Folder>();
  const open: { readonly path: string; readonly folder: Folder }[] = [];
  for (const path of [...paths].map((each) => `${each}/`).sort()) {
    while (open.length > 0 && !path.startsWith((open.at(-1) as { path: string }).path)) open.pop();
    const folder: Folder = { files: [], descendants: [], parent: open.at(-1)?.folder };
    folders.set(path.slice(0, -1), folder);
    open.push({ path, folder });
  }
  return folders;
}

const pathText = ({ path, source }: FilePath): string => (source === undefined ? quote(path) : `${quote(path)} (${source()})`);

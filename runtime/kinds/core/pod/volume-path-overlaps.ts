import { quote } from '../../../machinery/go/quote.ts';
import type { Part } from '../../../machinery/object.ts';
import { areEnough } from '../../warnings.ts';

/** Where in a volume a file goes, and what it comes from. */
export interface Place {
  readonly path: string;
  /** Absent where the whole volume comes from one source. Seldom asked for: quoting a name is slow. */
  readonly source?: () => string;
}

export const placesOf = (items: readonly Part[], source?: () => string): Place[] =>
  items.map(({ path = '' }) => ({ path: withoutEnd(path), source }));

function withoutEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** Says of every place which earlier ones it is the same as, inside of, or around. `what` names the volume. */
export function addOverlapWarnings(places: readonly Place[], what: () => string, warnings: string[]): void {
  const folders = foldersOf(places);
  for (const [index, place] of places.entries()) {
    const folder = folders.get(place.path);
    if (folder === undefined) continue;
    const found = [...folder.here, ...folder.inside];
    for (let around = folder.around; around !== undefined; around = around.around) {
      for (const earlier of around.here) found.push(earlier);
      around.inside.push(index);
    }
    folder.here.push(index);
    for (const earlier of found.sort((a, b) => a - b)) {
      if (areEnough(warnings)) return;
      warnings.push(`${what()}: overlapping paths: ${placeText(place)} with ${placeText(places[earlier])}`);
    }
  }
}

/** One path. The numbers are those of the places seen so far. */
interface Folder {
  readonly here: number[];
  readonly inside: number[];
  /** The innermost of the paths that it is inside of. */
  readonly around: Folder | undefined;
}

/** By path. In their order with a slash at the end, paths come right before those inside of them. */
function foldersOf(places: readonly Place[]): Map<string, Folder> {
  const paths = new Set(places.map(({ path }) => path));
  paths.delete('');
  const folders = new Map<string, Folder>();
  const open: { readonly path: string; readonly folder: Folder }[] = [];
  for (const path of [...paths].map((each) => `${each}/`).sort()) {
    while (open.length > 0 && !path.startsWith((open.at(-1) as { path: string }).path)) open.pop();
    const folder: Folder = { here: [], inside: [], around: open.at(-1)?.folder };
    folders.set(path.slice(0, -1), folder);
    open.push({ path, folder });
  }
  return folders;
}

const placeText = ({ path, source }: Place): string =>
  source === undefined ? quote(path) : `${quote(path)} (${source()})`;

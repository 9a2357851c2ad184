import type { Part } from '../../machinery/object.ts';
import { quote } from '../../machinery/quote.ts';

/** Where in a volume a file goes, and what it comes from. */
export interface Place {
  readonly path: string;
  /** Absent where the whole volume comes from one source. Seldom asked for: quoting a name is slow. */
  readonly source?: () => string;
}

export const placesOf = (items: readonly Part[], source?: () => string): Place[] =>
  items.map(({ path = '' }) => ({ path: path.replace(/\/+$/, ''), source }));

/** Says of every place which earlier ones it is the same as, inside of, or around. `what` names the volume. */
export function warnOfOverlaps(places: readonly Place[], what: () => string, warnings: string[]): void {
  for (const [index, place] of places.entries()) {
    if (place.path === '') continue;
    for (const other of places.slice(0, index)) {
      if (!overlap(place.path, other.path)) continue;
      warnings.push(`${what()}: overlapping paths: ${placeText(place)} with ${placeText(other)}`);
    }
  }
}

const overlap = (a: string, b: string): boolean =>
  b !== '' && (`${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`));

const placeText = ({ path, source }: Place): string =>
  source === undefined ? quote(path) : `${quote(path)} (${source()})`;

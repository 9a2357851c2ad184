import { ageMarks, humanDuration } from '../../machinery/age.ts';

/*
 * A cached row of a table: its JSON without the ages, and the positions of the ages.
 *
 *     count (1)  { position (4)  from (8) }...  JSON
 *
 * An age belongs before the byte at `position` of the JSON; `from` is a time in milliseconds since the epoch.
 */
const ageBytes = 12;
const maxAges = 255;
const marked = new RegExp(`${ageMarks[0]}(-?\\d+)${ageMarks[1]}`, 'g');

/** Makes a template of a row's JSON that has marks in place of ages. Returns undefined if the row cannot be cached. */
export function rowTemplate(text: string): Uint8Array | undefined {
  const places: { position: number; from: number }[] = [];
  let json = '';
  let position = 0;
  let at = 0;
  for (const match of text.matchAll(marked)) {
    const before = text.slice(at, match.index);
    json += before;
    position += Buffer.byteLength(before);
    places.push({ position, from: Number(match[1]) });
    at = match.index + match[0].length;
  }
  json += text.slice(at);
  if (places.length > maxAges || json.includes(ageMarks[0]) || json.includes(ageMarks[1])) return undefined;
  const start = 1 + places.length * ageBytes;
  const template = Buffer.allocUnsafe(start + Buffer.byteLength(json));
  template[0] = places.length;
  places.forEach(({ position, from }, index) => {
    template.writeUInt32BE(position, 1 + index * ageBytes);
    template.writeDoubleBE(from, 5 + index * ageBytes);
  });
  template.write(json, start);
  return template;
}

/** Returns a text of a row with ages in place of its marks. */
export const filledText = (text: string, now: number): string =>
  text.includes(ageMarks[0]) ? text.replace(marked, (_, from: string) => humanDuration(now - Number(from))) : text;

/** A row at one time, which writes itself into a list: most of a table's rows are read from the cache and written once. */
export class FilledRow {
  readonly length: number;
  readonly #template: Buffer;
  readonly #ages: readonly string[];

  /** @param now milliseconds since the epoch */
  constructor(template: Uint8Array, now: number) {
    this.#template = Buffer.from(template.buffer, template.byteOffset, template.byteLength);
    const count = template[0] ?? 0;
    let size = template.length - 1 - count * ageBytes;
    const ages: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const age = humanDuration(now - this.#template.readDoubleBE(5 + index * ageBytes));
      ages.push(age);
      size += age.length;
    }
    this.#ages = ages;
    this.length = size;
  }

  /** Writes the JSON of the row to `target` at `start`. Returns the position after it. */
  write(target: Uint8Array, start: number): number {
    const template = this.#template;
    const first = 1 + this.#ages.length * ageBytes;
    let from = first;
    let to = start;
    for (let index = 0; index < this.#ages.length; index += 1) {
      const position = first + template.readUInt32BE(1 + index * ageBytes);
      target.set(template.subarray(from, position), to);
      to += position - from;
      from = position;
      const age = this.#ages[index] ?? '';
      for (let at = 0; at < age.length; at += 1) target[to++] = age.charCodeAt(at);
    }
    target.set(template.subarray(from), to);
    return to + template.length - from;
  }
}

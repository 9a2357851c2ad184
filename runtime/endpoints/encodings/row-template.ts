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

/** Returns the JSON of the row at the time `now`, in milliseconds since the epoch. */
export function fillAges(template: Uint8Array, now: number): Uint8Array {
  const view = Buffer.from(template.buffer, template.byteOffset, template.byteLength);
  const count = view[0] ?? 0;
  const json = view.subarray(1 + count * ageBytes);
  if (count === 0) return json;
  const ages: string[] = [];
  let size = json.length;
  for (let index = 0; index < count; index += 1) {
    const age = humanDuration(now - view.readDoubleBE(5 + index * ageBytes));
    ages.push(age);
    size += age.length;
  }
  const row = Buffer.allocUnsafe(size);
  let from = 0;
  let to = 0;
  for (const [index, age] of ages.entries()) {
    const position = view.readUInt32BE(1 + index * ageBytes);
    to += json.copy(row, to, from, position);
    to += row.write(age, to, 'latin1');
    from = position;
  }
  json.copy(row, to, from);
  return row;
}

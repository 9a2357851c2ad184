import { ageMarks, humanDuration } from '../../machinery/age.ts';

/*
 * A row of a table as it is kept: its JSON without the ages, and where they go.
 *
 *     holes (1)  { position (4)  from (8) }...  JSON
 *
 * An age goes before the byte at `position` of the JSON; `from` is a time in milliseconds.
 */
const holeBytes = 12;
const maxHoles = 255;
const marked = new RegExp(`${ageMarks[0]}(-?\\d+)${ageMarks[1]}`, 'g');

/** @param text a row's JSON with marks in place of ages. Undefined: it cannot be kept */
export function rowTemplate(text: string): Uint8Array | undefined {
  const holes: { position: number; from: number }[] = [];
  let json = '';
  let position = 0;
  let at = 0;
  for (const match of text.matchAll(marked)) {
    const before = text.slice(at, match.index);
    json += before;
    position += Buffer.byteLength(before);
    holes.push({ position, from: Number(match[1]) });
    at = match.index + match[0].length;
  }
  json += text.slice(at);
  if (holes.length > maxHoles || json.includes(ageMarks[0]) || json.includes(ageMarks[1])) return undefined;
  const start = 1 + holes.length * holeBytes;
  const template = Buffer.allocUnsafe(start + Buffer.byteLength(json));
  template[0] = holes.length;
  holes.forEach(({ position, from }, index) => {
    template.writeUInt32BE(position, 1 + index * holeBytes);
    template.writeDoubleBE(from, 5 + index * holeBytes);
  });
  template.write(json, start);
  return template;
}

/** The row's JSON as it is at a time. */
export function fillAges(template: Uint8Array, now: number): Uint8Array {
  const view = Buffer.from(template.buffer, template.byteOffset, template.byteLength);
  const count = view[0];
  const json = view.subarray(1 + count * holeBytes);
  if (count === 0) return json;
  const ages: string[] = [];
  let size = json.length;
  for (let index = 0; index < count; index += 1) {
    const age = humanDuration(now - view.readDoubleBE(5 + index * holeBytes));
    ages.push(age);
    size += age.length;
  }
  const row = Buffer.allocUnsafe(size);
  let from = 0;
  let to = 0;
  for (let index = 0; index < count; index += 1) {
    const position = view.readUInt32BE(1 + index * holeBytes);
    to += json.copy(row, to, from, position);
    to += row.write(ages[index], to, 'latin1');
    from = position;
  }
  json.copy(row, to, from);
  return row;
}

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { blockPattern, blocks } from './drawing.ts';

/* Writes the table of floors into ARCHITECTURE.md: `make floors`. */

const path = fileURLToPath(new URL('../../ARCHITECTURE.md', import.meta.url));
let text = readFileSync(path, 'utf8');
for (const [name, block] of Object.entries(blocks)) {
  text = text.replace(blockPattern(name), (_, start: string, end: string) => `${start}${block}${end}`);
}
writeFileSync(path, text);

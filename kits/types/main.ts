/** Writes the types of the test controls into each kit, and the version of the server: `make kits`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { kitFiles } from './files.ts';

for (const [file, text] of kitFiles()) writeFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), text);

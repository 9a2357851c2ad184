import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/* Finds the links of the built site that lead to no page, or to no heading of one. Exits with 1 if there are any. */

const site = fileURLToPath(new URL('dist/', import.meta.url));
const files = (await readdir(site, { recursive: true })).filter((file) => file.endsWith('.html'));

/** The address of a page without `.html`, and `/` for each `index`. */
const addressOf = (file) => `/${file.replace(/\.html$/, '')}`.replace(/\/index$/, '/');

const texts = new Map();
for (const file of files) texts.set(addressOf(file), await readFile(`${site}${file}`, 'utf8'));

const ids = (text) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
const idsOf = new Map([...texts].map(([address, text]) => [address, ids(text)]));

const broken = [];
for (const [address, text] of texts) {
  for (const [, href] of text.matchAll(/<a [^>]*href="([^"]+)"/g)) {
    if (!/^[/#.]/.test(href)) continue;
    const { pathname, hash } = new URL(href, `http://site${address}`);
    const target = idsOf.get(pathname.replace(/\.html$/, ''));
    if (target === undefined || (hash !== '' && !target.has(decodeURIComponent(hash.slice(1))))) broken.push(`${address}: ${href}`);
  }
}

for (const link of new Set(broken)) console.error(link);
console.log(`${texts.size} pages, ${broken.length} broken links`);
process.exitCode = broken.length === 0 ? 0 : 1;

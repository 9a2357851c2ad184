import { cp, rm } from 'node:fs/promises';

/* Copies the documents of the project to site/pages, with the paths that their links have. vitepress finds its packages from there. */

const project = new URL('../', import.meta.url);
const pages = new URL('pages/', import.meta.url);

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'docs/',
  'kits/go/README.md',
  'kits/java/README.md',
  'kits/python/README.md',
];

await rm(pages, { recursive: true, force: true });
for (const path of documents) await cp(new URL(path, project), new URL(path, pages), { recursive: true });

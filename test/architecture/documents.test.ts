import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { knownPlugins } from '../../runtime/admission/plugins.ts';
import { pages } from '../../site/.vitepress/pages.ts';
import { causes } from '../differential/causes.ts';
import { blockPattern, blocks } from './drawing.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const documents = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

/** The bases of relative paths in documents. */
const bases = ['', 'runtime'];

const isThere = (path: string): boolean => bases.some((base) => ['', '.ts'].some((end) => existsSync(join(root, base, path + end))));

describe('the documents', () => {
  test.each(['ARCHITECTURE.md', 'docs/reading-the-source.md'])('%s names files and folders that exist', (file) => {
    // a word with a slash; packages and paths outside the project begin with a dot or an at
    const paths = [...read(file).matchAll(/`([a-z][\w.-]*\/[\w./-]*)`/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !path.startsWith('kubeloom/') && !isThere(path))).toEqual([]);
  });

  test.each(['README.md', 'ARCHITECTURE.md', ...documents])('links of %s have a target', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link);
    expect(links.filter((link) => !existsSync(join(root, dirname(file), link)))).toEqual([]);
  });

  test('the sidebar of the site has each document once', () => {
    const links = pages.flatMap(({ items }) => items.map(([, link]) => link)).filter((link) => link.startsWith('/docs/'));
    expect(links.map((link) => `${link.slice(1)}.md`).sort()).toEqual([...documents].sort());
  });

  test('docs/features.md lists every admission plugin, as on or off by default', () => {
    const rows = [...read('docs/features.md').matchAll(/^\| [a-z ]+ \|([\w, ]*)\|([\w, ]*)\|$/gm)];
    const names = (column: number): string[] => rows.flatMap((row) => row[column].match(/[A-Z]\w+/g) ?? []).sort();
    const known = (isDefault: boolean): string[] =>
      Object.keys(knownPlugins).filter((name) => Boolean(knownPlugins[name].isDefault) === isDefault);
    expect(names(1)).toEqual(known(true).sort());
    expect(names(2)).toEqual(known(false).sort());
  });

  test('code in docs/testing-an-operator.md is in the files that it names', () => {
    const code = (text: string): string => text.replace(/^[ ]+/gm, '');
    const blocks = [...read('docs/testing-an-operator.md').matchAll(/^```\w+ from=(\S+)\n([\s\S]*?)^```$/gm)];
    expect(blocks.length).toBeGreaterThan(20);
    const missing = blocks.filter(([, file, text]) => !code(read(join('examples/operator', file))).includes(code(text)));
    expect(missing.map(([, file, text]) => `${file}: ${text}`)).toEqual([]);
  });

  test('the make targets that documents name exist', () => {
    const makefile = read('Makefile');
    const targets = ['README.md', 'docs/benchmarks.md', 'docs/installing.md'].flatMap((file) =>
      [...read(file).matchAll(/\bmake ([a-z-]+)/g)].map(([, target]) => target),
    );
    expect(targets.filter((target) => !makefile.includes(`\n${target}:`))).toEqual([]);
  });

  test.each(Object.keys(blocks))('the %s in ARCHITECTURE.md are those of floors.ts (make floors)', (name) => {
    const [block, start = '', end = ''] = blockPattern(name).exec(read('ARCHITECTURE.md')) ?? [];
    expect(block).toBe(`${start}${blocks[name]}${end}`);
  });

  test('docs/differences.md lists the causes that make test-differential knows', () => {
    const [, table] = read('docs/differences.md').split('| cause | why |\n|---|---|\n');
    const listed = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name);
    expect(listed).toEqual(causes.map(({ name }) => name));
  });

  test('every term of the glossary is exported by the file it names', () => {
    const [, glossary] = read('ARCHITECTURE.md').split('## Glossary');
    const terms = [...glossary.matchAll(/^\| `(\w+)` \|.*\| ([\w./-]+) \|$/gm)];
    expect(terms.length).toBeGreaterThanOrEqual(20);
    const isExported = ([, term, file]: RegExpExecArray): boolean =>
      new RegExp(`^export (?:class|interface|type|const|function) ${term}\\b`, 'm').test(read(join('runtime', file)));
    expect(terms.filter((match) => !isExported(match)).map(([, term]) => term)).toEqual([]);
  });
});

/**
 * Makes a project of the literal snippets of docs/testing.md, docs/rust.md and docs/dotnet.md in each language but
 * TypeScript. Runs it with that language's clients against the server of this checkout, which must be built: `make
 * test-languages`. A language without its programs is skipped, as the table shows. Packages come from each language's registry.
 *
 *   ONLY=go,java  some of the languages
 */
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runLanguageProjects } from '../package/language-project.ts';
import type { Project } from '../package/project.ts';
import { blocksOf, fileOf } from '../support/document-blocks.ts';
import { root } from '../support/generated-project.ts';
import { type Language, languages } from './languages.ts';

await runLanguageProjects('language', languages, fill);

/** Writes the files beside this one, the snippets, and a `kubeloom` for npx. */
async function fill(project: Project, { name, document = 'docs/testing.md', sources }: Language): Promise<void> {
  await cp(fileURLToPath(new URL(name, import.meta.url)), project.folder, { recursive: true });
  const snippets = (await blocksOf(document)).filter(({ language }) => language === name);
  const files = snippets.flatMap((block) => {
    const file = fileOf(block);
    return file === undefined ? [] : [[join(sources, file), block.text] as const];
  });
  if (files.length === 0) throw new Error(`${document} has no files in ${name}`);
  await project.write(Object.fromEntries(files));
  await link(project.folder);
}

/** Installs this checkout as a link. KUBELOOM names its command, for languages that do not start npx. */
async function link(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  await symlink(root, join(modules, 'kubeloom'));
  const main = join(root, 'dist/runtime/cli/main.js');
  process.env.KUBELOOM = join(modules, '.bin/kubeloom');
  await writeFile(process.env.KUBELOOM, `#!/bin/sh\nexec node '${main}' "$@"\n`, { mode: 0o755 });
}

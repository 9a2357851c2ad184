/**
 * Builds the packages of the kits, installs them into empty projects, and runs the scenarios of scenarios.txt, the snippet of
 * README.md and the test of `kubeloom init` in each language against the server of this checkout, which must be built: `make test-kits`. A language without its
 * programs is skipped, as the table shows. Packages come from each language's registry.
 *
 *   ONLY=go,java  some of the languages
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { templates } from '../../runtime/cli/init/templates.ts';
import { runLanguageProjects } from '../package/language-project.ts';
import { root } from '../support/generated-project.ts';
import { kits } from './kits.ts';
import { readmeTest } from './readme.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

process.env.KUBELOOM ??= join(root, 'dist/runtime/cli/main.js');
await runLanguageProjects('kit', kits, async (project, kit) => {
  await cp(here(kit.name), project.folder, { recursive: true });
  await cp(here('scenarios.txt'), join(project.folder, 'scenarios.txt'));
  await project.write(await readmeTest(kit.name));
  const template = templates.find(({ name }) => name === kit.name);
  await project.write(template?.files({ folder: project.folder, kits: undefined }) ?? {});
  await kit.install(project);
});

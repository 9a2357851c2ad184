/**
 * Builds the packages of the kits, installs them into empty projects, and runs the scenarios of scenarios.txt and the snippet of README.md in
 * each language against the server of this checkout, which must be built: `make test-kits`. A language without its programs is skipped, as
 * the table shows. Packages come from each language's registry.
 *
 *   ONLY=go,java  some of the languages
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Project } from '../package/project.ts';
import { root } from '../support/generated-project.ts';
import { missingPrograms } from '../support/missing-programs.ts';
import { type Kit, kits } from './kits.ts';
import { readmeTest } from './readme.ts';

const only = (process.env.ONLY ?? '').split(',').filter((name) => name !== '');
const unknown = only.filter((name) => !kits.some(({ language }) => language === name));
if (unknown.length > 0) throw new Error(`ONLY: no such language: ${unknown.join(', ')}`);
process.env.KUBELOOM ??= join(root, 'dist/runtime/cli/main.js');

console.log('| kit | result |\n| --- | --- |');
for (const kit of kits) {
  if (only.length > 0 && !only.includes(kit.language)) continue;
  const result = await tryKit(kit);
  console.log(`| ${kit.language} | ${result} |`);
  if (result === 'fails') process.exitCode = 1;
}

async function tryKit(kit: Kit): Promise<string> {
  const missing = missingPrograms(kit.programs);
  if (missing !== undefined) return `skipped: ${missing}`;
  const project = await Project.make(`kit-${kit.language}`);
  try {
    const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
    await cp(here(kit.language), project.folder, { recursive: true });
    await cp(here('scenarios.txt'), join(project.folder, 'scenarios.txt'));
    await project.write(await readmeTest(kit.language));
    await kit.install(project);
    for (const [command = '', ...args] of kit.commands) {
      const { code, output } = await project.run(command, ...args);
      if (code === 0) continue;
      process.stderr.write(`${[command, ...args].join(' ')}: exit code ${code}\n${output}\n`);
      return 'fails';
    }
    return 'works';
  } finally {
    await project.remove();
  }
}

/**
 * Packs the package, installs it into empty projects with and without optional packages, and prints tables of the
 * results and sizes: `make test-package`. It installs nothing that needs a compiler.
 *
 *   ONLY="ESM,Jest 29"  some of the cases
 *   NODE=22,24          other releases of Node, beside this one; npm installs them
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingKubectl } from '../support/kubectl-binary.ts';
import { type Case, cases, type Installation } from './cases.ts';
import { followNewGroup, newGroup } from './own-group.ts';
import { Project } from './project.ts';
import { sizeOf } from './sizes.ts';
import { subpathsOf } from './subpaths.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const installations: readonly Installation[] = ['plain', 'omitted'];
const only = listed(process.env.ONLY);
const results: string[][] = [];
/** Megabytes of node_modules, by installation. */
const installed = new Map<string, number>();

const workshop = await Project.make('packed');
try {
  const tarball = await pack();
  const programs = [process.execPath, ...(await Promise.all(listed(process.env.NODE).map(installNode)))];
  for (const node of programs)
    for (const each of cases.filter(({ name }) => only.length === 0 || only.includes(name)))
      for (const installation of installations) results.push(await tryCase(each, installation, tarball, node));
  if (only.length === 0 || only.includes(newGroup)) results.push(await tryNewGroup(tarball));
  printTable(['project', 'npm install', 'Node', 'result'], results);
  const packed = statSync(tarball).size / 1e6;
  printTable(
    ['what', 'MB'],
    [...new Map([['packed', packed], ...installed])].map(([what, size]) => [what, size.toFixed(1)]),
  );
} finally {
  await workshop.remove();
}
if (results.some((row) => row.at(-1)?.startsWith('fails'))) process.exitCode = 1;

function listed(text = ''): readonly string[] {
  return text.split(',').filter((each) => each !== '');
}

/** Packs the package as for publishing, which builds dist/ first. */
async function pack(): Promise<string> {
  const { code, output } = await workshop.run('npm', 'pack', root, '--loglevel=error');
  if (code !== 0) throw new Error(output);
  return join(workshop.folder, output.trim().split('\n').at(-1) as string);
}

async function installNode(version: string): Promise<string> {
  const project = join(workshop.folder, `node-${version}`);
  await workshop.install([`node@${version}`], '--prefix', project);
  return join(project, 'node_modules/node/bin/node');
}

/** Returns a row of the table. */
async function tryCase(each: Case, installation: Installation, tarball: string, node: string): Promise<string[]> {
  const flags = installation === 'omitted' ? ['--omit=optional'] : [];
  const project = await Project.make('project', each.manifest, node);
  const { output: version } = await project.run('node', '--version');
  const row = [each.name, flags.join(' '), version.trim()];
  process.stderr.write(`  ${row.join(' ')}\n`);
  if (installation === 'omitted' && each.needsOptional !== undefined) return [...row, `needs ${each.needsOptional}`];
  try {
    await project.install([tarball, ...(each.packages ?? [])], ...flags);
    if (each.weighs !== undefined) installed.set([each.weighs, ...flags].join(' '), sizeOf(project.folder) / 1e6);
    await project.write(each.files(subpathsOf(join(project.folder, 'node_modules/kubeloom'))));
    for (const command of each.commands) await expectOutcome(project, command, installation);
    return [...row, 'works'];
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return [...row, `fails: ${(error as Error).message.split('\n')[0]}`];
  } finally {
    await project.remove();
  }
}

/** Returns the row of a user's own group, from the documents. */
async function tryNewGroup(tarball: string): Promise<string[]> {
  const row = [newGroup, '', process.version];
  process.stderr.write(`  ${row.join(' ')}\n`);
  if (missingKubectl !== undefined) return [...row, `skipped: ${missingKubectl}`];
  try {
    await followNewGroup(tarball);
    return [...row, 'works'];
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return [...row, `fails: ${(error as Error).message.split('\n')[0]}`];
  }
}

async function expectOutcome(
  project: Project,
  { line, says = /(?:)/, fails = false }: Case['commands'][number],
  installation: Installation,
): Promise<void> {
  const { code, output } = await project.run(line[0], ...line.slice(1));
  const wanted = says instanceof RegExp ? says : says[installation];
  if ((code !== 0) === fails && wanted.test(output)) return;
  throw new Error(`${line.join(' ')}: exit code ${code}\n${output}`);
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log();
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
}

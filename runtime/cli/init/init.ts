import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { describeFlags, type Flag, parseFlags, UsageError } from '../../machinery/options/flags.ts';
import { suggestionFor } from '../../machinery/options/suggestion.ts';
import { packageFolder } from '../../machinery/version.ts';
import type { InitProject, Template } from './template.ts';
import { templates } from './templates.ts';

const flags: readonly Flag[] = [{ name: 'out', type: 'string', value: 'DIR', default: '.', about: 'Folder that gets the files.' }];

const names = templates.map(({ name }) => name);

const initHelp = `Write a test of an operator, or an API group of your own, to begin with.

Usage:
  kubeloom init [TEMPLATE] [flags]

Templates:
${templates.map(({ name, about }) => `  ${name.padEnd(10)}${about}\n`).join('')}
Without a template, the command asks for one. It overwrites no file.

Flags:
${describeFlags(flags)}`;

/** The terminal of the question. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Writes the files of a template, and says how to run them.
 *
 * @throws UsageError for an unknown template, or for none where nobody can be asked
 */
export async function init(
  args: readonly string[],
  { input, output }: Terminal = { input: process.stdin, output: process.stdout },
): Promise<void> {
  const parsed = parseFlags(args, flags, 1);
  if (parsed.help) {
    output.write(initHelp);
    return;
  }
  const [named] = parsed.positionals;
  if (named === undefined && input.isTTY !== true) throw new UsageError(`name a template: ${names.join(', ')}`);
  const template = templateOf(named ?? (await ask({ input, output })));
  const project = projectIn(parsed.string('out') ?? '.');
  const written = await write(template, project);
  output.write(nextSteps(template, project, written));
}

async function ask({ input, output }: Terminal): Promise<string> {
  const lines = templates.map(({ name, about }, at) => `  ${at + 1}  ${name.padEnd(8)}${about}\n`);
  output.write(`What do you begin with?\n\n${lines.join('')}\n`);
  const question = createInterface({ input, output });
  try {
    return await question.question('Number or name: ');
  } finally {
    question.close();
  }
}

function templateOf(answer: string): Template {
  const name = answer.trim();
  const found = templates.find((each, at) => each.name === name || name === `${at + 1}`);
  if (found !== undefined) return found;
  const meant = suggestionFor(name, names);
  const hint = meant === undefined ? `: there are ${names.join(', ')}` : `, did you mean ${JSON.stringify(meant)}?`;
  throw new UsageError(`unknown template ${JSON.stringify(name)}${hint}`);
}

function projectIn(folder: string): InitProject {
  const kits = join(packageFolder(), 'kits');
  return { folder, kits: existsSync(kits) ? kits : undefined };
}

/** Writes all files or none. @throws Error if one of them exists */
async function write(template: Template, project: InitProject): Promise<readonly string[]> {
  await mkdir(project.folder, { recursive: true });
  const files = Object.entries(template.files(project)).map(([path, text]) => ({ path: join(project.folder, path), text }));
  const taken = files.find(({ path }) => existsSync(path));
  if (taken !== undefined) throw new Error(`${taken.path} exists, and init overwrites no file: use another --out`);
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
  }
  return files.map(({ path }) => path);
}

function nextSteps(template: Template, project: InitProject, written: readonly string[]): string {
  const commands = template.commands(project).map((command) => `  ${command}\n`);
  return `Wrote ${written.join(', ')}.

Try next${project.folder === '.' ? '' : `, in ${project.folder}`}:
${commands.join('')}
${template.document} of Kubeloom goes on from here.
`;
}

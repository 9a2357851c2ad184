import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { decodeYaml } from '../../codec/yaml.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { requireOptions } from '../../machinery/options/check-options.ts';
import { OptionError } from '../../machinery/options/option-error.ts';
import { type PodIsolation, type PodOptions, type PodProgramList, podProgramList } from '../../options/pod-programs.ts';
import { ProgramTable } from './program-table.ts';

/** The longest file, in bytes, and the most programs. */
const maxFile = 1024 * 1024;
const maxPrograms = 1000;

/** The programs of a server, and how they are separated from the machine. */
export interface PodPrograms {
  readonly table: ProgramTable;
  readonly isolation: PodIsolation;
}

/**
 * Returns the programs that options name.
 *
 * @throws OptionError
 */
export async function podPrograms({ programs = [], isolation }: PodOptions): Promise<PodPrograms> {
  if (typeof programs !== 'string') return checked('pods', { programs, isolation }, process.cwd());
  const path = resolve(programs);
  const about = `--pod-programs: ${programs}`;
  let list: PodProgramList;
  try {
    const { size } = await stat(path);
    if (size > maxFile) throw new Error(`the file has more than ${maxFile} bytes`);
    const given: unknown = decodeYaml(await readFile(path));
    requireOptions(podProgramList, given);
    list = given as PodProgramList;
  } catch (error) {
    throw new OptionError(`${about}: ${messageOf(error)}`);
  }
  return checked(about, { programs: list.programs, isolation: isolation ?? list.isolation }, dirname(path));
}

function checked(about: string, { programs, isolation = 'none' }: PodProgramList, folder: string): PodPrograms {
  if (programs.length > maxPrograms) throw new OptionError(`${about}: there are more than ${maxPrograms} programs`);
  for (const [at, { image, command, cwd, args = [], env = {} }] of programs.entries()) {
    const where = `${about}: programs[${at}]`;
    if (image === '') throw new OptionError(`${where}: image must not be empty`);
    if (command[0] === '') throw new OptionError(`${where}: command must name a program`);
    if (cwd === '') throw new OptionError(`${where}: cwd must not be empty`);
    const texts = [...command, ...args, cwd ?? '', ...Object.entries(env).flat()];
    if (texts.some((text) => text.includes('\0'))) throw new OptionError(`${where}: a text has a NUL character`);
    const name = Object.keys(env).find((one) => one === '' || one.includes('='));
    if (name !== undefined) throw new OptionError(`${where}: ${JSON.stringify(name)} is not the name of a variable`);
  }
  return { table: new ProgramTable(programs, folder), isolation };
}

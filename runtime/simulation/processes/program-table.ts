import { resolve } from 'node:path';
import type { Container } from '../../../generated/v1.35/core/v1/types.ts';
import type { PodProgram } from '../../options/pod-programs.ts';
import { imageNames } from '../pods/container-ids.ts';

/** A program whose folder is absolute. */
export interface MappedProgram extends PodProgram {
  readonly cwd: string;
}

/** The programs that run in place of images. */
export class ProgramTable {
  readonly #programs: readonly MappedProgram[];
  /** The programs of containers. Containers of stored pods are not changed. */
  readonly #known = new WeakMap<Container, MappedProgram | 'none'>();

  /** @param folder to which relative paths belong */
  constructor(programs: readonly PodProgram[], folder: string) {
    this.#programs = programs.map((program) => ({ ...program, cwd: resolve(folder, program.cwd ?? '.') }));
  }

  /** Returns the first program for a container; undefined if no image of the table is the container's. */
  of(container: Container): MappedProgram | undefined {
    let found = this.#known.get(container);
    if (found === undefined) {
      found = this.#programs.find((program) => isFor(program, container)) ?? 'none';
      this.#known.set(container, found);
    }
    return found === 'none' ? undefined : found;
  }
}

function isFor({ image: glob, entrypoint }: PodProgram, { image = '', command }: Container): boolean {
  if (entrypoint !== undefined && entrypoint !== command?.[0]) return false;
  const { image: full } = imageNames(image);
  return [image, full].some((name) => matches(glob, name) || (!hasTag(glob) && matches(glob, repositoryOf(name))));
}

/** Reports whether an image has a tag or a digest. */
const hasTag = (image: string): boolean => image.includes('@') || image.lastIndexOf(':') > image.lastIndexOf('/');

function repositoryOf(image: string): string {
  const [name = ''] = image.split('@');
  return hasTag(name) ? name.slice(0, name.lastIndexOf(':')) : name;
}

/** Reports whether a text matches a glob, in which `*` stands for any text. */
export function matches(glob: string, text: string): boolean {
  const [first = '', ...others] = glob.split('*');
  const last = others.pop();
  if (last === undefined) return text === glob;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return from <= end;
}

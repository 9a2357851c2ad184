import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from '../package/project.ts';
import { root } from '../support/generated-project.ts';

/** A kit, with the form of an empty project that uses it. */
export interface Kit {
  readonly language: string;
  /** The required programs. */
  readonly programs: readonly string[];
  /** Puts the kit's package into the project. */
  install(project: Project): Promise<void>;
  /** Commands in order. The last one runs the scenarios. */
  readonly commands: readonly (readonly string[])[];
}

const copy = (kit: string, project: Project, folder: string): Promise<void> =>
  cp(join(root, 'kits', kit), join(project.folder, folder), { recursive: true });

/** The kits. Each has a folder beside this file with its project. */
export const kits: readonly Kit[] = [
  {
    language: 'go',
    programs: ['go'],
    install: (project) => copy('go', project, 'kubeloom'),
    commands: [
      ['go', 'mod', 'tidy'],
      // projects have no C compiler
      ['env', 'CGO_ENABLED=0', 'go', 'test', '-count=1', './...'],
    ],
  },
];

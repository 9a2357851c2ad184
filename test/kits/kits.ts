import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { writePythonPackage } from '../../kits/python-package.ts';
import type { Project } from '../package/project.ts';
import { root } from '../support/generated-project.ts';

/** A kit, with the form of an empty project that uses it. */
export interface Kit {
  readonly language: string;
  /** The required programs. */
  readonly programs: readonly string[];
  /** Puts the kit's package into the project. */
  install(project: Project): void | Promise<void>;
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
  {
    language: 'python',
    programs: ['python3'],
    install: (project) => writePythonPackage(join(project.folder, 'package')),
    commands: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'wheel', '--quiet', '--disable-pip-version-check', '--no-deps', '--wheel-dir', 'wheels', './package'],
      ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '--find-links', 'wheels', '--requirement', 'requirements.txt'],
      ['venv/bin/python', '-m', 'mypy', '--strict', '--package', 'pytest_kubeloom'],
      // without the server of this checkout: the wheel brings it
      ['env', '--unset=KUBELOOM', 'venv/bin/python', '-m', 'pytest', '--quiet'],
    ],
  },
  {
    language: 'java',
    programs: ['java', 'mvn'],
    install: (project) => copy('java', project, 'kit'),
    commands: [
      [
        'mvn',
        '--batch-mode',
        '--quiet',
        '--no-transfer-progress',
        '--file',
        'kit/pom.xml',

        'install',
      ],
      ['mvn', '--batch-mode', '--no-transfer-progress', 'test'],
    ],
  },
];

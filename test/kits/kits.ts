import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { writePythonPackage } from '../../kits/python-package.ts';
import type { LanguageProject } from '../package/language-project.ts';
import type { Project } from '../package/project.ts';
import { root } from '../support/generated-project.ts';

/** A kit, with the form of an empty project that uses it. */
export interface Kit extends LanguageProject {
  /** Puts the kit's package into the project. */
  install(project: Project): void | Promise<void>;
}

const copy = (kit: string, project: Project, folder: string): Promise<void> =>
  cp(join(root, 'kits', kit), join(project.folder, folder), { recursive: true });

/** The kits. Each has a folder beside this file with its project. */
export const kits: readonly Kit[] = [
  {
    name: 'go',
    programs: ['go'],
    install: (project) => copy('go', project, 'kubeloom'),
    commands: [
      ['go', 'mod', 'tidy'],
      // projects have no C compiler
      ['env', 'CGO_ENABLED=0', 'go', 'test', '-count=1', './...'],
    ],
  },
  {
    name: 'python',
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
    name: 'java',
    programs: ['java', 'mvn'],
    install: (project) => copy('java', project, 'kit'),
    commands: [
      ['mvn', '--batch-mode', '--quiet', '--no-transfer-progress', '--file', 'kit/pom.xml', 'install'],
      ['mvn', '--batch-mode', '--no-transfer-progress', 'test'],
    ],
  },
];

/** A language of docs/testing.md, and how its snippets become a project that runs. */
export interface Language {
  /** As in the document's fences. */
  readonly name: string;
  /** The programs that the machine must have. */
  readonly programs: readonly string[];
  /** Where the document's files belong in the project. */
  readonly sources: string;
  /** The last one runs the tests. */
  readonly commands: readonly (readonly string[])[];
}

/* Each has a folder beside this file, with what a project needs besides the snippets, and with tests that use them. */
export const languages: readonly Language[] = [
  {
    name: 'go',
    programs: ['go'],
    sources: 'controllers',
    // projects have no compiler of C
    commands: [
      ['go', 'mod', 'tidy'],
      ['env', 'CGO_ENABLED=0', 'go', 'test', '-count=1', '-v', './...'],
    ],
  },
  {
    name: 'python',
    programs: ['python3'],
    sources: '.',
    commands: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', 'requirements.txt'],
      ['venv/bin/python', '-m', 'pytest', '--verbose'],
    ],
  },
  {
    name: 'java',
    programs: ['java', 'mvn'],
    sources: 'src/test/java',
    commands: [['mvn', '--batch-mode', '--no-transfer-progress', 'test']],
  },
];

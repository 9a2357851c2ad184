/** A language of a document, with the form of its test project. */
export interface Language {
  /** The name in the document's fences. */
  readonly name: string;
  /** Default: docs/testing.md. */
  readonly document?: string;
  /** The required programs. */
  readonly programs: readonly string[];
  /** The folder of the document's files in the project. */
  readonly sources: string;
  /** Commands in order. The last one runs the tests. */
  readonly commands: readonly (readonly string[])[];
}

/* The languages. Each has a folder beside this file with the rest of its project, and with tests of the snippets. */
export const languages: readonly Language[] = [
  {
    name: 'go',
    programs: ['go'],
    sources: 'controllers',
    // projects have no C compiler
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
  {
    name: 'rust',
    document: 'docs/rust.md',
    programs: ['cargo', 'cc'],
    sources: 'tests',
    // crates of TLS have parts in C
    commands: [['env', '--unset=CC', '--unset=CXX', 'cargo', 'test', '--quiet']],
  },
  {
    name: 'csharp',
    document: 'docs/dotnet.md',
    programs: ['dotnet'],
    sources: '.',
    commands: [['dotnet', 'test']],
  },
];

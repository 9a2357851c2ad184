import type { LanguageProject } from '../package/language-project.ts';

/** A language of a document, with the form of its test project. The document's fences have its name. */
export interface Language extends LanguageProject {
  /** Default: docs/testing.md. */
  readonly document?: string;
  /** The folder of the document's files in the project. */
  readonly sources: string;
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

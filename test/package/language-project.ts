import { missingPrograms } from '../support/missing-programs.ts';
import { namesInOnly } from '../support/names-in-only.ts';
import { Project } from './project.ts';

/** A test project in another language. */
export interface LanguageProject {
  /** The name of the language. */
  readonly name: string;
  /** The required programs. */
  readonly programs: readonly string[];
  /** Commands in order. The last one runs the tests. */
  readonly commands: readonly (readonly string[])[];
}

/**
 * Runs the project of each language that ONLY names, by default of all, and prints a table of the results. A language without its
 * programs is skipped.
 *
 * @param what the head of the table's first column
 * @param fill writes the files of a project into its empty folder
 */
export async function runLanguageProjects<Each extends LanguageProject>(
  what: string,
  languages: readonly Each[],
  fill: (project: Project, language: Each) => Promise<void>,
): Promise<void> {
  const only = namesInOnly(languages.map(({ name }) => name));
  console.log(`| ${what} | result |\n| --- | --- |`);
  for (const language of languages) {
    if (only.length > 0 && !only.includes(language.name)) continue;
    const missing = missingPrograms(language.programs);
    const result = missing === undefined ? await resultOf(language, fill) : `skipped: ${missing}`;
    console.log(`| ${language.name} | ${result} |`);
    if (result === 'fails') process.exitCode = 1;
  }
}

async function resultOf<Each extends LanguageProject>(
  language: Each,
  fill: (project: Project, language: Each) => Promise<void>,
): Promise<'works' | 'fails'> {
  const project = await Project.make(`in-${language.name}`);
  try {
    await fill(project, language);
    for (const [command = '', ...args] of language.commands) {
      const { code, output } = await project.run(command, ...args);
      if (code === 0) continue;
      process.stderr.write(`${[command, ...args].join(' ')}: exit code ${code}\n${output}\n`);
      return 'fails';
    }
    return 'works';
  } finally {
    await project.remove();
  }
}

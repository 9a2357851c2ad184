import type { ApiContext } from '../http/context.ts';

const yamlPrefixes = ['yaml: unmarshal errors:\n', 'error converting YAML to JSON: yaml: unmarshal errors:\n'];

/** More than the headers of an answer hold. */
const mostLines = 1_000;

/** Warns of what strict decoding would refuse, one warning a line of what YAML says. (endpoints/handlers/rest.go) */
export function warnOfProblems(ctx: ApiContext, problems: readonly string[]): void {
  for (const problem of problems) {
    const prefix = yamlPrefixes.find((one) => problem.startsWith(one));
    if (prefix === undefined) ctx.state.addWarnings(problem);
    else {
      const lines = problem.slice(prefix.length).split('\n', mostLines);
      ctx.state.addWarnings(...lines.map((line) => line.trim()));
    }
  }
}

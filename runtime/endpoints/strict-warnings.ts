import type { ApiContext } from '../http/context.ts';

const yamlPrefixes = ['yaml: unmarshal errors:\n', 'error converting YAML to JSON: yaml: unmarshal errors:\n'];

/** Warns of what strict decoding would refuse, one warning a line of what YAML says. (endpoints/handlers/rest.go) */
export function warnOfProblems(ctx: ApiContext, problems: readonly string[]): void {
  for (const problem of problems) {
    const prefix = yamlPrefixes.find((one) => problem.startsWith(one));
    if (prefix === undefined) ctx.state.warn(problem);
    else {
      for (const line of problem.slice(prefix.length).split('\n')) ctx.state.warn(line.trim());
    }
  }
}

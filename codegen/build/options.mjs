import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { optionGroups } from '../../runtime/options/option-groups.ts';
import { checkOf } from '../../runtime/options/server-members.ts';
import { root } from './current.mjs';

/*
 * Writes ServerOptions (runtime/options/server-options.ts) and docs/options.md from the rows in runtime/options. `make
 * generate` runs this module from source.
 */

/** The modules of the types that rows name. */
const imports = {
  ApiGroup: '../machinery/api-group.ts',
  Authorizer: '../authorization/authorizer.ts',
  Clock: '../machinery/clock.ts',
  Dial: '../client/transport/dial.ts',
  FixtureSources: './fixture-sources.ts',
  PodOptions: './pod-programs.ts',
  ReplaySpec: './replay-spec.ts',
  SimulationOptions: './simulated-cluster.ts',
};

/** The maximum length of a generated line of comment. */
const columns = 130;

/** The TypeScript type of the values that a check accepts. */
function typeText(check) {
  switch (check.kind) {
    case 'text':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return 'number';
    case 'oneOf':
      return check.values.map((value) => `'${value}'`).join(' | ');
    case 'list':
      return `readonly ${typeText(check.item)}[]`;
    case 'map':
      return `Readonly<Record<string, ${typeText(check.value)}>>`;
    default:
      throw new Error(`a row must say the type of ${check.kind}`);
  }
}

const typeOf = (row) => row.type ?? typeText(checkOf(row));
const docOf = (row) => row.doc ?? row.about;

function wrapped(text, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function comment(text) {
  if (text.length + '  /**  */'.length <= columns) return `  /** ${text} */`;
  return ['  /**', ...wrapped(text, columns - '   * '.length).map((line) => `   * ${line}`), '   */'].join('\n');
}

function declaration() {
  const members = optionGroups.map(([heading, rows]) => {
    const each = rows.map((row) => `${comment(docOf(row))}\n  readonly ${row.option}?: ${typeOf(row)} | undefined;`);
    return `  // ${heading}\n\n${each.join('\n')}`;
  });
  const body = members.join('\n\n');
  const types = Object.keys(imports).filter((name) => new RegExp(`: .*\\b${name}\\b.*;$`, 'm').test(body));
  const lines = types.map((name) => [imports[name], `import type { ${name} } from '${imports[name]}';`]);
  return [
    '// Written by `make generate` from the rows in runtime/options. Do not edit.',
    '',
    ...lines.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line),
    '',
    "export { OptionError } from '../machinery/options/option-error.ts';",
    '',
    '/** The options of a server. All have defaults: `startServer()` runs a server in memory on a free port of 127.0.0.1. */',
    'export interface ServerOptions {',
    body,
    '}',
    '',
  ].join('\n');
}

const cell = (text) => text.replaceAll('|', '\\|');

function page() {
  const tables = optionGroups.map(([heading, rows]) => {
    const lines = rows.map((row) => {
      const flag = row.flag === undefined ? '' : `\`--${row.flag}\``;
      const fallback = row.value?.default;
      return `| ${flag} | \`${row.option}\` | ${fallback === undefined ? '' : `\`${cell(fallback)}\``} | ${cell(docOf(row))} |`;
    });
    return `## ${heading}\n\n| flag | option | default of the flag | about |\n|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  return [
    '# Options\n',
    'The flags of `kubeloom serve` and the options of `startServer()`. Flags have the names of kube-apiserver, and durations are written as',
    'in Go: `1m30s`. As options, durations are numbers of milliseconds. `make generate` writes',
    'this page.\n',
    ...tables,
  ].join('\n');
}

writeFileSync(join(root, 'runtime/options/server-options.ts'), declaration());
writeFileSync(join(root, 'docs/options.md'), page());

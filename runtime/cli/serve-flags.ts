import { describeFlags, type Flag, type ParsedFlags } from '../machinery/options/flags.ts';
import { optionGroups } from '../options/option-groups.ts';
import { isFlag, type OptionFlag } from '../options/option-row.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { simulatedClusterFlags } from '../options/simulation.ts';
import { commonFlags } from './common-flags.ts';
import { outputFlag } from './output-flag.ts';

export const exitWithStdin = 'exit-with-stdin';
export const exitWithParent = 'exit-with-parent';
export const mergeKubeconfigFlag = 'merge-kubeconfig';

/** Flags that set no option, or only a part of one, by heading. */
const otherFlags: Readonly<Record<string, readonly Flag[]>> = {
  Generic: [
    outputFlag,
    {
      name: mergeKubeconfigFlag,
      type: 'string',
      value: 'FILE',
      about: 'Add the context kubeloom to this kubeconfig when the server is ready, and make it current. Other contexts stay.',
    },
    {
      name: exitWithParent,
      type: 'boolean',
      default: 'false',
      about: 'End when the process that started the server does, even if it is killed.',
    },
  ],
  // modules and documents, which load before the options exist
  'API enablement': [
    {
      name: 'group',
      type: 'list',
      value: 'PATH',
      about: 'Serve the API groups of a package from kubeloom generate, or of a module. May be repeated.',
    },
    {
      name: 'from',
      type: 'list',
      value: 'SOURCE',
      about:
        'Serve the groups of OpenAPI, Swagger or .proto documents. Runs kubeloom import and generate first, into ./schemas and ./generated. May be repeated.',
    },
  ],
  Simulation: simulatedClusterFlags,
  Testing: [
    {
      name: exitWithStdin,
      type: 'boolean',
      default: 'false',
      about:
        'End at the end of standard input. A test that holds the other end of the pipe ends the server with itself, even if it is killed.',
    },
  ],
};

/** The rows that have flags. */
export const optionFlags: readonly OptionFlag[] = optionGroups.flatMap(([, rows]) => rows.filter(isFlag));

/** Returns the flag in the form for the parser and --help. */
export function parsedFlag({ flag, value, about }: Pick<OptionFlag, 'flag' | 'value' | 'about'>): Flag {
  const { type, value: placeholder, default: fallback } = value;
  return { name: flag, type, value: placeholder, default: fallback, about };
}

/** All flags of `kubeloom serve`. They have the names of kube-apiserver's flags where one exists. */
export const serveFlags: readonly Flag[] = [
  ...optionFlags.map(parsedFlag),
  ...simulatedClusterFlags,
  ...['Generic', 'API enablement', 'Testing'].flatMap((heading) => otherFlags[heading] ?? []),
];

/** @throws UsageError for invalid values */
export function serverOptions(flags: ParsedFlags): ServerOptions {
  return Object.fromEntries(optionFlags.map(({ flag, option, value }) => [option, value.read(flags, flag)]));
}

/** Returns the value of each flag as text. Lists are in brackets, as pflag prints them. */
export function flagValues(flags: ParsedFlags): Record<string, string> {
  const textOf = ({ name, type }: Flag): string => (type === 'list' ? `[${flags.list(name).join(',')}]` : (flags.string(name) ?? ''));
  return Object.fromEntries(serveFlags.map((flag) => [flag.name, textOf(flag)]));
}

/** The flags for --help, or for --help=all. */
export function describeServeFlags(all: boolean): string {
  return optionGroups
    .map(([heading, rows]) => [heading, [...rows.filter(isFlag).map(parsedFlag), ...(otherFlags[heading] ?? [])]] as const)
    .map(([heading, flags]) => [heading, all ? flags : flags.filter(({ name }) => commonFlags.includes(name))] as const)
    .filter(([, flags]) => flags.length > 0)
    .map(([heading, flags]) => `${heading} flags:\n\n${describeFlags(flags)}`)
    .join('\n');
}

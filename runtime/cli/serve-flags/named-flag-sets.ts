import type { ServerOptions } from '../../options/server-options.ts';
import { describeFlags, type Flag, type ParsedFlags } from '../flags.ts';
import { admissionFlags } from './admission.ts';
import { aggregatorFlags } from './aggregator.ts';
import { apiEnablementFlags } from './api-enablement.ts';
import { auditFlags } from './audit.ts';
import { authenticationFlags } from './authentication.ts';
import { authorizationFlags } from './authorization.ts';
import { csrSigningFlags } from './csr-signing.ts';
import { delegatingFlags } from './delegating.ts';
import { featureFlags, genericFlags } from './generic.ts';
import { kubeletFlags } from './kubelet.ts';
import { leaderElectionFlags } from './leader-election.ts';
import { logsFlags } from './logs.ts';
import { miscFlags } from './misc.ts';
import { recordingFlags } from './recording.ts';
import { secureServingFlags } from './secure-serving.ts';
import { parsedFlag, type ServeFlag } from './serve-flag.ts';
import { simulatedClusterFlags, simulationFlags } from './simulation.ts';
import { storageFlags } from './storage.ts';
import { testingCommandFlags, testingFlags } from './testing.ts';

/** Modules with API groups, and documents. They are loaded before there are options. */
const groupFlags: readonly Flag[] = [
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
      'Serve what documents describe, after kubeloom import and generate have made ./schemas and ./generated of them. May be repeated.',
  },
];

/** The flags of `kubeloom serve` under the headings of kube-apiserver's --help. (NamedFlagSets) */
const namedFlagSets: readonly (readonly [heading: string, flags: readonly ServeFlag[], others?: readonly Flag[]])[] = [
  ['Generic', genericFlags],
  ['Storage', storageFlags],
  ['Secure serving', secureServingFlags],
  ['Auditing', auditFlags],
  ['Features', featureFlags],
  ['Authentication', authenticationFlags],
  ['Authorization', authorizationFlags],
  ['Delegated authentication and authorization', delegatingFlags],
  ['Misc', [...miscFlags, ...kubeletFlags]],
  ['Leader election', leaderElectionFlags],
  ['CSR signing controller', csrSigningFlags],
  ['Admission', admissionFlags],
  ['API enablement', apiEnablementFlags, groupFlags],
  ['Aggregation', aggregatorFlags],
  ['Simulation', simulationFlags, simulatedClusterFlags],
  ['Testing', testingFlags, testingCommandFlags],
  ['Recording', recordingFlags],
  ['Logs', logsFlags],
];

const optionFlags: readonly ServeFlag[] = namedFlagSets.flatMap(([, flags]) => flags);

/** All flags, which have the names of kube-apiserver's flags if it has them. */
export const serveFlags: readonly Flag[] = [
  ...optionFlags.map(parsedFlag),
  ...simulatedClusterFlags,
  ...groupFlags,
  ...testingCommandFlags,
];

/** @throws UsageError for invalid values */
export function serverOptions(flags: ParsedFlags): ServerOptions {
  return Object.fromEntries(optionFlags.map(({ name, option, value }) => [option, value.read(flags, name)]));
}

/** The value of each flag as text. Lists are in brackets, as pflag prints them. */
export function flagValues(flags: ParsedFlags): Record<string, string> {
  const textOf = ({ name, type }: Flag): string => (type === 'list' ? `[${flags.list(name).join(',')}]` : (flags.string(name) ?? ''));
  return Object.fromEntries(serveFlags.map((flag) => [flag.name, textOf(flag)]));
}

/** The flags for --help. */
export function describeServeFlags(): string {
  return namedFlagSets
    .map(([heading, flags, others = []]) => `${heading} flags:\n\n${describeFlags([...flags.map(parsedFlag), ...others])}`)
    .join('\n');
}

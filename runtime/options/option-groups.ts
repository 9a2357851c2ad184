import { admissionOptions } from './admission.ts';
import { aggregatorOptions } from './aggregator.ts';
import { apiEnablementOptions } from './api-enablement.ts';
import { auditOptions } from './audit.ts';
import { authenticationOptions } from './authentication.ts';
import { authorizationOptions } from './authorization.ts';
import { csrSigningOptions } from './csr-signing.ts';
import { delegatingOptions } from './delegating.ts';
import { featureOptions, genericOptions } from './generic.ts';
import { kubeletOptions } from './kubelet.ts';
import { leaderElectionOptions } from './leader-election.ts';
import { logsOptions } from './logs.ts';
import { miscOptions } from './misc.ts';
import type { OptionRow } from './option-row.ts';
import { pageOptions } from './page.ts';
import { programOptions } from './program.ts';
import { recordingOptions } from './recording.ts';
import { secureServingOptions } from './secure-serving.ts';
import { simulationOptions } from './simulation.ts';
import { storageOptions } from './storage.ts';
import { testingOptions } from './testing.ts';

/** The options of a server under the headings of kube-apiserver's --help. (NamedFlagSets) */
export const optionGroups: readonly (readonly [heading: string, rows: readonly OptionRow[]])[] = [
  ['Generic', genericOptions],
  ['Storage', storageOptions],
  ['Secure serving', secureServingOptions],
  ['Auditing', auditOptions],
  ['Features', featureOptions],
  ['Authentication', authenticationOptions],
  ['Authorization', authorizationOptions],
  ['Delegated authentication and authorization', delegatingOptions],
  ['Misc', [...miscOptions, ...kubeletOptions]],
  ['Leader election', leaderElectionOptions],
  ['CSR signing controller', csrSigningOptions],
  ['Admission', admissionOptions],
  ['API enablement', apiEnablementOptions],
  ['Aggregation', aggregatorOptions],
  ['Simulation', simulationOptions],
  ['Testing', testingOptions],
  ['Recording', recordingOptions],
  ['Page', pageOptions],
  ['Logs', logsOptions],
  ['Programs', programOptions],
];

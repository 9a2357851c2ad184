import type { ServerOptions } from '../../runtime/index.ts';
import { everyVersion } from '../support/every-version.ts';

/** Options of a server for the rules. */
export const ruleServerOptions: ServerOptions = {
  // admission also refuses, defaults and warns
  disableAdmissionPlugins: [
    'LimitRanger',
    'Priority',
    'DefaultTolerationSeconds',
    'PodSecurity',
    'TaintNodesByCondition',
    'RuntimeClass',
    'PersistentVolumeClaimResize',
    'StorageObjectInUseProtection',
  ],
  ...everyVersion,
  serviceClusterIpRange: '10.96.0.0/12,fd00:10:96::/112',
};

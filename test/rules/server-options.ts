import type { ServerOptions } from '../../runtime/index.ts';
import { everyVersion } from '../support/every-version.ts';

/** Of a server that is asked about rules. */
export const ruleServerOptions: ServerOptions = {
  // admission refuses, defaults and warns too
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

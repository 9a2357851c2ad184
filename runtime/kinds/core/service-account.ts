import type { KubeObject } from '../../machinery/object.ts';
import { none, type WarningStrategy } from '../warnings.ts';

const annotation = 'kubernetes.io/enforce-mountable-secrets';
const isAnnotated = ({ metadata: { annotations } }: KubeObject): boolean =>
  annotations !== undefined && Object.hasOwn(annotations, annotation);

const advice = 'prefer separate namespaces to isolate access to mounted secrets';
const deprecated = [`metadata.annotations[${annotation}]: deprecated in v1.32+; ${advice}`];

/** (pkg/registry/core/serviceaccount/strategy.go) Who has the annotation already is not told again. */
export const serviceAccountWarnings: WarningStrategy = {
  warningsOnCreate: (account) => (isAnnotated(account) ? deprecated : none),
  warningsOnUpdate: (account, old) => (isAnnotated(account) && !isAnnotated(old) ? deprecated : none),
};

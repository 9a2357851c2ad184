import type { ServiceAccount as GeneratedServiceAccount } from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { none, type WarningStrategy } from '../warnings.ts';

type ServiceAccount = Unvalidated<GeneratedServiceAccount>;

const mountableSecretsAnnotation = 'kubernetes.io/enforce-mountable-secrets';
const isAnnotated = ({ metadata }: ServiceAccount): boolean =>
  Object.hasOwn(metadata?.annotations ?? {}, mountableSecretsAnnotation);

const advice = 'prefer separate namespaces to isolate access to mounted secrets';
const deprecated = [`metadata.annotations[${mountableSecretsAnnotation}]: deprecated in v1.32+; ${advice}`];

/** Warns only when the annotation is added. (pkg/registry/core/serviceaccount/strategy.go) */
export const serviceAccountWarnings: WarningStrategy<ServiceAccount> = {
  warningsOnCreate: (account) => (isAnnotated(account) ? deprecated : none),
  warningsOnUpdate: (account, old) => (isAnnotated(account) && !isAnnotated(old) ? deprecated : none),
};

import type { ServiceAccount as GeneratedServiceAccount } from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { none, type WriteWarnings } from '../warnings.ts';

type ServiceAccount = Unvalidated<GeneratedServiceAccount>;

/** Keeps only the names of secrets. (cleanSecretReferences) */
function cleanSecretReferences(account: ServiceAccount): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => (name ? { name } : {}));
}

/** (pkg/registry/core/serviceaccount/strategy.go) */
export const serviceAccountStrategy: RESTStrategy = {
  returnDeletedObject: true,
  prepareForCreate: cleanSecretReferences,
  prepareForUpdate: cleanSecretReferences,
};

const mountableSecretsAnnotation = 'kubernetes.io/enforce-mountable-secrets';
const isAnnotated = ({ metadata }: ServiceAccount): boolean => Object.hasOwn(metadata?.annotations ?? {}, mountableSecretsAnnotation);

const advice = 'prefer separate namespaces to isolate access to mounted secrets';
const deprecated = [`metadata.annotations[${mountableSecretsAnnotation}]: deprecated in v1.32+; ${advice}`];

/** Warns only when the annotation is added. (pkg/registry/core/serviceaccount/strategy.go) */
export const serviceAccountWarnings: WriteWarnings<ServiceAccount> = {
  warningsOnCreate: (account) => (isAnnotated(account) ? deprecated : none),
  warningsOnUpdate: (account, old) => (isAnnotated(account) && !isAnnotated(old) ? deprecated : none),
};

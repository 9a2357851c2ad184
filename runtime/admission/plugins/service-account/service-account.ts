import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { secretNames } from '../../../authorization/node/pod-references.ts';
import type { Attributes, Operation } from '../../../machinery/admission.ts';
import { plainError } from '../../../machinery/errors/status.ts';
import { parseGoBool } from '../../../machinery/go/bool.ts';
import { defined } from '../../../machinery/json/defined.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { newForbidden } from '../../errors.ts';
import type { Plugin, PluginContext, PluginFactory } from '../../plugin.ts';
import { isCore, isMirrorPod, podOf, podSpecOf } from '../../resources.ts';
import { forbiddenEphemeralSecret, forbiddenSecret } from './mountable-secrets.ts';
import { ServiceAccounts } from './service-accounts.ts';
import { mountServiceAccountToken } from './token-volume.ts';

type ServiceAccount = core.ServiceAccount;

const defaultServiceAccountName = 'default';
const enforceMountableSecretsAnnotation = 'kubernetes.io/enforce-mountable-secrets';

/** (plugin/pkg/admission/serviceaccount) */
export const newServiceAccount: PluginFactory = (context) => new ServiceAccountPlugin(context);

/**
 * Sets the service account of each new pod, a volume with its token, and the account's pull secrets. Accounts can
 * restrict their pods to the secrets that they list.
 */
class ServiceAccountPlugin implements Plugin {
  readonly #context: PluginContext;
  #accounts: ServiceAccounts | undefined;

  constructor(context: PluginContext) {
    this.#context = context;
  }

  handles(operation: Operation, definition: ResourceDefinition, subresource: string): boolean {
    if (!isCore(definition, 'pods') || !this.#context.stores.serves('', 'v1', 'serviceaccounts')) return false;
    return (operation === 'CREATE' && subresource === '') || (operation === 'UPDATE' && subresource === 'ephemeralcontainers');
  }

  async start(): Promise<void> {
    this.#accounts = await ServiceAccounts.open(this.#context);
  }

  admit(attributes: Attributes): void | Promise<void> {
    if (attributes.operation !== 'CREATE') return;
    if (isMirrorPod(podOf(attributes))) return this.validate(attributes);
    const spec = podSpecOf(attributes);
    if (!spec.serviceAccountName) {
      spec.serviceAccountName = defaultServiceAccountName;
      spec.serviceAccount = defaultServiceAccountName;
    }
    return this.#withAccount(attributes, (account) => {
      if (shouldAutomount(account, attributes)) mountServiceAccountToken(spec, this.#context.stores.random);
      const { imagePullSecrets = [] } = account;
      if (!spec.imagePullSecrets?.length && imagePullSecrets.length > 0) {
        spec.imagePullSecrets = imagePullSecrets.map(({ name }) => defined({ name }));
      }
      requireMountableSecrets(account, attributes);
    });
  }

  validate(attributes: Attributes): void | Promise<void> {
    const pod = podOf(attributes);
    if (attributes.operation === 'CREATE' && isMirrorPod(pod)) {
      const problem = mirrorPodProblem(attributes);
      if (problem !== undefined) throw newForbidden(attributes, problem);
      return;
    }
    if (!pod.spec?.serviceAccountName) {
      const { namespace } = attributes;
      throw newForbidden(attributes, `no service account specified for pod ${namespace}/${pod.metadata.name ?? ''}`);
    }
    return this.#withAccount(attributes, (account) => requireMountableSecrets(account, attributes));
  }

  #withAccount(attributes: Attributes, use: (account: ServiceAccount) => void): void | Promise<void> {
    const account = (this.#accounts as ServiceAccounts).get(attributes, podSpecOf(attributes).serviceAccountName ?? '');
    return account instanceof Promise ? account.then(use) : use(account);
  }
}

/** Reports whether the token is mounted. The pod's setting overrides the account's. */
function shouldAutomount(account: ServiceAccount, attributes: Attributes): boolean {
  const wanted = podSpecOf(attributes).automountServiceAccountToken;
  return wanted ?? account.automountServiceAccountToken ?? true;
}

function requireMountableSecrets(account: ServiceAccount, attributes: Attributes): void {
  const wanted = account.metadata.annotations?.[enforceMountableSecretsAnnotation];
  if (wanted === undefined || !parseGoBool(wanted)) return;
  const spec = podSpecOf(attributes);
  if (attributes.operation === 'CREATE') {
    const problem = forbiddenSecret(account, spec);
    if (problem !== undefined) throw newForbidden(attributes, problem);
    return;
  }
  const problem = forbiddenEphemeralSecret(account, spec);
  // upstream's message lacks "forbidden" here
  if (problem !== undefined) throw plainError(problem);
}

/** Returns why a mirror pod is refused: it must not give a node the secrets of other pods. */
function mirrorPodProblem(attributes: Attributes): string | undefined {
  const pod = podOf(attributes);
  if (pod.spec?.serviceAccountName) return 'a mirror pod may not reference service accounts';
  for (const name of secretNames(pod)) if (name) return 'a mirror pod may not reference secrets';
  const hasToken = pod.spec?.volumes?.some(({ projected }) =>
    projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined),
  );
  return hasToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}

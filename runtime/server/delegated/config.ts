import type { ClientOptions } from '../../client/options.ts';
import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { Logger } from '../../machinery/logger.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { DelegateObjects } from './delegate-objects.ts';

/** Reports whether another server authenticates users for this one. */
export const delegatesAuthentication = (options: ServerOptions): boolean =>
  options.authenticationKubeconfig !== undefined || options.authorizationKubeconfig !== undefined;

/** Reports whether another server authorizes users for this one, which is so unless options say otherwise. */
export const delegatesAuthorization = (options: ServerOptions): boolean =>
  delegatesAuthentication(options) &&
  options.authorizationMode === undefined &&
  options.authorizationConfig === undefined &&
  options.authorizer === undefined;

/**
 * Returns the connection to the delegate, from a kubeconfig or from the pod's service account.
 *
 * @param purpose for messages, for example `delegated authentication`
 * @param path of the kubeconfig; undefined or "" for the pod's service account
 * @throws OptionError if the file cannot be used, or there is no pod
 */
export async function delegateConfig(purpose: string, path: string | undefined): Promise<ClientOptions> {
  const [{ inClusterConfig }, { loadWebhookKubeconfig }] = await Promise.all([
    import('../../client/in-cluster.ts'),
    import('../../client/webhook/kubeconfig.ts'),
  ]);
  try {
    return await (path ? loadWebhookKubeconfig(path) : inClusterConfig());
  } catch (error) {
    throw new OptionError(`failed to get ${purpose} kubeconfig: ${messageOf(error)}`);
  }
}

/** Returns the delegate that knows the users that this server does not; undefined if the server decides alone. */
export async function authenticationDelegate(options: ServerOptions): Promise<ClientOptions | undefined> {
  if (!delegatesAuthentication(options)) return undefined;
  return delegateConfig('delegated authentication', options.authenticationKubeconfig);
}

/**
 * Opens the objects of the delegate, and follows its namespaces. Returns undefined for a server without a delegate.
 *
 * @throws OptionError if the kubeconfig cannot be used
 */
export async function openDelegateObjects(given: {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<DelegateObjects | undefined> {
  const { options, clock, logger } = given;
  if (!delegatesAuthentication(options)) return undefined;
  const config = await delegateConfig('core API server', options.kubeconfig);
  const { DelegateObjects } = await import('./delegate-objects.ts');
  const objects = new DelegateObjects({ config, clock, logger });
  objects.follow({ group: '', version: 'v1', resource: 'namespaces' });
  return objects;
}

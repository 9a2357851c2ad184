import type { ClientOptions } from '../../client/options.ts';
import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { Logger } from '../../machinery/logger.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { DelegateObjects } from './delegate-objects.ts';

/** Whether the server asks another one who users are. */
export const delegatesAuthentication = (options: ServerOptions): boolean =>
  options.authenticationKubeconfig !== undefined || options.authorizationKubeconfig !== undefined;

/** Whether the server asks another one what users may do: unless it is told to decide by itself. */
export const delegatesAuthorization = (options: ServerOptions): boolean =>
  delegatesAuthentication(options) &&
  options.authorizationMode === undefined &&
  options.authorizationConfig === undefined &&
  options.authorizer === undefined;

/**
 * How to connect to the delegate: as a kubeconfig says, or as the pod's service account.
 *
 * @param purpose for the message, as `delegated authentication`
 * @param path of the kubeconfig; undefined or "" for that of the pod
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

/**
 * Opens the objects of the delegate, and begins to follow its namespaces; undefined for a server without a delegate.
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

import { once } from '../../machinery/event-loop/once.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { PodOptions } from '../../options/pod-programs.ts';
import type { SimulationOptions } from '../../options/simulated-cluster.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { openClusterObjects } from '../cluster-objects.ts';
import { clusterNetworkOf } from '../network/network-of.ts';
import { containerRunsOf } from '../programs/container-runs.ts';
import type { IssueToken, PodToken } from './object-volume.ts';
import { podPrograms } from './pod-program-file.ts';
import { ProcessContainers } from './process-containers.ts';
import type { ServerPlace } from './process-environment.ts';

interface NamedObject {
  readonly name: string;
  readonly uid: string;
}

/** Signs a token of a service account. */
type SignToken = (order: {
  readonly namespace: string;
  readonly account: NamedObject;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly binding: { readonly pod: NamedObject; readonly node: NamedObject | undefined };
}) => Promise<PodToken>;

export interface PodProgramsOf {
  readonly stores: ResourceStores;
  readonly simulation: SimulationOptions;
  readonly pods: PodOptions;
  readonly logger: Logger;
  readonly issueToken: SignToken;
  /** Returns the address of the server; undefined if it does not listen. */
  server(): ServerPlace | undefined;
}

/**
 * Lets programs of this machine run in place of images.
 *
 * @throws OptionError
 */
export async function openPodPrograms(given: PodProgramsOf): Promise<ProcessContainers> {
  const { stores, simulation, pods, logger, server } = given;
  const containers = new ProcessContainers({
    programs: await podPrograms(pods),
    network: clusterNetworkOf(stores, simulation),
    clock: stores.clock,
    logger,
    issueToken: podTokens(stores, given.issueToken),
    objects: once(() => openClusterObjects(stores)),
    server,
  });
  await containers.open();
  containerRunsOf(stores).useProcesses(containers);
  return containers;
}

/** Issues the tokens that a kubelet requests for its pods. */
function podTokens(stores: ResourceStores, issue: SignToken): IssueToken {
  const uidOf = async (resource: string, namespace: string, name: string): Promise<string | undefined> => {
    const { collection } = await stores.byResource('', 'v1', resource);
    return collection.latest().get(namespace, name)?.uid;
  };
  return async ({ metadata: { namespace = '', name = '', uid = '' }, spec }, { audience, seconds }) => {
    const account = spec?.serviceAccountName ?? 'default';
    const accountUid = await uidOf('serviceaccounts', namespace, account);
    if (accountUid === undefined) throw new Error(`failed to fetch token: serviceaccounts "${account}" not found`);
    const nodeUid = await uidOf('nodes', '', spec?.nodeName ?? '');
    const node = nodeUid === undefined ? undefined : { name: spec?.nodeName ?? '', uid: nodeUid };
    return issue({
      namespace,
      account: { name: account, uid: accountUid },
      audiences: audience ? [audience] : [],
      expirationSeconds: seconds,
      binding: { pod: { name, uid }, node },
    });
  };
}

import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, ServiceAccount } from '../../../../generated/v1.35/core/v1/types.ts';
import type { CSIDriver } from '../../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import type { Authorizer } from '../../../authorization/authorizer.ts';
import { notFound, type StatusError } from '../../../machinery/errors/status.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { Lister, Listers } from '../../../resources/lister.ts';

/** The dependencies of the rules for nodes. */
export interface RuleContext {
  readonly listers: NodeListers;
  readonly authorizer: Authorizer;
}

/** The look-ups of the rules for nodes. A missing object is an error in the words of client-go's listers. */
export class NodeListers {
  readonly #pods: Lister<Pod>;
  readonly #nodes: Lister<Node>;
  readonly #claims: Lister<PersistentVolumeClaim>;
  readonly #volumes: Lister<PersistentVolume>;
  readonly #drivers: Lister<CSIDriver>;
  readonly #accounts: Lister<ServiceAccount>;

  private constructor(...listers: readonly Lister<KubeObject>[]) {
    const [pods, nodes, claims, volumes, accounts, drivers] = listers;
    this.#pods = pods as Lister<Pod>;
    this.#nodes = nodes as Lister<Node>;
    this.#claims = claims as Lister<PersistentVolumeClaim>;
    this.#volumes = volumes as Lister<PersistentVolume>;
    this.#drivers = drivers as Lister<CSIDriver>;
    this.#accounts = accounts as Lister<ServiceAccount>;
  }

  static async open(listers: Listers): Promise<NodeListers> {
    const core = ['pods', 'nodes', 'persistentvolumeclaims', 'persistentvolumes', 'serviceaccounts'];
    const resources = [
      ...core.map((resource) => ({ group: '', version: 'v1', resource })),
      { group: 'storage.k8s.io', version: 'v1', resource: 'csidrivers' },
    ];
    return new NodeListers(...(await Promise.all(resources.map((resource) => listers.open(resource)))));
  }

  pod(namespace: string, name: string): Pod {
    return this.#pods.get(namespace, name) ?? fail(missing('pod', name));
  }

  node(name: string): Node {
    return this.#nodes.get('', name) ?? fail(missing('node', name));
  }

  claim(namespace: string, name: string): PersistentVolumeClaim {
    return this.#claims.get(namespace, name) ?? fail(missing('persistentvolumeclaim', name));
  }

  volume(name: string): PersistentVolume {
    return this.#volumes.get('', name) ?? fail(missing('persistentvolume', name));
  }

  serviceAccount(namespace: string, name: string): ServiceAccount {
    return this.#accounts.get(namespace, name) ?? fail(missing('serviceaccount', name));
  }

  driver(name: string): CSIDriver {
    return this.#drivers.get('', name) ?? fail(missing('csidriver', name, 'storage.k8s.io'));
  }
}

/** @param resource the singular name, as upstream */
const missing = (resource: string, name: string, group = ''): StatusError => notFound({ group, resource }, name);

function fail(error: StatusError): never {
  throw error;
}

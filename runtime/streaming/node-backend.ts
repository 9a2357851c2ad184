import type { PodExecOptions, PodLogOptions, PodPortForwardOptions } from '../../generated/v1.35/core/v1/types.ts';
import type { ApiContext } from '../http/context.ts';
import { internalError } from '../machinery/errors/status.ts';
import { quote } from '../machinery/go/quote.ts';
import type { KubeObject } from '../machinery/object.ts';

/** What a request asks a node for; each kind of options has some of these. */
export type ConnectOptions = Partial<PodExecOptions & PodLogOptions & PodPortForwardOptions>;

/** A request that a node handles. */
export interface NodeRequest {
  readonly ctx: ApiContext;
  /** The name of the node. The backend has to check that it exists. */
  readonly node: string;
  /** The pod or the node. */
  readonly object: KubeObject;
  /** `exec`, `attach`, `portforward`, `log` or `proxy`. */
  readonly subresource: string;
  readonly options: ConnectOptions;
  /** The container that the options name, or the only one. "" if the subresource is not about one. */
  readonly container: string;
  /** In the path of the request: the name of the object or, of a proxy, `scheme:name:port`. */
  readonly name: string;
  /** The path after the subresource, with its slashes: the path for the server behind a proxy. */
  readonly path: string;
}

/** Connects to the nodes of a cluster. */
export interface NodeBackend {
  /** Responds to the request, and upgrades the connection if necessary. @throws StatusError if the node does not respond */
  connect(request: NodeRequest): Promise<void>;
}

/** The nodes of a cluster that cannot be reached. */
export const unreachableNodes: NodeBackend = {
  async connect({ node }) {
    throw internalError(`error dialing backend: no connection to node ${quote(node)}`);
  },
};

import type { PodExecOptions, PodLogOptions, PodPortForwardOptions } from '../../generated/v1.35/core/v1/types.ts';
import type { ApiContext } from '../http/context.ts';
import { internalError } from '../machinery/errors/status.ts';
import { quote } from '../machinery/go/quote.ts';
import type { KubeObject } from '../machinery/object.ts';

/** The options of a request to a node: a union of the fields of all kinds of options. */
export type ConnectOptions = Partial<PodExecOptions & PodLogOptions & PodPortForwardOptions>;

/** A request for a node. */
export interface NodeRequest {
  readonly ctx: ApiContext;
  /** The name of the node. The backend checks that the node exists. */
  readonly node: string;
  /** The pod or the node. */
  readonly object: KubeObject;
  /** `exec`, `attach`, `portforward`, `log` or `proxy`. */
  readonly subresource: string;
  readonly options: ConnectOptions;
  /** The container that the options name, or the only one. "" for a subresource without a container. */
  readonly container: string;
  /** The name in the path of the request: of the object or, for a proxy, `scheme:name:port`. */
  readonly name: string;
  /** The path after the subresource, with its slashes. A proxy forwards it. */
  readonly path: string;
}

/** Connects to the nodes of a cluster. */
export interface NodeBackend {
  /** Responds to the request, and upgrades the connection if necessary. @throws StatusError if the node does not respond */
  connect(request: NodeRequest): Promise<void>;
}

/** A backend for clusters without reachable nodes. */
export const unreachableNodes: NodeBackend = {
  async connect({ node }) {
    throw internalError(`error dialing backend: no connection to node ${quote(node)}`);
  },
};

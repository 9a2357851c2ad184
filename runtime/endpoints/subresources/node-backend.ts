import type { ApiContext } from '../../http/context.ts';
import { internalError } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';

/** A request for something that runs on a node. */
export interface NodeRequest {
  readonly ctx: ApiContext;
  /** The node's name; whether it exists is the backend's to find out. */
  readonly node: string;
  /** The pod, or the node itself. */
  readonly object: KubeObject;
  /** `exec`, `attach`, `portforward`, `log` or `proxy`. */
  readonly subresource: string;
  /** What follows the subresource in the path, without a leading slash: what is asked of a proxied server. */
  readonly rest: string;
}

/** What reaches the nodes of a cluster. */
export interface NodeBackend {
  /** Answers the request, upgrades of the connection included. @throws StatusError when the node does not answer */
  connect(request: NodeRequest): Promise<void>;
}

/** A cluster none of whose nodes can be reached. */
export const unreachableNodes: NodeBackend = {
  async connect({ node }) {
    throw internalError(`error dialing backend: no connection to node ${JSON.stringify(node)}`);
  },
};

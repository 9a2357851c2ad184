import { encodeQuery } from '../../client/proxy/location.ts';
import { type Backend, serveProxy, serveUpgrade } from '../../client/proxy/upgrade-aware.ts';
import { isWebSocketRequest } from '../../http/websocket.ts';
import { offeredProtocols } from '../../http/websocket-handshake.ts';
import { badRequest } from '../../machinery/errors/status.ts';
import { joinPreservingTrailingSlash } from '../../machinery/go/path.ts';
import { quote } from '../../machinery/go/quote.ts';
import { splitSchemeNamePort } from '../../machinery/scheme-name-port.ts';
import type { NodeBackend, NodeRequest } from '../node-backend.ts';
import { connectionInfoOf, lookupProxyable } from './connection-info.ts';
import type { KubeletClient } from './kubelet-client.ts';
import { logParameters, streamParameters } from './parameters.ts';
import { sendKubeletLog } from './send-log.ts';
import { isTranslated, translateStreams } from './stream-translator.ts';
import { isTunneled, serveTunnel } from './stream-tunnel.ts';

/** A backend for nodes with kubelets. (pkg/registry/core: pod/strategy.go, pod/rest, node/strategy.go) */
export class KubeletBackend implements NodeBackend {
  readonly #client: KubeletClient;

  constructor(client: KubeletClient) {
    this.#client = client;
  }

  async connect(request: NodeRequest): Promise<void> {
    const { ctx, subresource, object, container, options } = request;
    if (subresource === 'proxy') return this.#proxy(request);
    const { transport, insecureTransport, options: client } = this.#client;
    const info = connectionInfoOf(await client.node(request.node), client);
    const { namespace = '', name = '' } = object.metadata;
    const kubelet = { ...info, scheme: 'https', transport } as const;
    if (subresource === 'log') {
      const path = `/containerLogs/${namespace}/${name}/${container}`;
      const chosen = options.insecureSkipTLSVerifyBackend ? insecureTransport : transport;
      const backend: Backend = { ...kubelet, transport: chosen, path, query: encodeQuery(logParameters(options)) };
      return sendKubeletLog(ctx, name, backend);
    }
    const isOfPod = subresource === 'portforward';
    const path = isOfPod ? `/portForward/${namespace}/${name}` : `/${subresource}/${namespace}/${name}/${container}`;
    const backend: Backend = { ...kubelet, path, query: encodeQuery(streamParameters(options)) };
    if (isWebSocketRequest(ctx)) {
      const offered = offeredProtocols(ctx);
      if (!isOfPod && isTranslated(offered)) return translateStreams(ctx, backend, options);
      if (isOfPod && isTunneled(offered)) return serveTunnel(ctx, backend, client.clock);
    }
    return serveUpgrade(ctx, backend, client.clock);
  }

  /** (node ResourceLocation) */
  async #proxy({ ctx, node, name, path }: NodeRequest): Promise<void> {
    const { transport, options: client } = this.#client;
    const target = splitSchemeNamePort(name);
    if (target === undefined || !/^\d*$/.test(target.port)) throw badRequest(`invalid node request ${quote(name)}`);
    const { host, port } = connectionInfoOf(await client.node(node), client);
    const lookup = await lookupProxyable(host);
    const isKubelet = target.port === '' || target.port === String(port);
    const scheme = isKubelet ? 'https' : target.scheme || 'http';
    const backend: Backend = {
      scheme,
      host,
      lookup,
      path: joinPreservingTrailingSlash('', path),
      port: isKubelet ? port : Number(target.port),
      transport: isKubelet ? transport : client.transports[scheme],
    };
    return serveProxy(ctx, backend, client.clock);
  }
}

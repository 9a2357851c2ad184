import { catalog } from '../../../generated/v1.35/catalog.ts';
import { codecStatus } from '../../../generated/v1.35/meta/v1/codec.ts';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { formatGroupVersion } from '../../../runtime/machinery/gvk.ts';
import type { ProtobufCodec } from '../../../runtime/machinery/protobuf/codec.ts';
import { controllerNames } from '../../../runtime/reconcile/controller-selection.ts';
import { everyVersion } from '../../support/every-version.ts';
import { HttpClient } from '../../support/http-client.ts';
import { KubeApiserver } from '../../support/kube-apiserver.ts';
import type { TestObject } from '../../support/test-object.ts';
import { type CodecOf, Exchange } from './exchange.ts';

/** Upstream's own objects that a controller makes in a cluster. */
const given = [{ path: '/api/v1/namespaces/default/serviceaccounts', body: { metadata: { name: 'default' } } }];

/** kube-apiserver and this server, with the same flags and no controllers but those of kube-apiserver. */
export class ServerPair {
  readonly reference: Exchange;
  readonly own: Exchange;
  /** The version of kube-apiserver, for example `v1.35.0`. */
  readonly version: string;
  readonly #server: KubeApiserver;
  readonly #ownServer: RunningServer;
  readonly #clients: readonly HttpClient[];

  private constructor(server: KubeApiserver, ownServer: RunningServer, codecOf: CodecOf) {
    this.#server = server;
    this.version = server.version;
    this.#ownServer = ownServer;
    const [http, ownHttp] = [server.clientOf('kubernetes-admin', ['system:masters']), HttpClient.for(ownServer)];
    this.#clients = [http, ownHttp];
    this.reference = new Exchange(http, server.url, codecOf);
    this.own = new Exchange(ownHttp, ownServer.url, codecOf);
  }

  static async start(): Promise<ServerPair> {
    const { featureGates, runtimeConfig } = everyVersion;
    const server = await KubeApiserver.start({
      args: [`--feature-gates=${featureGates}`, `--runtime-config=${runtimeConfig}`, '--advertise-address=192.0.2.2'],
    });
    try {
      const options = { serviceClusterIpRange: '10.0.0.0/24', leaderElect: false, controllers: controllerNames.map((name) => `-${name}`) };
      const ownServer = await startServer({ ...everyVersion, ...options, logLevel: 'error' });
      const pair = new ServerPair(server, ownServer, await readCodecs());
      for (const { path, body } of given) await Promise.all(pair.sides.map((side) => side.send({ method: 'POST', path, body })));
      return pair;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get sides(): readonly [Exchange, Exchange] {
    return [this.reference, this.own];
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.close();
    await Promise.all([this.#server.stop(), this.#ownServer.close()]);
  }
}

async function readCodecs(): Promise<CodecOf> {
  const codecs = new Map<string, ProtobufCodec<TestObject>>([['v1 Status', codecStatus as unknown as ProtobufCodec<TestObject>]]);
  for (const groupVersion of catalog.groupVersions) {
    const apiVersion = formatGroupVersion(groupVersion);
    for (const { kind, type } of await groupVersion.load()) {
      const { protobuf } = type as { protobuf?: ProtobufCodec<TestObject> };
      if (protobuf !== undefined) codecs.set(`${apiVersion} ${kind}`, protobuf);
    }
  }
  return (apiVersion, kind) => codecs.get(`${apiVersion} ${kind}`);
}

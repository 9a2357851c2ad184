import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalog } from '../../../generated/v1.35/catalog.ts';
import { codecStatus } from '../../../generated/v1.35/meta/v1/codec.ts';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { featureSpecs } from '../../../runtime/machinery/feature-gates/feature-gates.ts';
import { formatGroupVersion } from '../../../runtime/machinery/gvk.ts';
import type { ProtobufCodec } from '../../../runtime/machinery/protobuf/codec.ts';
import { controllerNames } from '../../../runtime/reconcile/controller-selection.ts';
import { everyVersion } from '../../support/every-version.ts';
import { HttpClient } from '../../support/http-client.ts';
import { KubeApiserver, kubeApiserverVersion, minorOfVersion } from '../../support/kube-apiserver.ts';
import type { TestObject } from '../../support/test-object.ts';
import { type CodecOf, Exchange } from './exchange.ts';

/** Upstream's own objects that a controller makes in a cluster. */
const given = [{ path: '/api/v1/namespaces/default/serviceaccounts', body: { metadata: { name: 'default' } } }];

/** Options of both servers, besides the defaults. */
export interface PairOptions {
  readonly featureGates?: readonly string[];
  readonly enableAdmissionPlugins?: readonly string[];
  /** The lines of a token file. */
  readonly tokens?: readonly string[];
}

/** kube-apiserver and the same minor of this server, with the same flags and no controllers but those of kube-apiserver. */
export class ServerPair {
  readonly reference: Exchange;
  readonly own: Exchange;
  /** The version of kube-apiserver, for example `v1.35.0`. */
  readonly version: string;
  readonly #server: KubeApiserver;
  readonly #ownServer: RunningServer;
  readonly #clients: readonly HttpClient[];
  readonly #folder: string;

  private constructor(server: KubeApiserver, ownServer: RunningServer, codecOf: CodecOf, folder: string) {
    this.#server = server;
    this.version = server.version;
    this.#ownServer = ownServer;
    this.#folder = folder;
    const [http, ownHttp] = [server, ownServer].map((place) => server.clientOf('kubernetes-admin', ['system:masters'], place));
    const [users, ownUsers] = [HttpClient.withoutCertificate(server), HttpClient.withoutCertificate(ownServer)];
    this.#clients = [http, ownHttp, users, ownUsers];
    this.reference = new Exchange(http, server.url, codecOf, users);
    this.own = new Exchange(ownHttp, ownServer.url, codecOf, ownUsers);
  }

  static async start({ featureGates: gates = [], enableAdmissionPlugins = [], tokens = [] }: PairOptions = {}): Promise<ServerPair> {
    const { runtimeConfig } = everyVersion;
    const minor = minorOfVersion(kubeApiserverVersion());
    const known: ReadonlySet<string> = new Set(featureSpecs(minor).keys());
    const wanted = [...everyVersion.featureGates, ...gates.map((gate) => `${gate}=true`)];
    const featureGates = wanted.filter((gate) => known.has(gate.split('=', 1)[0]));
    const folder = await mkdtemp(join(tmpdir(), 'server-pair-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, tokens.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    const server = await KubeApiserver.start({
      args: [
        `--feature-gates=${featureGates}`,
        `--runtime-config=${runtimeConfig}`,
        '--advertise-address=192.0.2.2',
        ...(tokens.length === 0 ? [] : [`--token-auth-file=${tokenAuthFile}`]),
        ...(enableAdmissionPlugins.length === 0 ? [] : [`--enable-admission-plugins=${enableAdmissionPlugins}`]),
      ],
    });
    try {
      const options = {
        serviceClusterIpRange: '10.0.0.0/24',
        serviceAccountIssuers: ['https://kubernetes.default.svc'],
        leaderElect: false,
        authorizationMode: ['Node', 'RBAC'],
        advertiseAddress: '192.0.2.2',
        controllers: controllerNames.map((name) => `-${name}`),
        clientCaFile: join(server.folder, 'client-ca.crt'),
        requestHeaderClientCaFile: join(server.folder, 'front-proxy-ca.crt'),
        requestHeaderAllowedNames: ['front-proxy-client'],
        requestHeaderUsernameHeaders: ['X-Remote-User'],
        requestHeaderGroupHeaders: ['X-Remote-Group'],
        requestHeaderExtraHeadersPrefix: ['X-Remote-Extra-'],
        proxyClientCertFile: join(server.folder, 'front-proxy.crt'),
        proxyClientKeyFile: join(server.folder, 'front-proxy.key'),
        ...(tokens.length === 0 ? {} : { tokenAuthFile }),
        ...(enableAdmissionPlugins.length === 0 ? {} : { enableAdmissionPlugins }),
      };
      const ownServer = await startServer({ ...everyVersion, kubernetes: `1.${minor}`, featureGates, ...options, logLevel: 'error' });
      const pair = new ServerPair(server, ownServer, await readCodecs(), folder);
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
    await Promise.all([this.#server.stop(), this.#ownServer.close(), rm(this.#folder, { recursive: true })]);
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

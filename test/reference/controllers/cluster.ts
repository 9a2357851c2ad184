import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControllers } from '../../../runtime/controllers/start-controllers.ts';
import type { ServerOptions } from '../../../runtime/index.ts';
import type { Logger } from '../../../runtime/machinery/logger.ts';
import { controllerNames } from '../../../runtime/reconcile/controller-selection.ts';
import { type ApiServer, openApiServer } from '../../../runtime/server/api-server.ts';
import { completeConfig } from '../../../runtime/server/config.ts';
import { serving } from '../../../runtime/server/parts/serving.ts';
import { formatKubeconfig } from '../../../runtime/serving/kubeconfig.ts';
import { issueCertificate, type KeyPair } from '../../../runtime/serving/x509-certificate.ts';
import { HttpClient } from '../../support/http-client.ts';
import { KubeApiserver } from '../../support/kube-apiserver.ts';
import { type LogLine, Program, type ProgramName, templateOf } from './program.ts';
import { remoteStores } from './remote-stores.ts';

/** An API server with controllers, a scheduler and simulated kubelets. */
export interface Cluster {
  readonly name: string;
  readonly http: HttpClient;
  /** Warnings and errors of the controllers and of the scheduler. */
  problems(): readonly LogLine[];
  stop(): Promise<void>;
}

const serviceClusterIpRange = '10.0.0.0/24';
const noControllers = controllerNames.map((name) => `-${name}`);
/** The simulated processes of a node. */
const nodeProcesses = ['kubelets', 'volume-provisioner'];
const simulate = { nodes: 3 };

/** Kubernetes' API server and Kubernetes' controllers. */
export async function referenceCluster(): Promise<Cluster> {
  const server = await startKubeApiserver();
  const kubelets = await remoteProcesses(server, noControllers, nodeProcesses);
  const programs = await startPrograms(server.folder, server, server.clientAuthority, join(server.folder, 'service-account.key'));
  return clusterOf('kube-apiserver with its controllers', adminOf(server), {
    problems: () => programs.flatMap((program) => program.problems()),
    stops: [...programs.map((program) => () => program.stop()), () => kubelets.stop(), () => server.stop()],
  });
}

/** This API server and Kubernetes' controllers. */
export async function ownCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-controllers-'));
  const authority = issue('client-ca', 'ca');
  const [ca, key] = [join(folder, 'client-ca.crt'), join(folder, 'service-account.key')];
  await writeFile(ca, authority.certificate);
  await writeFile(key, issue('service-accounts', 'ca').key);
  const opened = await openServer(
    {
      clientCaFile: ca,
      serviceAccountSigningKeyFile: key,
      serviceClusterIpRange,
      authorizationMode: ['Node', 'RBAC'],
      controllers: noControllers,
    },
    (given, names, others, ...rest) => startControllers(given, names, only(others, nodeProcesses), ...rest),
  );
  const place = placeOf(opened);
  const programs = await startPrograms(folder, place, authority, key);
  return clusterOf('kubeloom with the controllers of Kubernetes', HttpClient.for(place), {
    problems: () => programs.flatMap((program) => program.problems()),
    stops: [
      ...programs.map((program) => () => program.stop()),
      () => opened.shutdown.close(),
      () => rm(folder, { recursive: true, force: true }),
    ],
  });
}

/** Kubernetes' API server and the controllers of this server, which are its clients. */
export async function clientCluster(): Promise<Cluster> {
  const server = await startKubeApiserver();
  const controllers = await remoteProcesses(server, ['*'], undefined);
  return clusterOf('kube-apiserver with the controllers of kubeloom', adminOf(server), {
    problems: () => controllers.problems(),
    stops: [() => controllers.stop(), () => server.stop()],
  });
}

/** Returns a client of the user that administers this server. */
const adminOf = (server: KubeApiserver): HttpClient => server.clientOf('kubernetes-admin', ['system:masters']);

/** Starts kube-apiserver, and lets the simulated provisioner write, which no cluster has. */
async function startKubeApiserver(): Promise<KubeApiserver> {
  const server = await KubeApiserver.start();
  const http = HttpClient.for(server);
  const binding = {
    metadata: { name: 'simulated-provisioner' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'kube-system', name: 'simulated-provisioner' }],
  };
  await http.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', JSON.stringify(binding), 'application/json');
  http.close();
  return server;
}

interface Parts {
  problems(): readonly LogLine[];
  /** In the order in which they run. */
  readonly stops: readonly (() => Promise<void>)[];
}

function clusterOf(name: string, http: HttpClient, { problems, stops }: Parts): Cluster {
  return {
    name,
    http,
    problems,
    async stop() {
      http.close();
      for (const stop of stops) await stop();
    },
  };
}

interface RemoteProcesses {
  problems(): readonly LogLine[];
  stop(): Promise<void>;
}

/**
 * Runs controllers, and simulated processes, as clients of a server. They read its etcd.
 *
 * @param processes the names of the simulated processes; default: all
 */
async function remoteProcesses(
  server: KubeApiserver,
  controllers: readonly string[],
  processes: readonly string[] | undefined,
): Promise<RemoteProcesses> {
  const http = HttpClient.for(server);
  const problems: LogLine[] = [];
  const opened = await openServer(
    {
      storage: 'etcd',
      etcdServers: [server.etcdUrl],
      endpointReconcilerType: 'none',
      serviceClusterIpRange,
      leaderElect: false,
      controllers,
    },
    (given, names, others, ...rest) => {
      const logger = reportingLogger(given.logger, problems);
      const remote = { ...given, logger, stores: remoteStores(given.stores, http) };
      return startControllers(remote, names, processes === undefined ? others : only(others, processes), ...rest);
    },
  );
  return {
    problems: () => problems,
    async stop() {
      await opened.shutdown.close();
      http.close();
    },
  };
}

async function openServer(options: ServerOptions, start: typeof startControllers): Promise<ApiServer> {
  const opened = await openApiServer(await completeConfig({ simulate, logLevel: 'silent', ...options }), { startControllers: start });
  await opened.announce();
  return opened;
}

const only = <T>(all: Readonly<Record<string, T>> = {}, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));

/** Returns a logger that also keeps warnings and errors. */
function reportingLogger(logger: Logger, problems: LogLine[]): Logger {
  const keep = (severity: string, fields: object, message: string): void => {
    const { err, controller = '' } = fields as { readonly err?: unknown; readonly controller?: string };
    const text = `${severity} ${controller}: ${message}${err === undefined ? '' : `: ${(err as Error)?.stack ?? err}`}`;
    problems.push({ program: 'kubeloom', text, template: templateOf(text.split('\n', 1)[0]) });
  };
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => keep('W', fields, message),
    error: (fields, message) => keep('E', fields, message),
  };
}

interface Place {
  readonly url: string;
  readonly caCertificate: string;
}

function placeOf({ assembly }: ApiServer) {
  const { url, caCertificate, admin } = assembly.get(serving);
  return { url, caCertificate, clientCertificate: admin.certificate, clientKey: admin.key };
}

const day = 24 * 3600 * 1000;

const issue = (commonName: string, use: 'ca' | 'client', issuer?: KeyPair): KeyPair =>
  issueCertificate({ commonName, use, from: Date.now() - day, until: Date.now() + day }, issuer);

/** Starts kube-controller-manager and kube-scheduler, each with the rights of its own user. */
async function startPrograms(folder: string, { url, caCertificate: ca }: Place, authority: KeyPair, key: string): Promise<Program[]> {
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const kubeconfigOf = (name: ProgramName): Promise<string> => {
    const { certificate: clientCertificate, key: clientKey } = issue(`system:${name}`, 'client', authority);
    return write(`${name}.kubeconfig`, formatKubeconfig({ url, ca, clientCertificate, clientKey }));
  };
  const [managerConfig, schedulerConfig, root, signingCertificate, signingKey] = await Promise.all([
    kubeconfigOf('kube-controller-manager'),
    kubeconfigOf('kube-scheduler'),
    write('root-ca.crt', ca),
    write('signing-ca.crt', authority.certificate),
    write('signing-ca.key', authority.key),
  ]);
  const common = ['--bind-address=127.0.0.1', '--secure-port=0', '--leader-elect=true', '--kube-api-qps=200', '--kube-api-burst=400'];
  return [
    Program.start('kube-controller-manager', [
      ...common,
      `--kubeconfig=${managerConfig}`,
      '--use-service-account-credentials=true',
      `--service-account-private-key-file=${key}`,
      `--root-ca-file=${root}`,
      `--cluster-signing-cert-file=${signingCertificate}`,
      `--cluster-signing-key-file=${signingKey}`,
      `--service-cluster-ip-range=${serviceClusterIpRange}`,
      '--controllers=*',
    ]),
    Program.start('kube-scheduler', [...common, `--kubeconfig=${schedulerConfig}`]),
  ];
}

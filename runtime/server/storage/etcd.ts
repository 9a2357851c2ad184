import { posix } from 'node:path';
import type { Clock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { Logger } from '../../machinery/logger.ts';
import { Exposition, formatLabels } from '../../machinery/metrics/exposition.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import { EtcdClient } from '../../storage/etcd/etcd-client.ts';
import { openEtcdEngine } from '../../storage/etcd/etcd-engine.ts';
import { etcdCheck } from '../../storage/etcd/health-check.ts';
import { EtcdMetrics } from '../../storage/etcd/metrics.ts';
import type { Engine } from '../../storage/kv/engine.ts';
import { type KeyedResource, KeyedResources } from '../../storage/object-store/keyed-resources.ts';
import { registryPrefix } from '../../storage/object-store/keys.ts';
import { parseEtcdServersOverrides } from './etcd-overrides.ts';

export interface EtcdParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The built-in resources. */
  readonly resources: readonly KeyedResource[];
}

/** One cluster of etcd. */
export interface EtcdBackend {
  readonly engine: Engine;
  /** Reject if etcd cannot be read. */
  checkHealth(): Promise<void>;
  checkReadiness(): Promise<void>;
}

/** A cluster for some resources. */
export interface EtcdOverride extends EtcdBackend {
  readonly resourcePrefixes: readonly string[];
}

/** The etcd of a server. */
export interface ServerEtcd extends EtcdBackend {
  readonly overrides: readonly EtcdOverride[];
  /** Returns text in the Prometheus format. */
  renderMetrics(): Promise<string>;
}

/** Returns the prefix of all keys, without a slash at the end. (etcd3.New) */
export function etcdRoot({ etcdPrefix = registryPrefix }: ServerOptions): string {
  return posix.join('/', etcdPrefix).replace(/\/$/, '');
}

/** @throws OptionError for invalid options, StorageError if etcd cannot be reached */
export async function openEtcd(options: ServerOptions, { clock, logger, resources }: EtcdParts): Promise<ServerEtcd> {
  const root = etcdRoot(options);
  const keyed = new KeyedResources(root, resources);
  const metrics = new EtcdMetrics((key) => keyed.of(key));
  const clients = [newEtcdClient(options, logger)];
  const overridden = overriddenPrefixes(options, resources);
  for (const [servers] of overridden) clients.push(newEtcdClient({ ...options, etcdServers: servers.split(';') }, logger));
  const opened = await Promise.allSettled(clients.map((client) => openBackend(client, { options, metrics, clock, logger })));
  const backends: EtcdBackend[] = [];
  for (const result of opened) if (result.status === 'fulfilled') backends.push(result.value);
  const failed = opened.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await Promise.all(backends.map(({ engine }) => engine.close()));
    throw failed.reason;
  }
  const [main, ...others] = backends;
  if (main === undefined) throw new RangeError('no etcd');
  return {
    ...main,
    overrides: others.map((backend, at) => ({ ...backend, resourcePrefixes: elementAt(overridden, at)[1] })),
    renderMetrics: async () => metrics.render() + (await renderSizes(clients)),
  };
}

interface BackendParts {
  readonly options: ServerOptions;
  readonly metrics: EtcdMetrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

async function openBackend(client: EtcdClient, { options, metrics, clock, logger }: BackendParts): Promise<EtcdBackend> {
  const prefix = `${etcdRoot(options)}/`;
  const { etcdHealthcheckTimeout = 2000, etcdReadycheckTimeout = 2000, leaseReuseDurationSeconds } = options;
  const engine = await openEtcdEngine({
    client,
    prefix,
    clock,
    logger,
    metrics,
    leaseReuseDurationSeconds,
    compactionInterval: options.history === 'all' ? 0 : (options.etcdCompactionInterval ?? 300_000),
  });
  return {
    engine,
    checkHealth: etcdCheck({ client, prefix, timeout: etcdHealthcheckTimeout }),
    checkReadiness: etcdCheck({ client, prefix, timeout: etcdReadycheckTimeout }),
  };
}

/** Returns the prefixes of resources by their servers. Ignores resources that the server does not have. */
function overriddenPrefixes(
  { etcdServersOverrides = [] }: ServerOptions,
  resources: readonly KeyedResource[],
): readonly (readonly [servers: string, prefixes: readonly string[]])[] {
  const byServers = new Map<string, string[]>();
  for (const { group, resource, servers } of parseEtcdServersOverrides(etcdServersOverrides)) {
    const known = resources.find((each) => each.group === group && each.resource === resource);
    if (known === undefined) continue;
    const key = [...servers].sort().join(';');
    byServers.set(key, [...(byServers.get(key) ?? []), known.resourcePrefix]);
  }
  return [...byServers];
}

/**
 * @param logger logs failed connections
 * @throws OptionError for invalid options
 */
export function newEtcdClient(options: ServerOptions, logger?: Logger): EtcdClient {
  const { etcdServers: endpoints = [], etcdCafile: cafile, etcdCertfile: certfile, etcdKeyfile: keyfile } = options;
  if (endpoints.length === 0) throw new OptionError('--etcd-servers must be specified');
  if ((certfile === undefined) !== (keyfile === undefined)) {
    throw new OptionError(`KeyFile and CertFile must both be present[key: ${keyfile ?? ''}, cert: ${certfile ?? ''}]`);
  }
  try {
    return new EtcdClient({ endpoints, files: { cafile, certfile, keyfile }, logger });
  } catch (error) {
    throw new OptionError(`--etcd-servers: ${messageOf(error)}`);
  }
}

/** Renders the database size of one member per cluster, as upstream does. */
async function renderSizes(clients: readonly EtcdClient[]): Promise<string> {
  const text = new Exposition();
  const size = 'apiserver_storage_size_bytes';
  text.head(size, 'gauge', '[STABLE] Size in bytes of the file of the store.');
  for (const [at, client] of clients.entries()) {
    try {
      const { dbSize } = await client.status(await client.connect(1000));
      text.line(size, formatLabels({ storage_cluster_id: `etcd-${at}` }), dbSize);
    } catch {
      // an unknown size has no line
    }
  }
  return text.toString();
}

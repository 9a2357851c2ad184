import { APIAggregator } from '../extensions/aggregation/aggregator.ts';
import { OptionError, type ServerOptions } from '../options/server-options.ts';
import { loopbackWriter } from '../resources/loopback-writer.ts';
import type { ServiceAddress } from '../resources/service-resolver.ts';
import type { ResourceStores } from '../resources/stores.ts';
import { ServingContent } from '../serving/tls/serving-content.ts';
import type { CompletedConfig } from './config.ts';
import type { StartStep } from './health/health-checks.ts';

export interface RunningAggregator {
  /** Absent if the server has no APIServices. */
  readonly aggregator?: APIAggregator | undefined;
  close(): Promise<void>;
}

/**
 * Starts the aggregation layer.
 *
 * @param loopback the address of this server; undefined until it listens
 * @throws OptionError if the client certificate is invalid
 */
export async function startAggregator(
  config: CompletedConfig,
  stores: ResourceStores,
  loopback: () => ServiceAddress | undefined,
): Promise<RunningAggregator> {
  const { catalogs, options, logger } = config;
  const certificate = await proxyCertificate(config);
  const aggregator = await APIAggregator.start({
    stores,
    catalogs: catalogs.flatMap(({ groupVersions }) => groupVersions),
    writer: loopbackWriter('kube-apiserver'),
    report: (err) => logger.error({ err }, 'an APIService could not be processed, which will be retried'),
    clientCertificate: () => certificate?.pair,
    loopback,
    rejectForwardingRedirects: options.aggregatorRejectForwardingRedirect ?? true,
    enableAggregatorRouting: options.enableAggregatorRouting ?? false,
  });
  certificate?.onChange(() => aggregator?.certificateChanged());
  return {
    aggregator,
    async close() {
      certificate?.close();
      await aggregator?.close();
    },
  };
}

/** Steps of the aggregation layer before the port opens, under upstream's names. */
export function aggregatorSteps({ proxyClientCertFile }: ServerOptions): StartStep[] {
  const hooks = [
    ...(proxyClientCertFile ? ['aggregator-reload-proxy-client-cert'] : []),
    'start-kube-aggregator-informers',
    'apiservice-status-local-available-controller',
    'apiservice-status-remote-available-controller',
    'apiservice-registration-controller',
    'apiservice-discovery-controller',
    'kube-apiserver-autoregistration',
  ];
  const openapi = ['apiservice-openapi-controller', 'apiservice-openapiv3-controller'];
  const step = (name: string): StartStep => ({ name });
  return [...hooks.map(step), { name: 'autoregister-completion', isHook: false }, ...openapi.map(step)];
}

/** Returns undefined if no certificate is configured. */
async function proxyCertificate({ options, clock, logger }: CompletedConfig): Promise<ServingContent | undefined> {
  const { proxyClientCertFile: certFile = '', proxyClientKeyFile: keyFile = '' } = options;
  if (certFile === '' && keyFile === '') return undefined;
  const flags = '--proxy-client-cert-file and --proxy-client-key-file';
  if (certFile === '' || keyFile === '') throw new OptionError(`${flags} must be given together`);
  return ServingContent.open({ flags, certFile, keyFile, clock, logger });
}

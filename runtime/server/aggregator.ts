import { APIAggregator } from '../extensions/aggregation/aggregator.ts';
import type { ResourceStores } from '../resources/stores.ts';
import type { CompletedConfig } from './config.ts';
import { loopbackWriter } from './loopback-writer.ts';

/** Starts the aggregation layer; undefined if the server has no APIServices. */
export function startAggregator(config: CompletedConfig, stores: ResourceStores): Promise<APIAggregator | undefined> {
  const { catalogs, logger } = config;
  return APIAggregator.start({
    stores,
    catalogs: catalogs.flatMap(({ groupVersions }) => groupVersions),
    writer: loopbackWriter('kube-apiserver'),
    report: (err) => logger.error({ err }, 'an APIService could not be processed, which will be retried'),
  });
}

import { openIdKeysPath } from '../../authentication/service-account/openid.ts';
import { createDiscoveryHandler } from '../../endpoints/discovery/discovery.ts';
import { fixedRoutes, isFixedPath } from '../../endpoints/fixed/routes.ts';
import { zpagesOf } from '../../endpoints/fixed/zpages.ts';
import type { RequestInfo } from '../../http/request-info.ts';
import { part } from '../assembly/part.ts';
import { aggregation } from './aggregation.ts';
import { authentication } from './auth.ts';
import { flowControl } from './flow-control.ts';
import { health } from './health.ts';
import { config } from './inputs.ts';
import { metricsPage, version } from './observation.ts';
import { registry } from './resources.ts';
import { serverAddress } from './shared-state.ts';

/** Discovery and the OpenAPI documents. */
export const discovery = part('discovery', {
  needs: { config, registry, aggregation, serverAddress },
  open: ({ config, registry: source, aggregation: { aggregator }, serverAddress }) =>
    createDiscoveryHandler({
      source,
      aggregation: aggregator?.discovery,
      openApiAggregation: aggregator?.openapi,
      serverAddress: () => serverAddress.external,
      aggregatedVersions: config.features.AggregatedDiscoveryRemoveBetaType ? ['v2'] : ['v2', 'v2beta1'],
    }),
});

/** Serves the paths that are not resources. */
export const routes = part('routes', {
  needs: {
    config,
    registry,
    aggregation,
    authentication,
    flowControl,
    serverAddress,
    discovery,
    health,
    metricsPage,
    version,
  },
  open({ config, registry, aggregation: { aggregator }, authentication, serverAddress, ...needs }) {
    const { options, logger, features } = config;
    const { openId } = authentication.accounts;
    return fixedRoutes({
      logger,
      ...needs.health,
      version: needs.version,
      metrics: needs.metricsPage,
      discovery: needs.discovery,
      flowControl: needs.flowControl.flowControl,
      zpages: zpagesOf({ features, version: needs.version, flags: options.flags }),
      groupVersions: () => [...registry.groupVersions(), ...(aggregator?.remoteGroupVersions() ?? [])],
      openId: openId && {
        configuration: () => openId.configuration(`https://${serverAddress.external}${openIdKeysPath}`),
        keys: () => openId.keys(),
      },
    });
  },
});

/** Reports whether this server itself serves a request. */
export const serves = part('serves', {
  needs: { registry, aggregation },
  open({ registry, aggregation: { aggregator } }) {
    return ({ isResourceRequest, group, version, resource, path }: RequestInfo): boolean => {
      if (!isResourceRequest) return isFixedPath(path);
      if (aggregator?.isRemote(group, version)) return false;
      return registry.lookup(group, version, resource) !== undefined;
    };
  },
});

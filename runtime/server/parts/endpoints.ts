import { openIdKeysPath } from '../../authentication/service-account/openid.ts';
import { createDiscoveryHandler } from '../../endpoints/discovery/discovery.ts';
import { createResourceHandler } from '../../endpoints/dispatch.ts';
import { fixedRoutes } from '../../endpoints/fixed/routes.ts';
import { zpagesOf } from '../../endpoints/fixed/zpages.ts';
import type { ApiMiddleware } from '../../http/context.ts';
import { part } from '../assembly/part.ts';
import { aggregation } from './aggregation.ts';
import { authentication, authorization } from './auth.ts';
import { flowControl } from './flow-control.ts';
import { config } from './inputs.ts';
import { nodes, proxyTransports } from './nodes.ts';
import { health, metricsPage, version } from './observation.ts';
import { registry, stores } from './resources.ts';
import { metrics, serverAddress } from './shared-state.ts';
import { workers } from './workers.ts';

/** Handles the verbs on resources. */
export const resourceHandler = part('resourceHandler', {
  needs: {
    config,
    registry,
    stores,
    authentication,
    authorization,
    metrics,
    workers,
    nodes,
    proxyTransports,
  },
  open({ config, authentication: { accounts }, authorization: { authorizer }, ...needs }) {
    const { registry, stores, metrics, workers, nodes, proxyTransports } = needs;
    const { options, clock, features } = config;
    return createResourceHandler({
      registry,
      stores,
      clock,
      authorizer,
      workers,
      metrics: metrics.requests,
      nodes,
      proxyTransports,
      minRequestTimeout: options.minRequestTimeout ?? 1800,
      keepsHistory: options.history === 'all',
      unsafeDeletion: features.AllowUnsafeMalformedObjectDeletion,
      issueToken: accounts.issueToken,
    });
  },
});

/** Discovery and the OpenAPI documents. */
export const discovery = part('discovery', {
  needs: { registry, aggregation, serverAddress },
  open: ({ registry: source, aggregation: { aggregator }, serverAddress }) =>
    createDiscoveryHandler({
      source,
      aggregation: aggregator?.discovery,
      openApiAggregation: aggregator?.openapi,
      serverAddress: () => serverAddress.external,
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

/** Finds resources by a Map look-up, and other paths by the fixed routes. (director in pkg/server/handler.go) */
export const endpoints = part('endpoints', {
  needs: { resourceHandler, routes, aggregation },
  open({ resourceHandler, routes, aggregation: { aggregator } }): ApiMiddleware {
    const local: ApiMiddleware = (ctx, next) => resourceHandler(ctx, () => routes(ctx, next) as Promise<void>);
    if (aggregator === undefined) return local;
    return (ctx, next) => {
      const remote = aggregator.handlerOf(ctx);
      return remote === undefined ? local(ctx, next) : remote.handle(ctx);
    };
  },
});

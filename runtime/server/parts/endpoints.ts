import { createResourceHandler } from '../../endpoints/dispatch.ts';
import type { ApiMiddleware } from '../../http/context.ts';
import { part } from '../assembly/part.ts';
import { aggregation } from './aggregation.ts';
import { authentication, authorization } from './auth.ts';
import { config } from './inputs.ts';
import { nodes, proxyTransports } from './nodes.ts';
import { registry, stores } from './resources.ts';
import { routes } from './routes.ts';
import { metrics } from './shared-state.ts';
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

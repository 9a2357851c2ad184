import { part } from '../assembly/part.ts';
import { PooledRequestWorkers } from '../workers/request-workers.ts';
import { rateLimiters } from './admission.ts';
import { authentication, authorization } from './auth.ts';
import { config } from './inputs.ts';
import { listers } from './listers.ts';
import { quota } from './plugins.ts';
import { serviceAllocators, stores } from './resources.ts';
import { metrics } from './shared-state.ts';

/** Threads for requests that would block the event loop. Undefined if options disable them. */
export const workers = part('workers', {
  needs: { config, stores, listers, serviceAllocators, quota, rateLimiters, authentication, authorization, metrics },
  open({ config, authentication, authorization, metrics, ...needs }) {
    const { accounts, tokens } = authentication;
    const { stores, listers, serviceAllocators, quota, rateLimiters } = needs;
    const { options, clock, features, builtin, groups, admission } = config;
    return PooledRequestWorkers.open({
      stores,
      listers,
      rateLimiters,
      clock,
      tokens,
      allowsAnonymous: () => authentication.allowsAnonymous,
      quota,
      serviceAllocators,
      builtin,
      features,
      admission,
      authorizer: authorization.authorizer,
      ruleResolver: authorization.policy,
      audiences: accounts.audiences,
      issueToken: accounts.issueToken,
      groups: groups.slice(1),
      runtimeConfig: options.runtimeConfig ?? [],
      unsafeDeletion: features.AllowUnsafeMalformedObjectDeletion,
      admissionMetrics: metrics.admission,
      threshold: options.workerThreshold,
    });
  },
  close: (opened) => opened?.close(),
});

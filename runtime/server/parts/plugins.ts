import { requireConfigured } from '../admission.ts';
import { part } from '../assembly/part.ts';
import { quotaAccountant } from '../quota.ts';
import { admissionChain, rateLimiters } from './admission.ts';
import { authorization } from './auth.ts';
import { config } from './inputs.ts';
import { listers } from './listers.ts';
import { restMapper, stores } from './resources.ts';
import { metrics, pluginInitializer } from './shared-state.ts';

export const quota = part('quota', {
  needs: { config, stores, listers },
  open: ({ config, stores, listers }) => quotaAccountant(stores, listers, config),
});

/** Gives the plugins their inputs. The first write loads them, unless options configure them. */
export const initializedPlugins = part('initializedPlugins', {
  needs: {
    config,
    metrics,
    stores,
    listers,
    restMapper,
    authorization,
    quota,
    rateLimiters,
    admissionChain,
    pluginInitializer,
  },
  async open({ config, metrics, restMapper: mapper, authorization: { authorizer }, ...needs }) {
    const { stores, listers, quota, rateLimiters, admissionChain, pluginInitializer } = needs;
    const { clock, options } = config;
    const reads = { stores, listers, mapper, authorizer, clock, quota, rateLimiters, metrics: metrics.admission };
    pluginInitializer.initialize(reads);
    await requireConfigured(admissionChain, options);
  },
});

import { aggregatorSteps } from '../aggregator.ts';
import { optional, part } from '../assembly/part.ts';
import { healthChecks } from '../health/health-checks.ts';
import { startSteps } from '../health/start-steps.ts';
import { aggregation } from './aggregation.ts';
import { flowControl } from './flow-control.ts';
import { config, shutdown } from './inputs.ts';
import { delegate } from './listers.ts';
import { registry, stores } from './resources.ts';
import { milestones } from './shared-state.ts';
import { encryption, storage } from './storage.ts';
import { fixtures } from './test-kit.ts';

/** The checks of /healthz, /livez and /readyz. */
export const health = part('health', {
  needs: {
    config,
    shutdown,
    storage,
    stores,
    registry,
    delegate,
    flowControl,
    encryption,
    aggregation,
    milestones,
    fixtures: optional(fixtures),
  },
  open({ config, shutdown, storage: { etcd, checkWritable }, stores, flowControl, aggregation, ...needs }) {
    const { registry, delegate, encryption, milestones, fixtures } = needs;
    const kmsProviders = encryption?.healthCheck;
    const readStore = (): void => void stores.revision();
    const hasQueues = flowControl.flowControl !== undefined;
    const fixturesLoaded = fixtures?.loaded;
    return healthChecks({
      checkStoreHealth: etcd?.checkHealth ?? readStore,
      checkStoreReadiness: etcd?.checkReadiness ?? checkWritable ?? readStore,
      storeOverrides: etcd?.overrides ?? [],
      isShuttingDown: () => shutdown.isShuttingDown,
      unsyncedInformers: () => delegate?.unsynced() ?? [],
      withoutLivez: kmsProviders === undefined ? [] : [kmsProviders],
      startSteps: [
        ...startSteps({ config, registry, hasQueues, milestones, fixturesLoaded }),
        ...(aggregation.aggregator ? aggregatorSteps(config.options) : []),
      ],
    });
  },
});

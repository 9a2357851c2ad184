import { MetricsPage } from '../../endpoints/fixed/metrics-page.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { versionInfo } from '../../machinery/version.ts';
import { aggregatorSteps } from '../aggregator.ts';
import { optional, part } from '../assembly/part.ts';
import { openAudit } from '../audit.ts';
import { healthChecks } from '../health/health-checks.ts';
import { startSteps } from '../health/start-steps.ts';
import { aggregation } from './aggregation.ts';
import { flowControl } from './flow-control.ts';
import { config, shutdown } from './inputs.ts';
import { delegate, registry, stores } from './resources.ts';
import { metrics, milestones } from './shared-state.ts';
import { encryption, storage } from './storage.ts';
import { fixtures } from './test-kit.ts';

/** The body of /version. */
export const version = part('version', {
  needs: { config },
  open: ({ config: { catalogs } }) => versionInfo(elementAt(catalogs, 0).release),
});

/** Undefined if nothing is audited. */
export const audit = part('audit', {
  needs: { config, metrics },
  open: ({ config: { options, clock, logger }, metrics }) => openAudit({ options, clock, logger, metrics: metrics.audit }),
  close: (opened) => opened?.backend.shutdown(),
});

/** The text of /metrics. */
export const metricsPage = part('metricsPage', {
  needs: { config, metrics, flowControl, encryption, storage, stores, version, aggregation },
  open({ config: { options, features, minor }, metrics: requests, flowControl: { flowControl }, ...needs }) {
    const { encryption, stores, version } = needs;
    return new MetricsPage({
      requests,
      flowControl,
      encryption,
      stores,
      options,
      features,
      minor,
      version,
      etcd: needs.storage.etcd,
      aggregator: needs.aggregation.aggregator?.metrics,
    });
  },
});

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

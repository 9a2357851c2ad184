import { MetricsPage } from '../../endpoints/fixed/metrics-page.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { versionInfo } from '../../machinery/version.ts';
import { part } from '../assembly/part.ts';
import { openAudit } from '../audit/audit.ts';
import { aggregation } from './aggregation.ts';
import { flowControl } from './flow-control.ts';
import { config } from './inputs.ts';
import { stores } from './resources.ts';
import { metrics } from './shared-state.ts';
import { encryption, storage } from './storage.ts';

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

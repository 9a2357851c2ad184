import { startAggregator } from '../aggregator.ts';
import { part } from '../assembly/part.ts';
import { restoredCustomResources } from './bootstrap.ts';
import { config } from './inputs.ts';
import { stores } from './resources.ts';
import { serverAddress } from './shared-state.ts';

/** The aggregation layer. */
export const aggregation = part('aggregation', {
  needs: { config, stores, serverAddress, restoredCustomResources },
  open: ({ config, stores, serverAddress }) => startAggregator(config, stores, () => serverAddress.loopback),
  close: (opened) => opened.close(),
});

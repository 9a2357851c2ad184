import { Loopback } from '../../resources/loopback.ts';
import { ServerAddress } from '../../serving/server-address.ts';
import { PluginInitializer } from '../admission.ts';
import { part } from '../assembly/part.ts';
import { ServerLeadership } from '../controllers/leader-election.ts';
import { Milestones } from '../health/milestones.ts';
import { ServerMetrics } from '../server-metrics.ts';
import { config } from './inputs.ts';

/** The metrics of requests. */
export const metrics = part('metrics', { needs: {}, open: () => new ServerMetrics() });

/** The progress of the start, which /readyz shows. */
export const milestones = part('milestones', { needs: {}, open: () => new Milestones() });

/** Access to this server's own resources. */
export const loopback = part('loopback', { needs: {}, open: () => new Loopback() });

/** Gives the admission plugins their inputs. */
export const pluginInitializer = part('pluginInitializer', { needs: {}, open: () => new PluginInitializer() });

/** Whether this server runs the controllers. */
export const leadership = part('leadership', { needs: {}, open: () => new ServerLeadership() });

/** The addresses under which clients reach the server. */
export const serverAddress = part('serverAddress', {
  needs: { config },
  open: ({ config: { options } }) => new ServerAddress(options),
});

import type { Authorizer } from '../authorization/authorizer.ts';
import type { Attributes, Operation } from '../machinery/admission.ts';
import type { Clock } from '../machinery/clock.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { Listers } from '../resources/lister.ts';
import type { RESTMapper } from '../resources/rest-mapper.ts';
import type { ResourceStores } from '../resources/stores.ts';
import type { AdmissionMetrics } from './admission-metrics.ts';
import type { QuotaReservations } from './quota/accountant.ts';
import type { RateLimiters } from './rate-limiters.ts';

/** A part of admission for some kinds of writes. (admission.Interface, MutationInterface and ValidationInterface) */
export interface Plugin {
  /**
   * Reports whether the plugin handles such writes. Called once for each kind of write, so the result must not change.
   */
  handles(operation: Operation, definition: ResourceDefinition, subresource: string): boolean;
  /** Opens the plugin's data sources. Awaited once, before the first write that it handles. */
  start?(): Promise<void>;
  /** See Admission.admit. */
  admit?(attributes: Attributes): void | Promise<void>;
  /** See Admission.validate. */
  validate?(attributes: Attributes): void | Promise<void>;
  /** See Admission.recheck. */
  recheck?(attributes: Attributes): void;
}

/** The dependencies of plugins, on the event loop and in worker threads alike. (admission/initializer) */
export interface PluginContext {
  readonly stores: ResourceStores;
  readonly listers: Listers;
  readonly mapper: RESTMapper;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly metrics: AdmissionMetrics;
  readonly quota: QuotaReservations;
  readonly rateLimiters: RateLimiters;
  readonly tolerationSeconds: TolerationSeconds;
}

/** Seconds that pods stay on a failing node by default. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

/** One plugin's configuration from --admission-control-config-file. */
export interface PluginConfiguration {
  /** YAML or JSON. */
  readonly bytes: Uint8Array;
  /** The folder for relative paths in the configuration. */
  readonly directory: string;
}

/** @throws Error for a configuration that the plugin cannot read */
export type PluginFactory = (context: PluginContext, configuration?: PluginConfiguration) => Plugin | Promise<Plugin>;

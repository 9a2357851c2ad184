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

/** Admits some kinds of writes. (admission.Interface, MutationInterface and ValidationInterface) */
export interface Plugin {
  /** Whether it admits such writes at all. Asked once for each kind of write, so the answer must not change. */
  handles(operation: Operation, definition: ResourceDefinition, subresource: string): boolean;
  /** Opens what the plugin reads. Awaited once, before the first write that it handles. */
  start?(): Promise<void>;
  /** As Admission.admit. */
  admit?(attributes: Attributes): void | Promise<void>;
  /** As Admission.validate. */
  validate?(attributes: Attributes): void | Promise<void>;
  /** As Admission.recheck. */
  recheck?(attributes: Attributes): void;
}

/** What plugins are made with, on the event loop and in worker threads alike. (admission/initializer) */
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

/** For how many seconds pods stay on a node that fails, unless they say so themselves. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

/** What --admission-control-config-file has for one plugin. */
export interface PluginConfiguration {
  /** In YAML or JSON. */
  readonly bytes: Uint8Array;
  /** Paths in it are relative to this folder. */
  readonly directory: string;
}

/** @throws Error for a configuration that the plugin cannot read */
export type PluginFactory = (context: PluginContext, configuration?: PluginConfiguration) => Plugin | Promise<Plugin>;

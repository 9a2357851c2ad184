import type { FeatureGates } from '../machinery/feature-gates/feature-gates.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { HandlerChainOptions } from '../serving/handler-chain.ts';

/** The settings of the handler chain that options and feature gates determine. */
export type HandlerSettings = Pick<
  HandlerChainOptions,
  | 'requestTimeout'
  | 'watchesPerUser'
  | 'corsAllowedOrigins'
  | 'strictTransportSecurityDirectives'
  | 'goawayChance'
  | 'closesUnauthenticated'
  | 'compression'
  | 'cbor'
  | 'constrainedImpersonation'
>;

/** Milliseconds after which a request that is no watch fails. */
export const requestTimeoutOf = ({ requestTimeout = 60_000 }: ServerOptions): number => requestTimeout;

export function handlerSettings(options: ServerOptions, features: FeatureGates): HandlerSettings {
  return {
    requestTimeout: requestTimeoutOf(options),
    watchesPerUser: options.maxWatchesPerUser ?? 10_000,
    corsAllowedOrigins: options.corsAllowedOrigins ?? [],
    strictTransportSecurityDirectives: options.strictTransportSecurityDirectives ?? [],
    goawayChance: options.goawayChance ?? 0,
    closesUnauthenticated: features.UnauthenticatedHTTP2DOSMitigation,
    compression: features.APIResponseCompression,
    cbor: features.CBORServingAndStorage,
    constrainedImpersonation: features.ConstrainedImpersonation,
  };
}

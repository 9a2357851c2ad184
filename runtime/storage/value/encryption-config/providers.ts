import type { Clock } from '../../../machinery/clock.ts';
import { parseMilliseconds } from '../../../machinery/go/duration.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { Logger } from '../../../machinery/logger.ts';
import { CBCTransformer } from '../encrypt/aes/cbc.ts';
import { GCMTransformer } from '../encrypt/aes/gcm.ts';
import { identityTransformer } from '../encrypt/identity.ts';
import type { EnvelopeMetrics } from '../encrypt/kmsv2/envelope-metrics.ts';
import { EnvelopeTransformer } from '../encrypt/kmsv2/envelope-transformer.ts';
import { newGRPCService } from '../encrypt/kmsv2/kms-service.ts';
import { newSecretboxTransformer } from '../encrypt/secretbox.ts';
import type { TransformationMetrics } from '../metrics.ts';
import { type PrefixTransformer, PrefixTransformers } from '../prefix-transformers.ts';
import type { Transformer } from '../transformer.ts';
import type { EncryptionConfiguration, KeysConfiguration, KMSConfiguration, ProviderConfiguration } from './configuration.ts';
import type { EncryptionProviders } from './dynamic-transformers.ts';
import { configuredName, parseGroupResource } from './group-resource.ts';
import { KMSPluginProbe } from './kms-plugin-probe.ts';

export interface ProvidersContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: TransformationMetrics;
  readonly envelopeMetrics: EnvelopeMetrics;
  /** Called when unreadable values may be readable again. */
  readonly onRecovery: () => void;
}

/**
 * Builds the transformers of a valid configuration, and reads the keys of its key management services.
 * (getTransformerOverridesAndKMSPluginProbes)
 *
 * @throws Error in upstream's words
 */
export async function buildProviders({ resources }: EncryptionConfiguration, context: ProvidersContext): Promise<EncryptionProviders> {
  const lists = new Map<string, PrefixTransformer[]>();
  const services: KMSPlugin[] = [];
  const close = (): void => {
    for (const { probe } of services) probe.close();
  };
  try {
    for (const { resources: names, providers } of resources) {
      const built: PrefixTransformer[] = [];
      for (const provider of providers) built.push(await buildProvider(provider, services, context));
      for (const name of names) addTransformers(lists, name, built);
    }
    await Promise.all(services.map(({ probe }) => probe.start()));
  } catch (error) {
    close();
    throw error;
  }
  const { metrics } = context;
  const transformers = new Map<string, Transformer>();
  for (const [name, list] of lists) {
    transformers.set(name, new PrefixTransformers(list, { noMatch: 'no matching prefix found', metrics }));
  }
  // health checks ask the services one after the other
  const closeGracePeriod = 2 * services.reduce((sum, { timeoutMs }) => sum + timeoutMs, 0);
  return { transformers, probes: services.map(({ probe }) => probe), closeGracePeriod, close };
}

interface KMSPlugin {
  readonly probe: KMSPluginProbe;
  readonly timeoutMs: number;
}

/**
 * Appends to the transformers that earlier entries configured for the same resource.
 *
 * @throws Error if an earlier wildcard hides the entry
 */
function addTransformers(lists: Map<string, PrefixTransformer[]>, name: string, transformers: readonly PrefixTransformer[]): void {
  const { group, resource } = parseGroupResource(name);
  for (const mask of [
    { group, resource: '*' },
    { group: '*', resource: '*' },
  ]) {
    if (!lists.has(`${mask.resource}.${mask.group}`)) continue;
    const masked = quote(configuredName({ group, resource }));
    throw new Error(`resource ${masked} is masked by earlier rule ${quote(configuredName(mask))}`);
  }
  const key = `${resource}.${group}`;
  lists.set(key, [...(lists.get(key) ?? []), ...transformers]);
}

async function buildProvider(
  { aesgcm, aescbc, secretbox, kms }: ProviderConfiguration,
  services: KMSPlugin[],
  context: ProvidersContext,
): Promise<PrefixTransformer> {
  if (aesgcm) {
    const options = { noMatch: noMatchOf('AES'), metrics: context.metrics };
    const keys = keysOf(aesgcm).map(({ name, key }) => ({ prefix: name, transformer: new GCMTransformer(key) }));
    return { prefix: 'k8s:enc:aesgcm:v1:', transformer: new PrefixTransformers(keys, options) };
  }
  if (aescbc) {
    const options = { noMatch: noMatchOf('AES'), metrics: context.metrics };
    const keys = keysOf(aescbc).map(({ name, key }) => ({ prefix: name, transformer: new CBCTransformer(key) }));
    return { prefix: 'k8s:enc:aescbc:v1:', transformer: new PrefixTransformers(keys, options) };
  }
  if (secretbox) {
    const options = { noMatch: noMatchOf('Secretbox'), metrics: context.metrics };
    const keys: PrefixTransformer[] = [];
    for (const { name, key } of keysOf(secretbox)) {
      keys.push({ prefix: name, transformer: await newSecretboxTransformer(key) });
    }
    return { prefix: 'k8s:enc:secretbox:v1:', transformer: new PrefixTransformers(keys, options) };
  }
  if (kms) return buildKMSProvider(kms, services, context);
  return { prefix: '', transformer: identityTransformer };
}

const noMatchOf = (provider: string): string => `no matching key was found for the provided ${provider} transformer`;

/** Returns keys, named by the prefix of their values. */
const keysOf = ({ keys }: KeysConfiguration): readonly { readonly name: string; readonly key: Buffer }[] =>
  keys.map(({ name, secret }) => ({ name: `${name}:`, key: Buffer.from(secret, 'base64') }));

/** (kmsPrefixTransformer) */
function buildKMSProvider(
  { apiVersion, name, endpoint, timeout }: KMSConfiguration,
  services: KMSPlugin[],
  context: ProvidersContext,
): PrefixTransformer {
  if (apiVersion === 'v1') {
    throw new Error(
      'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.',
    );
  }
  const { metrics, envelopeMetrics, clock } = context;
  const timeoutMs = parseMilliseconds(timeout);
  const service = newGRPCService({ providerName: name, endpoint, callTimeout: timeoutMs, metrics: envelopeMetrics });
  const probe = new KMSPluginProbe({ name, service, ...context });
  services.push({ probe, timeoutMs });
  const transformer = new EnvelopeTransformer({
    service,
    providerName: name,
    clock,
    metrics,
    envelopeMetrics,
    state: probe.state,
  });
  return { prefix: `k8s:enc:kms:v2:${name}:`, transformer };
}

import { decodeYaml } from '../../../codec/yaml.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import { PruneContext } from '../../../machinery/prune/context.ts';
import { duration } from '../../../machinery/prune/special-types.ts';
import { int32, string } from '../../../machinery/prune/values.ts';

/** The encryption of resources. (apiserver.config.k8s.io/v1, types_encryption.go) */
export interface EncryptionConfiguration {
  readonly resources: readonly ResourceConfiguration[];
}

export interface ResourceConfiguration {
  /** `secrets`, `deployments.apps`, `*.apps`, `*.` for the core group, `*.*`. */
  readonly resources: readonly string[];
  /** Providers in order. The first one encrypts, all decrypt. */
  readonly providers: readonly ProviderConfiguration[];
}

/** A provider. A valid configuration has exactly one member. */
export interface ProviderConfiguration {
  readonly aesgcm?: KeysConfiguration;
  readonly aescbc?: KeysConfiguration;
  readonly secretbox?: KeysConfiguration;
  readonly identity?: object;
  readonly kms?: KMSConfiguration;
}

export interface KeysConfiguration {
  readonly keys: readonly Key[];
}

export interface Key {
  readonly name: string;
  /** Base64. */
  readonly secret: string;
}

export interface KMSConfiguration {
  readonly apiVersion: string;
  readonly name: string;
  readonly cachesize?: number;
  /** For example `unix:///run/kms.sock`. */
  readonly endpoint: string;
  /** Go's notation. */
  readonly timeout: string;
}

const groupVersion = 'apiserver.config.k8s.io/v1';

/** @throws Error in upstream's words, which never quote the data: it may contain keys */
export function decodeConfiguration(data: Buffer): EncryptionConfiguration {
  const duplicates: string[] = [];
  const value = decodeYaml(data, { duplicates });
  if (!isJsonObject(value)) throw new Error("Object 'Kind' is missing");
  const { kind, apiVersion } = value;
  if (typeof kind !== 'string' || kind === '') throw new Error("Object 'Kind' is missing");
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new Error("Object 'apiVersion' is missing");
  const isKnown =
    (kind === 'EncryptionConfiguration' && apiVersion === groupVersion) ||
    // upstream accepts this name because its documentation once had it
    (kind === 'EncryptionConfig' && apiVersion === 'v1');
  if (!isKnown) throw new Error(`no kind ${quote(kind)} is registered for version ${quote(apiVersion)}`);
  const context = new PruneContext({ collectUnknown: true });
  const configuration = pruneConfiguration(value, context);
  const strictErrors = [...duplicates, ...context.strictErrors];
  if (strictErrors.length > 0) throw new Error(`strict decoding error: ${strictErrors.join(', ')}`);
  return configuration;
}

const knownConfiguration: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'resources']);

function pruneConfiguration(value: unknown, context: PruneContext): EncryptionConfiguration {
  const input = context.enter(value, '', 'v1.EncryptionConfiguration');
  const resources = context.list(input.resources, 'resources', '[]v1.ResourceConfiguration', pruneResource) ?? [];
  context.leave(input, knownConfiguration, '');
  return { resources };
}

const knownResource: ReadonlySet<string> = new Set(['resources', 'providers']);

function pruneResource(value: unknown, context: PruneContext, field: string): ResourceConfiguration {
  const input = context.enter(value, field, 'v1.ResourceConfiguration');
  const resources = context.list(input.resources, 'resources', '[]string', string) ?? [];
  const providers = context.list(input.providers, 'providers', '[]v1.ProviderConfiguration', pruneProvider) ?? [];
  context.leave(input, knownResource, field);
  return { resources, providers };
}

const knownProvider: ReadonlySet<string> = new Set(['aesgcm', 'aescbc', 'secretbox', 'identity', 'kms']);

function pruneProvider(value: unknown, context: PruneContext, field: string): ProviderConfiguration {
  const input = context.enter(value, field, 'v1.ProviderConfiguration');
  const provider = {
    ...(input.aesgcm == null ? {} : { aesgcm: pruneKeys(input.aesgcm, context, 'aesgcm') }),
    ...(input.aescbc == null ? {} : { aescbc: pruneKeys(input.aescbc, context, 'aescbc') }),
    ...(input.secretbox == null ? {} : { secretbox: pruneKeys(input.secretbox, context, 'secretbox') }),
    ...(input.identity == null ? {} : { identity: pruneIdentity(input.identity, context) }),
    ...(input.kms == null ? {} : { kms: pruneKMS(input.kms, context) }),
  };
  context.leave(input, knownProvider, field);
  return provider;
}

const knownKeys: ReadonlySet<string> = new Set(['keys']);

function pruneKeys(value: unknown, context: PruneContext, field: 'aesgcm' | 'aescbc' | 'secretbox'): KeysConfiguration {
  const input = context.enter(value, field, field === 'secretbox' ? 'v1.SecretboxConfiguration' : 'v1.AESConfiguration');
  const keys = context.list(input.keys, 'keys', '[]v1.Key', pruneKey) ?? [];
  context.leave(input, knownKeys, field);
  return { keys };
}

const knownKey: ReadonlySet<string> = new Set(['name', 'secret']);

function pruneKey(value: unknown, context: PruneContext, field: string): Key {
  const input = context.enter(value, field, 'v1.Key');
  const key = { name: string(input.name, context, 'name'), secret: string(input.secret, context, 'secret') };
  context.leave(input, knownKey, field);
  return key;
}

const knownNothing: ReadonlySet<string> = new Set();

function pruneIdentity(value: unknown, context: PruneContext): object {
  const input = context.enter(value, 'identity', 'v1.IdentityConfiguration');
  context.leave(input, knownNothing, 'identity');
  return {};
}

const knownKMS: ReadonlySet<string> = new Set(['apiVersion', 'name', 'cachesize', 'endpoint', 'timeout']);

/** Prunes the configuration and sets defaults. (v1/defaults.go SetDefaults_KMSConfiguration) */
function pruneKMS(value: unknown, context: PruneContext): KMSConfiguration {
  const input = context.enter(value, 'kms', 'v1.KMSConfiguration');
  const apiVersion = string(input.apiVersion, context, 'apiVersion') || 'v1';
  const cachesize = input.cachesize == null ? undefined : int32(input.cachesize, context, 'cachesize');
  const kms = {
    apiVersion,
    name: string(input.name, context, 'name'),
    ...(cachesize !== undefined ? { cachesize } : apiVersion === 'v1' ? { cachesize: 1000 } : {}),
    endpoint: string(input.endpoint, context, 'endpoint'),
    timeout: input.timeout == null ? '3s' : duration(input.timeout, context, 'timeout'),
  };
  context.leave(input, knownKMS, 'kms');
  return kms;
}

import { decodeConfiguration, listOf, type Reader, struct, type TypeMeta } from '../../codec/configuration.ts';
import { parseDuration } from '../../machinery/go/duration.ts';
import { duration as durationText } from '../../machinery/prune/special-types.ts';
import { bool, string } from '../../machinery/prune/values.ts';

/**
 * The file of --authorization-config, with the defaults of the Go type set. Durations are nanoseconds. (apiserver
 * pkg/apis/apiserver/v1 types.go)
 */
export interface AuthorizationConfiguration extends TypeMeta {
  readonly authorizers?: readonly AuthorizerConfiguration[];
}

export interface AuthorizerConfiguration {
  readonly type?: string;
  readonly name?: string;
  readonly webhook?: WebhookConfiguration;
}

export interface WebhookConfiguration {
  readonly authorizedTTL?: bigint;
  readonly cacheAuthorizedRequests?: boolean;
  readonly unauthorizedTTL?: bigint;
  readonly cacheUnauthorizedRequests?: boolean;
  readonly timeout?: bigint;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: WebhookConnectionInfo;
  readonly matchConditions?: readonly WebhookMatchCondition[];
}

export interface WebhookConnectionInfo {
  readonly type?: string;
  readonly kubeConfigFile?: string | undefined;
}

export interface WebhookMatchCondition {
  readonly expression?: string;
}

const second = 1_000_000_000n;

const duration: Reader<bigint> = (value, context, field) => parseDuration(durationText(value, context, field));

const connectionInfo = struct<WebhookConnectionInfo>('v1.WebhookConnectionInfo', {
  type: string,
  kubeConfigFile: string,
});
const matchCondition = struct<WebhookMatchCondition>('v1.WebhookMatchCondition', { expression: string });

const webhook = struct<WebhookConfiguration>('v1.WebhookConfiguration', {
  authorizedTTL: duration,
  cacheAuthorizedRequests: bool,
  unauthorizedTTL: duration,
  cacheUnauthorizedRequests: bool,
  timeout: duration,
  subjectAccessReviewVersion: string,
  matchConditionSubjectAccessReviewVersion: string,
  failurePolicy: string,
  connectionInfo,
  matchConditions: listOf('v1.WebhookMatchCondition', matchCondition),
});

const authorizer = struct<AuthorizerConfiguration>('v1.AuthorizerConfiguration', {
  type: string,
  name: string,
  webhook: (value, context, field) => withDefaults(webhook(value, context, field)),
});

/** (v1 SetDefaults_WebhookConfiguration) */
const withDefaults = (configuration: WebhookConfiguration): WebhookConfiguration => ({
  cacheAuthorizedRequests: true,
  cacheUnauthorizedRequests: true,
  ...configuration,
  authorizedTTL: configuration.authorizedTTL || 300n * second,
  unauthorizedTTL: configuration.unauthorizedTTL || 30n * second,
});

const configuration = struct<AuthorizationConfiguration>('v1.AuthorizationConfiguration', {
  apiVersion: string,
  kind: string,
  authorizers: listOf('v1.AuthorizerConfiguration', authorizer),
});

/** @throws DecodeError for a file of another kind */
export function decodeAuthorizationConfiguration(bytes: Uint8Array): AuthorizationConfiguration {
  const versions = Object.fromEntries(
    ['v1', 'v1beta1', 'v1alpha1'].map((version) => [`apiserver.config.k8s.io/${version}`, configuration]),
  );
  return decodeConfiguration(bytes, { kind: 'AuthorizationConfiguration', versions });
}

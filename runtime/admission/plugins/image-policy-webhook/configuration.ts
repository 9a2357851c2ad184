import { resolve } from 'node:path';
import { decodeYaml } from '../../../codec/yaml.ts';
import { formatDuration } from '../../../machinery/go/duration.ts';
import { isJsonObject, memberOf } from '../../../machinery/json/values.ts';
import { PruneContext } from '../../../machinery/prune/context.ts';
import { bool, int64, string } from '../../../machinery/prune/values.ts';
import type { PluginConfiguration } from '../../plugin.ts';

/** The configuration of the plugin. Times are milliseconds. */
export interface ImagePolicyWebhookConfiguration {
  /** The path of a kubeconfig. */
  readonly kubeConfigFile: string;
  /** How long positive responses are cached. */
  readonly allowTTL: number;
  /** How long negative responses are cached. */
  readonly denyTTL: number;
  /** The pause before the first retry of a failed call. */
  readonly retryBackoff: number;
  /** Whether pods are allowed if the webhook does not respond. */
  readonly defaultAllow: boolean;
}

const millisecond = 1_000_000n;
const second = 1000n * millisecond;
const minute = 60n * second;

/**
 * Reads the member `imagePolicy`. 0 stands for the default, -1 for no time at all.
 *
 * @throws Error for a missing or an invalid configuration (NewImagePolicyWebhook, normalizeWebhookConfig)
 */
export function loadConfiguration(file: PluginConfiguration | undefined): ImagePolicyWebhookConfiguration {
  if (file === undefined) throw new Error('no config specified');
  const value = decodeYaml(file.bytes);
  const given = isJsonObject(value) && isJsonObject(value.imagePolicy) ? value.imagePolicy : {};
  const context = new PruneContext({ collectUnknown: false });
  const read = <T>(name: string, reader: (one: unknown, at: PruneContext, field: string) => T, otherwise: T): T => {
    const member = memberOf(given, name);
    return member == null ? otherwise : reader(member, context, name);
  };
  const duration = (name: string, { scale, min, max, initial }: Bounds): number =>
    Number(normalized(BigInt(read<number | bigint>(name, int64, 0)), { scale, min, max, initial }) / millisecond);
  const ttl = { scale: second, min: second, max: 30n * minute };
  return {
    kubeConfigFile: resolve(file.directory, read('kubeConfigFile', string, '')),
    retryBackoff: duration('retryBackoff', {
      scale: millisecond,
      min: 1n,
      max: 5n * minute,
      initial: 500n * millisecond,
    }),
    allowTTL: duration('allowTTL', { ...ttl, initial: 5n * minute }),
    denyTTL: duration('denyTTL', { ...ttl, initial: 30n * second }),
    defaultAllow: read('defaultAllow', bool, false),
  };
}

/** The limits of a duration, in nanoseconds. */
interface Bounds {
  /** The factor that converts the number in the file to nanoseconds. */
  readonly scale: bigint;
  readonly min: bigint;
  readonly max: bigint;
  readonly initial: bigint;
}

/** (normalizeConfigDuration) */
function normalized(given: bigint, { scale, min, max, initial }: Bounds): bigint {
  if (given === -1n) return 0n;
  if (given === 0n) return initial;
  const value = given * scale;
  if (value >= min && value <= max) return value;
  const [low, high, got] = [min, max, value].map(formatDuration);
  throw new Error(`valid value is between ${low} and ${high}, got ${got}`);
}

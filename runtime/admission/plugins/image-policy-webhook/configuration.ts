import { resolve } from 'node:path';
import { decodeYaml } from '../../../codec/yaml.ts';
import { formatDuration } from '../../../machinery/go/duration.ts';
import { isJsonObject, memberOf } from '../../../machinery/json/values.ts';
import { PruneContext } from '../../../machinery/prune/context.ts';
import { bool, int64, string } from '../../../machinery/prune/values.ts';
import type { PluginConfiguration } from '../../plugin.ts';

/** Times are milliseconds. */
export interface ImagePolicyWebhookConfiguration {
  /** The path of a kubeconfig. */
  readonly kubeConfigFile: string;
  /** How long the webhook's yes is kept. */
  readonly allowTTL: number;
  /** And its no. */
  readonly denyTTL: number;
  /** Before the first repetition of a call that failed. */
  readonly retryBackoff: number;
  /** Whether pods are allowed if the webhook cannot be asked. */
  readonly defaultAllow: boolean;
}

const millisecond = 1_000_000n;
const second = 1000n * millisecond;
const minute = 60n * second;

/**
 * Reads the member `imagePolicy`. Zero stands for the default, and minus one for none at all.
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

/** In nanoseconds. */
interface Bounds {
  /** What the number in the file is multiplied by. */
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

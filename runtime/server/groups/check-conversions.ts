import { randomInt } from 'node:crypto';
import type { ApiGroup } from '../../machinery/api-group.ts';
import { formatGroupResource } from '../../machinery/gvk.ts';
import { requireOptions } from '../../machinery/options/check-options.ts';
import { object, whole } from '../../machinery/options/option-type.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { apiGroup } from '../../options/option-types.ts';
import { type ConversionFault, roundTripFaults } from '../../testkit/conversions/round-trips.ts';
import { SeededRandom } from '../../testkit/random/seeded-random.ts';
import { checkConverters, withVersions } from './converters.ts';

export interface ConversionCheckOptions {
  /** Reproduces the objects of an earlier run. Default: random. */
  readonly seed?: number;
  /** The number of objects per version. Default: 200. */
  readonly runs?: number;
}

export const conversionCheckOptions = object<ConversionCheckOptions>({ seed: whole(), runs: whole() });

/** A group's converters lose or change fields, or fail. The message names the fields and the seed. */
export class ConversionCheckError extends Error {
  override readonly name = 'ConversionCheckError';
  readonly seed: number;
  readonly faults: readonly ConversionFault[];

  constructor(resource: string, faults: readonly ConversionFault[], seed: number) {
    const lines = faults.map(({ way, what, object }) => `  ${way}\n    ${what}\n    of ${JSON.stringify(object)}`);
    super(`${resource}: objects are not the same after they were converted there and back (seed: ${seed})\n${lines.join('\n')}`);
    this.seed = seed;
    this.faults = faults;
  }
}

/**
 * Tests the converters of a group. Converts random valid objects of each version to the other version and back, and
 * requires equal objects. Converters also get incomplete objects, and must not fail.
 *
 * @returns the seed, for programs that print it
 * @throws ConversionCheckError with the lost or changed fields
 */
export async function checkConversions(group: ApiGroup, options: ConversionCheckOptions = {}): Promise<{ readonly seed: number }> {
  requireOptions(apiGroup, group);
  requireOptions(conversionCheckOptions, options);
  checkConverters(group);
  const { seed = randomInt(2 ** 31), runs = 200 } = options;
  const random = new SeededRandom(seed);
  const definitions = await definitionsOf(group);
  for (const version of definitions.filter(({ needsConverter }) => needsConverter)) {
    const stored = definitions.find((each) => isStoredOf(each, version));
    if (stored === undefined) continue;
    const resource = formatGroupResource(version);
    const faults = roundTripFaults({ version, stored }, () => random.float('conversion', resource), runs);
    if (faults.length > 0) throw new ConversionCheckError(resource, faults, seed);
  }
  return { seed };
}

async function definitionsOf(group: ApiGroup): Promise<readonly ResourceDefinition[]> {
  const all = await Promise.all(group.catalog.groupVersions.map(async (each) => withVersions(group, await each.load())));
  return all.flat();
}

const isStoredOf = (one: ResourceDefinition, { group, resource, storageVersion }: ResourceDefinition): boolean =>
  one.group === group && one.resource === resource && one.version === storageVersion;

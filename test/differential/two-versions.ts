import { join } from 'node:path';
import { sharedFolder } from '../support/shared-folder.ts';
import type { TestValue } from '../support/test-object.ts';

/**
 * Wraps the generator of `make test-differential`. Definitions get two versions that differ in fields' names and
 * places, and the webhook of $CONVERSION_CLIENT_CONFIG, which renaming-webhook.ts implements.
 */
const tool = await import(join(sharedFolder, 'differential/diff-gen.mjs'));

export const { Rng, clone, parseJson, render, toYaml, genValue, tweak, corrupt, sites, at, setAt, isNum } = tool;
export const { breakCrd } = tool;

const clientConfig = JSON.parse(process.env.CONVERSION_CLIENT_CONFIG ?? 'null');

/** The random numbers of the tool. */
interface Random {
  pick<T>(values: readonly T[]): T;
  chance(probability: number): boolean;
}

export function genCrd(random: Random, group: string): TestValue {
  const crd = tool.genCrd(random, group);
  const v1 = crd.spec.versions.find(({ name }: TestValue) => name === 'v1');
  const other = { ...moved(clone(v1)), name: random.pick(['v2', 'v1beta1', 'v2alpha1']) };
  if (random.chance(0.3)) {
    v1.storage = false;
    other.storage = true;
  } else other.storage = false;
  crd.spec.versions = random.chance(0.5) ? [v1, other] : [other, v1];
  const conversionReviewVersions = random.pick([['v1'], ['v1', 'v1beta1'], ['v2', 'v1beta1', 'v1']]);
  crd.spec.conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions, clientConfig } };
  return crd;
}

/** Tightens a definition. The tool's rules mention fields of v1, so other versions' rules get the new names. */
export function tightenCrd(crd: TestValue, random: Random, marker: string): TestValue {
  const tightened = tool.tightenCrd(crd, random, marker);
  for (const { name, schema } of tightened.spec.versions) {
    if (name !== 'v1') renameInRules(schema.openAPIV3Schema.properties.spec);
  }
  return tightened;
}

/** Renames `spec.num` to `spec.number`, and `spec.flag` to `spec.toggles.flag`. */
function moved(version: TestValue): TestValue {
  const { spec } = version.schema.openAPIV3Schema.properties;
  const { num: number, flag, ...rest } = spec.properties;
  spec.properties = { ...rest, number, toggles: { type: 'object', properties: { flag } } };
  renameInRules(spec);
  for (const place of [...(version.additionalPrinterColumns ?? []), ...(version.selectableFields ?? [])]) {
    if (place.jsonPath === '.spec.num') place.jsonPath = '.spec.number';
    if (place.jsonPath === '.spec.flag') place.jsonPath = '.spec.toggles.flag';
  }
  return version;
}

function renameInRules(spec: TestValue): void {
  const rules = (spec['x-kubernetes-validations'] ?? [])
    .filter(({ rule }: TestValue) => !/\.flag\b/.test(rule))
    .map((one: TestValue) => ({
      ...one,
      rule: one.rule.replace(/\.num\b/g, '.number'),
      ...(one.fieldPath === '.num' ? { fieldPath: '.number' } : {}),
    }));
  if (rules.length > 0) spec['x-kubernetes-validations'] = rules;
  else delete spec['x-kubernetes-validations'];
}

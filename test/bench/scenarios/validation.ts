import { catalog } from '../../../generated/v1.35/catalog.ts';
import { decodeJson } from '../../../runtime/codec/json.ts';
import { validatePodCreate } from '../../../runtime/kinds/core/pod/validation.ts';
import { podWarnings } from '../../../runtime/kinds/core/pod/warnings.ts';
import type { KubeObject } from '../../../runtime/machinery/object.ts';
import { PruneContext } from '../../../runtime/machinery/prune/context.ts';
import type { TypeDefinition } from '../../../runtime/machinery/resource.ts';
import { Field } from '../../../runtime/machinery/validation/field.ts';
import { FieldPath } from '../../../runtime/machinery/validation/field-path.ts';
import { validateObjectMeta } from '../../../runtime/resources/metadata-validation.ts';
import { pod } from '../fixtures.ts';
import type { Report } from '../report.ts';

const rounds = 40;
const podsInARound = 400;
const targetMicroseconds = 60;

/** Sets defaults and validates, as a create does. Validation finds nothing. */
function defaultAndValidate({ setDefaults, validate }: TypeDefinition, object: KubeObject): void {
  setDefaults(object);
  const field = Field.at(FieldPath.root, []);
  validateObjectMeta(object.metadata, { nameRule: 'dns-subdomain', namespaced: true }, field.child('metadata'));
  validate(object, field);
  validatePodCreate(object, field);
  if (field.errors.length > 0) throw new Error(field.errors[0].detail);
  podWarnings.warningsOnCreate?.(object);
}

/** Returns microseconds of processor time per thing. */
function microsecondsEach<T>(things: readonly T[], use: (thing: T) => void): number {
  const before = process.cpuUsage();
  for (const thing of things) use(thing);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / things.length;
}

/**
 * Measures a typical pod's defaults, validation and warnings in processor time, against JSON.parse: the median of
 * rounds, in turns.
 */
export async function validation(report: Report): Promise<void> {
  const core = catalog.groupVersions.find(({ group, version }) => group === '' && version === 'v1');
  const type = (await core?.load())?.find(({ kind }) => kind === 'Pod')?.type;
  if (type === undefined) throw new Error('pods are not served');
  const bytes = Buffer.from(JSON.stringify(pod('typical')));
  const decode = (): KubeObject => type.prune(decodeJson(bytes), new PruneContext());
  const ours: number[] = [];
  const limit: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(microsecondsEach(Array.from({ length: podsInARound }, decode), (object) => defaultAndValidate(type, object)));
    limit.push(
      microsecondsEach(
        Array.from({ length: podsInARound }, () => bytes),
        (body) => JSON.parse(body.toString()),
      ),
    );
  }
  const [took, parsed] = [ours, limit].map((times) => times.sort((a, b) => a - b)[rounds / 2]);
  const what = `processor time of the defaults, the validation and the warnings of a pod of ${bytes.length} bytes`;
  report.row(what, `${took.toFixed(1)} µs`, `${parsed.toFixed(1)} µs (JSON.parse)`, `at most ${targetMicroseconds} µs`);
}

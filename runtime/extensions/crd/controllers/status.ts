import { BoundedMap } from '../../../machinery/collections/bounded-map.ts';
import { type Condition, type CustomResourceDefinition, findCRDCondition, type Names } from '../api-helpers.ts';
import { calculateAPIApprovalCondition } from './api-approval.ts';
import { calculateNamesAndConditions, equalNames, type GroupNames } from './naming.ts';
import { calculateNonStructuralSchemaCondition } from './nonstructural-schema.ts';
import { removeCRDCondition, setCRDCondition } from './set-condition.ts';

/** What is to be said of a definition that it does not say yet. */
export interface DesiredStatus {
  readonly acceptedNames: Names;
  /** Writes it into the definition, or a copy of it. */
  write(crd: CustomResourceDefinition, now: number): void;
}

/**
 * Undefined where the definition has the status that it ought to have.
 *
 * @param crd without schemas, which are `read` where they may not be structural and have not been judged before
 */
export function desiredStatus(
  crd: CustomResourceDefinition,
  taken: GroupNames,
  read: () => CustomResourceDefinition | undefined,
): DesiredStatus | undefined {
  const { acceptedNames, namesAccepted, established } = calculateNamesAndConditions(crd, taken);
  const wanted = [namesAccepted, established, ...[calculateAPIApprovalCondition(crd)].flatMap((one) => one ?? [])];
  const nonStructural = schemaCondition(crd, read);
  if (nonStructural !== undefined) wanted.push(nonStructural);
  const obsolete = nonStructural === undefined && findCRDCondition(crd, 'NonStructuralSchema') !== undefined;
  const isRight =
    !obsolete &&
    equalNames(crd.status?.acceptedNames, acceptedNames) &&
    wanted.every((condition) => isSame(findCRDCondition(crd, condition.type), condition));
  if (isRight) return undefined;
  return {
    acceptedNames,
    write(target, now) {
      target.status = { ...target.status, acceptedNames };
      for (const condition of wanted) setCRDCondition(target, condition, now);
      if (obsolete) removeCRDCondition(target, 'NonStructuralSchema');
    },
  };
}

function isSame(a: Condition | undefined, b: Condition): boolean {
  return a !== undefined && a.status === b.status && a.reason === b.reason && a.message === b.message;
}

/** Looking through schemas is dear, and they change with the generation alone. */
const judged = new BoundedMap<string, { generation: number; condition: Condition | undefined }>(20_000);

/** Schemas of a definition that was made just now are structural: others are refused. */
export function rememberNewSchemas({ metadata: { uid = '', generation = 0 }, spec }: CustomResourceDefinition): void {
  if (!spec.preserveUnknownFields) remember(uid, generation, undefined);
}

/** What an earlier run said of the schemas of an established definition stands. */
export function rememberCheckedSchemas(crd: CustomResourceDefinition): void {
  const { uid = '', generation = 0 } = crd.metadata;
  if (findCRDCondition(crd, 'Established')?.status !== 'True') return;
  remember(uid, generation, findCRDCondition(crd, 'NonStructuralSchema'));
}

function remember(uid: string, generation: number, condition: Condition | undefined): void {
  judged.set(uid, { generation, condition });
}

function schemaCondition(
  crd: CustomResourceDefinition,
  read: () => CustomResourceDefinition | undefined,
): Condition | undefined {
  // unless it prunes nothing, a definition is only stored when all its schemas are structural
  if (!crd.spec.preserveUnknownFields) return undefined;
  const { uid = '', generation = 0 } = crd.metadata;
  const known = judged.get(uid);
  if (known?.generation === generation) return known.condition;
  // nothing that is written since then makes structural schemas be others: that is refused
  if (known !== undefined && known.condition === undefined && !crd.spec.preserveUnknownFields) {
    known.generation = generation;
    return undefined;
  }
  const whole = read();
  if (whole === undefined) return undefined;
  const condition = calculateNonStructuralSchemaCondition(whole);
  remember(uid, whole.metadata.generation ?? 0, condition);
  return condition;
}

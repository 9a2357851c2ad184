import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { caBundleProblem } from '../../../client/webhook/validation.ts';
import { aggregate } from '../../../machinery/errors/aggregate.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { findCRDCondition } from '../api-helpers.ts';
import type { GroupNames, NameSet } from './accepted-names.ts';

type Condition = CustomResourceDefinitionCondition;
type Names = CustomResourceDefinitionNames;

export interface NamesAndConditions {
  readonly acceptedNames: Names;
  readonly namesAccepted: Condition;
  readonly established: Condition;
}

export const noNames: Names = { plural: '', kind: '' };

/**
 * Accepts the current names of a definition, and requested names that are free in its group. (apiextensions-apiserver
 * pkg/controller/status/naming_controller.go calculateNamesAndConditions)
 *
 * @param inUse names of the group, including the definition's own
 */
export function calculateNamesAndConditions(crd: CustomResourceDefinition, inUse: GroupNames): NamesAndConditions {
  const requested = crd.spec.names;
  const existing = crd.status?.acceptedNames ?? noNames;
  const acceptedNames: Names = { ...existing };
  let conflict: { reason: string; message: string } | undefined;
  const accept = (field: 'plural' | 'singular' | 'kind' | 'listKind', reason: string, names: NameSet): void => {
    const name = requested[field] ?? '';
    if (name !== (existing[field] ?? '') && names.has(name)) conflict = { reason, message: inUseMessage(name) };
    else acceptedNames[field] = name;
  };
  accept('plural', 'PluralConflict', inUse.resources);
  accept('singular', 'SingularConflict', inUse.resources);
  const shortNames = requested.shortNames ?? [];
  const existingShortNames = new Set(existing.shortNames);
  const conflicts = shortNames.filter((name) => !existingShortNames.has(name) && inUse.resources.has(name));
  if (conflicts.length > 0) {
    conflict = { reason: 'ShortNamesConflict', message: aggregate(conflicts.map(inUseMessage)) };
  } else if (shortNames.length > 0) acceptedNames.shortNames = [...shortNames];
  else delete acceptedNames.shortNames;
  accept('kind', 'KindConflict', inUse.kinds);
  accept('listKind', 'ListKindConflict', inUse.kinds);
  if (requested.categories?.length) acceptedNames.categories = [...requested.categories];
  else delete acceptedNames.categories;
  const noConflict = { reason: 'NoConflicts', message: 'no conflicts found' };
  return {
    acceptedNames: normalize(acceptedNames),
    namesAccepted: {
      type: 'NamesAccepted',
      status: conflict === undefined ? 'True' : 'False',
      ...(conflict ?? noConflict),
    },
    established: calculateEstablished(crd, conflict === undefined),
  };
}

/** Returns the names in the order of Go's struct, without empty ones. */
function normalize({ plural, singular, shortNames, kind, listKind, categories }: Names): Names {
  return {
    plural,
    ...(singular ? { singular } : {}),
    ...(shortNames?.length ? { shortNames } : {}),
    kind,
    ...(listKind ? { listKind } : {}),
    ...(categories?.length ? { categories } : {}),
  };
}

export function equalNames(a: Names = noNames, b: Names = noNames): boolean {
  return JSON.stringify(normalize(a)) === JSON.stringify(normalize(b));
}

const inUseMessage = (name: string): string => `${quote(name)} is already in use`;

/**
 * Returns the Established condition. A definition stays established, even if it loses names later. A definition with an
 * invalid CA bundle is not established until the bundle is repaired. (pkg/controller/establish)
 */
function calculateEstablished(crd: CustomResourceDefinition, namesAccepted: boolean): Condition {
  const old = findCRDCondition(crd, 'Established');
  if (old?.status === 'True') return old;
  if (namesAccepted && caBundleProblem(crd.spec.conversion?.webhook?.clientConfig?.caBundle ?? '') !== undefined) {
    const message = 'The conversion webhook CABundle is invalid';
    return { type: 'Established', status: 'False', reason: 'InvalidCABundle', message };
  }
  if (namesAccepted) {
    return {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    };
  }
  return old ?? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

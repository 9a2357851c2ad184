import { quote } from '../../machinery/go/quote.ts';
import { fieldsOf, listOf, optional, text } from './fields.ts';
import { parseTemplate, type TemplateNode } from './template/parse.ts';

/** The kind of a patch. `` is strategic for pods and nodes, and merge for other objects. */
export type PatchType = '' | 'json' | 'merge' | 'strategic' | 'apply';

export interface StagePatch {
  /** The member of the object that the template describes; "" for the whole object. */
  readonly root: string;
  readonly part: 'main' | 'status';
  readonly type: PatchType;
  readonly template: readonly TemplateNode[];
}

export interface StageStep {
  readonly event?: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string };
  readonly finalizers?: {
    readonly add: readonly string[];
    readonly remove: readonly string[];
    readonly empty: boolean;
  };
  readonly delete: boolean;
  readonly patch?: StagePatch;
  /** Creates or changes another object, which the template describes completely. */
  readonly apply?: StagePatch;
}

/**
 * Reads the steps of a Stage from `steps`, or else from `next`.
 *
 * @throws Error, TemplateError
 */
export function readSteps(spec: Readonly<Record<string, unknown>>): readonly StageStep[] {
  const steps = listOf(spec.steps, 'spec.steps').map((step) => fieldsOf(step, 'spec.steps'));
  if (steps.length > 0) return steps.map(readStep);
  const next = optional(spec.next, 'spec.next');
  if (next === undefined) return [];
  const patches = listOf(next.patches, 'spec.next.patches').map((patch) => ({ patch }));
  const { statusTemplate, statusSubresource = 'status' } = next;
  const status = text(statusTemplate, 'spec.next.statusTemplate');
  if (patches.length === 0 && status !== '') {
    patches.push({ patch: { subresource: statusSubresource, root: 'status', template: status } });
  }
  return [{ event: next.event }, { finalizers: next.finalizers }, { delete: next.delete }, ...patches].map(readStep);
}

function readStep(step: Readonly<Record<string, unknown>>): StageStep {
  const patch = optional(step.patch, 'patch');
  const apply = optional(step.apply, 'apply');
  return {
    ...eventOf(optional(step.event, 'event')),
    ...finalizersOf(optional(step.finalizers, 'finalizers')),
    delete: step.delete === true,
    ...(patch ? { patch: patchOf(patch, ['', 'json', 'merge', 'strategic']) } : {}),
    ...(apply ? { apply: patchOf(apply, ['', 'apply', 'merge', 'strategic']) } : {}),
  };
}

function eventOf(event: Readonly<Record<string, unknown>> | undefined): Pick<StageStep, 'event'> {
  if (event === undefined) return {};
  const type = text(event.type, 'event.type') || 'Normal';
  if (type !== 'Normal' && type !== 'Warning') throw new Error('event.type: must be Normal or Warning');
  return { event: { type, reason: text(event.reason, 'event.reason'), message: text(event.message, 'event.message') } };
}

function finalizersOf(given: Readonly<Record<string, unknown>> | undefined): Pick<StageStep, 'finalizers'> {
  if (given === undefined) return {};
  const names = (field: 'add' | 'remove') =>
    listOf(given[field], `finalizers.${field}`).map((item) => text(fieldsOf(item, `finalizers.${field}`).value, 'value'));
  return { finalizers: { add: names('add'), remove: names('remove'), empty: given.empty === true } };
}

function patchOf(patch: Readonly<Record<string, unknown>>, types: readonly PatchType[]): StagePatch {
  const subresource = text(patch.subresource, 'patch.subresource');
  if (subresource !== '' && subresource !== 'status') {
    throw new Error(`patch.subresource: ${quote(subresource)} is not supported, only status is`);
  }
  const type = types.find((one) => one === text(patch.type, 'patch.type'));
  if (type === undefined) throw new Error(`unknown patch type ${text(patch.type, 'patch.type')}`);
  return {
    root: text(patch.root, 'patch.root'),
    part: subresource === '' ? 'main' : 'status',
    type,
    template: parseTemplate(text(patch.template, 'patch.template').trim()),
  };
}

import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { RESTStrategy } from '../../../resources/rest.ts';
import { containerLists } from './container-visitor.ts';

/**
 * Drops the fields of disabled gates, unless the stored object has one already. (pkg/api/pod/util.go,
 * dropDisabledFields)
 */

type PodSpec = Unvalidated<core.PodSpec>;
type PodTemplate = Unvalidated<core.PodTemplateSpec>;

/** An object with a pod template. */
interface TemplateOwner {
  readonly template?: PodTemplate;
  readonly spec?: {
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec?: { readonly template?: PodTemplate } };
  };
}

const templateOf = ({ template, spec }: TemplateOwner): PodTemplate | undefined =>
  template ?? spec?.template ?? spec?.jobTemplate?.spec?.template;

/** Returns the strategy of a kind with a pod template. It drops the template's disabled fields first. */
export const withPodTemplate = (strategy: RESTStrategy): RESTStrategy => ({
  ...strategy,
  prepareForCreate(object: KubeObject & TemplateOwner, context) {
    dropDisabledTemplateFields(templateOf(object));
    return strategy.prepareForCreate?.(object, context);
  },
  prepareForUpdate(object: KubeObject & TemplateOwner, old: KubeObject & TemplateOwner, context) {
    if (context.part !== 'status') dropDisabledTemplateFields(templateOf(object), templateOf(old));
    return strategy.prepareForUpdate?.(object, old, context);
  },
});

/** (DropDisabledTemplateFields) */
function dropDisabledTemplateFields(template: PodTemplate | undefined, old?: PodTemplate): void {
  if (template?.spec) dropDisabledFields(template.spec, old?.spec);
}

export function dropDisabledFields(spec: PodSpec, old: PodSpec = {}): void {
  // ContainerStopSignals
  if (hasStopSignals(spec) && !hasStopSignals(old)) dropContainerStopSignals(spec);
}

type Container = Unvalidated<core.Container | core.EphemeralContainer>;

/** (containerStopSignalsInUse) */
const hasStopSignals = (spec: PodSpec): boolean =>
  containerLists.some((list) => spec[list]?.some(({ lifecycle }: Container) => lifecycle?.stopSignal !== undefined));

/** (dropContainerStopSignals) */
function dropContainerStopSignals(spec: PodSpec): void {
  for (const list of containerLists) {
    for (const container of spec[list] ?? []) {
      if (container.lifecycle?.stopSignal === undefined) continue;
      delete container.lifecycle.stopSignal;
      if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
    }
  }
}

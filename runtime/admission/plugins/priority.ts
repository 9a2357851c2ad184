import type { PriorityClass } from '../../../generated/v1.35/scheduling.k8s.io/v1/types.ts';
import type { Attributes } from '../../machinery/admission.ts';
import type { Lister } from '../../resources/lister.ts';
import { newForbidden } from '../errors.ts';
import type { Plugin, PluginFactory } from '../plugin.ts';
import { isCore, type Pod, podSpecOf } from '../resources.ts';

const group = 'scheduling.k8s.io';

/** (plugin/pkg/admission/priority) */
export const newPriority: PluginFactory = ({ listers }) => new Priority(listers);

/** The fields of a priority class that a pod gets. */
type Given = Pick<PriorityClass, 'value' | 'preemptionPolicy'>;

const withoutClass: Given = { value: 0, preemptionPolicy: 'PreemptLowerPriority' };

/** Sets the priority of each new pod from its class, and allows only one default class. */
class Priority implements Plugin {
  readonly #listers: Parameters<PluginFactory>[0]['listers'];
  #classes: Lister<PriorityClass> | undefined;
  /** The default class among the classes listed last. */
  #known: { readonly classes: readonly PriorityClass[]; readonly found: PriorityClass | undefined } | undefined;

  constructor(listers: Parameters<PluginFactory>[0]['listers']) {
    this.#listers = listers;
  }

  handles(...[operation, definition, subresource]: Parameters<Plugin['handles']>): boolean {
    if (subresource !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return false;
    return isCore(definition, 'pods') || isPriorityClasses(definition);
  }

  async start(): Promise<void> {
    this.#classes = await this.#listers.open({ group, version: 'v1', resource: 'priorityclasses' });
  }

  admit(attributes: Attributes): void {
    if (isPriorityClasses(attributes.definition)) return;
    const spec = podSpecOf(attributes);
    if (attributes.operation === 'UPDATE') {
      const old = (attributes.oldObject as Pod).spec;
      if (old?.priority !== undefined) spec.priority ??= old.priority;
      if (old?.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
      return;
    }
    const { value = 0, preemptionPolicy } = spec.priorityClassName
      ? this.#named(spec.priorityClassName, attributes)
      : this.#setDefault(spec);
    requireComputed('integer value of priority', { given: spec.priority, computed: value }, attributes);
    spec.priority = value;
    if (preemptionPolicy === undefined) return;
    const policies = { given: spec.preemptionPolicy, computed: preemptionPolicy };
    requireComputed('string value of PreemptionPolicy', policies, attributes);
    spec.preemptionPolicy = preemptionPolicy;
  }

  validate(attributes: Attributes): void {
    const { definition, operation, object } = attributes;
    if (!isPriorityClasses(definition)) return;
    const priorityClass = object as PriorityClass;
    if (!priorityClass.globalDefault) return;
    const found = this.#default()?.metadata.name;
    if (found === undefined || (operation === 'UPDATE' && found === priorityClass.metadata.name)) return;
    throw newForbidden(attributes, `PriorityClass ${found} is already marked as default. Only one default can exist`);
  }

  #named(name: string, attributes: Attributes): Given {
    const found = this.#classes?.get('', name);
    if (found === undefined) throw newForbidden(attributes, `no PriorityClass with name ${name} was found`);
    return found;
  }

  #setDefault(spec: ReturnType<typeof podSpecOf>): Given {
    const found = this.#default();
    if (found === undefined) return withoutClass;
    spec.priorityClassName = found.metadata.name ?? '';
    return found;
  }

  /** Returns the default class with the lowest priority. A race can create several. */
  #default(): PriorityClass | undefined {
    const classes = this.#classes?.list() ?? [];
    if (classes !== this.#known?.classes) {
      const defaults = classes.filter(({ globalDefault }) => globalDefault);
      const lowest = defaults.reduce<PriorityClass | undefined>(
        (least, one) => (least === undefined || (least.value ?? 0) > (one.value ?? 0) ? one : least),
        undefined,
      );
      this.#known = { classes, found: lowest };
    }
    return this.#known.found;
  }
}

const isPriorityClasses = (definition: Attributes['definition']): boolean =>
  definition.group === group && definition.resource === 'priorityclasses';

function requireComputed(
  what: string,
  { given, computed }: { given: string | number | undefined; computed: string | number },
  attributes: Attributes,
): void {
  if (given === undefined || given === computed) return;
  const message = `the ${what} (${given}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
  throw newForbidden(attributes, message);
}

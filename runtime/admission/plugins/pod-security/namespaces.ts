import type { Namespace } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { invalid } from '../../../machinery/errors/status.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import type { Collection } from '../../../storage/object-store/contract.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { evaluatePodsInNamespace } from './namespace-pods.ts';
import {
  areEquivalent,
  compareLevels,
  isFullyPrivileged,
  isSameLevelVersion,
  levelLabel,
  levelVersionText,
  modes,
  type ParsedPolicy,
  type Policy,
  policyToEvaluate,
  versionLabel,
} from './policy.ts';

type Labels = Readonly<Record<string, string>>;

interface NamespaceContext {
  /** The pods; undefined on a server without pods. */
  readonly pods: Collection | undefined;
  /** Milliseconds until the request times out. */
  readonly timeLeft: number;
}

/** The policies of namespaces, each parsed once. */
export class NamespacePolicies {
  readonly #configuration: PodSecurityConfiguration;
  readonly #parsed = new WeakMap<Namespace, ParsedPolicy>();

  constructor(configuration: PodSecurityConfiguration) {
    this.#configuration = configuration;
  }

  /** @param namespace an object that does not change */
  of(namespace: Namespace): ParsedPolicy {
    let parsed = this.#parsed.get(namespace);
    if (parsed === undefined) {
      parsed = this.#parse(namespace);
      this.#parsed.set(namespace, parsed);
    }
    return parsed;
  }

  /** Refuses invalid policy labels, and warns of pods that violate a stricter policy. (ValidateNamespace) */
  validate(attributes: Attributes, context: NamespaceContext): void | Promise<void> {
    const { operation, object, oldObject, name, definition } = attributes;
    const namespace = object as Namespace;
    const { policy, errors } = this.#parse(namespace);
    if (operation === 'CREATE') {
      if (errors.length > 0) throw invalid(definition, name, errors);
      if (this.#isExempt(name)) this.#warnOfExemption(attributes, policy);
      return;
    }
    const old = this.#parse(oldObject as Namespace);
    if (errors.length > 0 && !equalJson(errors, old.errors)) throw invalid(definition, name, errors);
    if (!isStricter(policy, old.policy)) return;
    if (this.#isExempt(name)) return this.#warnOfExemption(attributes, policy);
    const { pods, timeLeft } = context;
    if (pods === undefined) return;
    const { runtimeClasses } = this.#configuration.exemptions;
    const checking = evaluatePodsInNamespace({
      pods,
      timeLeft,
      namespace: name,
      enforce: policy.enforce,
      isExempt: ({ spec }) => runtimeClasses.has(spec?.runtimeClassName ?? ''),
    });
    return checking.then((warnings) => {
      for (const warning of warnings) attributes.warn(warning);
    });
  }

  #parse({ metadata }: Namespace): ParsedPolicy {
    return policyToEvaluate(metadata.labels, this.#configuration.defaults);
  }

  #isExempt(name: string): boolean {
    return this.#configuration.exemptions.namespaces.has(name);
  }

  #warnOfExemption({ name, object, warn }: Attributes, policy: Policy): void {
    if (isFullyPrivileged(policy) || areEquivalent(policy, this.#configuration.defaults)) return;
    const labels = object?.metadata.labels ?? {};
    const text = explicitPolicyText(policy, labels);
    warn(`namespace ${quote(name)} is exempt from Pod Security, and the policy (${text}) will be ignored`);
  }
}

/** Reports whether the new policy may refuse pods that the old policy allows. */
function isStricter({ enforce }: Policy, { enforce: old }: Policy): boolean {
  if (isSameLevelVersion(enforce, old) || enforce.level === 'privileged') return false;
  return enforce.version !== old.version || compareLevels(enforce.level, old.level) > 0;
}

/** Returns the modes that labels set to a stricter level than privileged. */
const explicitPolicyText = (policy: Policy, labels: Labels): string =>
  modes
    .filter((mode) => policy[mode].level !== 'privileged')
    .filter((mode) => Object.hasOwn(labels, levelLabel(mode)) || Object.hasOwn(labels, versionLabel(mode)))
    .map((mode) => `${mode}=${levelVersionText(policy[mode])}`)
    .join(', ');

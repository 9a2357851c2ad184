import type { Namespace } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Attributes, Operation } from '../../../machinery/admission.ts';
import { aggregate } from '../../../machinery/errors/aggregate.ts';
import { forbidden, internalError, type StatusError } from '../../../machinery/errors/status.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { fieldErrorMessage } from '../../../machinery/validation/field-error.ts';
import type { Lister } from '../../../resources/lister.ts';
import type { RESTStorage } from '../../../resources/rest.ts';
import type { Plugin, PluginContext, PluginFactory } from '../../plugin.ts';
import { isCore, type Pod } from '../../resources.ts';
import type { CheckedPod, Forbidden } from './checks/check.ts';
import { loadPodSecurityConfiguration, type PodSecurityConfiguration } from './configuration.ts';
import { evaluatePod, forbiddenDetail } from './evaluator.ts';
import { NamespacePolicies } from './namespaces.ts';
import { extractPod, hasPodTemplate } from './pod-spec-extractor.ts';
import { isFullyPrivileged, isSameLevelVersion, type LevelVersion, levelVersionText, type ParsedPolicy } from './policy.ts';
import { Recorder } from './recorder.ts';
import { isSignificantPodUpdate } from './significant-update.ts';

export const newPodSecurity: PluginFactory = (context, configuration) =>
  new PodSecurity(context, loadPodSecurityConfiguration(configuration?.bytes));

/** Subresources that do not change the permissions of a pod. */
const ignoredSubresources = ['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status'];

/**
 * Refuses pods, warns of them or audits them if they violate the Pod Security Standards at the level and version in
 * their namespace's labels. (plugin/pkg/admission/security/podsecurity; pod-security-admission)
 */
class PodSecurity implements Plugin {
  readonly #context: PluginContext;
  readonly #configuration: PodSecurityConfiguration;
  readonly #policies: NamespacePolicies;
  readonly #recorder: Recorder;
  #namespaces: Lister<Namespace> | undefined;
  #pods: RESTStorage | undefined;

  constructor(context: PluginContext, configuration: PodSecurityConfiguration) {
    this.#context = context;
    this.#configuration = configuration;
    this.#policies = new NamespacePolicies(configuration);
    this.#recorder = new Recorder(context.metrics);
  }

  handles(operation: Operation, definition: ResourceDefinition, subresource: string): boolean {
    if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
    if (!this.#context.stores.serves('', 'v1', 'namespaces')) return false;
    if (isCore(definition, 'pods')) return !ignoredSubresources.includes(subresource);
    return subresource === '' && (isCore(definition, 'namespaces') || hasPodTemplate(definition));
  }

  async start(): Promise<void> {
    const { listers, stores } = this.#context;
    this.#namespaces = await listers.open({ group: '', version: 'v1', resource: 'namespaces' });
    if (stores.serves('', 'v1', 'pods')) this.#pods = await stores.byResource('', 'v1', 'pods');
  }

  validate(attributes: Attributes): void | Promise<void> {
    if (isCore(attributes.definition, 'namespaces')) {
      const { clock } = this.#context;
      return this.#policies.validate(attributes, {
        pods: this.#pods?.collection,
        timeLeft: (attributes.deadline ?? Number.POSITIVE_INFINITY) - clock.now(),
      });
    }
    if (this.#isExempt(attributes)) return;
    if (isCore(attributes.definition, 'pods')) this.#validatePod(attributes);
    else this.#validateWorkload(attributes);
  }

  #isExempt(attributes: Attributes): boolean {
    const { namespaces, usernames } = this.#configuration.exemptions;
    const { namespace, user } = attributes;
    const why = namespaces.has(namespace) ? 'namespace' : usernames.has(user.name) ? 'user' : undefined;
    if (why === undefined) return false;
    this.#exempt(attributes, why);
    return true;
  }

  #exempt(attributes: Attributes, why: string): void {
    annotate(attributes, 'exempt', why);
    this.#recorder.recordExemption(attributes);
  }

  #validatePod(attributes: Attributes): void {
    const parsed = this.#policyOf(attributes);
    if (parsed === undefined) {
      const why = `failed to lookup namespace ${quote(attributes.namespace)}`;
      annotate(attributes, 'error', why);
      this.#recorder.recordError(true, attributes);
      throw internalError(why);
    }
    if (parsed.errors.length === 0 && isFullyPrivileged(parsed.policy)) {
      annotate(attributes, 'enforce-policy', 'privileged:latest');
      this.#recorder.recordEvaluation(true, parsed.policy.enforce, 'enforce', attributes);
      return;
    }
    const pod = attributes.object as Pod;
    if (attributes.operation === 'UPDATE' && !isSignificantPodUpdate(pod, attributes.oldObject as Pod)) return;
    this.#evaluate({ metadata: pod.metadata, spec: pod.spec ?? {} }, parsed, attributes);
  }

  /** Warns and audits, but does not refuse: the workload's pods will be refused. */
  #validateWorkload(attributes: Attributes): void {
    const parsed = this.#policyOf(attributes);
    if (parsed === undefined) {
      annotate(attributes, 'error', `failed to lookup namespace ${quote(attributes.namespace)}`);
      this.#recorder.recordError(true, attributes);
      return;
    }
    const { audit, warn } = parsed.policy;
    if (parsed.errors.length === 0 && audit.level === 'privileged' && warn.level === 'privileged') return;
    const pod = extractPod(attributes.object as KubeObject);
    if (pod !== undefined) this.#evaluate(pod, parsed, attributes);
  }

  #policyOf({ namespace }: Attributes): ParsedPolicy | undefined {
    const found = this.#namespaces?.get('', namespace);
    return found && this.#policies.of(found);
  }

  #evaluate(pod: CheckedPod, { policy, errors }: ParsedPolicy, attributes: Attributes): void {
    const { runtimeClassName } = pod.spec;
    if (runtimeClassName && this.#configuration.exemptions.runtimeClasses.has(runtimeClassName)) {
      this.#exempt(attributes, 'runtimeClass');
      return;
    }
    if (errors.length > 0) {
      annotate(attributes, 'error', `Failed to parse policy: ${aggregate(errors.map(fieldErrorMessage))}`);
      this.#recorder.recordError(false, attributes);
    }
    const { enforce, audit, warn } = policy;
    const evaluate = evaluationOf(pod);
    const refusal = isCore(attributes.definition, 'pods') ? this.#enforce(enforce, evaluate(enforce), attributes) : undefined;
    const audited = evaluate(audit);
    if (audited.length > 0) {
      annotate(attributes, 'audit-violations', `would ${violationText(audit, audited, 'violate')}`);
      this.#recorder.recordEvaluation(false, audit, 'audit', attributes);
    }
    if (refusal !== undefined) throw refusal;
    const warned = evaluate(warn);
    if (warned.length === 0) return;
    attributes.warn(`would ${violationText(warn, warned, 'violate')}`);
    this.#recorder.recordEvaluation(false, warn, 'warn', attributes);
  }

  /** Returns the error of a pod that violates its namespace's policy. */
  #enforce(enforce: LevelVersion, found: readonly Forbidden[], attributes: Attributes): StatusError | undefined {
    annotate(attributes, 'enforce-policy', levelVersionText(enforce));
    this.#recorder.recordEvaluation(found.length === 0, enforce, 'enforce', attributes);
    if (found.length === 0) return undefined;
    return forbidden(attributes.definition, attributes.name, violationText(enforce, found, 'violates'));
  }
}

function annotate(attributes: Attributes, key: string, value: string): void {
  attributes.addAnnotation(`pod-security.kubernetes.io/${key}`, value);
}

const violationText = (of: LevelVersion, found: readonly Forbidden[], verb: string): string =>
  `${verb} PodSecurity ${quote(levelVersionText(of))}: ${forbiddenDetail(found)}`;

/** Returns a function that evaluates a pod once for each level and version. */
function evaluationOf(pod: CheckedPod): (of: LevelVersion) => readonly Forbidden[] {
  const results: { readonly of: LevelVersion; readonly found: readonly Forbidden[] }[] = [];
  return (of) => {
    const known = results.find((result) => isSameLevelVersion(result.of, of));
    if (known !== undefined) return known.found;
    const found = evaluatePod(of, pod);
    results.push({ of, found });
    return found;
  };
}

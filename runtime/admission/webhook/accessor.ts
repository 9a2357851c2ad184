import type { MutatingWebhook } from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import { admissionEnvironment } from '../../cel/admission/environment.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { internalError } from '../../machinery/errors/status.ts';
import { type LabelSelector, type LabelSelectorObject, labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import { MatchConditions } from '../cel/match-conditions.ts';
import type { WebhookObserver } from './metrics.ts';

/** Where an accessor has its webhook from. */
export interface WebhookOrigin {
  readonly configurationName: string;
  /** Distinguishes webhooks of one configuration with the same name. */
  readonly duplicate: number;
  readonly observer: WebhookObserver;
}

/**
 * One webhook of a configuration, with what is made of it: each when it is first needed.
 * (apiserver pkg/admission/plugin/webhook/accessors.go)
 */
export class WebhookAccessor {
  /** A validating one has the members of a mutating one, except for the reinvocationPolicy, which is optional. */
  readonly webhook: MutatingWebhook;
  readonly configurationName: string;
  /** Unique among the webhooks of all configurations of a kind. */
  readonly uid: string;
  readonly observer: WebhookObserver;
  readonly #namespaceSelector: () => LabelSelector;
  readonly #objectSelector: () => LabelSelector;
  #matchConditions: MatchConditions | undefined;

  constructor(webhook: MutatingWebhook, { configurationName, duplicate, observer }: WebhookOrigin) {
    this.webhook = webhook;
    this.configurationName = configurationName;
    this.uid = `${configurationName}/${webhook.name}/${duplicate}`;
    this.observer = observer;
    this.#namespaceSelector = lazySelector(webhook.namespaceSelector);
    this.#objectSelector = lazySelector(webhook.objectSelector);
  }

  /** @throws StatusError 500 if the selector is invalid */
  get namespaceSelector(): LabelSelector {
    return this.#namespaceSelector();
  }

  /** @throws StatusError 500 if the selector is invalid */
  get objectSelector(): LabelSelector {
    return this.#objectSelector();
  }

  /** Undefined if there are none. */
  get matchConditions(): MatchConditions | undefined {
    const { matchConditions = [], failurePolicy } = this.webhook;
    if (matchConditions.length === 0) return undefined;
    this.#matchConditions ??= new MatchConditions(matchConditions, {
      environment: () => admissionEnvironment({ authorizer: true }),
      failurePolicy,
      observer: this.observer,
    });
    return this.#matchConditions;
  }

  /** Whether the write goes on if the webhook cannot be called. */
  get ignoresFailures(): boolean {
    return this.webhook.failurePolicy === 'Ignore';
  }
}

function lazySelector(object: LabelSelectorObject | undefined): () => LabelSelector {
  let selector: LabelSelector | undefined;
  return () => {
    try {
      selector ??= labelSelectorFromObject(object);
    } catch (error) {
      throw internalError(messageOf(error));
    }
    return selector;
  };
}

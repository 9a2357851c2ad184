import type { MutatingWebhook } from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import { admissionEnvironment } from '../../cel/admission/environment.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { internalError } from '../../machinery/errors/status.ts';
import { type LabelSelector, type LabelSelectorObject, labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import { MatchConditions } from '../cel/match-conditions.ts';
import type { WebhookObserver } from './metrics.ts';

/** The place of a webhook in its configuration. */
export interface WebhookOrigin {
  readonly configurationName: string;
  /** Distinguishes webhooks with the same name in one configuration. */
  readonly duplicate: number;
  readonly observer: WebhookObserver;
}

/**
 * One webhook of a configuration, with values derived from it on first use. (apiserver
 * pkg/admission/plugin/webhook/accessors.go)
 */
export class WebhookAccessor {
  /** The webhook. A validating one has the members of a mutating one, except for the optional reinvocationPolicy. */
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

  /** The match conditions; undefined if there are none. */
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

  /** Whether the write continues if the webhook call fails. */
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

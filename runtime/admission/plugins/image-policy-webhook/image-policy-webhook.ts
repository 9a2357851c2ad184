import { createHash } from 'node:crypto';
import { defaultRetryBackoff } from '../../../client/webhook/backoff.ts';
import { GenericWebhook } from '../../../client/webhook/generic-webhook.ts';
import { loadWebhookKubeconfig } from '../../../client/webhook/kubeconfig.ts';
import type { Attributes, Operation } from '../../../machinery/admission.ts';
import { BoundedMap } from '../../../machinery/collections/bounded-map.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../../machinery/object.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { newForbidden } from '../../errors.ts';
import type { Plugin, PluginContext, PluginFactory } from '../../plugin.ts';
import { isCore, podOf } from '../../resources.ts';
import { type ImagePolicyWebhookConfiguration, loadConfiguration } from './configuration.ts';

const apiVersion = 'imagepolicy.k8s.io/v1alpha1';
const auditPrefix = 'imagepolicywebhook.image-policy.k8s.io/';
/** Maximum number of cached responses. */
const maxCached = 1024;

/** (plugin/pkg/admission/imagepolicy) */
export const newImagePolicyWebhook: PluginFactory = async (context, configuration) => {
  const loaded = loadConfiguration(configuration);
  const { kubeConfigFile, retryBackoff } = loaded;
  const config = await loadWebhookKubeconfig(kubeConfigFile);
  const webhook = new GenericWebhook({ config, backoff: defaultRetryBackoff(retryBackoff), clock: context.clock });
  return new ImagePolicyWebhook(context, webhook, loaded);
};

/** The webhook's decision about the images of a pod. */
interface Answer {
  readonly allowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

interface CachedAnswer {
  readonly answer: Answer;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** Sends an ImageReview to a webhook, which decides whether a pod may use its images. */
class ImagePolicyWebhook implements Plugin {
  readonly #context: PluginContext;
  readonly #webhook: GenericWebhook;
  readonly #configuration: ImagePolicyWebhookConfiguration;
  /** Responses by the hash of the review, which can be large. */
  readonly #answers = new BoundedMap<string, CachedAnswer>(maxCached);

  constructor(context: PluginContext, webhook: GenericWebhook, configuration: ImagePolicyWebhookConfiguration) {
    this.#context = context;
    this.#webhook = webhook;
    this.#configuration = configuration;
  }

  handles(operation: Operation, definition: ResourceDefinition, subresource: string): boolean {
    if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
    return isCore(definition, 'pods') && (subresource === '' || subresource === 'ephemeralcontainers');
  }

  validate(attributes: Attributes): void | Promise<void> {
    const spec = imageReviewSpec(attributes);
    const key = createHash('sha256').update(JSON.stringify(spec)).digest('base64');
    const cached = this.#answers.get(key);
    if (cached !== undefined && this.#context.clock.now() < cached.expires) {
      conclude(cached.answer, attributes);
      return;
    }
    return this.#ask(spec, key, attributes);
  }

  async #ask(spec: JsonObject, key: string, attributes: Attributes): Promise<void> {
    const { clock } = this.#context;
    const { allowTTL, denyTTL, defaultAllow } = this.#configuration;
    attributes.turn.yield();
    const ending = new AbortController();
    const { deadline } = attributes;
    const cancel = deadline && clock.after(Math.max(0, deadline - clock.now()), () => ending.abort());
    let answer: Answer;
    try {
      const review = { kind: 'ImageReview', apiVersion, metadata: {}, spec, status: { allowed: false } };
      answer = answerOf(await this.#webhook.post(Buffer.from(JSON.stringify(review)), ending.signal));
    } catch (error) {
      if (!defaultAllow) throw newForbidden(attributes, messageOf(error));
      attributes.addAnnotation(`${auditPrefix}failed-open`, 'true');
      return;
    } finally {
      if (cancel) cancel();
    }
    const ttl = answer.allowed ? allowTTL : denyTTL;
    if (ttl > 0) this.#answers.set(key, { answer, expires: clock.now() + ttl });
    conclude(answer, attributes);
  }
}

function imageReviewSpec(attributes: Attributes): JsonObject {
  const { metadata, spec = {} } = podOf(attributes);
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  const reviewed = attributes.subresource === '' ? [...(containers ?? []), ...initContainers] : ephemeralContainers;
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes('.image-policy.k8s.io/'));
  return {
    ...(reviewed.length === 0 ? {} : { containers: reviewed.map(({ image }): JsonObject => (image ? { image } : {})) }),
    ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    namespace: attributes.namespace,
  };
}

/** @throws Error if the response is no review */
function answerOf(review: Json | undefined): Answer {
  const isReview = isJsonObject(review) && review.kind === 'ImageReview' && review.apiVersion === apiVersion;
  if (!isReview) throw new Error(`the webhook did not respond with an ImageReview of ${apiVersion}`);
  const { allowed, reason, auditAnnotations } = isJsonObject(review.status) ? review.status : {};
  const annotations = Object.entries(isJsonObject(auditAnnotations) ? auditAnnotations : {});
  return {
    allowed: allowed === true,
    reason: typeof reason === 'string' ? reason : '',
    auditAnnotations: Object.fromEntries(annotations.map(([key, value]) => [key, String(value)])),
  };
}

function conclude({ allowed, reason, auditAnnotations }: Answer, attributes: Attributes): void {
  for (const [key, value] of Object.entries(auditAnnotations)) attributes.addAnnotation(auditPrefix + key, value);
  if (allowed) return;
  const message =
    reason === '' ? 'one or more images rejected by webhook backend' : `image policy webhook backend denied one or more images: ${reason}`;
  throw newForbidden(attributes, message);
}

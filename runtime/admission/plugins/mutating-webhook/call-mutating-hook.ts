import type { Attributes } from '../../../machinery/admission.ts';
import type { AdmissionWebhook } from '../../webhook/admission-webhook.ts';
import type { PlannedHook } from '../../webhook/hook-source.ts';
import { observedCall } from '../../webhook/observed-call.ts';
import { WebhookAnnotator } from './annotator.ts';
import { type PatchedObject, patchedObject } from './patch.ts';
import type { VersionedAttributes } from './versioned-attributes.ts';

/** A write with its object as changed by webhooks. */
interface MutatedWrite {
  readonly attributes: Attributes;
  readonly versioned: VersionedAttributes;
}

/**
 * Calls one webhook and applies its patch. Resolves to whether the object has changed. (mutatingDispatcher Dispatch,
 * callAttrMutatingHook)
 *
 * @throws StatusError
 */
export async function callMutatingHook(
  webhook: AdmissionWebhook,
  planned: PlannedHook,
  { attributes, versioned }: MutatedWrite,
): Promise<boolean> {
  const { hook, matched, index } = planned;
  const annotator = new WebhookAnnotator(attributes, hook, index);
  const objects = await versioned.at(matched);
  let patched: PatchedObject | undefined;
  const outcome = await observedCall(hook, attributes.operation, async () => {
    try {
      const response = await webhook.call(planned, attributes, objects);
      patched = patchedObject(hook.webhook.name, objects, response, attributes.operation);
    } finally {
      annotator.addMutation(patched?.isChanged ?? false);
    }
  });
  if (outcome === 'failed-open') {
    annotator.addFailedOpen();
    webhook.requireTime(attributes);
  }
  if (patched === undefined) return false;
  annotator.addPatch(patched.patch);
  versioned.change(patched.object);
  return patched.isChanged;
}

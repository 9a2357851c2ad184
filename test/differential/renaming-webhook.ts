import { ConversionWebhook } from '../support/conversion-webhook.ts';
import type { TestObject, TestValue } from '../support/test-object.ts';

/**
 * Converts between the versions of two-versions.ts: `spec.num` of v1 is `spec.number` of the other, and `spec.flag` is
 * `spec.toggles.flag`. Objects of half the kinds also get an annotation, which webhooks may write.
 */
export async function openRenamingWebhook(): Promise<ConversionWebhook> {
  const webhook = await ConversionWebhook.open((object, apiVersion) => {
    webhook.reviews.length = 0;
    return convert(object, apiVersion);
  });
  return webhook;
}

function convert(object: TestObject, apiVersion: string): TestObject {
  const { spec, metadata } = object;
  const converted = { ...object };
  if (['Fox', 'Gizmo'].includes(object.kind ?? '')) {
    converted.metadata = { ...metadata, annotations: { ...metadata?.annotations, 'converted-to': apiVersion } };
  }
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) return converted;
  converted.spec = apiVersion.endsWith('/v1') ? toV1(spec) : fromV1(spec);
  return converted;
}

function toV1({ number, toggles, ...rest }: TestValue): TestValue {
  const { flag } = toggles ?? {};
  return { ...rest, ...(number === undefined ? {} : { num: number }), ...(flag === undefined ? {} : { flag }) };
}

function fromV1({ num, flag, ...rest }: TestValue): TestValue {
  const toggles = flag === undefined ? {} : { toggles: { flag } };
  return { ...rest, ...(num === undefined ? {} : { number: num }), ...toggles };
}

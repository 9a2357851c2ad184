import { badRequest, hasStatusCode, plainError } from '../../machinery/errors/status.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { TypeDefinition } from '../../machinery/resource.ts';
import { decodeApplyConfig, type PatchBody } from '../../resources/patch/decode-patch.ts';
import type { Change } from '../../resources/rest.ts';

/*
 * The scale of a custom resource is a typed object behind a handler for objects without Go types, which cannot encode it in
 * protobuf, cannot name it in errors of decoding, and cannot convert it after an apply. (customresource_handler.go scaleScope)
 */

/** Returns the type without protobuf. A body may still have it. */
export function withoutProtobuf({ protobuf: _, ...type }: TypeDefinition): TypeDefinition {
  return type;
}

/** Decodes a body, and replaces each error about it by the one that upstream finds when it words that error. */
export async function decodingCustomScale<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    if (!hasStatusCode(error, 400)) throw error;
    throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
  }
}

/**
 * Returns an apply that fails unless it leaves the scale as it is, since its result has no way back to the custom resource.
 * (managedfields structuredMergeManager.Apply, skipNonAppliedManager.Apply)
 */
export function customApply(apply: Change, body: PatchBody): Change {
  return {
    operation: apply.operation,
    async change(write) {
      const scale = await apply.change(write);
      const { before } = write;
      const isManaged = (before?.metadata.managedFields ?? []).length > 0;
      if (!isManaged) throw plainError(`failed to create manager for existing fields: ${unconverted('live', '/')}`);
      if (!equalJson(contentOf(scale), contentOf(before as KubeObject))) throw plainError(unconverted('new', keyIn(body)));
      return scale;
    },
  };
}

/** Returns `NAMESPACE/NAME` as a configuration has them. Each may be empty. */
function keyIn(body: PatchBody): string {
  const { namespace = '', name = '' } = decodeApplyConfig(body).config.metadata;
  return `${namespace}/${name}`;
}

const unconverted = (which: 'live' | 'new', key: string): string =>
  `failed to convert ${which} object (${key}; autoscaling/v1, Kind=Scale) to proper version: ` +
  'request to convert CR to an invalid group/version: autoscaling/v1';

function contentOf({ metadata, ...rest }: KubeObject): object {
  const { managedFields: _, ...names } = metadata;
  return { ...rest, metadata: names };
}

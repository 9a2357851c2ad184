import { decodeYaml } from '../../codec/yaml.ts';
import { withoutEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { type Json, type JsonObject, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { applyMergePatch } from '../../patch/merge-patch.ts';
import { applyStrategicMergePatch } from '../../patch/strategic-merge/apply.ts';
import type { StagePatch } from './stage-steps.ts';
import type { TemplateFunctions } from './template/functions.ts';
import { renderTemplate } from './template/render.ts';

/**
 * Renders a patch template for an object.
 *
 * @throws TemplateError; Error if the result is not YAML
 */
export function renderPatch({ template }: StagePatch, object: KubeObject, functions: TemplateFunctions): Json {
  return decodeYaml(Buffer.from(renderTemplate(template, object, functions)));
}

/**
 * Applies a patch to an object, and prunes the result to its type.
 *
 * @throws Error, PatchError
 */
export function patched(object: KubeObject, rendered: Json, patch: StagePatch, definition: ResourceDefinition): KubeObject {
  const current = unstructuredContent(object);
  const result = patch.type === 'json' ? jsonPatched(current, rendered, patch.root) : merged(current, rendered, patch, definition);
  return definition.type.prune(result, new PruneContext());
}

function jsonPatched(current: JsonObject, rendered: Json, root: string): Json {
  if (!Array.isArray(rendered) || !rendered.every(isJsonObject)) throw new Error('a JSON patch must be a list of operations');
  const operations = rendered.map((one) => (root === '' ? one : { ...one, path: `/${root}${String(one.path ?? '')}` }));
  return withoutEventLoopBudget(() => applyJsonPatch(current, operations));
}

function merged(current: JsonObject, rendered: Json, { root, type }: StagePatch, definition: ResourceDefinition): JsonObject {
  const patch = root === '' ? rendered : { [root]: rendered };
  if (!isJsonObject(patch)) throw new Error('a patch must be a map');
  const isStrategic = type === 'strategic' || (type === '' && definition.group === '' && strategicKinds.has(definition.kind));
  return isStrategic ? applyStrategicMergePatch(current, patch, definition.type.merge) : applyMergePatch(current, patch);
}

const strategicKinds: ReadonlySet<string> = new Set(['Node', 'Pod']);

import { readBody } from '../../http/body.ts';
import { parsePatchOptions, parseUpdateOptions } from '../../http/query.ts';
import { respondBytes } from '../../http/respond.ts';
import { type FieldError, invalid as invalidField } from '../../machinery/field-error.ts';
import { FieldPath } from '../../machinery/field-path.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import { memberAt, setMemberAt } from '../../machinery/member-path.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, SubresourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import { invalid, pathNotFound } from '../../machinery/status.ts';
import { selectorText } from '../../resources/builtin/label-selector-text.ts';
import type { Written } from '../../resources/result.ts';
import { decodeBody } from '../decode-body.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { negotiateForm } from '../forms/forms.ts';
import { objectAt } from '../forms/versioned.ts';
import { checkName, checkNamespace } from '../names.ts';
import { applyPatch } from '../patching/apply-patch.ts';
import { editOf } from '../patching/patch-of.ts';
import { writerOf } from '../respond-written.ts';

type ScalePaths = NonNullable<SubresourceDefinition['scale']>;

/** The number of replicas of anything that has one, as an autoscaling/v1 Scale. */
export async function scaleSubresource(request: ResourceRequest, subresource: SubresourceDefinition): Promise<void> {
  const { scale: paths, type } = subresource;
  if (paths === undefined || type === undefined) throw pathNotFound();
  const asScale: ResourceRequest = { ...request, definition: scaleDefinition(request.definition, type) };
  const form = await negotiateForm(asScale, 'object');
  const scale = await changed(request, type, paths);
  await respondBytes(request.ctx, 200, form.contentType, form.oneObject(scale));
}

async function changed(request: ResourceRequest, type: TypeDefinition, paths: ScalePaths): Promise<KubeObject> {
  const { ctx, definition, store, namespace, name, info } = request;
  if (info.verb === 'get') return scaleOf(objectAt(definition, store.get(namespace, name)), type, paths);
  const isPatch = info.verb === 'patch';
  const options = isPatch ? parsePatchOptions(ctx.state.query, false) : parseUpdateOptions(ctx.state.query);
  const change = isPatch ? await patchedScale(request, type) : await sentScale(request, type);
  const written = await store.update(
    definition,
    {
      namespace,
      name,
      change(current) {
        const object = current as KubeObject;
        const before = scaleOf(object, type, paths);
        const scale = change(before);
        checkName(request, scale);
        checkNamespace(request, scale);
        requireReplicas(type, scale);
        object.metadata.resourceVersion = scale.metadata.resourceVersion ?? '';
        if (scale.metadata.uid) object.metadata.uid = scale.metadata.uid;
        setMemberAt(object, paths.specReplicas, scale.spec?.replicas ?? 0);
        return object;
      },
      part: 'main',
      subresource: 'scale',
      createIfAbsent: false,
      requireVersion: false,
    },
    writerOf(request, options.dryRun, options),
  );
  return scaleOf(objectOf(definition, written), type, paths);

  async function sentScale(of: ResourceRequest, kind: TypeDefinition): Promise<(before: KubeObject) => KubeObject> {
    const sent = await decodeBody(of.ctx, kind, options.fieldValidation);
    return () => structuredClone(sent);
  }

  async function patchedScale(of: ResourceRequest, kind: TypeDefinition): Promise<(before: KubeObject) => KubeObject> {
    const asScale = scaleDefinition(of.definition, kind);
    const patch = editOf(of.ctx, asScale, await readBody(of.ctx));
    return (before) => applyPatch(of.ctx, asScale, before, patch, options.fieldValidation);
  }
}

function objectOf(definition: ResourceDefinition, written: Written): KubeObject {
  return written.kind === 'stored' ? objectAt(definition, written.stored) : written.object;
}

function scaleOf(object: KubeObject, type: TypeDefinition, paths: ScalePaths): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths.selector === undefined ? undefined : selectorAt(object, paths.selector);
  const replicas = memberAt(object, paths.specReplicas) as number | undefined;
  return {
    kind: type.kind,
    apiVersion: formatGroupVersion(type),
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas ? { replicas } : {},
    status: {
      replicas: (memberAt(object, paths.statusReplicas) as number | undefined) ?? 0,
      ...(selector ? { selector } : {}),
    },
  } as KubeObject;
}

/** Replication controllers have a plain map where the others have a LabelSelector, or, in groups of one's own, its text. */
function selectorAt(object: KubeObject, path: string): string {
  const selector = memberAt(object, path) ?? {};
  if (typeof selector === 'string') return selector;
  const isSelector = Object.hasOwn(selector, 'matchLabels') || Object.hasOwn(selector, 'matchExpressions');
  return selectorText(isSelector ? selector : { matchLabels: selector });
}

function requireReplicas(type: TypeDefinition, scale: KubeObject): void {
  const errors: FieldError[] = [];
  type.validate(scale, FieldPath.root, errors);
  const replicas = scale.spec?.replicas ?? 0;
  const path = FieldPath.of('spec', 'replicas');
  if (replicas < 0 && errors.length === 0)
    errors.push(invalidField(path, replicas, 'must be greater than or equal to 0'));
  if (errors.length > 0) throw invalid(type, scale.metadata.name ?? '', errors);
}

/** Enough of a definition to read and write a Scale: it has no store and no conversions of its own. */
function scaleDefinition(definition: ResourceDefinition, type: TypeDefinition): ResourceDefinition {
  let made = scaleDefinitions.get(definition);
  if (made === undefined) {
    const { group, version, kind } = type;
    made = { ...definition, group, version, kind, type, storageVersion: version, listKind: '' };
    delete (made as { storageGroup?: string }).storageGroup;
    scaleDefinitions.set(definition, made);
  }
  return made;
}

const scaleDefinitions = new WeakMap<ResourceDefinition, ResourceDefinition>();

import { readBody } from '../../http/body.ts';
import { parsePatchOptions, parseUpdateOptions } from '../../http/options/write-options.ts';
import { respondBytes } from '../../http/respond.ts';
import { badRequest, conflict, invalid, pathNotFound } from '../../machinery/errors/status.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import { memberAt, setMemberAt } from '../../machinery/json/member-path.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, SubresourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import { selectorText } from '../../machinery/selectors/label-selector-text.ts';
import { Field } from '../../machinery/validation/field.ts';
import { type FieldError, invalid as invalidField } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { WriteResult, Writer } from '../../resources/rest.ts';
import { readStored } from '../../resources/views.ts';
import { decodeBody } from '../decode-body.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import { checkName, checkNamespace } from '../namer.ts';
import { applyPatch } from '../patch/apply-patch.ts';
import { decodePatch, isApply, patchTypeOf } from '../patch/decode-patch.ts';
import { applyConfig } from '../patch/server-side-apply.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { writerOf } from '../write-result.ts';
import { scaleColumns } from './scale-columns.ts';
import { scaleOwnership } from './scale-ownership.ts';

type ScalePaths = NonNullable<SubresourceDefinition['scale']>;

/** The number of replicas of anything that has one, as an autoscaling/v1 Scale. */
export async function scaleSubresource(request: ResourceRequest, subresource: SubresourceDefinition): Promise<void> {
  const { scale: paths, type } = subresource;
  if (paths === undefined || type === undefined) throw pathNotFound();
  const asScale: ResourceRequest = { ...request, definition: scaleDefinition(request.definition, type) };
  const encoding = await negotiateEncoding(asScale, 'object');
  const scale = await changed(request, type, paths);
  await respondBytes(request.ctx, 200, encoding.contentType, encoding.encode(scale));
}

async function changed(request: ResourceRequest, type: TypeDefinition, paths: ScalePaths): Promise<KubeObject> {
  const { definition, store, namespace, name, info } = request;
  if (info.verb === 'get') return scaleOf(await readStored(definition, store.get(namespace, name)), type, paths);
  const asScale: ResourceRequest = { ...request, definition: scaleDefinition(request.definition, type) };
  // custom resources judge their replicas themselves
  const isCustom = definition.type.protobuf === undefined;
  const { change, writer } = info.verb === 'patch' ? await patchedScale(asScale) : await sentScale(asScale);
  const written = await store.update(
    definition,
    {
      namespace,
      name,
      async change(current) {
        const object = current as KubeObject;
        const ownership = await scaleOwnership(request, object);
        const { managedFields } = object.metadata;
        const before = scaleOf(object, type, paths);
        before.metadata.managedFields = ownership.ofScale(managedFields);
        if (isCustom && memberAt(object, paths.specReplicas) === undefined) before.spec = { replicas: neverSet };
        const scale = await change(before);
        checkNamespace(asScale, scale);
        checkName(asScale, scale);
        if (scale.spec?.replicas === neverSet) {
          throw badRequest(`the spec replicas field ".${paths.specReplicas}" cannot be empty`);
        }
        if (!isCustom) {
          requireReplicas(type, scale, name);
          requireUid(definition, scale, object);
        }
        object.metadata.resourceVersion = scale.metadata.resourceVersion ?? '';
        object.metadata.managedFields = ownership.ofParent(scale.metadata.managedFields, managedFields);
        if (object.metadata.managedFields === undefined) delete object.metadata.managedFields;
        setMemberAt(object, paths.specReplicas, scale.spec?.replicas ?? 0);
        return object;
      },
      part: 'main',
      subresource: 'scale',
      applies: true,
      createIfAbsent: false,
      requireVersion: false,
    },
    writer,
  );
  return scaleOf(await objectOf(definition, written), type, paths);
}

/** What a patch finds in place of replicas that a custom resource does not have. (customresource/etcd.go) */
const neverSet = -2147483648;

/** Makes the new scale of the one before; with its managedFields. */
interface ScaleChange {
  change(before: KubeObject): Promise<KubeObject>;
  readonly writer: Writer;
}

async function sentScale(request: ResourceRequest): Promise<ScaleChange> {
  const { ctx, definition } = request;
  const options = parseUpdateOptions(ctx.state.query);
  const sent = await decodeBody(ctx, definition.type, options.fieldValidation);
  const writer = writerOf(request, options.dryRun, options);
  return { writer, change: (before) => ownedScale(request, before, structuredClone(sent), writer) };
}

async function patchedScale(request: ResourceRequest): Promise<ScaleChange> {
  const { ctx, definition } = request;
  const mediaType = patchTypeOf(ctx, definition);
  const body = await readBody(ctx);
  const options = parsePatchOptions(ctx.state.query, isApply(mediaType));
  const writer = writerOf(request, options.dryRun, options);
  return {
    writer,
    async change(before) {
      const version = before.metadata.resourceVersion;
      const patch = decodePatch(mediaType, body, options.fieldValidation);
      const after =
        patch.kind === 'apply'
          ? await applyConfig(request, before, patch, options)
          : await ownedScale(
              request,
              before,
              applyPatch(ctx, definition, before, patch, options.fieldValidation),
              writer,
            );
      if (!after.metadata.resourceVersion) after.metadata.resourceVersion = version;
      return after;
    },
  };
}

async function ownedScale(
  { scope, definition }: ResourceRequest,
  before: KubeObject,
  after: KubeObject,
  { fieldManager = '' }: Writer,
): Promise<KubeObject> {
  const manager = await scope.stores.fieldManagers.of(definition, 'scale', before);
  return manager.update(before, after, fieldManager);
}

function requireUid({ group, resource }: ResourceDefinition, { metadata }: KubeObject, object: KubeObject): void {
  const { uid, name = '' } = object.metadata;
  if (!metadata.uid || metadata.uid === uid) return;
  const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`;
  throw conflict({ group, resource: `${resource}/scale` }, name, why);
}

function objectOf(definition: ResourceDefinition, written: WriteResult): KubeObject | Promise<KubeObject> {
  return written.kind === 'stored' ? readStored(definition, written.stored) : written.object;
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

function requireReplicas(type: TypeDefinition, scale: KubeObject, name: string): void {
  const errors: FieldError[] = [];
  type.validate(scale, Field.at(FieldPath.root, errors));
  const replicas = scale.spec?.replicas ?? 0;
  const path = FieldPath.of('spec', 'replicas');
  if (replicas < 0 && errors.length === 0)
    errors.push(invalidField(path, replicas, 'must be greater than or equal to 0'));
  if (errors.length > 0) throw invalid(type, name, errors);
}

/** Enough of a definition to read and write a Scale: it has no store and no conversions of its own. */
function scaleDefinition(definition: ResourceDefinition, type: TypeDefinition): ResourceDefinition {
  let made = scaleDefinitions.get(definition);
  if (made === undefined) {
    const { group, version, kind } = type;
    made = { ...definition, group, version, kind, type, storageVersion: version, listKind: '', columns: scaleColumns };
    delete (made as { storageGroup?: string }).storageGroup;
    delete (made as { decoder?: unknown }).decoder;
    scaleDefinitions.set(definition, made);
  }
  return made;
}

const scaleDefinitions = new WeakMap<ResourceDefinition, ResourceDefinition>();

import type { Scale } from '../../../generated/v1.35/autoscaling/v1/types.ts';
import { readBody } from '../../http/body.ts';
import { parsePatchOptions, parseUpdateOptions, type WriteOptions } from '../../http/options/write-options.ts';
import { respondBytes } from '../../http/respond.ts';
import { badRequest, conflict, internalError, invalid, pathNotFound } from '../../machinery/errors/status.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import { defined, setOrDelete } from '../../machinery/json/defined.ts';
import { memberAt, setMemberAt } from '../../machinery/json/member-path.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, SubresourceDefinition, TableColumn, TypeDefinition } from '../../machinery/resource.ts';
import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { validateObjectMeta } from '../../resources/metadata-validation.ts';
import { isApply } from '../../resources/patch/decode-patch.ts';
import type { Change, OpenedView, SubresourceView } from '../../resources/rest.ts';
import { type ScalePaths, scaleOf } from '../../resources/scale.ts';
import { readStored } from '../../resources/views.ts';
import { Replacement } from '../../resources/write/changes.ts';
import { logRequestObject, logRequestPatch } from '../audit.ts';
import { ClientWriter } from '../client-writer.ts';
import { decodeBodyAndKind } from '../decode-body.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import { checkName, checkNamespace } from '../namer.ts';
import { patchTypeOf } from '../patch-types.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { patchBody, patchOf } from '../verbs/patch.ts';
import { noteWritten } from '../write-result.ts';
import { customApply, decodingCustomScale, withoutProtobuf } from './custom-scale.ts';
import { scaleColumns } from './scale-columns.ts';
import { scaleManagedFields } from './scale-managed-fields.ts';

/** Reads or writes the number of replicas of an object, as an autoscaling/v1 Scale. */
export async function scaleSubresource(request: ResourceRequest, { scale: paths, type }: SubresourceDefinition): Promise<void> {
  if (paths === undefined || type === undefined) throw pathNotFound();
  const definition = scaleDefinition(request.definition, type, paths.columns);
  const scaleRequest: ResourceRequest = { ...request, definition };
  const encoding = await negotiateEncoding(scaleRequest, 'object');
  const scale = await new ScaleREST(request, scaleRequest, type, paths).run();
  await respondBytes(request.ctx, 200, encoding.contentType, encoding.encode(scale));
}

type ScaleObject = KubeObject & Scale;

/** What a patch finds as the replicas of a custom resource that has none. (customresource/etcd.go) */
const absentReplicas = -2147483648;

/** One request for the scale of an object. (each registry's ScaleREST, and scaleUpdatedObjectInfo) */
class ScaleREST {
  /** The request for the object. */
  readonly #request: ResourceRequest;
  /** The same request with the definition of the scale. */
  readonly #scaleRequest: ResourceRequest;
  readonly #type: TypeDefinition;
  readonly #paths: ScalePaths;

  constructor(request: ResourceRequest, scaleRequest: ResourceRequest, type: TypeDefinition, paths: ScalePaths) {
    this.#request = request;
    this.#scaleRequest = scaleRequest;
    this.#type = type;
    this.#paths = paths;
  }

  /** Returns the scale, after the write if the request is one. */
  async run(): Promise<ScaleObject> {
    const { definition, store, namespace, name, info } = this.#request;
    switch (info.verb) {
      case 'get':
        return this.#scaleOfExisting(await readStored(definition, await store.newest(namespace, name)));
      case 'patch':
        return this.#patch();
      default:
        return this.#update();
    }
  }

  /** @throws StatusError 500 for a custom resource without replicas, as upstream */
  #scaleOfExisting(object: KubeObject): ScaleObject {
    const { specReplicas } = this.#paths;
    if (this.#isCustom && memberAt(object, specReplicas) === undefined) {
      throw internalError(`the spec replicas field ".${specReplicas}" does not exist`);
    }
    return this.#scaleOf(object);
  }

  async #update(): Promise<ScaleObject> {
    const { ctx } = this.#request;
    const options = parseUpdateOptions(ctx.state.query);
    const decode = () => decodeBodyAndKind(ctx, this.#type, options.fieldValidation);
    const { object: scale, namesKind } = await (this.#isUnstructured ? decodingCustomScale(decode) : decode());
    logRequestObject(this.#request, scale);
    checkNamespace(this.#scaleRequest, scale);
    checkName(this.#scaleRequest, scale);
    // upstream finds no schema for a Scale that does not say what it is, and drops its managed fields
    const isTracked = !this.#isCustom || namesKind;
    delete scale.metadata.managedFields;
    const change = isTracked ? new Replacement(scale) : untrackedReplacement(scale);
    return this.#write(change, options, scale.metadata.uid);
  }

  async #patch(): Promise<ScaleObject> {
    const { ctx, definition } = this.#request;
    // the scale of a custom resource has no strategic merge patch either
    const mediaType = patchTypeOf(ctx, definition);
    const body = await readBody(ctx);
    const options = parsePatchOptions(ctx.state.query, isApply(mediaType));
    logRequestPatch(this.#request, body, mediaType);
    const patch = withVersion(patchOf(this.#request, mediaType, body, options));
    const isCustomApply = this.#isUnstructured && isApply(mediaType);
    return this.#write(isCustomApply ? customApply(patch, patchBody(ctx, mediaType, body, options)) : patch, options);
  }

  /** @param uid that the body of a PUT contains */
  async #write(change: Change, options: WriteOptions, uid?: string): Promise<ScaleObject> {
    const { definition, store, namespace, name, ctx } = this.#request;
    const view: SubresourceView = {
      definition: this.#scaleRequest.definition,
      of: (object) => this.#scaleOf(object),
      open: (object) => this.#open(object),
    };
    const result = await store.update(
      definition,
      {
        namespace,
        name,
        change,
        view,
        part: 'main',
        subresource: 'scale',
        requireVersion: false,
        preconditionUid: uid,
      },
      ClientWriter.manager(this.#request, options),
    );
    noteWritten(ctx, result);
    return this.#scaleOf(result.kind === 'stored' ? await readStored(definition, result.stored) : result.object);
  }

  async #open(object: KubeObject): Promise<OpenedView> {
    const { specReplicas } = this.#paths;
    const fields = await scaleManagedFields(this.#request, object);
    const { managedFields } = object.metadata;
    const old = this.#scaleOf(object);
    const scaleFields = fields.toScale(managedFields);
    if (scaleFields !== undefined) old.metadata.managedFields = scaleFields;
    if (this.#isCustom && memberAt(object, specReplicas) === undefined) old.spec = { replicas: absentReplicas };
    return {
      old,
      close: (changed) => {
        const scale = changed as ScaleObject;
        this.#validate(scale, object);
        object.metadata.resourceVersion = scale.metadata.resourceVersion ?? '';
        setOrDelete(object.metadata, 'managedFields', fields.toParent(scale.metadata.managedFields, managedFields));
        setMemberAt(object, specReplicas, scale.spec?.replicas ?? 0);
        return object;
      },
    };
  }

  get #isUnstructured(): boolean {
    return this.#request.definition.type.unstructured === true;
  }

  /** Types without protobuf, as those of custom resources, validate their replicas with the rest of the object. */
  get #isCustom(): boolean {
    return this.#request.definition.type.protobuf === undefined;
  }

  #validate(scale: ScaleObject, object: KubeObject): void {
    if (this.#isCustom) {
      if (scale.spec?.replicas !== absentReplicas) return;
      throw badRequest(`the spec replicas field ".${this.#paths.specReplicas}" cannot be empty`);
    }
    validateScale(this.#type, scale, this.#request.name);
    checkUid(this.#request.definition, scale, object);
  }

  #scaleOf(object: KubeObject): ScaleObject {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
    const { specReplicas: replicas, statusReplicas, selector } = scaleOf(object, this.#paths);
    return {
      kind: this.#type.kind,
      apiVersion: formatGroupVersion(this.#type),
      metadata: defined({ name, namespace: namespace || undefined, uid, resourceVersion, creationTimestamp }),
      spec: replicas ? { replicas } : {},
      status: { replicas: statusReplicas, ...(selector ? { selector } : {}) },
    };
  }
}

/** Takes the scale's place, and leaves its managed fields behind. */
const untrackedReplacement = (scale: KubeObject): Change => ({ operation: 'Update', change: () => cloneJson(scale) });

/** A patch that takes the version away does not say which one it is for. */
function withVersion(patch: Change): Change {
  return {
    operation: patch.operation,
    async change(write) {
      const scale = await patch.change(write);
      const { metadata } = scale;
      if (!metadata.resourceVersion) setOrDelete(metadata, 'resourceVersion', write.before?.metadata.resourceVersion);
      return scale;
    },
  };
}

function checkUid({ group, resource }: ResourceDefinition, { metadata }: KubeObject, object: KubeObject): void {
  const { uid, name = '' } = object.metadata;
  if (!metadata.uid || metadata.uid === uid) return;
  const reason = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`;
  throw conflict({ group, resource: `${resource}/scale` }, name, reason);
}

/** (ValidateScale) */
function validateScale(type: TypeDefinition, scale: ScaleObject, name: string): void {
  const errors: FieldError[] = [];
  const root = Field.at(FieldPath.root, errors);
  validateObjectMeta(scale.metadata, { nameRule: 'dns-subdomain', namespaced: true }, root.child('metadata'));
  type.validate(scale, root);
  if (errors.length > 0) throw invalid(type, name, errors);
}

const scaleDefinitions = new WeakMap<ResourceDefinition, ResourceDefinition>();

/** Returns what encoding and decoding a Scale needs of a definition. It has no store and no conversion. */
function scaleDefinition(
  definition: ResourceDefinition,
  type: TypeDefinition,
  columns: readonly TableColumn[] = scaleColumns,
): ResourceDefinition {
  let known = scaleDefinitions.get(definition);
  if (known === undefined) {
    const { storageGroup: _, decoder: __, ...parent } = definition;
    const { group, version, kind } = type;
    const sent = definition.type.unstructured ? withoutProtobuf(type) : type;
    known = { ...parent, group, version, kind, type: sent, storageVersion: version, listKind: '', columns };
    scaleDefinitions.set(definition, known);
  }
  return known;
}

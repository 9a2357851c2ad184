import type { BoundObjectReference, TokenRequest } from '../../../generated/v1.35/authentication.k8s.io/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { TokenBinding } from '../../authentication/service-account/claims.ts';
import { respondBytes } from '../../http/respond.ts';
import { badRequest, conflict, invalid, notFound, pathNotFound, serviceUnavailable } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, SubresourceDefinition } from '../../machinery/resource.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { Field } from '../../machinery/validation/field.ts';
import { type FieldError, invalid as invalidField } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { admit, validateAdmission } from '../../resources/write/admission.ts';
import { manageFields } from '../../resources/write/create.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { logRequestObject } from '../audit.ts';
import { ClientWriter } from '../client-writer.ts';
import { createOptionsOf } from '../create-options.ts';
import { decodeBody } from '../decode-body.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import { checkNamespace } from '../namer.ts';
import type { ResourceRequest } from '../resource-request.ts';

/** In seconds. (pkg/apis/authentication: v1/defaults.go, validation) */
const defaultExpiration = 3600;
const minExpiration = 600;
const maxExpiration = 2 ** 32;

/** Creates a token for a service account. (pkg/registry/core/serviceaccount/storage/token.go TokenREST) */
export async function tokenSubresource(request: ResourceRequest, { type }: SubresourceDefinition): Promise<void> {
  const { ctx, scope, definition, store, namespace, name } = request;
  if (type === undefined) throw pathNotFound();
  const options = createOptionsOf(ctx);
  const kind = { group: type.group, version: type.version, kind: type.kind };
  const tokenDefinition: ResourceDefinition = { ...definition, ...kind, type, storageVersion: type.version };
  const encoding = await negotiateEncoding({ ...request, definition: tokenDefinition }, 'object');
  const body = await decodeBody(ctx, type, options.fieldValidation);
  type.setDefaults(body);
  const { spec } = body as KubeObject & Partial<TokenRequest>;
  if (spec) spec.expirationSeconds ??= defaultExpiration;
  logRequestObject(request, body);
  const target = { namespace, name, subresource: request.info.subresource, type };
  const managed = store.write('CREATE', tokenDefinition, target, ClientWriter.manager(request, options));
  managed.object = body;
  await manageFields(managed);
  const write = store.write('CREATE', definition, target, new ClientWriter(request, options.dryRun));
  write.object = managed.object;
  await admit(write);
  const tokenRequest = write.object as KubeObject & TokenRequest;
  checkNamespace(request, tokenRequest);
  checkTokenName(tokenRequest, kind, name);
  const account = await store.newest(namespace, name);
  const { uid = account.uid } = tokenRequest.metadata;
  if (uid !== account.uid) {
    const reason = `the UID in the token request (${uid}) does not match the UID of the service account (${account.uid})`;
    throw conflict({ group: type.group, resource: type.kind }, name, reason);
  }
  const errors: FieldError[] = [];
  type.validate(tokenRequest, Field.at(FieldPath.root, errors));
  tokenRequest.spec.expirationSeconds ??= defaultExpiration;
  const seconds: number | bigint = tokenRequest.spec.expirationSeconds;
  checkExpiration(seconds, errors);
  if (errors.length > 0) throw invalid(kind, '', errors);
  await validateAdmission(write);
  const binding = await bindingOf(request, tokenRequest.spec.boundObjectRef);
  if (scope.issueToken === undefined) throw serviceUnavailable('this server signs no tokens');
  const now = scope.clock.now();
  const token = await scope.issueToken({
    namespace,
    account: { name, uid },
    audiences: tokenRequest.spec.audiences ?? [],
    expirationSeconds: Number(seconds),
    binding,
  });
  ctx.state.audit?.addAnnotation('authentication.kubernetes.io/issued-credential-id', token.credentialId);
  tokenRequest.metadata = { ...tokenRequest.metadata, name, namespace, uid, creationTimestamp: timeText(now) };
  ctx.state.addWarnings(...token.warnings);
  const { audiences, expirationSeconds } = token;
  tokenRequest.spec = { ...tokenRequest.spec, audiences: [...audiences], expirationSeconds };
  tokenRequest.status = { token: token.token, expirationTimestamp: timeText(token.expiresAt) };
  await respondBytes(ctx, 201, encoding.contentType, encoding.encode(tokenRequest));
}

function checkTokenName({ metadata }: KubeObject, kind: { group: string; kind: string }, name: string): void {
  if (!metadata.name || metadata.name === name) return;
  const path = FieldPath.root.child('metadata').child('name');
  const error = invalidField(path, metadata.name, 'must match the service account name if specified');
  throw invalid(kind, name, [error]);
}

function checkExpiration(seconds: number | bigint, errors: FieldError[]): void {
  const path = FieldPath.root.child('spec').child('expirationSeconds');
  if (seconds < minExpiration) {
    errors.push(invalidField(path, seconds, 'may not specify a duration less than 10 minutes'));
  }
  if (seconds > maxExpiration) {
    errors.push(invalidField(path, seconds, 'may not specify a duration larger than 2^32 seconds'));
  }
}

/** Returns the object to which the token is bound. @throws StatusError 400; 404 if it does not exist; 409 for another UID */
async function bindingOf(request: ResourceRequest, reference?: BoundObjectReference): Promise<TokenBinding> {
  if (reference === undefined || reference === null) return {};
  const { namespace } = request;
  const { apiVersion = '', kind = '', name = '' } = reference;
  const [group, version] = splitApiVersion(apiVersion);
  if (group !== '' || (kind !== 'Pod' && kind !== 'Secret' && kind !== 'Node')) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  if (name === '') throw badRequest('Name parameter required.');
  const bound = { name, uid: '' };
  let node: TokenBinding['node'];
  if (kind === 'Pod') {
    const pod = await requireStored(request, 'pods', namespace, name);
    const { spec } = pod.decode() as KubeObject & Pod;
    if (spec?.serviceAccountName !== request.name) {
      const account = JSON.stringify(request.name);
      throw badRequest(`cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`);
    }
    if (spec.nodeName) {
      const found = await findStored(request, 'nodes', '', spec.nodeName);
      node = { name: spec.nodeName, ...(found && { uid: found.uid }) };
    }
    bound.uid = pod.uid;
  } else {
    const [resource, space] = kind === 'Secret' ? ['secrets', namespace] : ['nodes', ''];
    bound.uid = (await requireStored(request, resource, space, name)).uid;
  }
  if (reference.uid && reference.uid !== bound.uid) {
    throw conflict(
      { group, resource: kind },
      name,
      `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  if (kind === 'Pod') return { pod: bound, node };
  return kind === 'Secret' ? { secret: bound } : { node: bound };
}

/** Returns empty strings for an invalid apiVersion. (schema.FromAPIVersionAndKind) */
function splitApiVersion(text: string): readonly [group: string, version: string] {
  const [group = '', version, ...others] = text.split('/');
  if (version === undefined) return ['', text];
  return others.length === 0 ? [group, version] : ['', ''];
}

async function requireStored(request: ResourceRequest, resource: string, namespace: string, name: string): Promise<StoredObject> {
  const found = await findStored(request, resource, namespace, name);
  if (found === undefined) throw notFound({ group: '', resource }, name);
  return found;
}

async function findStored(
  { scope: { registry, stores } }: ResourceRequest,
  resource: string,
  namespace: string,
  name: string,
): Promise<StoredObject | undefined> {
  if (registry.lookup('', 'v1', resource) === undefined) return undefined;
  const { collection } = await stores.byResource('', 'v1', resource);
  return (await collection.mostRecent()).get(namespace, name);
}

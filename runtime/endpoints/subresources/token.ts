import { parseCreateOptions } from '../../http/query.ts';
import { respondBytes } from '../../http/respond.ts';
import type { ResourceDefinition, SubresourceDefinition } from '../../machinery/resource.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { pathNotFound, serviceUnavailable } from '../../machinery/status.ts';
import { decodeBody } from '../decode-body.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { negotiateForm } from '../forms/forms.ts';
import { checkNamespace } from '../names.ts';

/** A token for a service account, for as long as it asks. (pkg/registry/core/serviceaccount/storage/token.go) */
export async function tokenSubresource(request: ResourceRequest, { type }: SubresourceDefinition): Promise<void> {
  const { ctx, deps, definition, store, namespace, name } = request;
  if (type === undefined) throw pathNotFound();
  const options = parseCreateOptions(ctx.state.query);
  const asToken: ResourceDefinition = { ...definition, ...pick(type), type, storageVersion: type.version };
  const form = await negotiateForm({ ...request, definition: asToken }, 'object');
  const account = store.get(namespace, name);
  const asked = await decodeBody(ctx, type, options.fieldValidation);
  checkNamespace(request, asked);
  type.setDefaults(asked);
  if (deps.issueToken === undefined) throw serviceUnavailable('this server signs no tokens');
  const seconds = Number(asked.spec?.expirationSeconds ?? 3600);
  const token = await deps.issueToken({
    namespace,
    name,
    uid: account.uid,
    audiences: asked.spec?.audiences ?? [],
    expirationSeconds: seconds,
  });
  asked.metadata = { ...asked.metadata, name, namespace, creationTimestamp: timeText(deps.clock.now()) };
  asked.spec = { ...asked.spec, audiences: token.audiences };
  asked.status = { token: token.token, expirationTimestamp: timeText(token.expiresAt) };
  await respondBytes(ctx, 201, form.contentType, form.oneObject(asked));
}

const pick = ({ group, version, kind }: ResourceDefinition['type']) => ({ group, version, kind });

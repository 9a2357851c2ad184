import { describe, expect, test } from '@jest/globals';
import * as status from '../../../../runtime/machinery/errors/status.ts';
import { forbidden as forbiddenField, invalid as invalidField } from '../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../runtime/machinery/validation/field-path.ts';

const pods = { group: '', resource: 'pods' };
const deployments = { group: 'apps', resource: 'deployments' };
const deployment = { group: 'apps', kind: 'Deployment' };

describe('every reason of a Status has its code, details and message format', () => {
  test.each<[string, status.StatusError, number, string, unknown]>([
    ['BadRequest', status.badRequest('no'), 400, 'no', undefined],
    ['Unauthorized', status.unauthorized(), 401, 'Unauthorized', undefined],
    [
      'Forbidden',
      status.forbidden(deployments, 'd', 'because'),
      403,
      'deployments.apps "d" is forbidden: because',
      { name: 'd', group: 'apps', kind: 'deployments' },
    ],
    ['Forbidden', status.forbidden(pods, '', 'because'), 403, 'pods is forbidden: because', { kind: 'pods' }],
    ['NotFound', status.notFound(pods, 'p'), 404, 'pods "p" not found', { name: 'p', kind: 'pods' }],
    ['NotFound', status.pathNotFound(), 404, 'the server could not find the requested resource', {}],
    [
      'MethodNotAllowed',
      status.methodNotAllowed(pods, 'patch'),
      405,
      'patch is not supported on resources of kind "pods"',
      { kind: 'pods' },
    ],
    ['NotAcceptable', status.notAcceptable(['a/b', 'c/d']), 406, 'only the following media types are accepted: a/b, c/d', undefined],
    [
      'AlreadyExists',
      status.alreadyExists(deployments, 'd'),
      409,
      'deployments.apps "d" already exists',
      { name: 'd', group: 'apps', kind: 'deployments' },
    ],
    [
      'AlreadyExists',
      status.generateNameConflict(pods, 'p', 1),
      409,
      'pods "p" already exists, the server was not able to generate a unique name for the object',
      { name: 'p', kind: 'pods', retryAfterSeconds: 1 },
    ],
    ['Conflict', status.conflict(pods, 'p', 'why'), 409, 'Operation cannot be fulfilled on pods "p": why', { name: 'p', kind: 'pods' }],
    ['Gone', status.gone('too old'), 410, 'too old', undefined],
    ['Expired', status.resourceExpired('too old'), 410, 'too old', undefined],
    ['RequestEntityTooLarge', status.requestEntityTooLarge('much'), 413, 'much', undefined],
    [
      'UnsupportedMediaType',
      status.unsupportedMediaType(['a/b']),
      415,
      'the body of the request was in an unknown format - accepted media types include: a/b',
      undefined,
    ],
    [
      'Invalid',
      status.invalid(deployment, 'd', [
        invalidField(FieldPath.of('spec', 'replicas'), -1, 'must be more'),
        forbiddenField(FieldPath.of('spec', 'x'), 'not here'),
      ]),
      422,
      'Deployment.apps "d" is invalid: [spec.replicas: Invalid value: -1: must be more, spec.x: Forbidden: not here]',
      {
        name: 'd',
        group: 'apps',
        kind: 'Deployment',
        causes: [
          { reason: 'FieldValueInvalid', message: 'Invalid value: -1: must be more', field: 'spec.replicas' },
          { reason: 'FieldValueForbidden', message: 'Forbidden: not here', field: 'spec.x' },
        ],
      },
    ],
    ['TooManyRequests', status.tooManyRequests('slow', 3), 429, 'slow', { retryAfterSeconds: 3 }],
    ['InternalError', status.internalError('broke'), 500, 'Internal error occurred: broke', { causes: [{ message: 'broke' }] }],
    ['ServiceUnavailable', status.serviceUnavailable('closed'), 503, 'closed', undefined],
    ['Timeout', status.timeout('late', 5), 504, 'Timeout: late', { retryAfterSeconds: 5 }],
  ])('%s', (reason, error, code, message, details) => {
    expect(error.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason,
      code,
      message,
      ...(details === undefined ? {} : { details }),
    });
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as status from '../../../runtime/machinery/errors/status.ts';
import { HttpClient } from '../../support/http-client.ts';
import { startTestServing, type TestServing } from '../../support/test-serving.ts';

const pods = { group: '', resource: 'pods' };
const deployments = { group: 'apps', resource: 'deployments' };

/** Errors by reason, so that each reason occurs once. */
const thrown: Readonly<Record<string, status.StatusError>> = {
  BadRequest: status.badRequest('no'),
  Unauthorized: status.unauthorized(),
  Forbidden: status.forbidden(deployments, 'd', 'because'),
  NotFound: status.notFound(pods, 'p'),
  MethodNotAllowed: status.methodNotAllowed(pods, 'patch'),
  NotAcceptable: status.notAcceptable(['a/b']),
  AlreadyExists: status.generateNameConflict(pods, 'p', 1),
  Conflict: status.conflict(pods, 'p', 'why'),
  Gone: status.gone('too old'),
  Expired: status.resourceExpired('too old', 'token'),
  RequestEntityTooLarge: status.requestEntityTooLarge('limit is 1'),
  UnsupportedMediaType: status.unsupportedMediaType(['a/b']),
  Invalid: status.invalid({ group: 'apps', kind: 'Deployment' }, 'd', []),
  TooManyRequests: status.tooManyRequests('later', 7),
  InternalError: status.internalError('broken'),
  ServiceUnavailable: status.serviceUnavailable('closed'),
  Timeout: status.timeout('late', 5),
};

describe('over HTTP', () => {
  let serving: TestServing;
  let http: HttpClient;

  beforeAll(async () => {
    serving = await startTestServing(async (ctx) => {
      throw thrown[ctx.path.split('/').at(-1) as string];
    });
    http = HttpClient.for({ ...serving, clientCertificate: serving.admin.certificate, clientKey: serving.admin.key });
  });
  afterAll(async () => {
    http.close();
    await serving.listener.close();
  });

  test.each(Object.keys(thrown))('%s: its code, Status and Retry-After', async (reason) => {
    const { status: want } = thrown[reason];
    const response = await http.get(`/api/v1/namespaces/default/pods/${reason}`);
    expect([response.status, response.json]).toEqual([want.code, want]);
    expect(response.json).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason });
    const seconds = want.details?.retryAfterSeconds;
    expect(response.headers['retry-after']).toBe(seconds === undefined ? undefined : String(seconds));
    expect(response.headers['content-type']).toBe('application/json');
  });
});

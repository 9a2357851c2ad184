import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as testingClient from '../../../generated/testing/client.ts';
import * as generatedClient from '../../../generated/v1.35/client.ts';
import { type UseServerOptions, useServer } from '../../../runtime/frameworks/use-server.ts';
import { checkConversions, type RunningServer, startServer } from '../../../runtime/index.ts';
import { exportedFiles, type PublicCall, publicCalls } from '../../support/public-api/option-objects.ts';
import { type Exceptions, type Samples, type WrongOptions, wrongOptions } from '../../support/public-api/wrong-options.ts';
import { startTestServer } from '../../support/test-server.ts';

/* Every option object in the package's declarations, with one mistake. New ones are found automatically. */

let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer({ testControls: true, clock: 'manual' });
});
afterAll(() => server.close());

const unreachable = { server: 'https://127.0.0.1:1' };
const jestHooks = { beforeAll, beforeEach, afterAll };

/** Runs the first hook, which starts the server. */
async function useServerOnce(options: UseServerOptions): Promise<RunningServer> {
  const run: (() => Promise<void>)[] = [];
  const collect = (hook: () => Promise<void>): void => void run.push(hook);
  const used = useServer({ beforeAll: collect, beforeEach: () => undefined, afterAll: () => undefined }, options);
  for (const hook of run) await hook();
  return used.server;
}

const cluster = useServer(jestHooks);

/** The results of exports, for their methods. */
const returned: Readonly<Record<string, () => unknown>> = {
  startServer: () => server,
  useServer: () => cluster,
  createClient: () => generatedClient.createClient(unreachable),
};

const exported: Readonly<Record<string, unknown>> = {
  ...testingClient,
  ...generatedClient,
  checkConversions,
  startServer,
  useServer: useServerOnce,
};

/** Arguments besides the options, by method and parameter. */
const given: Readonly<Record<string, () => unknown>> = {
  'restore(snapshot)': () => server.snapshot(),
  'saveSnapshot(path)': () => join(tmpdir(), 'kubeloom-none.yaml'),
  'checkConversions(group)': () => ({
    catalog: { release: 'v1', groupVersions: [], loadMeta: async () => ({}) },
    strategies: {},
  }),
  'eventually(object)': () => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }),
  'eventually(predicate)': () => () => true,
};

/** Required members of option objects. */
const samples: Samples = {
  ClientOptions: unreachable,
  ApplyOptions: { fieldManager: 'x' },
  NamedReference: { apiVersion: 'v1', kind: 'Namespace', name: 'default' },
  FaultPlanSpec: { fault: { restart: {} } },
  StatusFault: { code: 503 },
  DelayFault: { duration: '1s' },
  WatchFault: { action: 'Stall' },
  ReplaySpec: { file: 'x' },
  PodProgram: { image: 'x', command: ['x'] },
  Authorizer: { authorize: () => undefined },
  ApiGroup: { catalog: { groupVersions: [] }, strategies: {} },
  AnyConverter: { toStorage: (object: object) => object, fromStorage: (object: object) => object },
  TableColumn: { name: 'x', type: 'string', cell: () => 'x' },
  Clock: { now: () => 0, after: () => () => undefined },
};

/** Valid values that the rules above consider wrong. */
const exceptions: Exceptions = {
  // milliseconds and rates have fractions
  ...Object.fromEntries(
    [
      'authenticationTokenWebhookCacheTtl',
      'authorizationWebhookCacheAuthorizedTTL',
      'authorizationWebhookCacheUnauthorizedTTL',
      'kubeletTimeout',
      'shutdownDelay',
      'drainTimeout',
      'etcdCompactionInterval',
      'etcdCountMetricPollPeriod',
      'etcdDbMetricPollInterval',
      'etcdHealthcheckTimeout',
      'etcdReadycheckTimeout',
      'eventTTL',
      'compactionWindow',
      'auditWebhookInitialBackoff',
      'auditLogBatchMaxWait',
      'auditWebhookBatchMaxWait',
      'auditLogBatchThrottleQPS',
      'auditWebhookBatchThrottleQPS',
      'leaderElectRetryPeriod',
    ].map((name) => [`ServerOptions.${name}`, [0.5]]),
  ),
  'ServerOptions.workerThreshold': [Number.POSITIVE_INFINITY],
  'ServerOptions.seed': [-1],
  'DeleteOptions.gracePeriodSeconds': [-1],
  'DeleteCollectionOptions.gracePeriodSeconds': [-1],
  'ReplaySpec.speed': [0.5],
  'ExpectationOptions.timeout': [0.5],
  'SettledOptions.quiet': [0.5],
  'SettledOptions.timeout': [0.5],
  // any object may be a Kubernetes object; its reader reports missing fields
  'ServerOptions.fixtures': [{}],
};

/** Messages without an option's name, in upstream's words. */
const otherWords: Readonly<Record<string, string>> = {
  'ServerOptions.leaderElectLeaseDuration': 'leaseDuration must be',
  'ServerOptions.leaderElectRenewDeadline': 'renewDeadline must be',
  'ServerOptions.auditLogMode': 'invalid audit log mode',
  'ServerOptions.auditWebhookMode': 'invalid audit webhook mode',
  'ServerOptions.auditLogFormat': 'invalid audit log format',
  'ServerOptions.auditLogMaxAge': '--audit-log-maxage',
  'ServerOptions.auditLogMaxBackup': '--audit-log-maxbackup',
  'ServerOptions.auditLogMaxSize': '--audit-log-maxsize',
  'ServerOptions.maxRequestsInFlight': '--max-requests-inflight',
  'ServerOptions.maxMutatingRequestsInFlight': '--max-mutating-requests-inflight',
};

const files = exportedFiles();
const calls = publicCalls(files);

type Target = (...args: unknown[]) => unknown;

/** @throws Error if the tables above have no value for the function's object */
function targetOf({ steps, isClass }: PublicCall): Target {
  let target: unknown;
  let owner: unknown;
  for (const [at, step] of steps.entries()) {
    const isExport = at === 0;
    if ('property' in step) {
      owner = target;
      const all = (isExport ? exported : target) as Readonly<Record<string, unknown>>;
      target = all[step.property];
    } else {
      const [first] = steps;
      const name = 'property' in first ? first.property : '';
      target = at === 1 ? returned[name]() : (target as (...args: unknown[]) => unknown).apply(owner, ['x']);
    }
    if (target === undefined) throw new Error(`no value for ${JSON.stringify(step)}`);
  }
  return (...args) => (isClass ? new (target as new (...args: unknown[]) => unknown)(...args) : (target as Target).apply(owner, args));
}

function argumentOf(call: PublicCall, at: number): unknown {
  const { name, type } = call.parameters[at];
  const method = `${call.name.replace(/^.*\.|\(.*$/g, '')}(${name})`;
  if (Object.hasOwn(given, method)) return given[method]();
  return type.forms.has('string') ? 'x' : { metadata: { name: 'x' } };
}

async function refusal(call: PublicCall, target: Target, options: unknown): Promise<string> {
  const args = call.parameters.slice(0, call.at).map((_, at) => argumentOf(call, at));
  let result: unknown;
  try {
    result = await target(...args, options);
  } catch (error) {
    return (error as Error).message;
  }
  if (result !== server) await (result as { close?(): Promise<void> } | undefined)?.close?.();
  return 'accepted';
}

/** Returns the flag of an option. */
const kebab = (name: string): string => name.replace(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`);

/** Options of a test file are those of its server. */
const declaredAs = (member: string): string => member.replace('UseServerOptions.', 'ServerOptions.');

function isRight(member: string, value: unknown): boolean {
  return (exceptions[declaredAs(member)] ?? []).some((one) => isDeepStrictEqual(one, value));
}

function isRefusalOf({ member, path, meant }: WrongOptions, message: string): boolean {
  if (meant !== undefined) return message.includes(path) && message.includes(`did you mean ${JSON.stringify(meant)}?`);
  return [path, kebab(path), otherWords[declaredAs(member)]].some((name) => name !== undefined && message.includes(name));
}

function grouped(all: readonly WrongOptions[]): Map<string, WrongOptions[]> {
  const groups = new Map<string, WrongOptions[]>();
  for (const one of all) groups.set(one.path, [...(groups.get(one.path) ?? []), one]);
  return groups;
}

test('the declarations of the package have options', () => {
  expect(calls.length).toBeGreaterThan(30);
});

describe.each(calls.map((call) => [call.name, call] as const))('%s', (_, call) => {
  let target: Target;
  beforeAll(() => {
    target = targetOf(call);
  });
  const wrong = [...wrongOptions(call.parameters[call.at].type, samples)].filter(({ member, value }) => !isRight(member, value));
  test.each([...grouped(wrong)])('refuses a wrong %s', async (_path, all) => {
    const accepted: string[] = [];
    for (const one of all) {
      const message = await refusal(call, target, one.options);
      if (!isRefusalOf(one, message)) accepted.push(`${one.member} ${one.shown}: ${message}`);
    }
    expect(accepted).toEqual([]);
  });
});

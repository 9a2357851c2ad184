import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { httpHeaderName } from '../../../structural/formats.ts';
import { validateEnum, validateFormat, validateNonnegativeField, validatePortNum, validatePortNumOrName } from '../../validation/fields.ts';

/** Probes and lifecycle hooks of containers. (pkg/apis/core/validation) */

type Container = Unvalidated<core.Container>;
type Probe = Unvalidated<core.Probe>;
type Handler = Unvalidated<core.Probe & core.LifecycleHandler>;

const handlerTypes = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

/**
 * (validateHandler)
 *
 * @param gracePeriod terminationGracePeriodSeconds of the pod, which a sleep may not exceed
 */
function validateHandler(handler: Handler, gracePeriod: number | undefined, field: Field): void {
  const types = handlerTypes.filter((type) => handler[type] !== undefined);
  if (types.length === 0) field.required('must specify a handler type');
  for (const [index, type] of types.entries()) {
    if (index === 0) validateAction(type, handler, gracePeriod, field.child(type));
    else field.child(type).forbidden('may not specify more than 1 handler type');
  }
}

function validateAction(
  type: (typeof handlerTypes)[number],
  { exec, httpGet, tcpSocket, grpc, sleep }: Handler,
  gracePeriod: number | undefined,
  field: Field,
): void {
  switch (type) {
    case 'exec':
      if (!exec?.command?.length) field.child('command').required();
      return;
    case 'httpGet':
      validatePortNumOrName(httpGet?.port, field.child('port'));
      validateEnum(httpGet?.scheme ?? '', ['HTTP', 'HTTPS'], field.child('scheme'));
      for (const { name = '' } of httpGet?.httpHeaders ?? []) {
        validateFormat(name, httpHeaderName, field.child('httpHeaders'));
      }
      return;
    case 'tcpSocket':
      validatePortNumOrName(tcpSocket?.port, field.child('port'));
      return;
    case 'grpc':
      validatePortNum(grpc?.port ?? 0, field.child('port'));
      return;
    case 'sleep': {
      const seconds = sleep?.seconds ?? 0;
      if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return;
      field.invalid(seconds, `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`);
    }
  }
}

const counts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const satisfies readonly (keyof core.Probe)[];

/** (validateProbe) */
function validateProbe(probe: Probe, field: Field): void {
  validateHandler(probe, undefined, field);
  for (const name of counts) validateNonnegativeField(probe[name], field.child(name));
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    field.child('terminationGracePeriodSeconds').invalid(grace, 'must be greater than 0');
  }
}

/** Liveness and startup probes. (validateLivenessProbe) */
function validateLivenessProbe(probe: Probe | undefined, field: Field): void {
  if (!probe) return;
  validateProbe(probe, field);
  if (probe.successThreshold !== 1) {
    field.child('successThreshold').invalid(probe.successThreshold ?? 0, 'must be 1');
  }
}

/** @param gracePeriod terminationGracePeriodSeconds of the pod */
export function validateLifecycleAndProbes(container: Container, gracePeriod: number | undefined, field: Field): void {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  if (lifecycle?.postStart) {
    validateHandler(lifecycle.postStart, gracePeriod, field.child('lifecycle', 'postStart'));
  }
  if (lifecycle?.preStop) validateHandler(lifecycle.preStop, gracePeriod, field.child('lifecycle', 'preStop'));
  validateLivenessProbe(livenessProbe, field.child('livenessProbe'));
  if (readinessProbe) {
    const at = field.child('readinessProbe');
    validateProbe(readinessProbe, at);
    const grace = readinessProbe.terminationGracePeriodSeconds;
    if (grace !== undefined) {
      at.child('terminationGracePeriodSeconds').invalid(grace, 'must not be set for readinessProbes');
    }
  }
  validateLivenessProbe(startupProbe, field.child('startupProbe'));
}

/** Init containers other than sidecars have neither lifecycle hooks nor probes. */
export function forbidLifecycleAndProbes(container: Container, field: Field): void {
  for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    if (container[name] !== undefined) {
      field.child(name).forbidden('may not be set for init containers without restartPolicy=Always');
    }
  }
}

import type { Part } from '../../../machinery/object.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { httpHeaderName } from '../../../structural/formats.ts';
import {
  validateEnum,
  validateNonnegativeField,
  validatePortNum,
  validatePortNumOrName,
} from '../../validation/fields.ts';

/** Handlers of probes and of the lifecycle. (pkg/apis/core/validation, validateHandler) */
const handlerKinds = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

function validateHandler(handler: Part, graceSeconds: number | undefined, field: Field): void {
  const given = handlerKinds.filter((kind) => handler[kind] !== undefined);
  if (given.length === 0) field.required('must specify a handler type');
  for (const [index, kind] of given.entries()) {
    const at = field.child(kind);
    if (index > 0) at.forbidden('may not specify more than 1 handler type');
    else validateAction(kind, handler[kind], graceSeconds, at);
  }
}

function validateAction(
  kind: (typeof handlerKinds)[number],
  action: Part,
  graceSeconds: number | undefined,
  field: Field,
): void {
  switch (kind) {
    case 'exec':
      if (!action.command?.length) field.child('command').required();
      return;
    case 'httpGet':
      validatePortNumOrName(action.port, field.child('port'));
      validateEnum(action.scheme ?? '', ['HTTP', 'HTTPS'], field.child('scheme'));
      for (const { name } of action.httpHeaders ?? []) {
        for (const message of httpHeaderName(name ?? '')) {
          field.child('httpHeaders').invalid(name ?? '', message);
        }
      }
      return;
    case 'tcpSocket':
      validatePortNumOrName(action.port, field.child('port'));
      return;
    case 'grpc':
      validatePortNum(action.port ?? 0, field.child('port'));
      return;
    case 'sleep': {
      const seconds = action.seconds ?? 0;
      if (graceSeconds !== undefined && (seconds < 0 || seconds > graceSeconds)) {
        const detail = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
        field.invalid(seconds, detail);
      }
    }
  }
}

const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

function validateProbe(probe: Part, field: Field): void {
  validateHandler(probe, undefined, field);
  for (const name of counts) validateNonnegativeField(probe[name], field.child(name));
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    field.child('terminationGracePeriodSeconds').invalid(grace, 'must be greater than 0');
  }
}

function validateLivenessProbe(probe: Part, field: Field): void {
  if (!probe) return;
  validateProbe(probe, field);
  if (probe.successThreshold !== 1) {
    field.child('successThreshold').invalid(probe.successThreshold ?? 0, 'must be 1');
  }
}

/** Lifecycle and probes of a container that runs beside others. */
export function validateLifecycleAndProbes(container: Part, graceSeconds: number | undefined, field: Field): void {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  if (lifecycle?.postStart) {
    validateHandler(lifecycle.postStart, graceSeconds, field.child('lifecycle', 'postStart'));
  }
  if (lifecycle?.preStop) validateHandler(lifecycle.preStop, graceSeconds, field.child('lifecycle', 'preStop'));
  validateLivenessProbe(livenessProbe, field.child('livenessProbe'));
  if (readinessProbe) {
    const at = field.child('readinessProbe');
    validateProbe(readinessProbe, at);
    const grace = readinessProbe.terminationGracePeriodSeconds;
    if (grace !== undefined) {
      const detail = 'must not be set for readinessProbes';
      at.child('terminationGracePeriodSeconds').invalid(grace, detail);
    }
  }
  validateLivenessProbe(startupProbe, field.child('startupProbe'));
}

/** Init containers end: nothing can be asked of them while they run. */
export function forbidLifecycleAndProbes(container: Part, field: Field): void {
  for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (container[name] !== undefined) {
      field.child(name).forbidden('may not be set for init containers without restartPolicy=Always');
    }
  }
}

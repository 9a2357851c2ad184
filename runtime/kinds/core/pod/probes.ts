import type { Part } from '../../../machinery/object.ts';
import { forbidden, invalid, required } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { httpHeaderName } from '../../../structural/formats.ts';
import {
  type Errors,
  validateEnum,
  validateNonnegativeField,
  validatePortNum,
  validatePortNumOrName,
} from '../../validation/fields.ts';

/** Handlers of probes and of the lifecycle. (pkg/apis/core/validation, validateHandler) */
const handlerKinds = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

function validateHandler(handler: Part, graceSeconds: number | undefined, path: FieldPath, errors: Errors): void {
  const given = handlerKinds.filter((kind) => handler[kind] !== undefined);
  if (given.length === 0) errors.push(required(path, 'must specify a handler type'));
  for (const [index, kind] of given.entries()) {
    const at = path.child(kind);
    if (index > 0) errors.push(forbidden(at, 'may not specify more than 1 handler type'));
    else validateAction(kind, handler[kind], graceSeconds, at, errors);
  }
}

function validateAction(
  kind: (typeof handlerKinds)[number],
  action: Part,
  graceSeconds: number | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  switch (kind) {
    case 'exec':
      if (!action.command?.length) errors.push(required(path.child('command')));
      return;
    case 'httpGet':
      validatePortNumOrName(action.port, path.child('port'), errors);
      validateEnum(action.scheme ?? '', ['HTTP', 'HTTPS'], path.child('scheme'), errors);
      for (const { name } of action.httpHeaders ?? []) {
        for (const message of httpHeaderName(name ?? '')) {
          errors.push(invalid(path.child('httpHeaders'), name ?? '', message));
        }
      }
      return;
    case 'tcpSocket':
      validatePortNumOrName(action.port, path.child('port'), errors);
      return;
    case 'grpc':
      validatePortNum(action.port ?? 0, path.child('port'), errors);
      return;
    case 'sleep': {
      const seconds = action.seconds ?? 0;
      if (graceSeconds !== undefined && (seconds < 0 || seconds > graceSeconds)) {
        const detail = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
        errors.push(invalid(path, seconds, detail));
      }
    }
  }
}

const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

function validateProbe(probe: Part, path: FieldPath, errors: Errors): void {
  validateHandler(probe, undefined, path, errors);
  for (const name of counts) validateNonnegativeField(probe[name], path.child(name), errors);
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    errors.push(invalid(path.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0'));
  }
}

function validateLivenessProbe(probe: Part, path: FieldPath, errors: Errors): void {
  if (!probe) return;
  validateProbe(probe, path, errors);
  if (probe.successThreshold !== 1) {
    errors.push(invalid(path.child('successThreshold'), probe.successThreshold ?? 0, 'must be 1'));
  }
}

/** Lifecycle and probes of a container that runs beside others. */
export function validateLifecycleAndProbes(
  container: Part,
  graceSeconds: number | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  if (lifecycle?.postStart) {
    validateHandler(lifecycle.postStart, graceSeconds, path.child('lifecycle', 'postStart'), errors);
  }
  if (lifecycle?.preStop) validateHandler(lifecycle.preStop, graceSeconds, path.child('lifecycle', 'preStop'), errors);
  validateLivenessProbe(livenessProbe, path.child('livenessProbe'), errors);
  if (readinessProbe) {
    const at = path.child('readinessProbe');
    validateProbe(readinessProbe, at, errors);
    const grace = readinessProbe.terminationGracePeriodSeconds;
    if (grace !== undefined) {
      const detail = 'must not be set for readinessProbes';
      errors.push(invalid(at.child('terminationGracePeriodSeconds'), grace, detail));
    }
  }
  validateLivenessProbe(startupProbe, path.child('startupProbe'), errors);
}

/** Init containers end: nothing can be asked of them while they run. */
export function forbidLifecycleAndProbes(container: Part, path: FieldPath, errors: Errors): void {
  for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (container[name] !== undefined) {
      errors.push(forbidden(path.child(name), 'may not be set for init containers without restartPolicy=Always'));
    }
  }
}

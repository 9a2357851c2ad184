import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { ipVersion } from '../../machinery/validation/ip-formats.ts';
import { dns1035Label, dnsLabel, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { type Format, portName, wildcardSubdomain } from '../../structural/formats.ts';
import { validateEnum, validateFormat, validatePortNum, validateRequiredFormat } from '../validation/fields.ts';
import { validateIP } from '../validation/ip.ts';
import { validateTypedLocalObjectReference } from './typed-local-object-reference.ts';

/** (pkg/apis/networking/validation/validation.go) */

type Ingress = Unvalidated<networking.Ingress>;

export const ingressClassAnnotation = 'kubernetes.io/ingress.class';

/** The errors that older objects may keep. (IngressValidationOptions) */
interface IngressValidationOptions {
  readonly allowInvalidSecretName: boolean;
  readonly allowInvalidWildcardHostRule: boolean;
  readonly allowRelaxedServiceNameValidation: boolean;
}

const strict: IngressValidationOptions = {
  allowInvalidSecretName: false,
  allowInvalidWildcardHostRule: false,
  allowRelaxedServiceNameValidation: false,
};

/** (ValidateIngressCreate) */
export function validateIngressCreate(ingress: Ingress, field: Field): void {
  const { metadata, spec = {} } = ingress;
  validateIngressSpec(spec, field.child('spec'), strict);
  const annotation = metadata?.annotations?.[ingressClassAnnotation];
  if (annotation !== undefined && spec.ingressClassName !== undefined && annotation !== spec.ingressClassName) {
    const at = field.child('annotations', ingressClassAnnotation);
    at.invalid(annotation, 'must match `ingressClassName` when both are specified');
  }
}

/** (ValidateIngressUpdate) */
export function validateIngressUpdate({ spec = {} }: Ingress, { spec: old = {} }: Ingress, field: Field): void {
  validateIngressSpec(spec, field.child('spec'), {
    allowInvalidSecretName: allowInvalidSecretName(old),
    allowInvalidWildcardHostRule: allowInvalidWildcardHostRule(old),
    allowRelaxedServiceNameValidation: allowRelaxedServiceNameValidation(old, field),
  });
}

type IngressSpec = Unvalidated<networking.IngressSpec>;

const hasErrors = (validate: (field: Field) => void): boolean => {
  const field = Field.at(FieldPath.root, []);
  validate(field);
  return field.errors.length > 0;
};

const allowInvalidSecretName = ({ tls }: IngressSpec): boolean =>
  (tls ?? []).some(({ secretName }) => secretName && dnsSubdomain(secretName).length > 0);

const allowInvalidWildcardHostRule = ({ rules }: IngressSpec): boolean =>
  (rules ?? []).some(({ host, http }) => host?.includes('*') && hasErrors((field) => validateRuleValue(http, field, strict)));

function allowRelaxedServiceNameValidation({ defaultBackend, rules }: IngressSpec, field: Field): boolean {
  if (field.follows('DefaultBackendKeepsItsName') && isRelaxedServiceName(defaultBackend)) return true;
  return (rules ?? []).some(({ http }) => http?.paths?.some(({ backend }) => isRelaxedServiceName(backend)));
}

function isRelaxedServiceName(backend: IngressBackend | undefined): boolean {
  const name = backend?.service?.name;
  return name !== undefined && dns1035Label(name).length > 0 && dnsLabel(name).length === 0;
}

function validateIngressSpec(spec: IngressSpec, field: Field, options: IngressValidationOptions): void {
  if (!spec.rules?.length && !spec.defaultBackend) {
    field.invalid(spec.rules, 'either `defaultBackend` or `rules` must be specified');
  }
  if (spec.defaultBackend) validateIngressBackend(spec.defaultBackend, field.child('defaultBackend'), options);
  for (const [index, rule] of (spec.rules ?? []).entries()) {
    validateIngressRule(rule, field.child('rules').index(index), options);
  }
  for (const [index, tls] of (spec.tls ?? []).entries()) {
    validateIngressTLS(tls, field.child('tls').index(index), options);
  }
  if (spec.ingressClassName !== undefined) {
    validateFormat(spec.ingressClassName, dnsSubdomain, field.child('ingressClassName'));
  }
}

const hostFormat = (host: string): Format => (host.includes('*') ? wildcardSubdomain : dnsSubdomain);

function validateIngressTLS(
  { hosts, secretName }: Unvalidated<networking.IngressTLS>,
  field: Field,
  { allowInvalidSecretName }: IngressValidationOptions,
): void {
  for (const [index, host] of (hosts ?? []).entries()) {
    validateFormat(host, hostFormat(host), field.child('hosts').index(index));
  }
  if (secretName && !allowInvalidSecretName) validateFormat(secretName, dnsSubdomain, field.child('secretName'));
}

/** (validateIngressRules) */
function validateIngressRule(
  { host = '', http }: Unvalidated<networking.IngressRule>,
  field: Field,
  options: IngressValidationOptions,
): void {
  if (host !== '') {
    const at = field.child('host');
    if (ipVersion(host) !== 0) at.invalid(host, notAnAddress);
    validateFormat(host, hostFormat(host), at);
  }
  if (!options.allowInvalidWildcardHostRule || !host.includes('*')) validateRuleValue(http, field, options);
}

const notAnAddress = 'must be a DNS name, not an IP address';

/** (validateIngressRuleValue, validateHTTPIngressRuleValue) */
function validateRuleValue(
  http: Unvalidated<networking.HTTPIngressRuleValue> | undefined,
  field: Field,
  options: IngressValidationOptions,
): void {
  if (!http) return;
  const at = field.child('http', 'paths');
  const paths = http.paths ?? [];
  if (paths.length === 0) at.required();
  for (const [index, path] of paths.entries()) validateHTTPIngressPath(path, at.index(index), options);
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function validateHTTPIngressPath(
  { path = '', pathType, backend = {} }: Unvalidated<networking.HTTPIngressPath>,
  field: Field,
  options: IngressValidationOptions,
): void {
  if (pathType == null) {
    field.child('pathType').required('pathType must be specified');
    return;
  }
  if (pathTypes.includes(pathType)) validatePath(path, pathType, field.child('path'));
  else validateEnum(pathType, pathTypes, field.child('pathType'));
  validateIngressBackend(backend, field.child('backend'), options);
}

const forbiddenInPath = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenAtEnd = ['/..', '/.'];

function validatePath(path: string, pathType: string, field: Field): void {
  const isSpecific = pathType === 'ImplementationSpecific';
  if (!path.startsWith('/') && !(isSpecific && path === '')) field.invalid(path, 'must be an absolute path');
  if (isSpecific || path === '') return;
  for (const sequence of forbiddenInPath) {
    if (path.includes(sequence)) field.invalid(path, `must not contain '${sequence}'`);
  }
  for (const suffix of forbiddenAtEnd) {
    if (path.endsWith(suffix)) field.invalid(path, `cannot end with '${suffix}'`);
  }
}

type IngressBackend = Unvalidated<networking.IngressBackend>;

function validateIngressBackend({ service, resource }: IngressBackend, field: Field, options: IngressValidationOptions): void {
  if (service && resource) field.invalid('', 'cannot set both resource and service backends');
  else if (resource) validateTypedLocalObjectReference(resource, field.child('resource'));
  else if (service) validateIngressServiceBackend(service, field, options);
  else field.invalid('', 'resource or service backend is required');
}

function validateIngressServiceBackend(
  service: Unvalidated<networking.IngressServiceBackend>,
  field: Field,
  { allowRelaxedServiceNameValidation }: IngressValidationOptions,
): void {
  const at = field.child('service');
  validateRequiredFormat(service.name, allowRelaxedServiceNameValidation ? dnsLabel : dns1035Label, at.child('name'));
  const { name, number } = service.port ?? {};
  if (name && number) field.invalid('', 'cannot set both port name & port number');
  else if (name) validateFormat(name, portName, at.child('port', 'name'));
  else if (number) validatePortNum(number, at.child('port', 'number'));
  else field.required('port name or number is required');
}

/** Stored addresses stay valid. (ValidateIngressStatusUpdate, ValidateIngressLoadBalancerStatus) */
export function validateIngressStatusUpdate({ status }: Ingress, { status: old }: Ingress, field: Field): void {
  const at = field.child('status', 'loadBalancer', 'ingress');
  let stored: ReadonlySet<string | undefined> | undefined;
  for (const [index, { ip, hostname }] of (status?.loadBalancer?.ingress ?? []).entries()) {
    const each = at.index(index);
    if (ip && ipVersion(ip) === 0) {
      stored ??= new Set(old?.loadBalancer?.ingress?.map((before) => before.ip));
      if (!stored.has(ip)) validateIP(ip, each.child('ip'));
    }
    if (!hostname) continue;
    validateFormat(hostname, dnsSubdomain, each.child('hostname'));
    if (ipVersion(hostname) !== 0) each.child('hostname').invalid(hostname, notAnAddress);
  }
}

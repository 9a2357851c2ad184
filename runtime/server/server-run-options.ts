import { patternOf } from '../machinery/patterns/pattern.ts';
import { OptionError, type ServerOptions } from '../options/server-options.ts';

const corsHelp =
  "Please ensure each expression matches the entire hostname by anchoring to the start with '^' or including the '//' " +
  "prefix, and by anchoring to the end with '$' or including the ':' port separator suffix.";

/** @throws OptionError (ServerRunOptions.Validate) */
export function validateServerRunOptions(options: ServerOptions): void {
  const { goawayChance = 0, strictTransportSecurityDirectives = [], corsAllowedOrigins = [] } = options;
  if (!(goawayChance >= 0 && goawayChance <= 0.02)) {
    throw new OptionError('--goaway-chance can not be less than 0 or greater than 0.02');
  }
  if (options.simulate && options.builtin === false) {
    throw new OptionError('--simulate needs the pods, nodes and workloads that --no-builtin removes');
  }
  for (const directive of strictTransportSecurityDirectives) validateHSTSDirective(directive);
  for (const origin of corsAllowedOrigins) validateCorsAllowedOrigin(origin);
}

function validateHSTSDirective(directive: string): void {
  if (directive.trim() === '') throw new OptionError('empty value in strict-transport-security-directives');
  if (directive === 'includeSubDomains' || directive === 'preload') return;
  const [name, ...value] = directive.split('=');
  if (name === 'max-age' && value.length === 1) return;
  throw new OptionError(
    '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. ' +
      'see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
  );
}

/** Requires an expression that cannot match part of a host, which would allow other hosts. (CVE-2022-1996) */
function validateCorsAllowedOrigin(origin: string): void {
  if (origin === '') throw new OptionError(`empty value in --cors-allowed-origins, help: ${corsHelp}`);
  const isPinned = /\^|\/\//.test(origin) && /[$:]/.test(origin);
  const why =
    patternOf(origin).error ?? (isPinned ? undefined : 'regular expression does not pin to start/end of host in the origin header');
  if (why === undefined) return;
  throw new OptionError(`--cors-allowed-origins has an invalid regular expression: ${why}, help: ${corsHelp}`);
}

/** The parts of a name in the path of a proxy. */
export interface SchemeNamePort {
  /** "" if the name has no scheme. */
  readonly scheme: 'http' | 'https' | '';
  readonly name: string;
  /** A number or a name; "" if the name has no port. */
  readonly port: string;
}

const isScheme = (text: string): text is SchemeNamePort['scheme'] => text === '' || text === 'http' || text === 'https';

/**
 * Splits `name`, `name:port` or `scheme:name:port`. Returns undefined for any other text. (utilnet.SplitSchemeNamePort)
 */
export function splitSchemeNamePort(id: string): SchemeNamePort | undefined {
  const parts = id.split(':');
  if (parts.length > 3) return undefined;
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  return name !== '' && isScheme(scheme) ? { scheme, name, port } : undefined;
}

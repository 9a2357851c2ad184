import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { type ParsedFlags, parseFlags, UsageError } from '../../machinery/options/flags.ts';
import { defaultRelease } from '../../machinery/release.ts';
import { gitVersion, setDynamicVersion, versionInfo } from '../../machinery/version.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { parseRelease } from '../../server/groups/releases.ts';
import { requestedOptions } from '../requested-options.ts';
import { serveUntilSignalled } from '../serve-until-signalled.ts';
import { checkInertFlags, describeKubeAPIServerFlags, kubeAPIServerFlags } from './kube-apiserver-flags.ts';

const kubeAPIServerHelp = (): string => `Serve the Kubernetes API with the flags and defaults of kube-apiserver, for envtest.

Controllers run only if --controllers names them, since kube-apiserver has none. If --etcd-servers is a kubeloom etcd,
objects are in memory.

Usage:
  kubeloom kube-apiserver [flags]

${describeKubeAPIServerFlags()}`;

/** Serves until SIGTERM or SIGINT. Errors have the form of kube-apiserver's. */
export async function kubeAPIServer(args: readonly string[]): Promise<void> {
  try {
    const versions = args.filter(isVersionFlag);
    const flags = parseFlags(
      args.filter((arg) => !isVersionFlag(arg)),
      kubeAPIServerFlags,
      0,
      false,
    );
    if (flags.help) {
      process.stdout.write(kubeAPIServerHelp());
      return;
    }
    const release = parseRelease(flags.string('kubernetes-version') ?? defaultRelease);
    for (const flag of versions) {
      if (!takeVersion(flag, release)) return;
    }
    const options = await optionsOf(flags);
    if (options === undefined) process.exitCode = 1;
    else await serveUntilSignalled(options);
  } catch (error) {
    process.stderr.write(`Error: ${messageOf(error).replaceAll('\n', ' ')}\n`);
    process.exitCode = 1;
  }
}

/** Its value is optional, unlike those of other flags. */
const isVersionFlag = (arg: string): boolean => arg === '--version' || arg.startsWith('--version=');

/**
 * Prints the version, or sets the reported one. (component-base/version/verflag)
 *
 * @returns whether the server starts
 * @throws UsageError for another value
 */
function takeVersion(flag: string, release: string): boolean {
  const [, value = 'true'] = flag.split(/=(.*)/s);
  if (value === 'false') return true;
  if (value === 'true') process.stdout.write(`Kubernetes ${gitVersion(release)}\n`);
  else if (value === 'raw') process.stdout.write(`version.Info{${goFields(versionInfo(release))}}\n`);
  else if (value.startsWith('v')) setDynamicVersion(value, release);
  else throw new UsageError(`invalid argument ${JSON.stringify(value)} for "--version" flag: must be true, false, raw or a version`);
  return value.startsWith('v');
}

/** Returns the fields of a struct as Go prints them, for example `Major:"1", Minor:"35"`. */
const goFields = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name.replace(/^./, (letter) => letter.toUpperCase())}:${JSON.stringify(value)}`)
    .join(', ');

async function optionsOf(flags: ParsedFlags): Promise<ServerOptions | undefined> {
  checkInertFlags(flags);
  const options = await requestedOptions(flags);
  if (options === undefined) return undefined;
  const { authorizationMode, authorizationConfig, controllers = [''] } = options;
  return {
    ...options,
    controllers,
    authorizationMode: authorizationConfig === undefined ? (authorizationMode ?? ['AlwaysAllow']) : authorizationMode,
    ...servingCertificate(options),
    ...(await storage(flags, options)),
  };
}

/**
 * Returns the certificate and key in --cert-dir, if a user put them there. The server then keeps its other certificates
 * in memory, because the folder is the user's. (SecureServingOptions.MaybeDefaultWithSelfSignedCerts)
 */
function servingCertificate({ certDir = '', tlsCertFile, tlsPrivateKeyFile }: ServerOptions): Partial<ServerOptions> {
  if (tlsCertFile !== undefined || tlsPrivateKeyFile !== undefined) return { certDir: undefined };
  const [certificate, key] = [join(certDir, 'apiserver.crt'), join(certDir, 'apiserver.key')];
  // a folder with a CA was written by this server, which renews its certificates
  if (existsSync(join(certDir, 'ca.key')) || !existsSync(certificate) || !existsSync(key)) return {};
  return { certDir: undefined, tlsCertFile: certificate, tlsPrivateKeyFile: key };
}

async function storage(flags: ParsedFlags, { etcdServers = [] }: ServerOptions): Promise<Partial<ServerOptions>> {
  const { isEtcdStandIn } = await import('../../testkit/envtest/etcd-stand-in.ts');
  const chosen = flags.string('storage');
  if (etcdServers.length === 0 && chosen === undefined) throw new UsageError('--etcd-servers must be specified');
  const standsIn = await Promise.all(etcdServers.map(isEtcdStandIn));
  if (!standsIn.includes(true)) return {};
  return { etcdServers: undefined, ...(chosen === undefined && { storage: 'memory' }) };
}

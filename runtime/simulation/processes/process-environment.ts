import { join } from 'node:path';
import type { Container, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { ArgumentSpace } from '../environment/argument-space.ts';
import { containerEnvironment, searchPath } from '../environment/container-environment.ts';
import { expand } from '../environment/expansion.ts';
import type { PodPorts } from './pod-ports.ts';
import type { MappedProgram } from './program-table.ts';

/** The address of the API server. */
export interface ServerPlace {
  readonly host: string;
  readonly port: number;
}

export interface ProcessEnvironmentOf {
  readonly pod: Pod;
  readonly container: Container;
  readonly objects: ClusterObjects;
  readonly program: MappedProgram;
  readonly server: ServerPlace;
  /** The address of this machine at which the program listens. */
  readonly address: string;
  readonly ports: PodPorts;
  /** The folder that stands for the container's `/`. */
  readonly root: string;
  /** The kubeconfig with the account of the pod; undefined if the pod has no token. */
  readonly kubeconfig: string | undefined;
}

/**
 * Variables by which a process loads code, or finds programs. Only the map of programs sets them: whoever may create pods could run
 * anything otherwise.
 */
const loading =
  /^(?:PATH$|LD_|DYLD_|GCONV_PATH$|NODE_OPTIONS$|NODE_PATH$|NODE_REPL_|NPM_CONFIG_|PYTHON|PERL5|PERLLIB$|RUBY(?:OPT|LIB)$|_?JAVA_(?:TOOL_)?OPTIONS$|JDK_JAVA_OPTIONS$|CLASSPATH$|BASH_|ENV$|SHELLOPTS$|PS4$|IFS$|DOTNET_|CORECLR_|COR_|PHP|LUA_|DENO_|BUN_|GIT_|SSH_|EDITOR$|PAGER$|VISUAL$)/i;

/** Returns the variables of the process of a container. */
export function processEnvironment(given: ProcessEnvironmentOf): Map<string, string> {
  const { pod, container, objects, program, address } = given;
  // a program can only listen at an address of this machine
  const here = { ...pod, status: { ...pod.status, podIP: address, podIPs: [{ ip: address }] } };
  const variables = containerEnvironment({ pod: here, container, objects, onMissing: () => undefined });
  for (const name of variables.keys()) if (loading.test(name)) variables.delete(name);
  const isDeclared = (name: string): boolean => container.env?.some((one) => one.name === name) === true;
  for (const [name, value] of ownVariables(given)) if (!isDeclared(name)) variables.set(name, value);
  variables.set('PATH', process.env.PATH ?? searchPath);
  const space = new ArgumentSpace();
  for (const [name, value] of Object.entries(program.env ?? {})) {
    variables.set(
      name,
      expand(value, (other) => variables.get(other), space),
    );
  }
  return variables;
}

function ownVariables({ server, address, ports, root, kubeconfig }: ProcessEnvironmentOf): Map<string, string> {
  const port = String(server.port);
  const host = server.host.includes(':') ? `[${server.host}]` : server.host;
  const own = new Map([
    ['KUBERNETES_SERVICE_HOST', server.host],
    ['KUBERNETES_SERVICE_PORT', port],
    ['KUBERNETES_SERVICE_PORT_HTTPS', port],
    ['KUBERNETES_PORT', `tcp://${host}:${port}`],
    ['CONTAINER_ROOT', root],
    ['POD_ADDRESS', address],
    ['HOME', root],
    ['TMPDIR', join(root, 'tmp')],
  ]);
  if (kubeconfig !== undefined) own.set('KUBECONFIG', kubeconfig);
  for (const [declared, real] of ports.entries()) own.set(`PORT_${declared}`, String(real));
  return own;
}

import { listOf, mapOf, type OptionType, object, oneOf, someOf, text } from '../machinery/options/option-type.ts';
import type { PodHandlers } from '../streaming/pod-handlers.ts';

/** A program of this machine that runs in place of an image. */
export interface PodProgram {
  /** The images, with or without a tag. `*` stands for any text: `ghcr.io/me/operator:*`. */
  readonly image: string;
  /** The first word of a container's command, for images with several programs. Default: any, or none. */
  readonly entrypoint?: string | undefined;
  /**
   * The program and its first arguments. Stands for the first word of a container's command; the other words and the
   * container's arguments follow. A path with a slash is relative to `cwd`; other names are searched in the server's
   * PATH.
   */
  readonly command: readonly string[];
  /** Last arguments. `$(NAME)` is the value of a variable, as in a container's arguments. */
  readonly args?: readonly string[] | undefined;
  /** The folder in which the program runs. Default, and where relative paths begin: the folder of the file. */
  readonly cwd?: string | undefined;
  /** Variables that replace those of the container. `$(NAME)` is the value of another variable. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * `declared`: the program listens on the ports that its containers name, at an address of its own. `free`: each
   * declared port gets a free port of this machine, which `PORT_<port>` names. Default: `declared` on Linux, else `free`.
   */
  readonly ports?: 'declared' | 'free' | undefined;
  /**
   * Other programs in the image that exec, probes and hooks may run, by name: `tar`. `*` allows all of this machine.
   * Default: none.
   */
  readonly tools?: readonly string[] | undefined;
}

/** The programs of a file. */
export interface PodProgramList {
  readonly programs: readonly PodProgram[];
  readonly isolation?: PodIsolation | undefined;
}

/**
 * `namespaces`: on Linux, a program sees its volumes at the container's own paths, where the machine allows it. `none`:
 * it sees them in a folder.
 */
export type PodIsolation = 'none' | 'namespaces';

/** What implements pods: functions of this process, and programs of this machine. */
export interface PodOptions extends PodHandlers {
  /** The programs that run in place of images, or the path of a file with them. They need `simulate`. Default: none. */
  readonly programs?: string | readonly PodProgram[] | undefined;
  /** Default: what the file says, or `none`. */
  readonly isolation?: PodIsolation | undefined;
}

export const podProgram = object<PodProgram>(
  {
    image: text,
    entrypoint: text,
    command: someOf(text),
    args: listOf(text),
    cwd: text,
    env: mapOf(text),
    ports: oneOf('declared', 'free'),
    tools: listOf(text),
  },
  'image',
  'command',
);

export const podIsolation: OptionType<PodIsolation> = oneOf('none', 'namespaces');

export const podProgramList = object<PodProgramList>({ programs: listOf(podProgram), isolation: podIsolation }, 'programs');

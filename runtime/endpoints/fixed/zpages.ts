import type { EndpointRestrictions } from '../../codec/media-type.ts';
import type { ApiContext } from '../../http/context.ts';
import { mediaTypes, negotiateOutput, standardMediaTypes } from '../../http/negotiation.ts';
import { encodeObject, respondBytes, respondText } from '../../http/respond.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { notAcceptable } from '../../machinery/errors/status.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import type { JsonObject } from '../../machinery/object.ts';
import type { VersionInfo } from '../../machinery/version.ts';

/** A page about the process, as text or as an object of config.k8s.io. (pkg/server/statusz, pkg/server/flagz) */
export interface Zpage {
  readonly path: string;
  readonly kind: string;
  /** The members besides kind, apiVersion and metadata. */
  object(paths: readonly string[]): JsonObject;
  /**
   * Returns the text after the head.
   *
   * @param delimiter between names and values
   */
  text(object: JsonObject, delimiter: string): string;
}

export interface ZpageOptions {
  readonly features: FeatureGates;
  readonly version: VersionInfo;
  /** The values of the command-line flags by name. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
}

const component = 'kube-apiserver';
const version = 'v1alpha1';
/** The page uses one of these at random, so that clients do not parse the text. */
const delimiters = [':', ': ', '=', ' '];
const textType = 'text/plain';
const offers = [...standardMediaTypes, { mediaType: textType, streams: false }];

/** Returns the pages with enabled feature gates. */
export function zpagesOf({ features, version: info, flags = {} }: ZpageOptions): readonly Zpage[] {
  return [...(features.ComponentFlagz ? [flagz(flags)] : []), ...(features.ComponentStatusz ? [statusz(info)] : [])];
}

/** @param paths the list at `/` */
export async function respondZpage(ctx: ApiContext, page: Zpage, paths: readonly string[]): Promise<void> {
  const content = page.object(paths);
  if (!asksForText(ctx)) {
    const { mediaType, pretty, convert } = negotiateOutput(ctx, offers, restrictionsOf(page));
    if (convert !== undefined) {
      if (mediaType !== mediaTypes.json) throw notAcceptable(offers.map((offer) => offer.mediaType));
      const object = {
        kind: page.kind,
        apiVersion: `config.k8s.io/${version}`,
        metadata: { name: component },
        ...content,
      };
      const contentType = `${mediaType};g=${convert.group};v=${convert.version};as=${convert.kind}`;
      await respondBytes(ctx, 200, contentType, encodeObject(object, { mediaType, pretty }));
      return;
    }
  }
  const delimiter = elementAt(delimiters, Math.floor(Math.random() * delimiters.length));
  respondText(ctx, 200, `${head(page)}${page.text(content, delimiter)}`);
}

const asksForText = (ctx: ApiContext): boolean => (ctx.req.headers.accept ?? '').trim() === '';

function restrictionsOf({ kind }: Zpage): EndpointRestrictions {
  return {
    allowsTransform: (mediaType, target) =>
      mediaType === textType
        ? target === undefined
        : target?.group === 'config.k8s.io' && target.version === version && target.kind === kind,
    allowsStream: () => false,
  };
}

const head = ({ path }: Zpage): string =>
  `\n${component} ${path.slice(1)}\n` +
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for ' +
  'debugging purposes only.\n';

function flagz(flags: Readonly<Record<string, string>>): Zpage {
  const sorted = Object.entries(flags).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    path: '/flagz',
    kind: 'Flagz',
    object: (): JsonObject => (sorted.length === 0 ? {} : { flags: Object.fromEntries(sorted) }),
    text: (_object, delimiter) => sorted.map(([name, value]) => `${name}${delimiter}${value}\n`).join(''),
  };
}

/** Folders of paths that are not for debugging. */
const otherFolders: ReadonlySet<string> = new Set(['/apis', '/api', '/openid', '/openapi', '/.well-known']);

function statusz(info: VersionInfo): Zpage {
  const startedAt = new Date(performance.timeOrigin);
  return {
    path: '/statusz',
    kind: 'Statusz',
    object: (paths) => ({
      startTime: `${startedAt.toISOString().slice(0, 19)}Z`,
      uptimeSeconds: Math.floor(performance.now() / 1000),
      goVersion: info.goVersion,
      binaryVersion: info.gitVersion.replace(/^v/, ''),
      emulationVersion: `${info.emulationMajor}.${info.emulationMinor}`,
      paths: foldersOf(paths),
    }),
    text: (object, delimiter) =>
      [
        '',
        `Started${delimiter} ${unixDate(startedAt)}`,
        `Up${delimiter} ${upTime(Number(object.uptimeSeconds))}`,
        `Go version${delimiter} ${object.goVersion}`,
        `Binary version${delimiter} ${object.binaryVersion}`,
        `Emulation version${delimiter} ${object.emulationVersion}`,
        `Paths${delimiter} ${(object.paths as string[]).join(' ')}`,
        '',
      ].join('\n'),
  };
}

/** Returns the first segments of the paths, sorted. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set(paths.map((path) => `/${path.split('/')[1]}`));
  return [...folders].filter((folder) => folder !== '/' && !otherFolders.has(folder)).sort();
}

/** Formats a duration: `1 hr 02 min 03 sec`. */
function upTime(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)} hr ${two(Math.floor(seconds / 60) % 60)} min ${two(seconds % 60)} sec`;
}

/** Formats a date: `Mon Jan  2 15:04:05 UTC 2006`. */
function unixDate(date: Date): string {
  const [weekday, day, month, year, time] = date.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} UTC ${year}`;
}

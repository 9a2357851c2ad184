import { createHash } from 'node:crypto';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { quote } from '../../machinery/go/quote.ts';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the ID of one run of a container. It is the same on every server. */
export const containerID = (uid: string, name: string, restartCount: number): string =>
  `containerd://${digestOf(`${uid}/${name}/${restartCount}`)}`;

const images = new BoundedMap<string, { readonly image: string; readonly imageID: string }>(1000);

/** Returns a container runtime's names of an image: with registry and tag, and with its digest. */
export function imageNames(image: string): { readonly image: string; readonly imageID: string } {
  let names = images.get(image);
  if (names === undefined) {
    const [repository, tag] = splitImage(image);
    names = {
      image: image.includes('@') ? image : `${repository}:${tag}`,
      imageID: `${repository}@sha256:${digestOf(image)}`,
    };
    images.set(image, names);
  }
  return names;
}

/** Returns the repository with its registry, and the tag. (distribution/reference ParseNormalizedNamed) */
function splitImage(image: string): [repository: string, tag: string] {
  const [name = ''] = image.split('@');
  const colon = name.lastIndexOf(':');
  const hasTag = colon > name.lastIndexOf('/');
  const path = hasTag ? name.slice(0, colon) : name;
  const tag = hasTag ? name.slice(colon + 1) : 'latest';
  const [first = '', ...rest] = path.split('/');
  if (rest.length === 0) return [`docker.io/library/${path}`, tag];
  const isRegistry = first.includes('.') || first.includes(':') || first === 'localhost';
  return [isRegistry ? path : `docker.io/${path}`, tag];
}

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const reference = new RegExp(
  `^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]+)?/)?${component}(?:/${component})*(?::[\\w][\\w.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9+._-]*:[0-9a-fA-F]{32,})?$`,
);
const maxReference = 1024;

/** Returns the error of an invalid image name. (distribution/reference) */
export function imageError(image: string): string | undefined {
  if (image.length <= maxReference && reference.test(image)) return undefined;
  const isUpper = image.length <= maxReference && reference.test(image.toLowerCase());
  const why = isUpper ? 'repository name must be lowercase' : 'invalid reference format';
  return `couldn't parse image name ${quote(image)}: ${isUpper ? `invalid reference format: ${why}` : why}`;
}

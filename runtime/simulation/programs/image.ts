/** The command of an image, and whether it has other programs than those of the simulation. */
interface KnownImage {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  /** Whether every program of the image is known. */
  readonly isComplete: boolean;
}

const shellImage: KnownImage = { entrypoint: [], command: ['sh'], isComplete: false };
const completeShell: KnownImage = { ...shellImage, isComplete: true };
const server = (name: string): KnownImage => ({ entrypoint: [], command: [name], isComplete: false });

/** By the last part of the name: `busybox` for `registry.k8s.io/e2e-test-images/busybox:1.29-4`. */
const images: Readonly<Record<string, KnownImage>> = {
  agnhost: { entrypoint: ['/agnhost'], command: ['pause'], isComplete: true },
  alpine: completeShell,
  bash: shellImage,
  busybox: completeShell,
  centos: shellImage,
  debian: shellImage,
  fedora: shellImage,
  golang: shellImage,
  'hello-world': { entrypoint: [], command: ['true'], isComplete: true },
  httpd: server('httpd-foreground'),
  memcached: server('memcached'),
  nginx: server('nginx'),
  node: shellImage,
  pause: { entrypoint: ['/pause'], command: [], isComplete: true },
  perl: shellImage,
  php: shellImage,
  python: shellImage,
  redis: server('redis-server'),
  ruby: shellImage,
  ubuntu: shellImage,
};

/** Returns undefined for an image that nobody knows. */
export function knownImage(image: string): KnownImage | undefined {
  const name = image.replace(/@.*$/, '').replace(/^.*\//, '').replace(/:.*$/, '');
  return Object.hasOwn(images, name) ? images[name] : undefined;
}

/** Reports whether the host of an image's registry does not exist: a part of its name is `invalid`. (RFC 6761) */
export function unknownRegistry(image: string): string | undefined {
  const [host = '', ...path] = image.split('/');
  const isHost = path.length > 0 && /[.:]/.test(host);
  return isHost && host.replace(/:\d+$/, '').split('.').includes('invalid') ? host : undefined;
}

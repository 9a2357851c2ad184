const domainComponent = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const pathComponent = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(
  `^(?:${domain}/)?${pathComponent}(?:/${pathComponent})*(?::([\\w][\\w.-]{0,127}))?(?:@(${digest}))?$`,
);
const bareDigest = /^[a-f0-9]{64}$/;

/**
 * The tag of an image: `latest` where it names neither tag nor digest, "" where it has a digest only or is no
 * reference at all. (pkg/util/parsers, distribution/reference)
 */
export function imageTag(image: string): string {
  const match = reference.exec(image);
  if (!match || bareDigest.test(image)) return '';
  return match[1] ?? (match[2] === undefined ? 'latest' : '');
}

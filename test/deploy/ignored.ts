/** Whether a path is left out by a file such as .dockerignore: names from the root, `*` within a name, `!` takes one back. */
export function isIgnored(patterns: string, path: string): boolean {
  let isLeftOut = false;
  for (const line of patterns.split('\n').map((text) => text.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const isBack = line.startsWith('!');
    const name = (isBack ? line.slice(1) : line).replace(/^\/|\/$/g, '');
    const parts = name.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    if (new RegExp(`^${parts.join('[^/]*')}(?:/|$)`).test(path)) isLeftOut = !isBack;
  }
  return isLeftOut;
}
